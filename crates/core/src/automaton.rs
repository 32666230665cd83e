//! The Glushkov automaton of a sequence of phases, as a line of positions.
//!
//! A position matches one state of the interval. A `once` has one position, a `hold` one repeating position, and a `hold-while` one
//! position for each event, with optional repeating positions before, between and after them. Since the line has no branches, the
//! successors of a position follow from which positions after it are optional.
//!
//! A matcher keeps the best attempt at each position: the one that started last, because its interval lies inside the interval of every
//! other attempt that is accepted in the same state.

use smallvec::{SmallVec, smallvec};

use crate::condition::{Condition, Expression};
use crate::pattern::Phase;

/// A position of the automaton: the requirements on one state of the interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The index of the phase that the position belongs to.
    pub phase: usize,
    /// The index of the event of the phase that happens in the state; `None` if only the condition of the phase must hold.
    pub event: Option<usize>,
    /// The number of events of the phase that have happened once the position is reached.
    pub events: usize,
    /// Whether consecutive states may match the same position.
    pub repeats: bool,
    /// Whether the position may be skipped.
    pub optional: bool,
}

/// The positions of a sequence, in order. The automaton never accepts the empty interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automaton {
    positions: Vec<Position>,
    /// For each position, the number of non-optional positions before it; last, the number of all non-optional positions.
    required: Vec<usize>,
}

impl Position {
    /// Returns the conditions that must all hold in the state, which are those of the phases that the automaton was built of.
    ///
    /// # Panics
    /// If the automaton was built of other phases.
    pub fn conditions<'p>(&self, phases: &'p [Phase]) -> SmallVec<[&'p Condition; 2]> {
        match (&phases[self.phase], self.event) {
            (Phase::HoldWhile { condition, events, .. }, Some(event)) => smallvec![condition, &events[event]],
            (Phase::Once { condition, .. } | Phase::Hold { condition, .. } | Phase::HoldWhile { condition, .. }, _) => {
                smallvec![condition]
            }
        }
    }

    /// Returns the expression that is recorded in the state and must be defined there.
    ///
    /// # Panics
    /// If the automaton was built of other phases.
    pub fn measure<'p>(&self, phases: &'p [Phase]) -> Option<&'p Expression> {
        match &phases[self.phase] {
            Phase::Once { measure, .. } => measure.as_ref(),
            Phase::Hold { .. } | Phase::HoldWhile { .. } => None,
        }
    }
}

impl Automaton {
    /// Builds the automaton of the phases of a [`Pattern::Sequence`](crate::pattern::Pattern::Sequence).
    ///
    /// A `hold-while` without events is equivalent to a `hold` of at least one state.
    pub fn new(phases: &[Phase]) -> Self {
        let mut positions = Vec::new();
        for (phase, written) in phases.iter().enumerate() {
            let at_edge = phase == 0 || phase + 1 == phases.len();
            let mut push = |event, events, repeats, optional| {
                positions.push(Position { phase, event, events, repeats, optional });
            };
            match written {
                Phase::Once { .. } => push(None, 0, false, false),
                Phase::Hold { may_be_empty, .. } => push(None, 0, true, *may_be_empty && !at_edge),
                Phase::HoldWhile { events, .. } if events.is_empty() => push(None, 0, true, false),
                Phase::HoldWhile { events, .. } => {
                    push(None, 0, true, true);
                    for index in 0..events.len() {
                        push(Some(index), index + 1, false, false);
                        push(None, index + 1, true, true);
                    }
                }
            }
        }
        let mut required = vec![0];
        required.extend(positions.iter().scan(0, |count, position| {
            *count += usize::from(!position.optional);
            Some(*count)
        }));
        Self { positions, required }
    }

    /// Returns the positions.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Whether an interval may begin at the position.
    pub fn is_initial(&self, position: usize) -> bool {
        self.required[position] == 0
    }

    /// Whether an interval may end at the position.
    pub fn is_accepting(&self, position: usize) -> bool {
        self.required[position + 1] == self.required[self.positions.len()]
    }

    /// Returns the possible positions of the state after a state at position `from`.
    pub fn successors(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        let same = self.positions[from].repeats.then_some(from);
        let later =
            (from + 1..self.positions.len()).take_while(move |&to| self.required[from + 1] == self.required[to]);
        same.into_iter().chain(later)
    }

    /// Returns the phase that an attempt at this position has yet to complete, and the number of its events that have happened.
    pub fn pending_phase(&self, position: usize) -> (usize, usize) {
        let Position { phase, events, repeats, .. } = self.positions[position];
        // Only a `once` is completed by the state that matches it.
        if repeats || events > 0 { (phase, events) } else { (phase + 1, 0) }
    }

    /// Returns the positions by which an attempt whose furthest position is `position` can continue: by staying or by advancing. `entered`
    /// is false for an attempt that has not entered any position.
    pub fn continuations(&self, position: usize, entered: bool) -> Vec<usize> {
        if entered {
            self.successors(position).collect()
        } else {
            (0..self.positions.len()).take_while(|&next| self.is_initial(next)).collect()
        }
    }
}
