//! The variables of conditions: which are free, and conditions with others in their place.

use goalspec_core::condition::{Condition, Expression, Term, Terms};
use goalspec_core::ids::VarId;

/// Visits the free variables of a condition, in the order written, repetitions included.
pub(crate) fn visit_variables(condition: &Condition, hidden: &mut Vec<VarId>, visit: &mut impl FnMut(VarId)) {
    let mut quantifier = |variables: &[VarId], body: &Condition, visit: &mut _| {
        let depth = hidden.len();
        hidden.extend_from_slice(variables);
        visit_variables(body, hidden, visit);
        hidden.truncate(depth);
    };
    match condition {
        Condition::Constant(_) | Condition::FirstState | Condition::LastState => {}
        Condition::Exists(variables, body)
        | Condition::Forall(variables, body)
        | Condition::Count(_, variables, body) => {
            quantifier(variables, body, visit);
        }
        Condition::Pairing { left, right, body, .. } => quantifier(&[*left, *right], body, visit),
        Condition::Not(body) => visit_variables(body, hidden, visit),
        Condition::And(parts) | Condition::Or(parts) => {
            for part in parts {
                visit_variables(part, hidden, visit);
            }
        }
        Condition::Imply(parts) => parts.iter().for_each(|part| visit_variables(part, hidden, visit)),
        Condition::Atom(atom) => visit_terms(&atom.arguments, hidden, visit),
        Condition::Compare { sides, .. } => sides.iter().for_each(|side| visit_expression(side, hidden, visit)),
        Condition::AllEqual(parts, _) => parts.iter().for_each(|part| visit_expression(part, hidden, visit)),
        Condition::Distinct(left, right) => visit_terms(&[*left, *right], hidden, visit),
        Condition::InSetup(term, _) => visit_terms(&[*term], hidden, visit),
    }
}

fn visit_terms(terms: &[Term], hidden: &[VarId], visit: &mut impl FnMut(VarId)) {
    for term in terms {
        if let Term::Variable(variable) = term
            && !hidden.contains(variable)
        {
            visit(*variable);
        }
    }
}

fn visit_expression(expression: &Expression, hidden: &[VarId], visit: &mut impl FnMut(VarId)) {
    match expression {
        Expression::Number(_) => {}
        Expression::Call { arguments, .. } => visit_terms(arguments, hidden, visit),
        Expression::Add(parts) | Expression::Multiply(parts) => {
            for part in parts {
                visit_expression(part, hidden, visit);
            }
        }
        Expression::Subtract(parts) | Expression::Divide(parts) => {
            for part in &parts[..] {
                visit_expression(part, hidden, visit);
            }
        }
        Expression::Absolute(part) => visit_expression(part, hidden, visit),
    }
}

/// A condition without quantifiers and connectives, its variables renamed.
pub(crate) fn renamed(condition: &Condition, name: &impl Fn(VarId) -> VarId) -> Condition {
    let expressions = |parts: &[Expression]| parts.iter().map(|part| renamed_expression(part, name)).collect();
    let term = |term: Term| match term {
        Term::Variable(variable) => Term::Variable(name(variable)),
        other => other,
    };
    match condition {
        Condition::Compare { comparison, sides, origin } => Condition::Compare {
            comparison: *comparison,
            sides: Box::new(sides.each_ref().map(|side| renamed_expression(side, name))),
            origin: *origin,
        },
        Condition::AllEqual(parts, origin) => Condition::AllEqual(expressions(parts), *origin),
        Condition::Distinct(left, right) => Condition::Distinct(term(*left), term(*right)),
        Condition::InSetup(object, origin) => Condition::InSetup(term(*object), *origin),
        other => other.clone(),
    }
}

fn renamed_expression(expression: &Expression, name: &impl Fn(VarId) -> VarId) -> Expression {
    let list = |parts: &[Expression]| parts.iter().map(|part| renamed_expression(part, name)).collect();
    let pair = |parts: &[Expression; 2]| Box::new(parts.each_ref().map(|part| renamed_expression(part, name)));
    match expression {
        Expression::Number(number) => Expression::Number(*number),
        Expression::Call { function, arguments, origin } => {
            let arguments: Terms = arguments
                .iter()
                .map(|term| match *term {
                    Term::Variable(variable) => Term::Variable(name(variable)),
                    other => other,
                })
                .collect();
            Expression::Call { function: *function, arguments, origin: *origin }
        }
        Expression::Add(parts) => Expression::Add(list(parts)),
        Expression::Multiply(parts) => Expression::Multiply(list(parts)),
        Expression::Subtract(parts) => Expression::Subtract(pair(parts)),
        Expression::Divide(parts) => Expression::Divide(pair(parts)),
        Expression::Absolute(part) => Expression::Absolute(Box::new(renamed_expression(part, name))),
    }
}
