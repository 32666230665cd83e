//! The state of a game, and writes to it.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::filter::text_form;
use crate::board::{Node, NodeId, ResourceId, Vector};
use crate::field::{Endpoint, Place};
use crate::game::{ActionId, Game, TeamId};
use crate::rules::{NodesWithoutResourcesRule, SpaceBoundsRule};
use crate::turn::{GameErrorKind, Overflow, TurnResult};
use crate::value::{Labels, Value};

/// The resource name under which the observers of a node appear.
pub(super) const OBSERVABLE: &str = "observable";

/// The values and observers of a node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeState {
    /// The values of its resources, in insertion order.
    pub values: IndexMap<Arc<str>, Value, FxBuildHasher>,
    /// The labels of its observers.
    pub observers: Labels,
}

/// The state of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// By node; `None` for an undeclared node that has not been written to, under [`NodesWithoutResourcesRule::Error`].
    bags: Vec<Option<NodeState>>,
    /// By action and consequence: the current odds, after discounts.
    odds: Vec<Vec<f64>>,
}

impl State {
    /// Returns the initial state of a game.
    pub fn new(game: &Game) -> Self {
        let new_node_state = |node: &Node| {
            let has_one = node.declared || game.rules.nodes_without_resources == NodesWithoutResourcesRule::Empty;
            has_one.then(|| NodeState { observers: node.observers.clone(), ..NodeState::default() })
        };
        let mut nodes: Vec<Option<NodeState>> = game.board.nodes().map(|(_, node)| new_node_state(node)).collect();
        for (_, slot) in game.board.slots() {
            if let (Some(declaration), Some(new_node_state)) = (&slot.declaration, &mut nodes[slot.node.index()]) {
                new_node_state.values.insert(game.board.resource(slot.resource).clone(), declaration.initial.clone());
            }
        }
        let odds =
            game.actions.iter().map(|action| action.consequences.iter().map(|consequence| consequence.odds).collect());
        Self { bags: nodes, odds: odds.collect() }
    }

    /// Returns the state that a team infers from its observation: unseen nodes have their initial values. The other observers of
    /// a node and the number of discounts are not observable, so both are as in the initial state.
    #[must_use]
    pub fn observed(&self, game: &Game, team: TeamId) -> Self {
        let name = &game.teams[team.index()].name;
        let mut observed = Self::new(game);
        for (initial, node_state) in observed.bags.iter_mut().zip(&self.bags) {
            match node_state.as_ref().filter(|node_state| node_state.observers.contains(name)) {
                Some(node_state) => {
                    let initial = initial.get_or_insert_default();
                    initial.values.clone_from(&node_state.values);
                    initial.observers.insert(name.clone());
                }
                None => drop(initial.as_mut().map(|initial| initial.observers.shift_remove(name))),
            }
        }
        observed
    }

    /// Returns the values and observers of a node; `None` for an undeclared node that has not been written to, under
    /// [`NodesWithoutResourcesRule::Error`].
    pub fn node(&self, node: NodeId) -> Option<&NodeState> {
        self.bags[node.index()].as_ref()
    }

    /// Returns the odds of the consequences of an action at its next execution.
    pub fn odds(&self, action: ActionId) -> &[f64] {
        &self.odds[action.index()]
    }

    /// Returns the odds of a consequence for the current execution of its action, and discounts them for the next.
    pub(super) fn discount_odds(&mut self, action: ActionId, consequence: usize, discount: Option<f64>) -> f64 {
        let odds = &mut self.odds[action.index()][consequence];
        let used = *odds;
        *odds *= discount.unwrap_or(1.0);
        used
    }
}

/// A place resolved for a selected vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ResolvedPlace {
    /// The node.
    pub(super) node: NodeId,
    /// The resource; `None` for the observers of the node.
    pub(super) resource: Option<ResourceId>,
}

impl ResolvedPlace {
    /// Resolves a place; returns `None` for an end of a vector if no vector is selected.
    pub(super) fn of(place: Place, game: &Game, vector: Option<&Vector>) -> Option<Self> {
        let end = |end| {
            let vector = vector?;
            Some(match end {
                Endpoint::Source => vector.source,
                Endpoint::Target => vector.target,
            })
        };
        Some(match place {
            Place::Resource(slot) => {
                let slot = game.board.slot(slot);
                Self { node: slot.node, resource: Some(slot.resource) }
            }
            Place::Observers(node) => Self { node, resource: None },
            Place::EndpointResource(end_of_vector, resource) => {
                Self { node: end(end_of_vector)?, resource: Some(resource) }
            }
            Place::EndpointObservers(end_of_vector) => Self { node: end(end_of_vector)?, resource: None },
        })
    }
}

