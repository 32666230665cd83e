//! Conditions as text, variables replaced by what they are bound to.

use super::term_text;
use crate::condition::{Amount, Condition, Expression, PairingRule, Term};
use crate::evaluate::Bindings;
use crate::ids::VarId;
use crate::world::World;

/// The condition as an s-expression: `(in bin_1 ball_2)`. Unbound variables appear by name.
pub fn condition_text(world: &World, condition: &Condition, bindings: &Bindings<'_>) -> String {
    let part = |part: &Condition| condition_text(world, part, bindings);
    let number = |part: &Expression| expression_text(world, part, bindings);
    match condition {
        Condition::Constant(value) => value.to_string(),
        Condition::Atom(atom) => application(world, &world.predicate(atom.predicate).name, &atom.arguments, bindings),
        Condition::Compare { comparison, sides, .. } => {
            format!("({} {} {})", comparison.symbol(), number(&sides[0]), number(&sides[1]))
        }
        Condition::AllEqual(parts, _) => list("=", parts.iter().map(number)),
        Condition::Distinct(left, right) => application(world, "distinct", &[*left, *right], bindings),
        Condition::FirstState => "(first-state)".to_owned(),
        Condition::LastState => "(last-state)".to_owned(),
        Condition::InSetup(term, _) => application(world, "in-setup", &[*term], bindings),
        Condition::Not(body) => list("not", [part(body)]),
        Condition::And(parts) => list("and", parts.iter().map(part)),
        Condition::Or(parts) => list("or", parts.iter().map(part)),
        Condition::Imply(parts) => list("imply", parts.iter().map(part)),
        Condition::Exists(variables, body) => quantified(world, "exists", variables, body, bindings),
        Condition::Forall(variables, body) => quantified(world, "forall", variables, body, bindings),
        Condition::Count(Amount::AtLeast(amount), variables, body) => {
            quantified(world, &format!("at-least {amount}"), variables, body, bindings)
        }
        Condition::Count(Amount::Exactly(amount), variables, body) => {
            quantified(world, &format!("exactly {amount}"), variables, body, bindings)
        }
        Condition::Pairing { rule, amount, left, right, body } => {
            let (some, all) = match rule {
                PairingRule::Matching => ("pairs", "all-pairs"),
                PairingRule::Covering => ("covers", "all-covered"),
            };
            let operator = amount.map_or(all.to_owned(), |amount| format!("{some} {amount}"));
            quantified(world, &operator, &[*left, *right], body, bindings)
        }
    }
}

/// The expression as an s-expression: `(distance ball_2 bin_1)`. Unbound variables appear by name.
pub fn expression_text(world: &World, expression: &Expression, bindings: &Bindings<'_>) -> String {
    let part = |part: &Expression| expression_text(world, part, bindings);
    match expression {
        Expression::Number(number) => number.to_string(),
        Expression::Call { function, arguments, .. } => {
            application(world, &world.function(*function).name, arguments, bindings)
        }
        Expression::Add(parts) => list("+", parts.iter().map(part)),
        Expression::Multiply(parts) => list("*", parts.iter().map(part)),
        Expression::Subtract(parts) => list("-", parts.iter().map(part)),
        Expression::Divide(parts) => list("/", parts.iter().map(part)),
        Expression::Absolute(body) => list("abs", [part(body)]),
    }
}

fn application(world: &World, name: &str, arguments: &[Term], bindings: &Bindings<'_>) -> String {
    list(name, arguments.iter().map(|&term| term_text(world, term, bindings).to_owned()))
}

fn quantified(world: &World, operator: &str, variables: &[VarId], body: &Condition, bindings: &Bindings<'_>) -> String {
    let declaration = |&variable: &VarId| {
        let variable = bindings.scope().get(variable);
        let types = variable.types.iter().map(|&id| world.type_decl(id).name.to_string());
        let types: Vec<_> = types.collect();
        match &types[..] {
            [one] => format!("{} - {one}", variable.name),
            several => format!("{} - (either {})", variable.name, several.join(" ")),
        }
    };
    let declarations: Vec<_> = variables.iter().map(declaration).collect();
    format!("({operator} ({}) {})", declarations.join(" "), condition_text(world, body, bindings))
}

fn list(operator: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("({operator}");
    for part in parts {
        text.push(' ');
        text.push_str(&part);
    }
    text.push(')');
    text
}
