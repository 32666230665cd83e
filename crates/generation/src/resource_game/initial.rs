//! Filters in the initial state.

use goalspec_generator::grammar::{Symbol, Tokens};
use goalspec_generator::tree::TreeBuilder;

use super::names::{NameScope, Names, NodeState, number};
use super::rules::Rule;

/// A value of the initial state.
#[derive(Debug, Clone, Copy)]
enum InitialValue<'a> {
    /// A literal.
    Literal(Symbol),
    /// The labels of observers.
    Labels(&'a [Symbol]),
    /// No value.
    Missing,
    /// A value that is not known.
    Unknown,
}

/// An evaluation of the filters of a tree in the initial state. What is not known holds.
pub(super) struct InitialState<'a> {
    pub(super) names: &'a Names,
    pub(super) tokens: &'a Tokens,
    pub(super) tree: &'a TreeBuilder,
    /// The node under test; `None` for filters of the state.
    pub(super) node: Option<&'a NodeState>,
    /// Whether all alternatives have to hold.
    pub(super) needs_all: bool,
}

impl InitialState<'_> {
    fn rule(&self, entry: usize) -> Option<Rule> {
        self.tree.symbol(entry).and_then(Rule::of)
    }

    fn token(&self, entry: usize, position: usize) -> Option<Symbol> {
        self.tree.children(entry).nth(position).and_then(|child| self.tree.symbol(child))
    }

    fn text(&self, token: Option<Symbol>) -> &str {
        token.map_or("", |token| self.tokens.text(token))
    }

    /// Whether a filter holds.
    pub(super) fn holds(&self, filter: usize) -> bool {
        let mut children = self.tree.children(filter);
        match self.rule(filter) {
            Some(Rule::Never) => false,
            Some(Rule::FieldTest) => {
                let value = self.value(self.token(filter, 0));
                children.nth(1).is_none_or(|test| self.passes(test, value))
            }
            Some(Rule::Not) => !children.all(|child| self.holds(child)),
            Some(Rule::Or) if !self.needs_all => children.any(|child| self.holds(child)),
            Some(Rule::And | Rule::Or) => children.all(|child| self.holds(child)),
            // The filter of an end of vectors, a requirement or the end of the game.
            Some(Rule::SourceFilter | Rule::TargetFilter | Rule::Requires | Rule::Completed) => {
                children.all(|child| self.holds(child))
            }
            _ => true,
        }
    }

    fn value(&self, field: Option<Symbol>) -> InitialValue<'_> {
        let Some(field) = field else { return InitialValue::Unknown };
        let text = self.tokens.text(field);
        if let Some(node) = self.node {
            return match text {
                "_node" => node.name.map_or(InitialValue::Unknown, InitialValue::Literal),
                "observable" => InitialValue::Labels(&node.observers),
                _ => node.values.get(&field).map_or(InitialValue::Missing, |&value| InitialValue::Literal(value)),
            };
        }
        if text.ends_with(".observable") {
            return self
                .names
                .node_of(text)
                .map_or(InitialValue::Unknown, |node| InitialValue::Labels(&node.observers));
        }
        let initial = self.names.field(NameScope::State, field).and_then(|field| field.initials.first());
        initial.map_or(InitialValue::Unknown, |&value| InitialValue::Literal(value))
    }

    fn passes(&self, test: usize, value: InitialValue<'_>) -> bool {
        let mut children = self.tree.children(test);
        match (self.rule(test), value) {
            (_, InitialValue::Unknown) | (Some(Rule::OtherTest), _) => true,
            (Some(Rule::NotTest), _) => !children.all(|child| self.passes(child, value)),
            (Some(Rule::AndTest), _) => children.all(|child| self.passes(child, value)),
            (Some(Rule::OrTest), _) => children.any(|child| self.passes(child, value)),
            (Some(Rule::Compare), InitialValue::Literal(value)) => {
                let operator = self.text(self.token(test, 0));
                self.token(test, 1).is_none_or(|bound| compares(self.tokens, operator, (value, bound)))
            }
            (Some(Rule::Compare), _) => self.text(self.token(test, 0)) == "NotEqual",
            (Some(Rule::Range), InitialValue::Literal(value)) => {
                let end = |position, operator| {
                    self.token(test, position).is_none_or(|bound| compares(self.tokens, operator, (value, bound)))
                };
                end(0, "Gte") && end(1, "Lte")
            }
            (Some(Rule::OneOf), InitialValue::Literal(value)) => children
                .filter_map(|child| self.tree.symbol(child))
                .any(|member| compares(self.tokens, "Equal", (value, member))),
            (Some(Rule::TextTest), InitialValue::Labels(labels)) => {
                self.token(test, 1).is_some_and(|label| labels.contains(&label))
            }
            (Some(Rule::TextTest), InitialValue::Literal(value)) => {
                self.tokens.text(value).contains(self.text(self.token(test, 1)))
            }
            (Some(Rule::HasAny), InitialValue::Labels(labels)) => {
                children.filter_map(|child| self.tree.symbol(child)).any(|label| labels.contains(&label))
            }
            _ => false,
        }
    }
}

/// Whether a literal passes a comparison with another one.
pub(super) fn compares(tokens: &Tokens, operator: &str, (value, bound): (Symbol, Symbol)) -> bool {
    let numbers = number(tokens.text(value)).zip(number(tokens.text(bound)));
    let is_equal = || value == bound || numbers.is_some_and(|(value, bound)| value.total_cmp(&bound).is_eq());
    match operator {
        "Gt" => numbers.is_some_and(|(value, bound)| value > bound),
        "Gte" => numbers.is_some_and(|(value, bound)| value >= bound),
        "Lt" => numbers.is_some_and(|(value, bound)| value < bound),
        "Lte" => numbers.is_some_and(|(value, bound)| value <= bound),
        "NotEqual" => !is_equal(),
        _ => is_equal(),
    }
}
