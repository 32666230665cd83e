//! Programs made ready to be called in any number of environments, by the engine that was asked for.

use std::borrow::Cow;
use std::sync::Arc;

use goalspec_reward::entry::Entry;
use goalspec_reward::fast::{self, Compiled, Coverage};
pub use goalspec_reward::limits::Budget;
use goalspec_reward::machine::{Error, Reward, Warning};
use goalspec_reward::observe::Observer;
use goalspec_reward::terms::{Term, Terms};
use goalspec_reward::{Machine, Program, scene};
use goalspec_syntax::{Diagnostic, SourceFile};

use super::caller::{Caller, Runs, not_run, parts};
use super::program::RewardProgram;
use super::world::RewardWorld;
use crate::run::Engine;

/// Why frames are handed over where the fast engine has no word for it.
const UNNAMED: &str = "a result that is no reward";

/// A program, ready to be called.
#[derive(Debug)]
pub struct Ready<'r> {
    name: Arc<str>,
    program: &'r Program,
    source: &'r SourceFile,
    world: &'r RewardWorld,
    entry: Arc<Entry>,
    engine: Engine,
    budget: Budget,
    /// What runs fast; `None` if nothing does.
    compiled: Option<Compiled<'r>>,
    coverage: Coverage,
}

/// How frames were run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Calls {
    /// The engine that was asked for.
    pub engine: Engine,
    /// How many frames were run fast.
    pub fast: u64,
    /// How many were run by the reference machine, as the fast engine has no fast form for what they came to.
    pub handed_over: u64,
    /// Why, and how often.
    pub reasons: Vec<(String, u64)>,
    /// What of the program runs fast.
    pub coverage: Coverage,
}

impl<'r> Ready<'r> {
    /// Makes a program ready for a world.
    ///
    /// # Errors
    /// It has no function that gives the reward, or its top level faults.
    ///
    /// # Panics
    /// If it has errors that keep it from running.
    pub fn new(
        name: &Arc<str>,
        reward: &'r RewardProgram,
        world: &'r RewardWorld,
        engine: Engine,
    ) -> Result<Self, Box<Diagnostic>> {
        Self::within(name, reward, world, engine, Budget::default())
    }

    /// Makes a program ready for a world, whose calls may take so much.
    ///
    /// # Errors
    /// It has no function that gives the reward, or its top level faults.
    ///
    /// # Panics
    /// If it has errors that keep it from running.
    pub fn within(
        name: &Arc<str>,
        reward: &'r RewardProgram,
        world: &'r RewardWorld,
        engine: Engine,
        budget: Budget,
    ) -> Result<Self, Box<Diagnostic>> {
        let (program, entry) = parts(reward, world)?;
        let nothing = |why: &str| Coverage { nothing: Some(why.to_owned()), ..Coverage::default() };
        let (mut compiled, mut coverage) = (None, nothing("the reference machine was asked for"));
        if engine == Engine::Fast && matches!(world, RewardWorld::Objects(_)) {
            coverage = nothing("objects of worlds other than those of games of Atari have no fast form");
        } else if engine == Engine::Fast && entry.takes_objects_only() {
            let made = Compiled::new(program, world.scene(), &entry.function, budget);
            let made = made.map_err(|error| not_run(name, &error))?;
            coverage = made.coverage().clone();
            compiled = coverage.nothing.is_none().then_some(made);
        } else if engine == Engine::Fast {
            coverage = nothing("the function takes other things than the list of objects");
        }
        Ok(Self {
            name: name.clone(),
            program,
            source: reward.source(),
            world,
            entry,
            engine,
            budget,
            compiled,
            coverage,
        })
    }

