//! The result of parsing a short text, such as a constraint or an expression.

use std::ops::Range;

use goalspec_syntax::diagnostic::{Code, Severity};

/// The value of a short text, if any, and the faults found in it.
#[derive(Debug, Clone, PartialEq)]
pub struct FragmentResult<T> {
    /// The parsed value.
    pub value: Option<T>,
    /// The faults, in the order of detection.
    pub diagnostics: Vec<FragmentDiagnostic>,
}

/// A fault in a short text, with a byte range in that text instead of a span in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FragmentDiagnostic {
    /// The diagnostic code.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// The byte range in the text; empty for a position between two bytes.
    pub range: Range<usize>,
    /// The message: the text found and the text expected.
    pub message: String,
    /// A suggestion for fixing the fault.
    pub help: Option<String>,
}

impl FragmentDiagnostic {
    /// Creates an error.
    pub fn error(code: Code, range: Range<usize>, message: impl Into<String>) -> Self {
        Self { code, severity: Severity::Error, range, message: message.into(), help: None }
    }

    /// Creates a warning.
    pub fn warning(code: Code, range: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, range, message) }
    }

    /// Returns the fault with a help text.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl<T> FragmentResult<T> {
    /// Whether there is an error among the faults.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|fault| fault.severity == Severity::Error)
    }
}
