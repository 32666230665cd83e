//! Matching of a sequence of phases for many bindings at once, 64 to a word.
//!
//! The positions of a sequence form a line (see [`goalspec_core::automaton`]). Each position has a vector of the bindings with an
//! attempt at it. Of several attempts of one binding at one position, only the one that started last matters. An attempt is *fresh* if
//! it could not have started later, because each of its states took it one required position further: its start follows from the
//! position and the present step, and is not stored. The other attempts are *stale*: their starts are stored, and written only when a
//! different attempt enters the position.
//!
//! A satisfaction removes every attempt of its binding that did not start after it: such an attempt could only end in an interval
//! that contains the one just found. Therefore every attempt that reaches the last position is a satisfaction.

use smallvec::SmallVec;

use crate::bits;

mod automaton;
mod columns;

pub use automaton::{AutomatonPosition, SequenceAutomaton};
pub use columns::{SequenceColumns, count_per_binding};

/// A recorded number with the state in which it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RecordedMeasure {
    /// The number of the state, counted from 1.
    pub state: u32,
    /// The recorded number.
    pub value: f64,
}

/// The numbers of the latest states that count.
#[derive(Debug, Clone)]
pub struct StateHistory {
    steps: Vec<u32>,
    at: usize,
}

impl StateHistory {
    /// Creates a history that reaches `depth` states back from the present one.
    pub fn new(depth: usize) -> Self {
        Self { steps: vec![0; (depth + 1).next_power_of_two()], at: 0 }
    }

    /// Replaces the states by those up to `latest`, all of which count.
    pub(crate) fn set_consecutive(&mut self, latest: u32) {
        for back in 0..self.steps.len() {
            let place = self.at.wrapping_sub(back) & (self.steps.len() - 1);
            self.steps[place] = latest.saturating_sub(back as u32);
        }
    }

    /// Appends the number of the next state that counts.
    pub fn push(&mut self, step: u32) {
        self.at = (self.at + 1) & (self.steps.len() - 1);
        self.steps[self.at] = step;
    }

    /// Returns the number of the state `states` states before the present one.
    fn back(&self, states: u32) -> u32 {
        self.steps[self.at.wrapping_sub(states as usize) & (self.steps.len() - 1)]
    }
}

/// The truth of the letters in a state.
pub trait Letters {
    /// Prepares a letter; called before the letter is read in a state.
    fn prepare(&mut self, letter: u32);

    /// Returns the bindings for which the state carries the letter, one bit each; bits beyond the last binding are zero.
    fn letter(&self, letter: u32) -> &[u64];

    /// Returns the number to record at a position for a binding. Called only if the state carries the position's letter.
    fn measure(&self, position: usize, binding: usize) -> f64;
}

/// Letters without measures: one vector of words per letter.
impl Letters for &[&[u64]] {
    fn prepare(&mut self, _: u32) {}

    fn letter(&self, letter: u32) -> &[u64] {
        self[letter as usize]
    }

    fn measure(&self, _: usize, _: usize) -> f64 {
        f64::NAN
    }
}

/// A satisfaction of one binding that ends in the present state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SequenceMatch<'a> {
    /// The index of the binding.
    pub binding: usize,
    /// The first state of the satisfaction, counted from 1.
    pub start: u32,
    /// The recorded numbers, in order of the positions.
    pub measures: &'a [RecordedMeasure],
}

#[derive(Debug, Default)]
struct PositionState {
    fresh: Vec<u64>,
    stale: Vec<u64>,
    /// For each binding, the start of its stale attempt.
    starts: Vec<u32>,
    /// For each binding, the measures recorded up to this position.
    measures: Vec<RecordedMeasure>,
    /// For each block, whether it has an attempt here.
    any: Vec<bool>,
}

/// A matcher of a sequence for many bindings, in one or more blocks that are stepped independently of each other.
#[derive(Debug)]
pub struct SequenceMatcher {
    positions: Vec<PositionState>,
    /// The number of bindings of a block.
    bindings: usize,
    /// The number of words of a block.
    words: usize,
}

