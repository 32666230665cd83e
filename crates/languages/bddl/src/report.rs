//! Diagnostics at the places of the pieces of a problem.

use goalspec_core::condition::Origin;
use goalspec_syntax::{Code, Diagnostic, Severity};

/// A diagnostic at the place of a piece, if it has one.
pub(crate) fn at(origin: Origin, code: Code, severity: Severity, message: impl Into<String>) -> Diagnostic {
    Diagnostic { span: origin.0, ..Diagnostic::new(code, severity, message) }
}

/// Adds a second place, if it is known.
pub(crate) fn related(diagnostic: Diagnostic, origin: Origin, message: &str) -> Diagnostic {
    match origin.0 {
        Some(span) => diagnostic.with_related(span, message),
        None => diagnostic,
    }
}
