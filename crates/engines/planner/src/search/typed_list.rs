//! Open lists by type: entries are taken at random, regardless of how promising they are (Xie, Müller, Holte and Imai 2014).

use crate::random::Random;
use rustc_hash::FxHashMap;

/// The type of an entry, such as the heuristic value of a state and the cost of the path to it.
pub(super) type EntryType = (u64, u64);

/// Entries grouped by type. A type is taken at random, then one of its entries, so rare types are tried as often as frequent ones.
#[derive(Debug)]
pub(super) struct TypedList<T> {
    groups: Vec<(EntryType, Vec<T>)>,
    /// For each type that has entries its index in the groups.
    indices: FxHashMap<EntryType, usize>,
    len: usize,
    random: Random,
}

impl<T> TypedList<T> {
    /// Creates an empty list.
    pub(super) fn new(random: Random) -> Self {
        Self { groups: Vec::new(), indices: FxHashMap::default(), len: 0, random }
    }

    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Inserts an entry.
    pub(super) fn push(&mut self, of: EntryType, entry: T) {
        let index = *self.indices.entry(of).or_insert_with(|| {
            self.groups.push((of, Vec::new()));
            self.groups.len() - 1
        });
        self.groups[index].1.push(entry);
        self.len += 1;
    }

    /// Removes an entry.
    pub(super) fn pop(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        let index = self.random.below(self.groups.len() as u64) as usize;
        let entries = &mut self.groups[index].1;
        let entry = entries.swap_remove(self.random.below(entries.len() as u64) as usize);
        if entries.is_empty() {
            let (of, _) = self.groups.swap_remove(index);
            self.indices.remove(&of);
            if let Some((moved, _)) = self.groups.get(index) {
                self.indices.insert(*moved, index);
            }
        }
        self.len -= 1;
        Some(entry)
    }

    /// Returns the estimated memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.len * size_of::<T>() + self.groups.capacity() * 80
    }
}

#[cfg(test)]
mod tests {
    use super::TypedList;
    use crate::random::Random;

    #[test]
    fn rare_types_are_taken_as_often_as_frequent_ones() {
        let mut list = TypedList::new(Random::new(0, 0));
        for entry in 0..10_000 {
            list.push((0, 0), entry);
        }
        for entry in 10_000..10_100 {
            list.push((1, 0), entry);
        }
        let rare = (0..100).filter(|_| list.pop().unwrap() >= 10_000).count();
        assert!((30..70).contains(&rare), "{rare}");
    }

    #[test]
    fn each_entry_is_returned_once() {
        let mut list = TypedList::new(Random::new(7, 0));
        for entry in 0..1000u64 {
            list.push((entry % 7, entry % 5), entry);
        }
        let mut all: Vec<u64> = std::iter::from_fn(|| list.pop()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<_>>());
    }
}
