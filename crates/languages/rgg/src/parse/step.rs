//! The steps of a chain.

use std::sync::Arc;

use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::compute::{ArithmeticOperator, ConversionKind, ValueTransform};
use goalspec_resource::filter::ValueFilter;
use goalspec_resource::pattern::MatchMode;
use goalspec_resource::value::Value;
use goalspec_syntax::{Diagnostic, Span};

use super::parser::{Parser, UniqueEntries};
use crate::ast::{ChainStep, ChainStepKind, SpannedText, ValueTest, ValueTestKind};
use crate::codes;
use crate::dialect::FilterCombination;
use crate::keywords;
use crate::yaml::{Entry, Key, Node};

/// Steps of the library of the Cage engine that games do not support.
const UNSUPPORTED: [&str; 4] = ["Decode", "DecodeInstant", "Now", "TargetMultipleFields"];

impl Parser<'_> {
    /// Parses a step that is the only entry of a map.
    pub(super) fn single_step(&mut self, node: Node<'_>) -> Option<ChainStep> {
        let map = self.map(node, "a step")?;
        let Some(first) = map.first() else {
            self.error(codes::COMPUTATION_FORM, map.span, "expected the name of a step, found an empty map");
            return None;
        };
        for other in map.iter().skip(1) {
            let message = format!("unexpected second key `{}` of a step", other.key.text);
            self.report_surplus(codes::SURPLUS_ENTRY, other.key.span, message, (first.key.span, "this one is used"));
        }
        self.step(first)
    }

    pub(super) fn step(&mut self, entry: Entry<'_>) -> Option<ChainStep> {
        let Entry { key, value } = entry;
        let span = key.span.to(value.span());
        let name = &*key.text;
        if keywords::contains(&keywords::STEPS, name) {
            return Some(ChainStep { kind: ChainStepKind::Transform(self.value_step(entry)?), span });
        }
        if self.is_filter(name) {
            if name == "Not"
                && value.entries().is_some()
                && self.dialect.filter_combination == FilterCombination::FirstOnly
            {
                return Some(ChainStep { kind: ChainStepKind::Test(self.map_inequality(entry, span)), span });
            }
            return Some(ChainStep { kind: ChainStepKind::Test(self.named_test(entry)?), span });
        }
        let message = format!("unknown step `{name}` of a computation");
        if UNSUPPORTED.contains(&name) {
            self.error(codes::UNSUPPORTED, key.span, format!("`{name}` is not supported"));
        } else {
            self.report_unknown(codes::UNKNOWN_STEP, key, message, &keywords::names(&keywords::STEPS));
        }
        None
    }

    /// Parses a `Not` that the Cage engine reads as a comparison: whether the value differs from the map.
    fn map_inequality(&mut self, Entry { key, value }: Entry<'_>, span: Span) -> ValueTest {
        let message = "the Cage engine tests here whether the value differs from this map";
        self.report(Diagnostic::warning(codes::FILTER_IGNORED, key.span, message));
        let map = self.node_value(value).unwrap_or(Value::Map(Arc::default()));
        let equal = ValueTestKind::Value(ValueFilter::Compare(ComparisonOperator::Equal, map));
        ValueTest { kind: ValueTestKind::Not(Box::new(ValueTest { kind: equal, span: value.span() })), span }
    }

    fn value_step(&mut self, entry: Entry<'_>) -> Option<ValueTransform> {
        let Entry { key, value } = entry;
        Some(match &*key.text {
            "Constant" => ValueTransform::Constant(self.node_value(value)),
            "Identity" | "LogValue" => ValueTransform::Identity,
            "Lookup" => self.lookup(value)?,
            "Add" => self.arithmetic(entry, ArithmeticOperator::Add)?,
            "Subtract" => self.arithmetic(entry, ArithmeticOperator::Subtract)?,
            "Multiply" => self.arithmetic(entry, ArithmeticOperator::Multiply)?,
            "Divide" => self.arithmetic(entry, ArithmeticOperator::Divide)?,
            "Linear" => {
                let map = self.record(value, "`Linear`", &keywords::names(&keywords::LINEAR))?;
                let (domain, range) = (self.interval(&map, "domain"), self.interval(&map, "range"));
                ValueTransform::Linear { domain: domain?, range: range? }
            }
            "As" => ValueTransform::Convert(self.kind_of_value(value)?),
            "RegexCapture" => self.capture(value)?,
            "OneHot" => {
                let items = self.list(value, "`OneHot`")?;
                ValueTransform::OneHot(items.into_iter().map(|item| self.node_value(item)).collect())
            }
            "FlattenList" | "FlattenMatrix" => ValueTransform::Flatten,
            "IpToInt" => ValueTransform::IpToInt,
            _ => ValueTransform::IpFromInt,
        })
    }

    fn lookup(&mut self, node: Node<'_>) -> Option<ValueTransform> {
        let map = self.map(node, "`Lookup`")?;
        let names_its_table = map.get("table").filter(|entry| entry.value.entries().is_some());
        if let Some(table) = names_its_table.filter(|_| self.dialect.extended_names) {
            let map = self.record(node, "`Lookup`", &keywords::names(&keywords::LOOKUP))?;
            let if_null = map.get("ifNull").and_then(|entry| self.node_value(entry.value));
            let table = self.map(table.value, "`table`")?;
            return Some(ValueTransform::Lookup { table: self.table(&table), default: if_null });
        }
        Some(ValueTransform::Lookup { table: self.table(&map), default: None })
    }

    fn table(&mut self, map: &UniqueEntries<'_>) -> Vec<(Arc<str>, Option<Value>)> {
        map.iter().map(|entry| (Arc::clone(&entry.key.text), self.node_value(entry.value))).collect()
    }

    fn arithmetic(&mut self, Entry { key, value }: Entry<'_>, operator: ArithmeticOperator) -> Option<ValueTransform> {
        let subject = format!("the argument of `{}`", key.text);
        let scalar = self.scalar(value, &subject, "a number")?;
        match self.scalar_value(scalar) {
            Some(number) if number.as_f64().is_some() => Some(ValueTransform::Arithmetic(operator, number)),
            _ => {
                self.report_kind(value, &subject, "a number");
                None
            }
        }
    }

    fn interval(&mut self, map: &UniqueEntries<'_>, key: &str) -> Option<[f64; 2]> {
        let node = self.required(map, key, "`Linear`")?;
        let items = self.list(node, &format!("`{key}`"))?;
        if items.len() != 2 {
            let message = format!("`{key}` must be 2 numbers, found {}", items.len());
            self.error(codes::COMPUTATION_ARGUMENT, node.span(), message);
            return None;
        }
        let mut bound = |node| self.number(node, codes::COMPUTATION_ARGUMENT, &format!("`{key}`"));
        let (low, high) = (bound(items[0]), bound(items[1]));
        Some([low?.value, high?.value])
    }

    fn kind_of_value(&mut self, node: Node<'_>) -> Option<ConversionKind> {
        let SpannedText { text, span } = self.name(node, "`As`")?;
        let found = keywords::KINDS.iter().find(|(known, _)| *known == &*text);
        if found.is_none() {
            let message = format!("unknown kind of value `{text}`");
            self.unknown_word(text, span, message, &keywords::KINDS.map(|(known, _)| known));
        }
        found.map(|(_, kind)| *kind)
    }

    /// Reports an unknown word in the position of a value.
    pub(super) fn unknown_word(&mut self, text: Arc<str>, span: Span, message: String, known: &[&str]) {
        self.report_unknown(codes::COMPUTATION_ARGUMENT, &Key { text, span }, message, known);
    }

    fn capture(&mut self, node: Node<'_>) -> Option<ValueTransform> {
        let map = self.record(node, "`RegexCapture`", &keywords::names(&keywords::REGEX_CAPTURE))?;
        let pattern = map.get("regex").and_then(|entry| self.pattern(entry, MatchMode::Full));
        self.required(&map, "regex", "`RegexCapture`")?;
        let names = self.required(&map, "as", "`RegexCapture`").and_then(|node| self.list(node, "`as`"))?;
        let names: Vec<_> = names.into_iter().map(|node| self.name(node, "a name")).collect();
        let names = names.into_iter().map(|name| name.map(|name| name.text)).collect::<Option<_>>()?;
        Some(ValueTransform::RegexCapture(pattern?, names))
    }
}
