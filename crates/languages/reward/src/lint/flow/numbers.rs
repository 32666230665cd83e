//! Arithmetic and comparisons of abstract values.

use std::rc::Rc;

use goalspec_python_runtime::inference::Kinds;
use goalspec_python_runtime::library::{LibraryFunction, ResultType};
use ruff_python_ast::{CmpOp, Operator, UnaryOp};

use super::value::{AbstractValue, Contents, Interval};

/// Returns the interval of the results of an operation on two intervals.
fn interval_operation(operator: Operator, left: Interval, right: Interval) -> Interval {
    let all = |apply: fn(f64, f64) -> f64| {
        let corners = [(left.low, right.low), (left.low, right.high), (left.high, right.low), (left.high, right.high)];
        Interval::hull(&corners.map(|(one, other)| apply(one, other)))
    };
    match operator {
        Operator::Add => all(|one, other| one + other),
        Operator::Sub => all(|one, other| one - other),
        Operator::Mult => all(|one, other| one * other),
        Operator::Div if !right.contains(0.0) => all(|one, other| one / other),
        Operator::FloorDiv if !right.contains(0.0) => all(|one, other| (one / other).floor()),
        // The remainder has the sign of the divisor.
        Operator::Mod if right.low > 0.0 => Interval { low: 0.0, high: right.high },
        Operator::Pow if right == Interval::point(2.0) => {
            let ends = [left.low * left.low, left.high * left.high];
            let square = Interval::hull(&ends);
            if left.contains(0.0) { Interval { low: 0.0, high: square.high } } else { square }
        }
        _ => Interval::ALL,
    }
}

/// Returns the kinds of both operands, in words, if the operation always raises a `TypeError` for them.
pub(super) fn unsupported_operands(
    operator: Operator,
    left: &AbstractValue<'_>,
    right: &AbstractValue<'_>,
) -> Option<[&'static str; 2]> {
    let names = [kind_name(left)?, kind_name(right)?];
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
pub(super) fn kind_name(value: &AbstractValue<'_>) -> Option<&'static str> {
    if value.is_any() || value.is_never() {
        return None;
    }
    if value.kinds.is_subset(Kinds::NUMBER) {
        return Some("a number");
    }
    match value.kinds {
        Kinds::TEXT => Some("a string"),
        Kinds::OBJECT => Some("an object"),
        Kinds::LIST => Some("a list"),
        Kinds::DETAILED => match &value.contents {
            Contents::Tuple(_) => Some("a tuple"),
            Contents::Classes(_) | Contents::TypeOf(_) => Some("a class"),
            Contents::Function(_) | Contents::Method(_) => Some("a function"),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the result of an operation; `None` is excluded from the operands.
pub(super) fn binary<'a>(operator: Operator, left: &AbstractValue<'a>, right: &AbstractValue<'a>) -> AbstractValue<'a> {
    let (left, right) = (left.clone().without(Kinds::NONE), right.clone().without(Kinds::NONE));
    if left.is_within(Kinds::NUMBER) && right.is_within(Kinds::NUMBER) {
        let kinds = left.kinds.union(right.kinds);
        let float = operator == Operator::Div || left.kinds == Kinds::FLOAT || right.kinds == Kinds::FLOAT;
        let kinds = if float {
            Kinds::FLOAT
        } else if kinds.intersects(Kinds::FLOAT) || operator == Operator::Pow {
            Kinds::INT.union(Kinds::FLOAT)
        } else {
            Kinds::INT
        };
        return AbstractValue::number(kinds, interval_operation(operator, left.interval, right.interval));
    }
    if operator == Operator::Add && left.kinds == Kinds::LIST && right.kinds == Kinds::LIST {
        return AbstractValue::list(left.list_element().join(&right.list_element()));
    }
    AbstractValue::any()
}

pub(super) fn unary<'a>(operator: UnaryOp, value: &AbstractValue<'a>) -> AbstractValue<'a> {
    if operator == UnaryOp::Not {
        return match value.possible_truth_values() {
            [true, false] => AbstractValue::boolean(Some(false)),
            [false, true] => AbstractValue::boolean(Some(true)),
            _ => AbstractValue::boolean(None),
        };
    }
    let value = value.clone().without(Kinds::NONE);
    if !value.is_within(Kinds::NUMBER) || operator == UnaryOp::Invert {
        return AbstractValue::any();
    }
    let kinds = if value.kinds.intersects(Kinds::BOOL) {
        value.kinds.difference(Kinds::BOOL).union(Kinds::INT)
    } else {
        value.kinds
    };
    let Interval { low, high } = value.interval;
    let interval = if operator == UnaryOp::USub { Interval { low: -high, high: -low } } else { value.interval };
    AbstractValue::number(kinds, interval)
}

/// Returns the absolute value.
pub(super) fn absolute<'a>(value: &AbstractValue<'a>) -> AbstractValue<'a> {
    let Interval { low, high } = value.interval;
    let far = low.abs().max(high.abs());
    let near = if value.interval.contains(0.0) { 0.0 } else { low.abs().min(high.abs()) };
    let kinds = value.kinds.intersection(Kinds::INT.union(Kinds::FLOAT));
    let kinds = if value.kinds.intersects(Kinds::BOOL) { kinds.union(Kinds::INT) } else { kinds };
    AbstractValue::number(kinds, Interval { low: near, high: far })
}

/// The possible outcomes of a comparison, and the reason if there is only one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ComparisonResult {
    pub(super) possible_outcomes: [bool; 2],
    pub(super) reason: ConstantReason,
}

