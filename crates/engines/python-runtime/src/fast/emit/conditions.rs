//! Conditions of jumps.

use super::values::{Location, Value, width};
use super::{EmitResult, Emitter, Label, Op, Reg};
use crate::fast::op::{CompareOp, Target};
use crate::inference::types::Kinds;

/// A condition of a jump.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    Constant(bool),
    Not(Box<Condition>),
    Ints(CompareOp, IntOperand, IntOperand),
    Floats(CompareOp, Reg, Reg),
    /// A comparison of two numbers, each in a pair of registers.
    Numbers(CompareOp, Reg, Reg),
    None(Reg),
    IsTag(Reg, crate::fast::op::Tag),
    /// Whether an object is of one of these classes, a bit set.
    Class(Reg, u64),
    OnTop(Reg, Reg),
    EqualObjects(Reg, Reg),
    NotZero(Reg),
    TruthyFloat(Reg),
    TruthyText(Reg),
    /// Whether the value in a pair of registers is truthy.
    TruthyAny(Reg),
    Visible(Reg),
    NonEmpty(Reg),
}

/// An operand of an integer comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum IntOperand {
    Register(Reg),
    Field(Reg, u8),
    Constant(i64),
}

impl Condition {
    pub(super) fn not(self) -> Self {
        match self {
            Self::Constant(truth) => Self::Constant(!truth),
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// Whether the condition tests if a list is empty.
    pub(super) fn is_list_test(&self) -> bool {
        match self {
            Self::Not(inner) => inner.is_list_test(),
            other => matches!(other, Self::NonEmpty(_)),
        }
    }

    /// Returns the registers that the condition reads.
    pub(super) fn registers(&self) -> Vec<Reg> {
        let int = |int: &IntOperand| match int {
            IntOperand::Register(r) | IntOperand::Field(r, _) => Some(*r),
            IntOperand::Constant(_) => None,
        };
        match self {
            Self::Constant(_) => Vec::new(),
            Self::Not(inner) => inner.registers(),
            Self::Ints(_, a, b) => [a, b].into_iter().filter_map(int).collect(),
            Self::Floats(_, a, b) | Self::OnTop(a, b) | Self::EqualObjects(a, b) => vec![*a, *b],
            Self::Numbers(_, a, b) => vec![*a, a + 1, *b, b + 1],
            Self::IsTag(a, _) | Self::TruthyAny(a) => vec![*a, a + 1],
            Self::None(a)
            | Self::Class(a, _)
            | Self::NotZero(a)
            | Self::TruthyFloat(a)
            | Self::TruthyText(a)
            | Self::Visible(a)
            | Self::NonEmpty(a) => vec![*a],
        }
    }
}

impl Emitter<'_> {
    /// Returns the condition that a value is truthy.
    pub(super) fn truth_condition(&mut self, value: &Value) -> EmitResult<Condition> {
        if let Location::Condition(condition) = &value.location {
            return Ok((**condition).clone());
        }
        if let Some(truth) = self.inference.types.truth(value.ty) {
            return Ok(Condition::Constant(truth));
        }
        let kinds = value.kinds();
        if kinds.intersects(Kinds::RECORD) {
            return self.record_truth(value);
        }
        if width(kinds) == 2 {
            if kinds.intersects(Kinds::LIST.union(Kinds::DETAILED)) {
                return Err("the truth value of a value of several types".to_owned());
            }
            return Ok(Condition::TruthyAny(self.pair(value)?));
        }
        let r = self.register(value)?;
        Ok(match kinds.difference(Kinds::NONE) {
            Kinds::BOOL | Kinds::INT => Condition::NotZero(r),
            Kinds::FLOAT => Condition::TruthyFloat(r),
            Kinds::TEXT => Condition::TruthyText(r),
            Kinds::OBJECT => Condition::Visible(r),
            Kinds::LIST => Condition::NonEmpty(r),
            _ => return Err("the truth value of a value of several types".to_owned()),
        })
    }

    /// Returns the condition that an optional record is truthy.
    fn record_truth(&mut self, value: &Value) -> EmitResult<Condition> {
        if !self.inference.is_always_truthy(value.ty) || !value.kinds().is_subset(Kinds::RECORD.union(Kinds::NONE)) {
            return Err("the truth value of an object of the program".to_owned());
        }
        if !value.kinds().intersects(Kinds::NONE) {
            return Ok(Condition::Constant(true));
        }
        Ok(Condition::None(self.register(value)?).not())
    }

    /// Stores the truth of a condition in a register.
    pub(super) fn load_truth(&mut self, d: Reg, condition: &Condition) {
        let (holds, end) = (self.label(), self.label());
        self.branch(condition, true, holds);
        self.load_bits(d, 0);
        self.jump(end);
        self.place_label(holds);
        self.load_bits(d, 1);
        self.place_label(end);
    }

    /// Emits a jump to `label` that is taken if the truth of the condition is `when`.
    pub(super) fn branch(&mut self, condition: &Condition, when: bool, label: Label) {
        let t: Target = label.0;
        let op = match condition {
            Condition::Constant(truth) if *truth == when => Op::Jump { t },
            Condition::Constant(_) => return,
            Condition::Not(inner) => return self.branch(inner, !when, label),
            Condition::Ints(order, a, b) => return self.branch_ints(*order, *a, *b, when, t),
            Condition::Floats(order, a, b) => Op::IfFloat { order: *order, when, a: *a, b: *b, t },
            Condition::Numbers(order, a, b) => Op::IfAny { order: *order, when, a: *a, b: *b, t },
            Condition::None(a) if when => Op::IfNone { a: *a, t },
            Condition::None(a) => Op::IfSome { a: *a, t },
            Condition::IsTag(a, tag) => Op::IfTag { a: *a, tag: *tag, when, t },
            Condition::Class(o, classes) => {
                let k = self.class_mask(*classes);
                if when { Op::IfClass { o: *o, k, t } } else { Op::IfNotClass { o: *o, k, t } }
            }
            Condition::OnTop(o, p) => Op::IfOnTop { o: *o, p: *p, when, t },
            Condition::EqualObjects(o, p) => Op::IfEqualObjects { o: *o, p: *p, when, t },
            Condition::NotZero(a) if when => Op::IfUnequalK { a: *a, k: 0, t },
            Condition::NotZero(a) => Op::IfEqualK { a: *a, k: 0, t },
            Condition::TruthyFloat(a) => Op::IfTruthyFloat { a: *a, when, t },
            Condition::TruthyText(a) => Op::IfTruthyText { a: *a, when, t },
            Condition::TruthyAny(a) => Op::IfTruthyAny { a: *a, when, t },
            Condition::Visible(o) => Op::IfVisible { o: *o, when, t },
            Condition::NonEmpty(l) => Op::IfNonEmpty { l: *l, when, t },
        };
        self.push_op(op);
    }

    pub(super) fn class_mask(&mut self, classes: u64) -> u16 {
        self.masks.insert_full(classes).0 as u16
    }

    fn branch_ints(&mut self, order: CompareOp, a: IntOperand, b: IntOperand, when: bool, t: Target) {
        // Integers are totally ordered: `a < b` is the negation of `b <= a`.
        let (order, a, b, when) = match (order, when) {
            (CompareOp::Lt, false) => (CompareOp::Le, b, a, true),
            (CompareOp::Le, false) => (CompareOp::Lt, b, a, true),
            other => (other.0, a, b, other.1),
        };
        let op = match (a, b) {
            (IntOperand::Constant(one), IntOperand::Constant(two)) => {
                let holds = match order {
                    CompareOp::Lt => one < two,
                    CompareOp::Le => one <= two,
                    CompareOp::Eq => one == two,
                };
                if holds != when {
                    return;
                }
                Op::Jump { t }
            }
            (one, IntOperand::Constant(k)) if i16::try_from(k).is_ok_and(|k| k < i16::MAX) => {
                compare_constant_jump(order, one, k as i16, when, t)
            }
            (IntOperand::Constant(k), two) if i16::try_from(k).is_ok_and(|k| k < i16::MAX) => {
                let k = k as i16;
                match order {
                    // For integers, `k < x` is the negation of `x < k + 1`.
                    CompareOp::Lt => compare_constant_jump(CompareOp::Lt, two, k + 1, false, t),
                    CompareOp::Le => compare_constant_jump(CompareOp::Lt, two, k, false, t),
                    CompareOp::Eq => compare_constant_jump(CompareOp::Eq, two, k, when, t),
                }
            }
            (one, two) => {
                let (one, two) = (self.operand_in_register(one), self.operand_in_register(two));
                compare_operands_jump(order, one, two, when, t)
            }
        };
        self.push_op(op);
    }

    /// Loads a constant that does not fit into an instruction into the last register; other operands stay as they are.
    fn operand_in_register(&mut self, int: IntOperand) -> IntOperand {
        match int {
            IntOperand::Constant(number) => {
                self.load_bits(Reg::MAX, number.cast_unsigned());
                IntOperand::Register(Reg::MAX)
            }
            other => other,
        }
    }
}

/// Returns the conditional jump that compares an integer with a constant.
fn compare_constant_jump(order: CompareOp, one: IntOperand, k: i16, when: bool, t: Target) -> Op {
    let (k, order) = if order == CompareOp::Le { (k + 1, CompareOp::Lt) } else { (k, order) };
    match (order, one, when) {
        (CompareOp::Eq, IntOperand::Field(o, f), true) => Op::IfFieldEqualK { o, f, k, t },
        (CompareOp::Eq, IntOperand::Field(o, f), false) => Op::IfFieldUnequalK { o, f, k, t },
        (CompareOp::Eq, IntOperand::Register(a), true) => Op::IfEqualK { a, k, t },
        (CompareOp::Eq, IntOperand::Register(a), false) => Op::IfUnequalK { a, k, t },
        (_, IntOperand::Field(o, f), true) => Op::IfFieldLessK { o, f, k, t },
        (_, IntOperand::Field(o, f), false) => Op::IfFieldNotLessK { o, f, k, t },
        (_, IntOperand::Register(a), true) => Op::IfLessK { a, k, t },
        (_, IntOperand::Register(a), false) => Op::IfNotLessK { a, k, t },
        (_, IntOperand::Constant(_), _) => Op::Jump { t },
    }
}

/// Returns the conditional jump that compares two integers that are known only at run time.
fn compare_operands_jump(order: CompareOp, one: IntOperand, two: IntOperand, when: bool, t: Target) -> Op {
    match (one, two) {
        (IntOperand::Register(a), IntOperand::Register(b)) => match (order, when) {
            (CompareOp::Lt, _) => Op::IfLess { a, b, t },
            (CompareOp::Le, _) => Op::IfLessEqual { a, b, t },
            (CompareOp::Eq, true) => Op::IfEqual { a, b, t },
            (CompareOp::Eq, false) => Op::IfUnequal { a, b, t },
        },
        (IntOperand::Field(o, f), IntOperand::Register(b)) => match (order, when) {
            (CompareOp::Lt, _) => Op::IfFieldLess { o, f, b, t },
            (CompareOp::Le, _) => Op::IfFieldLessEqual { o, f, b, t },
            (CompareOp::Eq, true) => Op::IfFieldEqual { o, f, b, t },
            (CompareOp::Eq, false) => Op::IfFieldUnequal { o, f, b, t },
        },
        (IntOperand::Register(a), IntOperand::Field(o, f)) => match (order, when) {
            (CompareOp::Lt, _) => Op::IfLessField { a, o, f, t },
            (CompareOp::Le, _) => Op::IfLessEqualField { a, o, f, t },
            (CompareOp::Eq, true) => Op::IfFieldEqual { o, f, b: a, t },
            (CompareOp::Eq, false) => Op::IfFieldUnequal { o, f, b: a, t },
        },
        (IntOperand::Field(o, f), IntOperand::Field(p, g)) => match (order, when) {
            (CompareOp::Lt, _) => Op::IfFieldsLess { o, f, p, g, t },
            (CompareOp::Le, _) => Op::IfFieldsLessEqual { o, f, p, g, t },
            (CompareOp::Eq, true) => Op::IfFieldsEqual { o, f, p, g, t },
            (CompareOp::Eq, false) => Op::IfFieldsUnequal { o, f, p, g, t },
        },
        _ => Op::Jump { t },
    }
}
