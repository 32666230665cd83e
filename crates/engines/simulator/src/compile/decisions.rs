//! Compilation of filters to decision graphs.

use goalspec_resource::board::{NodeId, SlotId};
use goalspec_resource::compare::Comparison;
use goalspec_resource::field::Field;
use goalspec_resource::filter::{Filter, TextTest, ValueFilter};
use goalspec_resource::game::TeamId;
use goalspec_resource::rules::BareNodes;
use goalspec_resource::value::{Labels, Value};

use super::Compiler;
use crate::cell::Cell;
use crate::program::{Atom, Branch, NO, Orders, Sight, Source, Store, Test, YES};

/// The context in which a test or a computation reads fields.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scope {
    /// The true state.
    Ground,
    /// The true state, with a node under test.
    Node(NodeId),
    /// The observation of a team.
    Team(TeamId),
}

/// A test under construction.
#[derive(Default)]
struct Code {
    branches: Vec<Branch>,
}

impl Code {
    fn push(&mut self, atom: Atom, yes: u32, no: u32) -> u32 {
        if yes == no {
            return yes;
        }
        self.branches.push(Branch { atom, yes, no });
        self.branches.len() as u32 - 1
    }

    fn finish(self, entry: u32) -> Test {
        Test { code: self.branches.into(), entry }
    }
}

