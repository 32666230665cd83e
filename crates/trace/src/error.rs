//! The error type of trace readers and writers.

use std::fmt;

use goalspec_syntax::diagnostic::QuotedLine;
use goalspec_syntax::{Code, Diagnostic, Severity};

/// An error that ended the reading or writing of a trace, as one diagnostic. States returned before it are sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceError(Box<Diagnostic>);

/// The result of reading or writing a trace.
pub type Result<T> = std::result::Result<T, TraceError>;

impl TraceError {
    /// Creates an error with a code and a message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self(Box::new(Diagnostic::new(code, Severity::Error, message)))
    }

    /// Adds a sentence of help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help.push(help.into());
        self
    }

    /// Sets the quoted line of the trace.
    #[must_use]
    pub(crate) fn with_quote(mut self, quote: Option<QuotedLine>) -> Self {
        self.0.quote = quote.map(Box::new);
        self
    }

    /// Returns the code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Returns the diagnostic.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.0
    }

    /// Converts the error into its diagnostic.
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

impl From<TraceError> for Box<Diagnostic> {
    fn from(error: TraceError) -> Self {
        error.0
    }
}
