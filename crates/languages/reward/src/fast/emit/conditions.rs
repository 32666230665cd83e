//! Conditions of jumps.

use super::values::{Place, Value, width};
use super::{Emitter, Label, Laid, Op, R};
use crate::fast::op::{Order, Target};
use crate::typed::types::Kinds;

/// A condition of a jump.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    Known(bool),
    Not(Box<Condition>),
    Ints(Order, Int, Int),
    Floats(Order, R, R),
    /// A comparison of two numbers, each in a pair of registers.
    Any(Order, R, R),
    None(R),
    IsTag(R, crate::fast::op::Tag),
    /// Whether an object is of one of these classes, a bit set.
    Class(R, u64),
    OnTop(R, R),
    Same(R, R),
    NotZero(R),
    TrueFloat(R),
    TrueText(R),
    /// Whether the value in a pair of registers is truthy.
    TrueAny(R),
    Visible(R),
    Filled(R),
}

/// An operand of an integer comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Int {
    Register(R),
    Field(R, u8),
    Known(i64),
}

impl Condition {
    pub(super) fn not(self) -> Self {
        match self {
            Self::Known(truth) => Self::Known(!truth),
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// Whether the condition tests if a list is empty.
    pub(super) fn asks_list(&self) -> bool {
        match self {
            Self::Not(inner) => inner.asks_list(),
            other => matches!(other, Self::Filled(_)),
        }
    }

    /// Returns the registers that the condition reads.
    pub(super) fn registers(&self) -> Vec<R> {
        let int = |int: &Int| match int {
            Int::Register(r) | Int::Field(r, _) => Some(*r),
            Int::Known(_) => None,
        };
        match self {
            Self::Known(_) => Vec::new(),
            Self::Not(inner) => inner.registers(),
            Self::Ints(_, a, b) => [a, b].into_iter().filter_map(int).collect(),
            Self::Floats(_, a, b) | Self::OnTop(a, b) | Self::Same(a, b) => vec![*a, *b],
            Self::Any(_, a, b) => vec![*a, a + 1, *b, b + 1],
            Self::IsTag(a, _) | Self::TrueAny(a) => vec![*a, a + 1],
            Self::None(a)
            | Self::Class(a, _)
            | Self::NotZero(a)
            | Self::TrueFloat(a)
            | Self::TrueText(a)
            | Self::Visible(a)
            | Self::Filled(a) => vec![*a],
        }
    }
}

impl Emitter<'_> {
    /// Returns the condition that a value is truthy.
    pub(super) fn truth(&mut self, value: &Value) -> Laid<Condition> {
        if let Place::Condition(condition) = &value.at {
            return Ok((**condition).clone());
        }
        if let Some(truth) = self.types.types.truth(value.holds) {
            return Ok(Condition::Known(truth));
        }
        let kinds = value.kinds();
        if width(kinds) == 2 {
            if kinds.has(Kinds::OBJECT.with(Kinds::LIST).with(Kinds::THING)) {
                return Err("the truth value of a value of several types".to_owned());
            }
            return Ok(Condition::TrueAny(self.pair(value)?));
        }
        let r = self.register(value)?;
        Ok(match kinds.without(Kinds::NONE) {
            Kinds::BOOL | Kinds::INT => Condition::NotZero(r),
            Kinds::FLOAT => Condition::TrueFloat(r),
            Kinds::TEXT => Condition::TrueText(r),
            Kinds::OBJECT => Condition::Visible(r),
            Kinds::LIST => Condition::Filled(r),
            _ => return Err("the truth value of a value of several types".to_owned()),
        })
    }

    /// Stores the truth of a condition in a register.
    pub(super) fn load_truth(&mut self, d: R, condition: &Condition) {
        let (holds, over) = (self.label(), self.label());
        self.branch(condition, true, holds);
        self.load_bits(d, 0);
        self.jump(over);
        self.land(holds);
        self.load_bits(d, 1);
        self.land(over);
    }

    /// Emits a jump to `label` that is taken if the truth of the condition is `when`.
    pub(super) fn branch(&mut self, condition: &Condition, when: bool, label: Label) {
        let t: Target = label.0;
        let op = match condition {
            Condition::Known(truth) if *truth == when => Op::Jump { t },
            Condition::Known(_) => return,
            Condition::Not(inner) => return self.branch(inner, !when, label),
            Condition::Ints(order, a, b) => return self.branch_ints(*order, *a, *b, when, t),
            Condition::Floats(order, a, b) => Op::IfFloat { order: *order, when, a: *a, b: *b, t },
            Condition::Any(order, a, b) => Op::IfAny { order: *order, when, a: *a, b: *b, t },
            Condition::None(a) if when => Op::IfNone { a: *a, t },
            Condition::None(a) => Op::IfSome { a: *a, t },
            Condition::IsTag(a, tag) => Op::IfTag { a: *a, tag: *tag, when, t },
            Condition::Class(o, classes) => {
                let k = self.mask(*classes);
                if when { Op::IfClass { o: *o, k, t } } else { Op::IfNotClass { o: *o, k, t } }
            }
            Condition::OnTop(o, p) => Op::IfOnTop { o: *o, p: *p, when, t },
            Condition::Same(o, p) => Op::IfSame { o: *o, p: *p, when, t },
            Condition::NotZero(a) if when => Op::IfUnequalK { a: *a, k: 0, t },
            Condition::NotZero(a) => Op::IfEqualK { a: *a, k: 0, t },
            Condition::TrueFloat(a) => Op::IfTrueFloat { a: *a, when, t },
            Condition::TrueText(a) => Op::IfTrueText { a: *a, when, t },
            Condition::TrueAny(a) => Op::IfTrueAny { a: *a, when, t },
            Condition::Visible(o) => Op::IfVisible { o: *o, when, t },
            Condition::Filled(l) => Op::IfFilled { l: *l, when, t },
        };
        self.op(op);
    }

    pub(super) fn mask(&mut self, classes: u64) -> u16 {
        self.masks.insert_full(classes).0 as u16
    }

    fn branch_ints(&mut self, order: Order, a: Int, b: Int, when: bool, t: Target) {
        // Integers are totally ordered: `a < b` is the negation of `b <= a`.
        let (order, a, b, when) = match (order, when) {
            (Order::Lt, false) => (Order::Le, b, a, true),
            (Order::Le, false) => (Order::Lt, b, a, true),
            other => (other.0, a, b, other.1),
        };
        let op = match (a, b) {
            (Int::Known(one), Int::Known(two)) => {
                let holds = match order {
                    Order::Lt => one < two,
                    Order::Le => one <= two,
                    Order::Eq => one == two,
                };
                if holds != when {
                    return;
                }
                Op::Jump { t }
            }
            (one, Int::Known(k)) if i16::try_from(k).is_ok_and(|k| k < i16::MAX) => {
                with_known(order, one, k as i16, when, t)
            }
            (Int::Known(k), two) if i16::try_from(k).is_ok_and(|k| k < i16::MAX) => {
                let k = k as i16;
                match order {
                    // For integers, `k < x` is the negation of `x < k + 1`.
                    Order::Lt => with_known(Order::Lt, two, k + 1, false, t),
                    Order::Le => with_known(Order::Lt, two, k, false, t),
                    Order::Eq => with_known(Order::Eq, two, k, when, t),
                }
            }
            (one, two) => {
                let (one, two) = (self.in_register(one), self.in_register(two));
                unknown(order, one, two, when, t)
            }
        };
        self.op(op);
    }

    /// Loads a constant that does not fit into an instruction into the last register; other operands stay as they are.
    fn in_register(&mut self, int: Int) -> Int {
        match int {
            Int::Known(number) => {
                self.load_bits(R::MAX, number.cast_unsigned());
                Int::Register(R::MAX)
            }
            other => other,
        }
    }
}

/// Returns the conditional jump that compares an integer with a constant.
fn with_known(order: Order, one: Int, k: i16, when: bool, t: Target) -> Op {
    let (k, order) = if order == Order::Le { (k + 1, Order::Lt) } else { (k, order) };
    match (order, one, when) {
        (Order::Eq, Int::Field(o, f), true) => Op::IfFieldEqualK { o, f, k, t },
        (Order::Eq, Int::Field(o, f), false) => Op::IfFieldUnequalK { o, f, k, t },
        (Order::Eq, Int::Register(a), true) => Op::IfEqualK { a, k, t },
        (Order::Eq, Int::Register(a), false) => Op::IfUnequalK { a, k, t },
        (_, Int::Field(o, f), true) => Op::IfFieldLessK { o, f, k, t },
        (_, Int::Field(o, f), false) => Op::IfFieldNotLessK { o, f, k, t },
        (_, Int::Register(a), true) => Op::IfLessK { a, k, t },
        (_, Int::Register(a), false) => Op::IfNotLessK { a, k, t },
        (_, Int::Known(_), _) => Op::Jump { t },
    }
}

/// Returns the conditional jump that compares two integers that are known only at run time.
fn unknown(order: Order, one: Int, two: Int, when: bool, t: Target) -> Op {
    match (one, two) {
        (Int::Register(a), Int::Register(b)) => match (order, when) {
            (Order::Lt, _) => Op::IfLess { a, b, t },
            (Order::Le, _) => Op::IfLessEqual { a, b, t },
            (Order::Eq, true) => Op::IfEqual { a, b, t },
            (Order::Eq, false) => Op::IfUnequal { a, b, t },
        },
        (Int::Field(o, f), Int::Register(b)) => match (order, when) {
            (Order::Lt, _) => Op::IfFieldLess { o, f, b, t },
            (Order::Le, _) => Op::IfFieldLessEqual { o, f, b, t },
            (Order::Eq, true) => Op::IfFieldEqual { o, f, b, t },
            (Order::Eq, false) => Op::IfFieldUnequal { o, f, b, t },
        },
        (Int::Register(a), Int::Field(o, f)) => match (order, when) {
            (Order::Lt, _) => Op::IfLessField { a, o, f, t },
            (Order::Le, _) => Op::IfLessEqualField { a, o, f, t },
            (Order::Eq, true) => Op::IfFieldEqual { o, f, b: a, t },
            (Order::Eq, false) => Op::IfFieldUnequal { o, f, b: a, t },
        },
        (Int::Field(o, f), Int::Field(p, g)) => match (order, when) {
            (Order::Lt, _) => Op::IfFieldsLess { o, f, p, g, t },
            (Order::Le, _) => Op::IfFieldsLessEqual { o, f, p, g, t },
            (Order::Eq, true) => Op::IfFieldsEqual { o, f, p, g, t },
            (Order::Eq, false) => Op::IfFieldsUnequal { o, f, p, g, t },
        },
        _ => Op::Jump { t },
    }
}
