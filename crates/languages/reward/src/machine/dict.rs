//! Dicts and sets: entries in the order in which they came, found by their hashes.
//!
//! Equality may run code of the program, so it is the machine that compares: candidates are told one after the other.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::value::Value;

/// The entries of a dict; of a set, the values are `None`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dict {
    pub(crate) flavor: Flavor,
    entries: Vec<Option<(u64, Value, Value)>>,
    by_hash: FxHashMap<u64, SmallVec<[u32; 1]>>,
    len: usize,
    /// Before it there are no entries.
    first: usize,
}

/// What kind of dict or set.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Flavor {
    #[default]
    Plain,
    /// A `frozenset`.
    Frozen,
    Ordered,
    Counter,
    /// With what makes values for keys that are not there.
    Default(Value),
}

impl Dict {
    /// An empty one.
    pub(crate) fn of(flavor: Flavor) -> Self {
        Self { flavor, ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The places of entries of this hash, with their keys.
    pub(crate) fn candidates(&self, hash: u64) -> SmallVec<[(usize, Value); 2]> {
        let places = self.by_hash.get(&hash).into_iter().flatten();
        places.filter_map(|&place| Some((place as usize, self.entries[place as usize]?.1))).collect()
    }

    pub(crate) fn key(&self, place: usize) -> Option<Value> {
        self.entries.get(place)?.map(|(_, key, _)| key)
    }

    pub(crate) fn value(&self, place: usize) -> Option<Value> {
        self.entries.get(place)?.map(|(_, _, value)| value)
    }

    pub(crate) fn set_value(&mut self, place: usize, value: Value) {
        if let Some(Some(entry)) = self.entries.get_mut(place) {
            entry.2 = value;
        }
    }

    /// Adds an entry whose key is not there.
    pub(crate) fn add(&mut self, hash: u64, key: Value, value: Value) {
        self.by_hash.entry(hash).or_default().push(self.entries.len() as u32);
        self.entries.push(Some((hash, key, value)));
        self.len += 1;
    }

    pub(crate) fn remove(&mut self, place: usize) -> Option<(Value, Value)> {
        let (hash, key, value) = self.entries.get_mut(place)?.take()?;
        if let Some(places) = self.by_hash.get_mut(&hash) {
            places.retain(|other| *other as usize != place);
            if places.is_empty() {
                self.by_hash.remove(&hash);
            }
        }
        self.len -= 1;
        while self.entries.last().is_some_and(Option::is_none) {
            self.entries.pop();
        }
        while self.entries.get(self.first).is_some_and(Option::is_none) {
            self.first += 1;
        }
        self.first = self.first.min(self.entries.len());
        Some((key, value))
    }

    pub(crate) fn clear(&mut self) {
        *self = Self { flavor: self.flavor, ..Self::default() };
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (Value, Value)> + '_ {
        self.entries.iter().flatten().map(|&(_, key, value)| (key, value))
    }

    /// The next entry at this place or behind it, with its place.
    pub(crate) fn next_from(&self, place: usize) -> Option<(usize, Value, Value)> {
        let place = place.max(self.first);
        let rest = self.entries.get(place..)?;
        rest.iter().enumerate().find_map(|(offset, entry)| entry.map(|(_, key, value)| (place + offset, key, value)))
    }

    /// The last place that has an entry.
    pub(crate) fn last(&self) -> Option<usize> {
        self.entries.iter().rposition(Option::is_some)
    }
}
