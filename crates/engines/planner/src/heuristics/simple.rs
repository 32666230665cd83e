//! Heuristics that only inspect the goal.

use super::Heuristic;
use crate::search_task::{CostType, SearchTask};
use crate::state::{State, StateId};

/// The blind heuristic: zero in a goal state, else the minimum operator cost.
#[derive(Debug)]
pub(super) struct Blind {
    least: u32,
}

impl Blind {
    pub(super) fn new(task: &SearchTask, cost_type: CostType) -> Self {
        Self {
            least: (0..task.operator_count() as u32).map(|operator| task.cost(operator, cost_type)).min().unwrap_or(0),
        }
    }
}

impl Heuristic for Blind {
    fn evaluate(&mut self, task: &SearchTask, _: StateId, state: &State) -> Option<u32> {
        Some(if task.is_goal(&state.values) { 0 } else { self.least })
    }
}

/// The goal-count heuristic: the number of unsatisfied goal facts.
#[derive(Debug, Default)]
pub(super) struct GoalCount {
    work: u64,
}

impl Heuristic for GoalCount {
    fn evaluate(&mut self, task: &SearchTask, _: StateId, state: &State) -> Option<u32> {
        self.work += task.goal.len() as u64 / 2;
        Some(task.goal.iter().filter(|fact| state.values[fact.variable as usize] != fact.value).count() as u32)
    }

    fn work(&self) -> u64 {
        self.work
    }
}
