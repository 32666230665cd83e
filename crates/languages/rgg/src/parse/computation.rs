//! Computations.

use std::sync::Arc;

use goalspec_resource::compute::MathOperator;
use goalspec_resource::expression::Expression;
use goalspec_syntax::Span;
use rustc_hash::FxHashMap;

use super::parser::{Parser, UniqueEntries};
use crate::ast::{
    ChainStep, Computation, ComputationCase, ComputationKind, SpannedExpression, SpannedText, TemplatePart,
};
use crate::codes;
use crate::dialect::{Dialect, SurplusEntryRule};
use crate::expression;
use crate::fragment::FragmentResult;
use crate::keywords;
use crate::yaml::{Entry, Node, Scalar, ScalarValue};

impl Parser<'_> {
    /// Parses a computation of a reward or condition: a map with one key, the name of the computation.
    pub(super) fn compute(&mut self, node: Node<'_>) -> Option<Computation> {
        let map = self.computation(node)?;
        let first = map.first()?;
        for other in map.iter().skip(1) {
            let message = format!("unexpected second key `{}` of a computation", other.key.text);
            self.report_surplus(codes::SURPLUS_ENTRY, other.key.span, message, (first.key.span, "this one is used"));
        }
        self.computation_entry(first, map.span)
    }

    /// Parses an assigned value: a literal, a computation, or a computation with steps.
    pub(super) fn assigned_value(&mut self, node: Node<'_>) -> Option<Computation> {
        let span = node.span();
        if node.is_error() {
            return None;
        }
        if let Some(scalar) = node.scalar() {
            return Some(Computation { kind: ComputationKind::Constant(self.scalar_value(scalar)), span });
        }
        if let Some(items) = node.items() {
            return self.sequence(&items.collect::<Vec<_>>(), span);
        }
        let map = self.computation(node)?;
        let from = self.computation_entry(map.first()?, span)?;
        let steps: Vec<Option<ChainStep>> = map.iter().skip(1).map(|entry| self.step(entry)).collect();
        Some(chain(from, steps.into_iter().collect::<Option<_>>()?, span))
    }

    /// Returns the entries of a map that is not empty.
    fn computation<'t>(&mut self, node: Node<'t>) -> Option<UniqueEntries<'t>> {
        if node.entries().is_none() && !node.is_error() {
            let message = format!("a computation must be a map with its name as the key, found {}", node.kind());
            let help = match node.scalar().filter(|_| !node.is_null()) {
                Some(scalar) => format!("write a fixed value as `{{Constant: {}}}`", scalar.text),
                None => "write `{Constant: ..}`, `{Field: node.resource}` or `{Calculate: \"..\"}`".to_owned(),
            };
            self.error_with(codes::COMPUTATION_FORM, node.span(), message, help);
            return None;
        }
        let map = self.map(node, "a computation")?;
        if map.first().is_none() {
            self.error(codes::COMPUTATION_FORM, map.span, "expected the name of a computation, found an empty map");
            return None;
        }
        Some(map)
    }

    /// Parses a list of a computation and its steps.
    fn sequence(&mut self, items: &[Node<'_>], span: Span) -> Option<Computation> {
        let Some((first, rest)) = items.split_first() else {
            let message = "expected a computation, found an empty list".to_owned();
            self.report_surplus(codes::COMPUTATION_FORM, span, message, (span, "this has no value"));
            return match self.dialect.surplus_entries {
                SurplusEntryRule::Error => None,
                SurplusEntryRule::Ignore => Some(Computation { kind: ComputationKind::Constant(None), span }),
            };
        };
        if first.entries().is_none() && !first.is_error() {
            let message = "a list is a computation with its steps here, not a list of values";
            self.error_with(codes::COMPUTATION_FORM, span, message, "write a list of values as `{Constant: [..]}`");
            return None;
        }
        let from = self.compute(*first);
        let steps: Vec<Option<ChainStep>> = rest.iter().map(|node| self.single_step(*node)).collect();
        Some(chain(from?, steps.into_iter().collect::<Option<_>>()?, span))
    }

    fn computation_entry(&mut self, entry: Entry<'_>, span: Span) -> Option<Computation> {
        let Entry { key, value } = entry;
        let kind = match &*key.text {
            "Constant" => {
                if value.is_null() {
                    self.report_kind(value, "`Constant`", "a value");
                    return None;
                }
                ComputationKind::Constant(self.node_value(value))
            }
            "Field" => ComputationKind::Field(self.field_name(value, "`Field`")?),
            "Calculate" => ComputationKind::Calculate(self.formula(entry, expression::numeric)?),
            "CalculateBoolean" => ComputationKind::CalculateBoolean(self.formula(entry, expression::boolean)?),
            "Condition" => ComputationKind::Cases(self.cases(value)?),
            "MathOp" => self.math(value)?,
            "Template" => self.template(entry)?,
            "Chain" => self.chain(value)?,
            "ToArray" => {
                let map = self.record(value, "`ToArray`", &keywords::names(&keywords::TO_ARRAY))?;
                let fields = self.required(&map, "fields", "`ToArray`")?;
                ComputationKind::List(self.field_names(fields)?)
            }
            "Now" => {
                self.error(codes::UNSUPPORTED, key.span, "`Now` is not supported: games have no clock");
                return None;
            }
            name => {
                self.report_unknown(
                    codes::UNKNOWN_COMPUTATION,
                    key,
                    format!("unknown computation `{name}`"),
                    &keywords::names(&keywords::COMPUTATIONS),
                );
                return None;
            }
        };
        Some(Computation { kind, span })
    }

    fn field_name(&mut self, node: Node<'_>, subject: &str) -> Option<SpannedText> {
        let scalar = self.scalar(node, subject, "the name of a field")?;
        Some(trimmed(scalar, 0, &scalar.text))
    }

    fn field_names(&mut self, node: Node<'_>) -> Option<Vec<SpannedText>> {
        let items = self.list(node, "`fields`")?;
        let names: Vec<Option<SpannedText>> = items.into_iter().map(|item| self.field_name(item, "a field")).collect();
        names.into_iter().collect()
    }

    fn formula<N>(
        &mut self,
        Entry { key, value }: Entry<'_>,
        read: impl Fn(&str, Dialect) -> FragmentResult<Expression<N>>,
    ) -> Option<SpannedExpression<N>> {
        let subject = format!("the argument of `{}`", key.text);
        let scalar = self.scalar(value, &subject, "text")?;
        if scalar.value() != ScalarValue::Str {
            let message = format!("{subject} must be a string, found {}", scalar.value().kind());
            let help = format!("write a fixed value as `{{Constant: {}}}`", scalar.text);
            self.error_with(codes::COMPUTATION_ARGUMENT, scalar.span, message, help);
            return None;
        }
        let parsed = read(&scalar.text, self.dialect);
        let has_errors = parsed.has_errors();
        let expression = self.take_result(scalar, parsed);
        if has_errors {
            return None;
        }
        let names = expression.as_ref().map_or(&[][..], Expression::fields);
        let places = field_offsets(&scalar.text);
        let place =
            |name: &str| places.get(name).map_or(scalar.span, |&start| scalar.span_of(start..start + name.len()));
        let fields = names.iter().map(|name| SpannedText { text: Arc::clone(name), span: place(name) }).collect();
        Some(SpannedExpression { text: scalar.into(), expression, fields })
    }

    fn cases(&mut self, node: Node<'_>) -> Option<Vec<ComputationCase>> {
        let items = self.list(node, "`Condition`")?;
        let cases: Vec<Option<ComputationCase>> = items.into_iter().map(|item| self.case(item)).collect();
        cases.into_iter().collect()
    }

    fn case(&mut self, node: Node<'_>) -> Option<ComputationCase> {
        let subject = "a case of `Condition`";
        let map = self.record(node, subject, &keywords::names(&keywords::CASE))?;
        let conditions = self.required(&map, "when", subject).and_then(|node| self.fields(node));
        let value = self.required(&map, "value", subject).and_then(|node| self.compute(node));
        Some(ComputationCase { when: conditions?, value: value? })
    }

    fn math(&mut self, node: Node<'_>) -> Option<ComputationKind> {
        let map = self.record(node, "`MathOp`", &keywords::names(&keywords::MATH_OP))?;
        let operator = match map.get("operator") {
            Some(entry) => self.operator(entry.value),
            None => Some(MathOperator::Add),
        };
        let fields = self.required(&map, "fields", "`MathOp`").and_then(|node| self.field_names(node));
        let if_invalid = map.get("ifInvalid").and_then(|entry| self.node_value(entry.value));
        Some(ComputationKind::MathOperation { operator: operator?, fields: fields?, fallback: if_invalid })
    }

    fn operator(&mut self, node: Node<'_>) -> Option<MathOperator> {
        let name = self.name(node, "`operator`")?;
        let found = keywords::OPERATORS.iter().find(|(known, _)| *known == &*name.text);
        if found.is_none() {
            let names = keywords::OPERATORS.map(|(known, _)| known);
            let message = format!("unknown operator `{}`", name.text);
            self.unknown_word(name.text, name.span, message, &names);
        }
        found.map(|(_, operator)| *operator)
    }

    fn template(&mut self, Entry { key, value }: Entry<'_>) -> Option<ComputationKind> {
        let subject = format!("the argument of `{}`", key.text);
        let scalar = self.scalar(value, &subject, "text")?;
        if scalar.text.starts_with('/') {
            let mut at = 0;
            let field = |text: &str| {
                let name = trimmed(scalar, at, text);
                at += text.len() + 1;
                name
            };
            return Some(ComputationKind::FirstPresent(scalar.text.split(';').map(field).collect()));
        }
        Some(ComputationKind::Template(template_parts(scalar)))
    }

    fn chain(&mut self, node: Node<'_>) -> Option<ComputationKind> {
        let map = self.record(node, "`Chain`", &keywords::names(&keywords::CHAIN))?;
        let from = self.required(&map, "from", "`Chain`").and_then(|node| self.compute(node));
        let process = self.required(&map, "process", "`Chain`").and_then(|node| self.list(node, "`process`"));
        let steps: Vec<Option<ChainStep>> = process?.into_iter().map(|node| self.single_step(node)).collect();
        Some(ComputationKind::Chain(Box::new(from?), steps.into_iter().collect::<Option<_>>()?))
    }
}