// Implemented by hand so that `clone_from` reuses the memory: a copy is made in every state that may have to be undone.
impl Clone for PositionState {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, source: &Self) {
        self.fresh.clone_from(&source.fresh);
        self.stale.clone_from(&source.stale);
        self.starts.clone_from(&source.starts);
        self.measures.clone_from(&source.measures);
        self.any.clone_from(&source.any);
    }
}

impl Clone for SequenceMatcher {
    fn clone(&self) -> Self {
        Self { positions: self.positions.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.positions.clone_from(&source.positions);
        self.bindings = source.bindings;
        self.words = source.words;
    }
}

/// The best attempt so far among those that reach a position.
struct BestAttempt {
    start: u32,
    measures: SmallVec<[RecordedMeasure; 4]>,
    none: bool,
}

impl BestAttempt {
    fn offer(&mut self, start: u32, measures: &[RecordedMeasure]) {
        let earlier = || {
            let steps = |measures: &[RecordedMeasure]| {
                measures.iter().map(|measure| measure.state).collect::<SmallVec<[u32; 4]>>()
            };
            steps(measures) < steps(&self.measures)
        };
        if self.none || start > self.start || (start == self.start && earlier()) {
            self.none = false;
            self.start = start;
            self.measures.clear();
            self.measures.extend_from_slice(measures);
        }
    }
}

impl SequenceMatcher {
    /// Creates a matcher without attempts.
    pub fn new(automaton: &SequenceAutomaton, bindings: usize) -> Self {
        Self::with_places(automaton, bindings, 1, bindings)
    }

    /// Creates a matcher without attempts of several blocks with this number of bindings each.
    pub fn of_blocks(automaton: &SequenceAutomaton, bindings: usize, blocks: usize) -> Self {
        // Each block begins with a word.
        Self::with_places(automaton, bindings, blocks, blocks * bits::words(bindings) * 64)
    }

    fn with_places(automaton: &SequenceAutomaton, bindings: usize, blocks: usize, places: usize) -> Self {
        let words = bits::words(bindings);
        let stored = automaton.cells.len().saturating_sub(1);
        let position = |index: usize| PositionState {
            fresh: vec![0; blocks * words],
            stale: vec![0; blocks * words],
            starts: vec![0; if automaton.stores[index] { places } else { 0 }],
            measures: vec![RecordedMeasure::default(); automaton.recorded_at(index) * places],
            any: vec![false; blocks],
        };
        Self { positions: (0..stored).map(position).collect(), bindings, words }
    }

    /// Returns a matcher with the attempts of one block.
    ///
    /// # Panics
    /// If there is no such block.
    #[must_use]
    pub fn block(&self, automaton: &SequenceAutomaton, block: usize) -> Self {
        let mut copy = Self::new(automaton, self.bindings);
        let (words, places) = (self.words_of(block), block * self.words * 64);
        for (index, (to, from)) in copy.positions.iter_mut().zip(&self.positions).enumerate() {
            to.fresh.copy_from_slice(&from.fresh[words.clone()]);
            to.stale.copy_from_slice(&from.stale[words.clone()]);
            let recorded = automaton.recorded_at(index);
            let (starts, measures) = (to.starts.len(), to.measures.len());
            to.starts.copy_from_slice(&from.starts[places.min(from.starts.len())..][..starts]);
            to.measures.copy_from_slice(&from.measures[places * recorded..][..measures]);
            to.any[0] = from.any[block];
        }
        copy
    }

    /// Removes the attempts of one block.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn clear_block(&mut self, block: usize) {
        let words = self.words_of(block);
        for position in &mut self.positions {
            position.fresh[words.clone()].fill(0);
            position.stale[words.clone()].fill(0);
            position.any[block] = false;
        }
    }

    /// Returns the words of a block.
    fn words_of(&self, block: usize) -> std::ops::Range<usize> {
        block * self.words..(block + 1) * self.words
    }

    /// Returns the fraction of the sequence's positions that the most advanced attempt in progress has passed; 0 without one.
    pub fn attempt_progress(&self) -> f64 {
        let furthest = self.positions.iter().rposition(|position| position.any.contains(&true));
        furthest.map_or(0.0, |position| (position + 1) as f64 / (self.positions.len() + 1) as f64)
    }

