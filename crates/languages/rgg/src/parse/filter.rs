//! Filters: tests of fields.

use goalspec_syntax::{Diagnostic, Span};

use super::parser::Parser;
use crate::ast::{Filter, FilterKind, SpannedText, ValueTest};
use crate::codes;
use crate::dialect::FilterCombination;
use crate::keywords;
use crate::yaml::{Entry, Node};

/// The position of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FilterPosition {
    /// The value of a key.
    Entry,
    /// An item of a list, or the whole document.
    ListItem,
}

impl Parser<'_> {
    /// Parses the condition that ends the game.
    pub(super) fn completed(&mut self, node: Node<'_>) -> Option<Filter> {
        let entries = node.entries().map(Iterator::collect::<Vec<_>>).unwrap_or_default();
        let [Entry { key, .. }] = entries.as_slice() else { return self.filter(node, FilterPosition::Entry) };
        if !keywords::contains(&keywords::COMPUTATIONS, &key.text) {
            return self.filter(node, FilterPosition::Entry);
        }
        if self.dialect.computed_completion {
            let kind = FilterKind::Computed(Box::new(self.compute(node)?));
            return Some(Filter { kind, span: node.span() });
        }
        let message = format!("`{}` is the name of a field here, which never has a value", key.text);
        self.warning(codes::FILTER_IGNORED, key.span, message);
        Some(Filter { kind: FilterKind::Never, span: node.span() })
    }

    pub(super) fn filter(&mut self, node: Node<'_>, position: FilterPosition) -> Option<Filter> {
        if node.entries().is_none() {
            if node.is_null() {
                self.report_kind(node, "a filter", "a map");
            } else if !node.is_error() {
                let message = format!("a filter must be a map from fields to tests, found {}", node.kind());
                self.error_with(codes::FILTER_FORM, node.span(), message, "write `node.resource: test`");
            }
            return None;
        }
        let map = self.map(node, "a filter")?;
        if self.dialect.filter_combination == FilterCombination::FirstOnly
            && let Some(first) = map.first().filter(|first| keywords::contains(&keywords::COMBINATORS, &first.key.text))
        {
            for other in map.iter().skip(1) {
                let message = format!("`{}` is ignored after `{}`", other.key.text, first.key.text);
                let diagnostic = Diagnostic::warning(codes::FILTER_IGNORED, other.key.span, message);
                self.report(diagnostic.with_related(first.key.span, "this one is used"));
            }
            return self.combinator(first, position);
        }
        let mut parts = Vec::new();
        let mut complete = true;
        for entry in map.iter() {
            let part = if self.dialect.filter_combination == FilterCombination::All
                && keywords::contains(&keywords::COMBINATORS, &entry.key.text)
            {
                self.combinator(entry, position)
            } else {
                self.field(entry)
            };
            complete &= part.is_some();
            parts.extend(part);
        }
        complete.then(|| conjunction(parts, map.span))
    }

    fn field(&mut self, Entry { key, value }: Entry<'_>) -> Option<Filter> {
        if keywords::contains(&keywords::COMBINATORS, &key.text) {
            let message = format!("after a field, `{}` is the name of a field", key.text);
            self.warning(codes::FILTER_IGNORED, key.span, message);
        }
        let test = self.test(value)?;
        Some(Filter { span: key.span.to(test.span), kind: FilterKind::Field(SpannedText::from(key), test) })
    }

    /// Parses a map of fields only, as in a `Condition`.
    pub(super) fn fields(&mut self, node: Node<'_>) -> Option<Vec<(SpannedText, ValueTest)>> {
        let map = self.map(node, "`when`")?;
        let mut fields = Vec::new();
        for Entry { key, value } in map.iter() {
            if self.dialect.filter_combination == FilterCombination::All
                && keywords::contains(&keywords::COMBINATORS, &key.text)
            {
                let message = format!("`when` must contain only fields, found `{}`", key.text);
                let help = "write a case for each alternative, or combine the tests of one field: `a.x: {Or: [1, 2]}`";
                self.error_with(codes::FILTER_FORM, key.span, message, help);
                continue;
            }
            if let Some(Filter { kind: FilterKind::Field(name, test), .. }) = self.field(Entry { key, value }) {
                fields.push((name, test));
            }
        }
        Some(fields)
    }

    fn combinator(&mut self, Entry { key, value }: Entry<'_>, position: FilterPosition) -> Option<Filter> {
        let span = key.span.to(value.span());
        let kind = match &*key.text {
            "And" | "Or" => return self.connective(Entry { key, value }, position),
            "Not" => {
                self.check_position(Entry { key, value }, position)?;
                FilterKind::Not(Box::new(self.filter(value, position)?))
            }
            "DatumFieldFilter" => {
                let map = self.map(value, "`DatumFieldFilter`")?;
                let fields: Option<Vec<Filter>> = map.iter().map(|entry| self.field(entry)).collect();
                return Some(conjunction(fields?, span));
            }
            all_or_none => {
                if value.entries().is_none() {
                    self.report_kind(value, &format!("`{all_or_none}`"), "the empty map `{}`");
                    return None;
                }
                if all_or_none == "All" { FilterKind::Always } else { FilterKind::Never }
            }
        };
        Some(Filter { kind, span })
    }

    /// Checks that the dialect accepts a combinator with a map in this position; reports it otherwise.
    fn check_position(&mut self, Entry { key, .. }: Entry<'_>, position: FilterPosition) -> Option<()> {
        if self.dialect.filter_combination == FilterCombination::All || position == FilterPosition::ListItem {
            return Some(());
        }
        let message = format!("the Cage engine misreads `{}` with a map here", key.text);
        let help = format!("put it in a list: `And: [{{{}: ..}}]`", key.text);
        self.error_with(codes::FILTER_POSITION, key.span, message, help);
        None
    }

    fn connective(&mut self, Entry { key, value }: Entry<'_>, position: FilterPosition) -> Option<Filter> {
        let span = key.span.to(value.span());
        if value.entries().is_some() {
            self.check_position(Entry { key, value }, position)?;
            if &*key.text == "Or" {
                let message = "`Or` must be a list of filters, found a map";
                let help = "write `Or: [{a.x: 1}, {b.x: 1}]`, or `And` if all must hold";
                if self.dialect.filter_combination == FilterCombination::All {
                    self.error_with(codes::OR_OVER_MAP, value.span(), message, help);
                    return None;
                }
                let diagnostic = Diagnostic::warning(codes::OR_OVER_MAP, value.span(), message);
                self.report(diagnostic.with_help("the Cage engine reads it as `And`"));
            }
            return Some(Filter { span, ..self.filter_of_fields(value)? });
        }
        let items = self.list(value, &format!("`{}`", key.text))?;
        let filters: Vec<Option<Filter>> =
            items.into_iter().map(|item| self.filter(item, FilterPosition::ListItem)).collect();
        let filters: Vec<Filter> = filters.into_iter().collect::<Option<_>>()?;
        let kind = if &*key.text == "And" { FilterKind::And(filters) } else { FilterKind::Or(filters) };
        Some(Filter { kind, span })
    }

    /// Parses the map of an `And` or `Or`; with [`FilterCombination::FirstOnly`], every key is a field, whatever its name.
    fn filter_of_fields(&mut self, node: Node<'_>) -> Option<Filter> {
        if self.dialect.filter_combination == FilterCombination::All {
            return self.filter(node, FilterPosition::Entry);
        }
        let map = self.map(node, "a filter")?;
        let fields: Vec<Option<Filter>> = map.iter().map(|entry| self.field(entry)).collect();
        Some(conjunction(fields.into_iter().collect::<Option<_>>()?, map.span))
    }
}

/// Returns the conjunction of filters.
fn conjunction(mut filters: Vec<Filter>, span: Span) -> Filter {
    match filters.len() {
        0 => Filter { kind: FilterKind::Always, span },
        1 => filters.remove(0),
        _ => Filter { kind: FilterKind::And(filters), span },
    }
}
