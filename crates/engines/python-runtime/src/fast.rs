//! The fast engine: programs compiled to instructions of a register machine that works on untagged values.
//!
//! A function is compiled once for a [`Program`] and a [`World`], with every function that it calls inlined, according to the inferred
//! types of its values. Each call is first attempted by the fast engine. The attempt changes no lasting state; when it meets something that
//! the fast engine does not cover (an integer overflow, an exception that a handler may catch, an instruction without a fast form, an
//! exhausted budget), it is abandoned and the reference machine runs the call again from the start, which yields the exact value, exception
//! and traceback. The fast code itself raises those exceptions whose messages are known in full at compile time.
//! [`CompiledFunction::coverage`] reports which parts of a program run fast, [`FunctionInstance::counts`] how many calls did.
//!
//! A function whose calls have taken much work is compiled to machine code, which computes the same results with the same messages and the
//! same fuel as the register machine, and hands calls that exceed its capacity back to it: scenes of more than 127 objects, lists of more
//! than 127 words, and more than 128 lists. Rare operations are calls of Rust code. Functions that modify objects or the list of objects
//! stay in the register machine; so does every function if the crate is built without the feature `native` or the processor is not
//! supported by the code generator. [`CompiledFunction::compile`] compiles immediately.
//!
//! One [`CompiledFunction`] serves any number of environments, each with its own [`FunctionInstance`]: the state of the module, and a reference
//! machine once one is needed. Registers, lists and frames are in a [`CallMemory`], which environments that take turns can share.
//!
//! | module | contents |
//! |---|---|
//! | `frame` | scenes as rows of numbers |
//! | `op`, `run` | the instructions and the interpreter of the register machine |
//! | `emit` | translation of typed stack code to register instructions |
//! | `native` | translation of register instructions to machine code |
//! | `state` | the state of the module between calls |
//! | `coverage` | reports of which parts of a program run fast |

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
mod state;

use std::sync::Arc;
use std::time::Duration;

pub use coverage::{Coverage, CoverageGap};
pub use frame::PreparedFrame;
pub(crate) use frame::RareAttributes;

use crate::code::Program;
use crate::entry::Entry;
use crate::inference::Inference;
use crate::limits::CallBudget;
use crate::machine::{CallError, DEFAULT_RANDOM_SEED, Machine, NumpyWarning, ReturnValue, Reward};
use crate::scene::{Input, Objects, SceneObject, World};
use native::{NativeCalls, NativeFunction};
pub(crate) use op::Statistic;
use run::{Exit, FallbackReason, RegisterCode, RegisterMachine};
use state::{ModuleState, StateLists};

/// A compiled function of a program, callable from any number of environments.
#[derive(Debug)]
pub struct CompiledFunction {
    program: Arc<Program>,
    world: Arc<World>,
    function: String,
    budget: CallBudget,
    code: Option<Arc<RegisterCode>>,
    coverage: Coverage,
    fuel: i64,
    /// The state of the module after the top level.
    initial_state: StateLists,
    native: Arc<NativeFunction>,
}

/// The number of calls by how they were run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallCounts {
    /// Calls that the fast engine completed with a value.
    pub returned: u64,
    /// Calls that the fast engine completed with an exception.
    pub raised: u64,
    /// Calls that the reference machine ran.
    pub fallbacks: u64,
    /// Calls among all of these that ran as machine code from start to end.
    pub native: u64,
}

/// A program in one environment, with the state that it keeps between calls until it is [reset](Self::reset).
#[derive(Debug)]
pub struct FunctionInstance {
    compiled: Arc<CompiledFunction>,
    /// `None` before the first call, and while other instances use it.
    memory: Option<Box<CallMemory>>,
    native_calls: NativeCalls,
    module: ModuleState,
    machine: Option<Box<Machine>>,
    /// Whether the last call was run by the reference machine.
    used_reference: bool,
    /// Whether the last call of the reference machine ran the module's top level first.
    ran_top_level: bool,
    counts: CallCounts,
    last_fallback: Option<u16>,
    /// The number of calls handed over since the fast engine last completed one.
    handed_over: u32,
    /// The seed of the random numbers of the reference machine.
    random_seed: u64,
}

/// The memory of calls: registers, lists and the frame. What a call leaves in it has no influence on later calls of the same function, so that
/// its instances can share one, see [`FunctionInstance::lend_memory`].
#[derive(Debug, Default)]
pub struct CallMemory {
    machine: RegisterMachine,
    frame: PreparedFrame,
}

/// The number of calls handed over in sequence after which the fast engine attempts only every [`RETRY_INTERVAL`]th.
const MAX_HANDED_OVER: u32 = 64;

