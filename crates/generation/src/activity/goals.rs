//! Conjuncts of goals with other categories.

pub(super) mod conjuncts;

use std::sync::Arc;

use goalspec_bddl::ast::{Expr, ExprKind, Name};

/// Calls a function with each name of a condition that stands for a category, a variable or an instance.
pub(super) fn for_each_name(condition: &mut Expr, change: &mut impl FnMut(&mut Name)) {
    match &mut condition.kind {
        ExprKind::Atom(atom) => atom.arguments.iter_mut().for_each(change),
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter_mut().for_each(|part| for_each_name(part, change)),
        ExprKind::Imply(parts) => parts.iter_mut().for_each(|part| for_each_name(part, change)),
        ExprKind::Not(part) => for_each_name(part, change),
        ExprKind::Forall(variable, body) | ExprKind::Exists(variable, body) | ExprKind::ForN { variable, body, .. } => {
            change(&mut variable.name);
            change(&mut variable.category);
            for_each_name(body, change);
        }
        ExprKind::ForPairs { left, right, body, .. } => {
            for variable in [left, right] {
                change(&mut variable.name);
                change(&mut variable.category);
            }
            for_each_name(body, change);
        }
    }
}

/// Exchanges a category, with the variables and the instances that are named after it.
pub(super) fn exchange(condition: &mut Expr, old: &Arc<str>, new: &Arc<str>) {
    for_each_name(condition, &mut |name| {
        let number = name.text.strip_prefix(&**old).filter(|rest| rest.is_empty() || rest.starts_with('_'));
        if let Some(number) = number {
            name.text = format!("{new}{number}").into();
        }
    });
}
