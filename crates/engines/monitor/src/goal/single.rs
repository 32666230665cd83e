//! Evaluation of one state at a time: every gate once, with inputs that share a word combined.

use super::bipartite;
use super::circuit::{Circuit, GateRule, read};
use crate::{bits, matching};

/// The inputs of a gate that lie in one word.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    word: u32,
    mask: u64,
    /// The inputs of the mask that are negated.
    negated: u64,
}

impl Chunk {
    /// Returns the inputs that are true.
    fn ones(&self, values: &[u64]) -> u64 {
        (values[self.word as usize] ^ self.negated) & self.mask
    }
}

#[derive(Debug, Clone, Copy)]
enum GateKind {
    /// All inputs are true.
    All,
    Window {
        least: u32,
        spread: u32,
    },
    /// As [`GateRule::Matching`].
    Matching {
        columns: u32,
        required: u32,
    },
}

/// A circuit laid out for evaluation in one sweep.
#[derive(Debug)]
pub(super) struct Sweep {
    gates: Vec<(GateKind, u32)>,
    /// The chunks of all gates, concatenated; the number beside a gate's kind is the end of its chunks.
    chunks: Vec<Chunk>,
}

impl Sweep {
    pub(super) fn new(circuit: &Circuit) -> Self {
        let mut sweep = Self { gates: Vec::with_capacity(circuit.gates.len()), chunks: Vec::new() };
        for gate in &circuit.gates {
            let inputs = circuit.inputs(gate);
            let kind = match gate.rule {
                GateRule::Window { min, spread: 0 } if min as usize == inputs.len() => GateKind::All,
                GateRule::Window { min, spread } => GateKind::Window { least: min, spread },
                GateRule::Matching { columns, required, .. } => GateKind::Matching { columns, required },
            };
            let from = sweep.chunks.len();
            if !matches!(kind, GateKind::Matching { .. }) {
                // Inputs are sorted, so those of a word are adjacent; a repeated input starts another chunk.
                for input in inputs {
                    let (word, bit) = ((input.node() / 64) as u32, 1 << (input.node() % 64));
                    let negated = bit & input.flip();
                    let mut open = sweep.chunks[from..].iter_mut().rev().take(2);
                    match open.find(|chunk| chunk.word == word && chunk.mask & bit == 0) {
                        Some(chunk) => (chunk.mask, chunk.negated) = (chunk.mask | bit, chunk.negated | negated),
                        None => sweep.chunks.push(Chunk { word, mask: bit, negated }),
                    }
                }
            }
            sweep.gates.push((kind, sweep.chunks.len() as u32));
        }
        sweep
    }

    /// Computes all gates; the words of the atoms must be set.
    pub(super) fn run(&self, circuit: &Circuit, values: &mut [u64]) {
        let mut from = 0;
        let first_word = circuit.first_gate / 64;
        for (word, gates) in self.gates.chunks(64).enumerate() {
            values[first_word + word] = 0;
            for (bit, &(kind, to)) in gates.iter().enumerate() {
                let chunks = &self.chunks[from..to as usize];
                from = to as usize;
                let value = match kind {
                    GateKind::All => chunks.iter().all(|chunk| chunk.ones(values) == chunk.mask),
                    GateKind::Window { least: min, spread } => {
                        let count: u32 = chunks.iter().map(|chunk| chunk.ones(values).count_ones()).sum();
                        count.wrapping_sub(min) <= spread
                    }
                    GateKind::Matching { columns, required } => {
                        let cells = circuit.inputs(&circuit.gates[word * 64 + bit]);
                        let cells = cells.iter().map(|&cell| read(values, cell));
                        matrix_has_matching(cells, columns as usize, required as usize)
                    }
                };
                values[first_word + word] |= u64::from(value) << bit;
            }
        }
    }
}

/// Whether a matrix, given row by row, allows `required` pairs.
pub(super) fn matrix_has_matching(cells: impl ExactSizeIterator<Item = bool>, columns: usize, required: usize) -> bool {
    let count = cells.len();
    if columns <= 64 {
        let mut rows = vec![0_u64; count / columns];
        for (at, cell) in cells.enumerate() {
            rows[at / columns] |= u64::from(cell) << (at % columns);
        }
        bipartite::has_matching(&rows, required)
    } else {
        let mut matrix = vec![0; bits::words(count)];
        for (at, cell) in cells.enumerate() {
            bits::put(&mut matrix, at, cell);
        }
        matching::has_matching(&matrix, 0, [count / columns, columns], required)
    }
}
