//! Access to the state for custom results.

use std::sync::Arc;

use super::state::{OBSERVABLE, Spot, Writer};
use crate::custom::Ground;
use crate::random::Stream;
use crate::turn::FailureKind;
use crate::value::Value;

/// The state as a custom result reads and writes it.
pub(super) struct Writable<'a> {
    /// The state with its game and turn.
    pub(super) writer: Writer<'a>,
    /// The source of random numbers.
    pub(super) stream: &'a mut Stream,
    /// The first write rejected by the rules; it ends the game even if the result ignores the error.
    pub(super) failed: Option<FailureKind>,
}

impl Ground for Writable<'_> {
    fn value(&self, node: &str, resource: &str) -> Option<Value> {
        let node = self.writer.game.board.node_named(node)?;
        let bag = self.writer.state.bag(node)?;
        if resource == OBSERVABLE {
            return Some(Value::Set(Arc::new(bag.seen_by.clone())));
        }
        bag.values.get(resource).cloned()
    }

    fn values(&self, node: &str) -> Vec<(Arc<str>, Value)> {
        let node = self.writer.game.board.node_named(node);
        let bag = node.and_then(|node| self.writer.state.bag(node));
        bag.into_iter().flat_map(|bag| &bag.values).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn put(&mut self, node: &str, resource: &str, value: Option<Value>) -> Result<(), String> {
        let found = self.writer.game.board.node_named(node).ok_or_else(|| format!("unknown node `{node}`"))?;
        let written = if resource == OBSERVABLE {
            self.writer.put(Spot { node: found, resource: None }, value)
        } else {
            self.writer.put_named(found, &resource.into(), value)
        };
        written.map_err(|kind| {
            self.failed.get_or_insert(kind);
            format!("the value of `{node}.{resource}` is outside its declared space")
        })
    }

    fn uniform(&mut self) -> f64 {
        self.stream.uniform()
    }
}
