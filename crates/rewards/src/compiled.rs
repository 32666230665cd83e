//! Programs compiled for the selected engine, callable from any number of environments.

use std::sync::Arc;

use goalspec_core::engine::Engine;
use goalspec_python_runtime::entry::Entry;
use goalspec_python_runtime::fast::{self, CallCounts, CompiledFunction, Coverage};
pub use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::machine::{CallError, NumpyWarning, Reward};
use goalspec_python_runtime::observe::Observer;
use goalspec_python_runtime::{Machine, Program, scene};
use goalspec_reward::terms::{Term, Terms};
use goalspec_syntax::{Diagnostic, SourceFile};

use crate::caller::{Caller, RewardEngine, program_and_entry, top_level_error};
use crate::engine_shares::Execution;
use crate::program::RewardProgram;
use crate::world::RewardWorld;

/// The reason reported for calls handed over without a reason of the fast engine.
const UNKNOWN_REASON: &str = "a result that is not a reward";

/// A program compiled for a world, callable from any number of environments.
#[derive(Debug)]
pub struct CompiledReward {
    name: Arc<str>,
    program: Arc<Program>,
    source: SourceFile,
    world: RewardWorld,
    entry: Arc<Entry>,
    engine: Engine,
    budget: CallBudget,
    /// The program compiled for the fast engine; `None` if no part of it runs fast.
    compiled: Option<Arc<CompiledFunction>>,
    coverage: Coverage,
}

/// The number of frames by how they were run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineCalls {
    /// The selected engine.
    pub engine: Engine,
    /// The number of frames that the fast engine ran.
    pub fast_frames: u64,
    /// The number of frames that the fast engine handed over to the reference machine.
    pub interpreted_frames: u64,
    /// The reasons for handing frames over, with the number of frames for each.
    pub fallback_reasons: Vec<(String, u64)>,
    /// The parts of the program that the fast engine does not cover.
    pub coverage: Coverage,
}

impl CompiledReward {
    /// Compiles a program for a world, with the default budget of calls.
    ///
    /// # Errors
    /// If the program has errors or no function that computes the reward, or its top level raises an exception.
    pub fn new(
        name: &Arc<str>,
        reward: &RewardProgram,
        world: &RewardWorld,
        engine: Engine,
    ) -> Result<Self, Box<Diagnostic>> {
        Self::with_budget(name, reward, world, engine, CallBudget::default())
    }

    /// Compiles a program for a world, with the given budget of each call.
    ///
    /// # Errors
    /// If the program has errors or no function that computes the reward, or its top level raises an exception.
    pub fn with_budget(
        name: &Arc<str>,
        reward: &RewardProgram,
        world: &RewardWorld,
        engine: Engine,
        budget: CallBudget,
    ) -> Result<Self, Box<Diagnostic>> {
        let (program, entry) = program_and_entry(reward, world)?;
        let nothing = |reason: &str| Coverage { unsupported: Some(reason.to_owned()), ..Coverage::default() };
        let (mut compiled, mut coverage) = (None, nothing("the interpreter was requested"));
        if engine == Engine::Fast && matches!(world, RewardWorld::Objects(_)) {
            coverage = nothing("the fast engine supports objects of Atari worlds only");
        } else if engine == Engine::Fast && entry.takes_objects_only() {
            let function =
                CompiledFunction::new(Arc::clone(&program), Arc::clone(world.scene()), &entry.function, budget);
            let function = function.map_err(|error| top_level_error(name, &error))?;
            coverage = function.coverage().clone();
            compiled = coverage.unsupported.is_none().then_some(function);
        } else if engine == Engine::Fast {
            coverage = nothing("the parameters of the function are not just the list of objects");
        }
        Ok(Self {
            name: name.clone(),
            program,
            source: reward.source().clone(),
            world: world.clone(),
            entry,
            engine,
            budget,
            compiled,
            coverage,
        })
    }

    /// Returns the program's name.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns the world.
    pub fn world(&self) -> &RewardWorld {
        &self.world
    }

    /// Returns which parts of the program do not run fast, and why.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Starts the program in an environment with random numbers of its own.
    pub(crate) fn start_in(&self, environment: u64) -> Result<Caller<EngineInstance>, Box<Diagnostic>> {
        let mut caller = self.start()?;
        caller.enter_environment(environment).map_err(|error| top_level_error(&self.name, &error))?;
        Ok(caller)
    }

    /// Starts the program in the first environment.
    pub(crate) fn start(&self) -> Result<Caller<EngineInstance>, Box<Diagnostic>> {
        let runner = if let Some(compiled) = &self.compiled {
            EngineInstance::Fast(Box::new(compiled.instance()))
        } else {
            let machine = Machine::new(Arc::clone(&self.program), Arc::clone(self.world.scene()), self.budget);
            EngineInstance::Reference(Box::new(machine.map_err(|error| top_level_error(&self.name, &error))?))
        };
        Ok(Caller::new(self.entry.clone(), runner, self.budget))
    }

