//! Lowering of selections and conditional jumps.

use goalspec_native::{BitOp, Op as To, Register, Test};

use super::{Kind, Label, Lower, NONE, Number, Order, R, Tag, UNBOUND};
use crate::fast::frame::Frame;
use crate::fast::op::{Op, Target};

/// The set of all classes.
pub(super) const ALL: u64 = u64::MAX;

impl Lower<'_> {
    /// Lowers a selection or conditional jump; returns whether `op` is one.
    pub(super) fn choice(&mut self, at: usize, op: Op) -> bool {
        match op {
            Op::Pick { greatest, d, a, b } => {
                let (one, two) = (self.pair(a), self.pair(b));
                let order = if greatest { (one, two) } else { (two, one) };
                self.pick(d, order, two, one);
            }
            Op::PickFloatK { greatest, first, d, a, k } => {
                let number = Number { value: a.into(), kind: Kind::Known(Tag::Float) };
                self.pick_constant(greatest, first, d, number, k);
            }
            Op::PickK { greatest, first, d, a, k } => {
                let number = self.pair(a);
                self.pick_constant(greatest, first, d, number, k);
            }
            Op::IfFloat { order, when, a, b, t } => {
                let test = match order {
                    Order::Lt => Test::FloatLess,
                    Order::Le => Test::FloatLessEqual,
                    Order::Eq => Test::FloatEqual,
                };
                self.branch(test, a.into(), b.into(), when, Label(t.into()));
            }
            Op::IfAny { order, when, a, b, t } => {
                let (next, there) = (self.label(), Label(t.into()));
                let (yes, no) = if when { (there, next) } else { (next, there) };
                let (one, two) = (self.pair(a), self.pair(b));
                self.decide(order, one, two, yes, no);
                self.land(next);
            }
            _ => return self.compare(op) || self.compare_fields(op) || self.ask(at, op),
        }
        true
    }

    /// Lowers a selection of one of two numbers by their order.
    fn pick(&mut self, d: R, (less, more): (Number, Number), first: Number, second: Number) {
        let (yes, no, done) = (self.label(), self.label(), self.label());
        self.decide(Order::Lt, less, more, yes, no);
        for (label, number) in [(yes, first), (no, second)] {
            self.land(label);
            let (value, tag) = self.parts(number);
            // Both registers are read before either is written.
            let kept = [self.room(), self.room()];
            self.copy(kept[0], value);
            self.copy(kept[1], tag);
            self.copy(d.into(), kept[0]);
            self.copy(d.wrapping_add(1).into(), kept[1]);
            self.jump(done);
        }
        self.land(done);
    }

    fn pick_constant(&mut self, greatest: bool, first: bool, d: R, number: Number, k: u16) {
        let (bits, tag) = (self.code.constants[k as usize], self.code.constants[k as usize + 1]);
        let kind = if tag == Tag::Float as u64 { Tag::Float } else { Tag::Int };
        let constant = Number { value: self.bits(bits), kind: Kind::Known(kind) };
        // The second number is taken only if it is better.
        let (kept, other) = if first { (constant, number) } else { (number, constant) };
        let order = if greatest { (kept, other) } else { (other, kept) };
        // The tag of the constant may denote another kind of integer, such as a truth value.
        let exactly = Number { value: constant.value, kind: Kind::In(self.bits(tag)) };
        let (kept, other) = if first { (exactly, number) } else { (number, exactly) };
        self.pick(d, order, other, kept);
    }

    fn compare(&mut self, op: Op) -> bool {
        let to = |t: Target| Label(t.into());
        match op {
            Op::IfLess { a, b, t } => self.branch(Test::Less, a.into(), b.into(), true, to(t)),
            Op::IfLessEqual { a, b, t } => self.branch(Test::LessEqual, a.into(), b.into(), true, to(t)),
            Op::IfEqual { a, b, t } => self.branch(Test::Equal, a.into(), b.into(), true, to(t)),
            Op::IfUnequal { a, b, t } => self.branch(Test::Equal, a.into(), b.into(), false, to(t)),
            Op::IfLessK { a, k, t } => self.with_number(Test::Less, a.into(), k.into(), true, to(t)),
            Op::IfNotLessK { a, k, t } => self.with_number(Test::Less, a.into(), k.into(), false, to(t)),
            Op::IfEqualK { a, k, t } => self.with_number(Test::Equal, a.into(), k.into(), true, to(t)),
            Op::IfUnequalK { a, k, t } => self.with_number(Test::Equal, a.into(), k.into(), false, to(t)),
            Op::IfNone { a, t } => self.with_bits(a.into(), NONE, true, to(t)),
            Op::IfSome { a, t } => self.with_bits(a.into(), NONE, false, to(t)),
            Op::IfUnbound { a, t } => self.with_bits(a.into(), UNBOUND, true, to(t)),
            Op::IfTag { a, tag, when, t } => self.with_bits(a.wrapping_add(1).into(), tag as u64, when, to(t)),
            _ => return false,
        }
        true
    }

    fn with_number(&mut self, test: Test, a: Register, number: i64, when: bool, to: Label) {
        let b = self.int_bits(number);
        self.branch(test, a, b, when, to);
    }

    fn with_bits(&mut self, a: Register, bits: u64, when: bool, to: Label) {
        let b = self.bits(bits);
        self.branch(Test::Equal, a, b, when, to);
    }

    fn compare_fields(&mut self, op: Op) -> bool {
        let to = |t: Target| Label(t.into());
        match op {
            Op::IfFieldLess { o, f, b, t } => self.field_and(Test::Less, (o, f), b, true, to(t)),
            Op::IfFieldLessEqual { o, f, b, t } => self.field_and(Test::LessEqual, (o, f), b, true, to(t)),
            Op::IfFieldEqual { o, f, b, t } => self.field_and(Test::Equal, (o, f), b, true, to(t)),
            Op::IfFieldUnequal { o, f, b, t } => self.field_and(Test::Equal, (o, f), b, false, to(t)),
            Op::IfLessField { a, o, f, t } => self.and_field(Test::Less, a, (o, f), to(t)),
            Op::IfLessEqualField { a, o, f, t } => self.and_field(Test::LessEqual, a, (o, f), to(t)),
            Op::IfFieldsLess { o, f, p, g, t } => self.two_fields(Test::Less, (o, f), (p, g), true, to(t)),
            Op::IfFieldsLessEqual { o, f, p, g, t } => self.two_fields(Test::LessEqual, (o, f), (p, g), true, to(t)),
            Op::IfFieldsEqual { o, f, p, g, t } => self.two_fields(Test::Equal, (o, f), (p, g), true, to(t)),
            Op::IfFieldsUnequal { o, f, p, g, t } => self.two_fields(Test::Equal, (o, f), (p, g), false, to(t)),
            Op::IfFieldLessK { o, f, k, t } => self.field_and_number(Test::Less, (o, f), k, true, to(t)),
            Op::IfFieldNotLessK { o, f, k, t } => self.field_and_number(Test::Less, (o, f), k, false, to(t)),
            Op::IfFieldEqualK { o, f, k, t } => self.field_and_number(Test::Equal, (o, f), k, true, to(t)),
            Op::IfFieldUnequalK { o, f, k, t } => self.field_and_number(Test::Equal, (o, f), k, false, to(t)),
            _ => return false,
        }
        true
    }

    fn field_and(&mut self, test: Test, (o, f): (R, u8), b: R, when: bool, to: Label) {
        let a = self.field(o, f);
        self.branch(test, a, b.into(), when, to);
    }

    fn and_field(&mut self, test: Test, a: R, (o, f): (R, u8), to: Label) {
        let b = self.field(o, f);
        self.branch(test, a.into(), b, true, to);
    }

    fn two_fields(&mut self, test: Test, (o, f): (R, u8), (p, g): (R, u8), when: bool, to: Label) {
        let (a, b) = (self.field(o, f), self.field(p, g));
        self.branch(test, a, b, when, to);
    }

    fn field_and_number(&mut self, test: Test, (o, f): (R, u8), k: i16, when: bool, to: Label) {
        let a = self.field(o, f);
        self.with_number(test, a, k.into(), when, to);
    }

    /// Lowers a test of objects, lists or truth.
    fn ask(&mut self, at: usize, op: Op) -> bool {
        let to = |t: Target| Label(t.into());
        let next = Label(at as u32 + 1);
        match op {
            Op::IfClass { o, k, t } => {
                self.emit(To::JumpIfClass { o: o.into(), set: self.code.masks[k as usize], when: true, t: t.into() });
            }
            Op::IfNotClass { o, k, t } => {
                self.emit(To::JumpIfClass { o: o.into(), set: self.code.masks[k as usize], when: false, t: t.into() });
            }
            Op::IfOnTop { o, p, when, t } => {
                let out = if when { next } else { to(t) };
                for (place, size) in [(0, 2), (1, 3)] {
                    let (own, start) = (self.field(o, place), self.field(p, place));
                    self.branch(Test::LessEqual, start, own, false, out);
                    let (extent, end) = (self.field(p, size), self.room());
                    self.emit(To::Bits { op: BitOp::Add, d: end, a: start, b: extent });
                    self.branch(Test::LessEqual, own, end, false, out);
                }
                if when {
                    self.jump(to(t));
                }
            }
            Op::IfSame { o, p, when, t } => {
                let (yes, no) = if when { (to(t), next) } else { (next, to(t)) };
                self.same(o.into(), p.into(), yes, no);
            }
            Op::IfVisible { o, when, t } => {
                // `NoObject` is not truthy.
                let otherwise = if when { next } else { to(t) };
                self.emit(To::JumpIfClass { o: o.into(), set: ALL, when: false, t: otherwise.0 });
                let (flag, zero) = (self.flag(o, Frame::VISIBLE), self.bits(0));
                self.branch(Test::Equal, flag, zero, !when, to(t));
            }
            Op::IfTrueFloat { a, when, t } => {
                let zero = self.float_bits(0.0);
                self.branch(Test::FloatEqual, a.into(), zero, !when, to(t));
            }
            Op::IfTrueText { a, when, t } => {
                let (yes, no) = if when { (to(t), next) } else { (next, to(t)) };
                self.with_bits(a.into(), NONE, true, no);
                self.with_bits(a.into(), self.code.empty, true, no);
                self.jump(yes);
            }
            Op::IfTrueAny { a, when, t } => {
                let (yes, no) = if when { (to(t), next) } else { (next, to(t)) };
                self.truth(a.into(), a.wrapping_add(1).into(), yes, no);
            }
            _ => return false,
        }
        true
    }

    fn truth(&mut self, a: Register, tag: Register, yes: Label, no: Label) {
        let (float, text, leave) = (self.label(), self.label(), self.leave());
        let whole = self.label();
        self.with_bits(tag, Tag::None as u64, true, no);
        self.with_bits(tag, Tag::Float as u64, true, float);
        self.with_bits(tag, Tag::Text as u64, true, text);
        self.with_bits(tag, Tag::Int as u64, true, whole);
        self.with_bits(tag, Tag::Bool as u64, false, leave);
        self.land(whole);
        self.with_bits(a, 0, true, no);
        self.jump(yes);
        self.land(float);
        let zero = self.float_bits(0.0);
        self.branch(Test::FloatEqual, a, zero, true, no);
        self.jump(yes);
        self.land(text);
        self.with_bits(a, self.code.empty, true, no);
        self.jump(yes);
    }

    /// Jumps to one of two labels depending on the equality of two objects.
    pub(super) fn same(&mut self, o: Register, p: Register, yes: Label, no: Label) {
        let leave = self.leave();
        self.branch(Test::Equal, o, p, true, yes);
        // The markers of missing objects are negative as integers.
        let zero = self.bits(0);
        self.branch(Test::Less, o, zero, true, no);
        self.branch(Test::Less, p, zero, true, no);
        for object in [o, p] {
            self.emit(To::JumpIfClass { o: object, set: !self.others, when: false, t: leave.0 });
        }
        self.emit(To::JumpIfClass { o, set: self.always, when: false, t: no.0 });
        self.emit(To::JumpIfClass { o: p, set: self.always, when: false, t: no.0 });
        self.jump(yes);
    }
}
