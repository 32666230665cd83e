//! Arithmetic and comparisons of abstract values.

use std::rc::Rc;

use ruff_python_ast::{CmpOp, Operator, UnaryOp};

use super::value::{Inside, Interval, Value};
use crate::typed::types::Kinds;

/// Returns the interval of the results of an operation on two intervals.
fn combined(operator: Operator, left: Interval, right: Interval) -> Interval {
    let all = |apply: fn(f64, f64) -> f64| {
        let corners = [(left.low, right.low), (left.low, right.high), (left.high, right.low), (left.high, right.high)];
        Interval::of(&corners.map(|(one, other)| apply(one, other)))
    };
    match operator {
        Operator::Add => all(|one, other| one + other),
        Operator::Sub => all(|one, other| one - other),
        Operator::Mult => all(|one, other| one * other),
        Operator::Div if !right.has(0.0) => all(|one, other| one / other),
        Operator::FloorDiv if !right.has(0.0) => all(|one, other| (one / other).floor()),
        // The remainder has the sign of the divisor.
        Operator::Mod if right.low > 0.0 => Interval { low: 0.0, high: right.high },
        Operator::Pow if right == Interval::one(2.0) => {
            let ends = [left.low * left.low, left.high * left.high];
            let square = Interval::of(&ends);
            if left.has(0.0) { Interval { low: 0.0, high: square.high } } else { square }
        }
        _ => Interval::ALL,
    }
}

/// Returns the kinds of both operands, in words, if the operation always raises a `TypeError` for them.
pub(super) fn mismatch(operator: Operator, left: &Value<'_>, right: &Value<'_>) -> Option<[&'static str; 2]> {
    let names = [kind_of(left)?, kind_of(right)?];
    let fits = match (operator, names) {
        (_, ["a number", "a number"]) | (Operator::Mod, ["a string", _]) => true,
        (Operator::Add, [one, other]) => one == other && matches!(one, "a string" | "a list" | "a tuple"),
        (Operator::Mult, ["a number", other] | [other, "a number"]) => {
            matches!(other, "a string" | "a list" | "a tuple")
        }
        _ => false,
    };
    (!fits).then_some(names)
}

/// Returns the kind of a value in words, if it is certain.
pub(super) fn kind_of(value: &Value<'_>) -> Option<&'static str> {
    if value.is_any() || value.is_never() {
        return None;
    }
    if value.kinds.within(Kinds::NUMBER) {
        return Some("a number");
    }
    match value.kinds {
        Kinds::TEXT => Some("a string"),
        Kinds::OBJECT => Some("an object"),
        Kinds::LIST => Some("a list"),
        Kinds::THING => match &value.inside {
            Inside::Parts(_) => Some("a tuple"),
            Inside::Classes(_) | Inside::ClassOf(_) => Some("a class"),
            Inside::Function(_) | Inside::Method(_) => Some("a function"),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the result of an operation; `None` is excluded from the operands.
pub(super) fn binary<'a>(operator: Operator, left: &Value<'a>, right: &Value<'a>) -> Value<'a> {
    let (left, right) = (left.clone().without(Kinds::NONE), right.clone().without(Kinds::NONE));
    if left.within(Kinds::NUMBER) && right.within(Kinds::NUMBER) {
        let kinds = left.kinds.with(right.kinds);
        let float = operator == Operator::Div || left.kinds == Kinds::FLOAT || right.kinds == Kinds::FLOAT;
        let kinds = if float {
            Kinds::FLOAT
        } else if kinds.has(Kinds::FLOAT) || operator == Operator::Pow {
            Kinds::INT.with(Kinds::FLOAT)
        } else {
            Kinds::INT
        };
        return Value::number(kinds, combined(operator, left.interval, right.interval));
    }
    if operator == Operator::Add && left.kinds == Kinds::LIST && right.kinds == Kinds::LIST {
        return Value::list(left.element().join(&right.element()));
    }
    Value::any()
}

pub(super) fn unary<'a>(operator: UnaryOp, value: &Value<'a>) -> Value<'a> {
    if operator == UnaryOp::Not {
        return match value.may_be() {
            [true, false] => Value::truth(Some(false)),
            [false, true] => Value::truth(Some(true)),
            _ => Value::truth(None),
        };
    }
    let value = value.clone().without(Kinds::NONE);
    if !value.within(Kinds::NUMBER) || operator == UnaryOp::Invert {
        return Value::any();
    }
    let kinds =
        if value.kinds.has(Kinds::BOOL) { value.kinds.without(Kinds::BOOL).with(Kinds::INT) } else { value.kinds };
    let Interval { low, high } = value.interval;
    let interval = if operator == UnaryOp::USub { Interval { low: -high, high: -low } } else { value.interval };
    Value::number(kinds, interval)
}

/// Returns the absolute value.
pub(super) fn absolute<'a>(value: &Value<'a>) -> Value<'a> {
    let Interval { low, high } = value.interval;
    let far = low.abs().max(high.abs());
    let near = if value.interval.has(0.0) { 0.0 } else { low.abs().min(high.abs()) };
    let kinds = value.kinds.only(Kinds::INT.with(Kinds::FLOAT));
    let kinds = if value.kinds.has(Kinds::BOOL) { kinds.with(Kinds::INT) } else { kinds };
    Value::number(kinds, Interval { low: near, high: far })
}

