//! Where the authors' implementation stops with an error.

use std::borrow::Cow;

/// Why the authors' implementation stops: it then gives no score at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure(Cow<'static, str>);

impl Failure {
    /// A failure for this reason.
    pub(super) fn new(reason: impl Into<Cow<'static, str>>) -> Self {
        Self(reason.into())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
