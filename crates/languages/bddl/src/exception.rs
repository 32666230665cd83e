//! The exceptions that the Python releases raise.

use std::fmt;

use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};

use crate::codes;

/// An exception that a release raises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// The class of the exception.
    pub kind: ExceptionKind,
    /// The message, as Python's `str` returns it.
    pub message: String,
    /// The lines that were printed before the exception was raised.
    pub printed_lines: Vec<PrintedLine>,
    /// The construct of the text at which the exception was raised, if it is known. The releases do not report it.
    pub span: Option<Span>,
}

/// The class of an [`Exception`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are Python's")]
pub enum ExceptionKind {
    Exception,
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    NotImplementedError,
    RecursionError,
    TypeError,
    UncontrolledCategoryError,
    UnsupportedPredicateError,
    ValueError,
}

/// A line that a release prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedLine {
    /// The line, without the line end.
    pub text: String,
    /// The construct of the text that the line is about. The releases do not report it.
    pub span: Span,
}

impl Exception {
    /// Creates an exception without a span.
    pub(crate) fn new(kind: ExceptionKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), printed_lines: Vec::new(), span: None }
    }

    /// Creates an exception of the general class.
    pub(crate) fn general(message: impl Into<String>) -> Self {
        Self::new(ExceptionKind::Exception, message)
    }

    /// Creates the exception for an index out of range.
    pub(crate) fn index() -> Self {
        Self::new(ExceptionKind::IndexError, "list index out of range")
    }

    /// Creates the exception for popping from an empty list.
    pub(crate) fn empty() -> Self {
        Self::new(ExceptionKind::IndexError, "pop from empty list")
    }

    /// Creates the exception for a list as a dictionary key.
    pub(crate) fn unhashable() -> Self {
        Self::new(ExceptionKind::TypeError, "unhashable type: 'list'")
    }

    /// Sets the span, unless it is already known: the innermost construct is the most precise one.
    #[must_use]
    pub(crate) fn with_span(self, span: Span) -> Self {
        Self { span: self.span.or(Some(span)), ..self }
    }

    /// Sets the lines that were printed before the exception was raised.
    #[must_use]
    pub(crate) fn with_printed_lines(self, printed_lines: Vec<PrintedLine>) -> Self {
        Self { printed_lines, ..self }
    }

    /// Adds the lines that were printed before those of the exception itself.
    #[must_use]
    pub(crate) fn with_earlier_lines(self, mut earlier: Vec<PrintedLine>) -> Self {
        earlier.extend(self.printed_lines);
        Self { printed_lines: earlier, ..self }
    }

    /// Returns the diagnostic of the exception, at the beginning of the text if its span is not known.
    pub(crate) fn diagnostic(&self, source: &SourceFile) -> Diagnostic {
        let span = self.span.unwrap_or_else(|| Span::new(source.id(), 0, 0));
        Diagnostic::error(codes::RELEASE_EXCEPTION, span, format!("the release raises {self}"))
    }
}

impl PrintedLine {
    /// Returns the diagnostic of the line.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let message = format!("the release prints `{}`", self.text);
        Diagnostic { span: Some(self.span), ..Diagnostic::new(codes::RELEASE_OUTPUT, Severity::Note, message) }
    }
}

impl fmt::Display for ExceptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl fmt::Display for Exception {
    /// Formats the exception as the last line of a traceback: `IndexError: list index out of range`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

impl std::error::Error for Exception {}
