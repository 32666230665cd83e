//! Errors that leave a play without a score.

use std::borrow::Cow;

/// An error that leaves a play without a score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlayError {
    reason: Cow<'static, str>,
    /// Whether this implementation reached one of its limits, rather than the authors' implementation stopping with an error.
    limit: bool,
    /// The number of the state, starting at 1; `None` before the first state.
    state: Option<u64>,
}

impl PlayError {
    /// Creates an error with which the authors' implementation stops.
    pub(super) fn new(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { reason: reason.into(), limit: false, state: None }
    }

    /// Creates the error for a program that could not be parsed.
    pub(super) fn syntax_error() -> Self {
        Self::new("the program has a syntax error")
    }

    /// Creates an error for a limit of this implementation. The authors' implementation has no such limit and uses more time or
    /// memory.
    pub(super) fn limit(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { limit: true, ..Self::new(reason) }
    }

    /// Adds the number of the state.
    pub(super) fn in_state(self, state: u64) -> Self {
        Self { state: Some(state), ..self }
    }
}

impl std::fmt::Display for PlayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cause = if self.limit { "limit exceeded" } else { "the authors' implementation fails" };
        match self.state {
            Some(state) => write!(f, "{cause} in state {state}: {}", self.reason),
            None => write!(f, "{cause}: {}", self.reason),
        }
    }
}
