//! Accessors of YAML nodes that report errors, shared by the parsers of all sections.

use std::sync::Arc;

use goalspec_resource::pattern::{MatchMode, TextPattern};
use goalspec_resource::value::{MapEntries, Value};
use goalspec_syntax::source::SourceId;
use goalspec_syntax::suggest::with_nearest;
use goalspec_syntax::{Code, Diagnostic, Severity, SourceFile, Span};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::ast::{SpannedNumber, SpannedText};
use crate::codes;
use crate::diagnostics::DiagnosticCollector;
use crate::dialect::{Dialect, SurplusEntryRule};
use crate::fragment::FragmentResult;
use crate::yaml::{Entry, Key, Node, Scalar, ScalarValue};

pub(super) struct Parser<'d> {
    source: SourceId,
    pub(super) dialect: Dialect,
    pub(super) custom: &'d [&'d str],
    /// The compiled regular expressions, to compile each once.
    pub(super) patterns: FxHashMap<(Arc<str>, MatchMode), TextPattern>,
    findings: DiagnosticCollector,
}

/// The entries of a map, without duplicate keys.
#[derive(Debug, Clone)]
pub(super) struct UniqueEntries<'t> {
    pub(super) span: Span,
    entries: IndexMap<Arc<str>, Entry<'t>, FxBuildHasher>,
}

impl<'t> UniqueEntries<'t> {
    pub(super) fn get(&self, key: &str) -> Option<Entry<'t>> {
        self.entries.get(key).copied()
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = Entry<'t>> {
        self.entries.values().copied()
    }

    pub(super) fn first(&self) -> Option<Entry<'t>> {
        self.entries.first().map(|(_, entry)| *entry)
    }
}

impl From<&Key> for SpannedText {
    fn from(key: &Key) -> Self {
        Self { text: Arc::clone(&key.text), span: key.span }
    }
}

impl From<&Scalar> for SpannedText {
    fn from(scalar: &Scalar) -> Self {
        Self { text: Arc::clone(&scalar.text), span: scalar.span }
    }
}

