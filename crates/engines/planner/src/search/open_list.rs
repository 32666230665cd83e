//! Open lists.

use super::typed_list::{EntryType, TypedList};
use crate::random::Random;
use std::collections::{BTreeMap, VecDeque};

/// Priority boost of the open lists of preferred operators when a heuristic value improves, as in LAMA.
const BOOST: i64 = 1000;

/// The order among entries with equal keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TieBreaking {
    /// First in, first out.
    Oldest,
    /// Last in, first out.
    Newest,
}

/// An open list: entries in buckets, ordered by key.
#[derive(Debug)]
pub(super) struct OpenList<T> {
    buckets: BTreeMap<(u64, u64), VecDeque<T>>,
    /// Empty buckets kept for reuse.
    spare: Vec<VecDeque<T>>,
    /// The number of entries for which the buckets have memory.
    capacity: usize,
    len: usize,
    ties: TieBreaking,
}

impl<T> OpenList<T> {
    /// Creates an empty open list.
    pub(super) fn new(ties: TieBreaking) -> Self {
        Self { buckets: BTreeMap::new(), spare: Vec::new(), capacity: 0, len: 0, ties }
    }

    /// Inserts an entry.
    pub(super) fn push(&mut self, key: (u64, u64), entry: T) {
        let spare = &mut self.spare;
        let bucket = self.buckets.entry(key).or_insert_with(|| spare.pop().unwrap_or_default());
        let before = bucket.capacity();
        bucket.push_back(entry);
        self.capacity += bucket.capacity() - before;
        self.len += 1;
    }

    /// Removes an entry with the minimum key.
    pub(super) fn pop(&mut self) -> Option<T> {
        let mut first = self.buckets.first_entry()?;
        let entry = match self.ties {
            TieBreaking::Oldest => first.get_mut().pop_front(),
            TieBreaking::Newest => first.get_mut().pop_back(),
        };
        if first.get().is_empty() {
            let bucket = first.remove();
            // Large buckets are dropped to release their memory.
            if bucket.capacity() < 1024 && self.spare.len() < 64 {
                self.spare.push(bucket);
            } else {
                self.capacity -= bucket.capacity();
            }
        }
        self.len -= 1;
        entry
    }

    /// Returns the memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.capacity * size_of::<T>() + self.buckets.len() * size_of::<((u64, u64), VecDeque<T>)>()
    }
}

/// An alternation of open lists.
#[derive(Debug)]
pub(super) struct AlternatingOpenList<T> {
    lists: Vec<PrioritizedList<T>>,
}

#[derive(Debug)]
struct PrioritizedList<T> {
    list: List<T>,
    /// The number of entries taken from the list, minus its boosts. The list with the lowest priority value is served next.
    priority: i64,
    /// Whether the list contains preferred operators only.
    preferred: bool,
}

#[derive(Debug)]
enum List<T> {
    /// An open list ordered by the key with this index.
    Ordered(usize, OpenList<T>),
    /// An open list by type.
    Typed(TypedList<T>),
}

impl<T> List<T> {
    fn is_empty(&self) -> bool {
        match self {
            Self::Ordered(_, list) => list.len == 0,
            Self::Typed(list) => list.len() == 0,
        }
    }

    fn pop(&mut self) -> Option<T> {
        match self {
            Self::Ordered(_, list) => list.pop(),
            Self::Typed(list) => list.pop(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Ordered(_, list) => list.bytes(),
            Self::Typed(list) => list.bytes(),
        }
    }
}

impl<T: Copy> AlternatingOpenList<T> {
    /// Creates one list per key, and if `preferred` another one for its preferred operators.
    pub(super) fn new(keys: usize, preferred: bool) -> Self {
        let turn = |key, preferred| PrioritizedList {
            list: List::Ordered(key, OpenList::new(TieBreaking::Oldest)),
            priority: 0,
            preferred,
        };
        let mut lists = Vec::new();
        for key in 0..keys {
            lists.push(turn(key, false));
            if preferred {
                lists.push(turn(key, true));
            }
        }
        Self { lists }
    }

    /// Adds a list by type.
    pub(super) fn with_types(mut self, random: Random) -> Self {
        self.lists.push(PrioritizedList { list: List::Typed(TypedList::new(random)), priority: 0, preferred: false });
        self
    }

    /// Inserts an entry into all lists that accept it, with its keys and its type.
    pub(super) fn push(&mut self, keys: &[(u64, u64)], of: EntryType, preferred: bool, entry: T) {
        for turn in &mut self.lists {
            if preferred || !turn.preferred {
                match &mut turn.list {
                    List::Ordered(key, list) => list.push(keys[*key], entry),
                    List::Typed(list) => list.push(of, entry),
                }
            }
        }
    }

    /// Removes the first entry of the list that is served next.
    pub(super) fn pop(&mut self) -> Option<T> {
        let next = self.lists.iter_mut().filter(|turn| !turn.list.is_empty()).min_by_key(|turn| turn.priority)?;
        next.priority += 1;
        next.list.pop()
    }

    /// Boosts the lists of preferred operators.
    pub(super) fn boost(&mut self) {
        for turn in self.lists.iter_mut().filter(|turn| turn.preferred) {
            turn.priority -= BOOST;
        }
    }

    /// Returns the estimated memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.lists.iter().map(|turn| turn.list.bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{AlternatingOpenList, OpenList, TieBreaking};

    #[test]
    fn least_keys_come_first_and_ties_as_asked() {
        for (ties, expected) in [(TieBreaking::Oldest, [3, 1, 2, 4]), (TieBreaking::Newest, [3, 2, 1, 4])] {
            let mut open = OpenList::new(ties);
            for (key, entry) in [(5, 1), (5, 2), (1, 3), (9, 4)] {
                open.push((key, 0), entry);
            }
            assert_eq!(std::array::from_fn(|_| open.pop().unwrap()), expected);
            assert_eq!(open.pop(), None);
        }
    }

    #[test]
    fn boosted_lists_are_served_first() {
        let mut open = AlternatingOpenList::new(1, true);
        for entry in 0..10 {
            open.push(&[(entry, 0)], (0, 0), entry >= 5, entry);
        }
        open.boost();
        let order: Vec<u64> = (0..7).filter_map(|_| open.pop()).collect();
        assert_eq!(order, [5, 6, 7, 8, 9, 0, 1]);
    }
}
