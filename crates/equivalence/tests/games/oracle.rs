//! The shortest trace on which two patterns differ, by the definition of their meaning on all traces of a few states.
//!
//! A set of traces is a bit for each of them; all traces have the same number of states, and shorter ones are their beginnings.

use goalspec_core::condition::Condition;
use goalspec_core::ids::PredicateId;
use goalspec_core::pattern::{Formula, Pattern, Phase};

/// The traces of a number of states over a number of atoms.
pub(super) struct Traces<'a> {
    pub(super) states: usize,
    pub(super) atoms: &'a [PredicateId],
}

type Set = Vec<u64>;

fn combined(one: &Set, other: &Set, by: fn(u64, u64) -> u64) -> Set {
    one.iter().zip(other).map(|(&one, &other)| by(one, other)).collect()
}

fn and(one: &Set, other: &Set) -> Set {
    combined(one, other, |one, other| one & other)
}

fn or(one: &Set, other: &Set) -> Set {
    combined(one, other, |one, other| one | other)
}

fn not(set: &Set) -> Set {
    set.iter().map(|word| !word).collect()
}

impl Traces<'_> {
    fn constant(&self, value: bool) -> Set {
        let bits = 1_usize << (self.states * self.atoms.len());
        vec![if value { u64::MAX } else { 0 }; bits.div_ceil(64)]
    }

    /// Returns the traces in whose state, counted from 0, an atom holds.
    fn atom(&self, atom: usize, state: usize) -> Set {
        let bit = state * self.atoms.len() + atom;
        let mut set = self.constant(false);
        for (index, word) in set.iter_mut().enumerate() {
            for place in 0..64 {
                let trace = index * 64 + place;
                *word |= u64::from(trace >> bit & 1 == 1) << place;
            }
        }
        set
    }

    fn condition(&self, condition: &Condition, state: usize) -> Set {
        let fold = |parts: &[Condition], start: bool, by: fn(&Set, &Set) -> Set| {
            parts.iter().fold(self.constant(start), |all, part| by(&all, &self.condition(part, state)))
        };
        match condition {
            Condition::Constant(value) => self.constant(*value),
            Condition::Atom(atom) => {
                let index = self.atoms.iter().position(|&other| other == atom.predicate).unwrap();
                self.atom(index, state)
            }
            Condition::Not(part) => not(&self.condition(part, state)),
            Condition::And(parts) => fold(parts, true, and),
            Condition::Or(parts) => fold(parts, false, or),
            other => panic!("not a condition of these tests: {other:?}"),
        }
    }

    /// Returns, for each state, the traces on which one more phase can end there, given those on which the phases before can.
    fn after_phase(&self, phase: &Phase, at_edge: bool, before: &[Set]) -> Vec<Set> {
        let states = before.len() - 1;
        let nowhere = || vec![self.constant(false); states + 1];
        let hold = |condition: &Condition, from: &[Set]| {
            let mut ends = nowhere();
            for state in 0..states {
                let entered = or(&from[state], &ends[state]);
                ends[state + 1] = and(&entered, &self.condition(condition, state));
            }
            ends
        };
        match phase {
            Phase::Once { condition, .. } => {
                let mut ends = nowhere();
                for state in 0..states {
                    ends[state + 1] = and(&before[state], &self.condition(condition, state));
                }
                ends
            }
            Phase::Hold { condition, may_be_empty, .. } => {
                let ends = hold(condition, before);
                let may_be_empty = *may_be_empty && !at_edge;
                let all = ends.iter().zip(before);
                all.map(|(ends, before)| if may_be_empty { or(ends, before) } else { ends.clone() }).collect()
            }
            Phase::HoldWhile { condition, events, .. } if events.is_empty() => hold(condition, before),
            Phase::HoldWhile { condition, events, .. } => {
                let any_hold = |from: &[Set]| -> Vec<Set> {
                    hold(condition, from).iter().zip(from).map(|(ends, from)| or(ends, from)).collect()
                };
                let mut ends = any_hold(before);
                for event in events {
                    let mut next = nowhere();
                    for state in 0..states {
                        let both = and(&self.condition(condition, state), &self.condition(event, state));
                        next[state + 1] = and(&ends[state], &both);
                    }
                    ends = any_hold(&next);
                }
                ends
            }
        }
    }

    /// Returns the traces on which a sequence accepts the interval from each state, counted from 0, to before each other.
    fn accepted(&self, phases: &[Phase]) -> Vec<Vec<Set>> {
        let from = |start: usize| {
            let mut ends = vec![self.constant(false); self.states + 1];
            ends[start] = self.constant(true);
            for (index, phase) in phases.iter().enumerate() {
                ends = self.after_phase(phase, index == 0 || index + 1 == phases.len(), &ends);
            }
            ends
        };
        (0..self.states).map(from).collect()
    }

    /// Returns, for each start and end, the traces on which the interval is minimal: it contains no other that is accepted.
    fn satisfactions(&self, phases: &[Phase]) -> Vec<Vec<Set>> {
        let accepted = self.accepted(phases);
        let minimal = |start: usize, end: usize| {
            let inner = accepted.iter().enumerate().skip(start).flat_map(|(from, ends)| {
                let ends = ends.iter().enumerate().take(end + 1).skip(from + 1);
                ends.filter(move |&(to, _)| (from, to) != (start, end)).map(|(_, traces)| traces)
            });
            inner.fold(accepted[start][end].clone(), |set, traces| and(&set, &not(traces)))
        };
        let all = |start: usize| (0..=self.states).map(|end| minimal(start, end)).collect();
        (0..self.states).map(all).collect()
    }

    fn formula(&self, formula: &Formula, at: usize, states: usize) -> Set {
        let later = |part: &Formula| self.formula(part, at + 1, states);
        let is_last = at + 1 == states;
        match formula {
            Formula::Proposition(condition) => self.condition(condition, at),
            Formula::Not(part) => not(&self.formula(part, at, states)),
            Formula::And(parts) => {
                parts.iter().fold(self.constant(true), |all, part| and(&all, &self.formula(part, at, states)))
            }
            Formula::Or(parts) => {
                parts.iter().fold(self.constant(false), |any, part| or(&any, &self.formula(part, at, states)))
            }
            Formula::Next(part) => {
                if is_last {
                    self.constant(false)
                } else {
                    later(part)
                }
            }
            Formula::WeakNext(part) => {
                if is_last {
                    self.constant(true)
                } else {
                    later(part)
                }
            }
            Formula::Until(sides) => (at..states).fold(self.constant(false), |any, end| {
                let held = (at..end)
                    .fold(self.constant(true), |all, state| and(&all, &self.formula(&sides[0], state, states)));
                or(&any, &and(&held, &self.formula(&sides[1], end, states)))
            }),
            Formula::Release(sides) => {
                let inverse = |side: &Formula| Formula::Not(Box::new(side.clone()));
                let until = Formula::Until(Box::new([inverse(&sides[0]), inverse(&sides[1])]));
                not(&self.formula(&until, at, states))
            }
            Formula::Eventually(part) => {
                (at..states).fold(self.constant(false), |any, state| or(&any, &self.formula(part, state, states)))
            }
            Formula::Always(part) => {
                (at..states).fold(self.constant(true), |all, state| and(&all, &self.formula(part, state, states)))
            }
        }
    }

    /// Returns, for each number of states, the traces of that length on which the pattern is satisfied.
    fn truths(&self, pattern: &Pattern) -> Vec<Set> {
        let lengths = 1..=self.states;
        match pattern {
            Pattern::Formula(formula) => lengths.map(|states| self.formula(formula, 0, states)).collect(),
            Pattern::AtEnd(condition) => lengths.map(|states| self.condition(condition, states - 1)).collect(),
            Pattern::Sequence(phases) => {
                let accepted = self.accepted(phases);
                let mut any = self.constant(false);
                lengths
                    .map(|end| {
                        any = accepted.iter().fold(any.clone(), |any, from| or(&any, &from[end]));
                        any.clone()
                    })
                    .collect()
            }
        }
    }

    /// Returns the number of states of the shortest traces on which two sequences have different satisfactions.
    pub(super) fn shortest_by_satisfactions(&self, one: &[Phase], other: &[Phase]) -> Option<usize> {
        let (one, other) = (self.satisfactions(one), self.satisfactions(other));
        (1..=self.states).find(|&end| (0..self.states).any(|start| one[start][end] != other[start][end]))
    }

    /// Returns the number of states of the shortest traces on which only one of two patterns is satisfied.
    pub(super) fn shortest_by_truth(&self, one: &Pattern, other: &Pattern) -> Option<usize> {
        let (one, other) = (self.truths(one), self.truths(other));
        (1..=self.states).find(|&states| one[states - 1] != other[states - 1])
    }
}
