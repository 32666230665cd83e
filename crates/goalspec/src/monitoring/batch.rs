//! The monitors of many environments, stepped in one call.

use std::sync::Arc;

use goalspec_core::state::Delta;
use goalspec_syntax::Diagnostic;
use goalspec_trace::StateColumns;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::{CompiledProgram, Monitor};
use crate::report::ProgramVerdict;

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
    /// The number of preferences or conjuncts.
    parts: usize,
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
    /// For each environment, the number of satisfactions of each preference that end in this state, or whether each conjunct of the goal
    /// holds, in the order of [`CompiledProgram::part_names`].
    pub satisfied: Vec<u32>,
}

/// One environment in a step: its monitor, its state and its results.
struct Row<'s> {
    monitor: &'s mut Monitor,
    delta: &'s mut Delta,
    numbers: &'s [f64],
    /// The row of the previous state, if it is known.
    previous: Option<&'s [f64]>,
    last: bool,
    is_stepped: bool,
    reward: &'s mut f64,
    done: &'s mut bool,
    score: &'s mut f64,
    satisfied: &'s mut [u32],
}

impl Row<'_> {
    /// Steps the environment and writes its results.
    fn advance(self, columns: &StateColumns) -> Result<(), Box<Diagnostic>> {
        self.satisfied.fill(0);
        if !self.is_stepped {
            *self.reward = 0.0;
            *self.done = self.monitor.is_over;
            *self.score = self.monitor.latest.as_ref().map_or(0.0, ProgramVerdict::score);
            return Ok(());
        }
        columns.fill(self.numbers, self.previous, self.monitor.steps(), self.delta)?;
        let verdict = self.monitor.step_checked(self.delta, self.last)?;
        *self.reward = verdict.reward();
        *self.done = verdict.done() || self.last;
        *self.score = verdict.score();
        match &verdict {
            ProgramVerdict::Game(verdict) => {
                let parts = verdict.satisfied.iter().map(|(preference, _)| *preference);
                parts.for_each(|preference| self.satisfied[preference] += 1);
            }
            ProgramVerdict::Goal { verdict, .. } => {
                verdict.conjuncts.ones().for_each(|conjunct| self.satisfied[conjunct] = 1);
            }
        }
        Ok(())
    }
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
            parts: program.part_names().len(),
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

    /// Returns the reward that an environment would have for its next state if that were not known to be the last one of its episode, and
    /// whether its game would then be over. The environment is unchanged. `row` has a number for each column.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    ///
    /// # Panics
    /// If `environment` is out of range, or the length of the row is not the number of columns.
    pub fn peek(&self, environment: usize, row: &[f64]) -> Result<(f64, bool), Box<Diagnostic>> {
        let (mut monitor, mut delta) = (self.monitors[environment].clone(), Delta::default());
        let width = self.columns.count();
        let previous = self.current[environment].then_some(&self.states[environment * width..][..width]);
        self.columns.fill(row, previous, monitor.steps(), &mut delta)?;
        let verdict = monitor.step_checked(&delta, false)?;
        Ok((verdict.reward(), verdict.done()))
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
        self.step_each(states, last, &|_| true, step)
    }

    /// Steps the selected environments as [`step`](Self::step) does. The others are unchanged: their rows are not read, and their results
    /// are those of their latest state, without a reward.
    ///
    /// # Errors
    /// As for `step`.
    ///
    /// # Panics
    /// As `step`, or if the length of `selected` is not the number of environments.
    pub fn step_selected(
        &mut self,
        states: &[f64],
        last: &[bool],
        selected: &[bool],
        step: &mut BatchStep,
    ) -> Result<(), Box<Diagnostic>> {
        assert_eq!(selected.len(), self.monitors.len(), "the number of environments");
        self.step_each(states, last, &|environment| selected[environment], step)
    }

    fn step_each(
        &mut self,
        states: &[f64],
        last: &[bool],
        is_selected: &dyn Fn(usize) -> bool,
        step: &mut BatchStep,
    ) -> Result<(), Box<Diagnostic>> {
        let (count, width) = (self.monitors.len(), self.columns.count());
        assert_eq!(states.len(), count * width, "the length of a matrix of {count} environments and {width} columns");
        assert_eq!(last.len(), count, "the number of environments");
        let selected_rows =
            || states.chunks_exact(width).enumerate().filter(|(environment, _)| is_selected(*environment));
        selected_rows().try_for_each(|(_, row)| self.columns.check(row))?;
        step.rewards.resize(count, 0.0);
        step.done.resize(count, false);
        step.scores.resize(count, 0.0);
        step.satisfied.resize(count * self.parts, 0);
        let mut satisfied_left = &mut step.satisfied[..];
        let environments = self.monitors.iter_mut().zip(&mut self.deltas);
        let results = step.rewards.iter_mut().zip(&mut step.done).zip(&mut step.scores);
        let rows = environments.zip(results).enumerate().map(|(index, ((monitor, delta), ((reward, done), score)))| {
            let (numbers, latest) = (&states[index * width..][..width], &self.states[index * width..][..width]);
            let previous = self.current[index].then_some(latest);
            let (satisfied, others) = std::mem::take(&mut satisfied_left).split_at_mut(self.parts);
            satisfied_left = others;
            let (last, is_stepped) = (last[index], is_selected(index));
            Row { monitor, delta, numbers, previous, last, is_stepped, reward, done, score, satisfied }
        });
        let advance = |row: Row<'_>| row.advance(&self.columns);
        let results: Vec<Result<(), Box<Diagnostic>>> = match &self.pool {
            None => rows.map(advance).collect(),
            Some(pool) => {
                let rows: Vec<_> = rows.collect();
                pool.install(|| rows.into_par_iter().with_min_len(MIN_ENVIRONMENTS_PER_TASK).map(advance).collect())
            }
        };
        for (environment, row) in selected_rows() {
            self.states[environment * width..][..width].copy_from_slice(row);
            self.current[environment] = true;
        }
        results.into_iter().collect()
    }
}