    /// Attaches an observer of the terms' contributions and returns the terms; none if the fast engine runs the program.
    pub(crate) fn observe_terms(&self, caller: &mut Caller<EngineInstance>) -> Vec<Term> {
        let EngineInstance::Reference(machine) = &mut caller.machine else { return Vec::new() };
        let terms = Terms::of(&self.source, &self.entry.function);
        machine.set_observer(Observer::new(&self.program, &terms.probes()));
        terms.terms
    }

    /// Returns the counts before the first frame.
    pub(crate) fn new_engine_calls(&self) -> EngineCalls {
        EngineCalls { engine: self.engine, coverage: self.coverage.clone(), ..EngineCalls::default() }
    }
}

/// The engine instance that runs a program in one environment.
#[derive(Debug)]
pub(crate) enum EngineInstance {
    Fast(Box<fast::FunctionInstance>),
    Reference(Box<Machine>),
}

impl RewardEngine for EngineInstance {
    fn reset(&mut self, random_seed: u64) -> Result<(), CallError> {
        match self {
            Self::Fast(engine) => {
                engine.set_random_seed(random_seed);
                engine.reset();
                Ok(())
            }
            Self::Reference(machine) => {
                machine.set_random_seed(random_seed);
                machine.reset()
            }
        }
    }

    fn work_spent(&self) -> u64 {
        Self::work_spent(self)
    }

    fn top_level_work(&self) -> u64 {
        match self {
            // The fast engine runs the top level only when it hands a call over.
            Self::Fast(_) => 0,
            Self::Reference(machine) => machine.setup_work(),
        }
    }

    fn reward(
        &mut self,
        entry: &Entry,
        input: &scene::Input<'_>,
        fast_frame: Option<&fast::PreparedFrame>,
    ) -> Result<Reward, Arc<CallError>> {
        match (self, fast_frame) {
            (Self::Fast(engine), Some(frame)) => engine.reward_frame(entry, input, frame),
            (Self::Fast(engine), None) => engine.reward(entry, input),
            (Self::Reference(machine), _) => machine.reward(entry, input).map_err(Arc::new),
        }
    }
}

impl EngineInstance {
    /// Uses the memory of another instance for the next calls.
    pub(crate) fn lend_memory(&mut self, memory: Option<Box<fast::CallMemory>>) {
        if let Self::Fast(engine) = self {
            engine.lend_memory(memory);
        }
    }

    /// Returns the memory of calls for another instance.
    pub(crate) fn take_memory(&mut self) -> Option<Box<fast::CallMemory>> {
        match self {
            Self::Fast(engine) => engine.take_memory(),
            Self::Reference(_) => None,
        }
    }

    /// Returns the observer of the reference machine, if one is attached.
    pub(crate) fn observer(&mut self) -> Option<&mut Observer> {
        match self {
            Self::Fast(_) => None,
            Self::Reference(machine) => machine.observer(),
        }
    }

    /// Returns the units of work that the reference machine took for the last call.
    pub(crate) fn work_spent(&self) -> u64 {
        match self {
            Self::Fast(engine) => engine.work_spent(),
            Self::Reference(machine) => machine.work_spent(),
        }
    }

    /// Returns numpy's warnings in the last call.
    pub(crate) fn warnings(&self) -> &[NumpyWarning] {
        match self {
            Self::Fast(engine) => engine.warnings(),
            Self::Reference(machine) => machine.warnings(),
        }
    }

    /// Returns the number of calls of the fast engine by how they were run; `None` if there is no fast engine.
    pub(crate) fn execution_counts(&self) -> Option<CallCounts> {
        match self {
            Self::Fast(engine) => Some(engine.counts()),
            Self::Reference(_) => None,
        }
    }

    /// Returns how the last call was run, given the counts before it.
    pub(crate) fn last_execution(&self, before: Option<CallCounts>) -> Execution {
        match (before, self.execution_counts()) {
            (Some(before), Some(now)) if now.fallbacks > before.fallbacks => Execution::Interpreter,
            (Some(before), Some(now)) if now.native > before.native => Execution::MachineCode,
            (Some(_), Some(_)) => Execution::RegisterMachine,
            _ => Execution::Interpreter,
        }
    }

    /// Returns the number of calls that the fast engine handed over, and the reason of the last one.
    fn last_fallback(&self) -> (u64, Option<&str>) {
        match self {
            Self::Fast(engine) => (engine.counts().fallbacks, engine.fallback_reason()),
            Self::Reference(_) => (0, None),
        }
    }
}

impl EngineCalls {
    /// Counts the last call by how it was run.
    pub(crate) fn count_last_call(&mut self, runner: &EngineInstance) {
        if self.engine == Engine::Interpreter {
            return;
        }
        let reason = match runner.last_fallback() {
            _ if self.coverage.unsupported.is_some() => self.coverage.unsupported.as_deref().unwrap_or(UNKNOWN_REASON),
            (count, last_reason) if count > self.interpreted_frames => last_reason.unwrap_or(UNKNOWN_REASON),
            _ => {
                self.fast_frames += 1;
                return;
            }
        };
        self.interpreted_frames += 1;
        match self.fallback_reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => self.fallback_reasons.push((reason.to_owned(), 1)),
        }
    }
}