/// The possible outcomes of a comparison, and the reason if there is only one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Compared {
    pub(super) may_be: [bool; 2],
    pub(super) why: Reason,
}

/// The reason for the constant outcome of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// The outcome is not constant.
    None,
    /// The operands have different kinds.
    Kinds([&'static str; 2]),
    /// The intervals of numbers decide it.
    Numbers,
    /// The sets of strings decide it.
    Texts,
    /// A test for `None` decides it.
    NoneTest,
}

pub(super) fn compare(operator: CmpOp, left: &Value<'_>, right: &Value<'_>) -> Compared {
    let unknown = Compared { may_be: [true, true], why: Reason::None };
    let one_way = |truth: bool, why| Compared { may_be: [truth, !truth], why };
    if left.is_never() || right.is_never() {
        return unknown;
    }
    if left.is_any() || right.is_any() {
        let apart =
            (left.kinds == Kinds::NONE && !right.may_be_none()) || (right.kinds == Kinds::NONE && !left.may_be_none());
        return match operator {
            CmpOp::Is | CmpOp::Eq if apart => one_way(false, Reason::NoneTest),
            CmpOp::IsNot | CmpOp::NotEq if apart => one_way(true, Reason::NoneTest),
            _ => unknown,
        };
    }
    match operator {
        CmpOp::Is | CmpOp::IsNot | CmpOp::Eq | CmpOp::NotEq => {
            let same = matches!(operator, CmpOp::Is | CmpOp::Eq);
            match equal(left, right, matches!(operator, CmpOp::Is | CmpOp::IsNot)) {
                Some((truth, why)) => one_way(truth == same, why),
                None => unknown,
            }
        }
        CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE => {
            let (left, right) = (left.clone().without(Kinds::NONE), right.clone().without(Kinds::NONE));
            if !left.within(Kinds::NUMBER) || !right.within(Kinds::NUMBER) {
                return unknown;
            }
            ordered(operator, left.interval, right.interval).map_or(unknown, |truth| one_way(truth, Reason::Numbers))
        }
        CmpOp::In | CmpOp::NotIn => {
            let Some(parts) = right.parts() else { return unknown };
            let found: Vec<Option<bool>> =
                parts.iter().map(|part| equal(left, part, false).map(|(truth, _)| truth)).collect();
            let truth = if found.contains(&Some(true)) {
                true
            } else if found.iter().all(|found| *found == Some(false)) {
                false
            } else {
                return unknown;
            };
            one_way(truth == (operator == CmpOp::In), Reason::Texts)
        }
    }
}

fn ordered(operator: CmpOp, left: Interval, right: Interval) -> Option<bool> {
    let (always, never) = match operator {
        CmpOp::Lt => (left.high < right.low, left.low >= right.high),
        CmpOp::LtE => (left.high <= right.low, left.low > right.high),
        CmpOp::Gt => (left.low > right.high, left.high <= right.low),
        CmpOp::GtE => (left.low >= right.high, left.high < right.low),
        _ => return None,
    };
    // An unbounded interval may include `NaN`, which is not ordered.
    let finite = |interval: Interval| interval.low > f64::NEG_INFINITY || interval.high < f64::INFINITY;
    if !finite(left) || !finite(right) {
        return None;
    }
    match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// Returns whether two values are equal, if that is certain, with the reason.
fn equal(left: &Value<'_>, right: &Value<'_>, identity: bool) -> Option<(bool, Reason)> {
    let both = left.kinds.only(right.kinds);
    if left.kinds == Kinds::NONE && right.kinds == Kinds::NONE {
        return Some((true, Reason::NoneTest));
    }
    if (left.kinds == Kinds::NONE && !right.may_be_none()) || (right.kinds == Kinds::NONE && !left.may_be_none()) {
        return Some((false, Reason::NoneTest));
    }
    let numbers = |value: &Value<'_>| value.kinds.has(Kinds::NUMBER);
    if numbers(left) && numbers(right) {
        // `True` and `False` are singletons; other equal numbers need not be identical.
        let truths = left.kinds == Kinds::BOOL && right.kinds == Kinds::BOOL;
        let only = left.within(Kinds::NUMBER) && right.within(Kinds::NUMBER) && (!identity || truths);
        let apart = left.interval.high < right.interval.low || left.interval.low > right.interval.high;
        let same = left.interval.is_exact() && left.interval == right.interval;
        return (only && (apart || same)).then_some((same, Reason::Numbers));
    }
    if both == Kinds::NEVER {
        let kind = |side: &Value<'_>| if side.kinds == Kinds::BOOL { Some("a Boolean") } else { kind_of(side) };
        return Some((false, Reason::Kinds([kind(left)?, kind(right)?])));
    }
    if both == Kinds::TEXT && left.kinds == Kinds::TEXT && right.kinds == Kinds::TEXT {
        let (one, other) = (left.texts.as_ref()?, right.texts.as_ref()?);
        if one.is_disjoint(other) {
            return Some((false, Reason::Texts));
        }
        let same = one.len() == 1 && Rc::as_ref(one) == Rc::as_ref(other);
        return same.then_some((true, Reason::Texts));
    }
    if both == Kinds::THING && left.kinds == Kinds::THING && right.kinds == Kinds::THING {
        let names = [kind_of(left)?, kind_of(right)?];
        if names[0] != names[1] {
            return Some((false, Reason::Kinds(names)));
        }
        if let (Inside::Classes(wanted), Inside::ClassOf(own)) | (Inside::ClassOf(own), Inside::Classes(wanted)) =
            (&left.inside, &right.inside)
            && wanted & own == 0
        {
            return Some((false, Reason::Texts));
        }
    }
    None
}

/// Returns the numbers of a `range` with these arguments.
pub(super) fn range<'a>(values: &[Value<'a>]) -> Value<'a> {
    let interval = match values {
        [end] if end.within(Kinds::NUMBER) => Interval { low: 0.0, high: end.interval.high - 1.0 },
        [start, end] if start.within(Kinds::NUMBER) && end.within(Kinds::NUMBER) => {
            Interval { low: start.interval.low, high: end.interval.high - 1.0 }
        }
        _ => Interval::ALL,
    };
    let interval = if interval.low <= interval.high { interval } else { Interval::ALL };
    Value::number(Kinds::INT, interval)
}

