//! Canonical layout as edits.

use goalspec::library;
use goalspec::syntax::Diagnostics;
use goalspec::syntax::sexp::List;
use goalspec::syntax::text_edit::{TextEdit, edits_between};

use crate::TextRange;
use crate::analysis::Analysis;

impl Analysis {
    /// Returns the edits that bring the document into canonical layout.
    ///
    /// # Errors
    /// If the document has syntax errors, or a language without a formatter.
    pub fn format(&self) -> Result<Vec<TextEdit>, Diagnostics> {
        let Some(file) = self.file().filter(|_| self.language().is_some()) else { return Ok(Vec::new()) };
        Ok(edits_between(file.text(), &library::format(file)?))
    }

    /// Returns the edits of [`format`](Self::format) in the top-level lists that a range touches. They change white space only; a document
    /// whose formatting changes more is left as it is.
    ///
    /// # Errors
    /// As [`format`](Self::format).
    pub fn format_range(&self, range: &TextRange) -> Result<Vec<TextEdit>, Diagnostics> {
        let edits = self.format()?;
        let (Some(file), Some(tree)) = (self.file(), self.tree()) else { return Ok(Vec::new()) };
        let roots = tree.roots().map(List::span);
        let touched: Vec<_> = roots.filter(|root| root.start <= range.end && range.start <= root.end).collect();
        let (Some(first), Some(last)) = (touched.first(), touched.last()) else { return Ok(Vec::new()) };
        let is_blank = |edit: &TextEdit| file.text()[edit.range.clone()].chars().all(char::is_whitespace);
        if !edits.iter().all(is_blank) {
            return Ok(Vec::new());
        }
        let within = |edit: &TextEdit| first.start as usize <= edit.range.start && edit.range.end <= last.end as usize;
        Ok(edits.into_iter().filter(within).collect())
    }
}
