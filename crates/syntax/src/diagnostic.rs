//! The one diagnostic type of all languages, engines and readers.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::limits::MAX_QUOTE_BYTES;
use crate::source::{SourceFile, Span};

/// The severity of a diagnostic. Only errors keep a program from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A remark that needs no action.
    Note,
    /// The program runs but probably does not mean what its author intended.
    Warning,
    /// The text has no meaning at this place and is left out.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A stable identifier of a kind of diagnostic, such as `game/unbound-variable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

/// The address of the pages of the codes.
const PAGES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/src/codes");

impl Code {
    /// Returns the address of the page of the code, with its explanation and an example. Diagnostics of editors and of SARIF link to it.
    pub fn page_url(self) -> String {
        format!("{PAGES}/{self}.md")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The documentation of one code, written where the code is defined and printed by `goalspec explain CODE`.
#[derive(Debug, Clone, Copy)]
pub struct CodeDoc {
    /// The code.
    pub code: Code,
    /// The default severity.
    pub severity: Severity,
    /// A one-line summary of the finding.
    pub summary: &'static str,
    /// The explanation as Markdown: why the finding is a problem, an example, and the text to write instead.
    pub explanation: &'static str,
}

/// Defines diagnostic codes with their documentation, and `ALL`, the list of their [`CodeDoc`]s. The doc comment of a code becomes its
/// summary.
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

/// A secondary place that helps to understand a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedSpan {
    /// The place.
    pub span: Span,
    /// The remark shown at the place.
    pub message: String,
}

/// The source line of a diagnostic, carried along because its text is not kept in [`Sources`](crate::Sources): a line of a stream, for
/// example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedLine {
    pub(crate) file: SourceFile,
    pub(crate) range: Range<usize>,
}

impl QuotedLine {
    /// Creates a quote of the line with the number `number`, counted from 1, of the text `name`; `range` is the range of bytes in the line
    /// that the diagnostic is about. Returns `None` if the line is longer than [`MAX_QUOTE_BYTES`].
    pub fn new(name: &str, line: &str, number: usize, range: Range<usize>) -> Option<Self> {
        let file = || SourceFile::excerpt(name.into(), line.into(), number.max(1));
        (line.len() <= MAX_QUOTE_BYTES).then(|| Self { file: file(), range })
    }

    /// Returns the text of the line.
    pub fn text(&self) -> &str {
        self.file.text()
    }

    /// Replaces the name of the text that the line comes from.
    pub fn rename(&mut self, name: impl Into<Arc<str>>) {
        self.file.rename(name.into());
    }
}

/// Whether a fix may be applied without review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applicability {
    /// The fixed program means what its author intended.
    Safe,
    /// The fix is a guess.
    Unsafe,
}

/// A replacement of one range of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The text to replace; empty for an insertion.
    pub span: Span,
    /// The new text; empty for a deletion.
    pub replacement: String,
}

/// A change that removes the cause of a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The effect of the fix as an instruction: "rename to `?ball`".
    pub title: String,
    /// Whether the fix may be applied without review.
    pub applicability: Applicability,
    /// The replacements; they do not overlap.
    pub edits: Vec<Edit>,
}

/// A limit that was exceeded, in the unit that the message names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExceededLimit {
    /// The limit.
    pub limit: u64,
    /// The amount that was asked for, at least; `None` if it is not known.
    pub asked: Option<u64>,
}

/// A finding about a program, a trace or a world: a message, its place, and ways to fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code of the finding.
    pub code: Code,
    /// The severity of this finding; it may differ from the default of its code.
    pub severity: Severity,
    /// One sentence without a full stop that names what the user wrote and what was expected.
    pub message: String,
    /// The primary place; `None` for findings about a whole input.
    pub span: Option<Span>,
    /// The primary place and its line, if the text is not kept in [`Sources`](crate::Sources).
    pub quote: Option<Box<QuotedLine>>,
    /// A short remark drawn at the primary place.
    pub label: Option<String>,
    /// Secondary places.
    pub related: Vec<RelatedSpan>,
    /// Advice, one sentence each.
    pub help: Vec<String>,
    /// Machine-applicable changes.
    pub fixes: Vec<Fix>,
    /// The limit that was exceeded, for programs that examine it.
    pub exceeded: Option<ExceededLimit>,
}

/// The message, without code and place, which [`render`](crate::render::render) shows.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// Diagnostics as an error: at least one of them is an error.
#[derive(Debug, Clone)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Returns the diagnostics.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.0
    }
}

impl From<Vec<Diagnostic>> for Diagnostics {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self(diagnostics)
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.0
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// The messages of the errors, one per line.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.iter().filter(|diagnostic| diagnostic.is_error());
        f.write_str(&errors.map(|error| &*error.message).collect::<Vec<_>>().join("\n"))
    }
}

impl std::error::Error for Diagnostics {}

impl Diagnostic {
    /// Creates a diagnostic without a place.
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
            exceeded: None,
        }
    }

    /// Creates the error that an argument is invalid, with the code [`INVALID_ARGUMENT`](crate::codes::INVALID_ARGUMENT).
    pub fn invalid_argument(message: impl Into<String>) -> Box<Self> {
        Box::new(Self::new(crate::codes::INVALID_ARGUMENT, Severity::Error, message))
    }

    /// Creates an error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { span: Some(span), ..Self::new(code, Severity::Error, message) }
    }

    /// Creates a warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { span: Some(span), ..Self::new(code, Severity::Warning, message) }
    }

    /// Creates a note at a place.
    pub fn note(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { span: Some(span), ..Self::new(code, Severity::Note, message) }
    }

    /// Sets the quoted line, for a place in a text that is not kept.
    #[must_use]
    pub fn with_quote(mut self, quote: QuotedLine) -> Self {
        self.quote = Some(Box::new(quote));
        self
    }

    /// Sets the limit that was exceeded.
    #[must_use]
    pub fn with_exceeded(mut self, exceeded: Option<ExceededLimit>) -> Self {
        self.exceeded = exceeded;
        self
    }

    /// Sets the remark drawn at the primary place.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds a secondary place.
    #[must_use]
    pub fn with_related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(RelatedSpan { span, message: message.into() });
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

    /// Whether the severity is [`Severity::Error`].
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl Fix {
    /// Creates a fix that replaces one span.
    pub fn replace(
        title: impl Into<String>,
        applicability: Applicability,
        span: Span,
        replacement: impl Into<String>,
    ) -> Self {
        Self { title: title.into(), applicability, edits: vec![Edit { span, replacement: replacement.into() }] }
    }
}
