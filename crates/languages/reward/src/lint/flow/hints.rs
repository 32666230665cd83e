//! Indirect conditions on variables: on several at once, on the length of a list, or on an expression that the analysis does not follow.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{CmpOp, Expr, ExprCompare, ExprList, ExprTuple};

use super::conditions::{Split, name_of, update};
use super::env::Env;
use super::value::Value;
use crate::typed::types::Kinds;

/// Narrows the states of `None in (a, b)`: where it does not hold, neither variable is `None`.
pub(super) fn none_among(of: &Expr, split: &mut Split<'_>) -> bool {
    not_none(of, &mut split.no);
    matches!(of, Expr::Tuple(_) | Expr::List(_))
}

pub(super) fn not_none(of: &Expr, states: &mut Vec<Env<'_>>) {
    let (Expr::List(ExprList { elts, .. }) | Expr::Tuple(ExprTuple { elts, .. })) = of else {
        return;
    };
    for name in elts.iter().filter_map(name_of) {
        update(states, name, |value| value.without(Kinds::NONE));
    }
}

/// Returns `Some(true)` if a condition tests that `target` is `None`, and `Some(false)` if it tests that it is truthy or not `None`.
pub(super) fn none_test(expression: &Expr, target: &Expr) -> Option<bool> {
    let target = name_of(target)?;
    match expression {
        Expr::Name(name) => (name.id.as_str() == target).then_some(false),
        Expr::Compare(compare) => {
            let of_target = name_of(&compare.left) == Some(target);
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
pub(super) fn length_of<'a>(compare: &ExprCompare, operator: CmpOp, right: &Value<'a>, split: &mut Split<'a>) -> bool {
    let Expr::Call(call) = &*compare.left else { return false };
    let (Expr::Name(function), [Expr::Name(list)]) = (&*call.func, &call.arguments.args[..]) else { return false };
    if function.id.as_str() != "len" || !right.within(Kinds::NUMBER) || !right.interval.is_one() {
        return false;
    }
    let number = right.interval.low;
    // The minimum length if the condition holds, and if it does not.
    let least = match operator {
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
    for (states, (least, empty)) in [&mut split.yes, &mut split.no].into_iter().zip(least.into_iter().zip(most_is_none))
    {
        let filled = if empty { Some(false) } else { least.filter(|least| *least >= 1.0).map(|_| true) };
        if let Some(filled) = filled {
            update(states, &list.id, |value| match value.filled {
                Some(known) if known != filled => Value::never(),
                _ if value.kinds == Kinds::LIST || value.is_any() => Value { filled: Some(filled), ..value },
                _ => value,
            });
        }
    }
    true
}

/// Blurs the variables that a condition which is not followed may narrow: those that it mentions by name, or by longer names that contain
/// theirs.
pub(super) fn blur<'a>(condition: &'a Expr, split: &mut Split<'a>) {
    struct Mentioned<'m>(Vec<&'m str>);
    impl<'m> Visitor<'m> for Mentioned<'m> {
        fn visit_expr(&mut self, expression: &'m Expr) {
            match expression {
                Expr::Name(name) => self.0.push(&name.id),
                Expr::Attribute(attribute) => self.0.push(&attribute.attr),
                _ => {}
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut mentioned = Mentioned(Vec::new());
    mentioned.visit_expr(condition);
    let lower: Vec<String> = mentioned.0.iter().map(|name| name.to_lowercase()).collect();
    for state in split.yes.iter_mut().chain(&mut split.no) {
        for (name, value) in state.each_mut() {
            let open = value.kinds.has(Kinds::OBJECT) || (value.kinds.has(Kinds::NONE) && value.kinds != Kinds::NONE);
            let own = name.to_lowercase();
            // A short name is contained in many unrelated ones.
            let meant = |other: &String| *other == own || (own.len() > 2 && other.contains(&own));
            if open && lower.iter().any(meant) {
                value.blur();
            }
        }
    }
}
