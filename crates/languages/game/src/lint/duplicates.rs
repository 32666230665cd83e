//! Detection of equal syntax nodes by hashing.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;

/// A syntax node as a hash key. Equality is not reflexive for a node with an erroneous part, which equals nothing: the map has an entry
/// for each such node.
struct Key<T>(T);

impl<T: Hash> Hash for Key<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<T: PartialEq> PartialEq for Key<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T: PartialEq> Eq for Key<T> {}

/// Returns for each item the index of the first item that is equal to it.
pub(super) fn first_equal<T: PartialEq + Hash>(items: impl IntoIterator<Item = T>) -> Vec<usize> {
    let mut first: FxHashMap<Key<T>, usize> = FxHashMap::default();
    items.into_iter().enumerate().map(|(place, item)| *first.entry(Key(item)).or_insert(place)).collect()
}