/// The reason for the constant outcome of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConstantReason {
    /// The outcome is not constant.
    NotConstant,
    /// The operands have different kinds.
    Kinds([&'static str; 2]),
    /// The intervals of numbers decide it.
    Intervals,
    /// The sets of strings decide it.
    Strings,
    /// A test for `None` decides it.
    NoneTest,
}

pub(super) fn compare(operator: CmpOp, left: &AbstractValue<'_>, right: &AbstractValue<'_>) -> ComparisonResult {
    let unknown = ComparisonResult { possible_outcomes: [true, true], reason: ConstantReason::NotConstant };
    let one_way = |truth: bool, reason| ComparisonResult { possible_outcomes: [truth, !truth], reason };
    if left.is_never() || right.is_never() {
        return unknown;
    }
    if left.is_any() || right.is_any() {
        let apart =
            (left.kinds == Kinds::NONE && !right.may_be_none()) || (right.kinds == Kinds::NONE && !left.may_be_none());
        return match operator {
            CmpOp::Is | CmpOp::Eq if apart => one_way(false, ConstantReason::NoneTest),
            CmpOp::IsNot | CmpOp::NotEq if apart => one_way(true, ConstantReason::NoneTest),
            _ => unknown,
        };
    }
    match operator {
        CmpOp::Is | CmpOp::IsNot | CmpOp::Eq | CmpOp::NotEq => {
            let same = matches!(operator, CmpOp::Is | CmpOp::Eq);
            match compare_equality(left, right, matches!(operator, CmpOp::Is | CmpOp::IsNot)) {
                Some((truth, reason)) => one_way(truth == same, reason),
                None => unknown,
            }
        }
        CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE => {
            let (left, right) = (left.clone().without(Kinds::NONE), right.clone().without(Kinds::NONE));
            if !left.is_within(Kinds::NUMBER) || !right.is_within(Kinds::NUMBER) {
                return unknown;
            }
            compare_intervals(operator, left.interval, right.interval)
                .map_or(unknown, |truth| one_way(truth, ConstantReason::Intervals))
        }
        CmpOp::In | CmpOp::NotIn => {
            let Some(parts) = right.tuple_elements() else { return unknown };
            let found: Vec<Option<bool>> =
                parts.iter().map(|part| compare_equality(left, part, false).map(|(truth, _)| truth)).collect();
            let truth = if found.contains(&Some(true)) {
                true
            } else if found.iter().all(|found| *found == Some(false)) {
                false
            } else {
                return unknown;
            };
            one_way(truth == (operator == CmpOp::In), ConstantReason::Strings)
        }
    }
}

fn compare_intervals(operator: CmpOp, left: Interval, right: Interval) -> Option<bool> {
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
fn compare_equality(
    left: &AbstractValue<'_>,
    right: &AbstractValue<'_>,
    identity: bool,
) -> Option<(bool, ConstantReason)> {
    let both = left.kinds.intersection(right.kinds);
    if left.kinds == Kinds::NONE && right.kinds == Kinds::NONE {
        return Some((true, ConstantReason::NoneTest));
    }
    if (left.kinds == Kinds::NONE && !right.may_be_none()) || (right.kinds == Kinds::NONE && !left.may_be_none()) {
        return Some((false, ConstantReason::NoneTest));
    }
    let numbers = |value: &AbstractValue<'_>| value.kinds.intersects(Kinds::NUMBER);
    if numbers(left) && numbers(right) {
        // `True` and `False` are singletons; other equal numbers need not be identical.
        let truths = left.kinds == Kinds::BOOL && right.kinds == Kinds::BOOL;
        let only = left.is_within(Kinds::NUMBER) && right.is_within(Kinds::NUMBER) && (!identity || truths);
        let apart = left.interval.high < right.interval.low || left.interval.low > right.interval.high;
        let same = left.interval.is_exact_point() && left.interval == right.interval;
        return (only && (apart || same)).then_some((same, ConstantReason::Intervals));
    }
    if both == Kinds::NEVER {
        let kind =
            |side: &AbstractValue<'_>| if side.kinds == Kinds::BOOL { Some("a Boolean") } else { kind_name(side) };
        return Some((false, ConstantReason::Kinds([kind(left)?, kind(right)?])));
    }
    if both == Kinds::TEXT && left.kinds == Kinds::TEXT && right.kinds == Kinds::TEXT {
        let (one, other) = (left.strings.as_ref()?, right.strings.as_ref()?);
        if one.is_disjoint(other) {
            return Some((false, ConstantReason::Strings));
        }
        let same = one.len() == 1 && Rc::as_ref(one) == Rc::as_ref(other);
        return same.then_some((true, ConstantReason::Strings));
    }
    if both == Kinds::DETAILED && left.kinds == Kinds::DETAILED && right.kinds == Kinds::DETAILED {
        let names = [kind_name(left)?, kind_name(right)?];
        if names[0] != names[1] {
            return Some((false, ConstantReason::Kinds(names)));
        }
        if let (Contents::Classes(classes), Contents::TypeOf(own)) | (Contents::TypeOf(own), Contents::Classes(classes)) =
            (&left.contents, &right.contents)
            && classes & own == 0
        {
            return Some((false, ConstantReason::Strings));
        }
    }
    None
}

/// Returns the numbers of a `range` with these arguments.
pub(super) fn range<'a>(values: &[AbstractValue<'a>]) -> AbstractValue<'a> {
    let interval = match values {
        [end] if end.is_within(Kinds::NUMBER) => Interval { low: 0.0, high: end.interval.high - 1.0 },
        [start, end] if start.is_within(Kinds::NUMBER) && end.is_within(Kinds::NUMBER) => {
            Interval { low: start.interval.low, high: end.interval.high - 1.0 }
        }
        _ => Interval::ALL,
    };
    let interval = if interval.low <= interval.high { interval } else { Interval::ALL };
    AbstractValue::number(Kinds::INT, interval)
}