/// Returns the name of a place as written in games.
pub(super) fn place_name(place: Place, game: &Game) -> String {
    let end = |end| match end {
        Endpoint::Source => "_source",
        Endpoint::Target => "_target",
    };
    match place {
        Place::Resource(slot) => game.board.slot_name(slot),
        Place::Observers(node) => format!("{}.{OBSERVABLE}", game.board.node(node).name),
        Place::EndpointResource(end_of_vector, resource) => {
            format!("{}.{}", end(end_of_vector), game.board.resource(resource))
        }
        Place::EndpointObservers(end_of_vector) => format!("{}.{OBSERVABLE}", end(end_of_vector)),
    }
}

/// Writes to a state, checking declared spaces.
pub(super) struct Writer<'a> {
    /// The game.
    pub(super) game: &'a Game,
    /// Its state.
    pub(super) state: &'a mut State,
    /// The turn in which overflows and values outside their spaces are recorded.
    pub(super) turn: &'a mut TurnResult,
}

impl Writer<'_> {
    /// Adds a value. Adding to the observers of a node inserts one label, the text form of the value.
    pub(super) fn add(&mut self, place: ResolvedPlace, value: &Value) -> Result<(), GameErrorKind> {
        let Some(resource) = place.resource else {
            self.node_state(place.node).observers.insert(value.to_string().into());
            return Ok(());
        };
        let name = self.game.board.resource(resource).clone();
        let existing = self.node_state(place.node).values.get(&name);
        let (sum, overflows) = (Value::add(existing, value), Value::add_overflows(existing, value));
        if overflows {
            self.turn.overflows.push(Overflow::Resource(place.node, resource));
        }
        self.store(place.node, &name, sum)
    }

    /// Replaces a value, or removes it. The observers of a node become the members of a set or list, the text form of any other
    /// value, or nobody if the value is missing.
    pub(super) fn put(&mut self, place: ResolvedPlace, value: Option<Value>) -> Result<(), GameErrorKind> {
        let Some(resource) = place.resource else {
            self.node_state(place.node).observers = labels(value);
            return Ok(());
        };
        let name = self.game.board.resource(resource).clone();
        self.put_named(place.node, &name, value)
    }

    /// Replaces or removes the value of a resource given by name.
    pub(super) fn put_named(
        &mut self,
        node: NodeId,
        name: &Arc<str>,
        value: Option<Value>,
    ) -> Result<(), GameErrorKind> {
        let Some(value) = value else {
            self.node_state(node).values.shift_remove(name);
            return Ok(());
        };
        self.store(node, name, value)
    }

    /// Returns the values of a node, creating them at the first write to a bare node.
    fn node_state(&mut self, node: NodeId) -> &mut NodeState {
        self.state.bags[node.index()].get_or_insert_default()
    }

    fn store(&mut self, node: NodeId, name: &Arc<str>, value: Value) -> Result<(), GameErrorKind> {
        let value = self.checked(node, name, value)?;
        self.node_state(node).values.insert(name.clone(), value);
        Ok(())
    }

    /// Returns the value to store for `value`, given the declared space.
    fn checked(&mut self, node: NodeId, name: &str, value: Value) -> Result<Value, GameErrorKind> {
        let board = &self.game.board;
        let slot = board.resource_named(name).and_then(|resource| board.slot_of(node, resource));
        let Some((slot, declaration)) = slot.and_then(|slot| Some((slot, board.slot(slot).declaration.as_ref()?)))
        else {
            return Ok(value);
        };
        if declaration.space.contains(&value) {
            return Ok(value);
        }
        self.turn.out_of_bounds.push(slot);
        match self.game.rules.bounds {
            SpaceBoundsRule::Ignore => Ok(value),
            SpaceBoundsRule::Clamp => Ok(declaration.space.clamp(value)),
            SpaceBoundsRule::Error => Err(GameErrorKind::OutOfBounds { place: board.slot_name(slot), value }),
        }
    }
}

/// Returns the labels that a value represents as observers.
fn labels(value: Option<Value>) -> Labels {
    match value {
        None => Labels::default(),
        Some(Value::Set(labels)) => Labels::clone(&labels),
        Some(Value::List(members)) => members.iter().map(|member| text_form(member.as_ref()).into()).collect(),
        Some(value) => std::iter::once(value.to_string().into()).collect(),
    }
}
