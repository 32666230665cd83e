//! Pieces of a program as it writes them, on one line.

use crate::ast::{Application, Condition, Name, Operand, Variables};

pub(super) fn condition(condition: &Condition) -> String {
    let all = |operator: &str, parts: &[Condition]| list(operator, parts.iter().map(self::condition));
    match condition {
        Condition::And(parts, _) => all("and", parts),
        Condition::Or(parts, _) => all("or", parts),
        Condition::Not(part, _) => list("not", [self::condition(part)]),
        Condition::Exists(groups, body, _) => {
            list("exists", [format!("({})", variables(groups)), self::condition(body)])
        }
        Condition::Forall(groups, body, _) => {
            list("forall", [format!("({})", variables(groups)), self::condition(body)])
        }
        Condition::Compare(comparison, sides, _) => list(comparison.symbol(), sides.iter().map(operand)),
        Condition::AllEqual(operands, _) => list("=", operands.iter().map(operand)),
        Condition::Predicate(application) => self::application(application),
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

/// `?a ?b - ball ?c - (either bed desk)`.
pub(super) fn variables(groups: &[Variables]) -> String {
    let group = |group: &Variables| {
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
