//! The delete relaxation: facts that have become true stay true.
//!
//! Conditional effects and axioms become separate relaxed operators. For default values of derived variables see
//! [`derived_defaults`](super::derived_defaults). Numbers are abstracted: an operator that can move a comparison towards truth (or falsity)
//! makes it true (or false) in one application. Each step makes more facts reachable, at lower cost, so dead ends of the
//! relaxation are dead ends of the task, and admissible heuristics stay admissible.

use super::derived_defaults;
use crate::ground_task::Fact;
use crate::numbers::{self, Slope};
use crate::rows::Rows;
use crate::search_task::{FlatEffect, SearchTask};
use goalspec_core::condition::ComparisonOperator;

/// Marks a relaxed operator that is an axiom.
pub(super) const AXIOM: u32 = u32::MAX;

/// A task without deletes. Its propositions are the facts of the task and auxiliary propositions for refuted axioms.
#[derive(Debug, Default)]
pub(super) struct Relaxation {
    /// The number of propositions.
    pub(super) propositions: usize,
    /// The preconditions, by relaxed operator; sorted, without duplicates.
    pub(super) preconditions: Rows<u32>,
    /// The effects, by relaxed operator.
    pub(super) effects: Rows<u32>,
    /// For each relaxed operator the operator it is derived from, or [`AXIOM`].
    pub(super) operators: Vec<u32>,
    /// The goal.
    pub(super) goal: Vec<u32>,
}

impl Relaxation {
    /// Relaxes a task and removes operators and effects that are irrelevant to the goal.
    pub(super) fn new(task: &SearchTask) -> Self {
        let mut relaxation = Self {
            propositions: task.proposition_count(),
            goal: task.goal.iter().map(|&fact| task.proposition(fact)).collect(),
            ..Self::default()
        };
        relaxation.goal.sort_unstable();
        relaxation.add_operators(task);
        for (body, head) in &task.axioms {
            relaxation.push(
                body.iter().map(|&fact| task.proposition(fact)).collect(),
                [task.proposition(*head)],
                AXIOM,
            );
        }
        derived_defaults::add_defaults(task, &mut relaxation);
        relaxation.keep_relevant()
    }

    /// Adds a relaxed operator.
    pub(super) fn push(&mut self, mut preconditions: Vec<u32>, effects: impl IntoIterator<Item = u32>, operator: u32) {
        preconditions.sort_unstable();
        preconditions.dedup();
        self.effects.push(effects.into_iter().filter(|effect| preconditions.binary_search(effect).is_err()));
        self.preconditions.push(preconditions);
        self.operators.push(operator);
    }

    /// Adds an auxiliary proposition.
    pub(super) fn new_proposition(&mut self) -> u32 {
        self.propositions += 1;
        self.propositions as u32 - 1
    }

    fn add_operators(&mut self, task: &SearchTask) {
        for operator in 0..task.operator_count() as u32 {
            let precondition = task.preconditions.row(operator);
            let base: Vec<u32> = precondition.iter().map(|&fact| task.proposition(fact)).collect();
            let (plain, conditional): (Vec<FlatEffect>, Vec<FlatEffect>) =
                task.effects.row(operator).iter().copied().partition(|effect| effect.conditions == 0);
            if !plain.is_empty() {
                self.push(base.clone(), plain.iter().map(|effect| task.proposition(effect.fact)), operator);
            }
            for effect in conditional {
                if let Some(all) = with_conditions(task, precondition, task.conditions.row(effect.conditions)) {
                    self.push(all, [task.proposition(effect.fact)], operator);
                }
            }
            for effect in task.numeric_effects.get(operator as usize).map_or(&[][..], Vec::as_slice) {
                let Some(all) = with_conditions(task, precondition, &effect.conditions) else { continue };
                let mut moved = Vec::new();
                for (variable, condition) in &task.comparisons {
                    let (falls, rises) = match numbers::influence(effect, condition) {
                        Slope::Flat => (false, false),
                        Slope::Up => (false, true),
                        Slope::Down => (true, false),
                        Slope::Any => (true, true),
                    };
                    let (untrue, becomes_true) = match condition.comparison {
                        ComparisonOperator::Greater | ComparisonOperator::GreaterEqual => (falls, rises),
                        ComparisonOperator::Less | ComparisonOperator::LessEqual => (rises, falls),
                        ComparisonOperator::Equal => (falls || rises, falls || rises),
                    };
                    let first = task.offsets[*variable as usize];
                    moved.extend(untrue.then_some(first));
                    moved.extend(becomes_true.then_some(first + 1));
                }
                self.push(all, moved, operator);
            }
        }
    }

    /// Removes effects that nothing needs, and relaxed operators without relevant effects.
    fn keep_relevant(self) -> Self {
        let achievers = Rows::inverse(&self.effects, self.propositions);
        let mut relevant = vec![false; self.propositions];
        let mut seen = vec![false; self.operators.len()];
        let mut queue = self.goal.clone();
        for &proposition in &queue {
            relevant[proposition as usize] = true;
        }
        while let Some(proposition) = queue.pop() {
            for &operator in achievers.row(proposition) {
                if !std::mem::replace(&mut seen[operator as usize], true) {
                    for &needed in self.preconditions.row(operator) {
                        if !std::mem::replace(&mut relevant[needed as usize], true) {
                            queue.push(needed);
                        }
                    }
                }
            }
        }
        let mut kept = Self { propositions: self.propositions, goal: self.goal, ..Self::default() };
        for operator in (0..self.operators.len() as u32).filter(|&operator| seen[operator as usize]) {
            kept.preconditions.push(self.preconditions.row(operator).iter().copied());
            kept.effects.push(self.effects.row(operator).iter().copied().filter(|&effect| relevant[effect as usize]));
            kept.operators.push(self.operators[operator as usize]);
        }
        kept
    }
}

/// Joins a precondition with effect conditions; `None` if they contradict each other.
fn with_conditions(task: &SearchTask, precondition: &[Fact], conditions: &[Fact]) -> Option<Vec<u32>> {
    let mut all: Vec<u32> = precondition.iter().map(|&fact| task.proposition(fact)).collect();
    for condition in conditions {
        match precondition.iter().find(|fact| fact.variable == condition.variable) {
            Some(fact) if fact.value != condition.value => return None,
            _ => all.push(task.proposition(*condition)),
        }
    }
    Some(all)
}
