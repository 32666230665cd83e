//! Keys that identify states.

use std::collections::HashMap;

use goalspec_resource::value::Value;
use rustc_hash::FxBuildHasher;

use crate::cell::Cell;
use crate::program::CompiledResourceGame;
use crate::state::State;

/// A key that is the same for equal states and different for others.
pub(crate) type Key = Box<[u64]>;

/// Numbers for the values that do not fit into a word, so that keys consist of words.
#[derive(Debug, Default)]
pub(crate) struct ValueNumbering {
    known: HashMap<String, u64, FxBuildHasher>,
    bytes: usize,
}

impl ValueNumbering {
    /// Returns the size of the values in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the key of a state. The order of labels and of members of sets matters, since it affects their text forms.
    pub(crate) fn key(&mut self, c: &CompiledResourceGame, state: &State) -> Key {
        let mut key = Vec::with_capacity(state.words.len() + state.tags.len().div_ceil(8) + 1);
        key.push(u64::from(state.turn_index));
        key.extend_from_slice(&state.words);
        for slot in 0..c.slots.len() as u32 {
            if let Cell::Pooled(place) = state.cell(slot) {
                key[slot as usize + 1] = self.value(Some(state.pooled(c, place)));
            }
        }
        for tags in state.tags.chunks(8) {
            key.push(tags.iter().fold(0, |all, &tag| all << 8 | u64::from(tag)));
        }
        for labels in &state.observer_sets {
            key.push(self.text(format!("{labels:?}")));
        }
        for (node, resource, value) in &state.extra_resources {
            key.extend([u64::from(node.0), self.text(format!("{resource:?}")), self.value(Some(value))]);
        }
        key.into()
    }

    /// Returns the number of a value.
    pub(crate) fn value(&mut self, value: Option<&Value>) -> u64 {
        // The debug format distinguishes all values.
        self.text(format!("{value:?}"))
    }

    fn text(&mut self, text: String) -> u64 {
        let next = self.known.len() as u64;
        let size = text.len() + size_of::<(String, u64)>();
        let number = *self.known.entry(text).or_insert(next);
        if number == next {
            self.bytes += size;
        }
        number
    }
}
