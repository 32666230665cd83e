//! The fixes of diagnostics as edits.

use std::path::{Path, PathBuf};

use goalspec::syntax::diagnostic::{Applicability, Fix};
use goalspec::syntax::text_edit::{TextEdit, edits_between};
use goalspec::syntax::{Diagnostic, fix};

use crate::TextRange;
use crate::analysis::Analysis;

/// Edits of one file, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdits {
    /// The path of the file.
    pub path: PathBuf,
    /// The edits.
    pub edits: Vec<TextEdit>,
}

/// A change that an editor offers.
#[derive(Debug, Clone)]
pub struct Action<'d> {
    /// The diagnostic whose cause it removes.
    pub diagnostic: &'d Diagnostic,
    /// The effect, as an instruction.
    pub title: String,
    /// Whether the change needs no review.
    pub is_safe: bool,
    /// The edits, by file.
    pub edits: Vec<FileEdits>,
}

impl Analysis {
    /// Returns the fixes of the diagnostics at a range of the document.
    pub fn fixes<'d>(&self, diagnostics: &'d [Diagnostic], range: &TextRange) -> Vec<Action<'d>> {
        let touches = |found: &&Diagnostic| {
            let own = found.span.and_then(|span| self.range(span));
            own.is_some_and(|own| own.start <= range.end && range.start <= own.end)
        };
        let actions = diagnostics.iter().filter(touches).flat_map(|diagnostic| {
            diagnostic.fixes.iter().map(move |fix| Action {
                diagnostic,
                title: fix.title.clone(),
                is_safe: fix.applicability == Applicability::Safe,
                edits: self.edits_of(fix),
            })
        });
        actions.filter(|action| !action.edits.is_empty()).collect()
    }

    /// Returns the edits of all fixes that need no review.
    pub fn fix_all(&self, diagnostics: &[Diagnostic]) -> Vec<TextEdit> {
        let Some(file) = self.file() else { return Vec::new() };
        edits_between(file.text(), &fix::apply(file, diagnostics, Applicability::Safe).text)
    }

    fn edits_of(&self, fix: &Fix) -> Vec<FileEdits> {
        let mut files: Vec<FileEdits> = Vec::new();
        for edit in &fix.edits {
            let Some(file) = self.library().sources().find(edit.span.source) else { return Vec::new() };
            let path = Path::new(file.name());
            let own = TextEdit::new(edit.span.start as usize..edit.span.end as usize, &*edit.replacement);
            match files.iter_mut().find(|edits| edits.path == path) {
                Some(edits) => edits.edits.push(own),
                None => files.push(FileEdits { path: path.to_owned(), edits: vec![own] }),
            }
        }
        for file in &mut files {
            file.edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        }
        files
    }
}
