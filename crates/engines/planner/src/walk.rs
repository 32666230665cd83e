//! Walks through the states of a task, without a ground task: for states that are reachable by construction.

use goalspec_core::ids::PredicateId;
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::PlanStep;
use goalspec_core::planning::task::Task;
use goalspec_core::state::Delta;

use crate::ground::{ApplicableSteps, GroundError};

/// The maximum number of joins for the steps of one action in one state; beyond it, some applicable steps are left out.
const MAX_JOINS: u64 = 50_000;

/// A walk through the states of a task, executed by the reference interpreter.
pub struct Walk<'a, 's, 't> {
    steps: ApplicableSteps<'a, 's>,
    execution: Execution<'t>,
    joins: u64,
}

impl std::fmt::Debug for Walk<'_, '_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("execution", &self.execution).finish_non_exhaustive()
    }
}

impl<'t> Walk<'_, '_, 't> {
    /// Prepares a walk from the initial state of a task and passes it to a function.
    ///
    /// # Errors
    /// If the task has an unsupported feature.
    pub fn with<T>(task: &'t Task, run: impl FnOnce(Walk<'_, '_, 't>) -> T) -> Result<T, GroundError> {
        let execution = Execution::new(task).map_err(|predicate| {
            let name = &task.world.predicate(predicate).name;
            GroundError::Unsupported(format!("`{name}` depends negatively on itself"))
        })?;
        ApplicableSteps::with(task, |steps| run(Walk { steps, execution, joins: 0 }))
    }

    /// Returns the execution in the current state.
    pub fn execution(&self) -> &Execution<'t> {
        &self.execution
    }

    /// Replaces the execution by one of the same task, in any state.
    pub fn set_execution(&mut self, execution: Execution<'t>) {
        self.execution = execution;
    }

    /// Returns the number of joins so far, a measure of the work of [`applicable`](Self::applicable).
    pub fn joins(&self) -> u64 {
        self.joins
    }

    /// For each function, whether conditions or effects of actions depend on it.
    pub fn needed_functions(&self) -> &[bool] {
        &self.steps.needed_functions
    }

    /// Returns the predicates that steps change or rules derive.
    pub fn changing(&self) -> &[PredicateId] {
        &self.steps.changing
    }

    /// Returns the steps that are applicable in the current state, with their effects, in an order that depends only on the task and the state.
    /// Steps that differ only in parameters without effects are listed once.
    pub fn applicable(&mut self) -> Vec<(PlanStep, Delta)> {
        let mut facts: Vec<Vec<Vec<u32>>> = vec![Vec::new(); self.execution.task().world.predicates().len()];
        for (predicate, arguments) in self.execution.state().facts() {
            facts[predicate.index()].push(arguments.iter().map(|object| object.0).collect());
        }
        for place in 0..self.steps.changing.len() {
            let predicate = self.steps.changing[place];
            let of_predicate = &mut facts[predicate.index()];
            of_predicate.sort_unstable();
            self.steps.load(predicate, of_predicate.iter().map(Vec::as_slice));
        }
        let (execution, mut found) = (&self.execution, Vec::new());
        let enumeration = self.steps.for_each(MAX_JOINS, &mut |step| {
            let effects = execution.step_effects(&step);
            let is_applicable = effects.is_some();
            found.extend(effects.map(|effects| (step, effects)));
            is_applicable
        });
        self.joins += enumeration.joins;
        found
    }

    /// Goes to the state after an applicable step with these effects.
    pub fn go(&mut self, effects: &Delta) {
        self.execution.restore(effects);
    }
}
