//! Helpers that attach source locations to diagnostics.

use goalspec_syntax::{Code, Diagnostic, NodeSpan, Severity};

/// Creates a diagnostic at a source location.
pub(crate) fn at(origin: NodeSpan, code: Code, severity: Severity, message: impl Into<String>) -> Diagnostic {
    Diagnostic { span: Some(origin.0), ..Diagnostic::new(code, severity, message) }
}

/// Adds a related source location.
pub(crate) fn related(diagnostic: Diagnostic, origin: NodeSpan, message: &str) -> Diagnostic {
    diagnostic.with_related(origin.0, message)
}
