//! Helpers shared by the tests.
#![allow(dead_code, reason = "not every test uses everything")]

pub(crate) mod base;
pub(crate) mod play;

use goalspec_resource::value::Value;
use goalspec_rgg::{Dialect, ParsedGame, load};
use goalspec_syntax::{Severity, Sources};

/// Returns a recorded table; `None`, with a message, if the recordings are not available.
pub(crate) fn recorded(name: &str) -> Option<String> {
    let folder = goalspec_testing::conformance::folder("rgg")?;
    Some(std::fs::read_to_string(folder.join(name)).expect("the recording can be read"))
}

/// Prints the number of equal rows, and fails unless all are equal.
pub(crate) fn report(title: &str, total: usize, mismatches: &[String]) {
    eprintln!("{title}: {} of {total} rows equal", total - mismatches.len());
    assert!(total > 0 && mismatches.is_empty(), "{}", mismatches.join("\n"));
}

/// Parses a game.
pub(crate) fn game(text: &str, dialect: Dialect) -> ParsedGame {
    let mut sources = Sources::new();
    let id = sources.add("test", text);
    let loaded = load(sources.file(id), dialect, &["MyCustomResultFunction", "CheckCombination"]);
    let has_errors = loaded.diagnostics.iter().any(|found| found.severity == Severity::Error);
    assert_eq!(
        loaded.game.is_none(),
        has_errors,
        "a game is there exactly if there is no error: {:?}",
        loaded.diagnostics
    );
    for found in &loaded.diagnostics {
        let span = found.span.expect("every finding has a place");
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{found:?}");
    }
    loaded
}

/// Returns the errors of a text, one per line.
pub(crate) fn errors(loaded: &ParsedGame) -> String {
    let errors = loaded.diagnostics.iter().filter(|found| found.is_error());
    errors.map(|found| format!("{}: {}", found.code, found.message)).collect::<Vec<_>>().join("; ")
}

/// Returns a value in the format of the recordings.
pub(crate) fn class(value: &Value) -> String {
    let class = match value {
        Value::Int(_) => "Integer",
        Value::Real(_) => "Double",
        Value::Bool(_) => "Boolean",
        Value::Text(_) => "String",
        Value::Set(labels) if labels.len() == 1 => "SingletonSet",
        Value::Set(_) => "LinkedHashSet",
        Value::List(_) => "ArrayList",
        Value::Map(_) => "LinkedHashMap",
    };
    format!("{value} ({class})")
}

/// Parses a value that the recordings write with its class.
pub(crate) fn value(text: &str) -> Value {
    let (text, class) = text.rsplit_once(" (").expect("a value has its class");
    match class.trim_end_matches(')') {
        "Integer" => Value::Int(text.parse().expect("a whole number")),
        "Long" | "Double" => Value::Real(text.parse().expect("a number")),
        "Boolean" => Value::Bool(text == "true"),
        "String" => Value::text(text),
        _ => Value::set(text.trim_matches(['[', ']']).split(", ")),
    }
}
