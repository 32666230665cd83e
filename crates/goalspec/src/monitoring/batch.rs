//! The monitors of many environments, stepped in one call.

use std::sync::Arc;

use goalspec_core::state::Delta;
use goalspec_syntax::Diagnostic;
use goalspec_trace::StateColumns;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::{CompiledProgram, Monitor};
use crate::scoring::trace_diagnostic;

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
    /// Whether the game or the episode of each environment has ended.
    pub done: Vec<bool>,
    /// The score of each game so far, or the progress towards each goal.
    pub scores: Vec<f64>,
}

/// One environment in a step: its monitor, its state and its results.
struct Row<'s> {
    monitor: &'s mut Monitor,
    delta: &'s mut Delta,
    numbers: &'s [f64],
    last: bool,
    reward: &'s mut f64,
    done: &'s mut bool,
    score: &'s mut f64,
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

    /// Returns the monitor of an environment, for example to [finish](Monitor::finish) its episode.
    ///
    /// # Panics
    /// If `environment` is out of range.
    pub fn monitor_mut(&mut self, environment: usize) -> &mut Monitor {
        &mut self.monitors[environment]
    }

    /// Steps every environment with its row of a matrix of states: `states[e * columns.count() + c]` is column `c` of environment `e`.
    /// `last` says for each environment whether the state is known to be the last one of its episode, as when the environment ends or
    /// truncates it. Columns that do not change may be given again. The results replace those in `step`.
    ///
    /// # Errors
    /// If a number is not a value of its column; no environment is stepped then. If a program exceeds its budget; all environments are
    /// stepped then, and the error is that of the first.
    ///
    /// # Panics
    /// If the length of `states` is not the number of environments times the number of columns, that of `last` is not the number of
    /// environments, or the columns are those of another world.
    pub fn step(
        &mut self,
        columns: &StateColumns,
        states: &[f64],
        last: &[bool],
        step: &mut BatchStep,
    ) -> Result<(), Box<Diagnostic>> {
        let (count, width) = (self.monitors.len(), columns.count());
        assert_eq!(states.len(), count * width, "the length of a matrix of {count} environments and {width} columns");
        assert_eq!(last.len(), count, "the number of environments");
        if let Some(monitor) = self.monitors.first() {
            assert!(columns.is_of(monitor.program().world()), "the columns are those of another world");
        }
        let mut matrix = states.chunks_exact(width.max(1));
        matrix.try_for_each(|row| columns.check(row)).map_err(trace_diagnostic)?;
        step.rewards.resize(count, 0.0);
        step.done.resize(count, false);
        step.scores.resize(count, 0.0);
        let environments = self.monitors.iter_mut().zip(&mut self.deltas);
        let results = step.rewards.iter_mut().zip(&mut step.done).zip(&mut step.scores);
        let rows = environments.zip(results).enumerate().map(|(index, ((monitor, delta), ((reward, done), score)))| {
            Row { monitor, delta, numbers: &states[index * width..][..width], last: last[index], reward, done, score }
        });
        let advance = |row: Row<'_>| -> Result<(), Box<Diagnostic>> {
            columns.fill(row.numbers, row.monitor.steps(), row.delta).map_err(trace_diagnostic)?;
            let verdict = row.monitor.step_checked(row.delta, row.last)?;
            *row.reward = verdict.reward();
            *row.done = verdict.done() || row.last;
            *row.score = verdict.score();
            Ok(())
        };
        let results: Vec<Result<(), Box<Diagnostic>>> = match &self.pool {
            None => rows.map(advance).collect(),
            Some(pool) => {
                let rows: Vec<_> = rows.collect();
                pool.install(|| rows.into_par_iter().with_min_len(MIN_ENVIRONMENTS_PER_TASK).map(advance).collect())
            }
        };
        results.into_iter().collect()
    }
}
