//! Writes to the observers of nodes.

use std::sync::Arc;

use goalspec_resource::board::NodeId;
use goalspec_resource::value::{Labels, Value};

use crate::cell::Cell;
use crate::program::CompiledResourceGame;
use crate::state::State;

/// Returns the labels that a value represents as observers: the members of a set or list, the text form of any other value, and
/// none if the value is missing.
pub(crate) fn labels_of(value: Option<&Value>) -> Labels {
    match value {
        None => Labels::default(),
        Some(Value::Set(labels)) => (**labels).clone(),
        Some(Value::List(members)) => members.iter().map(|member| text_form(member.as_ref()).into()).collect(),
        Some(other) => std::iter::once(Arc::from(other.to_string())).collect(),
    }
}

fn text_form(value: Option<&Value>) -> String {
    value.map_or_else(|| "null".to_owned(), ToString::to_string)
}

impl State {
    /// Adds the text form of a value as a label.
    pub(crate) fn add_labels(&mut self, c: &CompiledResourceGame, node: NodeId, value: Cell) {
        let Some(value) = self.value(c, value) else { return };
        let mut labels = Labels::clone(&self.labels(c, node));
        labels.insert(value.to_string().into());
        self.set_labels(c, node, labels);
    }

    /// Replaces the labels by those that a value represents.
    pub(crate) fn replace_labels(&mut self, c: &CompiledResourceGame, node: NodeId, value: Cell) {
        let labels = labels_of(self.value(c, value).as_ref());
        self.set_labels(c, node, labels);
    }
}
