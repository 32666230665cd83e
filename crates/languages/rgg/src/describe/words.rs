//! Lists, counts and values as words.

use goalspec_resource::value::Value;

/// Joins items as in `a, b and c`.
pub(super) fn and(items: &[String]) -> String {
    joined(items, "and")
}

/// Joins items as in `a, b or c`.
pub(super) fn or(items: &[String]) -> String {
    joined(items, "or")
}

fn joined(items: &[String], word: &str) -> String {
    match items {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} {word} {last}", before.join(", ")),
    }
}

/// Returns a count with its noun.
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns a value as text: strings in quotation marks, integral real numbers without a fraction.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("\"{text}\""),
        Value::Real(number) => self::number(*number),
        other => other.to_string(),
    }
}

/// Returns an optional value as text.
pub(super) fn optional(value: Option<&Value>) -> String {
    value.map_or_else(|| "no value".to_owned(), self::value)
}

/// Returns the shortest text of a number.
pub(super) fn number(number: f64) -> String {
    if number.is_nan() { "not a number".to_owned() } else { format!("{number}") }
}

/// Returns a probability as a percentage, rounded to hide floating-point error.
pub(super) fn percent(chance: f64) -> String {
    format!("{} %", number((chance * 1e8).round() / 1e6))
}
