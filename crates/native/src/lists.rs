//! The memory of lists, with a layout known to machine code, and operations on whole lists.

use std::ops::Range;

use crate::op::{MAX_ARGUMENTS, MAX_KEYS, MAX_LENGTH, MAX_LISTS, MAX_ROWS, Trap};

/// The number of words of a list: its length and its elements. It is not a power of two, so that lists do not compete for the same
/// cache lines.
pub(crate) const LIST_STRIDE: usize = 136;

const _: () = assert!(MAX_LENGTH < LIST_STRIDE && MAX_ROWS <= MAX_LENGTH);

/// The number of words of all lists. The results of a run or of a call of the host follow them.
pub(crate) const TOTAL_LIST_WORDS: usize = MAX_LISTS * LIST_STRIDE;

/// The number of words of results.
pub(crate) const RESULT_WORDS: usize = 3;

/// The index of the first argument of a call of the host.
pub(crate) const FIRST_ARGUMENT: usize = TOTAL_LIST_WORDS + RESULT_WORDS;

/// The memory that machine code writes to.
pub(crate) type MemoryWords = [u64; FIRST_ARGUMENT + MAX_ARGUMENTS];

/// The memory of runs. It can be reused by later runs.
#[derive(Debug)]
pub struct ListMemory {
    pub(crate) words: Box<MemoryWords>,
    /// The number of lists that exist before a run, without list 0.
    pub(crate) initial_lists: usize,
}

impl ListMemory {
    /// Creates memory for any program.
    #[cold]
    pub fn new() -> Self {
        // Zeroed pages are not allocated until they are touched.
        let words: Box<[u64]> = vec![0; FIRST_ARGUMENT + MAX_ARGUMENTS].into_boxed_slice();
        let Ok(mut words) = Box::<MemoryWords>::try_from(words) else { unreachable!("it is as long") };
        for (place, word) in (0..).zip(&mut words[1..=MAX_ROWS]) {
            *word = place;
        }
        Self { words, initial_lists: 0 }
    }

    /// Sets the lists that exist before the next run, from list 1 on. Returns whether they fit.
    #[inline]
    pub fn set_lists(&mut self, lists: &[Vec<u64>]) -> bool {
        self.initial_lists = 0;
        if lists.len() >= MAX_LISTS || lists.iter().any(|list| list.len() > MAX_LENGTH) {
            return false;
        }
        for (list, space) in lists.iter().zip(self.words[LIST_STRIDE..].chunks_exact_mut(LIST_STRIDE)) {
            space[0] = list.len() as u64;
            space[1..=list.len()].copy_from_slice(list);
        }
        self.initial_lists = lists.len();
        true
    }

    /// Returns the elements of a list after a run; none if there is no such list.
    #[inline]
    pub fn list(&self, list: usize) -> &[u64] {
        if list >= MAX_LISTS {
            return &[];
        }
        let start = list * LIST_STRIDE;
        let length = (self.words[start] as usize).min(MAX_LENGTH);
        &self.words[start + 1..=start + length]
    }

    /// Returns the result values of the last run that finished.
    #[inline]
    pub fn values(&self) -> [u64; RESULT_WORDS] {
        std::array::from_fn(|place| self.words[TOTAL_LIST_WORDS + place])
    }
}

impl Default for ListMemory {
    fn default() -> Self {
        Self::new()
    }
}

/// The lists of a run. A list is changed in place; list 0, that of the rows, is not changed.
#[derive(Debug)]
pub struct Lists<'m> {
    words: &'m mut MemoryWords,
    /// The number of lists, including list 0.
    count: u64,
}

type ListResult = Result<(), Trap>;

impl<'m> Lists<'m> {
    pub(crate) fn new(words: &'m mut MemoryWords, count: u64) -> Self {
        Self { words, count: count.min(MAX_LISTS as u64) }
    }

    /// Returns the arguments of a call of the host.
    pub(crate) fn arguments(&self) -> [u64; MAX_ARGUMENTS] {
        std::array::from_fn(|place| self.words[FIRST_ARGUMENT + place])
    }

    /// Stores the results of a call of the host.
    pub(crate) fn set_results(&mut self, results: [u64; RESULT_WORDS]) {
        self.words[TOTAL_LIST_WORDS..FIRST_ARGUMENT].copy_from_slice(&results);
    }

    /// Returns the elements of a list.
    ///
    /// # Errors
    /// Returns [`Trap::OutOfBounds`] if there is no such list.
    pub fn get(&self, list: u64) -> Result<&[u64], Trap> {
        Ok(self.elements(self.start(list)?))
    }