fn chain(from: Computation, steps: Vec<ChainStep>, span: Span) -> Computation {
    if steps.is_empty() {
        return Computation { span, ..from };
    }
    Computation { kind: ComputationKind::Chain(Box::new(from), steps), span }
}

/// Returns a part of a scalar, from the byte offset `start`, without surrounding blanks.
fn trimmed(scalar: &Scalar, start: usize, text: &str) -> SpannedText {
    let start = start + text.len() - text.trim_start().len();
    let text = text.trim();
    SpannedText { text: Arc::from(text), span: scalar.span_of(start..start + text.len()) }
}

/// Returns the byte offsets of the fields in an expression, each at its first occurrence.
fn field_offsets(text: &str) -> FxHashMap<&str, usize> {
    let (mut at, mut places) = (0, FxHashMap::default());
    while let Some(open) = text[at..].find('{') {
        let start = at + open + 1;
        let Some(length) = text[start..].find('}') else { break };
        let inner = &text[start..start + length];
        places.entry(inner.trim()).or_insert(start + inner.len() - inner.trim_start().len());
        at = start + length + 1;
    }
    places
}

/// Splits a template into literal text and fields in braces; an unmatched brace is literal text.
fn template_parts(scalar: &Scalar) -> Vec<TemplatePart> {
    let (text, mut at, mut parts) = (&*scalar.text, 0, Vec::new());
    while let Some(open) = text[at..].find('{').map(|open| at + open) {
        let Some(close) = text[open..].find('}').map(|close| open + close) else { break };
        if open > at {
            parts.push(TemplatePart::Text(text[at..open].into()));
        }
        parts.push(TemplatePart::Field(trimmed(scalar, open + 1, &text[open + 1..close])));
        at = close + 1;
    }
    if at < text.len() {
        parts.push(TemplatePart::Text(text[at..].into()));
    }
    parts
}
