//! The binding of filters and tests.

use goalspec_generator::grammar::Symbol;

use super::values::LiteralRole;
use super::{Binder, MAX_FILTER_TRIES};
use crate::resource_game::initial::{InitialState, compares};
use crate::resource_game::names::{NameScope, NamedField, ValueKinds};
use crate::resource_game::rules::Rule;

/// The truth of a drawn test in the initial state that is aimed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestGoal {
    /// It holds, so that the action is valid or the vector is found.
    Holds,
    /// It fails, so that the game does not end before it begins.
    Fails,
}

impl TestGoal {
    /// Returns the goal of what is negated.
    pub(super) const fn negated(self) -> Self {
        match self {
            Self::Holds => Self::Fails,
            Self::Fails => Self::Holds,
        }
    }
}

/// The number of times that a field is drawn until it is not one of those to avoid.
const MAX_FIELD_TRIES: u32 = 8;

/// The share of drawn values of tests of actions that follow their goal. Those of rewards and of the end of the game all do.
const FOLLOWED_GOALS: f64 = 0.9;

impl<'a> Binder<'a> {
    /// Adds a test of a field, which is not one of those that are used already.
    pub(super) fn field_test(&mut self, entry: usize, used: &mut Vec<Symbol>) -> Option<()> {
        let (name, test) = (self.token(entry, 0)?, self.tree.child(entry, 1)?);
        let kinds = self.tested_kinds(test);
        let name = if name != self.lexicon.hole {
            self.read_field(name, kinds)?
        } else if self.is_end {
            self.moving_field(test, kinds)?
        } else {
            // A cost does not add to a field of which the action requires a minimum.
            let is_free = |binder: &Self, name: &Symbol| {
                !used.contains(name) && (binder.scope != NameScope::State || !binder.rising_costs.contains(name))
            };
            (0..MAX_FIELD_TRIES).find_map(|_| self.read_field(name, kinds).filter(|name| is_free(self, name)))?
        };
        used.push(name);
        let field = self.names.field(self.scope, name);
        self.enclosed(Rule::FieldTest, |binder| {
            binder.out.token(name);
            binder.test(test, field)
        })
    }

    /// Adds a requirement. One with new names can be met in the initial state, with each of its alternatives.
    pub(super) fn requirement(&mut self, entry: usize) -> Option<()> {
        let fits = |binder: &Self, start: usize| binder.initial_state(true).holds(start);
        if self.fitting(&[entry], fits).is_some() {
            return Some(());
        }
        self.enclosed(Rule::Requires, |binder| binder.enclosed(Rule::Always, |_| Some(())))
    }

    /// Adds the filters of the ends of vectors. Those with new names match a vector in the initial state.
    pub(super) fn vector_ends(&mut self, ends: &[usize]) -> Option<()> {
        if self.fitting(ends, Self::matches_a_vector).is_some() {
            return Some(());
        }
        ends.iter().try_for_each(|&end| {
            let rule = self.rule(end)?;
            self.enclosed(rule, |binder| binder.enclosed(Rule::Always, |_| Some(())))
        })
    }

    /// Adds filters whose names are drawn until they fit. Returns `None`, and adds nothing, if they do not; filters that keep their names
    /// always fit.
    pub(super) fn fitting(&mut self, entries: &[usize], fits: impl Fn(&Self, usize) -> bool) -> Option<()> {
        let is_drawn = entries.iter().any(|&entry| self.has_hole(entry));
        let (mark, start, before) = (self.out.mark(), self.out.len(), (self.scope, self.goal));
        for _ in 0..MAX_FILTER_TRIES {
            let is_bound = entries.iter().try_for_each(|&entry| self.filter_of(entry));
            (self.scope, self.goal) = before;
            if is_bound.is_some() && (!is_drawn || fits(self, start)) {
                return Some(());
            }
            self.out.reset(mark);
        }
        None
    }

    /// Adds a node with a filter.
    fn filter_of(&mut self, entry: usize) -> Option<()> {
        let (rule, filter) = (self.rule(entry)?, self.tree.child(entry, 0)?);
        let before = self.scope;
        if matches!(rule, Rule::SourceFilter | Rule::TargetFilter) {
            self.scope = NameScope::Node;
        }
        self.enclosed(rule, |binder| binder.node(filter))?;
        self.scope = before;
        Some(())
    }

