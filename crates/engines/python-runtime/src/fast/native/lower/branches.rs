//! Lowering of selections and conditional jumps.

use goalspec_native::{BitOp, Op as To, Register, Test};

use super::{CompareOp, Label, Lowering, NONE, Number, NumberKind, Reg, Tag, UNBOUND};
use crate::fast::frame::PreparedFrame;
use crate::fast::op::{Op, Target};

/// The set of all classes.
pub(super) const ALL_CLASSES: u64 = u64::MAX;

impl Lowering<'_> {
    /// Lowers a selection or conditional jump; returns whether `op` is one.
    pub(super) fn lower_choice(&mut self, at: usize, op: Op) -> bool {
        match op {
            Op::MinMax { is_max, d, a, b } => {
                let (one, two) = (self.number_in_pair(a), self.number_in_pair(b));
                let order = if is_max { (one, two) } else { (two, one) };
                self.min_max(d, order, two, one);
            }
            Op::MinMaxFloatK { is_max, is_constant_first: first, d, a, k } => {
                let number = Number { value: a.into(), kind: NumberKind::Static(Tag::Float) };
                self.min_max_constant(is_max, first, d, number, k);
            }
            Op::MinMaxK { is_max, is_constant_first: first, d, a, k } => {
                let number = self.number_in_pair(a);
                self.min_max_constant(is_max, first, d, number, k);
            }
            Op::IfFloat { order, when, a, b, t } => {
                let test = match order {
                    CompareOp::Lt => Test::FloatLess,
                    CompareOp::Le => Test::FloatLessEqual,
                    CompareOp::Eq => Test::FloatEqual,
                };
                self.branch(test, a.into(), b.into(), when, Label(t.into()));
            }
            Op::IfAny { order, when, a, b, t } => {
                let (next, there) = (self.label(), Label(t.into()));
                let (yes, no) = if when { (there, next) } else { (next, there) };
                let (one, two) = (self.number_in_pair(a), self.number_in_pair(b));
                self.branch_on_order(order, one, two, yes, no);
                self.place_label(next);
            }
            _ => return self.compare(op) || self.compare_fields(op) || self.lower_test(at, op),
        }
        true
    }

    /// Lowers a selection of one of two numbers by their order.
    fn min_max(&mut self, d: Reg, (less, more): (Number, Number), first: Number, second: Number) {
        let (yes, no, done) = (self.label(), self.label(), self.label());
        self.branch_on_order(CompareOp::Lt, less, more, yes, no);
        for (label, number) in [(yes, first), (no, second)] {
            self.place_label(label);
            let (value, tag) = self.value_and_tag(number);
            // Both registers are read before either is written.
            let saved = [self.temporary(), self.temporary()];
            self.copy(saved[0], value);
            self.copy(saved[1], tag);
            self.copy(d.into(), saved[0]);
            self.copy(d.wrapping_add(1).into(), saved[1]);
            self.jump(done);
        }
        self.place_label(done);
    }

    fn min_max_constant(&mut self, is_max: bool, first: bool, d: Reg, number: Number, k: u16) {
        let (bits, tag) = (self.code.constants[k as usize], self.code.constants[k as usize + 1]);
        let kind = if tag == Tag::Float as u64 { Tag::Float } else { Tag::Int };
        let constant = Number { value: self.bits(bits), kind: NumberKind::Static(kind) };
        // The second number is taken only if it is better.
        let (kept, other) = if first { (constant, number) } else { (number, constant) };
        let order = if is_max { (kept, other) } else { (other, kept) };
        // The tag of the constant may denote another kind of integer, such as a truth value.
        let exactly = Number { value: constant.value, kind: NumberKind::Dynamic(self.bits(tag)) };
        let (kept, other) = if first { (exactly, number) } else { (number, exactly) };
        self.min_max(d, order, other, kept);
    }

    fn compare(&mut self, op: Op) -> bool {
        let to = |t: Target| Label(t.into());
        match op {
            Op::IfLess { a, b, t } => self.branch(Test::Less, a.into(), b.into(), true, to(t)),
            Op::IfLessEqual { a, b, t } => self.branch(Test::LessEqual, a.into(), b.into(), true, to(t)),
            Op::IfEqual { a, b, t } => self.branch(Test::Equal, a.into(), b.into(), true, to(t)),
            Op::IfUnequal { a, b, t } => self.branch(Test::Equal, a.into(), b.into(), false, to(t)),
            Op::IfLessK { a, k, t } => self.compare_int_constant(Test::Less, a.into(), k.into(), true, to(t)),
            Op::IfNotLessK { a, k, t } => self.compare_int_constant(Test::Less, a.into(), k.into(), false, to(t)),
            Op::IfEqualK { a, k, t } => self.compare_int_constant(Test::Equal, a.into(), k.into(), true, to(t)),
            Op::IfUnequalK { a, k, t } => self.compare_int_constant(Test::Equal, a.into(), k.into(), false, to(t)),
            Op::IfNone { a, t } => self.compare_bits(a.into(), NONE, true, to(t)),
            Op::IfSome { a, t } => self.compare_bits(a.into(), NONE, false, to(t)),
            Op::IfUnbound { a, t } => self.compare_bits(a.into(), UNBOUND, true, to(t)),
            Op::IfTag { a, tag, when, t } => self.compare_bits(a.wrapping_add(1).into(), tag as u64, when, to(t)),
            _ => return false,
        }
        true
    }

    fn compare_int_constant(&mut self, test: Test, a: Register, number: i64, when: bool, to: Label) {
        let b = self.int_bits(number);
        self.branch(test, a, b, when, to);
    }

    fn compare_bits(&mut self, a: Register, bits: u64, when: bool, to: Label) {
        let b = self.bits(bits);
        self.branch(Test::Equal, a, b, when, to);
    }

    fn compare_fields(&mut self, op: Op) -> bool {
        let to = |t: Target| Label(t.into());
        match op {
            Op::IfFieldLess { o, f, b, t } => self.compare_field_register(Test::Less, (o, f), b, true, to(t)),
            Op::IfFieldLessEqual { o, f, b, t } => self.compare_field_register(Test::LessEqual, (o, f), b, true, to(t)),
            Op::IfFieldEqual { o, f, b, t } => self.compare_field_register(Test::Equal, (o, f), b, true, to(t)),
            Op::IfFieldUnequal { o, f, b, t } => self.compare_field_register(Test::Equal, (o, f), b, false, to(t)),
            Op::IfLessField { a, o, f, t } => self.compare_register_field(Test::Less, a, (o, f), to(t)),
            Op::IfLessEqualField { a, o, f, t } => self.compare_register_field(Test::LessEqual, a, (o, f), to(t)),
            Op::IfFieldsLess { o, f, p, g, t } => self.compare_two_fields(Test::Less, (o, f), (p, g), true, to(t)),
            Op::IfFieldsLessEqual { o, f, p, g, t } => {
                self.compare_two_fields(Test::LessEqual, (o, f), (p, g), true, to(t));
            }
            Op::IfFieldsEqual { o, f, p, g, t } => self.compare_two_fields(Test::Equal, (o, f), (p, g), true, to(t)),
            Op::IfFieldsUnequal { o, f, p, g, t } => self.compare_two_fields(Test::Equal, (o, f), (p, g), false, to(t)),
            Op::IfFieldLessK { o, f, k, t } => self.compare_field_constant(Test::Less, (o, f), k, true, to(t)),
            Op::IfFieldNotLessK { o, f, k, t } => self.compare_field_constant(Test::Less, (o, f), k, false, to(t)),
            Op::IfFieldEqualK { o, f, k, t } => self.compare_field_constant(Test::Equal, (o, f), k, true, to(t)),
            Op::IfFieldUnequalK { o, f, k, t } => self.compare_field_constant(Test::Equal, (o, f), k, false, to(t)),
            _ => return false,
        }
        true
    }

    fn compare_field_register(&mut self, test: Test, (o, f): (Reg, u8), b: Reg, when: bool, to: Label) {
        let a = self.field(o, f);
        self.branch(test, a, b.into(), when, to);
    }

    fn compare_register_field(&mut self, test: Test, a: Reg, (o, f): (Reg, u8), to: Label) {
        let b = self.field(o, f);
        self.branch(test, a.into(), b, true, to);
    }

    fn compare_two_fields(&mut self, test: Test, (o, f): (Reg, u8), (p, g): (Reg, u8), when: bool, to: Label) {
        let (a, b) = (self.field(o, f), self.field(p, g));
        self.branch(test, a, b, when, to);
    }

    fn compare_field_constant(&mut self, test: Test, (o, f): (Reg, u8), k: i16, when: bool, to: Label) {
        let a = self.field(o, f);
        self.compare_int_constant(test, a, k.into(), when, to);
    }

    /// Lowers a test of objects, lists or truth.
    fn lower_test(&mut self, at: usize, op: Op) -> bool {
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
                    let (extent, end) = (self.field(p, size), self.temporary());
                    self.emit(To::Bits { op: BitOp::Add, d: end, a: start, b: extent });
                    self.branch(Test::LessEqual, own, end, false, out);
                }
                if when {
                    self.jump(to(t));
                }
            }
            Op::IfEqualObjects { o, p, when, t } => {
                let (yes, no) = if when { (to(t), next) } else { (next, to(t)) };
                self.branch_on_object_equality(at, (o.into(), p.into()), yes, no);
            }
            Op::IfVisible { o, when, t } => {
                // `NoObject` is not truthy.
                let otherwise = if when { next } else { to(t) };
                self.emit(To::JumpIfClass { o: o.into(), set: ALL_CLASSES, when: false, t: otherwise.0 });
                let (flag, zero) = (self.flag(o, PreparedFrame::VISIBLE), self.bits(0));
                self.branch(Test::Equal, flag, zero, !when, to(t));
            }
            Op::IfTruthyFloat { a, when, t } => {
                let zero = self.float_bits(0.0);
                self.branch(Test::FloatEqual, a.into(), zero, !when, to(t));
            }
            Op::IfTruthyText { a, when, t } => {
                let (yes, no) = if when { (to(t), next) } else { (next, to(t)) };
                self.compare_bits(a.into(), NONE, true, no);
                self.compare_bits(a.into(), self.code.empty_text, true, no);
                self.jump(yes);
            }
            Op::IfTruthyAny { a, when, t } => {
                let (yes, no) = if when { (to(t), next) } else { (next, to(t)) };
                self.truth(a, yes, no);
            }
            _ => return false,
        }
        true
    }

    fn truth(&mut self, value: Reg, yes: Label, no: Label) {
        let (a, tag) = (Register::from(value), Register::from(value.wrapping_add(1)));
        let (float, text, object, leave) = (self.label(), self.label(), self.label(), self.bailout());
        let whole = self.label();
        self.compare_bits(tag, Tag::None as u64, true, no);
        self.compare_bits(tag, Tag::Float as u64, true, float);
        self.compare_bits(tag, Tag::Text as u64, true, text);
        self.compare_bits(tag, Tag::Object as u64, true, object);
        self.compare_bits(tag, Tag::Int as u64, true, whole);
        self.compare_bits(tag, Tag::Bool as u64, false, leave);
        self.place_label(whole);
        self.compare_bits(a, 0, true, no);
        self.jump(yes);
        self.place_label(float);
        let zero = self.float_bits(0.0);
        self.branch(Test::FloatEqual, a, zero, true, no);
        self.jump(yes);
        self.place_label(text);
        self.compare_bits(a, self.code.empty_text, true, no);
        self.jump(yes);
        self.place_label(object);
        let (flag, zero) = (self.flag(value, PreparedFrame::VISIBLE), self.bits(0));
        self.branch(Test::Equal, flag, zero, true, no);
        self.jump(yes);
    }

    /// Jumps to one of two labels depending on the equality of two objects, for the register instruction at an index.
    pub(super) fn branch_on_object_equality(&mut self, at: usize, (o, p): (Register, Register), yes: Label, no: Label) {
        let complex = self.label();
        self.branch(Test::Equal, o, p, true, yes);
        // The markers of missing objects are negative as integers.
        let zero = self.bits(0);
        self.branch(Test::Less, o, zero, true, no);
        self.branch(Test::Less, p, zero, true, no);
        for object in [o, p] {
            self.emit(To::JumpIfClass { o: object, set: !self.complex_equality_classes, when: false, t: complex.0 });
        }
        self.emit(To::JumpIfClass { o, set: self.always_equal_classes, when: false, t: no.0 });
        self.emit(To::JumpIfClass { o: p, set: self.always_equal_classes, when: false, t: no.0 });
        self.jump(yes);
        self.place_label(complex);
        let (equal, zero) = (self.call_host(at, &[o, p]), self.bits(0));
        self.branch(Test::Equal, equal, zero, true, no);
        self.jump(yes);
    }
}
