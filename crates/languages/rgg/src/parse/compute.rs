//! Computations.

use std::sync::Arc;

use goalspec_resource::compute::Operator;
use goalspec_resource::expression::Expression;
use goalspec_syntax::Span;
use rustc_hash::FxHashMap;

use super::reader::{Map, Reader};
use crate::ast::{Case, Compute, ComputeKind, Formula, Name, Piece, Step};
use crate::codes;
use crate::dialect::{Dialect, Surplus};
use crate::expression;
use crate::keys;
use crate::reading::Reading;
use crate::yaml::{Entry, Literal, Node, Scalar};

impl Reader<'_> {
    /// Parses a computation of a reward or condition: a map with one key, the name of the computation.
    pub(super) fn compute(&mut self, node: Node<'_>) -> Option<Compute> {
        let map = self.computation(node)?;
        let first = map.first()?;
        for other in map.iter().skip(1) {
            let message = format!("unexpected second key `{}` of a computation", other.key.text);
            self.surplus(codes::SURPLUS_ENTRY, other.key.span, message, (first.key.span, "this one is used"));
        }
        self.named(first, map.span)
    }

    /// Parses an assigned value: a literal, a computation, or a computation with steps.
    pub(super) fn assigned(&mut self, node: Node<'_>) -> Option<Compute> {
        let span = node.span();
        if node.is_unreadable() {
            return None;
        }
        if let Some(scalar) = node.scalar() {
            return Some(Compute { kind: ComputeKind::Constant(self.value(scalar)), span });
        }
        if let Some(items) = node.items() {
            return self.sequence(&items.collect::<Vec<_>>(), span);
        }
        let map = self.computation(node)?;
        let from = self.named(map.first()?, span)?;
        let steps: Vec<Option<Step>> = map.iter().skip(1).map(|entry| self.step(entry)).collect();
        Some(chain(from, steps.into_iter().collect::<Option<_>>()?, span))
    }

    /// Returns the entries of a map that is not empty.
    fn computation<'t>(&mut self, node: Node<'t>) -> Option<Map<'t>> {
        if node.entries().is_none() && !node.is_unreadable() {
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
    fn sequence(&mut self, items: &[Node<'_>], span: Span) -> Option<Compute> {
        let Some((first, rest)) = items.split_first() else {
            let message = "expected a computation, found an empty list".to_owned();
            self.surplus(codes::COMPUTATION_FORM, span, message, (span, "this has no value"));
            return match self.dialect.surplus {
                Surplus::Refused => None,
                Surplus::LeftOut => Some(Compute { kind: ComputeKind::Constant(None), span }),
            };
        };
        if first.entries().is_none() && !first.is_unreadable() {
            let message = "a list is a computation with its steps here, not a list of values";
            self.error_with(codes::COMPUTATION_FORM, span, message, "write a list of values as `{Constant: [..]}`");
            return None;
        }
        let from = self.compute(*first);
        let steps: Vec<Option<Step>> = rest.iter().map(|node| self.single_step(*node)).collect();
        Some(chain(from?, steps.into_iter().collect::<Option<_>>()?, span))
    }

    fn named(&mut self, entry: Entry<'_>, span: Span) -> Option<Compute> {
        let Entry { key, value } = entry;
        let kind = match &*key.text {
            "Constant" => {
                if value.is_null() {
                    self.kind(value, "`Constant`", "a value");
                    return None;
                }
                ComputeKind::Constant(self.literal(value))
            }
            "Field" => ComputeKind::Field(self.field_name(value, "`Field`")?),
            "Calculate" => ComputeKind::Calculate(self.formula(entry, expression::numeric)?),
            "CalculateBoolean" => ComputeKind::CalculateBoolean(self.formula(entry, expression::boolean)?),
            "Condition" => ComputeKind::Condition(self.cases(value)?),
            "MathOp" => self.math(value)?,
            "Template" => self.template(entry)?,
            "Chain" => self.chain(value)?,
            "ToArray" => {
                let map = self.record(value, "`ToArray`", &keys::names(&keys::TO_ARRAY))?;
                let fields = self.required(&map, "fields", "`ToArray`")?;
                ComputeKind::List(self.field_names(fields)?)
            }
            "Now" => {
                self.error(codes::UNSUPPORTED, key.span, "`Now` is not supported: games have no clock");
                return None;
            }
            name => {
                self.unknown(
                    codes::UNKNOWN_COMPUTATION,
                    key,
                    format!("unknown computation `{name}`"),
                    &keys::names(&keys::COMPUTES),
                );
                return None;
            }
        };
        Some(Compute { kind, span })
    }

    fn field_name(&mut self, node: Node<'_>, what: &str) -> Option<Name> {
        let scalar = self.scalar(node, what, "the name of a field")?;
        Some(trimmed(scalar, 0, &scalar.text))
    }

    fn field_names(&mut self, node: Node<'_>) -> Option<Vec<Name>> {
        let items = self.list(node, "`fields`")?;
        let names: Vec<Option<Name>> = items.into_iter().map(|item| self.field_name(item, "a field")).collect();
        names.into_iter().collect()
    }

    fn formula<N>(
        &mut self,
        Entry { key, value }: Entry<'_>,
        read: impl Fn(&str, Dialect) -> Reading<Expression<N>>,
    ) -> Option<Formula<N>> {
        let what = format!("the argument of `{}`", key.text);
        let scalar = self.scalar(value, &what, "text")?;
        if scalar.literal() != Literal::Text {
            let message = format!("{what} must be a string, found {}", scalar.literal().kind());
            let help = format!("write a fixed value as `{{Constant: {}}}`", scalar.text);
            self.error_with(codes::COMPUTATION_ARGUMENT, scalar.span, message, help);
            return None;
        }
        let reading = read(&scalar.text, self.dialect);
        let refused = reading.is_refused();
        let expression = self.reading(scalar, reading);
        if refused {
            return None;
        }
        let names = expression.as_ref().map_or(&[][..], Expression::fields);
        let places = in_braces(&scalar.text);
        let place = |name: &str| places.get(name).map_or(scalar.span, |&start| scalar.part(start..start + name.len()));
        let fields = names.iter().map(|name| Name { text: Arc::clone(name), span: place(name) }).collect();
        Some(Formula { text: scalar.into(), expression, fields })
    }

    fn cases(&mut self, node: Node<'_>) -> Option<Vec<Case>> {
        let items = self.list(node, "`Condition`")?;
        let cases: Vec<Option<Case>> = items.into_iter().map(|item| self.case(item)).collect();
        cases.into_iter().collect()
    }

    fn case(&mut self, node: Node<'_>) -> Option<Case> {
        let what = "a case of `Condition`";
        let map = self.record(node, what, &keys::names(&keys::CASE))?;
        let when = self.required(&map, "when", what).and_then(|node| self.fields(node));
        let value = self.required(&map, "value", what).and_then(|node| self.compute(node));
        Some(Case { when: when?, value: value? })
    }

    fn math(&mut self, node: Node<'_>) -> Option<ComputeKind> {
        let map = self.record(node, "`MathOp`", &keys::names(&keys::MATH_OP))?;
        let operator = match map.get("operator") {
            Some(entry) => self.operator(entry.value),
            None => Some(Operator::Add),
        };
        let fields = self.required(&map, "fields", "`MathOp`").and_then(|node| self.field_names(node));
        let if_invalid = map.get("ifInvalid").and_then(|entry| self.literal(entry.value));
        Some(ComputeKind::Math { operator: operator?, fields: fields?, if_invalid })
    }

    fn operator(&mut self, node: Node<'_>) -> Option<Operator> {
        let name = self.name(node, "`operator`")?;
        let found = keys::OPERATORS.iter().find(|(known, _)| *known == &*name.text);
        if found.is_none() {
            let names = keys::OPERATORS.map(|(known, _)| known);
            let message = format!("unknown operator `{}`", name.text);
            self.unknown_word(name.text, name.span, message, &names);
        }
        found.map(|(_, operator)| *operator)
    }

    fn template(&mut self, Entry { key, value }: Entry<'_>) -> Option<ComputeKind> {
        let what = format!("the argument of `{}`", key.text);
        let scalar = self.scalar(value, &what, "text")?;
        if scalar.text.starts_with('/') {
            let mut at = 0;
            let field = |text: &str| {
                let name = trimmed(scalar, at, text);
                at += text.len() + 1;
                name
            };
            return Some(ComputeKind::FirstOf(scalar.text.split(';').map(field).collect()));
        }
        Some(ComputeKind::Template(pieces(scalar)))
    }

    fn chain(&mut self, node: Node<'_>) -> Option<ComputeKind> {
        let map = self.record(node, "`Chain`", &keys::names(&keys::CHAIN))?;
        let from = self.required(&map, "from", "`Chain`").and_then(|node| self.compute(node));
        let process = self.required(&map, "process", "`Chain`").and_then(|node| self.list(node, "`process`"));
        let steps: Vec<Option<Step>> = process?.into_iter().map(|node| self.single_step(node)).collect();
        Some(ComputeKind::Chain(Box::new(from?), steps.into_iter().collect::<Option<_>>()?))
    }
}

fn chain(from: Compute, steps: Vec<Step>, span: Span) -> Compute {
    if steps.is_empty() {
        return Compute { span, ..from };
    }
    Compute { kind: ComputeKind::Chain(Box::new(from), steps), span }
}

/// Returns a part of a scalar, from the byte offset `start`, without surrounding blanks.
fn trimmed(scalar: &Scalar, start: usize, text: &str) -> Name {
    let start = start + text.len() - text.trim_start().len();
    let text = text.trim();
    Name { text: Arc::from(text), span: scalar.part(start..start + text.len()) }
}

/// Returns the byte offsets of the fields in an expression, each at its first occurrence.
fn in_braces(text: &str) -> FxHashMap<&str, usize> {
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
fn pieces(scalar: &Scalar) -> Vec<Piece> {
    let (text, mut at, mut pieces) = (&*scalar.text, 0, Vec::new());
    while let Some(open) = text[at..].find('{').map(|open| at + open) {
        let Some(close) = text[open..].find('}').map(|close| open + close) else { break };
        if open > at {
            pieces.push(Piece::Text(text[at..open].into()));
        }
        pieces.push(Piece::Field(trimmed(scalar, open + 1, &text[open + 1..close])));
        at = close + 1;
    }
    if at < text.len() {
        pieces.push(Piece::Text(text[at..].into()));
    }
    pieces
}
