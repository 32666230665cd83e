//! The memory of lists, with a layout known to machine code, and operations on whole lists.

use crate::op::{MAX_KEYS, MAX_LENGTH, MAX_LISTS, MAX_ROWS, Trap};

/// The number of words of a list: its length and its elements. It is not a power of two, so that lists do not compete for the same
/// cache lines.
pub(crate) const LIST_STRIDE: usize = 136;

const _: () = assert!(MAX_LENGTH < LIST_STRIDE && MAX_ROWS <= MAX_LENGTH);

/// The number of words of all lists. The two result values of a run follow them.
pub(crate) const TOTAL_LIST_WORDS: usize = MAX_LISTS * LIST_STRIDE;

/// The memory that machine code writes to.
pub(crate) type MemoryWords = [u64; TOTAL_LIST_WORDS + 2];

/// The memory of runs. It can be reused by later runs.
#[derive(Debug)]
pub struct ListMemory {
    pub(crate) words: Box<MemoryWords>,
}

impl ListMemory {
    /// Creates memory for any program.
    #[cold]
    pub fn new() -> Self {
        // Zeroed pages are not allocated until they are touched.
        let words: Box<[u64]> = vec![0; TOTAL_LIST_WORDS + 2].into_boxed_slice();
        let Ok(mut words) = Box::<MemoryWords>::try_from(words) else { unreachable!("it is as long") };
        for (place, word) in (0..).zip(&mut words[1..=MAX_ROWS]) {
            *word = place;
        }
        Self { words }
    }

    /// Returns the two result values of the last run.
    #[inline]
    pub(crate) fn values(&self) -> [u64; 2] {
        [self.words[TOTAL_LIST_WORDS], self.words[TOTAL_LIST_WORDS + 1]]
    }
}

impl Default for ListMemory {
    fn default() -> Self {
        Self::new()
    }
}

/// A view of the memory for operations on whole lists.
pub(crate) struct Lists<'m>(pub(crate) &'m mut MemoryWords);

type ListResult = Result<(), Trap>;

impl Lists<'_> {
    /// Returns the index of the first word of a list.
    fn start(list: u64) -> Result<usize, Trap> {
        if list < MAX_LISTS as u64 { Ok(list as usize * LIST_STRIDE) } else { Err(Trap::OutOfBounds) }
    }

    fn length(&self, start: usize) -> usize {
        (self.0[start] as usize).min(MAX_LENGTH)
    }

    fn elements(&self, start: usize) -> &[u64] {
        &self.0[start + 1..=start + self.length(start)]
    }

    /// Removes the element at an index.
    pub(crate) fn remove(&mut self, list: u64, place: u64) -> ListResult {
        let start = Self::start(list)?;
        let length = self.length(start);
        if place >= length as u64 {
            return Err(Trap::OutOfBounds);
        }
        let at = start + 1 + place as usize;
        self.0.copy_within(at + 1..=start + length, at);
        self.0[start] = length as u64 - 1;
        Ok(())
    }

    /// Appends all elements of another list to a list.
    pub(crate) fn extend(&mut self, list: u64, other: u64) -> ListResult {
        let (to, from) = (Self::start(list)?, Self::start(other)?);
        let (length, more) = (self.length(to), self.length(from));
        if to == from || length + more > MAX_LENGTH {
            return Err(Trap::Bailout);
        }
        self.0.copy_within(from + 1..=from + more, to + 1 + length);
        self.0[to] = (length + more) as u64;
        Ok(())
    }

    /// Sorts a list by lists of keys, and permutes those lists in the same way. List 0 is not allowed as a key, because it must not
    /// change.
    pub(crate) fn sort(&mut self, list: u64, keys: &[u64], floats: bool) -> ListResult {
        let start = Self::start(list)?;
        let length = self.length(start);
        let mut starts = [start; MAX_KEYS + 1];
        for (place, &key) in (1..=MAX_KEYS).zip(keys) {
            let at = Self::start(key)?;
            if at == 0 {
                return Err(Trap::Bailout);
            }
            if self.length(at) != length || starts[..place].contains(&at) {
                return Err(Trap::OutOfBounds);
            }
            if floats && self.elements(at).iter().any(|&bits| f64::from_bits(bits).is_nan()) {
                return Err(Trap::UnorderedKeys);
            }
            starts[place] = at;
        }
        let starts = &starts[..=keys.len().min(MAX_KEYS)];
        // Insertion sort suits lists that are short and mostly in order.
        for next in 1..length {
            let mut at = next;
            while at > 0 && self.is_before(&starts[1..], at, at - 1, floats) {
                for start in starts {
                    self.0.swap(start + at, start + 1 + at);
                }
                at -= 1;
            }
        }
        Ok(())
    }

    /// Returns whether one element precedes another one.
    fn is_before(&self, keys: &[usize], one: usize, two: usize, floats: bool) -> bool {
        for &start in keys {
            let (one, two) = (self.0[start + 1 + one], self.0[start + 1 + two]);
            let (less, more) = if floats {
                let (one, two) = (f64::from_bits(one), f64::from_bits(two));
                (one < two, one > two)
            } else {
                (one.cast_signed() < two.cast_signed(), one.cast_signed() > two.cast_signed())
            };
            if less || more {
                return less;
            }
        }
        false
    }
}
