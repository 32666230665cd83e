//! The fast engine: programs as instructions of a register machine, on values without tags.
//!
//! What a function does is laid out once for a [`Program`] and a [`World`], with everything that it calls in place, by what the types of
//! its values are. A call is tried fast first. It changes nothing that lasts; should it meet something that is not covered (a number that does
//! not fit, an exception that may be handled, an instruction that has no fast form, the budget), it is given up and run again from its
//! beginning by the reference machine, which gives the exact value, exception and traceback. Exceptions that are known word for word are
//! given by the fast code itself. [`Compiled::coverage`] tells what of a program runs fast, [`Engine::counts`] how many calls did.
//!
//! A function that is called often becomes machine code, which does what the register machine does, with the same words and the same
//! fuel, and gives calls up to it for which it has no room: scenes of more than 64 objects, longer lists than 127 elements, and what is rare.
//! Functions that change objects or the list of them stay in the register machine; so does everything where the crate is built without the
//! feature `native`, and on processors without a compiler. [`Compiled::compile`] does it at once.
//!
//! One [`Compiled`] serves any number of environments, each with an [`Engine`] of its own: some registers, lists that are used again, and
//! a reference machine once one is needed.
//!
//! | module | what lives there |
//! |---|---|
//! | `frame` | scenes as rows of numbers |
//! | `op`, `run` | the register machine |
//! | `emit` | stack code with types to its instructions |
//! | `native` | its instructions to machine code |
//! | `coverage` | what runs fast |

#![allow(clippy::cast_possible_wrap, reason = "lengths and places fit, as memory is limited")]
#![allow(clippy::many_single_char_names, reason = "registers and fields of instructions are called so")]

mod coverage;
mod emit;
mod frame;
#[cfg(feature = "native")]
mod native;
#[cfg(not(feature = "native"))]
#[path = "fast/without_native.rs"]
mod native;
mod op;
mod run;

use std::borrow::Cow;
use std::time::Duration;

pub use coverage::{Coverage, Uncovered};
pub use frame::Frame;

use crate::code::Program;
use crate::entry::Entry;
use crate::limits::Budget;
use crate::machine::{Error, Given, Machine, Reward, Warning};
use crate::scene::{Input, Objects, SceneObject, World};
use crate::typed::Inference;
use native::Native;
use run::{Code, Exit, State, Why};

/// A function of a program, ready to be called for any number of environments.
#[derive(Debug)]
pub struct Compiled<'c> {
    program: &'c Program,
    world: &'c World,
    function: String,
    budget: Budget,
    code: Option<Code>,
    coverage: Coverage,
    fuel: i64,
    native: Native,
}

/// How calls were run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Fast, to a value.
    pub given: u64,
    /// Fast, to an exception.
    pub raised: u64,
    /// By the reference machine.
    pub handed_over: u64,
    /// Of all, those that were begun and ended as machine code.
    pub native: u64,
}

/// A program in one environment: what it keeps from call to call lives here, until it is [reset](Self::reset).
#[derive(Debug)]
pub struct Engine<'c> {
    compiled: &'c Compiled<'c>,
    state: State,
    frame: Frame,
    machine: Option<Box<Machine<'c>>>,
    /// Whether the last call was run by the reference machine.
    by_machine: bool,
    /// Whether the top level was run for the last call of the reference machine.
    began: bool,
    counts: Counts,
    why: Option<u16>,
}

impl<'c> Compiled<'c> {
    /// Makes a function of a program ready.
    ///
    /// # Errors
    /// If the program's top level faults.
    pub fn new(program: &'c Program, world: &'c World, function: &str, budget: Budget) -> Result<Self, Error> {
        let machine = Machine::new(program, world, budget)?;
        let emitted = Inference::of(program, world, &machine, function).and_then(emit::emit);
        let (code, coverage) = match emitted {
            Ok((code, coverage)) => (Some(code), coverage),
            Err(why) => (None, Coverage::nothing(why)),
        };
        let fuel = code.as_ref().map_or(0, |code| emit::fuel(code, &budget));
        Ok(Self {
            program,
            world,
            function: function.to_owned(),
            budget,
            code,
            coverage,
            fuel,
            native: Native::default(),
        })
    }

