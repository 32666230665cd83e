//! Activities as texts.

use std::fmt::Write as _;

use goalspec_bddl::ast::{Atom, Expr, ExprKind, Variable};

use super::scene::Scene;

/// Returns the text of an activity.
pub(super) fn activity(name: &str, domain: &str, scene: &Scene, goal: &[Expr]) -> String {
    let domain = if domain.is_empty() { String::new() } else { format!("    (:domain {domain})\n") };
    let mut text = format!("(define (problem {name}-0)\n{domain}\n    (:objects\n");
    for (category, instances) in &scene.groups {
        let _ = writeln!(text, "        {} - {category}", instances.join(" "));
    }
    text.push_str("    )\n\n    (:init\n");
    for literal in &scene.init {
        let atom = atom_text(&literal.atom, "");
        let _ =
            if literal.positive { writeln!(text, "        {atom}") } else { writeln!(text, "        (not {atom})") };
    }
    text.push_str("    )\n\n    (:goal (and\n");
    for conjunct in goal {
        let _ = writeln!(text, "        {}", condition(conjunct));
    }
    text.push_str("    ))\n)\n");
    text
}

fn atom_text(atom: &Atom, prefix: &str) -> String {
    let mut text = format!("({}", atom.predicate.text);
    for argument in &atom.arguments {
        let _ = write!(text, " {prefix}{}", argument.text);
    }
    text.push(')');
    text
}

fn variable_text(variable: &Variable) -> String {
    format!("(?{} - {})", variable.name.text, variable.category.text)
}

/// Returns a condition as text. The recursion depth is that of the condition, which the parser bounds.
fn condition(expression: &Expr) -> String {
    let joined = |word: &str, parts: &[Expr]| {
        let parts: Vec<String> = parts.iter().map(condition).collect();
        format!("({word} {})", parts.join(" "))
    };
    match &expression.kind {
        ExprKind::Atom(atom) => atom_text(atom, "?"),
        ExprKind::Not(body) => format!("(not {})", condition(body)),
        ExprKind::And(parts) => joined("and", parts),
        ExprKind::Or(parts) => joined("or", parts),
        ExprKind::Imply(parts) => joined("imply", &parts[..]),
        ExprKind::Forall(variable, body) => format!("(forall {} {})", variable_text(variable), condition(body)),
        ExprKind::Exists(variable, body) => format!("(exists {} {})", variable_text(variable), condition(body)),
        ExprKind::ForN { amount, variable, body } => {
            format!("(forn ({amount}) {} {})", variable_text(variable), condition(body))
        }
        ExprKind::ForPairs { amount: None, left, right, body } => {
            format!("(forpairs {} {} {})", variable_text(left), variable_text(right), condition(body))
        }
        ExprKind::ForPairs { amount: Some(amount), left, right, body } => {
            format!("(fornpairs ({amount}) {} {} {})", variable_text(left), variable_text(right), condition(body))
        }
    }
}
