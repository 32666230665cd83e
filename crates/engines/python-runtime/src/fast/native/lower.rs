//! Lowering of register instructions to instructions of the machine-code compiler.
//!
//! The lowered code has the same effects and uses the same fuel. Rare operations leave machine code; the register machine then runs the
//! call again.

mod branches;
mod lists;
mod rare;
mod values;

use goalspec_native::{JumpTarget, Op as To, Register, Test};
use rustc_hash::FxHashMap;

use super::super::frame::PreparedFrame;
use super::super::op::{CompareOp, NONE, Op, Reg, Tag, UNBOUND};
use super::super::run::{FallbackReason, RegisterCode};
use super::exit_kind;
use crate::scene::ScreenEquality;

/// The first register beyond those of register instructions.
const FIRST_TEMPORARY: Register = 257;

/// A jump target, by a number that is resolved later.
#[derive(Debug, Clone, Copy)]
struct Label(JumpTarget);

pub(super) struct Lowering<'c> {
    code: &'c RegisterCode,
    ops: Vec<To>,
    /// The positions of the labels; those of the register instructions come first.
    labels: Vec<Option<JumpTarget>>,
    /// The known contents of registers since the last jump target.
    constants: FxHashMap<Register, u64>,
    next_temporary: Register,
    /// The exits that hand a call over.
    fallback_labels: Vec<(FallbackReason, Label)>,
    bailout_label: Option<Label>,
    /// The bit set of classes whose objects are all equal to each other.
    always_equal_classes: u64,
    /// The bit set of classes whose equality depends on more than the class.
    complex_equality_classes: u64,
}

/// Lowers a function.
pub(super) fn lower(code: &RegisterCode) -> Vec<To> {
    let classes = |test: fn(&ScreenEquality) -> bool| {
        let classes = code.equality.iter().enumerate().filter(|(_, equality)| test(equality));
        classes.fold(0, |set, (class, _)| set | 1u64 << (class & 63))
    };
    let mut lower = Lowering {
        code,
        ops: Vec::new(),
        labels: vec![None; code.ops.len()],
        constants: FxHashMap::default(),
        next_temporary: FIRST_TEMPORARY,
        fallback_labels: Vec::new(),
        bailout_label: None,
        always_equal_classes: classes(|equality| *equality == ScreenEquality::Always),
        complex_equality_classes: classes(|equality| {
            matches!(equality, ScreenEquality::SimilarRow { .. } | ScreenEquality::SamePosition { .. })
        }),
    };
    lower.lower_all();
    lower.ops
}

/// A number whose kind may be known only at run time.
#[derive(Debug, Clone, Copy)]
struct Number {
    value: Register,
    kind: NumberKind,
}

#[derive(Debug, Clone, Copy)]
enum NumberKind {
    Static(Tag),
    /// The register that holds the tag of the kind.
    Dynamic(Register),
}

