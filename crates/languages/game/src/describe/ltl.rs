//! The translation of `then` into linear temporal logic.
//!
//! As the text that defines the language has it: `(once p)` is `p X ..`, `(hold p)` is `p U ..`, `(hold-while p a b ..)` is
//! `(p M a) X (p M b) X .. X p U ..`, and the last operand is true. All operators associate to the right.

use std::fmt::Write as _;

use super::source;
use crate::ast::{Body, Condition, Game, Preference, SeqFunc, Variables};

/// Conditions that have got a letter, in the order of their letters.
#[derive(Default)]
struct Letters<'a> {
    conditions: Vec<&'a Condition>,
}

/// How a formula is written where it is an operand.
struct Written {
    text: String,
    /// Whether it needs parentheses there.
    compound: bool,
}

impl Written {
    fn operand(self) -> String {
        if self.compound { format!("({})", self.text) } else { self.text }
    }
}

/// Every preference as a formula, with a legend of its letters.
pub(super) fn game(game: &Game) -> String {
    let parts: Vec<_> = game.preferences().map(|(external, preference)| one(external, preference)).collect();
    parts.join("\n")
}

fn one(external: &[Variables], preference: &Preference) -> String {
    let mut letters = Letters::default();
    let formula = match &preference.body {
        Body::Then(operators, _) => letters.sequence(operators),
        Body::AtEnd(condition, _) => format!("F ({} ∧ ¬X ⊤)", letters.condition(condition).operand()),
    };
    let mut text = preference.name.text.to_string();
    if !external.is_empty() {
        let _ = write!(text, "  for each ({})", source::variables(external));
    }
    if let Some(quantifier) = &preference.quantifier {
        let word = match quantifier.kind {
            goalspec_core::program::Quantifier::Exists => "exists",
            goalspec_core::program::Quantifier::Forall => "forall",
        };
        let _ = write!(text, "  {word} ({})", source::variables(&quantifier.variables));
    }
    let _ = writeln!(text, "\n    {formula}");
    for (index, condition) in letters.conditions.iter().enumerate() {
        let _ = writeln!(text, "    {} := {}", letter(index), source::condition(condition));
    }
    text
}

/// `a` to `z`, then `a1` and so on.
fn letter(index: usize) -> String {
    let base = char::from(b'a' + (index % 26) as u8);
    match index / 26 {
        0 => base.to_string(),
        round => format!("{base}{round}"),
    }
}

impl<'a> Letters<'a> {
    fn sequence(&mut self, operators: &'a [SeqFunc]) -> String {
        let mut text = String::new();
        for operator in operators {
            let condition = self.condition(operator.condition()).operand();
            match operator {
                SeqFunc::Once(..) | SeqFunc::OnceMeasure(..) => drop(write!(text, "{condition} X ")),
                SeqFunc::Hold(..) => drop(write!(text, "{condition} U ")),
                SeqFunc::HoldWhile(_, events, _) => {
                    for event in events {
                        let event = self.condition(event).operand();
                        let _ = write!(text, "({condition} M {event}) X ");
                    }
                    let _ = write!(text, "{condition} U ");
                }
            }
        }
        text.push('⊤');
        text
    }

    fn condition(&mut self, condition: &'a Condition) -> Written {
        match condition {
            Condition::And(parts, _) => self.joined(parts, " ∧ "),
            Condition::Or(parts, _) => self.joined(parts, " ∨ "),
            Condition::Not(part, _) => Written { text: format!("¬{}", self.inner(part)), compound: true },
            Condition::Exists(..)
            | Condition::Forall(..)
            | Condition::Compare(..)
            | Condition::AllEqual(..)
            | Condition::Predicate(_) => {
                let known = self.conditions.iter().position(|&known| known == condition);
                let index = known.unwrap_or_else(|| {
                    self.conditions.push(condition);
                    self.conditions.len() - 1
                });
                Written { text: letter(index), compound: false }
            }
        }
    }

    fn joined(&mut self, parts: &'a [Condition], operator: &str) -> Written {
        let parts: Vec<_> = parts.iter().map(|part| self.inner(part)).collect();
        Written { text: parts.join(operator), compound: true }
    }

    /// As part of another condition, where a negation binds tightly enough.
    fn inner(&mut self, condition: &'a Condition) -> String {
        let written = self.condition(condition);
        if matches!(condition, Condition::Not(..)) { written.text } else { written.operand() }
    }
}
