//! Ragged two-dimensional arrays in compressed row storage.

use std::mem::size_of;

/// The maximum number of entries that a search adds to a list between two checks of its memory.
const ENTRIES_PER_CHECK: usize = 1 << 15;

/// Returns the memory of a list that grows while a search runs, in bytes. If it is about to grow, its old and its new allocation count.
pub(crate) fn growing_bytes<T>(list: &Vec<T>) -> usize {
    let is_full = list.capacity() > ENTRIES_PER_CHECK && list.capacity() - list.len() < ENTRIES_PER_CHECK;
    list.capacity() * size_of::<T>() * if is_full { 3 } else { 1 }
}

/// A list of rows, stored contiguously.
#[derive(Debug, Clone)]
pub(crate) struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T: Copy> Rows<T> {
    /// Adds a row.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.starts.push(self.items.len() as u32);
    }

    /// Returns a row.
    #[inline]
    pub(crate) fn row(&self, index: u32) -> &[T] {
        let index = index as usize;
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the total number of items.
    pub(crate) fn items(&self) -> usize {
        self.items.len()
    }

    /// Iterates over the rows in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len() as u32).map(|index| self.row(index))
    }

    /// Returns the memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.starts.len() * size_of::<u32>() + self.items.len() * size_of::<T>()
    }
}

impl Rows<u32> {
    /// For each number below `rows`, lists the rows of `of` that contain it.
    pub(crate) fn inverse(of: &Self, rows: usize) -> Self {
        let mut starts = vec![0u32; rows + 1];
        for &item in &of.items {
            starts[item as usize + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut items = vec![0u32; of.items.len()];
        for (place, row) in of.iter().enumerate() {
            for &item in row {
                let slot = &mut next[item as usize];
                items[*slot as usize] = place as u32;
                *slot += 1;
            }
        }
        Self { starts, items }
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;

    #[test]
    fn the_inverse_says_where_a_number_occurs() {
        let mut rows = Rows::default();
        rows.push([2, 0]);
        rows.push([]);
        rows.push([2]);
        let inverse = Rows::inverse(&rows, 3);
        assert_eq!(inverse.iter().collect::<Vec<_>>(), [&[0][..], &[], &[0, 2]]);
    }
}
