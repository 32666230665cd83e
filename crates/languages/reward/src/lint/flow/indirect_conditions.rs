//! Indirect conditions on variables: on several at once, on the length of a list, or on an expression that the analysis does not follow.

use goalspec_python_runtime::inference::Kinds;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{CmpOp, Expr, ExprCompare, ExprList, ExprTuple};

use super::conditions::{ConditionSplit, update_variable, variable_name};
use super::env::Env;
use super::value::AbstractValue;

/// Narrows the states of `None in (a, b)`: where it does not hold, neither variable is `None`.
pub(super) fn narrow_none_membership(of: &Expr, split: &mut ConditionSplit<'_>) -> bool {
    exclude_none(of, &mut split.if_false);
    matches!(of, Expr::Tuple(_) | Expr::List(_))
}

pub(super) fn exclude_none(of: &Expr, states: &mut Vec<Env<'_>>) {
    let (Expr::List(ExprList { elts, .. }) | Expr::Tuple(ExprTuple { elts, .. })) = of else {
        return;
    };
    for name in elts.iter().filter_map(variable_name) {
        update_variable(states, name, |value| value.without(Kinds::NONE));
    }
}

/// Returns `Some(true)` if a condition tests that `target` is `None`, and `Some(false)` if it tests that it is truthy or not `None`.
pub(super) fn none_test_polarity(expression: &Expr, target: &Expr) -> Option<bool> {
    let target = variable_name(target)?;
    match expression {
        Expr::Name(name) => (name.id.as_str() == target).then_some(false),
        Expr::Compare(compare) => {
            let of_target = variable_name(&compare.left) == Some(target);
            let with_none = matches!(&compare.comparators[..], [Expr::NoneLiteral(_)]);
            match &compare.ops[..] {
                [CmpOp::Is | CmpOp::Eq] if of_target && with_none => Some(true),
                [CmpOp::IsNot | CmpOp::NotEq] if of_target && with_none => Some(false),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Narrows the states of `len(xs) > 0` and its variants: whether the list has elements.
pub(super) fn narrow_by_length<'a>(
    compare: &ExprCompare,
    operator: CmpOp,
    right: &AbstractValue<'a>,
    split: &mut ConditionSplit<'a>,
) -> bool {
    let Expr::Call(call) = &*compare.left else { return false };
    let (Expr::Name(function), [Expr::Name(list)]) = (&*call.func, &call.arguments.args[..]) else { return false };
    if function.id.as_str() != "len" || !right.is_within(Kinds::NUMBER) || !right.interval.is_point() {
        return false;
    }
    let number = right.interval.low;
    // The minimum length if the condition holds, and if it does not.
    let min_length = match operator {
        CmpOp::Gt => [Some(number + 1.0), None],
        CmpOp::GtE => [Some(number), None],
        CmpOp::Lt => [None, Some(number)],
        CmpOp::LtE => [None, Some(number + 1.0)],
        _ if number == 0.0 => [None, Some(1.0)],
        _ => [Some(number), None],
    };
    let most_is_none = match operator {
        CmpOp::Gt => [false, number < 1.0],
        CmpOp::GtE => [false, number <= 1.0],
        CmpOp::Lt => [number <= 1.0, false],
        CmpOp::LtE => [number < 1.0, false],
        _ => [number == 0.0, false],
    };
    for (states, (min_length, empty)) in
        [&mut split.if_true, &mut split.if_false].into_iter().zip(min_length.into_iter().zip(most_is_none))
    {
        let filled = if empty { Some(false) } else { min_length.filter(|min_length| *min_length >= 1.0).map(|_| true) };
        if let Some(filled) = filled {
            update_variable(states, &list.id, |value| match value.truthiness {
                Some(known) if known != filled => AbstractValue::never(),
                _ if value.kinds == Kinds::LIST || value.is_any() => {
                    AbstractValue { truthiness: Some(filled), ..value }
                }
                _ => value,
            });
        }
    }
    true
}

/// Blurs the variables that a condition which is not followed may narrow: those that it mentions by name, or by longer names that contain
/// theirs.
pub(super) fn suppress_mentioned<'a>(condition: &'a Expr, split: &mut ConditionSplit<'a>) {
    struct MentionCollector<'m>(Vec<&'m str>);
    impl<'m> Visitor<'m> for MentionCollector<'m> {
        fn visit_expr(&mut self, expression: &'m Expr) {
            match expression {
                Expr::Name(name) => self.0.push(&name.id),
                Expr::Attribute(attribute) => self.0.push(&attribute.attr),
                _ => {}
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut mentioned = MentionCollector(Vec::new());
    mentioned.visit_expr(condition);
    let lower: Vec<String> = mentioned.0.iter().map(|name| name.to_lowercase()).collect();
    for state in split.if_true.iter_mut().chain(&mut split.if_false) {
        for (name, value) in state.iter_mut() {
            let open = value.kinds.intersects(Kinds::OBJECT)
                || (value.kinds.intersects(Kinds::NONE) && value.kinds != Kinds::NONE);
            let own = name.to_lowercase();
            // A short name is contained in many unrelated ones.
            let meant = |other: &String| *other == own || (own.len() > 2 && other.contains(&own));
            if open && lower.iter().any(meant) {
                value.suppress_reports();
            }
        }
    }
}
