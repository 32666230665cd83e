//! Collections of unknown names and of recurring texts.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of distinct names that are kept.
const MAX_NAMES: usize = 10_000;

/// Maximum length of a kept name, in bytes; longer names are truncated.
const MAX_NAME_BYTES: usize = 200;

/// Maximum number of names listed in a message.
const SAMPLE: usize = 5;

/// Maximum number of distinct texts that are kept for reuse.
const MAX_TEXTS: usize = 4096;

/// An interner of recurring texts, such as actions.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextInterner {
    known: FxHashMap<Box<str>, Arc<str>>,
}

impl TextInterner {
    /// Returns a shared copy of a text, from the table if it is known.
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

/// A set of distinct names in the order of their first occurrence, reported in one remark at the end.
#[derive(Debug, Clone, Default)]
pub(crate) struct NameSet {
    seen: FxHashSet<String>,
    order: Vec<String>,
}

impl NameSet {
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

    /// Returns the number of distinct names, up to the limit.
    pub(crate) fn count(&self) -> usize {
        self.order.len()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    /// Returns the first few names for a message.
    pub(crate) fn sample(&self) -> String {
        let text = self.order.iter().take(SAMPLE).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match self.order.len().saturating_sub(SAMPLE) {
            0 => text,
            count => format!("{text} and {count} more"),
        }
    }
}