    /// The program's name.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The world.
    pub fn world(&self) -> &'r RewardWorld {
        self.world
    }

    /// What of the program runs fast, and what does not, and why.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// The program in an environment of its own.
    pub(super) fn start(&self) -> Result<Caller<Runner<'_>>, Box<Diagnostic>> {
        let runner = if let Some(compiled) = &self.compiled {
            Runner::Fast(Box::new(compiled.engine()))
        } else {
            let machine = Machine::new(self.program, self.world.scene(), self.budget);
            Runner::Reference(Box::new(machine.map_err(|error| not_run(&self.name, &error))?))
        };
        Ok(Caller::new(self.entry.clone(), runner, self.budget))
    }

    /// Has someone look on who tells what each term adds. The terms; none where the fast engine runs the program.
    pub(super) fn watch(&self, caller: &mut Caller<Runner<'_>>) -> Vec<Term> {
        let Runner::Reference(machine) = &mut caller.machine else { return Vec::new() };
        let terms = Terms::of(self.source, &self.entry.function);
        machine.observe(Observer::new(self.program, &terms));
        terms.list
    }

    /// That no frame was run yet.
    pub(super) fn calls(&self) -> Calls {
        Calls { engine: self.engine, coverage: self.coverage.clone(), ..Calls::default() }
    }
}

/// What runs a program.
#[derive(Debug)]
pub(super) enum Runner<'c> {
    Fast(Box<fast::Engine<'c>>),
    Reference(Box<Machine<'c>>),
}

impl<'c> Runs<'c> for Runner<'c> {
    fn reset(&mut self) -> Result<(), Error> {
        match self {
            Self::Fast(engine) => {
                engine.reset();
                Ok(())
            }
            Self::Reference(machine) => machine.reset(),
        }
    }

    fn spent(&self) -> u64 {
        Self::spent(self)
    }

    fn reset_work(&self) -> u64 {
        match self {
            // The top level runs when a call is handed over.
            Self::Fast(_) => 0,
            Self::Reference(machine) => machine.set_up(),
        }
    }

    fn reward(
        &mut self,
        entry: &Entry,
        input: &scene::Input<'_>,
        ready: Option<&fast::Frame>,
    ) -> Result<Reward, Cow<'c, Error>> {
        match (self, ready) {
            (Self::Fast(engine), Some(frame)) => engine.reward_frame(entry, input, frame),
            (Self::Fast(engine), None) => engine.reward(entry, input),
            (Self::Reference(machine), _) => machine.reward(entry, input).map_err(Cow::Owned),
        }
    }
}

impl Runner<'_> {
    /// Who looks on.
    pub(super) fn observer(&mut self) -> Option<&mut Observer> {
        match self {
            Self::Fast(_) => None,
            Self::Reference(machine) => machine.observer(),
        }
    }

    /// The units of work that the reference machine took for the last call.
    pub(super) fn spent(&self) -> u64 {
        match self {
            Self::Fast(engine) => engine.spent(),
            Self::Reference(machine) => machine.spent(),
        }
    }

    /// What numpy warned of in the last call.
    pub(super) fn warnings(&self) -> &[Warning] {
        match self {
            Self::Fast(engine) => engine.warnings(),
            Self::Reference(machine) => machine.warnings(),
        }
    }

    /// How many calls the fast engine handed over, and why the last one.
    fn handed_over(&self) -> (u64, Option<&str>) {
        match self {
            Self::Fast(engine) => (engine.counts().handed_over, engine.handed_over_for()),
            Self::Reference(_) => (0, None),
        }
    }
}

impl Calls {
    /// Notes how the last call was run.
    pub(super) fn note(&mut self, runner: &Runner<'_>) {
        if self.engine == Engine::Interpreter {
            return;
        }
        let reason = match runner.handed_over() {
            _ if self.coverage.nothing.is_some() => self.coverage.nothing.as_deref().unwrap_or(UNNAMED),
            (count, why) if count > self.handed_over => why.unwrap_or(UNNAMED),
            _ => {
                self.fast += 1;
                return;
            }
        };
        self.handed_over += 1;
        match self.reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => self.reasons.push((reason.to_owned(), 1)),
        }
    }
}
