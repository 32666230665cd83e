//! Calls of a program in one environment, frame by frame.

use std::borrow::Cow;
use std::sync::Arc;

use goalspec_reward::entry::{Entry, Supply};
use goalspec_reward::limits::Budget;
use goalspec_reward::machine::{CallError, Reward};
use goalspec_reward::scene::{self, Field, Objects};
use goalspec_reward::{Machine, fast};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;

use super::frames::{Scene, Shot};
use super::program::RewardProgram;
use super::score::reason;
use super::world::RewardWorld;
use crate::codes;

/// The input of one call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'s> {
    /// The objects.
    pub(super) objects: Objects<'s>,
    /// The same objects prepared for the fast engine, if they are.
    pub(super) ready: Option<&'s fast::Frame>,
    /// The action of the agent.
    pub(super) action: Option<&'s Field>,
}

/// An engine instance that runs a program in one environment.
pub(super) trait Runs<'c> {
    /// Discards all state left by earlier calls.
    fn reset(&mut self) -> Result<(), CallError>;

    /// Returns the units of work of the last call; 0 if it was certainly not slow.
    fn spent(&self) -> u64;

    /// Returns the units of work of a reset: those of the top level, if it runs immediately.
    fn reset_work(&self) -> u64;

    /// Computes the reward.
    fn reward(
        &mut self,
        entry: &Entry,
        input: &scene::Input<'_>,
        ready: Option<&fast::Frame>,
    ) -> Result<Reward, Cow<'c, CallError>>;
}

impl<'c> Runs<'c> for Machine<'c> {
    fn reset(&mut self) -> Result<(), CallError> {
        Self::reset(self)
    }

    fn spent(&self) -> u64 {
        Self::work_spent(self)
    }

    fn reset_work(&self) -> u64 {
        self.setup_work()
    }

    fn reward(
        &mut self,
        entry: &Entry,
        input: &scene::Input<'_>,
        _: Option<&fast::Frame>,
    ) -> Result<Reward, Cow<'c, CallError>> {
        Self::reward(self, entry, input).map_err(Cow::Owned)
    }
}

/// The failure kind of frames on which the program is no longer called.
pub(super) const NOT_RUN: &str = "skipped";

/// The reason why a frame of a recording has no reward.
#[derive(Debug)]
pub(super) enum Missing<'r> {
    /// The call failed.
    Failed(Cow<'r, CallError>),
    /// The program was not called: earlier slow calls used up this many units of work, [`Budget::overtime`].
    NotRun(u64),
}

impl Missing<'_> {
    /// Returns the failure kind, the message and the line.
    pub(super) fn reason(&self) -> (String, String, Option<u32>) {
        match self {
            Self::Failed(error) => reason(error),
            Self::NotRun(overtime) => {
                let message =
                    format!("the slow calls of earlier frames exceeded the limit of {overtime} units of work");
                (NOT_RUN.to_owned(), message, None)
            }
        }
    }
}

/// A running program, with the state of the current episode.
#[derive(Debug)]
pub(super) struct Caller<M> {
    pub(super) machine: M,
    entry: Arc<Entry>,
    /// The episode of the previous frame.
    episode: Option<u64>,
    /// The previous scene of the same episode.
    before: Option<Scene>,
    /// Whether the program takes the previous scene.
    looks_back: bool,
    /// The budget of calls.
    budget: Budget,
    /// Units of work of the reset before the last call.
    begun: u64,
    /// Units of work of all slow calls of the recording, and of slow top levels at the start of episodes.
    overtime: u64,
}

impl<'r> Caller<Machine<'r>> {
    /// Starts a program on the reference machine.
    pub(super) fn start(
        name: &str,
        reward: &'r RewardProgram,
        world: &'r RewardWorld,
    ) -> Result<Self, Box<Diagnostic>> {
        let (program, entry) = parts(reward, world)?;
        let budget = Budget::default();
        let machine = Machine::new(program, world.scene(), budget).map_err(|error| not_run(name, &error))?;
        Ok(Self::new(entry, machine, budget))
    }
}

