//! What comes of reading a short text.

use std::ops::Range;

use goalspec_syntax::diagnostic::{Code, Severity};

/// What was read, if anything, and what there is to say about the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<T> {
    /// What was read.
    pub value: Option<T>,
    /// What is wrong with the text, in the order in which it was found.
    pub faults: Vec<Fault>,
}

/// Something wrong with a text, before it is known where in a file the text stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The kind of finding.
    pub code: Code,
    /// How serious it is.
    pub severity: Severity,
    /// The bytes of the text that it is about; empty for a place between two.
    pub range: Range<usize>,
    /// What was written and what was expected.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Fault {
    /// An error.
    pub fn error(code: Code, range: Range<usize>, message: impl Into<String>) -> Self {
        Self { code, severity: Severity::Error, range, message: message.into(), help: None }
    }

    /// A warning.
    pub fn warning(code: Code, range: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, range, message) }
    }

    /// The same with a sentence of help.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl<T> Reading<T> {
    /// Whether the text is refused.
    pub fn is_refused(&self) -> bool {
        self.faults.iter().any(|fault| fault.severity == Severity::Error)
    }
}
