//! Collection of check results: verdicts and diagnostics.

use std::fmt::Write as _;

use goalspec_syntax::Diagnostic;

use super::status::{Check, CheckStatus, CheckStatuses};
use crate::ast::{Atom, Name};

/// The verdicts and diagnostics of the checks that have run.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) verdicts: CheckStatuses,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Findings {
    /// Marks checks as failed; the reason is reported elsewhere.
    pub(super) fn fail(&mut self, checks: &[Check]) {
        for &check in checks {
            self.verdicts.set(check, CheckStatus::Failed);
        }
    }

    /// Marks a check as skipped.
    pub(super) fn skip(&mut self, check: Check) {
        self.verdicts.set(check, CheckStatus::Skipped);
    }

    /// Reports a diagnostic, and marks `checks` as failed.
    pub(super) fn report(&mut self, checks: &[Check], diagnostic: Diagnostic) {
        self.fail(checks);
        self.diagnostics.push(diagnostic);
    }
}

/// Prints an atom in BDDL syntax.
pub(super) fn atom_text(atom: &Atom) -> String {
    let mut text = format!("({}", atom.predicate.text);
    for argument in &atom.arguments {
        // Writing to a string cannot fail.
        let _ = write!(text, " {}", argument.text);
    }
    text.push(')');
    text
}

/// Returns the category part of an instance name: `apple.n.01` of `apple.n.01_2` and of `apple.n.01_*`.
pub(super) fn category_of(instance: &str) -> Option<&str> {
    let category = instance.strip_suffix('*').or_else(|| without_number(instance))?.strip_suffix('_')?;
    is_synset(category).then_some(category)
}

/// Whether an instance is named after the given category, with a number or `*`.
pub(super) fn is_named_after(instance: &str, category: &str) -> bool {
    let is_number = |rest: &str| rest == "*" || without_number(rest) == Some("");
    instance.strip_prefix(category).and_then(|rest| rest.strip_prefix('_')).is_some_and(is_number)
}

/// Returns the part of a name before its trailing digits, or `None` if it has none.
fn without_number(name: &str) -> Option<&str> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| &name[..name.len() - digits])
}

/// Whether a name has the form of a synset: letters, `-` and `_`, then `.n.` and digits.
pub(super) fn is_synset(name: &str) -> bool {
    let Some(word) = without_number(name).and_then(|rest| rest.strip_suffix(".n.")) else { return false };
    let in_word = |byte: u8| byte.is_ascii_alphabetic() || byte == b'-' || byte == b'_';
    !word.is_empty() && word.bytes().all(in_word)
}

/// Returns a comma-separated list of names in backticks.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// Returns a name in backticks.
pub(super) fn quoted(name: &Name) -> String {
    format!("`{}`", name.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_form_of_synsets() {
        assert_eq!(category_of("swiss_cheese.n.01_12"), Some("swiss_cheese.n.01"));
        assert_eq!(category_of("deep-freeze.n.02_*"), Some("deep-freeze.n.02"));
        for invalid in ["apple.n.01", "apple.n.01_", "apple.n.01_a", "apple_1", ".n.01_1", "apple.n._1", "apple.v.01_1"]
        {
            assert_eq!(category_of(invalid), None, "{invalid}");
        }
        for instance in ["apple.n.01_1", "apple.n.01_*"] {
            assert!(is_named_after(instance, "apple.n.01"), "{instance}");
        }
        for other in ["pear.n.01_1", "apple.n.01", "apple.n.01_", "apple.n.01_a", "apple.n.01_1_1", "apple.n.012"] {
            assert!(!is_named_after(other, "apple.n.01"), "{other}");
        }
    }
}
