//! Where there is no score.

use std::borrow::Cow;

/// Why a play has no score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    reason: Cow<'static, str>,
    /// Whether it is this implementation that stops, at one of its limits, and not the authors'.
    limit: bool,
    /// The state, from 1; nothing before the first.
    state: Option<u64>,
}

impl Failure {
    /// The authors' implementation stops with an error.
    pub(super) fn new(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { reason: reason.into(), limit: false, state: None }
    }

    /// A limit of this implementation is reached; the authors' takes more time or memory, or all there is.
    pub(super) fn limit(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { limit: true, ..Self::new(reason) }
    }

    /// The same, in this state.
    pub(super) fn in_state(self, state: u64) -> Self {
        Self { state: Some(state), ..self }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = if self.limit { "too much to compute" } else { "the authors' implementation stops with an error" };
        match self.state {
            Some(state) => write!(f, "{what} in state {state}: {}", self.reason),
            None => write!(f, "{what}: {}", self.reason),
        }
    }
}