impl Compiler<'_> {
    /// Compiles a filter.
    pub(super) fn test(&mut self, filter: &Filter, scope: Scope) -> Test {
        let mut code = Code::default();
        let entry = self.filter(&mut code, filter, scope, YES, NO);
        code.finish(entry)
    }

    /// Compiles the conjunction of tests of several fields.
    pub(super) fn all_of(&mut self, tests: &[(Field, ValueFilter)], scope: Scope) -> Test {
        let mut code = Code::default();
        let mut entry = YES;
        for (field, filter) in tests.iter().rev() {
            entry = self.value_filter(&mut code, field, filter, scope, entry, NO);
        }
        code.finish(entry)
    }

    /// Compiles a filter with given successors, which exist already; returns its entry.
    fn filter(&mut self, code: &mut Code, filter: &Filter, scope: Scope, yes: u32, no: u32) -> u32 {
        match filter {
            Filter::All => yes,
            Filter::None => no,
            Filter::Field(field, test) => self.value_filter(code, field, test, scope, yes, no),
            // Evaluated even if both successors are the same, since it may fail.
            Filter::Truth(_) => {
                code.branches.push(Branch { atom: Atom::Truth(Box::new(filter.clone())), yes, no });
                code.branches.len() as u32 - 1
            }
            Filter::Not(inner) => self.filter(code, inner, scope, no, yes),
            Filter::And(parts) => parts.iter().rev().fold(yes, |next, part| self.filter(code, part, scope, next, no)),
            Filter::Or(parts) => parts.iter().rev().fold(no, |next, part| self.filter(code, part, scope, yes, next)),
        }
    }

    fn value_filter(
        &mut self,
        code: &mut Code,
        field: &Field,
        filter: &ValueFilter,
        scope: Scope,
        yes: u32,
        no: u32,
    ) -> u32 {
        match filter {
            ValueFilter::All => yes,
            ValueFilter::None => no,
            ValueFilter::Not(inner) => self.value_filter(code, field, inner, scope, no, yes),
            ValueFilter::And(parts) => {
                parts.iter().rev().fold(yes, |next, part| self.value_filter(code, field, part, scope, next, no))
            }
            ValueFilter::Or(parts) => {
                parts.iter().rev().fold(no, |next, part| self.value_filter(code, field, part, scope, yes, next))
            }
            ValueFilter::Range(least, greatest) => {
                let next = self.compare(code, field, Comparison::LessOrEqual, greatest, scope, yes, no);
                self.compare(code, field, Comparison::GreaterOrEqual, least, scope, next, no)
            }
            ValueFilter::Compare(comparison, bound) => self.compare(code, field, *comparison, bound, scope, yes, no),
            ValueFilter::OneOf(members) => members.iter().rev().fold(no, |next, member| match member {
                Some(bound) => self.compare(code, field, Comparison::Equal, bound, scope, yes, next),
                None => self.leaf(code, field, &ValueFilter::IsNull, scope, yes, next),
            }),
            _ => self.leaf(code, field, filter, scope, yes, no),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a comparison of a field and where to go from there")]
    fn compare(
        &mut self,
        code: &mut Code,
        field: &Field,
        comparison: Comparison,
        bound: &Value,
        scope: Scope,
        yes: u32,
        no: u32,
    ) -> u32 {
        let orders = Orders::of(comparison);
        let source = self.source(field, scope);
        let atom = match (source, bound) {
            (Source::Int(slot), Value::Int(bound)) => whole_numbers(slot, orders, *bound),
            (Source::Int(slot), Value::Real(bound)) => match whole(*bound) {
                Some(bound) => whole_numbers(slot, orders, bound),
                None => Atom::Wide { slot, orders, bound: *bound },
            },
            (Source::Real(slot) | Source::Number(slot), Value::Int(bound)) => {
                Atom::Real { slot, orders, bound: f64::from(*bound) }
            }
            (Source::Real(slot) | Source::Number(slot), Value::Real(bound)) => {
                Atom::Real { slot, orders, bound: *bound }
            }
            (Source::Bool(slot), Value::Bool(bound)) => {
                return match [false, true].map(|truth| orders.has(truth.cmp(bound))) {
                    [false, false] => no,
                    [true, true] => yes,
                    [_, truth] => code.push(Atom::Bool { slot, truth }, yes, no),
                };
            }
            (Source::Constant(cell), bound) => {
                let holds = comparison.holds(self.constant(cell).as_ref(), bound, self.game.rules.comparison);
                return if holds { yes } else { no };
            }
            (source, bound) => Atom::Compare { source, comparison, bound: self.bound(bound) },
        };
        code.push(atom, yes, no)
    }

    fn leaf(&mut self, code: &mut Code, field: &Field, filter: &ValueFilter, scope: Scope, yes: u32, no: u32) -> u32 {
        let source = self.source(field, scope);
        if let (Source::Field(field), Sight::Masks(known), Scope::Ground | Scope::Node(_)) =
            (&source, &self.sight, scope)
            && let Field::Observable(node) = **field
            && (self.game.board.node(node).declared || self.game.rules.bare_nodes == BareNodes::Empty)
            && let Some(labels) = labels_tested(filter, known)
        {
            return code.push(Atom::Seen { node: node.0, labels }, yes, no);
        }
        if let Source::Constant(cell) = source {
            let holds = filter.holds(self.constant(cell).as_ref(), self.game.rules.comparison);
            return if holds { yes } else { no };
        }
        code.push(Atom::Value { source, filter: Box::new(filter.clone()) }, yes, no)
    }

    /// Returns the source of the value of a field.
    pub(super) fn source(&mut self, field: &Field, scope: Scope) -> Source {
        match (field, scope) {
            (Field::Resource(slot), Scope::Team(team)) => self.observed(*slot, team),
            (Field::Resource(slot), _) => self.slot(slot.0),
            (Field::Computed(place), _) => Source::Computed(*place as u32),
            (Field::End(end, resource), _) => {
                self.table(*resource);
                Source::End(*end, resource.0)
            }
            (Field::Own(resource), Scope::Node(node)) => match self.slots.at(*resource, node) {
                Some(slot) => self.slot(slot),
                None => Source::Constant(Cell::Missing),
            },
            (Field::OwnObservable, Scope::Node(node)) => Source::Field(Box::new(Field::Observable(node))),
            (Field::OwnName, Scope::Node(node)) => {
                let name = Value::Text(self.game.board.node(node).name.clone());
                Source::Constant(self.cell(Some(&name)))
            }
            (Field::Member(..), Scope::Node(node)) => Source::Field(Box::new(self.localised(field, node))),
            (Field::Missing(_), _) => Source::Constant(Cell::Missing),
            _ => Source::Field(Box::new(field.clone())),
        }
    }

    fn slot(&self, slot: u32) -> Source {
        match self.stores[slot as usize] {
            Store::Int => Source::Int(slot),
            Store::Real => Source::Real(slot),
            Store::Number => Source::Number(slot),
            Store::Bool => Source::Bool(slot),
            Store::Tagged => Source::Tagged(slot),
        }
    }

    fn observed(&self, slot: SlotId, team: TeamId) -> Source {
        let Sight::Masks(_) = self.sight else { return Source::Field(Box::new(Field::Resource(slot))) };
        let node = self.game.board.slot(slot).node.0;
        let initial = self.initial[slot.index()];
        Source::Seen { slot: slot.0, node, label: self.team_bit(team), initial }
    }

    /// Converts a field of the node under test to a field of that node.
    fn localised(&self, field: &Field, node: NodeId) -> Field {
        let mut paths = Vec::new();
        let mut inner = field;
        while let Field::Member(whole, path) = inner {
            paths.push(path.clone());
            inner = whole;
        }
        let inner = match inner {
            Field::Own(resource) => match self.slots.at(*resource, node) {
                Some(slot) => Field::Resource(SlotId(slot)),
                None => Field::Missing(self.game.board.resource(*resource).clone()),
            },
            Field::OwnObservable => Field::Observable(node),
            // The name is a string, which has no members.
            Field::OwnName => Field::Missing(self.game.board.node(node).name.clone()),
            other => other.clone(),
        };
        paths.into_iter().rev().fold(inner, |whole, path| Field::Member(Box::new(whole), path))
    }
}

impl Test {
    /// Returns the slots that the test reads, and the nodes whose labels it reads, without duplicates.
    pub(super) fn reads(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut slots, mut nodes) = (Vec::new(), Vec::new());
        for branch in &self.code {
            match &branch.atom {
                Atom::Int { slot, .. }
                | Atom::Wide { slot, .. }
                | Atom::Real { slot, .. }
                | Atom::Bool { slot, .. } => {
                    slots.push(*slot);
                }
                Atom::Seen { node, .. } => nodes.push(*node),
                Atom::Compare { source, .. } | Atom::Value { source, .. } => match source {
                    Source::Int(slot)
                    | Source::Real(slot)
                    | Source::Number(slot)
                    | Source::Bool(slot)
                    | Source::Tagged(slot) => {
                        slots.push(*slot);
                    }
                    Source::Field(field) => {
                        let mut inner = &**field;
                        while let Field::Member(whole, _) = inner {
                            inner = whole;
                        }
                        match inner {
                            Field::Resource(slot) => slots.push(slot.0),
                            Field::Observable(node) => nodes.push(node.0),
                            _ => {}
                        }
                    }
                    Source::Seen { slot, node, .. } => {
                        slots.push(*slot);
                        nodes.push(*node);
                    }
                    Source::Constant(_) | Source::End(..) | Source::Computed(_) => {}
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
fn whole_numbers(slot: u32, orders: Orders, bound: i32) -> Atom {
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
fn labels_tested(filter: &ValueFilter, known: &Labels) -> Option<u64> {
    let bits = |passes: &dyn Fn(&str) -> bool| {
        known.iter().enumerate().filter(|(_, label)| passes(label)).fold(0, |bits, (bit, _)| bits | 1 << bit)
    };
    match filter {
        ValueFilter::Text(TextTest::Contains, part) if !part.is_empty() => Some(bits(&|label| label.contains(&**part))),
        ValueFilter::HasAny(labels) => Some(bits(&|label| labels.contains(label))),
        _ => None,
    }
}
