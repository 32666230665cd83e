//! The steps of a chain.

use std::sync::Arc;

use goalspec_resource::compare::Comparison;
use goalspec_resource::compute::{Kind, StepOperator, ValueCompute};
use goalspec_resource::filter::ValueFilter;
use goalspec_resource::pattern::Extent;
use goalspec_resource::value::Value;
use goalspec_syntax::{Diagnostic, Span};

use super::reader::{Map, Reader};
use crate::ast::{Name, Step, StepKind, Test, TestKind};
use crate::codes;
use crate::dialect::Joining;
use crate::keys;
use crate::yaml::{Entry, Key, Node};

/// Steps of the library of the Cage engine that games do not support.
const UNSUPPORTED: [&str; 4] = ["Decode", "DecodeInstant", "Now", "TargetMultipleFields"];

impl Reader<'_> {
    /// Parses a step that is the only entry of a map.
    pub(super) fn single_step(&mut self, node: Node<'_>) -> Option<Step> {
        let map = self.map(node, "a step")?;
        let Some(first) = map.first() else {
            self.error(codes::COMPUTATION_FORM, map.span, "expected the name of a step, found an empty map");
            return None;
        };
        for other in map.iter().skip(1) {
            let message = format!("unexpected second key `{}` of a step", other.key.text);
            self.surplus(codes::SURPLUS_ENTRY, other.key.span, message, (first.key.span, "this one is used"));
        }
        self.step(first)
    }

    pub(super) fn step(&mut self, entry: Entry<'_>) -> Option<Step> {
        let Entry { key, value } = entry;
        let span = key.span.to(value.span());
        let name = &*key.text;
        if keys::has(&keys::STEPS, name) {
            return Some(Step { kind: StepKind::Value(self.value_step(entry)?), span });
        }
        if self.is_filter(name) {
            if name == "Not" && value.entries().is_some() && self.dialect.joining == Joining::First {
                return Some(Step { kind: StepKind::Test(self.unlike(entry, span)), span });
            }
            return Some(Step { kind: StepKind::Test(self.named_test(entry)?), span });
        }
        let message = format!("unknown step `{name}` of a computation");
        if UNSUPPORTED.contains(&name) {
            self.error(codes::UNSUPPORTED, key.span, format!("`{name}` is not supported"));
        } else {
            self.unknown(codes::UNKNOWN_STEP, key, message, &keys::names(&keys::STEPS));
        }
        None
    }

    /// Parses a `Not` that the Cage engine reads as a comparison: whether the value differs from the map.
    fn unlike(&mut self, Entry { key, value }: Entry<'_>, span: Span) -> Test {
        let message = "the Cage engine tests here whether the value differs from this map";
        self.report(Diagnostic::warning(codes::FILTER_IGNORED, key.span, message));
        let map = self.literal(value).unwrap_or(Value::Map(Arc::default()));
        let same = TestKind::Value(ValueFilter::Compare(Comparison::Equal, map));
        Test { kind: TestKind::Not(Box::new(Test { kind: same, span: value.span() })), span }
    }

    fn value_step(&mut self, entry: Entry<'_>) -> Option<ValueCompute> {
        let Entry { key, value } = entry;
        Some(match &*key.text {
            "Constant" => ValueCompute::Constant(self.literal(value)),
            "Identity" | "LogValue" => ValueCompute::Identity,
            "Lookup" => self.lookup(value)?,
            "Add" => self.arithmetic(entry, StepOperator::Add)?,
            "Subtract" => self.arithmetic(entry, StepOperator::Subtract)?,
            "Multiply" => self.arithmetic(entry, StepOperator::Multiply)?,
            "Divide" => self.arithmetic(entry, StepOperator::Divide)?,
            "Linear" => {
                let map = self.record(value, "`Linear`", &keys::names(&keys::LINEAR))?;
                let (domain, range) = (self.interval(&map, "domain"), self.interval(&map, "range"));
                ValueCompute::Linear { domain: domain?, range: range? }
            }
            "As" => ValueCompute::As(self.kind_of_value(value)?),
            "RegexCapture" => self.capture(value)?,
            "OneHot" => {
                let items = self.list(value, "`OneHot`")?;
                ValueCompute::OneHot(items.into_iter().map(|item| self.literal(item)).collect())
            }
            "FlattenList" | "FlattenMatrix" => ValueCompute::Flatten,
            "IpToInt" => ValueCompute::IpToInt,
            _ => ValueCompute::IpFromInt,
        })
    }

    fn lookup(&mut self, node: Node<'_>) -> Option<ValueCompute> {
        let map = self.map(node, "`Lookup`")?;
        let names_its_table = map.get("table").filter(|entry| entry.value.entries().is_some());
        if let Some(table) = names_its_table.filter(|_| self.dialect.further_names) {
            let map = self.record(node, "`Lookup`", &keys::names(&keys::LOOKUP))?;
            let if_null = map.get("ifNull").and_then(|entry| self.literal(entry.value));
            let table = self.map(table.value, "`table`")?;
            return Some(ValueCompute::Lookup { table: self.table(&table), if_null });
        }
        Some(ValueCompute::Lookup { table: self.table(&map), if_null: None })
    }

    fn table(&mut self, map: &Map<'_>) -> Vec<(Arc<str>, Option<Value>)> {
        map.iter().map(|entry| (Arc::clone(&entry.key.text), self.literal(entry.value))).collect()
    }

    fn arithmetic(&mut self, Entry { key, value }: Entry<'_>, operator: StepOperator) -> Option<ValueCompute> {
        let what = format!("the argument of `{}`", key.text);
        let scalar = self.scalar(value, &what, "a number")?;
        match self.value(scalar) {
            Some(number) if number.real().is_some() => Some(ValueCompute::Arithmetic(operator, number)),
            _ => {
                self.kind(value, &what, "a number");
                None
            }
        }
    }

    fn interval(&mut self, map: &Map<'_>, key: &str) -> Option<[f64; 2]> {
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

    fn kind_of_value(&mut self, node: Node<'_>) -> Option<Kind> {
        let Name { text, span } = self.name(node, "`As`")?;
        let found = keys::KINDS.iter().find(|(known, _)| *known == &*text);
        if found.is_none() {
            let message = format!("unknown kind of value `{text}`");
            self.unknown_word(text, span, message, &keys::KINDS.map(|(known, _)| known));
        }
        found.map(|(_, kind)| *kind)
    }

    /// Reports an unknown word in the position of a value.
    pub(super) fn unknown_word(&mut self, text: Arc<str>, span: Span, message: String, known: &[&str]) {
        self.unknown(codes::COMPUTATION_ARGUMENT, &Key { text, span }, message, known);
    }

    fn capture(&mut self, node: Node<'_>) -> Option<ValueCompute> {
        let map = self.record(node, "`RegexCapture`", &keys::names(&keys::CAPTURE))?;
        let pattern = map.get("regex").and_then(|entry| self.pattern(entry, Extent::Whole));
        self.required(&map, "regex", "`RegexCapture`")?;
        let names = self.required(&map, "as", "`RegexCapture`").and_then(|node| self.list(node, "`as`"))?;
        let names: Vec<_> = names.into_iter().map(|node| self.name(node, "a name")).collect();
        let names = names.into_iter().map(|name| name.map(|name| name.text)).collect::<Option<_>>()?;
        Some(ValueCompute::RegexCapture(pattern?, names))
    }
}
