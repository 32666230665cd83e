//! Bipartite matching with at most 64 columns: each row is a word.

/// Whether `required` pairs can be formed, each row and column used at most once; `rows` have a one for each column that they fit.
pub(super) fn has_matching(rows: &[u64], required: usize) -> bool {
    let mut row_of = [0_u32; 64];
    let mut used = 0_u64;
    let mut pairs = 0;
    for start in 0..rows.len() {
        if pairs == required {
            return true;
        }
        if pairs + (rows.len() - start) < required {
            return false;
        }
        pairs += usize::from(augment(rows, start, &mut row_of, &mut used));
    }
    pairs >= required
}

/// Assigns a column to a row, along an augmenting path if necessary. Returns whether there is one. The search is breadth-first, so that
/// its depth cannot overflow the stack.
fn augment(rows: &[u64], start: usize, row_of: &mut [u32; 64], used: &mut u64) -> bool {
    let free = rows[start] & !*used;
    if free != 0 {
        row_of[free.trailing_zeros() as usize] = start as u32;
        *used |= free & free.wrapping_neg();
        return true;
    }
    let mut seen = 0_u64;
    // The row from which each seen column was reached, and a queue of the columns whose rows are still to be searched.
    let mut from = [0_u32; 64];
    let (mut queue, mut head, mut tail) = ([0_u8; 64], 0, 0);
    let mut row = start;
    loop {
        let new = rows[row] & !seen;
        let free = new & !*used;
        if free != 0 {
            let mut column = free.trailing_zeros() as usize;
            *used |= 1 << column;
            while row != start {
                let before = column_of(row_of, row, seen);
                row_of[column] = row as u32;
                (column, row) = (before, from[before] as usize);
            }
            row_of[column] = start as u32;
            return true;
        }
        seen |= new;
        for column in crate::bits::ones_of(new) {
            from[column] = row as u32;
            queue[tail] = column as u8;
            tail += 1;
        }
        if head == tail {
            return false;
        }
        row = row_of[usize::from(queue[head])] as usize;
        head += 1;
    }
}

/// Returns the column, among those seen, that is assigned to the row.
fn column_of(row_of: &[u32; 64], row: usize, seen: u64) -> usize {
    crate::bits::ones_of(seen).find(|&column| row_of[column] as usize == row).unwrap_or_default()
}