    /// Returns the elements of a list, for modification.
    ///
    /// # Errors
    /// Returns [`Trap::OutOfBounds`] if there is no such list, and [`Trap::Bailout`] if it is list 0.
    pub fn get_mut(&mut self, list: u64) -> Result<&mut [u64], Trap> {
        let start = self.start(list)?;
        if start == 0 {
            return Err(Trap::Bailout);
        }
        let length = self.length(start);
        Ok(&mut self.words[start + 1..=start + length])
    }

    /// Replaces the elements in a range by others, such that later elements move.
    ///
    /// # Errors
    /// Returns [`Trap::OutOfBounds`] if there is no such list or range, and [`Trap::Bailout`] if the list is list 0 or would be too long.
    pub fn replace(&mut self, list: u64, range: Range<usize>, elements: &[u64]) -> ListResult {
        let start = self.start(list)?;
        let length = self.length(start);
        if range.start > range.end || range.end > length {
            return Err(Trap::OutOfBounds);
        }
        let longer = length - range.len() + elements.len();
        if start == 0 || longer > MAX_LENGTH {
            return Err(Trap::Bailout);
        }
        let (first, rest) = (start + 1 + range.start, start + 1 + range.end);
        self.words.copy_within(rest..=start + length, first + elements.len());
        self.words[first..first + elements.len()].copy_from_slice(elements);
        self.words[start] = longer as u64;
        Ok(())
    }

    /// Appends the elements in a range of the list `other`.
    ///
    /// # Errors
    /// Returns [`Trap::OutOfBounds`] if there is no such list or range, and [`Trap::Bailout`] if the lists are the same one, or `list` is
    /// list 0 or would be too long.
    pub fn extend_from(&mut self, list: u64, other: u64, range: Range<usize>) -> ListResult {
        let (to, from) = (self.start(list)?, self.start(other)?);
        let (length, more) = (self.length(to), range.len());
        if range.start > range.end || range.end > self.length(from) {
            return Err(Trap::OutOfBounds);
        }
        if to == from || to == 0 || length + more > MAX_LENGTH {
            return Err(Trap::Bailout);
        }
        self.words.copy_within(from + 1 + range.start..from + 1 + range.start + more, to + 1 + length);
        self.words[to] = (length + more) as u64;
        Ok(())
    }

    /// Reverses the order of the elements of a list in groups of `width` elements, whose own order stays.
    ///
    /// # Errors
    /// Returns [`Trap::OutOfBounds`] if there is no such list, and [`Trap::Bailout`] if it is list 0.
    pub fn reverse(&mut self, list: u64, width: usize) -> ListResult {
        let elements = self.get_mut(list)?;
        elements.reverse();
        if width > 1 {
            elements.chunks_exact_mut(width).for_each(<[u64]>::reverse);
        }
        Ok(())
    }

    /// Returns the index of the first word of a list.
    fn start(&self, list: u64) -> Result<usize, Trap> {
        if list < self.count { Ok(list as usize * LIST_STRIDE) } else { Err(Trap::OutOfBounds) }
    }

    fn length(&self, start: usize) -> usize {
        (self.words[start] as usize).min(MAX_LENGTH)
    }

    fn elements(&self, start: usize) -> &[u64] {
        &self.words[start + 1..=start + self.length(start)]
    }

    /// Removes the element at an index.
    pub(crate) fn remove(&mut self, list: u64, place: u64) -> ListResult {
        let place = usize::try_from(place).map_err(|_| Trap::OutOfBounds)?;
        self.replace(list, place..place.saturating_add(1), &[])
    }

    /// Appends all elements of another list to a list.
    pub(crate) fn extend(&mut self, list: u64, other: u64) -> ListResult {
        let more = self.get(other)?.len();
        self.extend_from(list, other, 0..more)
    }

    /// Sorts a list by lists of keys, and permutes those lists in the same way. List 0 is not allowed as a key, because it must not
    /// change.
    pub(crate) fn sort(&mut self, list: u64, keys: &[u64], floats: bool) -> ListResult {
        let start = self.start(list)?;
        let length = self.length(start);
        let mut starts = [start; MAX_KEYS + 1];
        for (place, &key) in (1..=MAX_KEYS).zip(keys) {
            let at = self.start(key)?;
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
                    self.words.swap(start + at, start + 1 + at);
                }
                at -= 1;
            }
        }
        Ok(())
    }

    /// Returns whether one element precedes another one.
    fn is_before(&self, keys: &[usize], one: usize, two: usize, floats: bool) -> bool {
        for &start in keys {
            let (one, two) = (self.words[start + 1 + one], self.words[start + 1 + two]);
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
