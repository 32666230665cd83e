//! The monitors of many environments, stepped in one call.

use std::sync::Arc;

use goalspec_core::state::{Delta, State};
use goalspec_monitor::GameBatch;
use goalspec_syntax::Diagnostic;
use goalspec_trace::StateColumns;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::{CompiledProgram, Monitor, ProgramFeatures};
use crate::report::{ProgramReport, ProgramVerdict};

/// The minimum number of environments per task of a thread pool.
const MIN_ENVIRONMENTS_PER_TASK: usize = 16;

/// The number of environments that are evaluated side by side by one thread.
const ENVIRONMENTS_PER_BLOCK: usize = 128;

/// The monitors of one program in many environments, whose states are the rows of a matrix.
///
/// Games without a setup whose conditions compare single columns are evaluated side by side, which is several times as fast as a monitor for
/// each environment, with the same results. Environments are stepped on the calling thread, unless the batch is given a
/// [thread pool](Self::with_pool); the results are the same.
#[derive(Debug)]
pub struct MonitorBatch {
    program: CompiledProgram,
    columns: StateColumns,
    count: usize,
    /// The number of preferences or conjuncts.
    parts: usize,
    engine: BatchEngine,
    pool: Option<Arc<ThreadPool>>,
}

/// The runs of the environments.
#[derive(Debug)]
enum BatchEngine {
    /// A monitor for each.
    Monitors(Vec<MonitoredEnvironment>),
    /// Blocks of [`ENVIRONMENTS_PER_BLOCK`].
    SideBySide(Vec<GameBatch>),
}

/// An environment with a monitor of its own.
#[derive(Debug, Clone)]
struct MonitoredEnvironment {
    monitor: Monitor,
    delta: Delta,
    /// The row of the latest state; `None` if it is not known.
    previous: Option<Box<[f64]>>,
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

/// A block of environments in a step: their states, which of them are stepped, and their results.
struct BlockStep<'s> {
    states: &'s [f64],
    last: &'s [bool],
    selected: Option<&'s [bool]>,
    rewards: &'s mut [f64],
    done: &'s mut [bool],
    scores: &'s mut [f64],
    satisfied: &'s mut [u32],
}

impl BatchStep {
    /// Divides the results of a step into blocks of `size` environments.
    fn blocks<'s>(
        &'s mut self,
        size: usize,
        (width, parts): (usize, usize),
        states: &'s [f64],
        last: &'s [bool],
        selected: Option<&'s [bool]>,
    ) -> Vec<BlockStep<'s>> {
        let count = last.len();
        self.rewards.resize(count, 0.0);
        self.done.resize(count, false);
        self.scores.resize(count, 0.0);
        self.satisfied.resize(count * parts, 0);
        let results = self.rewards.chunks_mut(size).zip(self.done.chunks_mut(size)).zip(self.scores.chunks_mut(size));
        let mut satisfied_left = &mut self.satisfied[..];
        let blocks = results.enumerate().map(|(block, ((rewards, done), scores))| {
            let (first, length) = (block * size, rewards.len());
            let (satisfied, others) = std::mem::take(&mut satisfied_left).split_at_mut(length * parts);
            satisfied_left = others;
            BlockStep {
                states: &states[first * width..][..length * width],
                last: &last[first..][..length],
                selected: selected.map(|selected| &selected[first..][..length]),
                rewards,
                done,
                scores,
                satisfied,
            }
        });
        blocks.collect()
    }
}

impl BlockStep<'_> {
    fn is_selected(&self, environment: usize) -> bool {
        self.selected.is_none_or(|selected| selected[environment])
    }

    /// Steps environments that have monitors of their own. All are stepped; the error is that of the first.
    fn advance_monitors(
        self,
        environments: &mut [MonitoredEnvironment],
        columns: &StateColumns,
    ) -> Result<(), Box<Diagnostic>> {
        let (width, parts) = (columns.count(), self.satisfied.len() / environments.len().max(1));
        let mut result = Ok(());
        for (index, environment) in environments.iter_mut().enumerate() {
            let is_selected = self.is_selected(index);
            let satisfied = &mut self.satisfied[index * parts..][..parts];
            satisfied.fill(0);
            if !is_selected {
                let monitor = &environment.monitor;
                self.rewards[index] = 0.0;
                self.done[index] = monitor.is_over;
                self.scores[index] = monitor.latest.as_ref().map_or(0.0, ProgramVerdict::score);
                continue;
            }
            match environment.step(&self.states[index * width..][..width], self.last[index], columns) {
                Ok(verdict) => {
                    self.rewards[index] = verdict.reward();
                    self.done[index] = verdict.done() || self.last[index];
                    self.scores[index] = verdict.score();
                    count_satisfied(&verdict, satisfied);
                }
                Err(error) => result = result.and(Err(error)),
            }
        }
        result
    }

    /// Steps environments side by side.
    fn advance_block(self, block: &mut GameBatch, width: usize) {
        let parts = self.satisfied.len() / self.rewards.len().max(1);
        for index in 0..self.rewards.len() {
            let is_selected = self.is_selected(index);
            let satisfied = &mut self.satisfied[index * parts..][..parts];
            if is_selected {
                let row = &self.states[index * width..][..width];
                let result = block.step(index, row, self.last[index], satisfied);
                self.rewards[index] = result.reward;
                self.done[index] = result.done || self.last[index];
                self.scores[index] = result.score;
            } else {
                satisfied.fill(0);
                self.rewards[index] = 0.0;
                (self.scores[index], self.done[index]) = block.outcome(index);
            }
        }
    }
}

