//! Application of the edits of a client to the text of a document.

use goalspec::syntax::Sources;
use goalspec::syntax::source::PositionEncoding;

use crate::protocol::{Converter, TextDocumentContentChangeEvent as Change};

/// Returns the text after the changes, which apply one after the other.
pub(crate) fn apply(text: &str, changes: &[Change], encoding: PositionEncoding) -> String {
    let mut text = text.to_owned();
    for change in changes {
        match change {
            Change::TextDocumentContentChangeWholeDocument(whole) => text.clone_from(&whole.text),
            Change::TextDocumentContentChangePartial(part) => {
                let mut sources = Sources::new();
                let id = sources.add("", text.as_str());
                let range = Converter { file: sources.file(id), encoding }.text_range(&part.range);
                text.replace_range(range.start as usize..range.end as usize, &part.text);
            }
        }
    }
    text
}
