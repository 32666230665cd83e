//! Access to the state of a game for custom results.

use std::sync::Arc;

use goalspec_resource::board::NodeId;
use goalspec_resource::custom::{CustomResultError, StateAccess};
use goalspec_resource::field::Field;
use goalspec_resource::value::Value;

use crate::eval::EvalContext;
use crate::observers::labels_of;
use crate::program::CompiledResourceGame;
use crate::state::{BoxedErrorKind, State};

/// The resource name under which the observers of a node appear.
const OBSERVABLE: &str = "observable";

/// A state with its game, during one custom result.
pub(crate) struct SimulatorStateAccess<'a> {
    c: &'a CompiledResourceGame,
    state: &'a mut State,
    rejected: Option<BoxedErrorKind>,
}

impl<'a> SimulatorStateAccess<'a> {
    pub(crate) fn new(c: &'a CompiledResourceGame, state: &'a mut State) -> Self {
        Self { c, state, rejected: None }
    }

    /// Returns the first write rejected by the rules, if any.
    pub(crate) fn rejected_write(self) -> Option<BoxedErrorKind> {
        self.rejected
    }

    fn slot(&self, node: NodeId, resource: &str) -> Option<u32> {
        self.c.slots.at(self.c.game.board.resource_named(resource)?, node)
    }
}

impl StateAccess for SimulatorStateAccess<'_> {
    fn value(&self, node: &str, resource: &str) -> Option<Value> {
        let node = self.c.game.board.node_named(node)?;
        if resource == OBSERVABLE {
            let field = Field::Observers(node);
            return self.state.field(self.c, &field, &EvalContext::default());
        }
        if let Some(slot) = self.slot(node, resource) {
            return self.state.value(self.c, self.state.cell(slot));
        }
        self.state.stray(node, resource).map(|place| self.state.extra_resources[place].2.clone())
    }

    fn values(&self, node: &str) -> Vec<(Arc<str>, Value)> {
        let Some(node) = self.c.game.board.node_named(node) else { return Vec::new() };
        self.state.values_of(self.c, node)
    }

    fn put(&mut self, node: &str, resource: &str, value: Option<Value>) -> Result<(), CustomResultError> {
        let Some(id) = self.c.game.board.node_named(node) else {
            return Err(CustomResultError::UnknownNode { node: node.to_owned() });
        };
        self.state.mark_not_bare(self.c, id);
        if resource == OBSERVABLE {
            self.state.set_labels(self.c, id, labels_of(value.as_ref()));
        } else if let Some(slot) = self.slot(id, resource) {
            let cell = self.state.cell_of(self.c, value);
            if let Err(kind) = self.state.put(self.c, slot, cell) {
                self.rejected.get_or_insert(kind);
                return Err(CustomResultError::OutOfBounds { node: node.to_owned(), resource: resource.to_owned() });
            }
        } else {
            self.state.put_stray(id, resource, value);
        }
        Ok(())
    }

    fn uniform(&mut self) -> f64 {
        self.state.stream.uniform()
    }
}

impl State {
    /// Returns all values of a node: those of slots first, followed by resources that custom results added.
    pub(crate) fn values_of(&self, c: &CompiledResourceGame, node: NodeId) -> Vec<(Arc<str>, Value)> {
        let values = c.slots.of_node(node).filter_map(|(slot, info)| {
            let name = c.game.board.resource(info.resource);
            Some((name.clone(), self.value(c, self.cell(slot))?))
        });
        let strays = self.extra_resources.iter().filter(|(at, ..)| *at == node);
        values.chain(strays.map(|(_, name, value)| (name.clone(), value.clone()))).collect()
    }

    fn stray(&self, node: NodeId, resource: &str) -> Option<usize> {
        self.extra_resources.iter().position(|(at, name, _)| *at == node && **name == *resource)
    }

    fn put_stray(&mut self, node: NodeId, resource: &str, value: Option<Value>) {
        match (self.stray(node, resource), value) {
            (Some(place), Some(value)) => self.extra_resources[place].2 = value,
            (Some(place), None) => drop(self.extra_resources.remove(place)),
            (None, Some(value)) => self.extra_resources.push((node, resource.into(), value)),
            (None, None) => {}
        }
    }
}
