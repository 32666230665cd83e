//! Why a trace cannot be read further.

use std::fmt;

use goalspec_syntax::diagnostic::Quote;
use goalspec_syntax::{Code, Diagnostic, Severity};

/// The error that ended a reading or writing: one diagnostic. States handed out before it are sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceError(Box<Diagnostic>);

/// What readers and writers return.
pub type Result<T> = std::result::Result<T, TraceError>;

impl TraceError {
    /// An error with this code and message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self(Box::new(Diagnostic::new(code, Severity::Error, message)))
    }

    /// Adds a sentence of help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help.push(help.into());
        self
    }

    /// Adds the line that it is about.
    #[must_use]
    pub(crate) fn with_quote(mut self, quote: Option<Quote>) -> Self {
        self.0.quote = quote.map(Box::new);
        self
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The diagnostic to show.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.0
    }

    /// The diagnostic to keep.
    pub fn into_diagnostic(self) -> Diagnostic {
        *self.0
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.0.message, self.0.code)
    }
}

impl std::error::Error for TraceError {}
