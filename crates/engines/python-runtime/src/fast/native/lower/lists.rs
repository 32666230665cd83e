//! Lowering of lists and loops.

use goalspec_native::{BitOp, IntOp, Op as To, Register, Test};

use super::{Label, Lowering, NONE, Reg};
use crate::fast::op::Op;
use crate::fast::run::sort_cost;

extern "C" fn cost_of_sorting(length: u64, _: u64) -> u64 {
    sort_cost(length.cast_signed()).cast_unsigned()
}

/// An index beyond the end of any list.
const PAST_END: u64 = u64::MAX >> 1;

impl Lowering<'_> {
    /// Lowers an instruction on lists; returns whether `op` is one.
    pub(super) fn lower_list_op(&mut self, at: usize, op: Op) -> bool {
        match op {
            Op::NewList { d } => {
                let d = self.invalidate(d.into());
                self.emit(To::NewList { d });
            }
            Op::Append { l, a } => self.emit(To::Push { l: l.into(), a: a.into() }),
            Op::AppendJump { l, a, t } => {
                self.emit(To::Push { l: l.into(), a: a.into() });
                self.jump(Label(t.into()));
            }
            Op::Length { d, l } => {
                let d = self.invalidate(d.into());
                self.emit(To::Length { d, l: l.into() });
            }
            Op::IfNonEmpty { l, when, t } => {
                let (empty, next) = (Label(if when { at as u32 + 1 } else { t.into() }), Label(at as u32 + 1));
                let (none, length, zero) = (self.bits(NONE), self.temporary(), self.bits(0));
                // `None` is not a list.
                self.branch(Test::Equal, l.into(), none, true, empty);
                self.emit(To::Length { d: length, l: l.into() });
                self.branch(Test::Equal, length, zero, true, empty);
                self.jump(if when { Label(t.into()) } else { next });
            }
            Op::Index { d, l, a, t } => self.index(d, l, a, Label(t.into())),
            Op::RemoveObject { l, a, t } => self.remove(at, (l.into(), a.into()), true, Label(t.into())),
            Op::RemoveEqual { l, a, t } => self.remove(at, (l.into(), a.into()), false, Label(t.into())),
            Op::Concat { d, l, m } => {
                let joined = self.copy_list(l.into());
                self.emit(To::Extend { l: joined, m: m.into() });
                let length = self.temporary();
                self.emit(To::Length { d: length, l: joined });
                self.emit(To::ConsumeFuelBy { a: length, cost: 1 });
                self.copy(d.into(), joined);
            }
            Op::Sort { d, l, keys, count, floats } => self.sort(d, l, keys, count, floats),
            _ => return self.lower_loop_start(at, op),
        }
        true
    }

    /// Returns a copy of a list.
    fn copy_list(&mut self, l: Register) -> Register {
        let d = self.temporary();
        self.emit(To::NewList { d });
        self.emit(To::Extend { l: d, m: l });
        d
    }

    pub(super) fn bit_op(&mut self, op: BitOp, a: Register, b: Register) -> Register {
        let d = self.temporary();
        self.emit(To::Bits { op, d, a, b });
        d
    }

    /// Returns the place of an index, which counts from the end of a list if it is negative.
    pub(super) fn place_from_start(&mut self, l: Register, a: Register) -> Register {
        if self.constants.get(&a).is_some_and(|place| place.cast_signed() >= 0) {
            return a;
        }
        let (length, zero, place) = (self.temporary(), self.bits(0), self.temporary());
        self.emit(To::Length { d: length, l });
        let from_end = self.bit_op(BitOp::Add, a, length);
        self.emit(To::Select { test: Test::Less, x: a, y: zero, d: place, a: from_end, b: a });
        place
    }

    fn index(&mut self, d: Reg, l: Reg, a: Reg, beyond: Label) {
        let place = self.place_from_start(l.into(), a.into());
        let d = self.invalidate(d.into());
        self.emit(To::Get { d, l: l.into(), a: place, t: beyond.0 });
    }

    fn remove(&mut self, at: usize, (l, a): (Register, Register), objects: bool, missing: Label) {
        const COST: u16 = 4;
        let (place, one, item) = (self.bits(0), self.bits(1), self.temporary());
        let (again, found, other) = (self.label(), self.label(), self.label());
        self.place_label(again);
        self.emit(To::Get { d: item, l, a: place, t: missing.0 });
        self.emit(To::ConsumeFuel { cost: COST });
        if objects {
            self.branch_on_object_equality(at, (item, a), found, other);
        } else {
            self.branch(Test::Equal, item, a, true, found);
        }
        self.place_label(other);
        self.emit(To::Bits { op: BitOp::Add, d: place, a: place, b: one });
        self.jump(again);
        self.place_label(found);
        let length = self.temporary();
        self.emit(To::Length { d: length, l });
        self.emit(To::Remove { l, a: place });
        let rest = self.bit_op(BitOp::Sub, length, place);
        let one = self.bits(1);
        let rest = self.bit_op(BitOp::Sub, rest, one);
        self.emit(To::ConsumeFuelBy { a: rest, cost: COST });
    }

    fn sort(&mut self, d: Reg, l: Reg, keys: Reg, count: u8, floats: bool) {
        let sorted = self.copy_list(l.into());
        // A list that is its own key must keep its order while it is sorted.
        let keys = if keys == l { self.copy_list(l.into()) } else { keys.into() };
        self.emit(To::Sort { l: sorted, keys, count, floats });
        let (length, cost) = (self.temporary(), self.temporary());
        self.emit(To::Length { d: length, l: sorted });
        self.emit(To::Call { d: cost, function: cost_of_sorting, a: length, b: length });
        self.emit(To::ConsumeFuelBy { a: cost, cost: 1 });
        self.copy(d.into(), sorted);
    }

    /// Lowers the start of a loop; returns whether `op` is one.
    fn lower_loop_start(&mut self, at: usize, op: Op) -> bool {
        match op {
            Op::Next { d, it, cost, t } => {
                self.next_item(d, it, cost, Label(t.into()));
            }
            Op::NextIndexed { d, i, it, cost, t } => {
                let place = self.next_item(d, it, cost, Label(t.into()));
                self.copy(i.into(), place);
            }
            Op::NextNumber { d, it, cost, t } => self.next_number(d, it, cost, Label(t.into())),
            Op::NextByClass { d, it, table, cost } => self.next_by_class(at, d, None, it, table, cost),
            Op::NextIndexedByClass { d, i, it, table, cost } => self.next_by_class(at, d, Some(i), it, table, cost),
            Op::Filter { l, it, d, k, t } => {
                self.filter(l.into(), it, d.into(), self.code.masks[k as usize]);
                self.jump(Label(t.into()));
            }
            _ => return false,
        }
        true
    }

    /// Loads the next element and returns the index of it.
    fn next_item(&mut self, d: Reg, it: Reg, cost: u16, end: Label) -> Register {
        let (iterator, place, one) = (Register::from(it.wrapping_add(1)), self.temporary(), self.bits(1));
        self.emit(To::ConsumeFuel { cost });
        self.copy(place, iterator);
        let iterator = self.invalidate(iterator);
        self.emit(To::Bits { op: BitOp::Add, d: iterator, a: place, b: one });
        let d = self.invalidate(d.into());
        self.emit(To::Get { d, l: it.into(), a: place, t: end.0 });
        place
    }

    fn next_number(&mut self, d: Reg, it: Reg, cost: u16, done: Label) {
        let (number, end, step) = (it.into(), it.wrapping_add(1).into(), it.wrapping_add(2).into());
        let (up, inside, zero, value) = (self.label(), self.label(), self.bits(0), self.temporary());
        self.emit(To::ConsumeFuel { cost });
        self.branch(Test::Less, zero, step, true, up);
        self.branch(Test::LessEqual, number, end, true, done);
        self.jump(inside);
        self.place_label(up);
        self.branch(Test::LessEqual, end, number, true, done);
        self.place_label(inside);
        self.copy(value, number);
        self.emit(To::Int { op: IntOp::Add, d: number, a: value, b: step });
        self.copy(d.into(), value);
    }

    /// Loads the next element whose class has a branch in the loop.
    fn next_by_class(&mut self, at: usize, d: Reg, i: Option<Reg>, it: Reg, table: u16, cost: u16) {
        let Some(table) = self.code.tables.get(table as usize) else {
            let leave = self.bailout();
            return self.jump(leave);
        };
        let passed = (0..64).filter(|&class: &usize| table.targets[class] as usize == at);
        let set = !passed.fold(0, |set, class| set | 1u64 << class);
        let place = Register::from(it.wrapping_add(1));
        let (start, end, found, one) = (self.temporary(), self.label(), self.label(), self.bits(1));
        self.copy(start, place);
        let d = self.invalidate(d.into());
        self.invalidate(place);
        self.emit(To::NextOfClass { d, l: it.into(), place, set, cost, t: end.0 });
        if let Some(i) = i {
            self.emit(To::Bits { op: BitOp::Sub, d: i.into(), a: place, b: one });
        }
        self.jump(found);
        self.place_label(end);
        let one = self.bits(1);
        if let Some(i) = i {
            let last = self.bit_op(BitOp::Sub, place, one);
            let i = Register::from(i);
            self.emit(To::Select { test: Test::Equal, x: place, y: start, d: i, a: i, b: last });
        }
        self.emit(To::Bits { op: BitOp::Add, d: place, a: place, b: one });
        self.jump(Label(table.exit_target.into()));
        // The branch follows.
        self.place_label(found);
    }

    /// Appends the iterator's remaining objects of certain classes to a list.
    fn filter(&mut self, l: Register, it: Reg, d: Register, set: u64) {
        const COST: u16 = 16;
        let (from, place) = (Register::from(it), Register::from(it.wrapping_add(1)));
        let (length, zero, looked_at, done) = (self.temporary(), self.bits(0), self.temporary(), self.label());
        self.emit(To::Length { d: length, l: from });
        self.emit(To::PushOfClass { l, m: from, place, set });
        let rest = self.bit_op(BitOp::Sub, length, place);
        self.emit(To::Select { test: Test::Less, x: place, y: length, d: looked_at, a: rest, b: zero });
        self.set(place, PAST_END);
        self.emit(To::ConsumeFuelBy { a: looked_at, cost: COST });
        self.branch(Test::Equal, looked_at, zero, true, done);
        let one = self.bits(1);
        let last = self.bit_op(BitOp::Sub, length, one);
        self.invalidate(d);
        self.emit(To::Get { d, l: from, a: last, t: done.0 });
        self.place_label(done);
    }
}