    /// Tries a call fast.
    fn attempt(&self, state: &mut State, frame: &Frame) -> Exit {
        match &self.code {
            // As little as this does not even do for a call without loops.
            Some(_) if self.fuel < 0 => Why::Budget.into(),
            Some(code) => {
                let exit = self.native.run(code, &mut state.native, frame, self.fuel);
                exit.unwrap_or_else(|| state.run(code, frame, self.fuel))
            }
            None => Exit::HandedOver(u16::MAX),
        }
    }

    /// Whether it is this function's reward that may be given fast.
    fn serves(&self, entry: &Entry) -> bool {
        entry.function == self.function && entry.takes_objects_only()
    }

    /// Compiles the function to machine code at once, without waiting until it is called often. How long that took, when it was done.
    ///
    /// # Errors
    /// In words, if there is no machine code for the function, for this computer, or in this build; calls run without, then.
    pub fn compile(&self) -> Result<Duration, &str> {
        match &self.code {
            Some(code) => self.native.compile(code),
            None => Err("nothing of the function runs fast"),
        }
    }

    /// Has the function stay in the register machine, if it is not machine code yet: to measure and compare.
    #[doc(hidden)]
    pub fn stay_interpreted(&self) {
        self.native.refuse();
    }

    /// What of the function runs fast, and what does not, and why.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// The instructions, one to a line.
    #[doc(hidden)]
    pub fn listing(&self) -> String {
        let ops = self.code.iter().flat_map(|code| code.ops.iter().enumerate());
        ops.map(|(place, op)| format!("{place:4} {op:?}\n")).collect()
    }

    /// An engine for one environment.
    pub fn engine(&'c self) -> Engine<'c> {
        Engine {
            compiled: self,
            state: State::new(),
            frame: Frame::default(),
            machine: None,
            by_machine: false,
            began: false,
            counts: Counts::default(),
            why: None,
        }
    }
}

impl<'c> Engine<'c> {
    /// Forgets everything that calls left behind, as before an episode.
    pub fn reset(&mut self) {
        self.machine = None;
        self.by_machine = false;
        self.state.native.reset();
    }

    /// The bytes that lists of the register machine take between calls: to measure.
    #[doc(hidden)]
    pub fn kept(&self) -> usize {
        self.state.size()
    }

    /// Calls the function with the objects of a scene.
    ///
    /// # Errors
    /// If it raises an exception or uses up the budget.
    pub fn call(&mut self, scene: &[SceneObject]) -> Result<Given, Cow<'c, Error>> {
        self.frame.read(scene);
        let exit = self.compiled.attempt(&mut self.state, &self.frame);
        self.outcome(exit, |machine, function| machine.call(function, scene))
    }

