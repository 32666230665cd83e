//! Dicts and sets: entries in insertion order, indexed by hash.
//!
//! Equality may run code of the program, so the machine compares keys: a lookup returns all candidates of a hash.

use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::set_table::SetTable;
use super::value::Value;

/// A hash with its key and value; `None` after a removal.
pub(crate) type Entry = Option<(u64, Value, Value)>;

/// The entries of a dict or a set; in a set, all values are `None`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dict {
    pub(crate) kind: DictKind,
    entries: Vec<Entry>,
    /// The entries of each hash; empty while there are at most [`MAX_SCANNED`] entries, which are searched one by one.
    by_hash: FxHashMap<u64, SmallVec<[u32; 1]>>,
    len: usize,
    /// The number of entries that can be added before removed entries are dropped.
    free_slots: usize,
    is_set: bool,
    /// An index below which all entries are removed.
    first_live: usize,
    /// The slots of a set's members, which determine their order; `None` for dicts and for sets with a member whose hash varies between
    /// runs.
    set_order: Option<Box<SetTable>>,
}

/// The kind of a dict or set.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum DictKind {
    #[default]
    Plain,
    /// A `frozenset`.
    Frozen,
    Ordered,
    Counter,
    /// A `defaultdict` with its default factory.
    Default(Value),
}

/// The maximum number of entries, including removed ones, without an index by hash.
const MAX_SCANNED: usize = 8;

/// Slots of the smallest hash table in CPython.
const MIN_SLOTS: usize = 8;

/// Estimated bytes of an entry.
const ENTRY_BYTES: usize = size_of::<Entry>();
/// Estimated bytes of an entry in the index by hash, and of a slot in the order of a set.
const INDEX_ENTRY_BYTES: usize = (size_of::<(u64, SmallVec<[u32; 1]>)>() + 1) * 8 / 7;

impl Dict {
    /// Returns the estimated bytes, including removed entries that have not been dropped yet.
    pub(crate) fn bytes(&self) -> usize {
        let table = self.set_order.as_ref().map_or(0, |table| table.bytes());
        self.entries.capacity() * ENTRY_BYTES + self.by_hash.capacity() * INDEX_ENTRY_BYTES + table
    }

    /// Drops removed entries at the same time as CPython: when an entry is added to a full table.
    fn compact(&mut self) {
        let slots = (self.len * 3).next_power_of_two().max(MIN_SLOTS);
        self.free_slots = slots * 2 / 3 - self.len;
        if self.len == self.entries.len() {
            return;
        }
        let before = std::mem::take(&mut self.entries);
        let mut places = vec![0; before.len()];
        self.entries = Vec::with_capacity(self.len + 1);
        for (place, entry) in before.into_iter().enumerate() {
            if entry.is_some() {
                places[place] = self.entries.len() as u32;
                self.entries.push(entry);
            }
        }
        self.by_hash.clear();
        if self.entries.len() > MAX_SCANNED {
            self.index_entries();
        }
        if let Some(table) = &mut self.set_order {
            table.renumber_entries(&places);
        }
        self.first_live = 0;
    }

    /// Indexes all entries by their hashes.
    fn index_entries(&mut self) {
        self.by_hash = FxHashMap::with_capacity_and_hasher(self.entries.len() + 1, FxBuildHasher);
        for (place, entry) in self.entries.iter().enumerate() {
            if let Some((hash, ..)) = entry {
                self.by_hash.entry(*hash).or_default().push(place as u32);
            }
        }
    }

    fn is_indexed(&self) -> bool {
        self.entries.len() > MAX_SCANNED
    }

    /// Creates an empty dict.
    pub(crate) fn new(flavor: DictKind) -> Self {
        Self { kind: flavor, ..Self::default() }
    }

    /// Creates an empty set.
    pub(crate) fn new_set(flavor: DictKind) -> Self {
        Self { kind: flavor, is_set: true, set_order: Some(Box::default()), ..Self::default() }
    }

    /// Adds a member that is absent to a set; `is_fixed` is whether its hash is the same in every run.
    pub(crate) fn add_member(&mut self, hash: u64, is_fixed: bool, key: Value) {
        if self.free_slots == 0 {
            self.compact();
        }
        let place = self.entries.len() as u32;
        match &mut self.set_order {
            Some(table) if is_fixed => table.add(hash, place),
            _ => self.set_order = None,
        }
        self.insert_new(hash, key, Value::None);
    }

    /// Resizes the table before a number of members of another set are added.
    pub(crate) fn reserve(&mut self, others: usize) {
        if let Some(table) = &mut self.set_order {
            table.reserve(others);
        }
    }

    /// Copies all members of another set if this one is new and both have an order; returns whether it did.
    pub(crate) fn try_clone_from(&mut self, other: &Self) -> bool {
        let (Some(table), Some(others)) = (&mut self.set_order, &other.set_order) else { return false };
        if !table.is_unused() || other.len == 0 {
            return false;
        }
        table.copy_members(others);
        let places: Vec<u32> = others.indices().collect();
        for place in places {
            if let Some((hash, key, value)) = other.entries[place as usize] {
                self.insert_new(hash, key, value);
            }
        }
        true
    }

