//! Mutations of JSON documents: misspelled, missing and surplus keys, values of another kind, lists of another length, exchanged sections,
//! and missing delimiters.

use serde_json::{Map, Value, json};

/// A mutation of a document.
pub(crate) struct JsonMutation {
    /// The kind of the change.
    pub(crate) kind: &'static str,
    /// The text, which is no JSON if a delimiter is missing.
    pub(crate) text: String,
}

/// Returns all mutations of a document, which is an object.
pub(crate) fn mutations(document: &Value) -> Vec<JsonMutation> {
    let mut all = Vec::new();
    collect(document, &mut |value| value, &mut |kind, value| {
        all.push(JsonMutation { kind, text: value.to_string() });
    });
    let sections: Vec<&String> = document.as_object().expect("a document is an object").keys().collect();
    for (index, one) in sections.iter().enumerate() {
        for other in &sections[index + 1..] {
            let mut exchanged = document.clone();
            (exchanged[*one], exchanged[*other]) = (document[*other].clone(), document[*one].clone());
            all.push(JsonMutation { kind: "exchanged sections", text: exchanged.to_string() });
        }
    }
    all.extend(without_delimiters(&document.to_string()));
    all
}

/// Reports the mutations of a part, each inside of its document.
fn collect(part: &Value, within: &mut dyn FnMut(Value) -> Value, report: &mut dyn FnMut(&'static str, Value)) {
    let others = match part {
        Value::Object(_) => [json!(7), json!([7])],
        Value::Array(_) => [json!(7), json!({ "zq": 7 })],
        _ => [json!([[7]]), json!({ "zq": 7 })],
    };
    for other in others {
        report("value of another kind", within(other));
    }
    match part {
        Value::Object(entries) => collect_entries(entries, within, report),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let mut shorter = items.clone();
                shorter.remove(index);
                report("missing item", within(Value::Array(shorter)));
                let mut replaced = |value: Value| {
                    let mut items = items.clone();
                    items[index] = value;
                    within(Value::Array(items))
                };
                collect(item, &mut replaced, report);
            }
            if let Some(last) = items.last() {
                report("surplus item", within(Value::Array(items.iter().chain([last]).cloned().collect())));
            }
        }
        _ => {}
    }
}

fn collect_entries(
    entries: &Map<String, Value>,
    within: &mut dyn FnMut(Value) -> Value,
    report: &mut dyn FnMut(&'static str, Value),
) {
    let mut surplus = entries.clone();
    surplus.insert("zq".to_owned(), json!(7));
    report("surplus key", within(Value::Object(surplus)));
    for (key, value) in entries {
        let misspelled = entries.iter().map(|(name, value)| {
            let name = if name == key { format!("zq{name}") } else { name.clone() };
            (name, value.clone())
        });
        report("misspelled key", within(Value::Object(misspelled.collect())));
        let rest = entries.iter().filter(|(name, _)| *name != key).map(|(name, value)| (name.clone(), value.clone()));
        report("missing key", within(Value::Object(rest.collect())));
        let mut replaced = |value: Value| {
            let mut entries = entries.clone();
            entries[key] = value;
            within(Value::Object(entries))
        };
        collect(value, &mut replaced, report);
    }
}

/// Returns a text without each of its delimiters outside of strings.
fn without_delimiters(text: &str) -> Vec<JsonMutation> {
    let (mut is_string, mut is_escaped, mut all) = (false, false, Vec::new());
    for (at, letter) in text.char_indices() {
        let is_quote = letter == '"' && !is_escaped;
        if is_quote || (!is_string && "{}[],:".contains(letter)) {
            let text = format!("{}{}", &text[..at], &text[at + 1..]);
            all.push(JsonMutation { kind: "missing delimiter", text });
        }
        is_string ^= is_quote;
        is_escaped = letter == '\\' && !is_escaped;
    }
    all
}
