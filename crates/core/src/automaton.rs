//! The Glushkov automaton of a sequence of phases, as a line of positions.
//!
//! A position matches one state of the interval. A `once` has one position, a `hold` one repeating position, and a `hold-while` one
//! position for each event, with optional repeating positions before, between and after them. Since the line has no branches, the
//! successors of a position follow from which positions after it are optional.
//!
//! A matcher keeps the best attempt at each position: the one that started last, because its interval lies inside the interval of every
//! other attempt that is accepted in the same state.

use std::cmp::Ordering;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use crate::condition::{Condition, Expression};
use crate::pattern::Phase;
use crate::work::WorkBudget;

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

/// The states that one phase of a sequence takes in a satisfaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseInterval {
    /// The index of the phase.
    pub phase: usize,
    /// The first state, counted from 1.
    pub start: u64,
    /// The last state, counted from 1.
    pub end: u64,
}

/// The states in which a division enters the positions; [`NEVER`] for positions that it skips or has not reached.
type Entries = Rc<[u64]>;

const NEVER: u64 = u64::MAX;

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

    /// Divides consecutive states into the phases that the automaton was built of. `holds` is whether a state may be at a position.
    ///
    /// If there are several divisions, the one with the earliest measured states is returned, as for the measures of a satisfaction; among
    /// those, the one that enters the positions earliest, compared from the first position. Phases that take no state are left out.
    ///
    /// Returns `None` if there is no division, or if the search exceeds the work limit.
    ///
    /// # Panics
    /// If the automaton was built of other phases.
    pub fn divide(
        &self,
        phases: &[Phase],
        states: impl Iterator<Item = u64>,
        holds: impl Fn(usize, u64) -> bool,
        work: &WorkBudget,
    ) -> Option<Vec<PhaseInterval>> {
        let measured: Vec<usize> =
            (0..self.positions.len()).filter(|&place| self.positions[place].measure(phases).is_some()).collect();
        let order = |left: &Entries, right: &Entries| -> Ordering {
            let key = |entries: &Entries| measured.iter().map(|&place| entries[place]).collect::<SmallVec<[u64; 4]>>();
            key(left).cmp(&key(right)).then_with(|| left.cmp(right))
        };
        let mut attempts: Vec<Option<Entries>> = vec![None; self.positions.len()];
        let mut visited = Vec::new();
        for state in states {
            if !work.spend(self.positions.len() as u64) {
                return None;
            }
            let mut next: Vec<Option<Entries>> = vec![None; self.positions.len()];
            let mut offer = |to: usize, entries: Entries| {
                if next[to].as_ref().is_none_or(|best| order(&entries, best).is_lt()) {
                    next[to] = Some(entries);
                }
            };
            let enter = |entries: Option<&Entries>, to: usize| -> Entries {
                let mut entered = entries.map_or_else(|| vec![NEVER; self.positions.len()], |known| known.to_vec());
                entered[to] = state;
                entered.into()
            };
            let possible: Vec<bool> = (0..self.positions.len()).map(|place| holds(place, state)).collect();
            if visited.is_empty() {
                let initial = (0..self.positions.len()).take_while(|&place| self.is_initial(place));
                initial.filter(|&place| possible[place]).for_each(|place| offer(place, enter(None, place)));
            }
            for (from, entries) in attempts.iter().enumerate() {
                let Some(entries) = entries else { continue };
                for to in self.successors(from).filter(|&to| possible[to]) {
                    offer(to, if to == from { Rc::clone(entries) } else { enter(Some(entries), to) });
                }
            }
            attempts = next;
            visited.push(state);
        }
        let accepted = attempts.iter().enumerate().filter(|&(place, _)| self.is_accepting(place));
        let best = accepted.filter_map(|(_, entries)| entries.as_ref()).min_by(|left, right| order(left, right))?;
        Some(self.phase_intervals(best, &visited))
    }

    /// Returns the intervals of the phases in a division of `states`.
    fn phase_intervals(&self, entries: &[u64], states: &[u64]) -> Vec<PhaseInterval> {
        let mut intervals: Vec<PhaseInterval> = Vec::new();
        for (place, &start) in entries.iter().enumerate().filter(|&(_, &entry)| entry != NEVER) {
            let leaves = entries[place + 1..].iter().find(|&&entry| entry != NEVER);
            let after = leaves.map_or(states.len(), |&entry| states.partition_point(|&state| state < entry));
            let (phase, end) = (self.positions[place].phase, states[after - 1]);
            match intervals.last_mut().filter(|last| last.phase == phase) {
                Some(last) => last.end = end,
                None => intervals.push(PhaseInterval { phase, start, end }),
            }
        }
        intervals
    }
}
