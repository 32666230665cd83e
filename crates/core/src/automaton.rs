//! A sequence of phases as positions in a line: its Glushkov automaton.
//!
//! A position stands for one state of the interval: a `once` has one position; a `hold` one that repeats; a `hold-while` one
//! for each event and a repeating one before, between and after them. Positions that need not be taken are optional. Because
//! the line has no branches, what may follow what is a matter of which positions in between are optional.
//!
//! To match, keep for each position the best attempt that is at it: the one that started last, as it is inside every other
//! that will be accepted with it.

use smallvec::{SmallVec, smallvec};

use crate::condition::{Condition, Expression};
use crate::pattern::Phase;

/// What one state of the interval must satisfy.
#[derive(Debug, Clone, PartialEq)]
pub struct Position<'p> {
    /// All of these hold in the state.
    pub conditions: SmallVec<[&'p Condition; 2]>,
    /// This number is recorded in the state and must be defined there.
    pub measure: Option<&'p Expression>,
    /// Index of the phase that the position belongs to.
    pub phase: usize,
    /// How many of the phase's events have happened once the position is taken.
    pub events: usize,
    /// Whether further states may be at the same position.
    pub repeats: bool,
    /// Whether the position may be left out.
    pub optional: bool,
}

/// The positions of a sequence, in order. Never accepts the empty interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Automaton<'p> {
    positions: Vec<Position<'p>>,
    /// For each position, how many of those before it may not be left out; at the end, how many of all may not.
    required: Vec<usize>,
}

impl<'p> Automaton<'p> {
    /// The automaton of the phases of a [`Pattern::Sequence`](crate::pattern::Pattern::Sequence).
    ///
    /// A `hold-while` without events is a `hold` of at least one state.
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

    /// The positions.
    pub fn positions(&self) -> &[Position<'p>] {
        &self.positions
    }

    /// Whether an interval may begin at the position.
    pub fn starts(&self, position: usize) -> bool {
        self.required[position] == 0
    }

    /// Whether an interval may end at the position.
    pub fn accepts(&self, position: usize) -> bool {
        self.required[position + 1] == self.required[self.positions.len()]
    }

    /// The positions that the state after one at position `from` may be at.
    pub fn following(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        let same = self.positions[from].repeats.then_some(from);
        let later =
            (from + 1..self.positions.len()).take_while(move |&to| self.required[from + 1] == self.required[to]);
        same.into_iter().chain(later)
    }

    /// The phase that an attempt at this position has yet to pass, and how many of that phase's events have happened.
    pub fn stuck_at(&self, position: usize) -> (usize, usize) {
        let Position { phase, events, repeats, .. } = self.positions[position];
        // Only a `once` is passed by the very state that is at it.
        if repeats || events > 0 { (phase, events) } else { (phase + 1, 0) }
    }

    /// The positions that would carry on an attempt whose furthest position is this one: those that it might have stayed at or gone on to.
    /// `entered` is false for an attempt that never began.
    pub fn ways_on(&self, position: usize, entered: bool) -> Vec<usize> {
        if entered {
            self.following(position).collect()
        } else {
            (0..self.positions.len()).take_while(|&next| self.starts(next)).collect()
        }
    }
}