impl<'r, M: Runs<'r>> Caller<M> {
    /// Creates a caller before its first frame.
    pub(super) fn new(entry: Arc<Entry>, machine: M, budget: Budget) -> Self {
        let mut supplies = entry.arguments.iter().chain(entry.named.iter().map(|(_, supply)| supply));
        let looks_back = supplies.any(|supply| *supply == Supply::Previous);
        Self { machine, entry, episode: None, before: None, looks_back, budget, begun: 0, overtime: 0 }
    }

    /// Returns the name of the reward function.
    pub(super) fn function(&self) -> &str {
        &self.entry.function
    }

    /// Discards all state, as at the start of an episode.
    pub(super) fn reset(&mut self) -> Result<(), CallError> {
        self.before = None;
        self.machine.reset()
    }

    /// Discards only the previous scene, as at the start of an episode.
    pub(super) fn forget_scene(&mut self) {
        self.before = None;
    }

    /// Calls the program on a frame of a recording with this input, unless it has used up its overtime.
    pub(super) fn call(&mut self, shot: &Shot, shown: Shown<'_>) -> Result<Reward, Missing<'r>> {
        if self.overtime >= self.budget.overtime {
            return Err(Missing::NotRun(self.budget.overtime));
        }
        self.begun = 0;
        if self.episode.replace(shot.episode) != Some(shot.episode) {
            self.begun = self.machine.reset_work();
            self.count(self.begun);
            self.reset().map_err(|error| Missing::Failed(Cow::Owned(error)))?;
        }
        let reward = self.step(shown);
        // A call that exhausted another limit than work took about as long as one that exhausted its work.
        let exhausted = reward.as_ref().is_err_and(|error| matches!(**error, CallError::Exhausted { .. }));
        self.count(if exhausted { self.budget.work } else { self.machine.spent() });
        reward.map_err(Missing::Failed)
    }

    /// Returns the units of work of the last call, including those of the top level at the start of an episode.
    pub(super) fn spent(&self) -> u64 {
        self.begun + self.machine.spent()
    }

    /// Adds the units of work of a slow call to the overtime.
    fn count(&mut self, work: u64) {
        if work > self.budget.slow {
            self.overtime = self.overtime.saturating_add(work);
        }
    }

    /// Calls the program on the next frame of the episode.
    pub(super) fn step(&mut self, shown: Shown<'_>) -> Result<Reward, Cow<'r, CallError>> {
        let Shown { objects, ready, action } = shown;
        let asked = scene::Input { objects, previous: self.before.as_ref().map(Scene::objects), action };
        let reward = self.machine.reward(&self.entry, &asked, ready);
        if self.looks_back {
            self.before = Some(Scene::of(objects));
        }
        reward
    }
}

impl<'s> Shown<'s> {
    /// Returns the input of a frame of a recording.
    pub(super) fn of(shot: &'s Shot) -> Self {
        Self { objects: shot.scene.objects(), ready: None, action: shot.action.as_ref() }
    }
}

/// Returns the executable program and its reward function.
pub(super) fn parts<'r>(
    reward: &'r RewardProgram,
    world: &RewardWorld,
) -> Result<(&'r goalspec_reward::Program, Arc<Entry>), Box<Diagnostic>> {
    let (Some(program), Some(entry)) = (&reward.program, reward.entry(world)) else {
        unreachable!("programs that do not run are left out")
    };
    Ok((program, Arc::new(entry?)))
}

/// Returns the diagnostic for a program whose top level fails.
pub(super) fn not_run(name: &str, error: &CallError) -> Box<Diagnostic> {
    let (_, _, line) = reason(error);
    let line = line.map_or_else(String::new, |line| format!(", in line {line}"));
    let message = format!("cannot run `{name}`: its top level ends with {error}{line}");
    Box::new(Diagnostic::new(codes::REFUSED, Severity::Error, message))
}
