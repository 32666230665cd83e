//! Collection of the constants of a game.

use std::collections::HashMap;
use std::sync::Arc;

use goalspec_resource::value::Value;
use rustc_hash::FxBuildHasher;

use crate::cell::Cell;
use crate::program::constants::Constants;

/// The constants of a game in compilation. Equal strings share an entry of the pool.
#[derive(Default)]
pub(super) struct ConstantsBuilder {
    pool: Vec<Value>,
    texts: HashMap<Arc<str>, u32, FxBuildHasher>,
    bounds: Vec<Value>,
}

impl ConstantsBuilder {
    /// Returns the cell of a constant, adding it to the pool if it does not fit into a word.
    pub(super) fn cell(&mut self, value: Option<&Value>) -> Cell {
        match (Cell::plain(value), value) {
            (Some(cell), _) => cell,
            (None, None) => Cell::Missing,
            (None, Some(value)) => {
                let next = self.pool.len() as u32;
                if let Value::Text(text) = value {
                    let index = *self.texts.entry(text.clone()).or_insert(next);
                    if index != next {
                        return Cell::Pooled(index);
                    }
                }
                self.pool.push(value.clone());
                Cell::Pooled(next)
            }
        }
    }

    /// Returns the value of the cell of a constant.
    pub(super) fn value(&self, cell: Cell) -> Option<Value> {
        Some(match cell {
            Cell::Missing => return None,
            Cell::Int(value) => Value::Int(value),
            Cell::Real(value) => Value::Real(value),
            Cell::Bool(value) => Value::Bool(value),
            Cell::Pooled(index) => self.pool[index as usize].clone(),
        })
    }

    /// Adds a constant that a test compares with; returns its index.
    pub(super) fn add_bound(&mut self, value: &Value) -> u32 {
        self.bounds.push(value.clone());
        self.bounds.len() as u32 - 1
    }

    /// Returns a constant that a test compares with.
    pub(super) fn bound(&self, index: u32) -> &Value {
        &self.bounds[index as usize]
    }

    /// Returns the table.
    pub(super) fn finish(self) -> Constants {
        Constants::new(self.pool, self.bounds)
    }
}
