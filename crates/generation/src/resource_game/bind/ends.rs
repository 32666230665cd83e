//! The binding of the end of the game, and the parts of ends and rewards that actions lead to.

use goalspec_generator::grammar::Symbol;
use goalspec_generator::tree::TreeBuilder;

use super::Binder;
use super::results::Movement;
use super::tests::TestGoal;
use crate::resource_game::initial::InitialState;
use crate::resource_game::names::{NameScope, ValueKinds};
use crate::resource_game::rules::Rule;

impl Binder<'_> {
    /// Adds the end of the game. One with new names does not hold in the initial state; of one that keeps its names, the alternatives that no
    /// action leads to are left out, and if there is no other, a new one takes its place.
    pub(super) fn end(&mut self, completed: usize) -> Option<()> {
        (self.goal, self.is_end) = (TestGoal::Fails, true);
        if self.has_hole(completed) {
            return self.fitting(&[completed], |binder, start| !binder.initial_state(false).holds(start));
        }
        let filter = self.tree.child(completed, 0)?;
        let alternatives = if self.rule(filter) == Some(Rule::Or) { self.children(filter) } else { vec![filter] };
        let reachable: Vec<usize> = alternatives.iter().copied().filter(|&own| self.can_hold(own)).collect();
        match reachable[..] {
            _ if reachable.len() == alternatives.len() => self.node(completed),
            [] => self.new_end(),
            [only] => self.enclosed(Rule::Completed, |binder| binder.node(only)),
            _ => self.enclosed(Rule::Completed, |binder| {
                binder.enclosed(Rule::Or, |binder| reachable.iter().try_for_each(|&own| binder.node(own)))
            }),
        }
    }

    /// Adds the end that a field that actions move has reached a bound.
    fn new_end(&mut self) -> Option<()> {
        let is_number = |own: &&Movement| {
            let field = self.names.field(NameScope::State, own.field);
            field.is_some_and(|field| field.kinds.meets(ValueKinds::NUMBER)) && (own.rises || own.falls)
        };
        let moving: Vec<Movement> = self.movements.iter().filter(is_number).copied().collect();
        let movement = self.pick(&moving)?;
        let operator = if movement.rises { "Gte" } else { "Lte" };
        let (token, field) = (self.lexicon.tokens.find(operator)?, self.names.field(NameScope::State, movement.field));
        let bound = self.bound((operator, 1), field)?;
        self.enclosed(Rule::Completed, |binder| {
            binder.enclosed(Rule::FieldTest, |binder| {
                binder.out.token(movement.field);
                binder.enclosed(Rule::Compare, |binder| {
                    binder.out.token(token);
                    binder.out.token(bound);
                    Some(())
                })
            })
        })
    }

    /// Whether a filter of the state may hold at some time: initially, or because actions move its fields towards it.
    fn can_hold(&self, filter: usize) -> bool {
        let children = || self.tree.children(filter);
        match self.rule(filter) {
            Some(Rule::FieldTest) => self.holds_initially(filter) || self.is_approached(filter),
            Some(Rule::And) => children().all(|child| self.can_hold(child)),
            Some(Rule::Or) => children().any(|child| self.can_hold(child)),
            Some(Rule::Never) => false,
            _ => true,
        }
    }

    fn holds_initially(&self, filter: usize) -> bool {
        let mut tree = TreeBuilder::default();
        tree.subtrees(self.tree.subtree(filter));
        InitialState { tree: &tree, ..self.initial_state(false) }.holds(0)
    }

    /// Whether actions move the field of a test towards what it asks for. What is not a declared field of the state may do anything.
    fn is_approached(&self, filter: usize) -> bool {
        let (Some(name), Some(test)) = (self.token(filter, 0), self.tree.child(filter, 1)) else { return true };
        let field = self.names.field(NameScope::State, name);
        if self.has_custom_result || field.is_none_or(|field| field.kinds.meets(ValueKinds::SET)) {
            return true;
        }
        let operator = self.operator(test);
        self.movements.iter().any(|own| own.field == name && is_towards(*own, operator, false))
    }

    /// Returns the comparison of a test; an empty text for other tests.
    fn operator(&self, test: usize) -> &str {
        match self.rule(test) {
            Some(Rule::Compare) => self.token(test, 0).map_or("", |own| self.text(own)),
            _ => "",
        }
    }

    /// Returns a field that actions move towards what a test asks for.
    pub(super) fn moving_field(&mut self, test: usize, kinds: ValueKinds) -> Option<Symbol> {
        let operator = self.operator(test);
        let is_negated = self.goal == TestGoal::Holds;
        let has_kind = |own: &&Movement| {
            self.names.field(NameScope::State, own.field).is_some_and(|field| field.kinds.meets(kinds))
        };
        let moving = self.movements.iter().filter(|own| is_towards(**own, operator, is_negated));
        let fields: Vec<Symbol> = moving.filter(has_kind).map(|own| own.field).collect();
        self.pick(&fields)
    }

    /// Returns the cases that may apply at some time; all if none does.
    pub(super) fn possible_cases(&self, cases: Vec<usize>) -> Vec<usize> {
        let is_possible = |&case: &usize| {
            let when = self.tree.child(case, 0);
            when.is_none_or(|when| self.has_hole(when) || self.tree.children(when).all(|test| self.can_hold(test)))
        };
        // Actions are still being bound.
        if !self.is_after_actions {
            return cases;
        }
        let possible: Vec<usize> = cases.iter().copied().filter(is_possible).collect();
        if possible.is_empty() { cases } else { possible }
    }
}

/// Whether a movement leads towards what a comparison, or its negation, asks for.
fn is_towards(movement: Movement, operator: &str, is_negated: bool) -> bool {
    let (rises, falls) = if is_negated { (movement.falls, movement.rises) } else { (movement.rises, movement.falls) };
    match operator {
        "Gt" | "Gte" => rises,
        "Lt" | "Lte" => falls,
        _ => rises || falls,
    }
}