impl<'d> Parser<'d> {
    pub(super) fn new(source: SourceId, dialect: Dialect, custom: &'d [&'d str]) -> Self {
        Self { source, dialect, custom, patterns: FxHashMap::default(), findings: DiagnosticCollector::default() }
    }

    /// Returns the diagnostics in the order of the text.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.findings.finish()
    }

    pub(super) fn report_empty(&mut self, source: &SourceFile) {
        let message = format!("no game in {}", source.name());
        self.error(codes::EMPTY, Span::new(self.source, 0, 0), message);
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.findings.report(diagnostic);
    }

    pub(super) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    pub(super) fn error_with(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message).with_help(help));
    }

    pub(super) fn warning(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(code, span, message));
    }

    /// Reports an unknown word, with the most similar known word.
    pub(super) fn report_unknown(&mut self, code: Code, word: &Key, message: String, known: &[&str]) {
        let diagnostic = Diagnostic::error(code, word.span, message);
        if self.findings.is_full() {
            return self.report(diagnostic);
        }
        let (diagnostic, found) = with_nearest(diagnostic, &word.text, word.span, known.iter().copied());
        let others = || format!("expected one of {}", listed(known));
        self.report(if found { diagnostic } else { diagnostic.with_help(others()) });
    }

    /// Reports a surplus entry, with the severity of the dialect.
    pub(super) fn report_surplus(&mut self, code: Code, span: Span, message: String, first: (Span, &str)) {
        let severity = match self.dialect.surplus_entries {
            SurplusEntryRule::Error => Severity::Error,
            SurplusEntryRule::Ignore => Severity::Warning,
        };
        let diagnostic = Diagnostic { span: Some(span), ..Diagnostic::new(code, severity, message) };
        self.report(diagnostic.with_related(first.0, first.1));
    }

    /// Reports a value of an unexpected kind, unless it has been reported already.
    pub(super) fn report_kind(&mut self, node: Node<'_>, subject: &str, expected: &str) {
        if node.is_error() {
        } else if node.is_null() {
            let message = format!("{subject} has no value, expected {expected}");
            self.error(codes::MISSING_VALUE, node.span(), message);
        } else {
            let message = format!("{subject} must be {expected}, found {}", node.kind());
            self.error(codes::WRONG_KIND, node.span(), message);
        }
    }

    /// Returns the entries of a map, without duplicate keys.
    pub(super) fn map<'t>(&mut self, node: Node<'t>, subject: &str) -> Option<UniqueEntries<'t>> {
        let Some(all) = node.entries() else {
            self.report_kind(node, subject, "a map");
            return None;
        };
        Some(self.unique_entries(node.span(), all, subject))
    }

    /// Returns the entries of a map, or of a list of maps in dialects that merge them, without duplicate keys.
    pub(super) fn merged_map<'t>(&mut self, node: Node<'t>, subject: &str) -> Option<UniqueEntries<'t>> {
        let Some(items) = node.items().filter(|_| self.dialect.resource_lists) else { return self.map(node, subject) };
        let mut all = Vec::new();
        for item in items {
            match item.entries() {
                Some(entries) => all.extend(entries),
                None => self.report_kind(item, &format!("an item of {subject}"), "a map"),
            }
        }
        Some(self.unique_entries(node.span(), all.into_iter(), subject))
    }

    fn unique_entries<'t>(
        &mut self,
        span: Span,
        all: impl Iterator<Item = Entry<'t>>,
        subject: &str,
    ) -> UniqueEntries<'t> {
        let mut entries: IndexMap<Arc<str>, Entry<'t>, FxBuildHasher> = IndexMap::default();
        for entry in all {
            match entries.entry(Arc::clone(&entry.key.text)) {
                indexmap::map::Entry::Vacant(place) => {
                    place.insert(entry);
                }
                indexmap::map::Entry::Occupied(mut place) => {
                    let first = place.get().key.span;
                    if self.dialect.surplus_entries == SurplusEntryRule::Ignore {
                        place.insert(entry);
                    }
                    let message = format!("duplicate key `{}` in {subject}", entry.key.text);
                    self.report_surplus(
                        codes::YAML_DUPLICATE_KEY,
                        entry.key.span,
                        message,
                        (first, "first defined here"),
                    );
                }
            }
        }
        UniqueEntries { span, entries }
    }

    /// Returns the entries of a map with a fixed set of keys.
    pub(super) fn record<'t>(&mut self, node: Node<'t>, subject: &str, known: &[&str]) -> Option<UniqueEntries<'t>> {
        let map = self.map(node, subject)?;
        for entry in map.iter().filter(|entry| !known.contains(&&*entry.key.text)) {
            let message = format!("unknown key `{}` in {subject}", entry.key.text);
            self.report_unknown(codes::UNKNOWN_KEY, entry.key, message, known);
        }
        Some(map)
    }

    /// Returns the value of a required key.
    pub(super) fn required<'t>(&mut self, map: &UniqueEntries<'t>, key: &str, subject: &str) -> Option<Node<'t>> {
        let found = map.get(key).map(|entry| entry.value);
        if found.is_none() {
            let message = format!("missing `{key}` in {subject}");
            // The span of the map may be long: report at its first key.
            let place = map.first().map_or(map.span, |first| first.key.span);
            self.error(codes::MISSING_KEY, place, message);
        }
        found
    }

    pub(super) fn list<'t>(&mut self, node: Node<'t>, subject: &str) -> Option<Vec<Node<'t>>> {
        let items = node.items().map(Iterator::collect);
        if items.is_none() {
            self.report_kind(node, subject, "a list");
        }
        items
    }

    /// Returns a scalar other than null.
    pub(super) fn scalar<'t>(&mut self, node: Node<'t>, subject: &str, expected: &str) -> Option<&'t Scalar> {
        let scalar = node.scalar().filter(|_| !node.is_null());
        if scalar.is_none() {
            self.report_kind(node, subject, expected);
        }
        scalar
    }

    /// Returns a string; numbers and Booleans are accepted as written.
    pub(super) fn name(&mut self, node: Node<'_>, subject: &str) -> Option<SpannedText> {
        self.scalar(node, subject, "a string").map(SpannedText::from)
    }

    /// Returns a string; numbers and Booleans are errors.
    pub(super) fn text<'t>(&mut self, node: Node<'t>, code: Code, subject: &str) -> Option<&'t Scalar> {
        let scalar = self.scalar(node, subject, "a string")?;
        if scalar.value() == ScalarValue::Str {
            return Some(scalar);
        }
        let message = format!("{subject} must be a string, found {}", scalar.value().kind());
        self.error_with(code, scalar.span, message, format!("put it in quotes: \"{}\"", scalar.text));
        None
    }

    /// Returns the value of a scalar; `None` for null.
    pub(super) fn scalar_value(&mut self, scalar: &Scalar) -> Option<Value> {
        if scalar.is_ambiguous() {
            let literal = match scalar.value() {
                ScalarValue::Bool(truth) => truth.to_string(),
                ScalarValue::Int(number) => number.to_string(),
                ScalarValue::Real(number) => number.to_string(),
                ScalarValue::Null | ScalarValue::Str => String::new(),
            };
            let message = format!("`{}` means {literal}", scalar.text);
            self.warning(codes::YAML_AMBIGUOUS, scalar.span, message);
        }
        match scalar.value() {
            ScalarValue::Null => None,
            ScalarValue::Bool(truth) => Some(Value::Bool(truth)),
            ScalarValue::Int(number) => Some(Value::Int(number)),
            ScalarValue::Real(number) => Some(Value::Real(number)),
            ScalarValue::Str => Some(Value::Text(Arc::clone(&scalar.text))),
        }
    }

    /// Returns any node as a value. The recursion is bounded by the depth of the tree.
    pub(super) fn node_value(&mut self, node: Node<'_>) -> Option<Value> {
        if let Some(scalar) = node.scalar() {
            return self.scalar_value(scalar);
        }
        if let Some(items) = node.items() {
            return Some(Value::List(items.map(|item| self.node_value(item)).collect()));
        }
        if node.is_error() {
            return None;
        }
        let map = self.map(node, "a map")?;
        let entries: MapEntries =
            map.iter().map(|entry| (Arc::clone(&entry.key.text), self.node_value(entry.value))).collect();
        Some(Value::Map(Arc::new(entries)))
    }

    /// Parses a finite number; a string with a number is accepted.
    pub(super) fn number(&mut self, node: Node<'_>, code: Code, subject: &str) -> Option<SpannedNumber> {
        let scalar = self.scalar(node, subject, "a number")?;
        let number = match scalar.value() {
            ScalarValue::Int(number) => Some(f64::from(number)),
            ScalarValue::Real(number) => Some(number),
            ScalarValue::Str => scalar.text.trim().parse().ok(),
            ScalarValue::Bool(_) | ScalarValue::Null => None,
        };
        let number = number.filter(|number| number.is_finite());
        if number.is_none() {
            self.error(code, scalar.span, format!("{subject} must be a number, found `{}`", scalar.text));
        }
        number.map(|value| SpannedNumber { value, span: scalar.span })
    }

    /// Returns the value of a reading, and reports its faults at their spans in the file.
    pub(super) fn take_result<T>(&mut self, scalar: &Scalar, parsed: FragmentResult<T>) -> Option<T> {
        for fault in parsed.diagnostics {
            let span = scalar.span_of(fault.range);
            let found = Diagnostic { span: Some(span), ..Diagnostic::new(fault.code, fault.severity, fault.message) };
            self.report(Diagnostic { help: fault.help.into_iter().collect(), ..found });
        }
        parsed.value
    }
}

/// Returns names as a list for a sentence.
pub(super) fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
