//! Tasks without conditional effects, derived variables and numbers.

use crate::ground_task::Fact;
use crate::search_task::{CostType, SearchTask};

/// An operator of a plain task.
#[derive(Debug, Clone)]
pub(crate) struct PlainOperator {
    /// The precondition, sorted by variable.
    pub(crate) precondition: Vec<Fact>,
    /// The effects, sorted by variable, each variable once. Effects that the precondition implies are left out.
    pub(crate) effects: Vec<Fact>,
    /// The cost.
    pub(crate) cost: u32,
}

/// A task without conditional effects, derived variables and numbers.
#[derive(Debug)]
pub(crate) struct PlainTask {
    /// The domain size of each variable.
    pub(crate) domains: Vec<u32>,
    /// The operators.
    pub(crate) operators: Vec<PlainOperator>,
    /// The initial state.
    pub(crate) initial: Vec<u32>,
    /// The goal.
    pub(crate) goal: Vec<Fact>,
}

impl PlainTask {
    /// Returns a task in this form; `None` if it has conditional effects, derived variables or numbers.
    pub(crate) fn new(task: &SearchTask, cost_type: CostType) -> Option<Self> {
        let has_conditions = |operator: u32| task.effects.row(operator).iter().any(|effect| effect.conditions != 0);
        let count = task.operator_count() as u32;
        if task.has_derived() || !task.initial_numbers.is_empty() || (0..count).any(has_conditions) {
            return None;
        }
        let operators = (0..count).map(|operator| {
            let precondition = task.preconditions.row(operator).to_vec();
            let mut effects: Vec<Fact> = Vec::new();
            for effect in task.effects.row(operator) {
                // The last effect on a variable counts.
                effects.retain(|other| other.variable != effect.fact.variable);
                effects.push(effect.fact);
            }
            effects.retain(|fact| !precondition.contains(fact));
            effects.sort_unstable_by_key(|fact| fact.variable);
            PlainOperator { precondition, effects, cost: task.cost(operator, cost_type) }
        });
        Some(Self {
            domains: task.offsets.windows(2).map(|pair| pair[1] - pair[0]).collect(),
            operators: operators.collect(),
            initial: task.initial.clone(),
            goal: task.goal.clone(),
        })
    }

    /// Whether an operator is applicable.
    pub(crate) fn is_applicable(&self, operator: u32, values: &[u32]) -> bool {
        SearchTask::holds(&self.operators[operator as usize].precondition, values)
    }

    /// Applies an operator.
    pub(crate) fn apply(&self, operator: u32, values: &mut [u32]) {
        for effect in &self.operators[operator as usize].effects {
            values[effect.variable as usize] = effect.value;
        }
    }
}

/// Returns the value that sorted facts give to a variable.
pub(crate) fn value_of(facts: &[Fact], variable: u32) -> Option<u32> {
    facts.binary_search_by_key(&variable, |fact| fact.variable).ok().map(|place| facts[place].value)
}
