//! Sets of objects that outgrew their inline space, kept for the next state instead of being freed.

use goalspec_core::state::Delta;
use goalspec_core::value::{ObjectSet, Value};

/// Most sets kept.
const MAX_SPARE: usize = 1024;

/// Spare sets.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pool {
    spare: Vec<ObjectSet>,
}

impl Pool {
    /// Empties a delta, keeps its buffers, and takes its large sets.
    pub(crate) fn clear(&mut self, delta: &mut Delta) {
        for change in delta.changes.drain(..) {
            if let Value::Set(mut set) = change.value
                && set.spilled()
                && self.spare.len() < MAX_SPARE
            {
                set.clear();
                self.spare.push(set);
            }
        }
        delta.clear();
    }

    /// An empty set.
    pub(crate) fn set(&mut self) -> ObjectSet {
        self.spare.pop().unwrap_or_default()
    }
}
