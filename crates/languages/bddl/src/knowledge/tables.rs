//! Compact read-only tables.

/// A jagged array in compressed form: lists of items, one for each index.
#[derive(Debug, Clone)]
pub(crate) struct JaggedArray<T> {
    /// The start of each list in `items`, and the end of the last one.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> JaggedArray<T> {
    /// Creates `count` lists from pairs of an index below `count` and an item. Each list preserves the order of the pairs.
    pub(crate) fn new(count: usize, pairs: &[(u32, T)]) -> Self {
        let mut starts = vec![0u32; count + 1];
        for &(row, _) in pairs {
            starts[row as usize + 1] += 1;
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut items = vec![T::default(); pairs.len()];
        for &(row, item) in pairs {
            let slot = &mut next[row as usize];
            items[*slot as usize] = item;
            *slot += 1;
        }
        Self { starts, items }
    }
}

impl<T> JaggedArray<T> {
    /// Returns the list at an index.
    pub(crate) fn row(&self, index: usize) -> &[T] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Returns the total number of items in all lists.
    pub(crate) fn items(&self) -> usize {
        self.items.len()
    }
}

/// A matrix of bits.
#[derive(Debug, Clone)]
pub(super) struct BitMatrix {
    words: usize,
    bits: Vec<u64>,
}

impl BitMatrix {
    /// Creates a matrix of zeros.
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let words = columns.div_ceil(64);
        Self { words, bits: vec![0; rows * words] }
    }

    /// Whether a bit is set.
    pub(super) fn get(&self, row: usize, column: usize) -> bool {
        self.bits[row * self.words + column / 64] >> (column % 64) & 1 == 1
    }

    /// Sets a bit.
    pub(super) fn set(&mut self, row: usize, column: usize) {
        self.bits[row * self.words + column / 64] |= 1 << (column % 64);
    }

    /// Replaces `row` by its union with `other`.
    pub(super) fn union_row(&mut self, row: usize, other: usize) {
        for word in 0..self.words {
            self.bits[row * self.words + word] |= self.bits[other * self.words + word];
        }
    }

    /// Replaces `row` by its intersection with `other`.
    pub(super) fn intersect_row(&mut self, row: usize, other: usize) {
        for word in 0..self.words {
            self.bits[row * self.words + word] &= self.bits[other * self.words + word];
        }
    }

    /// Returns the columns of the set bits in a row, in ascending order.
    pub(super) fn ones(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let words = &self.bits[row * self.words..(row + 1) * self.words];
        words.iter().enumerate().flat_map(|(index, &word)| Ones(word).map(move |bit| index * 64 + bit))
    }
}

/// An iterator over the positions of the set bits of a word.
struct Ones(u64);

impl Iterator for Ones {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        (self.0 != 0).then(|| {
            let bit = self.0.trailing_zeros() as usize;
            self.0 &= self.0 - 1;
            bit
        })
    }
}
