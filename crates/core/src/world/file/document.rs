//! World files as trees of TOML values with source spans.

use std::ops::Range;

use goalspec_syntax::suggest::nearest;
use goalspec_syntax::{Diagnostic, SourceFile, SourceId, Span};
use toml::de::{DeTable, DeValue};

use super::codes;
use crate::limits::MAX_WORLD_FILE_BYTES;

/// A value with its source span.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) value: NodeValue,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum NodeValue {
    Text(String),
    Int(i64),
    Real(f64),
    Bool(bool),
    List(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key with its value and the source span of the key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) node: Node,
}

impl Node {
    /// Returns the kind of the value, for messages.
    pub(super) fn describe(&self) -> &'static str {
        match self.value {
            NodeValue::Text(_) => "a string",
            NodeValue::Int(_) => "an integer",
            NodeValue::Real(_) => "a number",
            NodeValue::Bool(_) => "a boolean",
            NodeValue::List(_) => "a list",
            NodeValue::Table(_) => "a table",
        }
    }

    pub(super) fn wrong(&self, expected: &str) -> Box<Diagnostic> {
        let message = format!("expected {expected}, found {}", self.describe());
        Box::new(Diagnostic::error(codes::WRONG_VALUE, self.span, message))
    }

    pub(super) fn text(&self) -> Result<&str, Box<Diagnostic>> {
        match &self.value {
            NodeValue::Text(text) => Ok(text),
            _ => Err(self.wrong("a string")),
        }
    }

    pub(super) fn bool(&self) -> Result<bool, Box<Diagnostic>> {
        match self.value {
            NodeValue::Bool(value) => Ok(value),
            _ => Err(self.wrong("a boolean")),
        }
    }

    pub(super) fn int(&self) -> Result<i64, Box<Diagnostic>> {
        match self.value {
            NodeValue::Int(value) => Ok(value),
            _ => Err(self.wrong("an integer")),
        }
    }

    pub(super) fn number(&self) -> Result<f64, Box<Diagnostic>> {
        let value = match self.value {
            NodeValue::Real(value) => value,
            NodeValue::Int(value) => value as f64,
            _ => return Err(self.wrong("a number")),
        };
        if value.is_finite() {
            return Ok(value);
        }
        Err(Box::new(Diagnostic::error(codes::WRONG_VALUE, self.span, "numbers must be finite")))
    }

    pub(super) fn list(&self) -> Result<&[Node], Box<Diagnostic>> {
        match &self.value {
            NodeValue::List(items) => Ok(items),
            _ => Err(self.wrong("a list")),
        }
    }

    /// Returns the items of a list, or any other value as a list of one item.
    pub(super) fn one_or_more(&self) -> &[Node] {
        match &self.value {
            NodeValue::List(items) => items,
            _ => std::slice::from_ref(self),
        }
    }

    pub(super) fn table(&self) -> Result<&[Entry], Box<Diagnostic>> {
        match &self.value {
            NodeValue::Table(entries) => Ok(entries),
            _ => Err(self.wrong("a table")),
        }
    }
}

/// Parses a file as TOML. Returns `None` if there is any error.
pub(super) fn read(source: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Option<Node> {
    let whole = Span::new(source.id(), 0, 0);
    if source.text().len() > MAX_WORLD_FILE_BYTES {
        let message = format!("the world file exceeds the limit of {MAX_WORLD_FILE_BYTES} bytes");
        diagnostics.push(Diagnostic::error(codes::TOO_LARGE, whole, message));
        return None;
    }
    let (table, errors) = DeTable::parse_recoverable(source.text());
    for error in &errors {
        let span = error.span().map_or(whole, |range| span(source.id(), &range));
        diagnostics.push(Diagnostic::error(codes::TOML, span, error.message()));
    }
    if !errors.is_empty() {
        return None;
    }
    let before = diagnostics.len();
    let entries = entries(table.get_ref(), source.id(), diagnostics);
    let end = source.text().len() as u32;
    let node = Node { span: Span::new(source.id(), 0, end), value: NodeValue::Table(entries) };
    (diagnostics.len() == before).then_some(node)
}

fn span(source: SourceId, range: &Range<usize>) -> Span {
    Span::new(source, range.start as u32, range.end as u32)
}

/// Converts the entries of a table, in source order.
fn entries(table: &DeTable<'_>, source: SourceId, diagnostics: &mut Vec<Diagnostic>) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let key_span = span(source, &key.span());
        if let Some(node) = node(value.get_ref(), span(source, &value.span()), diagnostics) {
            entries.push(Entry { key: key.get_ref().to_string(), key_span, node });
        }
    }
    entries.sort_by_key(|entry| entry.key_span.start);
    entries
}

/// Converts a value. The TOML parser limits the nesting depth, which bounds the recursion.
fn node(value: &DeValue<'_>, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<Node> {
    let mut report = |message: &str| {
        diagnostics.push(Diagnostic::error(codes::WRONG_VALUE, span, message));
        None
    };
    let value = match value {
        DeValue::String(text) => NodeValue::Text(text.to_string()),
        DeValue::Integer(digits) => {
            let Ok(number) = i64::from_str_radix(digits.as_str(), digits.radix()) else {
                return report("the number is too large");
            };
            NodeValue::Int(number)
        }
        DeValue::Float(digits) => {
            let Ok(number) = digits.as_str().parse() else { return report("invalid number") };
            NodeValue::Real(number)
        }
        DeValue::Boolean(value) => NodeValue::Bool(*value),
        DeValue::Datetime(_) => return report("dates are not supported"),
        DeValue::Array(items) => {
            let mut nodes = Vec::with_capacity(items.len());
            for item in items {
                nodes.push(node(item.get_ref(), self::span(span.source, &item.span()), diagnostics)?);
            }
            NodeValue::List(nodes)
        }
        DeValue::Table(table) => NodeValue::Table(entries(table, span.source, diagnostics)),
    };
    Some(Node { span, value })
}

/// The entries of one table, looked up key by key. Keys that are never looked up are unknown.
pub(super) struct Keys<'n> {
    entries: &'n [Entry],
    span: Span,
    asked: Vec<&'static str>,
}

impl<'n> Keys<'n> {
    pub(super) fn new(entries: &'n [Entry], span: Span) -> Self {
        Self { entries, span, asked: Vec::new() }
    }

    pub(super) fn optional(&mut self, key: &'static str) -> Option<&'n Node> {
        self.asked.push(key);
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    pub(super) fn required(&mut self, key: &'static str, diagnostics: &mut Vec<Diagnostic>) -> Option<&'n Node> {
        let found = self.optional(key);
        if found.is_none() {
            diagnostics.push(Diagnostic::error(codes::MISSING_KEY, self.span, format!("missing key `{key}`")));
        }
        found
    }

    /// Reports the keys that were never looked up.
    pub(super) fn finish(self, diagnostics: &mut Vec<Diagnostic>) {
        for entry in self.entries.iter().filter(|entry| !self.asked.contains(&entry.key.as_str())) {
            let message = format!("unknown key `{}`", entry.key);
            let known = format!("known keys: {}", self.asked.join(", "));
            let suggestion = nearest(&entry.key, self.asked.iter().copied());
            let help = suggestion.map_or(known, |key| format!("did you mean `{key}`?"));
            diagnostics.push(Diagnostic::error(codes::UNKNOWN_KEY, entry.key_span, message).with_help(help));
        }
    }
}
