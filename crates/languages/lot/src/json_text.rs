//! Places in JSON texts, for diagnostics.

use goalspec_syntax::{SourceFile, Span};

/// Returns the place of an error of the JSON parser: one character.
pub(crate) fn error_span(file: &SourceFile, error: &serde_json::Error) -> Span {
    let line = file.line_range(error.line().max(1));
    let text = file.text();
    let start = text.floor_char_boundary((line.start + error.column().saturating_sub(1)).min(text.len()));
    let end = text.ceil_char_boundary((start + 1).min(text.len()));
    Span::new(file.id(), start as u32, end as u32)
}

/// Returns the message of an error of the JSON parser without its place, which the diagnostic has.
pub(crate) fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(message, _)| message.to_owned())
}

/// Iterates over the places of the string literals of a JSON text, quotes included, in order.
pub(crate) fn strings(file: &SourceFile) -> impl Iterator<Item = Span> {
    let bytes = file.text().as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes.get(at..)?.iter().position(|&byte| byte == b'"')?;
        let mut end = start + 1;
        while *bytes.get(end)? != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        at = end + 1;
        Some(Span::new(file.id(), start as u32, at as u32))
    })
}

/// Returns the first place of a string literal with this content.
pub(crate) fn string_span(file: &SourceFile, content: &str) -> Option<Span> {
    let is_content = |literal: &str| serde_json::from_str::<String>(literal).is_ok_and(|text| text == content);
    strings(file).find(|&span| is_content(file.slice(span)))
}
