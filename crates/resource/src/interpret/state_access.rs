//! Access to the state for custom results.

use std::sync::Arc;

use super::state::{OBSERVABLE, ResolvedPlace, Writer};
use crate::custom::{CustomResultError, StateAccess};
use crate::random::RandomStream;
use crate::turn::GameErrorKind;
use crate::value::Value;

/// The state as a custom result reads and writes it.
pub(super) struct InterpreterStateAccess<'a> {
    /// The state with its game and turn.
    pub(super) writer: Writer<'a>,
    /// The source of random numbers.
    pub(super) stream: &'a mut RandomStream,
    /// The first write rejected by the rules; it ends the game even if the result ignores the error.
    pub(super) failed: Option<GameErrorKind>,
}

impl StateAccess for InterpreterStateAccess<'_> {
    fn value(&self, node: &str, resource: &str) -> Option<Value> {
        let node = self.writer.game.board.node_named(node)?;
        let node_state = self.writer.state.node(node)?;
        if resource == OBSERVABLE {
            return Some(Value::Set(Arc::new(node_state.observers.clone())));
        }
        node_state.values.get(resource).cloned()
    }

    fn values(&self, node: &str) -> Vec<(Arc<str>, Value)> {
        let node = self.writer.game.board.node_named(node);
        let node_state = node.and_then(|node| self.writer.state.node(node));
        node_state
            .into_iter()
            .flat_map(|node_state| &node_state.values)
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    fn put(&mut self, node: &str, resource: &str, value: Option<Value>) -> Result<(), CustomResultError> {
        let found = self
            .writer
            .game
            .board
            .node_named(node)
            .ok_or_else(|| CustomResultError::UnknownNode { node: node.to_owned() })?;
        let result = if resource == OBSERVABLE {
            self.writer.put(ResolvedPlace { node: found, resource: None }, value)
        } else {
            self.writer.put_named(found, &resource.into(), value)
        };
        result.map_err(|kind| {
            self.failed.get_or_insert(kind);
            CustomResultError::OutOfBounds { node: node.to_owned(), resource: resource.to_owned() }
        })
    }

    fn uniform(&mut self) -> f64 {
        self.stream.uniform()
    }
}
