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
#[derive(Debug, Clone, PartialEq)]
pub struct Position<'p> {
    /// The conditions that must all hold in the state.
    pub conditions: SmallVec<[&'p Condition; 2]>,
    /// The expression that is recorded in the state and must be defined there.
    pub measure: Option<&'p Expression>,
    /// The index of the phase that the position belongs to.
    pub phase: usize,
    /// The number of events of the phase that have happened once the position is reached.
    pub events: usize,
    /// Whether consecutive states may match the same position.
    pub repeats: bool,
    /// Whether the position may be skipped.
    pub optional: bool,
}

/// The positions of a sequence, in order. The automaton never accepts the empty interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Automaton<'p> {
    positions: Vec<Position<'p>>,
    /// For each position, the number of non-optional positions before it; last, the number of all non-optional positions.
    required: Vec<usize>,
}

impl<'p> Automaton<'p> {
    /// Builds the automaton of the phases of a [`Pattern::Sequence`](crate::pattern::Pattern::Sequence).
    ///
    /// A `hold-while` without events is equivalent to a `hold` of at least one state.
    pub fn new(phases: &'p [Phase]) -> Self {
        let mut positions = Vec::new();
        for (phase, written) in phases.iter().enumerate() {
            let at_edge = phase == 0 || phase + 1 == phases.len();
            let mut push = |conditions, measure, events, repeats, optional| {
                positions.push(Position { conditions, measure, phase, events, repeats, optional });
            };
            match written {
                Phase::Once { condition, measure, .. } => push(smallvec![condition], measure.as_ref(), 0, false, false),
                Phase::Hold { condition, may_be_empty, .. } => {
                    push(smallvec![condition], None, 0, true, *may_be_empty && !at_edge);
                }
                Phase::HoldWhile { condition, events, .. } if events.is_empty() => {
                    push(smallvec![condition], None, 0, true, false);
                }
                Phase::HoldWhile { condition, events, .. } => {
                    push(smallvec![condition], None, 0, true, true);
                    for (index, event) in events.iter().enumerate() {
                        push(smallvec![condition, event], None, index + 1, false, false);
                        push(smallvec![condition], None, index + 1, true, true);
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
    pub fn positions(&self) -> &[Position<'p>] {
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
