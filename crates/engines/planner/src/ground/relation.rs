//! Relations: sets of tuples of objects, with indexes.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// No row.
pub(super) const NO_ROW: u32 = u32::MAX;

/// The encoding of tuples as 64-bit keys: concatenation if they fit, else a hash. Distinct tuples can have the same key in the
/// latter case, so matches must be verified.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys {
    bits: u32,
}

impl Keys {
    /// Creates an encoding for a number of objects.
    pub(super) fn new(objects: usize) -> Self {
        Self { bits: usize::BITS - objects.leading_zeros() }
    }

    /// Whether distinct tuples of an arity have distinct keys.
    fn are_exact(self, arity: usize) -> bool {
        arity as u32 * self.bits <= u64::BITS
    }

    /// Returns the key of a tuple.
    pub(super) fn of(self, values: impl ExactSizeIterator<Item = u32>) -> u64 {
        if self.are_exact(values.len()) {
            values.fold(0, |key, value| key << self.bits | u64::from(value))
        } else {
            values.fold(0, |key, value| (key.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x517c_c1b7_2722_0a95))
        }
    }
}

/// An index of a relation on some of its columns, as linked lists from the latest row backwards.
#[derive(Debug)]
pub(super) struct Index {
    columns: SmallVec<[u8; 4]>,
    /// For each key the latest row and the number of rows.
    lists: FxHashMap<u64, (u32, u32)>,
    /// For each row the previous row with the same key.
    before: Vec<u32>,
}

impl Index {
    fn new(columns: &[u8]) -> Self {
        Self { columns: SmallVec::from_slice(columns), lists: FxHashMap::default(), before: Vec::new() }
    }

    /// Returns the columns.
    pub(super) fn columns(&self) -> &[u8] {
        &self.columns
    }

    /// Returns the latest row with a key, and the number of rows.
    pub(super) fn list(&self, key: u64) -> (u32, u32) {
        self.lists.get(&key).copied().unwrap_or((NO_ROW, 0))
    }

    /// Returns the previous row with the same key.
    pub(super) fn before(&self, row: u32) -> u32 {
        self.before[row as usize]
    }

    fn add(&mut self, keys: Keys, row: u32, tuple: &[u32]) {
        let key = keys.of(self.columns.iter().map(|&column| tuple[column as usize]));
        let list = self.lists.entry(key).or_insert((NO_ROW, 0));
        self.before.push(list.0);
        *list = (row, list.1 + 1);
    }
}

/// A set of tuples of one arity in insertion order. A prefix of them has been *seen* by joins.
#[derive(Debug)]
pub(super) struct Relation {
    arity: usize,
    tuples: Vec<u32>,
    len: u32,
    seen: u32,
    /// For each key the latest row; `None` if the caller guarantees that added tuples are distinct.
    rows: Option<FxHashMap<u64, u32>>,
    /// For each row the previous row with the same key. Only used if keys are hashes.
    same_key: Vec<u32>,
    indexes: Vec<Index>,
}

impl Relation {
    /// Creates an empty relation. If `distinct`, the relation itself detects duplicate tuples.
    pub(super) fn new(arity: usize, distinct: bool) -> Self {
        let rows = distinct.then(FxHashMap::default);
        Self { arity, tuples: Vec::new(), len: 0, seen: 0, rows, same_key: Vec::new(), indexes: Vec::new() }
    }

    /// Returns the number of tuples.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Returns the number of seen tuples.
    pub(super) fn seen(&self) -> u32 {
        self.seen
    }

    /// Returns the tuple in a row.
    pub(super) fn tuple(&self, row: u32) -> &[u32] {
        let start = row as usize * self.arity;
        &self.tuples[start..start + self.arity]
    }

    /// Iterates over all tuples.
    pub(super) fn tuples(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len).map(|row| self.tuple(row))
    }

    /// Returns the row of a tuple.
    pub(super) fn find(&self, keys: Keys, tuple: &[u32]) -> Option<u32> {
        self.find_key(keys, keys.of(tuple.iter().copied()), tuple)
    }

    fn find_key(&self, keys: Keys, key: u64, tuple: &[u32]) -> Option<u32> {
        let mut row = *self.rows.as_ref()?.get(&key)?;
        if keys.are_exact(tuple.len()) {
            return Some(row);
        }
        loop {
            if self.tuple(row) == tuple {
                return Some(row);
            }
            row = *self.same_key.get(row as usize)?;
            if row == NO_ROW {
                return None;
            }
        }
    }

    /// Adds a tuple. Returns whether it is new.
    pub(super) fn add(&mut self, keys: Keys, tuple: &[u32]) -> bool {
        let row = self.len;
        if let Some(rows) = &mut self.rows {
            let key = keys.of(tuple.iter().copied());
            if keys.are_exact(self.arity) {
                match rows.entry(key) {
                    Entry::Occupied(_) => return false,
                    Entry::Vacant(entry) => entry.insert(row),
                };
            } else if self.find_key(keys, key, tuple).is_some() {
                return false;
            } else {
                let before = self.rows.as_mut().and_then(|rows| rows.insert(key, row));
                self.same_key.push(before.unwrap_or(NO_ROW));
            }
        }
        self.tuples.extend_from_slice(tuple);
        self.len += 1;
        true
    }

    /// Removes all tuples; indexes remain, without rows.
    pub(super) fn clear(&mut self) {
        (self.len, self.seen) = (0, 0);
        self.tuples.clear();
        self.same_key.clear();
        if let Some(rows) = &mut self.rows {
            rows.clear();
        }
        for index in &mut self.indexes {
            index.lists.clear();
            index.before.clear();
        }
    }

    /// Marks the next tuple as seen and adds it to the indexes.
    pub(super) fn see(&mut self, keys: Keys) {
        let start = self.seen as usize * self.arity;
        let tuple = &self.tuples[start..start + self.arity];
        for index in &mut self.indexes {
            index.add(keys, self.seen, tuple);
        }
        self.seen += 1;
    }

    /// Marks all tuples as seen.
    pub(super) fn see_all(&mut self, keys: Keys) {
        while self.seen < self.len {
            self.see(keys);
        }
    }

    /// Returns the index on some columns, building it if necessary.
    pub(super) fn index_by(&mut self, keys: Keys, columns: &[u8]) -> u32 {
        if let Some(place) = self.indexes.iter().position(|index| index.columns() == columns) {
            return place as u32;
        }
        let mut index = Index::new(columns);
        for row in 0..self.seen {
            index.add(keys, row, self.tuple(row));
        }
        self.indexes.push(index);
        self.indexes.len() as u32 - 1
    }

    /// Returns an index by its position.
    pub(super) fn index(&self, place: u32) -> &Index {
        &self.indexes[place as usize]
    }

    /// Returns the estimated memory in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let tables = u64::from(self.rows.is_some()) + self.indexes.len() as u64;
        u64::from(self.len) * (4 * self.arity as u64 + tables * 28)
    }
}
