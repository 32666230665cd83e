//! Compilation of filters to decision graphs.

use goalspec_resource::board::{NodeId, SlotId};
use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::field::Field;
use goalspec_resource::filter::{Filter, TextTest, ValueFilter};
use goalspec_resource::game::TeamId;
use goalspec_resource::rules::NodesWithoutResourcesRule;
use goalspec_resource::value::{Labels, Value};

use super::Compiler;
use crate::cell::Cell;
use crate::program::decisions::{ACCEPT, Atom, Branch, DecisionGraph, OrderingSet, REJECT};
use crate::program::expressions::ValueSource;
use crate::program::observers::ObserverStorage;
use crate::program::slots::SlotStorage;

/// The context in which a test or a computation reads fields.
#[derive(Debug, Clone, Copy)]
pub(super) enum FieldContext {
    /// The true state.
    State,
    /// The true state, with a node under test.
    Node(NodeId),
    /// The observation of a team.
    Team(TeamId),
}

/// A test under construction.
#[derive(Default)]
struct TestBuilder {
    branches: Vec<Branch>,
}

impl TestBuilder {
    fn push(&mut self, atom: Atom, if_true: u32, if_false: u32) -> u32 {
        if if_true == if_false {
            return if_true;
        }
        self.branches.push(Branch { atom, if_true, if_false });
        self.branches.len() as u32 - 1
    }

    fn finish(self, entry: u32) -> DecisionGraph {
        DecisionGraph::new(self.branches, entry)
    }
}