impl Lowering<'_> {
    fn lower_all(&mut self) {
        let code = self.code;
        let mut targets = vec![false; code.ops.len()];
        for mut op in code.ops.iter().copied() {
            if let Some(target) = op.target() {
                targets[*target as usize] = true;
            }
        }
        for table in &code.tables {
            targets[table.exit_target as usize] = true;
        }
        for (at, op) in code.ops.iter().enumerate() {
            self.labels[at] = Some(self.ops.len() as JumpTarget);
            if targets[at] {
                self.constants.clear();
            }
            self.next_temporary = FIRST_TEMPORARY;
            self.lower_op(at, *op);
        }
        for (reason, label) in std::mem::take(&mut self.fallback_labels) {
            self.place_label(label);
            let code = exit_kind::HAND_OVER | u32::from(reason as u16) << 4;
            self.ops.push(To::End { code, values: [0; 3] });
        }
        if let Some(leave) = self.bailout_label {
            self.place_label(leave);
            self.ops.push(To::Bailout);
        }
        for op in &mut self.ops {
            if let Some(target) = op.jump_target_mut() {
                *target = self.labels[*target as usize].unwrap_or(JumpTarget::MAX);
            }
        }
    }

    // Helpers.

    fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as JumpTarget - 1)
    }

    fn place_label(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.ops.len() as JumpTarget);
        self.constants.clear();
    }

    /// Returns a temporary register.
    fn temporary(&mut self) -> Register {
        let d = self.next_temporary;
        self.next_temporary += 1;
        self.invalidate(d)
    }

    fn emit(&mut self, op: To) {
        self.ops.push(op);
    }

    fn set(&mut self, d: Register, bits: u64) {
        self.constants.insert(d, bits);
        self.emit(To::Const { d, bits });
    }

    fn copy(&mut self, d: Register, a: Register) {
        match self.constants.get(&a).copied() {
            Some(bits) => self.constants.insert(d, bits),
            None => self.constants.remove(&d),
        };
        self.emit(To::Copy { d, a });
    }

    /// Returns a register with these bits.
    fn bits(&mut self, bits: u64) -> Register {
        let d = self.temporary();
        self.set(d, bits);
        d
    }

    fn int_bits(&mut self, number: i64) -> Register {
        self.bits(number.cast_unsigned())
    }

    fn float_bits(&mut self, number: f64) -> Register {
        self.bits(number.to_bits())
    }

    fn jump(&mut self, label: Label) {
        self.emit(To::Jump { t: label.0 });
    }

    fn branch(&mut self, test: Test, a: Register, b: Register, when: bool, to: Label) {
        self.emit(To::JumpIf { test, when, a, b, t: to.0 });
    }

    /// Returns the exit that hands a call over for a reason.
    fn fallback(&mut self, reason: FallbackReason) -> Label {
        if let Some((_, label)) = self.fallback_labels.iter().find(|(other, _)| *other == reason) {
            return *label;
        }
        let label = self.label();
        self.fallback_labels.push((reason, label));
        label
    }

    /// Returns the exit after which the register machine runs the call again.
    fn bailout(&mut self) -> Label {
        if let Some(label) = self.bailout_label {
            return label;
        }
        let label = self.label();
        self.bailout_label = Some(label);
        label
    }

    fn field(&mut self, o: Reg, field: u8) -> Register {
        let d = self.temporary();
        self.emit(To::Field { d, o: o.into(), field });
        d
    }

    /// Marks a register as modified to unknown contents.
    fn invalidate(&mut self, d: Register) -> Register {
        self.constants.remove(&d);
        d
    }

    fn lower_op(&mut self, at: usize, op: Op) {
        match op {
            Op::Jump { t } => self.jump(Label(t.into())),
            Op::ConstJump { d, k, t } => {
                self.set(d.into(), self.code.constants[k as usize]);
                self.jump(Label(t.into()));
            }
            Op::MoveJump { d, a, t } => {
                self.copy(d.into(), a.into());
                self.jump(Label(t.into()));
            }
            Op::Loop { t, cost } => {
                self.emit(To::ConsumeFuel { cost });
                self.jump(Label(t.into()));
            }
            Op::ReturnInt { a } => self.emit_exit(exit_kind::INT, a),
            Op::ReturnFloat { a } => self.emit_exit(exit_kind::FLOAT, a),
            Op::ReturnBool { a } => self.emit_exit(exit_kind::BOOL, a),
            Op::ReturnAny { a } => self.emit_exit_any(a),
            Op::ReturnNone => self.emit_exit(exit_kind::NONE, 0),
            Op::ReturnComponents { a, l, k } => {
                let values = [a.into(), a.wrapping_add(1).into(), l.into()];
                self.emit(To::End { code: exit_kind::COMPONENTS | u32::from(k) << 4, values });
            }
            Op::Raise { error } => self.emit_exit(exit_kind::RAISE | u32::from(error) << 4, 0),
            Op::Fallback { reason } => self.emit_exit(exit_kind::HAND_OVER | u32::from(reason) << 4, 0),
            _ => {
                if !(self.lower_value(op)
                    || self.lower_choice(at, op)
                    || self.lower_list_op(at, op)
                    || self.lower_rare(at, op))
                {
                    let leave = self.bailout();
                    self.jump(leave);
                }
            }
        }
    }

    fn emit_exit(&mut self, code: u32, a: Reg) {
        self.emit(To::End { code, values: [a.into(); 3] });
    }

    fn emit_exit_any(&mut self, a: Reg) {
        let tag = a.wrapping_add(1).into();
        for (kind, code) in [
            (Tag::Float, exit_kind::FLOAT),
            (Tag::Int, exit_kind::INT),
            (Tag::Bool, exit_kind::BOOL),
            (Tag::None, exit_kind::NONE),
        ] {
            let (kind, next) = (self.bits(kind as u64), self.label());
            self.branch(Test::Equal, tag, kind, false, next);
            self.emit_exit(code, a);
            self.place_label(next);
        }
        let leave = self.bailout();
        self.jump(leave);
    }

    /// Returns the number in a pair of registers.
    fn number_in_pair(&self, a: Reg) -> Number {
        let tag = Register::from(a.wrapping_add(1));
        let known = self.constants.get(&tag).and_then(|&tag| Tag::ALL.get(tag as usize).copied());
        Number { value: a.into(), kind: known.map_or(NumberKind::Dynamic(tag), NumberKind::Static) }
    }

    /// Returns the registers of a number's value and tag.
    fn value_and_tag(&mut self, number: Number) -> (Register, Register) {
        let tag = match number.kind {
            NumberKind::Static(tag) => self.bits(tag as u64),
            NumberKind::Dynamic(register) => register,
        };
        (number.value, tag)
    }

    /// Converts an integer to a float if that is exact; leaves machine code otherwise.
    fn exact_float(&mut self, a: Register) -> Register {
        use super::super::op::MAX_EXACT_INT;
        let too_large = self.fallback(FallbackReason::Overflow);
        let (min, max) = (self.int_bits(-MAX_EXACT_INT), self.int_bits(MAX_EXACT_INT));
        self.branch(Test::Less, a, min, true, too_large);
        self.branch(Test::Less, max, a, true, too_large);
        let d = self.temporary();
        self.emit(To::Unary { op: goalspec_native::UnaryOp::ToFloat, d, a });
        d
    }

    /// Jumps to `then` if a number is a float; continues if it is an integer.
    fn branch_if_float(&mut self, number: Number, then: Label) -> bool {
        match number.kind {
            NumberKind::Static(Tag::Float) => {
                self.jump(then);
                false
            }
            NumberKind::Static(Tag::Int | Tag::Bool) => true,
            NumberKind::Static(_) => {
                let leave = self.bailout();
                self.jump(leave);
                false
            }
            NumberKind::Dynamic(tag) => {
                let (float, bool, int) =
                    (self.bits(Tag::Float as u64), self.bits(Tag::Bool as u64), self.bits(Tag::Int as u64));
                let (whole, leave) = (self.label(), self.bailout());
                self.branch(Test::Equal, tag, float, true, then);
                self.branch(Test::Equal, tag, int, true, whole);
                self.branch(Test::Equal, tag, bool, false, leave);
                self.place_label(whole);
                true
            }
        }
    }

    /// Applies an operation to two numbers: on integers, if both are and `ints` is given, or else on floats.
    fn apply_to_numbers(
        &mut self,
        (one, two): (Number, Number),
        as_ints: bool,
        ints: impl FnOnce(&mut Self, Register, Register),
        floats: impl FnOnce(&mut Self, Register, Register),
    ) {
        let (left, right) = (self.temporary(), self.temporary());
        let (first_float, second_float, both) = (self.label(), self.label(), self.label());
        if self.branch_if_float(one, first_float) {
            if self.branch_if_float(two, second_float) {
                if as_ints {
                    ints(self, one.value, two.value);
                } else {
                    let (one, two) = (self.exact_float(one.value), self.exact_float(two.value));
                    self.copy(left, one);
                    self.copy(right, two);
                    self.jump(both);
                }
            }
            self.place_label(second_float);
            let value = self.exact_float(one.value);
            self.copy(left, value);
            self.copy(right, two.value);
            self.jump(both);
        }
        self.place_label(first_float);
        self.copy(left, one.value);
        let float = self.label();
        if self.branch_if_float(two, float) {
            let value = self.exact_float(two.value);
            self.copy(right, value);
            self.jump(both);
        }
        self.place_label(float);
        self.copy(right, two.value);
        self.place_label(both);
        floats(self, left, right);
    }

    /// Jumps to one of two labels depending on the order of two numbers.
    fn branch_on_order(&mut self, order: CompareOp, one: Number, two: Number, yes: Label, no: Label) {
        let (ints, floats) = match order {
            CompareOp::Lt => (Test::Less, Test::FloatLess),
            CompareOp::Le => (Test::LessEqual, Test::FloatLessEqual),
            CompareOp::Eq => (Test::Equal, Test::FloatEqual),
        };
        let by = |test: Test| {
            move |lower: &mut Self, a, b| {
                lower.branch(test, a, b, true, yes);
                lower.jump(no);
            }
        };
        self.apply_to_numbers((one, two), true, by(ints), by(floats));
    }
}
