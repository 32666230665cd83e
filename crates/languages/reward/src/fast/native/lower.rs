//! Lowering of register instructions to instructions of the machine-code compiler.
//!
//! The lowered code has the same effects and uses the same fuel. Rare operations leave machine code; the register machine then runs the
//! call again.

mod choices;
mod lists;
mod values;

use goalspec_native::{JumpTarget, Op as To, Register, Test};
use rustc_hash::FxHashMap;

use super::super::frame::Frame;
use super::super::op::{NONE, Op, Order, R, Tag, UNBOUND};
use super::super::run::{Code, Why};
use super::end;
use crate::scene::Equality;

/// The first register beyond those of register instructions.
const FIRST: Register = 257;

/// A jump target, by a number that is resolved later.
#[derive(Debug, Clone, Copy)]
struct Label(JumpTarget);

pub(super) struct Lower<'c> {
    code: &'c Code,
    ops: Vec<To>,
    /// The positions of the labels; those of the register instructions come first.
    labels: Vec<Option<JumpTarget>>,
    /// The known contents of registers since the last jump target.
    known: FxHashMap<Register, u64>,
    next: Register,
    /// The exits that hand a call over.
    hand_overs: Vec<(Why, Label)>,
    leave: Option<Label>,
    /// The bit set of classes whose objects are all equal to each other.
    always: u64,
    /// The bit set of classes whose equality depends on more than the class.
    others: u64,
}

/// Lowers a function.
pub(super) fn lower(code: &Code) -> Vec<To> {
    let classes = |wanted: fn(&Equality) -> bool| {
        let classes = code.equality.iter().enumerate().filter(|(_, equality)| wanted(equality));
        classes.fold(0, |set, (class, _)| set | 1u64 << (class & 63))
    };
    let mut lower = Lower {
        code,
        ops: Vec::new(),
        labels: vec![None; code.ops.len()],
        known: FxHashMap::default(),
        next: FIRST,
        hand_overs: Vec::new(),
        leave: None,
        always: classes(|equality| *equality == Equality::Always),
        others: classes(|equality| matches!(equality, Equality::Close { .. } | Equality::Place { .. })),
    };
    lower.whole();
    lower.ops
}

/// A number whose kind may be known only at run time.
#[derive(Debug, Clone, Copy)]
struct Number {
    value: Register,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Known(Tag),
    /// The register that holds the tag of the kind.
    In(Register),
}