/// The number of calls between two attempts of a function that is handed over again and again.
const RETRY_INTERVAL: u32 = 64;

impl CompiledFunction {
    /// Compiles a function of a program for a world.
    ///
    /// # Errors
    /// Returns an error if the program's top level raises an exception or exceeds the budget.
    ///
    /// # Panics
    /// If an instruction does not find its operands on the stack, see [`Program`].
    pub fn new(
        program: impl Into<Arc<Program>>,
        world: impl Into<Arc<World>>,
        function: &str,
        budget: CallBudget,
    ) -> Result<Arc<Self>, CallError> {
        let (program, world) = (program.into(), world.into());
        let machine = Machine::new(Arc::clone(&program), Arc::clone(&world), budget)?;
        let emitted = Inference::of(&program, &world, &machine, function).and_then(emit::emit);
        let emitted = emitted.and_then(|(code, coverage)| match code.state.read(&program, &machine) {
            Some(state) => Ok((code, coverage, state)),
            None => Err("the module has too large objects".to_owned()),
        });
        let (code, coverage, initial_state) = match emitted {
            Ok((code, coverage, state)) => (Some(Arc::new(code)), coverage, state),
            Err(reason) => (None, Coverage::unsupported(reason), StateLists::default()),
        };
        let fuel = code.as_ref().map_or(0, |code| emit::fuel(code, &budget));
        Ok(Arc::new(Self {
            program,
            world,
            function: function.to_owned(),
            budget,
            code,
            coverage,
            fuel,
            initial_state,
            native: Arc::default(),
        }))
    }

    /// Attempts a call with the fast engine.
    fn attempt(
        &self,
        machine: &mut RegisterMachine,
        native_calls: &mut NativeCalls,
        module: &ModuleState,
        frame: &PreparedFrame,
    ) -> Exit {
        match &self.code {
            // The budget does not even cover a call without loops.
            Some(_) if self.fuel < 0 => FallbackReason::OutOfFuel.into(),
            Some(code) => {
                let state = &module.lists.words;
                if let Some(exit) = self.native.run(native_calls, &mut machine.native, code, (frame, state), self.fuel)
                {
                    machine.set_native_run();
                    return exit;
                }
                let exit = machine.run(code, frame, self.fuel, state);
                self.native.count_work(code, code.cost + machine.used_fuel(self.fuel));
                exit
            }
            None => Exit::Fallback(u16::MAX),
        }
    }

    /// Whether the entry is this function and takes only the list of objects, so that its reward can be computed fast.
    fn is_supported_entry(&self, entry: &Entry) -> bool {
        entry.function == self.function && entry.takes_objects_only()
    }

    /// Compiles the function to machine code immediately instead of after much work, and returns the time that the compilation took.
    ///
    /// # Errors
    /// Returns a message if the function, the processor or this build does not support machine code; calls then run without it.
    pub fn compile(&self) -> Result<Duration, &str> {
        match &self.code {
            Some(code) => self.native.compile(code),
            None => Err("nothing of the function runs fast"),
        }
    }

    /// Keeps the function in the register machine unless it is machine code already; for benchmarks and comparisons.
    #[doc(hidden)]
    pub fn disable_native(&self) {
        self.native.disable();
    }

    /// Returns which parts of the function do not run fast, and why.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Returns the instructions, one per line.
    #[doc(hidden)]
    pub fn listing(&self) -> String {
        let ops = self.code.iter().flat_map(|code| code.ops.iter().enumerate());
        ops.map(|(place, op)| format!("{place:4} {op:?}\n")).collect()
    }

    /// Creates an instance for one environment.
    pub fn instance(self: &Arc<Self>) -> FunctionInstance {
        let mut module = ModuleState::default();
        module.reset(&self.initial_state);
        FunctionInstance {
            compiled: Arc::clone(self),
            memory: None,
            native_calls: NativeCalls::default(),
            module,
            machine: None,
            used_reference: false,
            ran_top_level: false,
            counts: CallCounts::default(),
            last_fallback: None,
            handed_over: 0,
            random_seed: DEFAULT_RANDOM_SEED,
        }
    }
}

impl FunctionInstance {
    /// Sets the seed of the random numbers from the next reset on.
    pub fn set_random_seed(&mut self, seed: u64) {
        self.random_seed = seed;
    }

    /// Discards all state left by earlier calls, as at the start of an episode.
    pub fn reset(&mut self) {
        self.machine = None;
        self.used_reference = false;
        self.native_calls.reset();
        self.module.reset(&self.compiled.initial_state);
    }

