//! Syntax nodes in the notation of the language, on one line.

use std::fmt::Write as _;

use crate::ast::{Application, Condition, Name, Operand, TypedVariables};

/// The text for a node that could not be parsed.
pub(super) const UNPARSED: &str = "(part with a syntax error)";

pub(super) fn condition(condition: &Condition) -> String {
    let mut text = String::new();
    write_condition(&mut text, condition);
    text
}

/// Appends a condition to a single buffer. Concatenating the texts of nested parts would take time proportional to depth times
/// length.
fn write_condition(text: &mut String, condition: &Condition) {
    let list = |text: &mut String, operator: &str, parts: &[Condition]| {
        let _ = write!(text, "({operator}");
        for part in parts {
            text.push(' ');
            write_condition(text, part);
        }
        text.push(')');
    };
    let mut quantifier = |operator: &str, groups: &[TypedVariables], body: &Condition| {
        let _ = write!(text, "({operator} ({}) ", variables(groups));
        write_condition(text, body);
        text.push(')');
    };
    match condition {
        Condition::And(parts, _) => list(text, "and", parts),
        Condition::Or(parts, _) => list(text, "or", parts),
        Condition::Not(part, _) => list(text, "not", std::slice::from_ref(&**part)),
        Condition::Exists(groups, body, _) => quantifier("exists", groups, body),
        Condition::Forall(groups, body, _) => quantifier("forall", groups, body),
        Condition::Compare(comparison, sides, _) => {
            text.push_str(&self::list(comparison.symbol(), sides.iter().map(operand)));
        }
        Condition::AllEqual(operands, _) => text.push_str(&self::list("=", operands.iter().map(operand))),
        Condition::Predicate(application) => text.push_str(&self::application(application)),
        Condition::Error(_) => text.push_str(UNPARSED),
    }
}

pub(super) fn application(application: &Application) -> String {
    list(&application.name.text, application.arguments.iter().map(text))
}

fn operand(operand: &Operand) -> String {
    match operand {
        Operand::Number(number, _) => number.to_string(),
        Operand::Function(application) => self::application(application),
    }
}

/// Renders a variable list: `?a ?b - ball ?c - (either bed desk)`.
pub(super) fn variables(groups: &[TypedVariables]) -> String {
    let group = |group: &TypedVariables| {
        let names: Vec<_> = group.names.iter().map(text).collect();
        let types: Vec<_> = group.types.iter().map(text).collect();
        let types = if let [only] = &types[..] { only.clone() } else { list("either", types) };
        format!("{} - {types}", names.join(" "))
    };
    groups.iter().map(group).collect::<Vec<_>>().join(" ")
}

fn text(name: &Name) -> String {
    name.text.to_string()
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
