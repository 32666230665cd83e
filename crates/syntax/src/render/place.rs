//! Spans as files, lines and columns.

use std::ops::Range;

use crate::source::{SourceFile, Sources, Span};

/// A span that has been looked up; it fits its file's text.
pub(super) struct Place<'a> {
    pub(super) file: &'a SourceFile,
    /// Byte offsets.
    pub(super) range: Range<usize>,
    /// Line and column of the first character, counted from 1.
    pub(super) start: (usize, usize),
    /// Line and column behind the last character.
    pub(super) end: (usize, usize),
}

impl<'a> Place<'a> {
    /// Looks a span up; `None` if there is none or its file is unknown.
    pub(super) fn find(sources: &'a Sources, span: Option<Span>) -> Option<Self> {
        let span = span?;
        let file = sources.find(span.source)?;
        let range = file.clamp(span);
        let start = file.line_column(range.start as u32);
        let end = file.line_column(range.end as u32);
        Some(Self { file, range, start, end })
    }
}
