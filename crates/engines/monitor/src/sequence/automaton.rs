//! The positions of a sequence and their possible successions.

use goalspec_core::automaton::Automaton;
use goalspec_core::pattern::Phase;

use super::RecordedMeasure;

/// One position of a [`SequenceAutomaton`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AutomatonPosition {
    /// The letter that a state must carry to be at the position.
    pub letter: u32,
    /// Whether further states may be at the same position.
    pub repeats: bool,
    /// Whether the position may be left out.
    pub optional: bool,
    /// Whether a number is recorded in each state at the position.
    pub measured: bool,
}

/// The positions of a sequence and their possible successions: the immutable part of a [`SequenceMatcher`](super::SequenceMatcher).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SequenceAutomaton {
    pub(super) cells: Vec<AutomatonPosition>,
    /// For each position, the nearest required position before it; `None` if the position may be the first.
    pub(super) anchors: Vec<Option<usize>>,
    /// For each position, the number of states of a fresh attempt at it before its latest state.
    pub(super) depths: Vec<u32>,
    /// For each position, the number of measures recorded before it.
    pub(super) recorded: Vec<usize>,
    /// For each position, whether it can hold stale attempts.
    pub(super) stores: Vec<bool>,
    pub(super) measured: bool,
}

impl SequenceAutomaton {
    /// Creates an automaton with these positions. Optional positions at the end are dropped: an attempt is satisfied before it reaches them.
    pub fn new(mut cells: Vec<AutomatonPosition>) -> Self {
        while cells.last().is_some_and(|cell| cell.optional) {
            cells.pop();
        }
        let mut automaton = Self::default();
        let (mut anchor, mut depth, mut recorded) = (None, 0, 0);
        for (index, cell) in cells.iter().enumerate() {
            automaton.anchors.push(anchor);
            automaton.depths.push(depth);
            automaton.recorded.push(recorded);
            recorded += usize::from(cell.measured);
            let stale_before = |anchor: usize| automaton.stores[anchor] || anchor + 1 < index || cell.repeats;
            automaton.stores.push(anchor.is_some_and(stale_before));
            if !cell.optional {
                anchor = Some(index);
                depth += 1;
            }
        }
        automaton.measured = recorded > 0;
        automaton.cells = cells;
        automaton
    }

    /// Compiles the automaton of `phases`; `letter` returns the letter of each position.
    pub fn from_automaton(automaton: &Automaton, phases: &[Phase], mut letter: impl FnMut(usize) -> u32) -> Self {
        let cell = |(index, position): (usize, &goalspec_core::automaton::Position)| AutomatonPosition {
            letter: letter(index),
            repeats: position.repeats,
            optional: position.optional,
            measured: position.measure(phases).is_some(),
        };
        Self::new(automaton.positions().iter().enumerate().map(cell).collect())
    }

    /// Returns the positions.
    pub fn positions(&self) -> &[AutomatonPosition] {
        &self.cells
    }

    /// Whether a number is recorded at some position.
    pub fn is_measured(&self) -> bool {
        self.measured
    }

    /// Returns the number of states that a [`StateHistory`](super::StateHistory) must reach back.
    pub fn history_depth(&self) -> usize {
        self.depths.last().map_or(0, |&depth| depth as usize + 1)
    }

    /// Returns the memory for matching `bindings` bindings, in bytes.
    pub fn memory_bytes(&self, bindings: u64) -> u64 {
        let stored = self.cells.len().saturating_sub(1);
        let position = |at: usize| {
            let starts = if self.stores[at] { bindings * 4 } else { 0 };
            let measures = self.recorded_at(at) as u64 * bindings * size_of::<RecordedMeasure>() as u64;
            2 * 8 * bindings.div_ceil(64) + starts + measures
        };
        (0..stored).map(position).sum()
    }

    /// Returns the number of measures that an attempt at the position has recorded.
    pub(super) fn recorded_at(&self, position: usize) -> usize {
        self.recorded[position] + usize::from(self.cells[position].measured)
    }

    /// Returns the positions from which a state may advance to `to`: the anchor (if any) first, the nearest last.
    pub(super) fn sources(&self, to: usize) -> std::ops::Range<usize> {
        self.anchors[to].unwrap_or(0)..to
    }
}