    /// Returns the size in bytes of the lists that the register machine keeps between calls; for measurements.
    #[doc(hidden)]
    pub fn list_memory_size(&self) -> usize {
        self.memory.as_ref().map_or(0, |memory| memory.machine.size())
    }

    /// Uses the memory of another instance of the same function for the next calls. Many instances that take turns fit into the caches of a processor only if they
    /// share their memory.
    pub fn lend_memory(&mut self, memory: Option<Box<CallMemory>>) {
        self.memory = memory;
    }

    /// Returns the memory for another instance; `None` if no call has needed any.
    pub fn take_memory(&mut self) -> Option<Box<CallMemory>> {
        self.memory.take()
    }

    /// Calls the function with the objects of a scene.
    ///
    /// # Errors
    /// Returns an error if the function raises an exception or exceeds the budget.
    pub fn call(&mut self, scene: &[SceneObject]) -> Result<ReturnValue, Arc<CallError>> {
        let exit = self.attempt(scene);
        self.resolve_exit(exit, |machine, function| machine.call(function, scene))
    }

    /// Attempts a call with the fast engine, if it may succeed.
    fn attempt(&mut self, scene: &[SceneObject]) -> Exit {
        if !self.is_worth_attempting() {
            return Exit::Fallback(self.last_fallback.unwrap_or(u16::MAX));
        }
        let CallMemory { machine, frame } = &mut **self.memory.get_or_insert_default();
        frame.update(scene);
        if self.compiled.code.as_ref().is_some_and(|code| code.reads_rare) {
            frame.update_rare(scene);
        }
        self.compiled.attempt(machine, &mut self.native_calls, &self.module, frame)
    }

    /// Attempts a call with a prepared frame, if it may succeed.
    fn attempt_frame(&mut self, frame: &PreparedFrame, scene: &[SceneObject]) -> Exit {
        if frame.rare.len() < scene.len() && self.compiled.code.as_ref().is_some_and(|code| code.reads_rare) {
            return self.attempt(scene);
        }
        if !self.is_worth_attempting() {
            return Exit::Fallback(self.last_fallback.unwrap_or(u16::MAX));
        }
        let machine = &mut self.memory.get_or_insert_default().machine;
        self.compiled.attempt(machine, &mut self.native_calls, &self.module, frame)
    }

    /// Returns whether the next call is attempted: not if nothing of the function runs fast, and seldom if attempts have failed for long.
    fn is_worth_attempting(&mut self) -> bool {
        let is_retry = self.handed_over < MAX_HANDED_OVER || self.handed_over.is_multiple_of(RETRY_INTERVAL);
        let Some(code) = self.compiled.code.as_ref().filter(|_| is_retry) else { return false };
        self.module.take_back(&code.state, &self.compiled.program, self.machine.as_deref())
    }

    /// Calls the function with the objects of a scene, also given as a prepared frame.
    ///
    /// # Errors
    /// Returns an error if the function raises an exception or exceeds the budget.
    pub fn call_frame(&mut self, frame: &PreparedFrame, scene: &[SceneObject]) -> Result<ReturnValue, Arc<CallError>> {
        let exit = self.attempt_frame(frame, scene);
        self.resolve_exit(exit, |machine, function| machine.call(function, scene))
    }

    /// Computes the function's reward; fast if its only parameter is the list of a screen's objects.
    ///
    /// # Errors
    /// Returns an error if the function raises an exception, exceeds the budget, or returns a value that is not a reward.
    pub fn reward(&mut self, entry: &Entry, input: &Input<'_>) -> Result<Reward, Arc<CallError>> {
        let exit = match input.objects {
            Objects::Screen(scene) if self.compiled.is_supported_entry(entry) => self.attempt(scene),
            _ => Exit::Fallback(u16::MAX),
        };
        self.resolve_reward(exit, entry, input)
    }

    /// Computes the function's reward, with the input's objects also given as a prepared frame.
    ///
    /// # Errors
    /// Returns an error if the function raises an exception, exceeds the budget, or returns a value that is not a reward.
    pub fn reward_frame(
        &mut self,
        entry: &Entry,
        input: &Input<'_>,
        frame: &PreparedFrame,
    ) -> Result<Reward, Arc<CallError>> {
        let exit = match input.objects {
            Objects::Screen(scene) if self.compiled.is_supported_entry(entry) => self.attempt_frame(frame, scene),
            _ => Exit::Fallback(u16::MAX),
        };
        self.resolve_reward(exit, entry, input)
    }

