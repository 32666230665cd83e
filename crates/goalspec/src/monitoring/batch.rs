//! The monitors of many environments, stepped in one call.

use std::sync::Arc;

use goalspec_core::state::Delta;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::StateColumns;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::{CompiledProgram, Monitor};

/// The minimum number of environments per task of a thread pool.
const MIN_ENVIRONMENTS_PER_TASK: usize = 16;

/// The monitors of one program in many environments.
///
/// Environments are stepped on the calling thread, unless the batch is given a [thread pool](Self::with_pool); the results are the same.
#[derive(Debug)]
pub struct MonitorBatch {
    monitors: Vec<Monitor>,
    deltas: Vec<Delta>,
    pool: Option<Arc<ThreadPool>>,
}

/// The results of one step of all environments, by index of the environment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BatchStep {
    /// The reward of each environment.
    pub rewards: Vec<f64>,
    /// Whether the game of each environment has ended.
    pub done: Vec<bool>,
}

/// One environment in a step: its monitor, its state and its results.
struct Row<'s> {
    monitor: &'s mut Monitor,
    delta: &'s mut Delta,
    numbers: &'s [f64],
    reward: &'s mut f64,
    done: &'s mut bool,
}

impl MonitorBatch {
    /// Creates the monitors of `count` environments, each before its first state.
    pub fn new(program: &CompiledProgram, count: usize) -> Self {
        Self { monitors: vec![program.monitor(); count], deltas: vec![Delta::default(); count], pool: None }
    }

    /// Steps the environments on the threads of a pool.
    #[must_use]
    pub fn with_pool(mut self, pool: Arc<ThreadPool>) -> Self {
        self.pool = Some(pool);
        self
    }

    /// Returns the monitors.
    pub fn monitors(&self) -> &[Monitor] {
        &self.monitors
    }

    /// Restarts an environment before the first state of a new episode.
    ///
    /// # Panics
    /// If `environment` is out of range.
    pub fn reset(&mut self, environment: usize) {
        self.monitors[environment].reset();
    }

    /// Steps every environment with its row of a matrix of states: `states[e * columns.count() + c]` is column `c` of environment `e`.
    /// Columns that do not change may be given again. The results replace those in `step`.
    ///
    /// # Errors
    /// If a number is infinite or not a number. No environment is stepped then.
    ///
    /// # Panics
    /// If the length of `states` is not the number of environments times the number of columns, or the columns are those of another world.
    pub fn step(
        &mut self,
        columns: &StateColumns,
        states: &[f64],
        step: &mut BatchStep,
    ) -> Result<(), Box<Diagnostic>> {
        let (count, width) = (self.monitors.len(), columns.count());
        assert_eq!(states.len(), count * width, "the length of a matrix of {count} environments and {width} columns");
        if let Some(at) = states.iter().position(|number| !number.is_finite()) {
            let message = format!("column {} of environment {} is {}", at % width, at / width, states[at]);
            return Err(Box::new(Diagnostic::new(goalspec_trace::codes::NOT_OF_WORLD, Severity::Error, message)));
        }
        step.rewards.resize(count, 0.0);
        step.done.resize(count, false);
        let environments = self.monitors.iter_mut().zip(&mut self.deltas);
        let results = step.rewards.iter_mut().zip(&mut step.done);
        let rows = environments.zip(results).enumerate().map(|(index, ((monitor, delta), (reward, done)))| Row {
            monitor,
            delta,
            numbers: &states[index * width..][..width],
            reward,
            done,
        });
        let advance = |row: Row<'_>| {
            columns.fill(row.numbers, row.monitor.steps(), row.delta);
            let verdict = row.monitor.step_checked(row.delta, false);
            *row.reward = verdict.reward();
            *row.done = verdict.done();
        };
        match &self.pool {
            None => rows.for_each(advance),
            Some(pool) => {
                let rows: Vec<_> = rows.collect();
                pool.install(|| rows.into_par_iter().with_min_len(MIN_ENVIRONMENTS_PER_TASK).for_each(advance));
            }
        }
        Ok(())
    }
}
