//! Diagnostics as JSON: an array with one object per diagnostic.
//!
//! | field | value |
//! |---|---|
//! | `code` | the code, such as `"game/unbound-variable"` |
//! | `severity` | `"error"`, `"warning"` or `"note"` |
//! | `message` | one sentence |
//! | `place` | the place, or `null`: an object with `file`, `start` and `end`; `start` and `end` have `line` and `column`, counted from 1 (columns count characters), and `offset`, in bytes from 0. `end` is the position after the last character |
//! | `quote` | the source line, present only if the place is in a stream and not in a file; `offset` is `null` then |
//! | `label` | the remark at the place, or `null` |
//! | `related` | secondary places: objects with `message` and `place` |
//! | `help` | advice: an array of sentences |
//! | `fixes` | objects with `title`, `applicability` (`"safe"` or `"unsafe"`) and `edits`, objects with the `place` to replace and the `replacement` |
//!
//! Later versions may add fields; no field is removed or changes its meaning.

use serde_json::{Value, json};

use super::resolved_span::ResolvedSpan;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::source::Sources;

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
        .map(|related| json!({ "message": related.message, "place": place(ResolvedSpan::find(sources, Some(related.span))) }))
        .collect();
    let fixes: Vec<Value> = diagnostic.fixes.iter().map(|one| fix(one, sources)).collect();
    let own = ResolvedSpan::of(diagnostic, sources);
    let quote = own.as_ref().filter(|place| place.is_quoted).map(|place| place.file.text().to_owned());
    let mut value = json!({
        "code": diagnostic.code.0,
        "severity": diagnostic.severity.to_string(),
        "message": diagnostic.message,
        "place": place(own),
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

fn fix(fix: &Fix, sources: &Sources) -> Value {
    let edit = |edit: &Edit| json!({ "place": place(ResolvedSpan::find(sources, Some(edit.span))), "replacement": edit.replacement });
    json!({
        "title": fix.title,
        "applicability": match fix.applicability {
            Applicability::Safe => "safe",
            Applicability::Unsafe => "unsafe",
        },
        "edits": fix.edits.iter().map(edit).collect::<Vec<_>>(),
    })
}

fn place(place: Option<ResolvedSpan<'_>>) -> Option<Value> {
    let ResolvedSpan { file, range, start, end, is_quoted } = place?;
    let position = |(line, column): (usize, usize), offset: usize| json!({ "line": line, "column": column, "offset": (!is_quoted).then_some(offset) });
    Some(json!({ "file": file.name(), "start": position(start, range.start), "end": position(end, range.end) }))
}
