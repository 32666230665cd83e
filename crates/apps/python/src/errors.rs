//! The exceptions, which are classes of `goalspec._errors`.

use goalspec::limits;
use goalspec::syntax::{Diagnostic, Sources};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::diagnostics;

/// Creates an exception of `goalspec._errors` with these arguments.
fn exception<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let class = py.import("goalspec._errors").and_then(|module| module.getattr(class));
    match class.and_then(|class| class.call1(arguments)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Returns a `CheckError` with these diagnostics.
pub(crate) fn check_error(py: Python<'_>, diagnostics: &[Diagnostic], sources: &Sources) -> PyErr {
    match diagnostics::to_python(py, diagnostics, sources) {
        Ok(list) => exception(py, "CheckError", (list,)),
        Err(error) => error,
    }
}

/// Returns a `ValueError` with this message.
pub(crate) fn value_error(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}

/// Returns a `TraceError` with a diagnostic and the number of its state from 1.
pub(crate) fn trace_error(py: Python<'_>, diagnostic: Diagnostic, state: Option<u64>) -> PyErr {
    match diagnostics::to_python(py, &[diagnostic], &Sources::new()).and_then(|list| list.get_item(0)) {
        Ok(diagnostic) => exception(py, "TraceError", (diagnostic, state)),
        Err(error) => error,
    }
}

/// Returns a `RefusedError` with the message of a diagnostic and its help.
pub(crate) fn refused_error(py: Python<'_>, diagnostic: &Diagnostic) -> PyErr {
    let diagnostic = limits::add_remedy(diagnostic.clone());
    let parts: Vec<&str> = std::iter::once(&diagnostic.message).chain(&diagnostic.help).map(String::as_str).collect();
    let exceeded = diagnostic.exceeded;
    let (limit, asked) = (exceeded.map(|exceeded| exceeded.limit), exceeded.and_then(|exceeded| exceeded.asked));
    exception(py, "RefusedError", (parts.join("; "), limit, asked))
}

/// Returns a `RewardError` of a reward function.
pub(crate) fn reward_error(py: Python<'_>, kind: &str, message: &str, line: Option<u32>) -> PyErr {
    exception(py, "RewardError", (kind, message, line))
}

/// Returns a `RefusedError` with this message.
pub(crate) fn refused(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "RefusedError", (message,))
}

/// Returns a `GameError` of the game of a seed and an index.
pub(crate) fn game_error(py: Python<'_>, message: &str, seed: u64, index: u64) -> PyErr {
    exception(py, "GameError", (message, seed, index))
}
