//! YAML documents as values, and their text.

use std::fmt::Write as _;

use goalspec_resource::value::Value;
use goalspec_rgg::yaml::{Node, QuotingStyle, ScalarValue};

/// Maximum length of a map or list that is written on one line, unless it has to be.
const MAX_FLOW_LENGTH: usize = 72;

/// A YAML value. Scalars and keys are YAML text: quoted where necessary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Document {
    /// No value.
    Null,
    /// A scalar, or any other value on one line.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// A map.
    Map(Vec<(String, Self)>),
}

impl Document {
    /// Returns the map with one entry.
    pub(super) fn entry(key: &str, value: Self) -> Self {
        Self::Map(vec![(key.to_owned(), value)])
    }

    /// Returns a parsed value. The recursion is bounded by the depth of the tree.
    pub(super) fn of(node: Node<'_>) -> Self {
        if let Some(scalar) = node.scalar() {
            return match (scalar.style, scalar.value()) {
                (QuotingStyle::Plain, ScalarValue::Null) => Self::Null,
                (QuotingStyle::Plain, ScalarValue::Str) | (QuotingStyle::Quoted | QuotingStyle::Block, _) => {
                    Self::Text(scalar_text(&scalar.text))
                }
                (QuotingStyle::Plain, _) => Self::Text(scalar.text.to_string()),
            };
        }
        if let Some(items) = node.items() {
            return Self::List(items.map(Self::of).collect());
        }
        let entries = node.entries().into_iter().flatten();
        Self::Map(entries.map(|entry| (scalar_text(&entry.key.text), Self::of(entry.value))).collect())
    }

    /// Returns the value on one line.
    pub(super) fn flow(&self) -> String {
        let mut out = String::new();
        self.write_flow(&mut out);
        out
    }

    fn write_flow(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Text(text) => out.push_str(text),
            Self::List(items) => {
                out.push('[');
                for (place, item) in items.iter().enumerate() {
                    out.push_str(if place == 0 { "" } else { ", " });
                    item.write_flow(out);
                }
                out.push(']');
            }
            Self::Map(entries) if entries.is_empty() => out.push_str("{}"),
            Self::Map(entries) => {
                out.push_str("{ ");
                for (place, (key, value)) in entries.iter().enumerate() {
                    let _ = write!(out, "{}{key}: ", if place == 0 { "" } else { ", " });
                    value.write_flow(out);
                }
                out.push_str(" }");
            }
        }
    }

    /// Returns the entry of a map with a key as lines. The outermost `levels` levels have a line for each entry.
    pub(super) fn lines(&self, key: &str, levels: u32) -> String {
        let mut out = String::new();
        self.write_entry(&mut out, key, 0, levels);
        out
    }

    /// Writes an entry whose first line is indented already.
    fn write_entry(&self, out: &mut String, key: &str, indentation: usize, levels: u32) {
        out.push_str(key);
        out.push(':');
        if *self == Self::Null {
            out.push('\n');
        } else if self.is_inline(levels) {
            out.push(' ');
            self.write_flow(out);
            out.push('\n');
        } else {
            out.push('\n');
            out.push_str(&" ".repeat(indentation + 2));
            self.write_block(out, indentation + 2, levels.saturating_sub(1));
        }
    }

    /// Writes a map or list whose first line is indented already.
    fn write_block(&self, out: &mut String, indentation: usize, levels: u32) {
        let indent = |out: &mut String, place: usize| {
            if place > 0 {
                out.push_str(&" ".repeat(indentation));
            }
        };
        match self {
            Self::List(items) => {
                for (place, item) in items.iter().enumerate() {
                    indent(out, place);
                    out.push_str("- ");
                    if item.is_inline(levels) {
                        item.write_flow(out);
                        out.push('\n');
                    } else {
                        item.write_block(out, indentation + 2, levels.saturating_sub(1));
                    }
                }
            }
            Self::Map(entries) => {
                for (place, (key, value)) in entries.iter().enumerate() {
                    indent(out, place);
                    value.write_entry(out, key, indentation, levels);
                }
            }
            Self::Null | Self::Text(_) => {
                self.write_flow(out);
                out.push('\n');
            }
        }
    }

    /// Whether the value is written on one line.
    fn is_inline(&self, levels: u32) -> bool {
        match self {
            Self::Null | Self::Text(_) => true,
            Self::List(items) if items.is_empty() => true,
            Self::Map(entries) if entries.is_empty() => true,
            Self::List(_) | Self::Map(_) => levels == 0 && self.flow().len() <= MAX_FLOW_LENGTH,
        }
    }
}

