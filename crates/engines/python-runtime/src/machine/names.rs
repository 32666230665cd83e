//! The interned names of a program and of its run.

use std::sync::Arc;

use indexmap::IndexSet;

use crate::code::Symbol;

/// The names of a program, followed by those interned at run time.
#[derive(Debug)]
pub(super) struct Names {
    names: IndexSet<Arc<str>>,
    /// The symbols of names that were interned lately, by the address of the text: code that interns a literal does so again and again.
    recent: [Symbol; RECENT_NAMES],
}

/// The number of names that are found without hashing their text.
const RECENT_NAMES: usize = 128;

impl Names {
    /// Creates the names of a program.
    pub(super) fn new(names: &[Arc<str>]) -> Self {
        Self { names: names.iter().cloned().collect(), recent: [Symbol(0); RECENT_NAMES] }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Drops all names from an index on.
    pub(super) fn truncate(&mut self, count: usize) {
        self.names.truncate(count);
    }

    /// Returns the symbol of a name, which is added if it is new.
    #[inline]
    pub(super) fn intern(&mut self, name: &str) -> Symbol {
        let slot = (name.as_ptr() as usize).wrapping_mul(31).wrapping_add(name.len()) % RECENT_NAMES;
        let recent = self.recent[slot];
        // The same address may hold another text by now.
        if self.names.get_index(recent.0 as usize).is_some_and(|other| **other == *name) {
            return recent;
        }
        let place = self.names.get_index_of(name).unwrap_or_else(|| self.names.insert_full(name.into()).0);
        self.recent[slot] = Symbol(place as u32);
        Symbol(place as u32)
    }

    /// Returns the symbol of a name if it is known.
    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        self.names.get_index_of(name).map(|place| Symbol(place as u32))
    }

    #[inline]
    pub(super) fn text(&self, symbol: Symbol) -> &Arc<str> {
        &self.names[symbol.0 as usize]
    }
}
