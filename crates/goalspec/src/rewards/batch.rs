//! Rewards of many environments at once, and of many programs over the same frames, computed in parallel in a fixed order.

use goalspec_reward::machine::{CallError, Reward};
use goalspec_reward::scene::{AttributeValue, Objects};
use goalspec_syntax::Diagnostic;
use rayon::prelude::*;

use super::caller::{CallInput, Caller};
use super::compiled::{CompiledReward, EngineInstance};
use super::score::failure_reason;

/// The minimum number of environments per task: smaller tasks are not worth the cost of distributing them.
const MIN_ENVIRONMENTS_PER_TASK: usize = 64;

/// One program in many environments, each with its own program state.
#[derive(Debug)]
pub struct Environments {
    callers: Vec<Caller<EngineInstance>>,
}

/// One observation of an environment.
#[derive(Debug, Clone, Copy)]
pub struct Observation<'m> {
    /// The objects, from [`ScreenWorld::fill_scene`](super::screen_worlds::ScreenWorld::fill_scene) for a screen or from
    /// [`ObjectWorld::entities`](super::objects::ObjectWorld::entities) for a state.
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
    pub fn new(ready: &CompiledReward, count: usize) -> Result<Self, Box<Diagnostic>> {
        let callers: Result<Vec<_>, _> = (0..count).map(|_| ready.start()).collect();
        Ok(Self { callers: callers? })
    }

    /// Returns the number of environments.
    pub fn count(&self) -> usize {
        self.callers.len()
    }

    /// Steps every environment and replaces `rewards` by their rewards or failures, in order. `moments` holds one observation for each
    /// environment.
    ///
    /// # Panics
    /// Panics if the number of observations differs from the number of environments.
    pub fn step(&mut self, moments: &[Observation<'_>], rewards: &mut Vec<Result<Reward, RewardError>>) {
        assert_eq!(moments.len(), self.callers.len(), "there is one moment for each environment");
        let callers = self.callers.par_iter_mut().with_min_len(MIN_ENVIRONMENTS_PER_TASK);
        let asked = callers.zip(moments).map(|(caller, moment)| {
            let shown = CallInput { objects: moment.objects, fast_frame: None, action: moment.action };
            caller.step(shown).map_err(|error| RewardError::from_call_error(&error))
        });
        asked.collect_into_vec(rewards);
    }

    /// Resets an environment for a new episode: its program discards all state.
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

impl RewardError {
    fn from_call_error(error: &CallError) -> Self {
        let (kind, message, line) = failure_reason(error);
        Self { kind, message, line }
    }
}