/// Counts the satisfactions of each preference, or marks the conjuncts that hold.
fn count_satisfied(verdict: &ProgramVerdict, satisfied: &mut [u32]) {
    match verdict {
        ProgramVerdict::Game(verdict) => {
            verdict.satisfied.iter().for_each(|(preference, _)| satisfied[*preference] += 1);
        }
        ProgramVerdict::Goal { verdict, .. } => {
            verdict.conjuncts.ones().for_each(|conjunct| satisfied[conjunct] = 1);
        }
    }
}

impl MonitoredEnvironment {
    fn step(&mut self, row: &[f64], last: bool, columns: &StateColumns) -> Result<ProgramVerdict, Box<Diagnostic>> {
        columns.fill(row, self.previous.as_deref(), self.monitor.steps(), &mut self.delta)?;
        match &mut self.previous {
            Some(previous) => previous.copy_from_slice(row),
            None => self.previous = Some(row.into()),
        }
        self.monitor.step_checked(&self.delta, last)
    }
}

impl MonitorBatch {
    /// Creates the monitors of `count` environments, each before its first state, whose states have these columns.
    ///
    /// # Panics
    /// If the columns are those of another world.
    pub fn new(program: &CompiledProgram, columns: StateColumns, count: usize) -> Self {
        assert!(columns.is_of(program.world()), "the columns are those of another world");
        let side_by_side = columns.complete_parts().and_then(|parts| {
            let sizes =
                (0..count).step_by(ENVIRONMENTS_PER_BLOCK).map(|first| ENVIRONMENTS_PER_BLOCK.min(count - first));
            let run = &program.prototype;
            sizes.map(|size| run.side_by_side(parts, size, program.options().budget)).collect::<Option<Vec<_>>>()
        });
        let engine = side_by_side.map_or_else(
            || {
                let environment =
                    MonitoredEnvironment { monitor: program.monitor(), delta: Delta::default(), previous: None };
                BatchEngine::Monitors(vec![environment; count])
            },
            BatchEngine::SideBySide,
        );
        let parts = program.part_names().len();
        Self { program: program.clone(), columns, count, parts, engine, pool: None }
    }

    /// Steps the environments on the threads of a pool.
    #[must_use]
    pub fn with_pool(mut self, pool: Arc<ThreadPool>) -> Self {
        self.pool = Some(pool);
        self
    }

    /// Returns the number of environments.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of preferences or conjuncts.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Whether the environments are evaluated side by side, and not by a monitor each.
    pub fn is_side_by_side(&self) -> bool {
        matches!(self.engine, BatchEngine::SideBySide(_))
    }

    /// Returns the number of states of an environment since the start or its last reset.
    ///
    /// # Panics
    /// If `environment` is out of range.
    pub fn states(&self, environment: usize) -> u64 {
        match &self.engine {
            BatchEngine::Monitors(environments) => environments[environment].monitor.steps(),
            BatchEngine::SideBySide(blocks) => {
                let (block, index) = place(environment);
                u64::from(blocks[block].states(index))
            }
        }
    }

    /// Writes the features of an environment, as [`Monitor::features`] does.
    ///
    /// # Panics
    /// If `environment` is out of range, or the length of `features` is not that of [`CompiledProgram::feature_names`].
    pub fn features(&self, environment: usize, features: &mut [f32]) {
        match (&self.engine, &*self.program.features) {
            (BatchEngine::Monitors(environments), _) => environments[environment].monitor.features(features),
            (BatchEngine::SideBySide(blocks), ProgramFeatures::Game(layout)) => {
                let (block, index) = place(environment);
                blocks[block].write_features(index, layout, features);
            }
            (BatchEngine::SideBySide(_), _) => unreachable!("games of the fast engine have the features of games"),
        }
    }

