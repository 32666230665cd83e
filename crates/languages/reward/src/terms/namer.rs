//! The naming of terms.

use goalspec_syntax::SourceFile;
use ruff_text_size::{Ranged, TextRange};

use super::NameSource;

/// The maximum length of a name, in characters; longer names are truncated.
const MAX_NAME_LENGTH: usize = 72;

/// The comments of a program, by which terms are named.
pub(super) struct TermNamer<'n> {
    source: &'n SourceFile,
    /// Comments behind code, with their line numbers, in order.
    trailing_comments: Vec<(usize, &'n str)>,
    /// Comments on lines of their own, with their line numbers, in order.
    line_comments: Vec<(usize, &'n str)>,
}

impl<'n> TermNamer<'n> {
    pub(super) fn new(source: &'n SourceFile, comments: &[TextRange]) -> Self {
        let text = source.text();
        let of = |range: &TextRange| {
            let (start, end) = (range.start().to_usize(), range.end().to_usize());
            let line = source.line_column(start as u32).0;
            let alone = text[..start].rsplit('\n').next().unwrap_or_default().trim().is_empty();
            (line, alone, text[start..end].trim_start_matches('#').trim())
        };
        let (mut trailing, mut alone) = (Vec::new(), Vec::new());
        for (line, is_alone, text) in comments.iter().map(of).filter(|comment| !comment.2.is_empty()) {
            if is_alone { alone.push((line, text)) } else { trailing.push((line, text)) }
        }
        Self { source, trailing_comments: trailing, line_comments: alone }
    }

    /// Returns the line number, from 1 on, of a byte offset.
    pub(super) fn line_number(&self, place: u32) -> usize {
        self.source.line_column(place).0
    }

    /// Returns the source text of a node on one line.
    pub(super) fn source_text(&self, node: &impl Ranged) -> String {
        one_line(&self.source.text()[node.range().to_std_range()])
    }

    /// Returns the name of a term of a statement, and its source. `alone` tells whether it is the only term of the statement.
    pub(super) fn term_name(
        &self,
        statement: &impl Ranged,
        text: &str,
        condition: Option<&str>,
        alone: bool,
    ) -> (String, NameSource) {
        let range = statement.range();
        let (first, last) = (self.line_number(range.start().to_u32()), self.line_number(range.end().to_u32()));
        // A comment on a statement with several terms names none of them.
        let comment = if alone { self.find_comment(first, last) } else { None };
        match (comment, condition) {
            (Some(comment), _) => (truncate(&comment), NameSource::Comment),
            (None, Some(condition)) if alone => (truncate(condition), NameSource::Condition),
            _ => (truncate(text), NameSource::Expression),
        }
    }

    fn find_comment(&self, first: usize, last: usize) -> Option<String> {
        let on_line = self.trailing_comments.partition_point(|(line, _)| *line < first);
        if let Some((_, text)) = self.trailing_comments.get(on_line).filter(|(line, _)| *line <= last) {
            return Some((*text).to_owned());
        }
        let end = self.line_comments.partition_point(|(line, _)| *line < first);
        let lines = self.line_comments[..end].iter().rev().zip((1..first).rev());
        let mut above: Vec<&str> =
            lines.take_while(|((line, _), line_number)| line == line_number).map(|((_, text), _)| *text).collect();
        above.reverse();
        (!above.is_empty()).then(|| above.join(" "))
    }
}

fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim().trim_end_matches('\\').trim_end());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

pub(super) fn truncate(text: &str) -> String {
    if text.char_indices().nth(MAX_NAME_LENGTH).is_none() {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MAX_NAME_LENGTH - 1).collect();
    format!("{}…", cut.trim_end())
}
