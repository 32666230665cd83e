//! The constants of a game that do not fit into words.

use goalspec_resource::value::Value;

/// The constants of a game. Constants in the pool are values of slots or of expressions, where [`Cell::Pooled`](crate::cell::Cell)
/// refers to them by index; the pool of a state continues these indices.
#[derive(Debug)]
pub(crate) struct Constants {
    pool: Vec<Value>,
    bounds: Vec<Value>,
}

impl Constants {
    /// Creates the table of these constants.
    pub(crate) fn new(pool: Vec<Value>, bounds: Vec<Value>) -> Self {
        Self { pool, bounds }
    }

    /// Returns the number of constants in the pool.
    #[inline]
    pub(crate) fn pool_len(&self) -> usize {
        self.pool.len()
    }

    /// Returns a constant of the pool; `None` if the index is one of the pool of a state.
    #[inline]
    pub(crate) fn pooled(&self, index: usize) -> Option<&Value> {
        self.pool.get(index)
    }

    /// Returns a constant that a test compares with.
    #[inline]
    pub(crate) fn bound(&self, index: u32) -> &Value {
        &self.bounds[index as usize]
    }
}
