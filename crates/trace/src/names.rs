//! Names that were met and not understood, and texts that recur.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

/// Most different names that are kept.
const MAX_NAMES: usize = 10_000;

/// Longest name that is kept whole, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// How many names a message lists.
const SAMPLE: usize = 5;

/// Most different texts that are kept for re-use.
const MAX_TEXTS: usize = 4096;

/// Texts that recur, such as actions, each stored once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts {
    known: FxHashMap<Box<str>, Arc<str>>,
}

impl Texts {
    /// The text, from the store if it is there.
    pub(crate) fn share(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        let shared: Arc<str> = Arc::from(text);
        if self.known.len() < MAX_TEXTS {
            self.known.insert(text.into(), shared.clone());
        }
        shared
    }
}

/// Different names, for one remark at the end instead of thousands, in the order of their first appearance.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    seen: FxHashSet<String>,
    order: Vec<String>,
}

impl Names {
    pub(crate) fn extend(&mut self, names: impl IntoIterator<Item = String>) {
        for mut name in names {
            name.truncate(name.floor_char_boundary(MAX_NAME_BYTES));
            if self.order.len() < MAX_NAMES && self.seen.insert(name.clone()) {
                self.order.push(name);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// How many different names were met, up to the limit.
    pub(crate) fn count(&self) -> usize {
        self.order.len()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    /// The first few names, for a message.
    pub(crate) fn sample(&self) -> String {
        let text = self.order.iter().take(SAMPLE).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match self.order.len().saturating_sub(SAMPLE) {
            0 => text,
            more => format!("{text} and {more} more"),
        }
    }
}
