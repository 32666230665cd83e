//! Pairings of objects: maximum matchings in bit matrices.

use crate::bits;

/// Whether `wanted` pairs can be formed, each row and column used once, where the matrix of `sizes[0]` rows and `sizes[1]`
/// columns that begins at bit `from` has a one for each possible pair.
pub(crate) fn allows(matrix: &[u64], from: usize, sizes: [usize; 2], wanted: usize) -> bool {
    let [rows, columns] = sizes;
    if wanted == 0 {
        return true;
    }
    if wanted > rows.min(columns) {
        return false;
    }
    let mut row_of: Vec<Option<usize>> = vec![None; columns];
    let mut column_of: Vec<Option<usize>> = vec![None; rows];
    let mut pairs = 0;
    for start in 0..rows {
        // Breadth first, so that no depth of the search can overflow the stack.
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
        if pairs == wanted {
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

    /// By trying every choice for the first row.
    fn largest(rows: &[u64], used: u64) -> usize {
        let Some((first, rest)) = rows.split_first() else { return 0 };
        let with = bits::ones_of(first & !used).map(|column| 1 + largest(rest, used | 1 << column));
        with.chain([largest(rest, used)]).max().unwrap_or(0)
    }

    #[test]
    fn agrees_with_exhaustive_search() {
        let mut seed = 1u64;
        for _ in 0..500 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let matrix = [seed >> 20];
            let rows: Vec<_> = (0..4).map(|row| matrix[0] >> (3 + row * 5) & 0x1f).collect();
            for wanted in 0..6 {
                assert_eq!(allows(&matrix, 3, [4, 5], wanted), largest(&rows, 0) >= wanted, "{rows:?} {wanted}");
            }
        }
    }
}
