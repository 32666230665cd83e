//! The monitors of many environments, stepped in one call.

use std::sync::Arc;

use goalspec_core::state::Delta;
use goalspec_syntax::Diagnostic;
use goalspec_trace::StateColumns;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::{CompiledProgram, Monitor};

/// The minimum number of environments per task of a thread pool.
const MIN_ENVIRONMENTS_PER_TASK: usize = 16;

/// The monitors of one program in many environments, whose states are the rows of a matrix.
///
/// Environments are stepped on the calling thread, unless the batch is given a [thread pool](Self::with_pool); the results are the same.
#[derive(Debug)]
pub struct MonitorBatch {
    columns: StateColumns,
    monitors: Vec<Monitor>,
    deltas: Vec<Delta>,
    /// The states of the latest step.
    states: Vec<f64>,
    /// Whether the latest state of each monitor is its row of `states`.
    current: Vec<bool>,
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
    /// The row of the previous state, if it is known.
    previous: Option<&'s [f64]>,
    last: bool,
    reward: &'s mut f64,
    done: &'s mut bool,
    score: &'s mut f64,
}

impl MonitorBatch {
    /// Creates the monitors of `count` environments, each before its first state, whose states have these columns.
    ///
    /// # Panics
    /// If the columns are those of another world.
    pub fn new(program: &CompiledProgram, columns: StateColumns, count: usize) -> Self {
        assert!(columns.is_of(program.world()), "the columns are those of another world");
        Self {
            states: vec![0.0; count * columns.count()],
            columns,
            monitors: vec![program.monitor(); count],
            deltas: vec![Delta::default(); count],
            current: vec![false; count],
            pool: None,
        }
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
        self.monitor_mut(environment).reset();
    }

    /// Returns the monitor of an environment, for example to [finish](Monitor::finish) its episode.
    ///
    /// # Panics
    /// If `environment` is out of range.
    pub fn monitor_mut(&mut self, environment: usize) -> &mut Monitor {
        // The caller may step or reset it.
        self.current[environment] = false;
        &mut self.monitors[environment]
    }

    /// Steps every environment with its row of a matrix of states: `states[e * width + c]` is column `c` of environment `e`, where `width`
    /// is the number of columns. `last` says for each environment whether the state is known to be the last one of its episode, as when
    /// the environment ends or truncates it. The results replace those in `step`.
    ///
    /// # Errors
    /// If a number is not a value of its column; no environment is stepped then. If a program exceeds its budget; all environments are
    /// stepped then, and the error is that of the first.
    ///
    /// # Panics
    /// If the length of `states` is not the number of environments times the number of columns, or that of `last` is not the number of
    /// environments.
    pub fn step(&mut self, states: &[f64], last: &[bool], step: &mut BatchStep) -> Result<(), Box<Diagnostic>> {
        let (count, width) = (self.monitors.len(), self.columns.count());
        assert_eq!(states.len(), count * width, "the length of a matrix of {count} environments and {width} columns");
        assert_eq!(last.len(), count, "the number of environments");
        states.chunks_exact(width).try_for_each(|row| self.columns.check(row))?;
        step.rewards.resize(count, 0.0);
        step.done.resize(count, false);
        step.scores.resize(count, 0.0);
        let environments = self.monitors.iter_mut().zip(&mut self.deltas);
        let results = step.rewards.iter_mut().zip(&mut step.done).zip(&mut step.scores);
        let rows = environments.zip(results).enumerate().map(|(index, ((monitor, delta), ((reward, done), score)))| {
            let (numbers, latest) = (&states[index * width..][..width], &self.states[index * width..][..width]);
            let previous = self.current[index].then_some(latest);
            Row { monitor, delta, numbers, previous, last: last[index], reward, done, score }
        });
        let advance = |row: Row<'_>| -> Result<(), Box<Diagnostic>> {
            self.columns.fill(row.numbers, row.previous, row.monitor.steps(), row.delta)?;
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
        self.states.copy_from_slice(states);
        self.current.fill(true);
        results.into_iter().collect()
    }
}
