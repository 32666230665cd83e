//! Pairings of objects: matchings and coverings in bit matrices.

use goalspec_core::ids::ObjectId;

use crate::bits;

/// The objects on the two sides of a pairing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Sides {
    /// The numbers of left and right objects.
    pub(crate) sizes: [usize; 2],
    /// For each left object, its position among the right ones, if it stands on both sides.
    same: Box<[Option<u32>]>,
}

/// The left and right objects that are present; `None` if all are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PresentObjects<'a>(pub(crate) [Option<&'a [u64]>; 2]);

impl PresentObjects<'_> {
    fn is(self, side: usize, object: usize) -> bool {
        self.0[side].is_none_or(|vector| bits::get(vector, object))
    }
}

impl Sides {
    /// Creates the sides from two lists of objects, each ordered by id.
    pub(crate) fn new([lefts, rights]: [&[ObjectId]; 2]) -> Self {
        let same = lefts.iter().map(|left| rights.binary_search(left).ok().map(|place| place as u32));
        Self { sizes: [lefts.len(), rights.len()], same: same.collect() }
    }

    /// Returns the number of bits of a matrix.
    pub(crate) fn cells(&self) -> usize {
        self.sizes[0] * self.sizes[1]
    }

    /// Iterates over the columns with a cell in a row: those of the present right objects other than the row's own object.
    fn row(&self, row: usize, present: PresentObjects<'_>) -> impl Iterator<Item = usize> {
        let same = self.same[row].map(|place| place as usize);
        (0..self.sizes[1]).filter(move |&column| Some(column) != same && present.is(1, column))
    }

    /// Returns the number of rows or the number of cells in the first row, whichever is smaller.
    pub(crate) fn default_amount(&self, present: PresentObjects<'_>) -> usize {
        let mut rows = (0..self.sizes[0]).filter(|&row| present.is(0, row));
        rows.next().map_or(0, |first| self.row(first, present).count().min(1 + rows.count()))
    }

    /// Whether at least `required` rows and `required` columns of the matrix that begins at bit `from` contain a one. The k-th column
    /// consists of the k-th cells of the rows, as in [`PairingRule::Covering`](goalspec_core::condition::PairingRule::Covering).
    pub(crate) fn covers(&self, matrix: &[u64], from: usize, present: PresentObjects<'_>, required: usize) -> bool {
        let mut columns = vec![0; bits::words(self.sizes[1])];
        let mut rows = 0;
        for row in 0..self.sizes[0] {
            let mut covered = false;
            // Absent objects have no ones, but they would shift the columns of a row.
            for (place, column) in self.row(row, present).enumerate() {
                if bits::get(matrix, from + row * self.sizes[1] + column) {
                    covered = true;
                    bits::put(&mut columns, place, true);
                }
            }
            rows += usize::from(covered);
        }
        rows >= required && bits::ones(&columns).count() >= required
    }
}

/// Whether `required` pairs can be formed, each row and column used at most once. The matrix of `sizes[0]` rows and `sizes[1]`
/// columns that begins at bit `from` has a one for each possible pair.
pub(crate) fn has_matching(matrix: &[u64], from: usize, sizes: [usize; 2], required: usize) -> bool {
    let [rows, columns] = sizes;
    if required == 0 {
        return true;
    }
    if required > rows.min(columns) {
        return false;
    }
    let mut row_of: Vec<Option<usize>> = vec![None; columns];
    let mut column_of: Vec<Option<usize>> = vec![None; rows];
    let mut pairs = 0;
    for start in 0..rows {
        // Breadth-first, so that the depth of the search cannot overflow the stack.
        let mut reached_from: Vec<Option<usize>> = vec![None; columns];
        let mut queue = vec![start];
        let mut next = 0;
        let mut end = None;
        'search: while let Some(&row) = queue.get(next) {
            next += 1;
            for column in 0..columns {
                if reached_from[column].is_none() && bits::get(matrix, from + row * columns + column) {
                    reached_from[column] = Some(row);
                    if let Some(other) = row_of[column] {
                        queue.push(other);
                    } else {
                        end = Some(column);
                        break 'search;
                    }
                }
            }
        }
        pairs += usize::from(end.is_some());
        if pairs == required {
            return true;
        }
        while let Some(column) = end {
            let row = reached_from[column].unwrap_or(start);
            row_of[column] = Some(row);
            end = column_of[row].replace(column);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference implementation, which tries every choice for the first row.
    fn largest(rows: &[u64], used: u64) -> usize {
        let Some((first, rest)) = rows.split_first() else { return 0 };
        let with_first = bits::ones_of(first & !used).map(|column| 1 + largest(rest, used | 1 << column));
        with_first.chain([largest(rest, used)]).max().unwrap_or(0)
    }

    #[test]
    fn agrees_with_exhaustive_search() {
        let mut seed = 1u64;
        for _ in 0..500 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let matrix = [seed >> 20];
            let rows: Vec<_> = (0..4).map(|row| matrix[0] >> (3 + row * 5) & 0x1f).collect();
            for required in 0..6 {
                assert_eq!(
                    has_matching(&matrix, 3, [4, 5], required),
                    largest(&rows, 0) >= required,
                    "{rows:?} {required}"
                );
            }
        }
    }
}
