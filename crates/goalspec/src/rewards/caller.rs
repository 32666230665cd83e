//! A program that is called frame by frame, in one environment.

use std::borrow::Cow;
use std::sync::Arc;

use goalspec_reward::entry::{Entry, Supply};
use goalspec_reward::limits::Budget;
use goalspec_reward::machine::{Error, Reward};
use goalspec_reward::scene::{self, Field, Objects};
use goalspec_reward::{Machine, fast};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;

use super::frames::{Scene, Shot};
use super::program::RewardProgram;
use super::score::reason;
use super::world::RewardWorld;
use crate::codes;

/// What a frame shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'s> {
    /// The objects.
    pub(super) objects: Objects<'s>,
    /// The same for the fast engine, if they were made ready.
    pub(super) ready: Option<&'s fast::Frame>,
    /// What the agent did.
    pub(super) action: Option<&'s Field>,
}

/// What runs a program.
pub(super) trait Runs<'c> {
    /// Forgets everything that calls left behind.
    fn reset(&mut self) -> Result<(), Error>;

    /// The units of work that the last call took; 0 of one that is certainly not slow.
    fn spent(&self) -> u64;

    /// The units of work that a reset takes: those of the top level, if it is run at once.
    fn reset_work(&self) -> u64;

    /// Asks for a reward.
    fn reward(
        &mut self,
        entry: &Entry,
        input: &scene::Input<'_>,
        ready: Option<&fast::Frame>,
    ) -> Result<Reward, Cow<'c, Error>>;
}

impl<'c> Runs<'c> for Machine<'c> {
    fn reset(&mut self) -> Result<(), Error> {
        Self::reset(self)
    }

    fn spent(&self) -> u64 {
        Self::spent(self)
    }

    fn reset_work(&self) -> u64 {
        self.set_up()
    }

    fn reward(
        &mut self,
        entry: &Entry,
        input: &scene::Input<'_>,
        _: Option<&fast::Frame>,
    ) -> Result<Reward, Cow<'c, Error>> {
        Self::reward(self, entry, input).map_err(Cow::Owned)
    }
}

/// The kind of reason of frames at which a program is not called any more.
pub(super) const NOT_RUN: &str = "not run";

/// Why a frame of a recording has no reward.
#[derive(Debug)]
pub(super) enum Missing<'r> {
    /// The call gave none.
    Failed(Cow<'r, Error>),
    /// It was not called: slow calls before used up so many units of work, [`Budget::overtime`].
    NotRun(u64),
}

impl Missing<'_> {
    /// What kind of reason it is, what it says, and in which line it came up.
    pub(super) fn reason(&self) -> (String, String, Option<u32>) {
        match self {
            Self::Failed(error) => reason(error),
            Self::NotRun(overtime) => {
                let message =
                    format!("slow frames before used up {overtime} units of work, which is all that they may");
                (NOT_RUN.to_owned(), message, None)
            }
        }
    }
}

/// A program that runs: its state is that of an episode.
#[derive(Debug)]
pub(super) struct Caller<M> {
    pub(super) machine: M,
    entry: Arc<Entry>,
    /// The episode of the frame before.
    episode: Option<u64>,
    /// The scene before, in the same episode.
    before: Option<Scene>,
    /// Whether the program asks for it.
    looks_back: bool,
    /// What calls may take.
    budget: Budget,
    /// Units of work that the reset before the last call took.
    begun: u64,
    /// Units of work that slow calls of the recording took, and slow top levels at the beginning of episodes.
    overtime: u64,
}

impl<'r> Caller<Machine<'r>> {
    /// A program before its first frame, on the reference machine.
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
    /// A program before its first frame.
    pub(super) fn new(entry: Arc<Entry>, machine: M, budget: Budget) -> Self {
        let mut supplies = entry.arguments.iter().chain(entry.named.iter().map(|(_, supply)| supply));
        let looks_back = supplies.any(|supply| *supply == Supply::Previous);
        Self { machine, entry, episode: None, before: None, looks_back, budget, begun: 0, overtime: 0 }
    }

    /// The function that is called.
    pub(super) fn function(&self) -> &str {
        &self.entry.function
    }

    /// Forgets everything, as before an episode.
    pub(super) fn reset(&mut self) -> Result<(), Error> {
        self.before = None;
        self.machine.reset()
    }

    /// Forgets the scene before, as where an episode begins, and nothing else.
    pub(super) fn forget_scene(&mut self) {
        self.before = None;
    }

    /// Calls it with a moment of a recording, which shows this, unless it has used up too much before.
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
        // What used up anything else than work took about as long as that.
        let exhausted = reward.as_ref().is_err_and(|error| matches!(**error, Error::Exhausted { .. }));
        self.count(if exhausted { self.budget.work } else { self.machine.spent() });
        reward.map_err(Missing::Failed)
    }

    /// The units of work that the last call took, with those of the top level where an episode began.
    pub(super) fn spent(&self) -> u64 {
        self.begun + self.machine.spent()
    }

    /// Counts units of work, if they are of a slow call.
    fn count(&mut self, work: u64) {
        if work > self.budget.slow {
            self.overtime = self.overtime.saturating_add(work);
        }
    }

    /// Calls it with what the next frame of the episode shows.
    pub(super) fn step(&mut self, shown: Shown<'_>) -> Result<Reward, Cow<'r, Error>> {
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
    /// What a moment of a recording shows.
    pub(super) fn of(shot: &'s Shot) -> Self {
        Self { objects: shot.scene.objects(), ready: None, action: shot.action.as_ref() }
    }
}

/// What runs of a program, and which function of it gives the reward.
pub(super) fn parts<'r>(
    reward: &'r RewardProgram,
    world: &RewardWorld,
) -> Result<(&'r goalspec_reward::Program, Arc<Entry>), Box<Diagnostic>> {
    let (Some(program), Some(entry)) = (&reward.program, reward.entry(world)) else {
        unreachable!("programs that do not run are left out")
    };
    Ok((program, Arc::new(entry?)))
}

/// That the top level of a program faults.
pub(super) fn not_run(name: &str, error: &Error) -> Box<Diagnostic> {
    let (_, _, line) = reason(error);
    let line = line.map_or_else(String::new, |line| format!(", in line {line}"));
    let message = format!("`{name}` is not run: its top level ends with {error}{line}");
    Box::new(Diagnostic::new(codes::REFUSED, Severity::Error, message))
}
