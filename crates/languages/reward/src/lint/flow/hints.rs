//! What conditions say of variables in other ways than by asking for one: of several at once, of how many there are, or of something that nobody knows.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{CmpOp, Expr, ExprCompare, ExprList, ExprTuple};

use super::conditions::{Split, name_of, update};
use super::env::Env;
use super::value::Value;
use crate::typed::types::Kinds;

/// `None in (a, b)`: where it does not hold, neither of them is.
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

/// Whether an expression says that a variable is `None`, or that it is not, or counts as true.
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

/// `len(xs) > 0` and the like: whether a list has elements.
pub(super) fn length_of<'a>(compare: &ExprCompare, operator: CmpOp, right: &Value<'a>, split: &mut Split<'a>) -> bool {
    let Expr::Call(call) = &*compare.left else { return false };
    let (Expr::Name(function), [Expr::Name(list)]) = (&*call.func, &call.arguments.args[..]) else { return false };
    if function.id.as_str() != "len" || !right.within(Kinds::NUMBER) || !right.interval.is_one() {
        return false;
    }
    let number = right.interval.low;
    // What a length has to be for the condition to hold, and for it not to.
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

/// A condition that is not followed may say something of the variables that it mentions, by their own names or by names made of them:
/// nothing more is said of what they might not be.
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
            // Short names are parts of any others.
            let meant = |other: &String| *other == own || (own.len() > 2 && other.contains(&own));
            if open && lower.iter().any(meant) {
                value.blur();
            }
        }
    }
}