/// Returns whether a `range` with these arguments has at least one number.
pub(super) fn has_numbers(values: &[Value<'_>]) -> bool {
    let known = values.iter().all(|value| value.within(Kinds::NUMBER));
    let of = |value: &Value<'_>| value.interval;
    known
        && match values {
            [end] => of(end).low > 0.0,
            [start, end] => of(start).high < of(end).low,
            [start, end, step] if of(step).low > 0.0 => of(start).high < of(end).low,
            [start, end, step] if of(step).high < 0.0 => of(start).low > of(end).high,
            _ => false,
        }
}

/// Returns the minimum or maximum of values.
pub(super) fn extreme<'a>(greatest: bool, values: &[Value<'a>]) -> Value<'a> {
    let values: Vec<Value<'a>> = values.iter().map(|value| value.clone().without(Kinds::NONE)).collect();
    if values.iter().any(|value| !value.within(Kinds::NUMBER)) {
        return Value::any();
    }
    let kinds = values.iter().fold(Kinds::NEVER, |kinds, value| kinds.with(value.kinds));
    let pick = |ends: Vec<f64>| {
        let chosen = ends.into_iter().reduce(|one, other| if greatest { one.max(other) } else { one.min(other) });
        chosen.unwrap_or(f64::NAN)
    };
    let low = pick(values.iter().map(|value| value.interval.low).collect());
    let high = pick(values.iter().map(|value| value.interval.high).collect());
    Value::number(kinds, Interval { low, high })
}

/// Returns the result of a function of `math`.
pub(super) fn math<'a>(name: &str) -> Value<'a> {
    match name {
        "sqrt" | "fabs" | "exp" | "hypot" | "dist" => Value::number(Kinds::FLOAT, Interval::FROM_ZERO),
        "tanh" | "sin" | "cos" => Value::number(Kinds::FLOAT, Interval { low: -1.0, high: 1.0 }),
        "floor" | "ceil" => Value::int(),
        "inf" => Value::float(),
        _ => Value::any(),
    }
}
