//! Visitors of conditions, effects and expressions.

use crate::ast::{Action, Domain, Effect, EffectKind, Expr, ExprKind, Formula, FormulaKind, TypedNames};

/// A node of a domain or problem.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Node<'a> {
    /// A condition.
    Formula(&'a Formula),
    /// An effect.
    Effect(&'a Effect),
    /// A numeric expression, or a name in the position of one.
    Expr(&'a Expr),
    /// A typed list.
    Groups(&'a [TypedNames]),
}

/// Visits a formula and its descendants in preorder.
pub(crate) fn formula<'a>(whole: &'a Formula, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Formula(whole));
    match &whole.kind {
        FormulaKind::Atom(_) => {}
        FormulaKind::Compare(_, sides) => sides.iter().for_each(|side| expr(side, visit)),
        FormulaKind::And(parts) | FormulaKind::Or(parts) | FormulaKind::Trajectory(_, _, parts) => {
            for part in parts {
                formula(part, visit);
            }
        }
        FormulaKind::Imply(parts) => parts.iter().for_each(|part| formula(part, visit)),
        FormulaKind::Not(body) | FormulaKind::Preference(_, body) | FormulaKind::Timed(_, body) => formula(body, visit),
        FormulaKind::Forall(groups, body) | FormulaKind::Exists(groups, body) => {
            visit(Node::Groups(groups));
            formula(body, visit);
        }
    }
}

/// Visits an effect and its descendants in preorder.
pub(crate) fn effect<'a>(whole: &'a Effect, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Effect(whole));
    match &whole.kind {
        EffectKind::And(parts) => parts.iter().for_each(|part| effect(part, visit)),
        EffectKind::Forall(groups, body) => {
            visit(Node::Groups(groups));
            effect(body, visit);
        }
        EffectKind::When(condition, body) => {
            formula(condition, visit);
            effect(body, visit);
        }
        EffectKind::Add(_) | EffectKind::Delete(_) => {}
        EffectKind::Assign(_, _, value) => expr(value, visit),
        EffectKind::Timed(_, body) => effect(body, visit),
    }
}

/// Visits an expression and its descendants in preorder.
pub(crate) fn expr<'a>(whole: &'a Expr, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Expr(whole));
    match &whole.kind {
        ExprKind::Add(parts) | ExprKind::Multiply(parts) => parts.iter().for_each(|part| expr(part, visit)),
        ExprKind::Subtract(parts) | ExprKind::Divide(parts) => parts.iter().for_each(|part| expr(part, visit)),
        ExprKind::Negate(part) => expr(part, visit),
        ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Call(_) | ExprKind::IsViolated(_) => {}
    }
}

/// Visits all nodes of an action.
pub(crate) fn action<'a>(action: &'a Action, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Groups(&action.parameters));
    if let Some(duration) = action.duration.as_ref().and_then(|durative| durative.constraint.as_ref()) {
        formula(duration, visit);
    }
    if let Some(precondition) = &action.precondition {
        formula(precondition, visit);
    }
    if let Some(body) = &action.effect {
        effect(body, visit);
    }
}

/// Visits all nodes of the declarations and rules of a domain.
pub(crate) fn declarations<'a>(domain: &'a Domain, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Groups(&domain.constants));
    domain.predicates.iter().for_each(|decl| visit(Node::Groups(&decl.parameters)));
    domain.functions.iter().for_each(|decl| visit(Node::Groups(&decl.parameters)));
    for rule in &domain.derived {
        visit(Node::Groups(&rule.parameters));
        formula(&rule.body, visit);
    }
}

/// Visits all nodes of a domain.
pub(crate) fn domain<'a>(domain: &'a Domain, visit: &mut dyn FnMut(Node<'a>)) {
    declarations(domain, visit);
    domain.actions.iter().for_each(|one| action(one, visit));
    domain.constraints.iter().for_each(|constraints| formula(constraints, visit));
}
