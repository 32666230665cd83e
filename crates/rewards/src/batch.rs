//! Rewards of many environments at once, and of many programs over the same frames, computed in parallel in a fixed order.

use std::sync::Arc;

use goalspec_python_runtime::fast::CallMemory;
use goalspec_python_runtime::machine::{CallError, ReturnValue, Reward};
use goalspec_python_runtime::scene::{AttributeValue, Objects};
use goalspec_syntax::Diagnostic;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::caller::{CallInput, Caller};
use crate::compiled::{CompiledReward, EngineInstance};
use crate::score::failure_reason;

/// The minimum number of environments per task: smaller tasks are not worth the cost of distributing them.
const MIN_ENVIRONMENTS_PER_TASK: usize = 64;

/// One program in many environments, each with its own program state.
///
/// Environments are stepped on the calling thread, unless they are given a [thread pool](Self::with_pool); the results are the same.
#[derive(Debug)]
pub struct Environments {
    callers: Vec<Caller<EngineInstance>>,
    /// The memory of calls on the calling thread.
    memory: Memory,
    pool: Option<Arc<ThreadPool>>,
}

/// The memory of the calls of the fast engine.
type Memory = Option<Box<CallMemory>>;

/// An environment's number, its program, and its observation.
type Turn<'c, 'o> = (usize, (&'c mut Caller<EngineInstance>, &'c Observation<'o>));

/// One observation of an environment.
#[derive(Debug, Clone, Copy)]
pub struct Observation<'m> {
    /// The objects, from [`ScreenWorld::fill_scene`](crate::screen_worlds::ScreenWorld::fill_scene) for a screen or from
    /// [`ObjectWorld::entities`](crate::objects::ObjectWorld::entities) for a state.
    pub objects: Objects<'m>,
    /// The action of the agent.
    pub action: Option<&'m AttributeValue>,
}

/// The reason why an environment has no reward.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewardError {
    /// The class of the exception, or the kind of the failure.
    pub kind: String,
    /// The message.
    pub message: String,
    /// The line of the program that raised it; `None` if the result itself is invalid.
    pub line: Option<u32>,
}

impl Environments {
    /// Creates `count` environments, each before its first step.
    ///
    /// # Errors
    /// Returns a diagnostic if the program's top level raises an exception.
    pub fn new(compiled: &CompiledReward, count: usize) -> Result<Self, Box<Diagnostic>> {
        let callers: Result<Vec<_>, _> = (0..count as u64).map(|environment| compiled.start_in(environment)).collect();
        Ok(Self { callers: callers?, memory: None, pool: None })
    }

    /// Steps the environments on the threads of a pool.
    #[must_use]
    pub fn with_pool(mut self, pool: Arc<ThreadPool>) -> Self {
        self.pool = Some(pool);
        self
    }

    /// Returns the number of environments.
    pub fn count(&self) -> usize {
        self.callers.len()
    }

    /// Steps every environment and replaces `rewards` by their rewards or failures, in order. `observations` holds one observation for
    /// each environment.
    ///
    /// # Panics
    /// Panics if the number of observations differs from the number of environments.
    pub fn step(&mut self, observations: &[Observation<'_>], rewards: &mut Vec<Result<Reward, RewardError>>) {
        self.step_each(observations, &|_| true, rewards);
    }

    /// Steps the selected environments as [`step`](Self::step) does. The others are unchanged, and their reward is 0.
    ///
    /// # Panics
    /// As `step`, or if the length of `selected` is not the number of environments.
    pub fn step_selected(
        &mut self,
        observations: &[Observation<'_>],
        selected: &[bool],
        rewards: &mut Vec<Result<Reward, RewardError>>,
    ) {
        assert_eq!(selected.len(), self.callers.len(), "the number of environments");
        self.step_each(observations, &|environment| selected[environment], rewards);
    }

    fn step_each(
        &mut self,
        observations: &[Observation<'_>],
        is_selected: &(dyn Fn(usize) -> bool + Sync),
        rewards: &mut Vec<Result<Reward, RewardError>>,
    ) {
        assert_eq!(observations.len(), self.callers.len(), "one observation for each environment");
        // Environments that take turns share the memory of calls, so that it stays in the cache.
        let call = |memory: &mut Memory, (environment, (caller, observation)): Turn<'_, '_>| {
            if !is_selected(environment) {
                return Ok(Reward::from(ReturnValue::Float(0.0)));
            }
            let input = CallInput { objects: observation.objects, fast_frame: None, action: observation.action };
            caller.machine.lend_memory(memory.take());
            let reward = caller.step(input).map_err(|error| RewardError::from_call_error(&error));
            *memory = caller.machine.take_memory();
            reward
        };
        match &self.pool {
            None => {
                let memory = &mut self.memory;
                rewards.clear();
                let turns = self.callers.iter_mut().zip(observations).enumerate();
                rewards.extend(turns.map(|turn| call(memory, turn)));
            }
            Some(pool) => pool.install(|| {
                let callers = self.callers.par_iter_mut().with_min_len(MIN_ENVIRONMENTS_PER_TASK);
                let turns = callers.zip(observations).enumerate();
                turns.map_init(Memory::default, |memory, turn| call(memory, turn)).collect_into_vec(rewards);
            }),
        }
    }

    /// Returns the seed of the random numbers of an environment in its current episode, `environment * 2**32 + episode`.
    ///
    /// # Panics
    /// Panics if `environment` is out of range.
    pub fn random_seed(&self, environment: usize) -> u64 {
        self.callers[environment].random_seed()
    }

    /// Resets an environment for a new episode: its program discards all state, and its random numbers have a new seed.
    ///
    /// # Errors
    /// Returns the failure if the program's top level raises an exception.
    ///
    /// # Panics
    /// Panics if `environment` is out of range.
    pub fn reset(&mut self, environment: usize) -> Result<(), RewardError> {
        self.callers[environment].reset().map_err(|error| RewardError::from_call_error(&error))
    }
}

impl std::fmt::Display for RewardError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)?;
        self.line.map_or(Ok(()), |line| write!(f, ", in line {line}"))
    }
}

impl std::error::Error for RewardError {}

impl RewardError {
    fn from_call_error(error: &CallError) -> Self {
        let (kind, message, line) = failure_reason(error);
        Self { kind, message, line }
    }
}
