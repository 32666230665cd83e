//! Helpers that attach source locations to diagnostics.

use goalspec_core::condition::Origin;
use goalspec_syntax::{Code, Diagnostic, Severity};

/// Creates a diagnostic at a source location, if it is known.
pub(crate) fn at(origin: Origin, code: Code, severity: Severity, message: impl Into<String>) -> Diagnostic {
    Diagnostic { span: origin.0, ..Diagnostic::new(code, severity, message) }
}

/// Adds a related source location, if it is known.
pub(crate) fn related(diagnostic: Diagnostic, origin: Origin, message: &str) -> Diagnostic {
    match origin.0 {
        Some(span) => diagnostic.with_related(span, message),
        None => diagnostic,
    }
}
