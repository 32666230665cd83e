//! The one diagnostic type of all languages, engines and readers.

use std::ops::Range;
use std::sync::Arc;

use crate::limits::MAX_QUOTE_BYTES;
use crate::source::{SourceFile, Span};

/// How serious a diagnostic is. Only errors keep a program from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A remark that needs no action.
    Note,
    /// The program runs but probably does not say what was meant.
    Warning,
    /// What stands here has no meaning; it is left out.
    Error,
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A stable name of a kind of diagnostic, such as `game/unbound-variable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// What `goalspec explain CODE` prints: the documentation of one code, written where the code is defined.
#[derive(Debug, Clone, Copy)]
pub struct CodeDoc {
    /// The code.
    pub code: Code,
    /// Severity when nothing else is said.
    pub severity: Severity,
    /// One line: what was found.
    pub summary: &'static str,
    /// Markdown: why it is bad, an example, and what to write instead.
    pub explanation: &'static str,
}

/// Defines diagnostic codes with their documentation, and `ALL`, the list of them.
///
/// ```
/// goalspec_syntax::codes! {
///     /// A variable that no quantifier binds.
///     UNBOUND = "demo/unbound", Error,
///     "The variable has no type, so nothing can be bound to it.\n\nExample: ...";
/// }
/// assert_eq!(ALL[0].code, UNBOUND);
/// assert_eq!(ALL[0].summary, "A variable that no quantifier binds.");
/// ```
#[macro_export]
macro_rules! codes {
    ($(#[doc = $summary:literal] $name:ident = $code:literal, $severity:ident, $explanation:expr;)*) => {
        $(#[doc = $summary] pub const $name: $crate::diagnostic::Code = $crate::diagnostic::Code($code);)*

        /// The documentation of every code defined here.
        pub const ALL: &[$crate::diagnostic::CodeDoc] = &[$($crate::diagnostic::CodeDoc {
            code: $name,
            severity: $crate::diagnostic::Severity::$severity,
            summary: $summary.trim_ascii(),
            explanation: $explanation,
        }),*];
    };
}

/// A second place that helps to understand a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub span: Span,
    /// What there is to see.
    pub message: String,
}

/// A line that a diagnostic brings along, because it is of no text that is kept: of a stream, say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    pub(crate) file: SourceFile,
    pub(crate) range: Range<usize>,
}

impl Quote {
    /// A line with this number, and which of its bytes are meant. `None` if the line is longer than [`MAX_QUOTE_BYTES`].
    pub fn new(name: &str, line: &str, number: usize, range: Range<usize>) -> Option<Self> {
        let file = || SourceFile::piece(name.into(), line.into(), number.max(1));
        (line.len() <= MAX_QUOTE_BYTES).then(|| Self { file: file(), range })
    }

    /// The line.
    pub fn text(&self) -> &str {
        self.file.text()
    }

    /// Says what the line is of.
    pub fn rename(&mut self, name: impl Into<Arc<str>>) {
        self.file.rename(name.into());
    }
}

/// Whether a fix may be applied without a person looking at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applicability {
    /// The fixed program means what was meant.
    Safe,
    /// The fix is a guess.
    Unsafe,
}

/// One replacement of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// What takes its place; empty to delete.
    pub replacement: String,
}

/// A change that removes the cause of a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the fix does, as an instruction: "rename to `?ball`".
    pub title: String,
    /// Whether it is safe.
    pub applicability: Applicability,
    /// The replacements; they do not overlap.
    pub edits: Vec<Edit>,
}

/// Something to say about a program, a trace or a world: what was found, where, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of finding.
    pub code: Code,
    /// How serious it is.
    pub severity: Severity,
    /// What the user wrote and what was expected, in one sentence without a full stop.
    pub message: String,
    /// The place; `None` for findings about a whole input.
    pub span: Option<Span>,
    /// The place where it is in no text that is kept.
    pub quote: Option<Box<Quote>>,
    /// A short remark drawn at the place itself.
    pub label: Option<String>,
    /// Further places.
    pub related: Vec<Related>,
    /// What to do about it, one sentence each.
    pub help: Vec<String>,
    /// Machine-applicable changes.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A diagnostic without a place.
    pub fn new(code: Code, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            span: None,
            quote: None,
            label: None,
            related: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// An error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { span: Some(span), ..Self::new(code, Severity::Error, message) }
    }

    /// A warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { span: Some(span), ..Self::new(code, Severity::Warning, message) }
    }

    /// A note at a place.
    pub fn note(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { span: Some(span), ..Self::new(code, Severity::Note, message) }
    }

    /// Adds the line that the place lies in, where no text is kept.
    #[must_use]
    pub fn with_quote(mut self, quote: Quote) -> Self {
        self.quote = Some(Box::new(quote));
        self
    }

    /// Adds the remark drawn at the primary place.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn with_related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { span, message: message.into() });
        self
    }

    /// Adds a sentence of help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds a fix.
    #[must_use]
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl Fix {
    /// A fix that replaces one span.
    pub fn replace(
        title: impl Into<String>,
        applicability: Applicability,
        span: Span,
        replacement: impl Into<String>,
    ) -> Self {
        Self { title: title.into(), applicability, edits: vec![Edit { span, replacement: replacement.into() }] }
    }
}