    /// Removes and returns the member that `set.pop` removes.
    pub(crate) fn pop_member(&mut self) -> Option<Value> {
        let place = match &mut self.set_order {
            Some(table) => table.next_popped()? as usize,
            None => self.next_from(0)?.0,
        };
        self.remove_at(place).map(|(key, _)| key)
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns all entries with their hashes, if they are few enough to be searched one by one.
    #[inline]
    pub(crate) fn scanned_entries(&self) -> Option<&[Entry]> {
        (!self.is_indexed()).then_some(&self.entries)
    }

    /// Returns the index and the key of every entry with this hash.
    pub(crate) fn candidates(&self, hash: u64) -> SmallVec<[(usize, Value); 2]> {
        self.places_of(hash).collect()
    }

    /// Iterates over the indices and the keys of the entries with this hash.
    #[inline]
    pub(crate) fn places_of(&self, hash: u64) -> impl Iterator<Item = (usize, Value)> + '_ {
        let scanned = if self.is_indexed() { &[] } else { self.entries.as_slice() };
        let scanned = scanned.iter().enumerate().filter_map(move |(place, entry)| match entry {
            Some((other, key, _)) if *other == hash => Some((place, *key)),
            _ => None,
        });
        let indexed = self.is_indexed().then(|| self.by_hash.get(&hash)).flatten();
        let indexed = indexed.into_iter().flatten();
        scanned.chain(indexed.filter_map(|&place| Some((place as usize, self.entries[place as usize]?.1))))
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

    /// Adds an entry whose key is absent.
    pub(crate) fn insert_new(&mut self, hash: u64, key: Value, value: Value) {
        if self.free_slots == 0 {
            self.compact();
        }
        self.free_slots -= 1;
        self.entries.push(Some((hash, key, value)));
        self.len += 1;
        match self.entries.len() - 1 {
            place if place > MAX_SCANNED => self.by_hash.entry(hash).or_default().push(place as u32),
            MAX_SCANNED => self.index_entries(),
            _ => {}
        }
    }

    /// Adds an entry whose key is absent, if that changes neither the index nor the memory of the dict; returns whether it did.
    #[inline]
    pub(crate) fn insert_in_place(&mut self, hash: u64, key: Value, value: Value) -> bool {
        if self.free_slots == 0 || self.entries.len() >= MAX_SCANNED || self.entries.len() == self.entries.capacity() {
            return false;
        }
        self.free_slots -= 1;
        self.entries.push(Some((hash, key, value)));
        self.len += 1;
        true
    }

    /// Adds an entry whose key is absent in front of all others.
    pub(crate) fn insert_new_first(&mut self, hash: u64, key: Value, value: Value) {
        let others = std::mem::take(&mut self.entries);
        self.by_hash.clear();
        (self.len, self.first_live, self.free_slots) = (0, 0, 0);
        self.insert_new(hash, key, value);
        for (hash, key, value) in others.into_iter().flatten() {
            self.insert_new(hash, key, value);
        }
    }

    /// Removes the entry at an index and returns its key and value.
    pub(crate) fn remove_at(&mut self, place: usize) -> Option<(Value, Value)> {
        let (hash, key, value) = self.entries.get_mut(place)?.take()?;
        if let Some(places) = self.by_hash.get_mut(&hash) {
            places.retain(|other| *other as usize != place);
            if places.is_empty() {
                self.by_hash.remove(&hash);
            }
        }
        if let Some(table) = &mut self.set_order {
            table.remove(hash, place as u32);
        }
        self.len -= 1;
        while self.entries.get(self.first_live).is_some_and(Option::is_none) {
            self.first_live += 1;
        }
        self.first_live = self.first_live.min(self.entries.len());
        Some((key, value))
    }

    pub(crate) fn clear(&mut self) {
        let table = self.is_set.then(Box::default);
        *self = Self { kind: self.kind, set_order: table, is_set: self.is_set, ..Self::default() };
    }

    /// Iterates over the entries, in insertion order or in the order of the set.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (Value, Value)> + '_ {
        let places: Option<Vec<u32>> = self.set_order.as_ref().map(|table| table.indices().collect());
        let count = places.as_ref().map_or(self.entries.len(), Vec::len);
        (0..count).filter_map(move |at| {
            let place = places.as_ref().map_or(at, |places| places[at] as usize);
            self.entries[place].map(|(_, key, value)| (key, value))
        })
    }

    /// Returns the first entry at or after an index, with its index; for sets with a table, indices are slots.
    pub(crate) fn next_from(&self, place: usize) -> Option<(usize, Value, Value)> {
        if let Some(table) = &self.set_order {
            let (slot, found) = table.next_from(place)?;
            return self.entries[found as usize].map(|(_, key, value)| (slot, key, value));
        }
        let place = place.max(self.first_live);
        let rest = self.entries.get(place..)?;
        rest.iter().enumerate().find_map(|(offset, entry)| entry.map(|(_, key, value)| (place + offset, key, value)))
    }

    /// Removes and returns the last entry. Indices from its own on are reused.
    pub(crate) fn pop_last(&mut self) -> Option<(Value, Value)> {
        let last = self.entries.iter().rposition(Option::is_some)?;
        let popped = self.remove_at(last);
        self.entries.truncate(last);
        if !self.is_indexed() {
            self.by_hash.clear();
        }
        self.first_live = self.first_live.min(last);
        popped
    }
}