    /// Returns the number of bindings with an attempt at a position before the last.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn attempts_at(&self, position: usize) -> usize {
        let PositionState { fresh, stale, .. } = &self.positions[position];
        fresh.iter().zip(stale).map(|(fresh, stale)| (fresh | stale).count_ones() as usize).sum()
    }

    /// Returns the number of positions before the last.
    pub fn position_count(&self) -> usize {
        self.positions.len()
    }

    /// Whether any binding has an attempt at a position before the last.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn has_attempts_at(&self, position: usize) -> bool {
        self.positions[position].any.contains(&true)
    }

    /// Returns which of the 64 bindings of a word have an attempt at a position before the last, one bit each.
    ///
    /// # Panics
    /// If there is no such position or word.
    pub fn occupied_word(&self, position: usize, word: usize) -> u64 {
        let PositionState { fresh, stale, .. } = &self.positions[position];
        fresh[word] | stale[word]
    }

    /// Advances every attempt over the present state, whose number was just pushed to the history, and calls `found` for each
    /// satisfaction that ends in it, in order of the bindings.
    ///
    /// Returns whether another state with the same letters could make a difference.
    pub fn step(
        &mut self,
        automaton: &SequenceAutomaton,
        letters: &mut impl Letters,
        history: &StateHistory,
        found: &mut impl FnMut(SequenceMatch<'_>),
    ) -> bool {
        self.step_block(automaton, 0, letters, history, found)
    }

    /// Advances the attempts of one block as [`step`](Self::step) does. The letters and the bindings of the satisfactions are those of the
    /// block.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn step_block(
        &mut self,
        automaton: &SequenceAutomaton,
        block: usize,
        letters: &mut impl Letters,
        history: &StateHistory,
        found: &mut impl FnMut(SequenceMatch<'_>),
    ) -> bool {
        let Some(last) = automaton.cells.len().checked_sub(1) else { return false };
        let mut moved = self.accept(automaton, block, letters, history, found);
        for to in (0..last).rev() {
            moved |= self.advance(automaton, block, to, letters, history);
        }
        moved | (automaton.measured && self.positions.iter().any(|position| position.any[block]))
    }

    /// Whether any attempt of a block could advance to the position.
    fn reachable(&self, automaton: &SequenceAutomaton, block: usize, to: usize) -> bool {
        automaton.anchors[to].is_none()
            || self.positions[automaton.sources(to)].iter().any(|position| position.any[block])
    }

    /// Finds the satisfactions: the attempts that reach the last position.
    fn accept(
        &mut self,
        automaton: &SequenceAutomaton,
        block: usize,
        letters: &mut impl Letters,
        history: &StateHistory,
        found: &mut impl FnMut(SequenceMatch<'_>),
    ) -> bool {
        let last = automaton.cells.len() - 1;
        if !self.reachable(automaton, block, last) {
            return false;
        }
        let first_word = block * self.words;
        letters.prepare(automaton.cells[last].letter);
        let letters = &*letters;
        let vector = letters.letter(automaton.cells[last].letter);
        let mut any = false;
        for (word, &letter) in (first_word..).zip(&vector[..self.words]) {
            let (mut hits, mut fresh) = (letter, letter);
            if let Some(anchor) = automaton.anchors[last] {
                hits &= self.positions[anchor..last].iter().fold(0, |all, p| all | p.fresh[word] | p.stale[word]);
                fresh &= self.positions[anchor].fresh[word];
            }
            any |= hits != 0;
            if automaton.measured {
                self.accept_measured(automaton, first_word, word, hits, letters, history, found);
                continue;
            }
            // No attempt started later than a fresh one.
            let latest =
                automaton.anchors[last].map_or(history.back(0), |anchor| history.back(automaton.depths[anchor] + 1));
            for bit in bits::ones_of(hits) {
                let binding = word * 64 + bit;
                let mut start = latest;
                if fresh >> bit & 1 == 0 {
                    start = self.latest(automaton, last, false, binding, history);
                    self.remove(automaton, word, 1 << bit, start, history);
                }
                found(SequenceMatch { binding: binding - first_word * 64, start, measures: &[] });
            }
            self.remove(automaton, word, hits & fresh, latest, history);
        }
        any
    }

    #[expect(clippy::too_many_arguments, reason = "a part of `accept`")]
    fn accept_measured(
        &mut self,
        automaton: &SequenceAutomaton,
        first_word: usize,
        word: usize,
        hits: u64,
        letters: &impl Letters,
        history: &StateHistory,
        found: &mut impl FnMut(SequenceMatch<'_>),
    ) {
        let last = automaton.cells.len() - 1;
        for bit in bits::ones_of(hits) {
            let own = (word - first_word) * 64 + bit;
            let mut best = self.best(automaton, last, false, word * 64 + bit, history);
            if automaton.cells[last].measured {
                best.measures.push(RecordedMeasure { state: history.back(0), value: letters.measure(last, own) });
            }
            found(SequenceMatch { binding: own, start: best.start, measures: &best.measures });
            self.remove(automaton, word, 1 << bit, best.start, history);
        }
    }

    /// Removes the attempts of some bindings of a word that started at or before `start`.
    fn remove(
        &mut self,
        automaton: &SequenceAutomaton,
        word: usize,
        bindings: u64,
        start: u32,
        history: &StateHistory,
    ) {
        if bindings == 0 {
            return;
        }
        for (position, &depth) in self.positions.iter_mut().zip(&automaton.depths) {
            if history.back(depth + 1) <= start {
                position.fresh[word] &= !bindings;
            }
            for bit in bits::ones_of(position.stale[word] & bindings) {
                if position.starts[word * 64 + bit] <= start {
                    position.stale[word] &= !(1 << bit);
                }
            }
        }
    }

    /// Returns the start of the best attempt of a binding that may be at a position now, given the attempts before the present state. Only
    /// for automata without measures, where the start alone decides.
    fn latest(
        &self,
        automaton: &SequenceAutomaton,
        to: usize,
        stays: bool,
        binding: usize,
        history: &StateHistory,
    ) -> u32 {
        let end = if stays { to + 1 } else { to };
        let mut latest = if automaton.anchors[to].is_none() { history.back(0) } else { 0 };
        for (from, position) in self.positions[..end].iter().enumerate().skip(automaton.sources(to).start) {
            if bits::get(&position.fresh, binding) {
                latest = latest.max(history.back(automaton.depths[from] + 1));
            } else if bits::get(&position.stale, binding) {
                latest = latest.max(position.starts[binding]);
            }
        }
        latest
    }

    /// Returns the best attempt of a binding that may be at a position now, given the attempts before the present state.
    fn best(
        &self,
        automaton: &SequenceAutomaton,
        to: usize,
        stays: bool,
        binding: usize,
        history: &StateHistory,
    ) -> BestAttempt {
        let mut best =
            BestAttempt { start: history.back(0), measures: SmallVec::new(), none: automaton.anchors[to].is_some() };
        let own = if stays { to..to + 1 } else { to..to };
        for from in automaton.sources(to).chain(own) {
            let position = &self.positions[from];
            let recorded = automaton.recorded_at(from);
            let measures = &position.measures[binding * recorded..][..recorded];
            if bits::get(&position.fresh, binding) {
                best.offer(history.back(automaton.depths[from] + 1), measures);
            } else if bits::get(&position.stale, binding) {
                best.offer(position.starts[binding], measures);
            }
        }
        best
    }

    /// Advances attempts to a position other than the last, and keeps those at it if it repeats.
    fn advance(
        &mut self,
        automaton: &SequenceAutomaton,
        block: usize,
        to: usize,
        letters: &mut impl Letters,
        history: &StateHistory,
    ) -> bool {
        let cell = automaton.cells[to];
        let anchor = automaton.anchors[to];
        if !self.reachable(automaton, block, to) && !self.positions[to].any[block] {
            return false;
        }
        let first_word = block * self.words;
        letters.prepare(cell.letter);
        let letters = &*letters;
        let vector = letters.letter(cell.letter);
        let mut moved = false;
        let mut any = 0;
        for (word, &letter) in (first_word..).zip(&vector[..self.words]) {
            let (before, after) = self.positions.split_at(to);
            let own = &after[0];
            let (old_fresh, old_stale) = (own.fresh[word], own.stale[word]);
            // Attempts at the optional positions after the anchor come too late to be fresh here.
            let (mut old, mut late, entering) = match anchor {
                Some(anchor) => (before[anchor].stale[word], 0, before[anchor].fresh[word]),
                None => (0, 0, u64::MAX),
            };
            let between = anchor.map_or(0, |anchor| anchor + 1)..to;
            for position in &before[between] {
                old |= position.stale[word];
                late |= position.fresh[word];
            }
            if cell.repeats {
                late |= old_fresh;
            }
            let fresh = entering & letter;
            let entered = (old | late) & letter & !fresh;
            let staying = if cell.repeats { old_stale & letter & !fresh } else { 0 };
            let stale = entered | staying;
            any |= fresh | stale;
            moved |= fresh != old_fresh || stale != old_stale || entered & late != 0;
            let changed = if automaton.measured { fresh | stale } else { entered };
            for bit in bits::ones_of(changed) {
                moved |= self.write(automaton, to, [first_word, word], bit, letters, history);
            }
            let own = &mut self.positions[to];
            own.fresh[word] = fresh;
            own.stale[word] = stale;
        }
        self.positions[to].any[block] = any != 0;
        moved
    }

    /// Stores the start and the measures of the best attempt that enters a position or stays at it. Returns whether its start
    /// differs from the previous one.
    fn write(
        &mut self,
        automaton: &SequenceAutomaton,
        to: usize,
        [first_word, word]: [usize; 2],
        bit: usize,
        letters: &impl Letters,
        history: &StateHistory,
    ) -> bool {
        let cell = automaton.cells[to];
        let binding = word * 64 + bit;
        if !automaton.measured {
            let latest = self.latest(automaton, to, cell.repeats, binding, history);
            return std::mem::replace(&mut self.positions[to].starts[binding], latest) != latest;
        }
        let mut best = self.best(automaton, to, cell.repeats, binding, history);
        if cell.measured {
            let value = letters.measure(to, binding - first_word * 64);
            best.measures.push(RecordedMeasure { state: history.back(0), value });
        }
        let position = &mut self.positions[to];
        let recorded = best.measures.len();
        position.measures[binding * recorded..][..recorded].copy_from_slice(&best.measures);
        let start = position.starts.get_mut(binding);
        start.is_some_and(|start| std::mem::replace(start, best.start) != best.start)
    }

    /// Returns the furthest position with an attempt, the first binding with an attempt there, and the start of that attempt.
    pub fn furthest(&self, automaton: &SequenceAutomaton, history: &StateHistory) -> Option<(usize, usize, u32)> {
        let (at, position) =
            self.positions.iter().enumerate().rev().find(|(_, position)| position.any.contains(&true))?;
        let words = position.fresh.iter().zip(&position.stale);
        let (word, bits) = words.map(|(fresh, stale)| fresh | stale).enumerate().find(|&(_, bits)| bits != 0)?;
        let binding = word * 64 + bits.trailing_zeros() as usize;
        Some((at, binding, self.start(automaton, at, binding, history)?))
    }

    /// Returns the start of a binding's attempt at a position, if there is one.
    pub fn start(
        &self,
        automaton: &SequenceAutomaton,
        at: usize,
        binding: usize,
        history: &StateHistory,
    ) -> Option<u32> {
        let position = self.positions.get(at)?;
        if bits::get(&position.fresh, binding) {
            Some(history.back(automaton.depths[at]))
        } else {
            bits::get(&position.stale, binding).then(|| position.starts[binding])
        }
    }

    /// Returns a lower bound on the starts of all attempts, for callers that keep data of past states. Fresh attempts are not examined:
    /// they began within the depth of the automaton.
    pub fn earliest_start_bound(&self, automaton: &SequenceAutomaton, history: &StateHistory) -> u32 {
        let stale = self.positions.iter().flat_map(|p| bits::ones(&p.stale).map(|binding| p.starts[binding]));
        stale.chain([history.back(automaton.history_depth() as u32)]).min().unwrap_or(0)
    }

    /// Returns the number of bindings of a block.
    pub fn binding_count(&self) -> usize {
        self.bindings
    }
}
