//! The global variables of a program.

use super::value::Value;
use crate::code::Symbol;

/// The global variables, by the symbols of their names.
#[derive(Debug, Default)]
pub(super) struct Globals {
    slots: Vec<Option<Value>>,
}

impl Globals {
    #[inline]
    pub(super) fn get(&self, symbol: Symbol) -> Option<Value> {
        self.slots.get(symbol.0 as usize).copied().flatten()
    }

    /// Returns the value of a variable, by the number of its symbol, in place.
    #[inline]
    pub(super) fn slot(&self, symbol: usize) -> Option<&Value> {
        self.slots.get(symbol)?.as_ref()
    }

    pub(super) fn insert(&mut self, symbol: Symbol, value: Value) {
        let place = symbol.0 as usize;
        if self.slots.len() <= place {
            self.slots.resize(place + 1, None);
        }
        self.slots[place] = Some(value);
    }

    /// Removes a variable and returns its value, if it had one.
    pub(super) fn remove(&mut self, symbol: Symbol) -> Option<Value> {
        self.slots.get_mut(symbol.0 as usize)?.take()
    }

    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }

    /// Returns the values of all variables.
    pub(super) fn values(&self) -> impl Iterator<Item = Value> {
        self.slots.iter().copied().flatten()
    }
}