/// Returns whether a `range` with these arguments has at least one number.
pub(super) fn is_nonempty_range(values: &[AbstractValue<'_>]) -> bool {
    let known = values.iter().all(|value| value.is_within(Kinds::NUMBER));
    let of = |value: &AbstractValue<'_>| value.interval;
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
pub(super) fn min_or_max<'a>(is_max: bool, values: &[AbstractValue<'a>]) -> AbstractValue<'a> {
    let values: Vec<AbstractValue<'a>> = values.iter().map(|value| value.clone().without(Kinds::NONE)).collect();
    if values.iter().any(|value| !value.is_within(Kinds::NUMBER)) {
        return AbstractValue::any();
    }
    let kinds = values.iter().fold(Kinds::NEVER, |kinds, value| kinds.union(value.kinds));
    let pick = |ends: Vec<f64>| {
        let chosen = ends.into_iter().reduce(|one, other| if is_max { one.max(other) } else { one.min(other) });
        chosen.unwrap_or(f64::NAN)
    };
    let low = pick(values.iter().map(|value| value.interval.low).collect());
    let high = pick(values.iter().map(|value| value.interval.high).collect());
    AbstractValue::number(kinds, Interval { low, high })
}

/// Returns the result of a library function.
pub(super) fn library_result<'a>(function: Option<&LibraryFunction>) -> AbstractValue<'a> {
    result_of_type(function.map_or(ResultType::Any, |function| function.result))
}

/// Returns a result that does not depend on the receiver of a method.
pub(super) fn result_of_type<'a>(result: ResultType) -> AbstractValue<'a> {
    match result {
        ResultType::Any
        | ResultType::Element
        | ResultType::ElementOrDefault
        | ResultType::Elements
        | ResultType::Entries
        | ResultType::Copy => AbstractValue::any(),
        ResultType::None => AbstractValue::of_kinds(Kinds::NONE),
        ResultType::Bool => AbstractValue::boolean(None),
        ResultType::Int => AbstractValue::int(),
        ResultType::Count => AbstractValue::number(Kinds::INT, Interval::NONNEGATIVE),
        ResultType::Text => AbstractValue::of_kinds(Kinds::TEXT),
        ResultType::Float { min, max } => AbstractValue::number(Kinds::FLOAT, Interval { low: min, high: max }),
    }
}