impl Compiler<'_> {
    /// Compiles a filter.
    pub(super) fn test(&mut self, filter: &Filter, scope: FieldContext) -> DecisionGraph {
        let mut code = TestBuilder::default();
        let entry = self.filter(&mut code, filter, scope, ACCEPT, REJECT);
        code.finish(entry)
    }

    /// Compiles the conjunction of tests of several fields.
    pub(super) fn all_of(&mut self, tests: &[(Field, ValueFilter)], scope: FieldContext) -> DecisionGraph {
        let mut code = TestBuilder::default();
        let mut entry = ACCEPT;
        for (field, filter) in tests.iter().rev() {
            entry = self.value_filter(&mut code, field, filter, scope, entry, REJECT);
        }
        code.finish(entry)
    }

    /// Compiles a filter with given successors, which exist already; returns its entry.
    fn filter(
        &mut self,
        code: &mut TestBuilder,
        filter: &Filter,
        scope: FieldContext,
        if_true: u32,
        if_false: u32,
    ) -> u32 {
        match filter {
            Filter::Always => if_true,
            Filter::Never => if_false,
            Filter::Field(field, test) => self.value_filter(code, field, test, scope, if_true, if_false),
            // Evaluated even if both successors are the same, since it may fail.
            Filter::Computed(_) => {
                code.branches.push(Branch { atom: Atom::Truth(Box::new(filter.clone())), if_true, if_false });
                code.branches.len() as u32 - 1
            }
            Filter::Not(inner) => self.filter(code, inner, scope, if_false, if_true),
            Filter::And(parts) => {
                parts.iter().rev().fold(if_true, |next, part| self.filter(code, part, scope, next, if_false))
            }
            Filter::Or(parts) => {
                parts.iter().rev().fold(if_false, |next, part| self.filter(code, part, scope, if_true, next))
            }
        }
    }

    fn value_filter(
        &mut self,
        code: &mut TestBuilder,
        field: &Field,
        filter: &ValueFilter,
        scope: FieldContext,
        if_true: u32,
        if_false: u32,
    ) -> u32 {
        match filter {
            ValueFilter::Always => if_true,
            ValueFilter::Never => if_false,
            ValueFilter::Not(inner) => self.value_filter(code, field, inner, scope, if_false, if_true),
            ValueFilter::And(parts) => parts
                .iter()
                .rev()
                .fold(if_true, |next, part| self.value_filter(code, field, part, scope, next, if_false)),
            ValueFilter::Or(parts) => parts
                .iter()
                .rev()
                .fold(if_false, |next, part| self.value_filter(code, field, part, scope, if_true, next)),
            ValueFilter::Range(least, greatest) => {
                let next =
                    self.compare(code, field, ComparisonOperator::LessOrEqual, greatest, scope, if_true, if_false);
                self.compare(code, field, ComparisonOperator::GreaterOrEqual, least, scope, next, if_false)
            }
            ValueFilter::Compare(comparison, bound) => {
                self.compare(code, field, *comparison, bound, scope, if_true, if_false)
            }
            ValueFilter::OneOf(members) => members.iter().rev().fold(if_false, |next, member| match member {
                Some(bound) => self.compare(code, field, ComparisonOperator::Equal, bound, scope, if_true, next),
                None => self.leaf(code, field, &ValueFilter::IsNull, scope, if_true, next),
            }),
            _ => self.leaf(code, field, filter, scope, if_true, if_false),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a comparison of a field and where to go from there")]
    fn compare(
        &mut self,
        code: &mut TestBuilder,
        field: &Field,
        comparison: ComparisonOperator,
        bound: &Value,
        scope: FieldContext,
        if_true: u32,
        if_false: u32,
    ) -> u32 {
        let orders = OrderingSet::of(comparison);
        let source = self.source(field, scope);
        let atom = match (source, bound) {
            (ValueSource::Int(slot), Value::Int(bound)) => whole_numbers(slot, orders, *bound),
            (ValueSource::Int(slot), Value::Real(bound)) => match whole(*bound) {
                Some(bound) => whole_numbers(slot, orders, bound),
                None => Atom::IntReal { slot, orders, bound: *bound },
            },
            (ValueSource::Real(slot) | ValueSource::Number(slot), Value::Int(bound)) => {
                Atom::Real { slot, orders, bound: f64::from(*bound) }
            }
            (ValueSource::Real(slot) | ValueSource::Number(slot), Value::Real(bound)) => {
                Atom::Real { slot, orders, bound: *bound }
            }
            (ValueSource::Bool(slot), Value::Bool(bound)) => {
                return match [false, true].map(|truth| orders.has(truth.cmp(bound))) {
                    [false, false] => if_false,
                    [true, true] => if_true,
                    [_, truth] => code.push(Atom::Bool { slot, truth }, if_true, if_false),
                };
            }
            (ValueSource::Constant(cell), bound) => {
                let holds = comparison.holds(self.constants.value(cell).as_ref(), bound, self.game.rules.comparison);
                return if holds { if_true } else { if_false };
            }
            (source, bound) => Atom::Compare { source, comparison, bound: self.constants.add_bound(bound) },
        };
        code.push(atom, if_true, if_false)
    }

    fn leaf(
        &mut self,
        code: &mut TestBuilder,
        field: &Field,
        filter: &ValueFilter,
        scope: FieldContext,
        if_true: u32,
        if_false: u32,
    ) -> u32 {
        let source = self.source(field, scope);
        if let (ValueSource::Field(field), ObserverStorage::Masks(known), FieldContext::State | FieldContext::Node(_)) =
            (&source, self.observers.storage(), scope)
            && let Field::Observers(node) = **field
            && (self.game.board.node(node).declared
                || self.game.rules.nodes_without_resources == NodesWithoutResourcesRule::Empty)
            && let Some(bits) = tested_labels(filter, known)
        {
            return code.push(Atom::HasObserver { node, bits }, if_true, if_false);
        }
        if let ValueSource::Constant(cell) = source {
            let holds = filter.holds(self.constants.value(cell).as_ref(), self.game.rules.comparison);
            return if holds { if_true } else { if_false };
        }
        code.push(Atom::Value { source, filter: Box::new(filter.clone()) }, if_true, if_false)
    }

    /// Returns the source of the value of a field.
    pub(super) fn source(&mut self, field: &Field, scope: FieldContext) -> ValueSource {
        match (field, scope) {
            (Field::Resource(slot), FieldContext::Team(team)) => self.observed(*slot, team),
            (Field::Resource(slot), _) => self.slot(slot.0),
            (Field::Computed(place), _) => ValueSource::Computed(*place as u32),
            (Field::EndpointResource(end, resource), _) => {
                self.slots.access_at_ends(*resource);
                ValueSource::End(*end, *resource)
            }
            (Field::TestedNodeResource(resource), FieldContext::Node(node)) => match self.slots.at(*resource, node) {
                Some(slot) => self.slot(slot),
                None => ValueSource::Constant(Cell::Missing),
            },
            (Field::TestedNodeObservers, FieldContext::Node(node)) => {
                ValueSource::Field(Box::new(Field::Observers(node)))
            }
            (Field::TestedNodeName, FieldContext::Node(node)) => {
                let name = Value::Text(self.game.board.node(node).name.clone());
                ValueSource::Constant(self.constants.cell(Some(&name)))
            }
            (Field::Member(..), FieldContext::Node(node)) => ValueSource::Field(Box::new(self.localised(field, node))),
            (Field::Unresolved(_), _) => ValueSource::Constant(Cell::Missing),
            _ => ValueSource::Field(Box::new(field.clone())),
        }
    }

    fn slot(&self, slot: u32) -> ValueSource {
        match self.slots.storage(slot) {
            SlotStorage::Int => ValueSource::Int(slot),
            SlotStorage::Real => ValueSource::Real(slot),
            SlotStorage::Number => ValueSource::Number(slot),
            SlotStorage::Bool => ValueSource::Bool(slot),
            SlotStorage::Tagged => ValueSource::Tagged(slot),
        }
    }

    fn observed(&self, slot: SlotId, team: TeamId) -> ValueSource {
        let ObserverStorage::Masks(_) = self.observers.storage() else {
            return ValueSource::Field(Box::new(Field::Resource(slot)));
        };
        let node = self.game.board.slot(slot).node;
        let initial = self.initial[slot.index()];
        ValueSource::Observed { slot: slot.0, node, team_bit: self.observers.team_bit(team), initial }
    }

    /// Converts a field of the node under test to a field of that node.
    fn localised(&self, field: &Field, node: NodeId) -> Field {
        let mut paths = Vec::new();
        let mut inner = field;
        while let Field::Member(object, path) = inner {
            paths.push(path.clone());
            inner = object;
        }
        let inner = match inner {
            Field::TestedNodeResource(resource) => match self.slots.at(*resource, node) {
                Some(slot) => Field::Resource(SlotId(slot)),
                None => Field::Unresolved(self.game.board.resource(*resource).clone()),
            },
            Field::TestedNodeObservers => Field::Observers(node),
            // The name is a string, which has no members.
            Field::TestedNodeName => Field::Unresolved(self.game.board.node(node).name.clone()),
            other => other.clone(),
        };
        paths.into_iter().rev().fold(inner, |object, path| Field::Member(Box::new(object), path))
    }
}

impl DecisionGraph {
    /// Returns the slots that the test reads, and the nodes whose labels it reads, without duplicates.
    pub(super) fn reads(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut slots, mut nodes) = (Vec::new(), Vec::new());
        for branch in self.branches() {
            match &branch.atom {
                Atom::Int { slot, .. }
                | Atom::IntReal { slot, .. }
                | Atom::Real { slot, .. }
                | Atom::Bool { slot, .. } => {
                    slots.push(*slot);
                }
                Atom::HasObserver { node, .. } => nodes.push(node.0),
                Atom::Compare { source, .. } | Atom::Value { source, .. } => match source {
                    ValueSource::Int(slot)
                    | ValueSource::Real(slot)
                    | ValueSource::Number(slot)
                    | ValueSource::Bool(slot)
                    | ValueSource::Tagged(slot) => {
                        slots.push(*slot);
                    }
                    ValueSource::Field(field) => {
                        let mut inner = &**field;
                        while let Field::Member(object, _) = inner {
                            inner = object;
                        }
                        match inner {
                            Field::Resource(slot) => slots.push(slot.0),
                            Field::Observers(node) => nodes.push(node.0),
                            _ => {}
                        }
                    }
                    ValueSource::Observed { slot, node, .. } => {
                        slots.push(*slot);
                        nodes.push(node.0);
                    }
                    ValueSource::Constant(_) | ValueSource::End(..) | ValueSource::Computed(_) => {}
                },
                Atom::Truth(_) => {}
            }
        }
        for list in [&mut slots, &mut nodes] {
            list.sort_unstable();
            list.dedup();
        }
        (slots, nodes)
    }
}

/// Returns the test of an integer slot against these orderings relative to `bound`.
fn whole_numbers(slot: u32, orders: OrderingSet, bound: i32) -> Atom {
    let (min, max, inside) = orders.range(bound);
    Atom::Int { slot, min, max, inside }
}

/// Returns the integer equal to a real bound if a comparison with it is equivalent; the negative zero is less than 0 under some
/// rules.
fn whole(bound: f64) -> Option<i32> {
    let whole = bound as i32;
    (f64::from(whole).to_bits() == bound.to_bits()).then_some(whole)
}

/// Returns the bits of the labels of which the test requires at least one; `None` for other tests.
fn tested_labels(filter: &ValueFilter, known: &Labels) -> Option<u64> {
    let bits = |passes: &dyn Fn(&str) -> bool| {
        known.iter().enumerate().filter(|(_, label)| passes(label)).fold(0, |bits, (bit, _)| bits | 1 << bit)
    };
    match filter {
        ValueFilter::Text(TextTest::Contains, part) if !part.is_empty() => Some(bits(&|label| label.contains(&**part))),
        ValueFilter::HasAny(labels) => Some(bits(&|label| labels.contains(label))),
        _ => None,
    }
}
