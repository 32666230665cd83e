//! Novelty of single facts: whether a state has a fact that no earlier state with the same heuristic values had.

use crate::rows::growing_bytes;
use crate::search_task::SearchTask;
use crate::state::State;
use rustc_hash::FxHashMap;

/// The facts of the states seen so far, by their heuristic values (Lipovetzky and Geffner 2017).
#[derive(Debug)]
pub(super) struct FactNovelty {
    /// Number of words of a set of facts.
    words: usize,
    /// For each combination of heuristic values the start of its set of facts.
    starts: FxHashMap<Box<[u32]>, usize>,
    sets: Vec<u64>,
}

impl FactNovelty {
    /// Creates an empty collection.
    pub(super) fn new(task: &SearchTask) -> Self {
        Self { words: task.proposition_count().div_ceil(64), starts: FxHashMap::default(), sets: Vec::new() }
    }

    /// Records the facts of a state with these heuristic values. Returns whether one of them is new.
    pub(super) fn record(&mut self, task: &SearchTask, estimates: &[u32], state: &State) -> bool {
        let start = self.starts.get(estimates).copied().unwrap_or_else(|| {
            let start = self.sets.len();
            self.sets.resize(start + self.words, 0);
            self.starts.insert(estimates.into(), start);
            start
        });
        let set = &mut self.sets[start..start + self.words];
        let mut is_novel = false;
        for (value, offset) in state.values.iter().zip(&task.offsets) {
            let proposition = (value + offset) as usize;
            let (word, bit) = (&mut set[proposition / 64], 1 << (proposition % 64));
            is_novel |= *word & bit == 0;
            *word |= bit;
        }
        is_novel
    }

    /// Returns the memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        growing_bytes(&self.sets) + self.starts.capacity() * 48
    }
}
