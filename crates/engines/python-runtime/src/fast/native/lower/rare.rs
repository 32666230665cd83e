//! Lowering of records and of operations that the host runs.

use goalspec_native::{Arguments, BitOp, MAX_LENGTH, Op as To, Register, Test};

use super::{Label, Lowering, Reg};
use crate::fast::native::host::NOT_FOUND;
use crate::fast::op::{BitOperator, Op};

impl Lowering<'_> {
    /// Lowers a rare instruction; returns whether machine code supports it.
    pub(super) fn lower_rare(&mut self, at: usize, op: Op) -> bool {
        match op {
            Op::NewRecord { d, count } if usize::from(count) <= MAX_LENGTH => {
                let d = self.invalidate(d.into());
                self.emit(To::NewZeros { d, count: count as u8 });
            }
            Op::GetSlot { d, l, k } => self.load_slot(d, l.into(), k),
            Op::GetState { d, list, k } => {
                let list = self.bits(list.into());
                self.load_slot(d, list, k);
            }
            Op::SetSlot { l, a, k } => self.store_slot(l.into(), a, k),
            Op::SetState { a, list, k } => {
                let list = self.bits(list.into());
                self.store_slot(list, a, k);
            }
            Op::SetIndex { l, a, b, t } => {
                let place = self.place_from_start(l.into(), a.into());
                self.emit(To::Set { l: l.into(), a: place, b: b.into(), t: t.into() });
            }
            Op::Pop { d, l, a, width, t } => self.pop(at, d, l.into(), (a, width), Label(t.into())),
            Op::Find { d, l, a, k, t } => return self.find(at, d, l, (a, k), Label(t.into())),
            Op::Bits { operator: BitOperator::And, d, a, b } => self.combine_bits(BitOp::And, d, a, b),
            Op::Bits { operator: BitOperator::Or, d, a, b } => self.combine_bits(BitOp::Or, d, a, b),
            Op::Bits { operator: BitOperator::Xor, d, a, b } => self.combine_bits(BitOp::Xor, d, a, b),
            Op::Bits { d, a, b, .. }
            | Op::PowInt { d, a, b }
            | Op::PowF { d, a, b }
            | Op::Function { d, a, b, .. }
            | Op::TextContains { d, a, b } => self.call_rare(at, d, &[a.into(), b.into()]),
            Op::Rare { d, o, .. } | Op::ClassName { d, o } => self.call_rare(at, d, &[o.into()]),
            Op::TextTable { d, a, .. } => self.call_rare(at, d, &[a.into()]),
            Op::Statistic { d, l, .. } => self.call_for_pair(at, d, &[l.into()]),
            Op::Overlap { d, o, p } => self.call_for_pair(at, d, &[o.into(), p.into()]),
            Op::Bisect { d, l, a, .. } => self.call_rare(at, d, &[l.into(), a.into()]),
            Op::ExtendSlice { l, m, a } => {
                self.call_host(at, &[l.into(), m.into(), a.into(), a.wrapping_add(1).into()]);
            }
            Op::RemoveSlice { l, a } => {
                self.call_host(at, &[l.into(), a.into(), a.wrapping_add(1).into()]);
            }
            Op::Insert { l, a, b, width } => {
                let mut arguments: Vec<Register> = vec![l.into(), a.into()];
                arguments.extend((0..width).map(|place| Register::from(b.wrapping_add(place))));
                self.call_host(at, &arguments);
            }
            Op::Heap { l, .. } | Op::Clear { l } | Op::KeepLast { l, .. } | Op::Reverse { l, .. } => {
                self.call_host(at, &[l.into()]);
            }
            _ => return false,
        }
        true
    }

    fn load_slot(&mut self, d: Reg, l: Register, slot: u16) {
        let (place, missing) = (self.bits(slot.into()), self.bailout());
        let d = self.invalidate(d.into());
        self.emit(To::Get { d, l, a: place, t: missing.0 });
    }

    fn store_slot(&mut self, l: Register, a: Reg, slot: u16) {
        let (place, missing) = (self.bits(slot.into()), self.bailout());
        self.emit(To::Set { l, a: place, b: a.into(), t: missing.0 });
    }

    fn combine_bits(&mut self, op: BitOp, d: Reg, a: Reg, b: Reg) {
        let d = self.invalidate(d.into());
        self.emit(To::Bits { op, d, a: a.into(), b: b.into() });
    }

    /// Calls the host for the register instruction at an index, and returns the first of two consecutive registers with its values. A call
    /// with too many arguments leaves machine code.
    pub(super) fn call_host(&mut self, at: usize, arguments: &[Register]) -> Register {
        let (d, e) = (self.temporary(), self.temporary());
        if let Some(arguments) = Arguments::new(arguments) {
            self.emit(To::CallHost { d, e, function: at as u32, arguments });
        } else {
            let leave = self.bailout();
            self.jump(leave);
        }
        d
    }

    /// Stores the value of a call of the host.
    fn call_rare(&mut self, at: usize, d: Reg, arguments: &[Register]) {
        let value = self.call_host(at, arguments);
        self.copy(d.into(), value);
    }

    /// Stores the number and the tag of a call of the host.
    fn call_for_pair(&mut self, at: usize, d: Reg, arguments: &[Register]) {
        let value = self.call_host(at, arguments);
        self.copy(d.into(), value);
        self.copy(d.wrapping_add(1).into(), value + 1);
    }

    /// Loads the words of an element and removes them.
    fn pop(&mut self, at: usize, d: Reg, l: Register, (a, width): (Reg, u8), missing: Label) {
        let start = self.place_from_start(l, a.into());
        let words: Vec<Register> = (0..width).map(|_| self.temporary()).collect();
        for (offset, &word) in (0..).zip(&words) {
            let offset = self.bits(offset);
            let place = self.bit_op(BitOp::Add, start, offset);
            self.emit(To::Get { d: word, l, a: place, t: missing.0 });
        }
        self.call_host(at, &[l, start]);
        for (place, word) in (0..).zip(words) {
            self.copy(d.wrapping_add(place).into(), word);
        }
    }

    /// Finds the entry of a key, or jumps.
    fn find(&mut self, at: usize, d: Reg, l: Reg, (a, k): (Reg, u8), missing: Label) -> bool {
        let Some(shape) = self.code.key_shapes.get(usize::from(k)) else { return false };
        let width: usize = shape.words.iter().map(|word| word.width()).sum();
        let mut arguments: Vec<Register> = vec![l.into()];
        arguments.extend((0..width as u8).map(|place| Register::from(a.wrapping_add(place))));
        let place = self.call_host(at, &arguments);
        let nowhere = self.bits(NOT_FOUND);
        self.branch(Test::Equal, place, nowhere, true, missing);
        self.copy(d.into(), place);
        true
    }
}
