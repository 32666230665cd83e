//! Rewards of many environments at once, and of many programs over the same frames; on all cores, each result in its place.

use goalspec_reward::machine::{Error, Reward};
use goalspec_reward::scene::{Field, Objects};
use goalspec_syntax::Diagnostic;
use rayon::prelude::*;

use super::caller::{Caller, Shown};
use super::ready::{Ready, Runner};
use super::score::reason;

/// Environments that a core takes at once: fewer are not worth to be told apart.
const LEAST: usize = 64;

/// One program in many environments; each keeps what the program keeps from call to call.
#[derive(Debug)]
pub struct Environments<'c> {
    callers: Vec<Caller<Runner<'c>>>,
}

/// What an environment shows.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'m> {
    /// The objects: [`ScreenWorld::scene_of`](super::worlds::ScreenWorld::scene_of) makes those of a screen,
    /// [`ObjectWorld::fill`](super::objects::ObjectWorld::fill) those of a state.
    pub objects: Objects<'m>,
    /// What the agent did.
    pub action: Option<&'m Field>,
}

/// Why there is no reward.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoReward {
    /// The class of the exception, or what else is wrong.
    pub kind: String,
    /// What it says.
    pub message: String,
    /// The line of the program in which it came up; none for what is wrong with a result.
    pub line: Option<u32>,
}

impl<'c> Environments<'c> {
    /// So many environments, each before its first step.
    ///
    /// # Errors
    /// The program's top level faults.
    pub fn new(ready: &'c Ready<'_>, count: usize) -> Result<Self, Box<Diagnostic>> {
        let callers: Result<Vec<_>, _> = (0..count).map(|_| ready.start()).collect();
        Ok(Self { callers: callers? })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.callers.len()
    }

    /// A step of every environment, in order: its reward, or why there is none. There is one moment for each environment.
    ///
    /// # Panics
    /// If there are more or fewer moments than environments.
    pub fn step(&mut self, moments: &[Moment<'_>], rewards: &mut Vec<Result<Reward, NoReward>>) {
        assert_eq!(moments.len(), self.callers.len(), "there is one moment for each environment");
        let callers = self.callers.par_iter_mut().with_min_len(LEAST);
        let asked = callers.zip(moments).map(|(caller, moment)| {
            let shown = Shown { objects: moment.objects, ready: None, action: moment.action };
            caller.step(shown).map_err(|error| NoReward::of(&error))
        });
        asked.collect_into_vec(rewards);
    }

    /// Begins another episode in an environment: the program forgets all there.
    ///
    /// # Errors
    /// The program's top level faults.
    ///
    /// # Panics
    /// If there is no environment of this number.
    pub fn reset(&mut self, environment: usize) -> Result<(), NoReward> {
        self.callers[environment].reset().map_err(|error| NoReward::of(&error))
    }
}

impl NoReward {
    fn of(error: &Error) -> Self {
        let (kind, message, line) = reason(error);
        Self { kind, message, line }
    }
}