impl Lower<'_> {
    fn whole(&mut self) {
        let code = self.code;
        let mut targets = vec![false; code.ops.len()];
        for mut op in code.ops.iter().copied() {
            if let Some(target) = op.target() {
                targets[*target as usize] = true;
            }
        }
        for table in &code.tables {
            targets[table.over as usize] = true;
        }
        for (at, op) in code.ops.iter().enumerate() {
            self.labels[at] = Some(self.ops.len() as JumpTarget);
            if targets[at] {
                self.known.clear();
            }
            self.next = FIRST;
            self.op(at, *op);
        }
        for (why, label) in std::mem::take(&mut self.hand_overs) {
            self.land(label);
            let (zero, code) = (0, end::HAND_OVER | u32::from(why as u16) << 4);
            self.ops.push(To::End { code, a: zero, b: zero });
        }
        if let Some(leave) = self.leave {
            self.land(leave);
            self.ops.push(To::Bailout);
        }
        for op in &mut self.ops {
            if let Some(target) = op.target() {
                *target = self.labels[*target as usize].unwrap_or(JumpTarget::MAX);
            }
        }
    }

    // Helpers.

    fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as JumpTarget - 1)
    }

    fn land(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.ops.len() as JumpTarget);
        self.known.clear();
    }

    /// Returns a temporary register.
    fn room(&mut self) -> Register {
        let d = self.next;
        self.next += 1;
        self.changed(d)
    }

    fn emit(&mut self, op: To) {
        self.ops.push(op);
    }

    fn set(&mut self, d: Register, bits: u64) {
        self.known.insert(d, bits);
        self.emit(To::Const { d, bits });
    }

    fn copy(&mut self, d: Register, a: Register) {
        match self.known.get(&a).copied() {
            Some(bits) => self.known.insert(d, bits),
            None => self.known.remove(&d),
        };
        self.emit(To::Copy { d, a });
    }

    /// Returns a register with these bits.
    fn bits(&mut self, bits: u64) -> Register {
        let d = self.room();
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
    fn hand_over(&mut self, why: Why) -> Label {
        if let Some((_, label)) = self.hand_overs.iter().find(|(other, _)| *other == why) {
            return *label;
        }
        let label = self.label();
        self.hand_overs.push((why, label));
        label
    }

    /// Returns the exit after which the register machine runs the call again.
    fn leave(&mut self) -> Label {
        if let Some(label) = self.leave {
            return label;
        }
        let label = self.label();
        self.leave = Some(label);
        label
    }

    fn field(&mut self, o: R, field: u8) -> Register {
        let d = self.room();
        self.emit(To::Field { d, o: o.into(), field });
        d
    }

    /// Marks a register as modified to unknown contents.
    fn changed(&mut self, d: Register) -> Register {
        self.known.remove(&d);
        d
    }

    fn op(&mut self, at: usize, op: Op) {
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
            Op::GiveInt { a } => self.give(end::INT, a),
            Op::GiveFloat { a } => self.give(end::FLOAT, a),
            Op::GiveBool { a } => self.give(end::BOOL, a),
            Op::GiveAny { a } => self.give_any(a),
            Op::GiveNone => self.give(end::NONE, 0),
            Op::Raise { error } => self.give(end::RAISE | u32::from(error) << 4, 0),
            Op::HandOver { why } => self.give(end::HAND_OVER | u32::from(why) << 4, 0),
            _ => {
                if !(self.value(op) || self.choice(at, op) || self.list(at, op)) {
                    let leave = self.leave();
                    self.jump(leave);
                }
            }
        }
    }

    fn give(&mut self, code: u32, a: R) {
        self.emit(To::End { code, a: a.into(), b: a.into() });
    }

    fn give_any(&mut self, a: R) {
        let tag = a.wrapping_add(1).into();
        for (kind, code) in
            [(Tag::Float, end::FLOAT), (Tag::Int, end::INT), (Tag::Bool, end::BOOL), (Tag::None, end::NONE)]
        {
            let (kind, next) = (self.bits(kind as u64), self.label());
            self.branch(Test::Equal, tag, kind, false, next);
            self.give(code, a);
            self.land(next);
        }
        let leave = self.leave();
        self.jump(leave);
    }

    /// Returns the number in a pair of registers.
    fn pair(&self, a: R) -> Number {
        let tag = Register::from(a.wrapping_add(1));
        let known = self.known.get(&tag).and_then(|&tag| Tag::ALL.get(tag as usize).copied());
        Number { value: a.into(), kind: known.map_or(Kind::In(tag), Kind::Known) }
    }

    /// Returns the registers of a number's value and tag.
    fn parts(&mut self, number: Number) -> (Register, Register) {
        let tag = match number.kind {
            Kind::Known(tag) => self.bits(tag as u64),
            Kind::In(register) => register,
        };
        (number.value, tag)
    }

    /// Converts an integer to a float if that is exact; leaves machine code otherwise.
    fn exact(&mut self, a: Register) -> Register {
        use super::super::op::EXACT;
        let too_large = self.hand_over(Why::Number);
        let (least, most) = (self.int_bits(-EXACT), self.int_bits(EXACT));
        self.branch(Test::Less, a, least, true, too_large);
        self.branch(Test::Less, most, a, true, too_large);
        let d = self.room();
        self.emit(To::Unary { op: goalspec_native::UnaryOp::ToFloat, d, a });
        d
    }

    /// Jumps to `then` if a number is a float; continues if it is an integer.
    fn if_float(&mut self, number: Number, then: Label) -> bool {
        match number.kind {
            Kind::Known(Tag::Float) => {
                self.jump(then);
                false
            }
            Kind::Known(Tag::Int | Tag::Bool) => true,
            Kind::Known(_) => {
                let leave = self.leave();
                self.jump(leave);
                false
            }
            Kind::In(tag) => {
                let (float, bool, int) =
                    (self.bits(Tag::Float as u64), self.bits(Tag::Bool as u64), self.bits(Tag::Int as u64));
                let (whole, leave) = (self.label(), self.leave());
                self.branch(Test::Equal, tag, float, true, then);
                self.branch(Test::Equal, tag, int, true, whole);
                self.branch(Test::Equal, tag, bool, false, leave);
                self.land(whole);
                true
            }
        }
    }

    /// Applies an operation to two numbers: on integers, if both are and `ints` is given, or else on floats.
    fn on_numbers(
        &mut self,
        (one, two): (Number, Number),
        as_ints: bool,
        ints: impl FnOnce(&mut Self, Register, Register),
        floats: impl FnOnce(&mut Self, Register, Register),
    ) {
        let (left, right) = (self.room(), self.room());
        let (first_float, second_float, both) = (self.label(), self.label(), self.label());
        if self.if_float(one, first_float) {
            if self.if_float(two, second_float) {
                if as_ints {
                    ints(self, one.value, two.value);
                } else {
                    let (one, two) = (self.exact(one.value), self.exact(two.value));
                    self.copy(left, one);
                    self.copy(right, two);
                    self.jump(both);
                }
            }
            self.land(second_float);
            let value = self.exact(one.value);
            self.copy(left, value);
            self.copy(right, two.value);
            self.jump(both);
        }
        self.land(first_float);
        self.copy(left, one.value);
        let float = self.label();
        if self.if_float(two, float) {
            let value = self.exact(two.value);
            self.copy(right, value);
            self.jump(both);
        }
        self.land(float);
        self.copy(right, two.value);
        self.land(both);
        floats(self, left, right);
    }

    /// Jumps to one of two labels depending on the order of two numbers.
    fn decide(&mut self, order: Order, one: Number, two: Number, yes: Label, no: Label) {
        let (ints, floats) = match order {
            Order::Lt => (Test::Less, Test::FloatLess),
            Order::Le => (Test::LessEqual, Test::FloatLessEqual),
            Order::Eq => (Test::Equal, Test::FloatEqual),
        };
        let by = |test: Test| {
            move |lower: &mut Self, a, b| {
                lower.branch(test, a, b, true, yes);
                lower.jump(no);
            }
        };
        self.on_numbers((one, two), true, by(ints), by(floats));
    }
}
