//! Evaluation of 64 states at a time: each node is a word with one bit per state.

use super::circuit::{Circuit, Edge, GateRule};
use super::single::matrix_has_matching;
use crate::bits;

/// Maximum number of columns of a matching that is decided for all 64 states together, by sets of columns. The work doubles with each
/// column; with more columns, deciding each state by itself is faster.
const MAX_COLUMNS: usize = 8;

/// Returns the value of an edge in 64 states, given a word for each node.
pub(super) fn read(values: &[u64], edge: Edge) -> u64 {
    values[edge.node()] ^ edge.flip()
}

/// Computes all gates; the words of the atoms must be set.
pub(super) fn run(circuit: &Circuit, values: &mut [u64]) {
    for (at, gate) in circuit.gates.iter().enumerate() {
        let inputs = circuit.inputs(gate);
        values[circuit.first_gate + at] = match gate.rule {
            GateRule::Window { min, spread: 0 } if min as usize == inputs.len() => {
                inputs.iter().fold(u64::MAX, |all, &input| all & read(values, input))
            }
            GateRule::Window { min, spread } => window(inputs.iter().map(|&input| read(values, input)), min, spread),
            GateRule::Matching { columns, required, .. } => {
                let (columns, required) = (columns as usize, required as usize);
                if columns <= MAX_COLUMNS {
                    matching(values, inputs, columns, required)
                } else {
                    matching_by_state(values, inputs, columns, required)
                }
            }
        };
    }
}

/// Returns the states in which at least `min` and at most `least + spread` of the inputs are true.
fn window(inputs: impl Iterator<Item = u64>, min: u32, spread: u32) -> u64 {
    // One binary counter per state: word i holds digit i of all counters.
    let mut digits = [0_u64; 32];
    let mut used = 0;
    for input in inputs {
        let mut carry = input;
        for digit in &mut digits[..used] {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
        if carry != 0 {
            digits[used] = carry;
            used += 1;
        }
    }
    let digits = &digits[..used];
    at_least(digits, u64::from(min)) & !at_least(digits, u64::from(min) + u64::from(spread) + 1)
}

/// Returns the states in which the counter is at least `bound`.
fn at_least(digits: &[u64], bound: u64) -> u64 {
    if bound >> digits.len() != 0 {
        return 0;
    }
    // From the most significant digit: the states whose counter is greater, and those in which it is equal so far.
    let (mut above, mut equal) = (0, u64::MAX);
    for (at, &digit) in digits.iter().enumerate().rev() {
        if bound >> at & 1 == 1 {
            equal &= digit;
        } else {
            above |= equal & digit;
            equal &= !digit;
        }
    }
    above | equal
}

/// Returns the states in which a matrix of at most [`MAX_COLUMNS`] columns allows `required` pairs.
fn matching(values: &[u64], cells: &[Edge], columns: usize, required: usize) -> u64 {
    // For each set of columns, the states in which the rows so far can occupy exactly these columns.
    let mut occupied = [0_u64; 1 << MAX_COLUMNS];
    occupied[0] = u64::MAX;
    let sets = 1_usize << columns;
    let rows = cells.len() / columns;
    for (at, row) in cells.chunks(columns).enumerate() {
        let mut fits = [0; MAX_COLUMNS];
        fits.iter_mut().zip(row).for_each(|(word, &cell)| *word = read(values, cell));
        // Skips sets with more columns than rows so far, and sets too small for the remaining rows to complete. Larger sets come first, so
        // that each row is used at most once.
        let sizes = (required + at + 1).saturating_sub(rows).max(1)..=required.min(at + 1);
        for set in (1..sets).rev().filter(|set| sizes.contains(&(set.count_ones() as usize))) {
            for column in bits::ones_of(set as u64) {
                occupied[set] |= occupied[set ^ 1 << column] & fits[column];
            }
        }
    }
    (0..sets).filter(|set| set.count_ones() as usize == required).fold(0, |any, set| any | occupied[set])
}

fn matching_by_state(values: &[u64], cells: &[Edge], columns: usize, required: usize) -> u64 {
    let holds = |state: u32| {
        let cells = cells.iter().map(|&cell| read(values, cell) >> state & 1 == 1);
        u64::from(matrix_has_matching(cells, columns, required)) << state
    };
    (0..64).map(holds).fold(0, |all, one| all | one)
}

/// Transposes a square of bits: bit `j` of word `i` becomes bit `i` of word `j`.
pub(super) fn transpose(square: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, u64::MAX >> 32);
    while width > 0 {
        let mut at = 0;
        while at < 64 {
            // Swaps the upper right and lower left quarters of each block.
            let swap = (square[at] >> width ^ square[at | width]) & mask;
            square[at] ^= swap << width;
            square[at | width] ^= swap;
            at = ((at | width) + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_turns_a_square_over() {
        let mut seed = 1_u64;
        let mut square = [0; 64];
        for word in &mut square {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *word = seed ^ seed >> 29;
        }
        let before = square;
        transpose(&mut square);
        for (row, word) in before.iter().enumerate() {
            for (column, other) in square.iter().enumerate() {
                assert_eq!(word >> column & 1, other >> row & 1, "{row} {column}");
            }
        }
    }

    #[test]
    fn windows_count_each_state_by_itself() {
        let inputs: Vec<u64> = (0..11).map(|at| 0x9e37_79b9_7f4a_7c15_u64.rotate_left(at * 7)).collect();
        for (min, spread) in [(0, 0), (1, 3), (4, 0), (5, 100), (3, u32::MAX), (12, 0), (u32::MAX, 5)] {
            let word = window(inputs.iter().copied(), min, spread);
            for state in 0..64 {
                let count = inputs.iter().filter(|input| **input >> state & 1 == 1).count() as u64;
                let expected = count >= u64::from(min) && count <= u64::from(min) + u64::from(spread);
                assert_eq!(word >> state & 1 == 1, expected, "{min} {spread} {state}");
            }
        }
    }
}
