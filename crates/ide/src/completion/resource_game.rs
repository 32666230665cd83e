//! Completions of resource graph games.

use goalspec::rgg::completion::{CompletionWord, words};

use super::{Completion, CompletionKind, Completions};
use crate::analysis::Analysis;
use crate::workspace::Snapshot;

impl Snapshot {
    /// Returns the keywords and names that fit an offset of a game. A text that is no valid YAML is read without the line of the offset, so
    /// that its names are known.
    pub(super) fn resource_game_completions(&self, analysis: &Analysis, offset: u32) -> Completions {
        let Some(file) = analysis.file() else { return Completions::default() };
        let repaired = match analysis.resource_game() {
            Some(_) => None,
            None => self.without_line(analysis, offset),
        };
        let ast = repaired.as_deref().unwrap_or(analysis).resource_game().map(|(_, ast)| ast);
        let found = words(file, offset, ast);
        let item = |word: CompletionWord| Completion {
            kind: word.kind.map_or(CompletionKind::Keyword, CompletionKind::Name),
            label: word.text,
            detail: String::new(),
            doc: word.doc,
            rank: 0,
        };
        Completions { range: found.range, items: found.words.into_iter().map(item).collect() }
    }

    /// Returns the analysis of a document in which the line of an offset is blank.
    fn without_line(&self, analysis: &Analysis, offset: u32) -> Option<std::sync::Arc<Analysis>> {
        let text = analysis.file()?.text();
        let offset = text.floor_char_boundary(offset as usize);
        let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
        let end = text[offset..].find('\n').map_or(text.len(), |end| offset + end);
        let without = format!("{}{}", &text[..start], &text[end..]);
        Some(self.with_text(analysis.path(), without).analysis(analysis.path()))
    }
}
