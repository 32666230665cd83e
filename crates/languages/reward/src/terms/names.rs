//! Names of terms.

use goalspec_syntax::SourceFile;
use ruff_text_size::{Ranged, TextRange};

use super::NamedBy;

/// Longest name that is not cut, in characters.
const LONGEST: usize = 72;

/// The texts that terms are named by.
pub(super) struct Names<'n> {
    source: &'n SourceFile,
    /// Each comment with its line and whether it is all that the line has.
    comments: Vec<(usize, bool, &'n str)>,
}

impl<'n> Names<'n> {
    pub(super) fn new(source: &'n SourceFile, comments: &[TextRange]) -> Self {
        let text = source.text();
        let of = |range: &TextRange| {
            let (start, end) = (range.start().to_usize(), range.end().to_usize());
            let line = source.line_column(start as u32).0;
            let alone = text[..start].rsplit('\n').next().unwrap_or_default().trim().is_empty();
            (line, alone, text[start..end].trim_start_matches('#').trim())
        };
        Self { source, comments: comments.iter().map(of).filter(|comment| !comment.2.is_empty()).collect() }
    }

    /// The line of a place, from 1 on.
    pub(super) fn line(&self, place: u32) -> usize {
        self.source.line_column(place).0
    }

    /// The text of a node, on one line.
    pub(super) fn text(&self, node: &impl Ranged) -> String {
        one_line(&self.source.text()[node.range().to_std_range()])
    }

    /// The name of a term that is a part of a statement, or all of it.
    pub(super) fn name(
        &self,
        statement: &impl Ranged,
        text: &str,
        condition: Option<&str>,
        alone: bool,
    ) -> (String, NamedBy) {
        let range = statement.range();
        let (first, last) = (self.line(range.start().to_u32()), self.line(range.end().to_u32()));
        // A comment names one term, not each of several.
        let comment = if alone { self.comment(first, last) } else { None };
        match (comment, condition) {
            (Some(comment), _) => (cut(&comment), NamedBy::Comment),
            (None, Some(condition)) if alone => (cut(condition), NamedBy::Condition),
            _ => (cut(text), NamedBy::Expression),
        }
    }

    fn comment(&self, first: usize, last: usize) -> Option<String> {
        let on_line = self.comments.iter().find(|(line, alone, _)| !alone && (first..=last).contains(line));
        if let Some((_, _, text)) = on_line {
            return Some((*text).to_owned());
        }
        let mut above: Vec<&str> = Vec::new();
        let mut line = first;
        while let Some((_, _, text)) = self.comments.iter().find(|(at, alone, _)| *alone && at + 1 == line) {
            above.insert(0, text);
            line -= 1;
        }
        (!above.is_empty()).then(|| above.join(" "))
    }
}

fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim().trim_end_matches('\\').trim_end());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST - 1).collect();
    format!("{}…", cut.trim_end())
}
