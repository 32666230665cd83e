//! The values of fields during a play.

use std::cell::Cell;
use std::sync::Arc;

use super::lookup::{FieldLookup, member};
use super::state::State;
use crate::board::{NodeId, ResourceId, Vector};
use crate::field::{Endpoint, Field};
use crate::game::{Game, TeamId};
use crate::rules::SelfLoopRule;
use crate::value::Value;

/// The context in which tests and computations read fields.
#[derive(Clone, Copy)]
pub(super) struct EvaluationContext<'a> {
    /// The game.
    pub(super) game: &'a Game,
    /// Its state.
    pub(super) state: &'a State,
    /// The team whose observation is read; `None` for the true state.
    pub(super) observer: Option<TeamId>,
    /// The node under test by a filter.
    pub(super) tested_node: Option<NodeId>,
    /// The selected vector.
    pub(super) vector: Option<&'a Vector>,
    /// The intermediate values.
    pub(super) computed: &'a [Option<Value>],
    /// The parameters of the action.
    pub(super) parameters: &'a [(Arc<str>, Value)],
    /// The counter of integer overflows; `None` if they are not counted.
    pub(super) overflows: Option<&'a Cell<u32>>,
}

impl<'a> EvaluationContext<'a> {
    /// Creates an environment of the true state.
    pub(super) fn true_state(game: &'a Game, state: &'a State) -> Self {
        Self {
            game,
            state,
            observer: None,
            tested_node: None,
            vector: None,
            computed: &[],
            parameters: &[],
            overflows: None,
        }
    }

    /// Creates an environment of the true state with the parameters of an action.
    pub(super) fn for_action(game: &'a Game, state: &'a State, parameters: &'a [(Arc<str>, Value)]) -> Self {
        Self { parameters, ..Self::true_state(game, state) }
    }

    /// Whether the observer sees a node; without an observer, every node is seen.
    pub(super) fn sees(&self, node: NodeId) -> bool {
        let Some(team) = self.observer else { return true };
        self.state
            .node(node)
            .is_some_and(|node_state| node_state.observers.contains(&self.game.teams[team.index()].name))
    }

    /// Returns the value of a resource; the initial value if the node is not seen.
    fn resource(&self, node: NodeId, resource: ResourceId) -> Option<Value> {
        let board = &self.game.board;
        if self.sees(node) {
            return self.state.node(node)?.values.get(board.resource(resource)).cloned();
        }
        let declaration = board.slot(board.slot_of(node, resource)?).declaration.as_ref()?;
        Some(declaration.initial.clone())
    }

    /// Returns the set of labels of the observers of a node, or, on an observation, whether the observer sees it.
    pub(super) fn observable(&self, node: NodeId) -> Option<Value> {
        let node_state = self.state.node(node)?;
        Some(match self.observer {
            Some(_) => Value::Bool(self.sees(node)),
            None => Value::Set(Arc::new(node_state.observers.clone())),
        })
    }

    /// Returns the node at an end of the selected vector; `None` if that end is not readable.
    fn end(&self, end: Endpoint) -> Option<NodeId> {
        let vector = self.vector?;
        let is_loop = vector.source == vector.target;
        match end {
            Endpoint::Source => Some(vector.source),
            Endpoint::Target if is_loop && self.game.rules.self_loops == SelfLoopRule::SourceOnly => None,
            Endpoint::Target => Some(vector.target),
        }
    }
}

impl FieldLookup for EvaluationContext<'_> {
    fn value(&self, field: &Field) -> Option<Value> {
        match field {
            Field::Resource(slot) => {
                let slot = self.game.board.slot(*slot);
                self.resource(slot.node, slot.resource)
            }
            Field::Observers(node) => self.observable(*node),
            Field::Computed(index) => self.computed.get(*index)?.clone(),
            Field::EndpointResource(end, resource) => self.resource(self.end(*end)?, *resource),
            Field::EndpointObservers(end) => self.observable(self.end(*end)?),
            Field::TestedNodeResource(resource) => self.resource(self.tested_node?, *resource),
            Field::TestedNodeObservers => self.observable(self.tested_node?),
            Field::TestedNodeName => Some(Value::Text(self.game.board.node(self.tested_node?).name.clone())),
            Field::Parameter(name) => {
                self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
            }
            Field::Member(field, path) => member(self.value(field)?, path),
            Field::Unresolved(_) => None,
        }
    }

    fn record_overflows(&self, count: u32) {
        if let Some(overflows) = self.overflows {
            overflows.set(overflows.get().saturating_add(count));
        }
    }
}
