//! A pool of object sets that outgrew their inline storage, reused for later states.

use goalspec_core::state::Delta;
use goalspec_core::value::{ObjectSet, Value};

/// Maximum number of sets kept.
const MAX_SPARE: usize = 1024;

/// A pool of empty sets with allocated storage.
#[derive(Debug, Clone, Default)]
pub(crate) struct SetPool {
    spare: Vec<ObjectSet>,
}

impl SetPool {
    /// Empties a delta, keeps its buffers, and takes its allocated sets into the pool.
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

    /// Returns an empty set.
    pub(crate) fn set(&mut self) -> ObjectSet {
        self.spare.pop().unwrap_or_default()
    }
}