    /// Converts the exit of a fast attempt to a reward.
    fn resolve_reward(&mut self, exit: Exit, entry: &Entry, input: &Input<'_>) -> Result<Reward, Arc<CallError>> {
        // The reference machine reports a result that is not a reward together with its position.
        let exit = if exit == Exit::None { Exit::Fallback(u16::MAX) } else { exit };
        if let Exit::Components(k) = exit
            && let Some(code) = &self.compiled.code
            && let Some(memory) = &self.memory
            && let Some(reward) = memory.machine.reward(code, k)
        {
            self.complete();
            return Ok(reward);
        }
        self.resolve_exit(exit, |machine, _| machine.reward(entry, input))
    }

    /// Converts the exit of a fast attempt to a result; runs the reference machine if the attempt was abandoned.
    #[inline]
    fn resolve_exit<T: From<ReturnValue>>(
        &mut self,
        exit: Exit,
        run: impl FnOnce(&mut Machine, &str) -> Result<T, CallError>,
    ) -> Result<T, Arc<CallError>> {
        let returned = match exit {
            Exit::Float(value) => ReturnValue::Float(value),
            Exit::Int(value) => ReturnValue::Int(value),
            Exit::Bool(value) => ReturnValue::Bool(value),
            Exit::None => ReturnValue::Other("None".to_owned()),
            // The reference machine writes the tuple as a text.
            Exit::Components(_) => return self.run_reference(run).map_err(Arc::new),
            Exit::Raised(error) => {
                self.commit();
                self.counts.raised += 1;
                self.handed_over = 0;
                self.used_reference = false;
                let code = self.compiled.code.as_ref();
                return match code.and_then(|code| code.errors.get(error as usize)) {
                    Some(error) => Err(Arc::clone(error)),
                    None => self.run_reference(run).map_err(Arc::new),
                };
            }
            Exit::Fallback(reason) => {
                self.last_fallback = Some(reason);
                return self.run_reference(run).map_err(Arc::new);
            }
        };
        self.complete();
        Ok(returned.into())
    }

    /// Records that a fast call returned a value.
    fn complete(&mut self) {
        self.commit();
        self.counts.returned += 1;
        self.handed_over = 0;
        self.used_reference = false;
    }

    /// Keeps the state that the last fast call left.
    fn commit(&mut self) {
        let code = self.compiled.code.as_ref().filter(|code| code.mutates_state && !code.state.is_empty());
        if let (Some(code), Some(memory)) = (code, &self.memory) {
            self.module.commit(&code.state, &memory.machine);
        }
    }

    /// Runs the function on the reference machine.
    #[cold]
    fn run_reference<T>(
        &mut self,
        run: impl FnOnce(&mut Machine, &str) -> Result<T, CallError>,
    ) -> Result<T, CallError> {
        self.counts.fallbacks += 1;
        self.handed_over = self.handed_over.wrapping_add(1);
        self.used_reference = true;
        let CompiledFunction { program, world, budget, function, code, .. } = &*self.compiled;
        self.ran_top_level = self.machine.is_none();
        let machine = match &mut self.machine {
            Some(machine) => machine,
            none => {
                let (program, world) = (Arc::clone(program), Arc::clone(world));
                none.insert(Box::new(Machine::with_random_seed(program, world, *budget, self.random_seed)?))
            }
        };
        if let Some(code) = code {
            self.module.pass_on(&code.state, machine);
        }
        run(machine, function)
    }

    /// Returns numpy's warnings in the last call. Only calls of the reference machine have any: every operation that warns is handed over
    /// to it.
    pub fn warnings(&self) -> &[NumpyWarning] {
        self.machine.as_ref().filter(|_| self.used_reference).map_or(&[], |machine| machine.warnings())
    }

    /// Returns the units of work of the last call, including those of the top level if it ran for that call; 0 if the call ran fast, as no
    /// fast call is [slow](CallBudget::slow_call_work).
    pub fn work_spent(&self) -> u64 {
        let machine = self.machine.as_ref().filter(|_| self.used_reference);
        machine.map_or(0, |machine| machine.work_spent() + if self.ran_top_level { machine.setup_work() } else { 0 })
    }

    /// Returns the text that the last call printed.
    pub fn printed(&self) -> &str {
        self.machine.as_ref().filter(|_| self.used_reference).map_or("", |machine| machine.printed())
    }

    /// Returns the number of calls so far by how they were run.
    pub fn counts(&self) -> CallCounts {
        CallCounts { native: self.native_calls.completed, ..self.counts }
    }

    /// Returns why the most recent fast attempt that was abandoned was handed over to the reference machine.
    pub fn fallback_reason(&self) -> Option<&str> {
        let code = self.compiled.code.as_ref()?;
        code.reasons.get(self.last_fallback? as usize).map(String::as_str)
    }
}