    /// Ends the episode of an environment and returns the report on it, as [`Monitor::finish`] does.
    ///
    /// # Panics
    /// If `environment` is out of range.
    pub fn finish(&mut self, environment: usize) -> ProgramReport {
        match &mut self.engine {
            BatchEngine::Monitors(environments) => environments[environment].monitor.finish(),
            BatchEngine::SideBySide(blocks) => {
                let (block, index) = place(environment);
                if blocks[block].states(index) == 0 {
                    return self.program.start().finish(&State::new(self.program.world()));
                }
                self.program.prototype.completed(blocks[block].finish(index))
            }
        }
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
        match &self.engine {
            BatchEngine::Monitors(environments) => {
                let verdict = environments[environment].clone().step(row, false, &self.columns)?;
                Ok((verdict.reward(), verdict.done()))
            }
            BatchEngine::SideBySide(blocks) => {
                self.columns.check(row)?;
                let (block, index) = place(environment);
                let result = blocks[block].only(index).step(0, row, false, &mut vec![0; self.parts]);
                Ok((result.reward, result.done))
            }
        }
    }

    /// Restarts an environment before the first state of a new episode.
    ///
    /// # Panics
    /// If `environment` is out of range.
    pub fn reset(&mut self, environment: usize) {
        match &mut self.engine {
            BatchEngine::Monitors(environments) => {
                environments[environment].monitor.reset();
                environments[environment].previous = None;
            }
            BatchEngine::SideBySide(blocks) => {
                let (block, index) = place(environment);
                blocks[block].reset(index);
            }
        }
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
        self.step_each(states, last, None, step)
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
        assert_eq!(selected.len(), self.count, "the number of environments");
        self.step_each(states, last, Some(selected), step)
    }

    fn step_each(
        &mut self,
        states: &[f64],
        last: &[bool],
        selected: Option<&[bool]>,
        step: &mut BatchStep,
    ) -> Result<(), Box<Diagnostic>> {
        let (count, width) = (self.count, self.columns.count());
        assert_eq!(states.len(), count * width, "the length of a matrix of {count} environments and {width} columns");
        assert_eq!(last.len(), count, "the number of environments");
        self.check(states, selected)?;
        let size = self.block_size();
        let steps = step.blocks(size, (width, self.parts), states, last, selected);
        let (columns, pool) = (&self.columns, self.pool.as_ref());
        match &mut self.engine {
            BatchEngine::Monitors(environments) => {
                let advance = |(environments, step): (&mut [MonitoredEnvironment], BlockStep<'_>)| {
                    step.advance_monitors(environments, columns)
                };
                let results: Vec<_> = match pool {
                    None => environments.chunks_mut(size).zip(steps).map(advance).collect(),
                    Some(pool) => pool.install(|| environments.par_chunks_mut(size).zip(steps).map(advance).collect()),
                };
                results.into_iter().collect()
            }
            BatchEngine::SideBySide(blocks) => {
                let advance = |(block, step): (&mut GameBatch, BlockStep<'_>)| step.advance_block(block, width);
                match pool {
                    None => blocks.iter_mut().zip(steps).for_each(advance),
                    Some(pool) => pool.install(|| blocks.par_iter_mut().zip(steps).for_each(advance)),
                }
                Ok(())
            }
        }
    }

    /// Returns the number of environments of a block.
    fn block_size(&self) -> usize {
        match (&self.engine, &self.pool) {
            (BatchEngine::SideBySide(_), _) => ENVIRONMENTS_PER_BLOCK,
            (BatchEngine::Monitors(_), Some(_)) => MIN_ENVIRONMENTS_PER_TASK,
            (BatchEngine::Monitors(_), None) => self.count.max(1),
        }
    }

    /// Checks the rows of the selected environments.
    fn check(&self, states: &[f64], selected: Option<&[bool]>) -> Result<(), Box<Diagnostic>> {
        for (environment, row) in states.chunks_exact(self.columns.count()).enumerate() {
            if selected.is_some_and(|selected| !selected[environment]) {
                continue;
            }
            let checked = match &self.engine {
                BatchEngine::Monitors(_) => None,
                BatchEngine::SideBySide(blocks) => {
                    let (block, index) = place(environment);
                    blocks[block].latest_row(index)
                }
            };
            match checked {
                Some(checked) => self.columns.check_changes(row, checked)?,
                None => self.columns.check(row)?,
            }
        }
        Ok(())
    }
}

/// Returns the block of an environment, and its index there.
fn place(environment: usize) -> (usize, usize) {
    (environment / ENVIRONMENTS_PER_BLOCK, environment % ENVIRONMENTS_PER_BLOCK)
}
