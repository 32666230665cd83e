//! The values of fields during a play.

use std::cell::Cell;
use std::sync::Arc;

use super::lookup::{Lookup, member};
use super::state::State;
use crate::board::{NodeId, ResourceId, Vector};
use crate::field::{End, Field};
use crate::game::{Game, TeamId};
use crate::rules::SelfLoops;
use crate::value::Value;

/// The context in which tests and computations read fields.
#[derive(Clone, Copy)]
pub(super) struct Environment<'a> {
    /// The game.
    pub(super) game: &'a Game,
    /// Its state.
    pub(super) state: &'a State,
    /// The team whose observation is read; `None` for the true state.
    pub(super) observer: Option<TeamId>,
    /// The node under test by a filter.
    pub(super) own: Option<NodeId>,
    /// The selected vector.
    pub(super) vector: Option<&'a Vector>,
    /// The intermediate values.
    pub(super) computed: &'a [Option<Value>],
    /// The parameters of the action.
    pub(super) parameters: &'a [(Arc<str>, Value)],
    /// The counter of integer overflows; `None` if they are not counted.
    pub(super) overflows: Option<&'a Cell<u32>>,
}

impl<'a> Environment<'a> {
    /// Creates an environment of the true state.
    pub(super) fn truth(game: &'a Game, state: &'a State) -> Self {
        Self { game, state, observer: None, own: None, vector: None, computed: &[], parameters: &[], overflows: None }
    }

    /// Creates an environment of the true state with the parameters of an action.
    pub(super) fn acting(game: &'a Game, state: &'a State, parameters: &'a [(Arc<str>, Value)]) -> Self {
        Self { parameters, ..Self::truth(game, state) }
    }

    /// Whether the observer sees a node; without an observer, every node is seen.
    pub(super) fn sees(&self, node: NodeId) -> bool {
        let Some(team) = self.observer else { return true };
        self.state.bag(node).is_some_and(|bag| bag.seen_by.contains(&self.game.teams[team.index()].name))
    }

    /// Returns the value of a resource; the initial value if the node is not seen.
    fn resource(&self, node: NodeId, resource: ResourceId) -> Option<Value> {
        let board = &self.game.board;
        if self.sees(node) {
            return self.state.bag(node)?.values.get(board.resource(resource)).cloned();
        }
        let declaration = board.slot(board.slot_of(node, resource)?).declaration.as_ref()?;
        Some(declaration.initial.clone())
    }

    /// Returns the set of labels of the observers of a node, or, on an observation, whether the observer sees it.
    pub(super) fn observable(&self, node: NodeId) -> Option<Value> {
        let bag = self.state.bag(node)?;
        Some(match self.observer {
            Some(_) => Value::Bool(self.sees(node)),
            None => Value::Set(Arc::new(bag.seen_by.clone())),
        })
    }

    /// Returns the node at an end of the selected vector; `None` if that end is not readable.
    fn end(&self, end: End) -> Option<NodeId> {
        let vector = self.vector?;
        let is_loop = vector.source == vector.target;
        match end {
            End::Source => Some(vector.source),
            End::Target if is_loop && self.game.rules.self_loops == SelfLoops::SourceOnly => None,
            End::Target => Some(vector.target),
        }
    }
}

impl Lookup for Environment<'_> {
    fn value(&self, field: &Field) -> Option<Value> {
        match field {
            Field::Resource(slot) => {
                let slot = self.game.board.slot(*slot);
                self.resource(slot.node, slot.resource)
            }
            Field::Observable(node) => self.observable(*node),
            Field::Computed(index) => self.computed.get(*index)?.clone(),
            Field::End(end, resource) => self.resource(self.end(*end)?, *resource),
            Field::EndObservable(end) => self.observable(self.end(*end)?),
            Field::Own(resource) => self.resource(self.own?, *resource),
            Field::OwnObservable => self.observable(self.own?),
            Field::OwnName => Some(Value::Text(self.game.board.node(self.own?).name.clone())),
            Field::Parameter(name) => {
                self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
            }
            Field::Member(field, path) => member(self.value(field)?, path),
            Field::Missing(_) => None,
        }
    }

    fn overflowed(&self, count: u32) {
        if let Some(overflows) = self.overflows {
            overflows.set(overflows.get().saturating_add(count));
        }
    }
}
