//! Who sees a node: what writing to `observable` does.

use std::sync::Arc;

use goalspec_core::resource::board::NodeId;
use goalspec_core::resource::value::{Labels, Value};

use crate::cell::Cell;
use crate::program::Compiled;
use crate::state::State;

/// The labels that a value names when it takes the place of others: the members of a set or a list, nothing for what is missing,
/// the text form of everything else.
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
    /// Adds the label that a value names.
    pub(crate) fn add_labels(&mut self, c: &Compiled, node: NodeId, value: Cell) {
        let Some(value) = self.value(c, value) else { return };
        let mut labels = Labels::clone(&self.labels(c, node));
        labels.insert(value.to_string().into());
        self.set_labels(c, node, labels);
    }

    /// Replaces the labels by those that a value names.
    pub(crate) fn replace_labels(&mut self, c: &Compiled, node: NodeId, value: Cell) {
        let labels = labels_of(self.value(c, value).as_ref());
        self.set_labels(c, node, labels);
    }
}
