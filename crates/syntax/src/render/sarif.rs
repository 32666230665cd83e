//! Diagnostics as SARIF 2.1.0 (the OASIS static analysis results format), with the documentation of the codes as rules.

use serde_json::{Map, Value, json};

use super::resolved_span::ResolvedSpan;
use crate::code_table::CodeTable;
use crate::diagnostic::{CodeDoc, Diagnostic, Edit, Fix, Severity};
use crate::source::Sources;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes one log with one run. Its rules are the codes that occur in the diagnostics.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, codes: &CodeTable) -> String {
    let mut ids: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect();
    ids.sort_unstable();
    ids.dedup();
    let rules: Vec<Value> = ids.iter().map(|id| rule(id, codes.find(id).ok())).collect();
    let results: Vec<Value> = diagnostics.iter().map(|diagnostic| result(diagnostic, sources, &ids)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "goalspec",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn rule(id: &str, doc: Option<&CodeDoc>) -> Value {
    match doc {
        None => json!({ "id": id }),
        Some(doc) => json!({
            "id": id,
            "shortDescription": { "text": doc.summary },
            "help": { "text": doc.explanation, "markdown": doc.explanation },
            "helpUri": doc.code.page_url(),
            "defaultConfiguration": { "level": level(doc.severity) },
        }),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn result(diagnostic: &Diagnostic, sources: &Sources, ids: &[&str]) -> Value {
    let text = std::iter::once(&diagnostic.message).chain(&diagnostic.help).cloned().collect::<Vec<_>>().join("\n");
    let mut result = Map::new();
    result.insert("ruleId".to_owned(), json!(diagnostic.code.0));
    if let Ok(index) = ids.binary_search(&diagnostic.code.0) {
        result.insert("ruleIndex".to_owned(), json!(index));
    }
    result.insert("level".to_owned(), json!(level(diagnostic.severity)));
    result.insert("message".to_owned(), json!({ "text": text }));
    let locations: Vec<Value> = ResolvedSpan::of(diagnostic, sources)
        .map(|place| location(&place, diagnostic.label.as_deref()))
        .into_iter()
        .collect();
    result.insert("locations".to_owned(), Value::Array(locations));
    let related: Vec<Value> = diagnostic
        .related
        .iter()
        .filter_map(|related| Some(location(&ResolvedSpan::find(sources, Some(related.span))?, Some(&related.message))))
        .collect();
    if !related.is_empty() {
        result.insert("relatedLocations".to_owned(), Value::Array(related));
    }
    let fixes: Vec<Value> = diagnostic.fixes.iter().filter_map(|one| fix(one, sources)).collect();
    if !fixes.is_empty() {
        result.insert("fixes".to_owned(), Value::Array(fixes));
    }
    Value::Object(result)
}

fn location(place: &ResolvedSpan<'_>, message: Option<&str>) -> Value {
    let mut location = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(place.file.name()) }, "region": region(place) },
    });
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    location
}

fn region(place: &ResolvedSpan<'_>) -> Value {
    let mut region = json!({
        "startLine": place.start.0,
        "startColumn": place.start.1,
        "endLine": place.end.0,
        "endColumn": place.end.1,
        "byteLength": place.range.len(),
    });
    // The byte offset of a quoted line in its stream is unknown.
    if !place.is_quoted {
        region["byteOffset"] = json!(place.range.start);
    }
    region
}

/// Converts a fix, or returns `None` if one of its files is unknown: an incomplete fix would corrupt the program.
fn fix(fix: &Fix, sources: &Sources) -> Option<Value> {
    let change = |edit: &Edit| {
        let place = ResolvedSpan::find(sources, Some(edit.span))?;
        Some(json!({
            "artifactLocation": { "uri": uri(place.file.name()) },
            "replacements": [{ "deletedRegion": region(&place), "insertedContent": { "text": edit.replacement } }],
        }))
    };
    let changes = fix.edits.iter().map(change).collect::<Option<Vec<Value>>>()?;
    Some(json!({ "description": { "text": fix.title }, "artifactChanges": changes }))
}

/// Converts a path to a URI reference: backslashes become slashes, and all but the unreserved characters are percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            _ => {
                let digit = |value: u8| char::from(b"0123456789ABCDEF"[usize::from(value)]);
                uri.extend(['%', digit(byte >> 4), digit(byte & 15)]);
            }
        }
    }
    uri
}