    /// Calls the function with the objects of a scene, and the same objects made ready.
    ///
    /// # Errors
    /// If it raises an exception or uses up the budget.
    pub fn call_frame(&mut self, frame: &Frame, scene: &[SceneObject]) -> Result<Given, Cow<'c, Error>> {
        let exit = self.compiled.attempt(&mut self.state, frame);
        self.outcome(exit, |machine, function| machine.call(function, scene))
    }

    /// Asks the function for a reward: fast, if all that it takes is the list of a screen's objects.
    ///
    /// # Errors
    /// If it raises an exception, uses up the budget, or gives something that is no reward.
    pub fn reward(&mut self, entry: &Entry, input: &Input<'_>) -> Result<Reward, Cow<'c, Error>> {
        let exit = match input.objects {
            Objects::Screen(scene) if self.compiled.serves(entry) => {
                self.frame.read(scene);
                self.compiled.attempt(&mut self.state, &self.frame)
            }
            _ => Exit::HandedOver(u16::MAX),
        };
        self.rewarded(exit, entry, input)
    }

    /// Asks the function for a reward, with the objects of the input made ready.
    ///
    /// # Errors
    /// If it raises an exception, uses up the budget, or gives something that is no reward.
    pub fn reward_frame(&mut self, entry: &Entry, input: &Input<'_>, frame: &Frame) -> Result<Reward, Cow<'c, Error>> {
        let exit = match input.objects {
            Objects::Screen(_) if self.compiled.serves(entry) => self.compiled.attempt(&mut self.state, frame),
            _ => Exit::HandedOver(u16::MAX),
        };
        self.rewarded(exit, entry, input)
    }

    /// The reward that comes of a fast attempt.
    fn rewarded(&mut self, exit: Exit, entry: &Entry, input: &Input<'_>) -> Result<Reward, Cow<'c, Error>> {
        // What is no reward is told of with its place.
        let exit = if exit == Exit::None { Exit::HandedOver(u16::MAX) } else { exit };
        self.outcome(exit, |machine, _| machine.reward(entry, input))
    }

    /// What comes of a fast attempt; if it was given up, of the reference machine.
    #[inline]
    fn outcome<T: From<Given>>(
        &mut self,
        exit: Exit,
        run: impl FnOnce(&mut Machine<'c>, &str) -> Result<T, Error>,
    ) -> Result<T, Cow<'c, Error>> {
        let given = match exit {
            Exit::Float(value) => Given::Float(value),
            Exit::Int(value) => Given::Int(value),
            Exit::Bool(value) => Given::Bool(value),
            Exit::None => Given::Other("None".to_owned()),
            Exit::Raised(error) => {
                self.counts.raised += 1;
                self.by_machine = false;
                let code: Option<&'c Code> = self.compiled.code.as_ref();
                return match code.and_then(|code| code.errors.get(error as usize)) {
                    Some(error) => Err(Cow::Borrowed(error)),
                    None => self.by_reference(run).map_err(Cow::Owned),
                };
            }
            Exit::HandedOver(why) => {
                self.why = Some(why);
                return self.by_reference(run).map_err(Cow::Owned);
            }
        };
        self.counts.given += 1;
        self.by_machine = false;
        Ok(given.into())
    }

    /// Runs the function on the reference machine.
    #[cold]
    fn by_reference<T>(&mut self, run: impl FnOnce(&mut Machine<'c>, &str) -> Result<T, Error>) -> Result<T, Error> {
        self.counts.handed_over += 1;
        self.by_machine = true;
        let Compiled { program, world, budget, function, .. } = self.compiled;
        self.began = self.machine.is_none();
        let machine = match &mut self.machine {
            Some(machine) => machine,
            none => none.insert(Box::new(Machine::new(program, world, *budget)?)),
        };
        run(machine, function)
    }

    /// What numpy warned of in the last call. Only the reference machine's calls do: whatever numpy warns of is handed to it.
    pub fn warnings(&self) -> &[Warning] {
        self.machine.as_ref().filter(|_| self.by_machine).map_or(&[], |machine| machine.warnings())
    }

    /// The units of work that the last call took, with those of the top level if it was run for that call; 0 of a call that was run fast, which
    /// is none of the [slow](Budget::slow) ones.
    pub fn spent(&self) -> u64 {
        let machine = self.machine.as_ref().filter(|_| self.by_machine);
        machine.map_or(0, |machine| machine.spent() + if self.began { machine.set_up() } else { 0 })
    }

    /// What the last call printed.
    pub fn printed(&self) -> &str {
        self.machine.as_ref().filter(|_| self.by_machine).map_or("", |machine| machine.printed())
    }

    /// How the calls so far were run.
    pub fn counts(&self) -> Counts {
        Counts { native: self.state.native.ran, ..self.counts }
    }

    /// Why the last call that the reference machine ran was handed to it, if it began fast.
    pub fn handed_over_for(&self) -> Option<&str> {
        let code = self.compiled.code.as_ref()?;
        code.reasons.get(self.why? as usize).map(String::as_str)
    }
}
