//! The heuristics `h_max`, `h_add` and `h_FF`.

use super::exploration::{Exploration, NO_SUPPORTER, UNREACHED};
use super::relaxation::AXIOM;
use super::unary::{TimestampedSet, UnaryTask};
use super::{Heuristic, MAX_ESTIMATE};
use crate::random::Random;
use crate::search_task::{CostType, SearchTask};
use crate::state::{State, StateId};
use std::sync::Arc;

/// Returns the propositions that hold in a state.
pub(super) fn propositions<'s>(task: &'s SearchTask, state: &'s State) -> impl Iterator<Item = u32> + 's {
    state.values.iter().zip(&task.offsets).map(|(value, offset)| value + offset)
}

/// The heuristic `h_max`.
#[derive(Debug)]
pub(super) struct Max {
    unary: Arc<UnaryTask>,
    exploration: Exploration,
}

impl Max {
    pub(super) fn new(task: &SearchTask, cost_type: CostType) -> Self {
        let unary = task.unary_tasks.get(task, cost_type);
        Self { exploration: Exploration::new(&unary), unary }
    }
}

impl Heuristic for Max {
    fn evaluate(&mut self, task: &SearchTask, _: StateId, state: &State) -> Option<u32> {
        if !self.exploration.run::<false>(&self.unary, propositions(task, state)) {
            return None;
        }
        let costs = self.unary.goal.iter().map(|&proposition| self.exploration.reached[proposition as usize].cost);
        Some(costs.max().unwrap_or(0))
    }

    fn work(&self) -> u64 {
        self.exploration.work
    }

    fn bytes(&self) -> usize {
        self.unary.bytes() + self.exploration.bytes()
    }
}

/// The heuristics `h_add` and `h_FF`. Their preferred operators are the applicable operators of the relaxed plan.
#[derive(Debug)]
pub(crate) struct Additive {
    unary: Arc<UnaryTask>,
    exploration: Exploration,
    /// Whether the value is the cost of the relaxed plan (`h_FF`) instead of the sum of proposition costs (`h_add`).
    plan: bool,
    marked: TimestampedSet,
    chosen: TimestampedSet,
    helpful: TimestampedSet,
    stack: Vec<u32>,
    preferred: Vec<u32>,
    /// The propositions that the relaxed plan has to achieve.
    towards: Vec<u32>,
    /// The propositions that the relaxed plan achieves.
    achieved: Vec<u32>,
    /// The operators of the relaxed plan.
    operators: Vec<u32>,
}

impl Additive {
    pub(crate) fn new(task: &SearchTask, cost_type: CostType, plan: bool) -> Self {
        let unary = task.unary_tasks.get(task, cost_type);
        Self {
            exploration: Exploration::new(&unary),
            plan,
            marked: TimestampedSet::new(unary.propositions),
            chosen: TimestampedSet::new(task.operator_count()),
            helpful: TimestampedSet::new(task.operator_count()),
            stack: Vec::new(),
            preferred: Vec::new(),
            towards: unary.goal.clone(),
            achieved: Vec::new(),
            operators: Vec::new(),
            unary,
        }
    }

    /// Returns the number of unary operators, an upper bound on the number processed per evaluation.
    pub(crate) fn size(&self) -> usize {
        self.unary.effects.len()
    }

    /// Replaces the goal by other propositions, which must be a subset of the goal of the task.
    pub(crate) fn set_goal(&mut self, goal: &[u32]) {
        self.set_goal_and_part(goal, goal);
    }

    /// Replaces the goal that decides about dead ends, and the part of it for which relaxed plans are extracted.
    pub(crate) fn set_goal_and_part(&mut self, goal: &[u32], part: &[u32]) {
        self.exploration.set_goal(goal);
        self.towards.clear();
        self.towards.extend_from_slice(part);
    }

    /// Whether a goal proposition is reachable from the state evaluated last. Only valid if that state is a dead end.
    pub(crate) fn is_reached(&self, proposition: u32) -> bool {
        self.exploration.reached[proposition as usize].cost != UNREACHED
    }

    /// Returns the `h_add` cost of a goal proposition from the state evaluated last.
    pub(crate) fn cost(&self, proposition: u32) -> u32 {
        self.exploration.reached[proposition as usize].cost
    }

    /// Returns the propositions that the last relaxed plan achieves.
    pub(crate) fn achieved(&self) -> &[u32] {
        &self.achieved
    }

    /// Returns the operators of the last relaxed plan.
    pub(crate) fn operators(&self) -> &[u32] {
        &self.operators
    }

    /// Extracts a relaxed plan and its preferred operators. Returns the cost of the plan.
    fn extract(&mut self, task: &SearchTask, values: &[u32]) -> u32 {
        self.marked.clear();
        self.chosen.clear();
        self.helpful.clear();
        self.achieved.clear();
        self.operators.clear();
        let mut cost = 0;
        self.stack.clear();
        self.stack.extend_from_slice(&self.towards);
        while let Some(proposition) = self.stack.pop() {
            let supporter = self.exploration.reached[proposition as usize].supporter;
            if supporter == NO_SUPPORTER || !self.marked.mark(proposition) {
                continue;
            }
            self.achieved.push(proposition);
            let preconditions = self.unary.preconditions.row(supporter);
            self.exploration.work += 2 + preconditions.len() as u64;
            self.stack.extend_from_slice(preconditions);
            let (operator, own) = (self.unary.operators[supporter as usize], self.unary.costs[supporter as usize]);
            if operator == AXIOM {
                continue;
            }
            if self.chosen.mark(operator) {
                self.operators.push(operator);
                cost = (cost + own).min(MAX_ESTIMATE);
            }
            // Preconditions of cost zero may still have to be derived, so applicability is checked as well.
            if self.exploration.cost_of(supporter) == own
                && task.is_applicable(operator, values)
                && self.helpful.mark(operator)
            {
                self.preferred.push(operator);
            }
        }
        cost
    }
}

impl Heuristic for Additive {
    fn set_random_ties(&mut self, random: &mut Random) {
        self.exploration.set_random_ties(random);
    }

    fn evaluate(&mut self, task: &SearchTask, _: StateId, state: &State) -> Option<u32> {
        self.preferred.clear();
        if !self.exploration.run::<true>(&self.unary, propositions(task, state)) {
            return None;
        }
        let cost = self.extract(task, &state.values);
        if self.plan {
            return Some(cost);
        }
        let costs = self.towards.iter().map(|&proposition| self.exploration.reached[proposition as usize].cost);
        Some(costs.fold(0, |sum, cost| (sum + cost).min(MAX_ESTIMATE)))
    }

    fn preferred(&self) -> &[u32] {
        &self.preferred
    }

    fn work(&self) -> u64 {
        self.exploration.work
    }

    fn bytes(&self) -> usize {
        self.unary.bytes() + self.exploration.bytes() + self.unary.propositions * 4
    }
}
