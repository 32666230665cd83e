//! Renaming of the variables of conditions.

use goalspec_core::condition::{Condition, Expression, Term, Terms};
use goalspec_core::ids::VarId;

/// Returns a condition without quantifiers and connectives with its variables renamed.
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