    pub(super) fn initial_state(&self, needs_all: bool) -> InitialState<'_> {
        InitialState { names: self.names, tokens: &self.lexicon.tokens, tree: &self.out, node: None, needs_all }
    }

    /// Whether the filters of ends from an entry on match a vector in the initial state.
    fn matches_a_vector(&self, start: usize) -> bool {
        let mut passes = [vec![true; self.names.nodes.len()], vec![true; self.names.nodes.len()]];
        let mut filter = start;
        while filter < self.out.len() {
            let side = usize::from(self.out.symbol(filter) == Some(Rule::TargetFilter.symbol()));
            for (node, passes) in self.names.nodes.iter().zip(&mut passes[side]) {
                *passes = InitialState { node: Some(node), ..self.initial_state(false) }.holds(filter);
            }
            filter += self.out.subtree(filter).len();
        }
        self.names.vectors.iter().any(|&[source, target]| passes[0][source] && passes[1][target])
    }

    /// Returns the kinds of the fields that a test makes sense for.
    pub(super) fn tested_kinds(&self, test: usize) -> ValueKinds {
        let literal = |position, kinds| self.token(test, position).map_or(kinds, |own| self.literal_kinds(own, kinds));
        let all = || {
            let kinds = self.tree.children(test).map(|child| self.tested_kinds(child));
            kinds.fold(ValueKinds::ALL, ValueKinds::and)
        };
        match self.rule(test) {
            Some(Rule::Compare) => {
                let is_ordered = self.token(test, 0).is_some_and(|own| !self.text(own).ends_with("Equal"));
                literal(1, if is_ordered { ValueKinds::NUMBER } else { ValueKinds::SCALARS })
            }
            Some(Rule::Range) => ValueKinds::NUMBER,
            Some(Rule::OneOf) => literal(0, ValueKinds::SCALARS),
            Some(Rule::TextTest) => {
                let is_drawn = self.token(test, 1) == Some(self.lexicon.hole);
                if is_drawn { ValueKinds::SET } else { ValueKinds::SET.or(ValueKinds::TEXT) }
            }
            Some(Rule::HasAny) => ValueKinds::SET,
            Some(Rule::NotTest | Rule::AndTest | Rule::OrTest) => all(),
            _ => ValueKinds::ALL,
        }
    }

    pub(super) fn test(&mut self, test: usize, field: Option<&'a NamedField>) -> Option<()> {
        let rule = self.rule(test)?;
        let children = self.children(test);
        let goal = self.goal;
        if rule == Rule::NotTest {
            self.goal = goal.negated();
        }
        self.enclosed(rule, |binder| {
            let operator = match (rule, children.first()) {
                (Rule::Compare, Some(&first)) => binder.text(binder.tree.symbol(first)),
                (Rule::OneOf, _) => "Equal",
                _ => "",
            };
            for (place, &child) in children.iter().enumerate() {
                let symbol = binder.tree.symbol(child);
                if !symbol.is_token() {
                    binder.test(child, field)?;
                    continue;
                }
                let is_hole = symbol == binder.lexicon.hole;
                let chosen = match rule {
                    _ if !is_hole => symbol,
                    Rule::Range if place == 1 => binder.upper_end(field)?,
                    Rule::Compare | Rule::Range | Rule::OneOf => binder.bound((operator, place), field)?,
                    Rule::TextTest | Rule::HasAny => {
                        if field.is_some_and(|field| !field.kinds.meets(ValueKinds::SET)) {
                            return None;
                        }
                        binder.label(symbol)?
                    }
                    _ => return None,
                };
                binder.out.token(chosen);
            }
            Some(())
        })?;
        self.goal = goal;
        Some(())
    }

    /// Returns a value that a field may be compared with so that the result is not always the same, and mostly follows the goal.
    pub(super) fn bound(&mut self, (operator, place): (&str, usize), field: Option<&'a NamedField>) -> Option<Symbol> {
        let Some(field) = field else { return self.literal(self.lexicon.hole, LiteralRole::Amount(None)) };
        let (excludes_minimum, excludes_maximum) = match operator {
            "Gte" | "Lt" => (true, false),
            "Gt" | "Lte" => (false, true),
            // The minimum and the maximum of a range.
            "" => (place == 0, place == 1),
            _ => (false, false),
        };
        let is_ordered = matches!(operator, "Gt" | "Gte" | "Lt" | "Lte");
        if is_ordered && !field.kinds.meets(ValueKinds::NUMBER) {
            return None;
        }
        let members: &[Symbol] = match (&field.members[..], excludes_minimum, excludes_maximum) {
            ([_, rest @ ..], true, _) if field.range.is_some() => rest,
            ([rest @ .., _], _, true) if field.range.is_some() => rest,
            (all, _, _) => all,
        };
        let follows = self.is_after_actions || self.stream.uniform() < FOLLOWED_GOALS;
        let holds =
            |member: &Symbol| field.initials.iter().any(|&initial| self.holds((operator, place), initial, *member));
        let suitable = |member: &&Symbol| holds(member) == (self.goal == TestGoal::Holds);
        let suited: Vec<Symbol> = members.iter().filter(suitable).copied().collect();
        if follows && !suited.is_empty() { self.pick(&suited) } else { self.pick(members) }
    }

    /// Returns the upper end of a range, whose lower end has been added.
    fn upper_end(&mut self, field: Option<&'a NamedField>) -> Option<Symbol> {
        let lower = self.out.symbol(self.out.len() - 1)?;
        let upper = self.bound(("", 1), field)?;
        let is_ordered = compares(&self.lexicon.tokens, "Lte", (lower, upper));
        Some(if is_ordered { upper } else { lower })
    }

    /// Whether a value passes a comparison with another one.
    fn holds(&self, (operator, place): (&str, usize), value: Symbol, bound: Symbol) -> bool {
        let operator = match (operator, place) {
            // The ends of a range.
            ("", 0) => "Gte",
            ("", _) => "Lte",
            _ => operator,
        };
        compares(&self.lexicon.tokens, operator, (value, bound))
    }
}
