//! The order by `g` plus the maximum of two heuristics, the second of which is only evaluated where that pays.
//!
//! An evaluation of the second heuristic pays if it probably avoids the expansion: it takes work, but saves the expansion with the evaluations of
//! the successors (rational lazy A*: Karpas, Betzalel, Shimony, Tolpin and Felner 2018). The probability is estimated from the evaluations so
//! far, in terms of work, so decisions are the same in every run.

use super::eager::{ExpansionOrder, Generated, SearchEffort};
use super::open_list::{OpenList, TieBreaking};
use crate::heuristics::Heuristic;
use crate::rows::growing_bytes;
use crate::search_task::SearchTask;
use crate::state::{State, StateId};

/// The number of first expansions for which the second heuristic is always evaluated.
const MIN_EVALUATIONS: u64 = 200;

/// The second heuristic is evaluated for one of so many expansions where it does not pay, so that the probability remains known.
const EXPLORATION: u64 = 32;

/// The progress of a state's evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Evaluation {
    /// Only the first heuristic was evaluated.
    First,
    /// Both were evaluated.
    Both,
    /// Both were evaluated, and the state was postponed.
    Postponed,
}

/// The order by `g` plus the maximum of two heuristics.
pub(crate) struct LazyMaximumOrder {
    first: Box<dyn Heuristic>,
    second: Option<Box<dyn Heuristic>>,
    estimates: Vec<u32>,
    evaluations: Vec<Evaluation>,
    open: OpenList<(StateId, u64)>,
    /// The number of evaluations of the second heuristic.
    evaluated: u64,
    /// The number of states that are postponed, or are dead ends that only the second heuristic detected.
    avoided: u64,
    /// The number of decisions against an evaluation.
    skipped: u64,
    /// The maximum of the minimum keys so far.
    bound: u64,
}

impl LazyMaximumOrder {
    pub(super) fn new(first: Box<dyn Heuristic>, second: Option<Box<dyn Heuristic>>) -> Self {
        Self {
            first,
            second,
            estimates: Vec::new(),
            evaluations: Vec::new(),
            open: OpenList::new(TieBreaking::Newest),
            evaluated: 0,
            avoided: 0,
            skipped: 0,
            bound: 0,
        }
    }

    /// Returns a lower bound of the cost of a plan, if the heuristics are admissible.
    pub(crate) fn bound(&self) -> u64 {
        self.bound
    }

    /// Whether an evaluation of the second heuristic is expected to save work.
    fn pays(&mut self, effort: &SearchEffort) -> bool {
        let Some(second) = &self.second else { return false };
        if self.evaluated < MIN_EVALUATIONS {
            return true;
        }
        let probability = self.avoided as f64 / self.evaluated as f64;
        let expanded = effort.expanded.max(1) as f64;
        let successors = effort.evaluated as f64 / expanded;
        let expansion = (effort.work + self.first.work()) as f64 / expanded;
        let evaluation = second.work() as f64 / self.evaluated as f64;
        let pays = evaluation * (1.0 - probability * successors) < probability * expansion;
        self.skipped += u64::from(!pays);
        pays || self.skipped.is_multiple_of(EXPLORATION)
    }
}

impl ExpansionOrder for LazyMaximumOrder {
    const REOPENS: bool = true;

    fn push(&mut self, generated: &Generated<'_>) -> bool {
        let &Generated { task, id, state, g, .. } = generated;
        let estimate = self.first.evaluate(task, id, state);
        self.estimates.push(estimate.unwrap_or(u32::MAX));
        self.evaluations.push(Evaluation::First);
        if estimate.is_some() {
            self.reopen(id, g);
        }
        estimate.is_some()
    }

    fn reopen(&mut self, id: StateId, g: u64) {
        let h = u64::from(self.estimates[id as usize]);
        self.open.push((g + h, h), (id, g));
    }

    fn pop(&mut self) -> Option<(StateId, u64)> {
        while let Some((id, g)) = self.open.pop() {
            let estimate = self.estimates[id as usize];
            if estimate != u32::MAX {
                self.bound = self.bound.max(g + u64::from(estimate));
                return Some((id, g));
            }
        }
        None
    }

    fn confirm(&mut self, task: &SearchTask, id: StateId, state: &State, g: u64, effort: &SearchEffort) -> bool {
        let place = id as usize;
        if self.evaluations[place] == Evaluation::Postponed {
            // The evaluation has not avoided the expansion after all.
            self.evaluations[place] = Evaluation::Both;
            self.avoided -= 1;
        }
        if self.evaluations[place] != Evaluation::First || !self.pays(effort) {
            return true;
        }
        let Some(second) = &mut self.second else { return true };
        self.evaluated += 1;
        let estimate = second.evaluate(task, id, state).unwrap_or(u32::MAX);
        if estimate <= self.estimates[place] {
            self.evaluations[place] = Evaluation::Both;
            return true;
        }
        self.evaluations[place] = Evaluation::Postponed;
        self.avoided += 1;
        self.estimates[place] = estimate;
        if estimate != u32::MAX {
            self.reopen(id, g);
        }
        false
    }

    fn work(&self) -> u64 {
        self.first.work() + self.second.as_ref().map_or(0, |second| second.work())
    }

    fn bytes(&self) -> usize {
        let second = self.second.as_ref().map_or(0, |second| second.bytes());
        let lists = growing_bytes(&self.estimates) + growing_bytes(&self.evaluations);
        self.first.bytes() + second + lists + self.open.bytes()
    }
}
