//! Actions: costs, consequences, results.

use goalspec_syntax::Diagnostic;

use super::filter::FilterPosition;
use super::parser::{Parser, UniqueEntries};
use crate::ast::{
    Action, Assignments, Consequence, ConsequenceEffect, ConsequenceEffectKind, CostEntry, EndpointFilters, Filter,
    FilterKind, SpannedText,
};
use crate::codes;
use crate::keywords::{self, Keyword};
use crate::yaml::{Entry, Node, Scalar, ScalarValue};

impl Parser<'_> {
    pub(super) fn actions(&mut self, node: Node<'_>) -> Vec<Action> {
        let Some(map) = self.map(node, "`actions`") else { return Vec::new() };
        map.iter().map(|entry| self.action(entry)).collect()
    }

    /// Parses an action; one with an error is kept, so that its name is known.
    fn action(&mut self, Entry { key, value }: Entry<'_>) -> Action {
        let subject = format!("the action `{}`", key.text);
        let always = Filter { kind: FilterKind::Always, span: value.span() };
        let Some(map) = self.record(value, &subject, &keywords::names(&keywords::ACTION)) else {
            let span = value.span();
            return Action { name: key.into(), cost: Vec::new(), requires: always, consequences: Vec::new(), span };
        };
        let cost = self.required(&map, "cost", &subject).map(|node| self.cost(node));
        let requires =
            self.required(&map, "requires", &subject).and_then(|node| self.filter(node, FilterPosition::Entry));
        let consequences = map.get("consequences").and_then(|entry| self.list(entry.value, "`consequences`"));
        let consequences = consequences.unwrap_or_default();
        Action {
            name: key.into(),
            cost: cost.unwrap_or_default(),
            requires: requires.unwrap_or(always),
            consequences: consequences.into_iter().filter_map(|item| self.consequence(item)).collect(),
            span: map.span,
        }
    }

    fn cost(&mut self, node: Node<'_>) -> Vec<CostEntry> {
        let Some(map) = self.map(node, "`cost`") else { return Vec::new() };
        map.iter()
            .filter_map(|Entry { key, value }| {
                if value.is_null() {
                    self.report_kind(value, &format!("the cost in `{}`", key.text), "a number");
                    return None;
                }
                if value.entries().is_some() {
                    let message = "a cost must be a fixed value: it is not computed, and the map itself is stored";
                    self.warning(codes::NO_EFFECT, value.span(), message);
                }
                let span = value.span();
                Some(CostEntry { field: key.into(), value: self.node_value(value)?, span })
            })
            .collect()
    }

    fn consequence(&mut self, node: Node<'_>) -> Option<Consequence> {
        let subject = "a consequence";
        let map = self.record(node, subject, &keywords::names(&keywords::CONSEQUENCE))?;
        let odds = map.get("odds").and_then(|entry| self.number(entry.value, codes::INVALID_ODDS, "`odds`"));
        let discount = map.get("odds.discount");
        let discount = discount.and_then(|entry| self.number(entry.value, codes::INVALID_ODDS, "`odds.discount`"));
        let independent = map.get("independent").and_then(|entry| {
            let truth = match entry.value.scalar().map(Scalar::value) {
                Some(ScalarValue::Bool(truth)) => truth,
                Some(ScalarValue::Int(number)) => number != 0,
                _ => {
                    self.report_kind(entry.value, "`independent`", "`true` or `false`");
                    return None;
                }
            };
            Some((truth, entry.value.span()))
        });
        let outcome = self.required(&map, "result", subject).and_then(|node| self.outcome(node))?;
        Some(Consequence { odds, discount, independent, effect: outcome, span: node.span() })
    }

    fn outcome(&mut self, node: Node<'_>) -> Option<ConsequenceEffect> {
        let map = self.map(node, "`result`")?;
        let Some(first) = map.first() else {
            let message = "expected the name of a result, found an empty map";
            self.error(codes::MISSING_VALUE, map.span, message);
            return None;
        };
        for other in map.iter().skip(1) {
            let message = format!("unexpected second result `{}`", other.key.text);
            self.report_surplus(codes::SURPLUS_ENTRY, other.key.span, message, (first.key.span, "this one is used"));
        }
        let kind = match &*first.key.text {
            "Resources" => self.resources(first.value),
            "MakeNodeVisible" => self.make_node_visible(first.value),
            "WithRandomVector" => self.with_vectors(first, false),
            "WithAllVectors" => self.with_vectors(first, true),
            name if self.custom.contains(&name) => self.custom(first),
            name => {
                let message = format!("unknown result `{name}`");
                let known: Vec<&str> =
                    keywords::names(&keywords::RESULTS).into_iter().chain(self.custom.iter().copied()).collect();
                self.report_unknown(codes::UNKNOWN_RESULT, first.key, message, &known);
                None
            }
        };
        Some(ConsequenceEffect { name: first.key.into(), kind: kind? })
    }

    fn custom(&mut self, Entry { key, value }: Entry<'_>) -> Option<ConsequenceEffectKind> {
        if value.is_null() {
            return Some(ConsequenceEffectKind::Custom(Vec::new()));
        }
        let map = self.map(value, &format!("`{}`", key.text))?;
        let parameters = map.iter().map(|entry| (SpannedText::from(entry.key), self.node_value(entry.value))).collect();
        Some(ConsequenceEffectKind::Custom(parameters))
    }

    fn resources(&mut self, node: Node<'_>) -> Option<ConsequenceEffectKind> {
        let map = self.record(node, "`Resources`", &keywords::names(&keywords::RESOURCES))?;
        Some(ConsequenceEffectKind::Resources {
            compute: self.assignments(&map, "compute"),
            add: self.assignments(&map, "add"),
            put: self.assignments(&map, "put"),
        })
    }

    fn make_node_visible(&mut self, node: Node<'_>) -> Option<ConsequenceEffectKind> {
        let subject = "`MakeNodeVisible`";
        let map = self.record(node, subject, &self.with_filter_names(&keywords::MAKE_NODE_VISIBLE))?;
        let ends = self.ends(&map);
        let team = self.required(&map, "team", subject)?;
        Some(ConsequenceEffectKind::MakeNodeVisible { team: self.name(team, "`team`")?, endpoint_filters: ends })
    }

    fn with_vectors(&mut self, Entry { key, value }: Entry<'_>, all: bool) -> Option<ConsequenceEffectKind> {
        let subject = format!("`{}`", key.text);
        let mut known = self.with_filter_names(&keywords::WITH_VECTORS);
        if self.dialect.vector_team {
            known.extend(keywords::names(&keywords::VECTOR_TEAM));
        }
        let map = self.record(value, &subject, &known)?;
        if let Some(entry) = map.get("team").filter(|_| self.dialect.vector_team) {
            let message = format!("`team` has no effect in {subject}");
            self.warning(codes::NO_EFFECT, entry.key.span, message);
        }
        let (ends, compute) = (self.ends(&map), self.assignments(&map, "compute"));
        self.required(&map, "result", &subject)?;
        Some(ConsequenceEffectKind::WithVectors { all, ends, compute, result: self.assignments(&map, "result") })
    }

    fn with_filter_names(&self, others: &[Keyword]) -> Vec<&'static str> {
        let short_names: &[Keyword] =
            if self.dialect.short_filter_names { &keywords::SHORT_ENDPOINT_FILTERS } else { &[] };
        keywords::ENDPOINT_FILTERS.iter().chain(short_names).chain(others).map(|word| word.name).collect()
    }

    fn ends(&mut self, map: &UniqueEntries<'_>) -> EndpointFilters {
        EndpointFilters {
            source: self.end(map, "sourceFilter", "source"),
            target: self.end(map, "targetFilter", "target"),
        }
    }

    fn end(&mut self, map: &UniqueEntries<'_>, long_name: &str, short_name: &str) -> Option<Filter> {
        let by_short_name = map.get(short_name).filter(|_| self.dialect.short_filter_names);
        let found = match (map.get(long_name), by_short_name) {
            (Some(first), Some(second)) => {
                let message = format!("`{short_name}` is another name for `{long_name}`, which is also given");
                let diagnostic = Diagnostic::error(codes::SURPLUS_ENTRY, second.key.span, message);
                self.report(diagnostic.with_related(first.key.span, "this one is used"));
                first
            }
            (first, second) => first.or(second)?,
        };
        self.filter(found.value, FilterPosition::Entry)
    }

    fn assignments(&mut self, map: &UniqueEntries<'_>, key: &str) -> Assignments {
        let Some(entry) = map.get(key) else { return Assignments::default() };
        let Some(values) = self.map(entry.value, &format!("`{key}`")) else { return Assignments::default() };
        let entries: Vec<_> = values
            .iter()
            .filter_map(|entry| Some((SpannedText::from(entry.key), self.assigned_value(entry.value)?)))
            .collect();
        Assignments { is_empty_map: values.first().is_none(), entries, span: Some(values.span) }
    }
}
