//! Resolution of spans to files, lines and columns.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::source::{SourceFile, Sources, Span};

/// A resolved span; it fits the text of its file.
pub(super) struct ResolvedSpan<'a> {
    pub(super) file: &'a SourceFile,
    /// The byte range in the file.
    pub(super) range: Range<usize>,
    /// Line and column of the first character, counted from 1.
    pub(super) start: (usize, usize),
    /// Line and column after the last character.
    pub(super) end: (usize, usize),
    /// Whether `file` holds only the line that a diagnostic quotes.
    pub(super) is_quoted: bool,
}

impl<'a> ResolvedSpan<'a> {
    /// Resolves the primary place of a diagnostic; `None` if it has no place or its file is unknown.
    pub(super) fn of(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Option<Self> {
        let quoted = || {
            let quote = diagnostic.quote.as_deref()?;
            let end = quote.range.end.min(quote.text().len()) as u32;
            let span = Span::new(quote.file.id(), (quote.range.start as u32).min(end), end);
            Some(Self { is_quoted: true, ..Self::new(&quote.file, span) })
        };
        Self::find(sources, diagnostic.span).or_else(quoted)
    }

    /// Resolves a span; `None` if there is none or its file is unknown.
    pub(super) fn find(sources: &'a Sources, span: Option<Span>) -> Option<Self> {
        let span = span?;
        Some(Self::new(sources.find(span.source)?, span))
    }

    /// Resolves a span of a file.
    pub(super) fn new(file: &'a SourceFile, span: Span) -> Self {
        let range = file.clamp(span);
        let start = file.line_column(range.start as u32);
        let end = file.line_column(range.end as u32);
        Self { file, range, start, end, is_quoted: false }
    }
}
