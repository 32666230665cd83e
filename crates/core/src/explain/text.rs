//! Conditions as text, with variables replaced by the objects bound to them.

use super::term_text;
use crate::condition::{Cardinality, Condition, Expression, PairingRule, Term};
use crate::evaluate::Bindings;
use crate::ids::VarId;
use crate::world::World;

/// A language's notation for counting and pairing quantifiers. Variables are passed as declarations, `?b - ball`, and bodies as text.
pub trait Notation {
    /// Formats a counting quantifier.
    fn count(&self, amount: Cardinality, variables: &str, body: &str) -> String;

    /// Formats a quantifier over pairs.
    fn pairing(&self, rule: PairingRule, amount: Option<u32>, left: &str, right: &str, body: &str) -> String;
}

/// The notation of the core, which belongs to no language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreNotation;

impl Notation for CoreNotation {
    fn count(&self, amount: Cardinality, variables: &str, body: &str) -> String {
        match amount {
            Cardinality::AtLeast(amount) => format!("(at-least {amount} ({variables}) {body})"),
            Cardinality::Exactly(amount) => format!("(exactly {amount} ({variables}) {body})"),
        }
    }

    fn pairing(&self, rule: PairingRule, amount: Option<u32>, left: &str, right: &str, body: &str) -> String {
        let (some, all) = match rule {
            PairingRule::Matching => ("pairs", "all-pairs"),
            PairingRule::Covering => ("covers", "all-covered"),
        };
        let operator = amount.map_or(all.to_owned(), |amount| format!("{some} {amount}"));
        format!("({operator} ({left} {right}) {body})")
    }
}

/// Formats the condition as an s-expression in the core's notation: `(in bin_1 ball_2)`. Unbound variables appear by name.
pub fn condition_text(world: &World, condition: &Condition, bindings: &Bindings<'_>) -> String {
    condition_text_in(&CoreNotation, world, condition, bindings)
}

/// Formats the condition as an s-expression in the notation of a language. Unbound variables appear by name.
pub fn condition_text_in(
    notation: &dyn Notation,
    world: &World,
    condition: &Condition,
    bindings: &Bindings<'_>,
) -> String {
    let part = |part: &Condition| condition_text_in(notation, world, part, bindings);
    let declared = |variables: &[VarId]| declarations(world, variables, bindings);
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
        Condition::Exists(variables, body) => format!("(exists ({}) {})", declared(variables), part(body)),
        Condition::Forall(variables, body) => format!("(forall ({}) {})", declared(variables), part(body)),
        Condition::Count(amount, variables, body) => notation.count(*amount, &declared(variables), &part(body)),
        Condition::Pairing { rule, amount, left, right, body } => {
            notation.pairing(*rule, *amount, &declared(&[*left]), &declared(&[*right]), &part(body))
        }
    }
}

/// Formats the expression as an s-expression: `(distance ball_2 bin_1)`. Unbound variables appear by name.
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

/// Formats declarations of variables: `?b - ball ?c - (either bin box)`.
fn declarations(world: &World, variables: &[VarId], bindings: &Bindings<'_>) -> String {
    let declaration = |&variable: &VarId| {
        let variable = bindings.scope().get(variable);
        let types: Vec<_> = variable.types.iter().map(|&id| &*world.type_decl(id).name).collect();
        match &types[..] {
            [one] => format!("{} - {one}", variable.name),
            several => format!("{} - (either {})", variable.name, several.join(" ")),
        }
    };
    variables.iter().map(declaration).collect::<Vec<_>>().join(" ")
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
