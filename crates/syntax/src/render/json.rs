//! Diagnostics as JSON: an array with one object per diagnostic.
//!
//! | field | value |
//! |---|---|
//! | `code` | the code, such as `"game/unbound-variable"` |
//! | `severity` | `"error"`, `"warning"` or `"note"` |
//! | `message` | one sentence |
//! | `span` | the source range, or `null`: an object with `file`, `start` and `end`; `start` and `end` have `line` and `column`, counted from 1 (columns count characters), and `offset`, in bytes from 0. `end` is the position after the last character |
//! | `quote` | the source line, present only if the range is in a stream and not in a file; `offset` is `null` then |
//! | `label` | the remark at the range, or `null` |
//! | `related` | secondary ranges: objects with `message` and `span` |
//! | `help` | advice: an array of sentences |
//! | `fixes` | objects with `title`, `applicability` (`"safe"` or `"unsafe"`) and `edits`, objects with the `span` to replace and the `replacement` |
//!
//! Later versions may add fields; no field is removed or changes its meaning.

use serde_json::{Value, json};

use super::resolved_span::ResolvedSpan;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::source::{SourceFile, Sources, Span};

/// Writes the diagnostics as an indented JSON array.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let array: Vec<Value> = diagnostics.iter().map(|diagnostic| value(diagnostic, sources)).collect();
    format!("{:#}\n", Value::Array(array))
}

/// Returns one diagnostic as an object, for inclusion in other JSON.
pub fn value(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let related: Vec<Value> = diagnostic
        .related
        .iter()
        .map(|related| json!({ "message": related.message, "span": range(ResolvedSpan::find(sources, Some(related.span))) }))
        .collect();
    let fixes: Vec<Value> = diagnostic.fixes.iter().map(|one| fix(one, sources)).collect();
    let own = ResolvedSpan::of(diagnostic, sources);
    let quote = own.as_ref().filter(|span| span.is_quoted).map(|span| span.file.text().to_owned());
    let mut value = json!({
        "code": diagnostic.code.0,
        "severity": diagnostic.severity.to_string(),
        "message": diagnostic.message,
        "span": range(own),
        "label": diagnostic.label,
        "related": related,
        "help": diagnostic.help,
        "fixes": fixes,
    });
    if let Some(quote) = quote {
        value["quote"] = json!(quote);
    }
    value
}

/// Returns a span of a loaded text as an object with `file`, `start` and `end`, as in diagnostics; `None` if the text is not loaded.
pub fn span(span: Span, sources: &Sources) -> Option<Value> {
    range(ResolvedSpan::find(sources, Some(span)))
}

/// Returns a span of a text as an object, as in diagnostics.
pub fn span_in(file: &SourceFile, span: Span) -> Value {
    json!(range(Some(ResolvedSpan::new(file, span))))
}

fn fix(fix: &Fix, sources: &Sources) -> Value {
    let edit = |edit: &Edit| json!({ "span": range(ResolvedSpan::find(sources, Some(edit.span))), "replacement": edit.replacement });
    json!({
        "title": fix.title,
        "applicability": match fix.applicability {
            Applicability::Safe => "safe",
            Applicability::Unsafe => "unsafe",
        },
        "edits": fix.edits.iter().map(edit).collect::<Vec<_>>(),
    })
}

fn range(resolved: Option<ResolvedSpan<'_>>) -> Option<Value> {
    let ResolvedSpan { file, range, start, end, is_quoted } = resolved?;
    let position = |(line, column): (usize, usize), offset: usize| json!({ "line": line, "column": column, "offset": (!is_quoted).then_some(offset) });
    Some(json!({ "file": file.name(), "start": position(start, range.start), "end": position(end, range.end) }))
}
