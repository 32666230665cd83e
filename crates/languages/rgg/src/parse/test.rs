//! Tests of one value.

use std::net::Ipv4Addr;
use std::sync::Arc;

use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::filter::{Cidr, TextTest, ValueFilter};
use goalspec_resource::pattern::{MatchMode, TextPattern};
use goalspec_resource::value::{Labels, Value};
use goalspec_syntax::{Diagnostic, Severity, Span};

use super::parser::Parser;
use crate::ast::{ValueTest, ValueTestKind};
use crate::codes;
use crate::dialect::{FilterCombination, SurplusEntryRule};
use crate::keywords::{self, Keyword};
use crate::yaml::{Entry, Node};

/// The maximum number of distinct regular expressions in a game; compiled, they are much larger than their texts.
const MAX_PATTERNS: usize = 1_000;

/// Filters of later releases of the library of the Cage engine.
const DATE_FILTERS: [&str; 5] = ["IsDate", "IsDateTime", "Before", "After", "Between"];

impl Parser<'_> {
    fn filter_names(&self) -> Vec<&'static str> {
        let extended: &[Keyword] = if self.dialect.extended_names { &keywords::EXTENDED_FILTERS } else { &[] };
        keywords::FILTERS.iter().chain(extended).map(|word| word.name).collect()
    }

    pub(super) fn is_filter(&self, name: &str) -> bool {
        self.filter_names().contains(&name)
    }

    /// Parses a test, or its short form: a value for equality, or a list of values for membership.
    pub(super) fn test(&mut self, node: Node<'_>) -> Option<ValueTest> {
        let span = node.span();
        if node.is_error() {
            return None;
        }
        if let Some(scalar) = node.scalar() {
            let Some(value) = self.scalar_value(scalar) else {
                self.report_kind(node, "a test", "a value or a filter");
                return None;
            };
            return Some(value_test(ValueFilter::Compare(ComparisonOperator::Equal, value), span));
        }
        if node.items().is_some() {
            return Some(value_test(ValueFilter::OneOf(self.members(node, "a list of values")?), span));
        }
        let map = self.map(node, "a filter")?;
        let Some(first) = map.first() else {
            let message = "empty filter of a value";
            self.error_with(codes::FILTER_FORM, span, message, "use `{All: {}}` to accept every value");
            return None;
        };
        if self.dialect.filter_combination == FilterCombination::FirstOnly {
            for other in map.iter().skip(1) {
                let message = format!("`{}` is ignored after `{}`", other.key.text, first.key.text);
                let diagnostic = Diagnostic::warning(codes::FILTER_IGNORED, other.key.span, message);
                self.report(diagnostic.with_related(first.key.span, "this one is used"));
            }
            return self.named_test(first);
        }
        let tests: Vec<Option<ValueTest>> = map.iter().map(|entry| self.named_test(entry)).collect();
        let mut tests: Vec<ValueTest> = tests.into_iter().collect::<Option<_>>()?;
        Some(if tests.len() == 1 { tests.remove(0) } else { ValueTest { kind: ValueTestKind::And(tests), span } })
    }

    /// Parses an entry with the name of a filter and its argument.
    pub(super) fn named_test(&mut self, entry: Entry<'_>) -> Option<ValueTest> {
        let Entry { key, value } = entry;
        let span = key.span.to(value.span());
        let name = &*key.text;
        if !self.is_filter(name) {
            if DATE_FILTERS.contains(&name) {
                self.error(codes::UNSUPPORTED, key.span, format!("`{name}` is not supported: games have no dates"));
            } else {
                let known = self.filter_names();
                self.report_unknown(codes::UNKNOWN_FILTER, key, format!("unknown filter `{name}`"), &known);
            }
            return None;
        }
        let kind = match name {
            "Not" => ValueTestKind::Not(Box::new(self.test(value)?)),
            "And" | "Or" => {
                let items: Vec<Node<'_>> = value.items().map_or_else(|| vec![value], Iterator::collect);
                let tests: Vec<Option<ValueTest>> = items.into_iter().map(|item| self.test(item)).collect();
                let tests = tests.into_iter().collect::<Option<_>>()?;
                if name == "And" { ValueTestKind::And(tests) } else { ValueTestKind::Or(tests) }
            }
            _ => ValueTestKind::Value(self.simple_test(entry)?),
        };
        Some(ValueTest { kind, span })
    }

    fn simple_test(&mut self, entry: Entry<'_>) -> Option<ValueFilter> {
        let compare = |comparison| move |value| ValueFilter::Compare(comparison, value);
        match &*entry.key.text {
            "Equal" => self.operand(entry, false).map(compare(ComparisonOperator::Equal)),
            "NotEqual" => self.operand(entry, false).map(compare(ComparisonOperator::NotEqual)),
            "Gt" => self.ordered(entry, ComparisonOperator::Greater),
            "Gte" => self.ordered(entry, ComparisonOperator::GreaterOrEqual),
            "Lt" => self.ordered(entry, ComparisonOperator::Less),
            "Lte" => self.ordered(entry, ComparisonOperator::LessOrEqual),
            "Range" => self.range(entry),
            "OneOf" => Some(ValueFilter::OneOf(self.members(entry.value, "`OneOf`")?)),
            "Contains" => self.text_test(entry, TextTest::Contains),
            "StartsWith" => self.text_test(entry, TextTest::StartsWith),
            "EndsWith" => self.text_test(entry, TextTest::EndsWith),
            "Matches" => self.pattern(entry, MatchMode::Full).map(ValueFilter::Matches),
            "ContainsMatch" => self.pattern(entry, MatchMode::Search).map(ValueFilter::Matches),
            "Has" => Some(ValueFilter::HasAny([self.argument(entry)?].into_iter().collect())),
            "HasAny" => self.labels(entry).map(ValueFilter::HasAny),
            "IpContainedIn" => self.address(entry, cidr, "a block such as `10.0.0.0/8`").map(ValueFilter::InCidr),
            "CidrContains" => {
                let read = |text: &str| text.parse::<Ipv4Addr>().ok();
                self.address(entry, read, "an address such as `10.0.0.1`").map(ValueFilter::CidrContains)
            }
            _ => self.without_argument(entry),
        }
    }

    fn without_argument(&mut self, Entry { key, value }: Entry<'_>) -> Option<ValueFilter> {
        if value.entries().is_none() {
            self.report_kind(value, &format!("the argument of `{}`", key.text), "the empty map `{}`");
            return None;
        }
        Some(match &*key.text {
            "IsNull" => ValueFilter::IsNull,
            "IsNotNull" => ValueFilter::IsNotNull,
            "IsEmpty" => ValueFilter::IsEmpty,
            "IsNotEmpty" => ValueFilter::IsNotEmpty,
            "IsIP" | "IsIp" => ValueFilter::IsIp,
            "IsCidr" => ValueFilter::IsCidr,
            "All" => ValueFilter::Always,
            _ => ValueFilter::Never,
        })
    }

    /// Parses a value to compare with; a list or map only if `allowed`.
    fn operand(&mut self, Entry { key, value }: Entry<'_>, allowed: bool) -> Option<Value> {
        let subject = format!("the argument of `{}`", key.text);
        match value.scalar() {
            Some(scalar) if !value.is_null() => self.scalar_value(scalar),
            None if allowed && !value.is_error() => self.node_value(value),
            _ => {
                self.report_kind(value, &subject, "a value");
                None
            }
        }
    }

    fn ordered(&mut self, entry: Entry<'_>, comparison: ComparisonOperator) -> Option<ValueFilter> {
        let ignores_surplus = self.dialect.surplus_entries == SurplusEntryRule::Ignore;
        let operand = self.operand(entry, ignores_surplus)?;
        if matches!(operand, Value::List(_) | Value::Map(_)) {
            let message = format!("`{}` with {} never holds", entry.key.text, entry.value.kind());
            self.warning(codes::FILTER_ARGUMENT, entry.value.span(), message);
            return Some(ValueFilter::Never);
        }
        Some(ValueFilter::Compare(comparison, operand))
    }

    fn members(&mut self, node: Node<'_>, subject: &str) -> Option<Vec<Option<Value>>> {
        let items = self.list(node, subject)?;
        Some(items.into_iter().map(|item| self.node_value(item)).collect())
    }

    fn range(&mut self, Entry { key, value }: Entry<'_>) -> Option<ValueFilter> {
        let items = self.list(value, "the argument of `Range`")?;
        let [low, high, ref rest @ ..] = items[..] else {
            let message = format!("expected 2 bounds, found {}", items.len());
            self.error(codes::FILTER_ARGUMENT, value.span(), message);
            return None;
        };
        if let Some(third) = rest.first() {
            let message = "expected 2 bounds, found a third".to_owned();
            self.report_surplus(codes::SURPLUS_ENTRY, third.span(), message, (key.span, "in this range"));
        }
        let mut bound = |node| self.operand(Entry { key, value: node }, false);
        let (low, high) = (bound(low)?, bound(high)?);
        if low.as_f64().zip(high.as_f64()).is_some_and(|(low, high)| low > high) {
            let message = format!("empty range: {low} exceeds {high}, so the filter never holds");
            self.warning(codes::FILTER_ARGUMENT, value.span(), message);
        }
        Some(ValueFilter::Range(low, high))
    }

    fn argument(&mut self, Entry { key, value }: Entry<'_>) -> Option<Arc<str>> {
        let subject = format!("the argument of `{}`", key.text);
        self.text(value, codes::FILTER_ARGUMENT, &subject).map(|scalar| Arc::clone(&scalar.text))
    }

    fn text_test(&mut self, entry: Entry<'_>, test: TextTest) -> Option<ValueFilter> {
        Some(ValueFilter::Text(test, self.argument(entry)?))
    }

    fn labels(&mut self, Entry { key, value }: Entry<'_>) -> Option<Labels> {
        let items = self.list(value, &format!("the argument of `{}`", key.text))?;
        let labels: Vec<_> = items.into_iter().map(|item| self.name(item, "a label")).collect();
        labels.into_iter().map(|label| label.map(|label| label.text)).collect()
    }

    /// Parses a regular expression.
    pub(super) fn pattern(&mut self, Entry { key, value }: Entry<'_>, extent: MatchMode) -> Option<TextPattern> {
        let subject = format!("the argument of `{}`", key.text);
        let scalar = self.text(value, codes::FILTER_ARGUMENT, &subject)?;
        let known = (Arc::clone(&scalar.text), extent);
        if let Some(pattern) = self.patterns.get(&known) {
            return Some(pattern.clone());
        }
        if self.patterns.len() >= MAX_PATTERNS {
            let message = format!("the number of regular expressions exceeds the limit of {MAX_PATTERNS}");
            self.error(codes::FILTER_ARGUMENT, scalar.span, message);
            return None;
        }
        match TextPattern::new(&scalar.text, extent) {
            Ok(pattern) => {
                self.patterns.insert(known, pattern.clone());
                Some(pattern)
            }
            Err(why) => {
                let message = format!("invalid regular expression `{}`: {why}", scalar.text);
                self.error(codes::FILTER_ARGUMENT, scalar.span, message);
                None
            }
        }
    }

    fn address<T>(&mut self, entry: Entry<'_>, read: impl Fn(&str) -> Option<T>, expected: &str) -> Option<T> {
        let text = self.argument(entry)?;
        let address = read(&text);
        if address.is_none() {
            let message = format!("expected {expected}, found `{text}`");
            let found = Diagnostic::new(codes::FILTER_ARGUMENT, Severity::Error, message);
            self.report(Diagnostic { span: Some(entry.value.span()), ..found });
        }
        address
    }
}

fn value_test(filter: ValueFilter, span: Span) -> ValueTest {
    ValueTest { kind: ValueTestKind::Value(filter), span }
}

/// Parses a block of addresses, such as `10.0.0.0/8`.
fn cidr(text: &str) -> Option<Cidr> {
    let (address, prefix) = text.split_once('/')?;
    let prefix = prefix.parse().ok().filter(|prefix| *prefix <= 32)?;
    Some(Cidr { address: address.parse().ok()?, prefix })
}