/// Returns a string as a YAML scalar, in quotes unless it is a string without them too.
pub(super) fn scalar_text(text: &str) -> String {
    const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '(' | ')' | ' ' | '-');
    let is_bare = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(is_plain)
        && !text.ends_with(' ')
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is_bare {
        return text.to_owned();
    }
    quoted(text)
}

/// Returns a string in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Line and paragraph separators and the byte order mark are not kept in quotes otherwise.
            _ if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Returns a number as a YAML scalar that is read as a real number.
pub(super) fn real_text(number: f64) -> String {
    if number.is_nan() {
        ".nan".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { ".inf" } else { "-.inf" }.to_owned()
    } else if number.fract() == 0.0 {
        format!("{number:.1}")
    } else {
        number.to_string()
    }
}

/// Returns a value as YAML on one line. The recursion is bounded by the depth of the text that it was read from.
pub(super) fn value_text(value: Option<&Value>) -> String {
    document_of(value).flow()
}

fn document_of(value: Option<&Value>) -> Document {
    match value {
        None => Document::Null,
        Some(Value::Int(number)) => Document::Text(number.to_string()),
        Some(Value::Real(number)) => Document::Text(real_text(*number)),
        Some(Value::Bool(truth)) => Document::Text(truth.to_string()),
        Some(Value::Text(text)) => Document::Text(scalar_text(text)),
        Some(Value::Set(labels)) => {
            Document::List(labels.iter().map(|label| Document::Text(scalar_text(label))).collect())
        }
        Some(Value::List(items)) => Document::List(items.iter().map(|item| document_of(item.as_ref())).collect()),
        Some(Value::Map(entries)) => {
            let entry =
                |(key, value): (&std::sync::Arc<str>, &Option<Value>)| (scalar_text(key), document_of(value.as_ref()));
            Document::Map(entries.iter().map(entry).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, quoted, real_text, scalar_text};

    #[test]
    fn strings_are_quoted_where_they_would_be_read_as_something_else() {
        for plain in ["camp.day", "gather (ann)", "_target.berries", "look around"] {
            assert_eq!(scalar_text(plain), plain);
        }
        for other in ["", "5", "yes", "Off", "a: b", "- a", "a#b", "a ", "null", "{a}"] {
            assert_eq!(scalar_text(other), quoted(other));
        }
        assert_eq!(quoted("a\"b\\c\n\u{7f}"), "\"a\\\"b\\\\c\\n\\u007f\"");
    }

    #[test]
    fn real_numbers_stay_real() {
        assert_eq!([2.0, -0.5, 1e21].map(real_text), ["2.0", "-0.5", "1000000000000000000000.0"]);
    }

    #[test]
    fn long_values_have_several_lines() {
        let text = |text: &str| Document::Text(text.to_owned());
        let short = Document::entry("a", text("1"));
        let long = Document::Map((0..9).map(|number| (format!("entry {number}"), text("value"))).collect());
        let document = Document::List(vec![short.clone(), Document::entry("long", long)]);
        let lines = document.lines("list", 1);
        assert!(
            lines.starts_with("list:\n  - { a: 1 }\n  - long:\n      entry 0: value\n      entry 1: value\n"),
            "{lines}"
        );
        assert_eq!(short.lines("short", 0), "short: { a: 1 }\n");
        assert_eq!(Document::Null.lines("none", 0), "none:\n");
    }
}
