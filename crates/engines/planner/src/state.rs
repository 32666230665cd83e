//! States: the unpacked form, its packed encoding, and the registry of visited states.

mod packing;
mod registry;

pub(crate) use packing::Packing;
pub(crate) use registry::{Registry, StateId};

use crate::numbers;
use crate::search_task::{Scratch, SearchTask};

/// An unpacked state.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    /// The value of each variable.
    pub(crate) values: Vec<u32>,
    /// The value of each numeric variable; NaN if undefined.
    pub(crate) numbers: Vec<f64>,
}

impl State {
    /// Returns the initial state of a task.
    pub(crate) fn initial(task: &SearchTask) -> Self {
        Self { values: task.initial.clone(), numbers: task.initial_numbers.clone() }
    }

    /// Copies another state into this one.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.values.clear();
        self.values.extend_from_slice(&other.values);
        self.numbers.clear();
        self.numbers.extend_from_slice(&other.numbers);
    }

    /// Sets this state to the successor of `before` under an applicable operator. Returns `false` if the numeric effects cannot
    /// be applied; see [`numbers::apply`].
    pub(crate) fn set_successor(
        &mut self,
        before: &Self,
        operator: u32,
        task: &SearchTask,
        scratch: &mut Scratch,
    ) -> bool {
        self.copy_from(before);
        for effect in task.effects.row(operator) {
            if effect.conditions == 0 || SearchTask::holds(task.conditions.row(effect.conditions), &before.values) {
                self.values[effect.fact.variable as usize] = effect.fact.value;
            }
        }
        if let Some(effects) = task.numeric_effects.get(operator as usize)
            && !effects.is_empty()
        {
            let made = effects.iter().filter(|effect| SearchTask::holds(&effect.conditions, &before.values));
            if !numbers::apply(made, &before.numbers, &mut self.numbers) {
                return false;
            }
        }
        if task.has_derived() {
            task.derive(&mut self.values, &self.numbers, scratch);
        }
        true
    }
}
