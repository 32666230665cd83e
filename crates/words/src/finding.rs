//! Findings about a reply or the program in it, in a form that a record keeps and a language model reads.

use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};
use serde::{Deserialize, Serialize};

use crate::candidate::Stage;

/// The severity of a finding, and whether it is a reason for a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// Information for the record; no reason for a repair.
    Note,
    /// A probable mistake: a reason for a repair, and listed with a program that is accepted.
    Warning,
    /// A reason to reject the program.
    Error,
}

impl Weight {
    /// Returns the name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl From<Severity> for Weight {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Note => Self::Note,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

/// A place in a program, as shown to a language model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The text of the line, trimmed.
    pub text: String,
}

impl Place {
    /// Returns the place of the start of a span.
    pub fn of(source: &SourceFile, span: Span) -> Self {
        let (line, column) = source.line_column(span.start);
        Self { line, column, text: truncated(source.text()[source.line_range(line)].trim(), MAX_LINE_BYTES) }
    }
}

/// The maximum number of bytes of a quoted line.
const MAX_LINE_BYTES: usize = 200;

/// Returns a text that has at most `max` bytes; a mark stands for the rest.
pub(crate) fn truncated(text: &str, max: usize) -> String {
    if text.len() <= max { text.to_owned() } else { format!("{}…", &text[..text.floor_char_boundary(max)]) }
}

/// A finding about a reply or its program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The stage that found it.
    pub stage: Stage,
    /// The code, such as `reward/unknown-name`.
    pub code: String,
    /// The weight.
    pub weight: Weight,
    /// The message: one sentence without a full stop.
    pub message: String,
    /// The place in the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The evidence, in words with numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// Advice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub help: Vec<String>,
}

impl Finding {
    /// Creates a finding without a place.
    pub fn new(stage: Stage, code: &str, weight: Weight, message: impl Into<String>) -> Self {
        let (code, message) = (code.to_owned(), message.into());
        Self { stage, code, weight, message, place: None, evidence: Vec::new(), help: Vec::new() }
    }

    /// Adds a piece of advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds a piece of evidence.
    #[must_use]
    pub fn with_evidence(mut self, evidence: impl Into<String>) -> Self {
        self.evidence.push(evidence.into());
        self
    }

    /// Converts a diagnostic about the program of `source`.
    pub fn from_diagnostic(stage: Stage, source: &SourceFile, diagnostic: &Diagnostic) -> Self {
        let own = diagnostic.span.filter(|span| span.source == source.id());
        let mut finding = Self::new(stage, diagnostic.code.0, diagnostic.severity.into(), diagnostic.message.clone());
        finding.place = own.map(|span| Place::of(source, span));
        finding.help.clone_from(&diagnostic.help);
        finding
    }

    /// Returns the identity of the finding, by which the finding of an earlier attempt is recognised: the code and the message, in which
    /// numbers outside of quoted code count as equal.
    pub fn key(&self) -> String {
        let mut key = format!("{} ", self.code);
        for (index, part) in self.message.split('`').enumerate() {
            if index % 2 == 1 {
                key.push_str(part);
            } else {
                key.extend(part.chars().filter(|c| !c.is_ascii_digit()));
            }
        }
        key
    }

    /// Whether the finding is a reason for a repair.
    pub fn needs_repair(&self) -> bool {
        self.weight > Weight::Note
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_the_same_if_only_counts_differ() {
        let finding = |message: &str| Finding::new(Stage::Run, "reward/raises", Weight::Error, message).key();
        assert_eq!(finding("no reward for 12 of 40 frames in `x`"), finding("no reward for 9 of 40 frames in `x`"));
        assert_ne!(finding("`y <= 0` is never true"), finding("`y <= 5` is never true"));
    }
}
