//! Monitors of programs, stepped state by state.
//!
//! A [`CompiledProgram`] is compiled once and starts any number of [`Monitor`]s. Both own everything they use, so they can be stored,
//! cloned and sent to other threads. A monitor keeps the current state of the world, takes each new state as a [`Delta`], and returns
//! a verdict on it. [`MonitorBatch`](batch::MonitorBatch) steps the monitors of many environments in one call.

pub mod batch;
mod run;

use std::borrow::Cow;
use std::sync::Arc;

use goalspec_core::monitor::MonitorError;
use goalspec_core::playback::Playback;
use goalspec_core::state::{Delta, State};
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::{LookaheadReader, ReadOptions};

use crate::budget::{Budget, BudgetExceeded};
use crate::codes;
use crate::program::Program;
use crate::report::{ProgramReport, ProgramVerdict};
use crate::scoring::{ScoringOptions, TraceInput, refusal_diagnostic, trace_diagnostic};

pub(crate) use run::ProgramRun;

/// A game or an activity, compiled for an engine.
#[derive(Debug, Clone)]
pub struct CompiledProgram {
    name: Arc<str>,
    world: Arc<World>,
    /// A run before its first state, of which every run is a copy.
    prototype: Arc<ProgramRun>,
    budget: Budget,
}

impl CompiledProgram {
    /// Compiles a program for the engine and the semantics in `options`, with its budget. With [`ScoringOptions::explain`], reports
    /// contain the best attempts at unsatisfied preferences, but not their evidence, for which [`score`](crate::scoring::score) reads the
    /// trace a second time.
    ///
    /// # Errors
    /// If the program has errors, is not a game or an activity, or exceeds a limit of the engine or the budget.
    pub fn new(program: &Program, options: &ScoringOptions) -> Result<Self, Box<Diagnostic>> {
        let refusal = |reason: MonitorError| refusal_diagnostic(program, &reason);
        let world = program.world.clone();
        match world
            .map(|world| Self::within(program, &world, options, options.budget.limit(0)))
            .transpose()
            .map_err(refusal)?
            .flatten()
        {
            Some(compiled) => Ok(compiled),
            None => Err(Box::new(not_monitored(program))),
        }
    }

    /// Compiles a program for a world with at most `work` units of work; `None` if it has errors or is not monitored.
    pub(crate) fn within(
        program: &Program,
        world: &Arc<World>,
        options: &ScoringOptions,
        work: u64,
    ) -> Result<Option<Self>, MonitorError> {
        let run = ProgramRun::prepare(program, world, options, work)?;
        Ok(run.map(|run| Self {
            name: program.name.clone(),
            world: world.clone(),
            prototype: Arc::new(run),
            budget: options.budget,
        }))
    }

    /// Returns the name of the program.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns the world.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Creates a monitor before its first state.
    pub fn monitor(&self) -> Monitor {
        Monitor {
            playback: Playback::new(Arc::clone(&self.world)),
            run: self.start(),
            latest: None,
            is_over: false,
            compiled: self.clone(),
        }
    }

    /// Runs the program over a trace, without compiling it again, and returns the report.
    ///
    /// # Errors
    /// If the trace cannot be read, is not of the world, the program exceeds its budget, or the trace declares objects of its own: the
    /// program must be compiled for these, as [`score`](crate::scoring::score) does.
    pub fn run(&self, input: &TraceInput) -> Result<ProgramReport, Box<Diagnostic>> {
        let source = input.open().map_err(trace_diagnostic)?;
        if let Cow::Owned(_) = source.extend_world(&self.world).map_err(trace_diagnostic)? {
            let message = format!("`{}` declares objects, for which `{}` is not compiled", input.name(), self.name);
            return Err(Box::new(Diagnostic::new(goalspec_trace::codes::NOT_OF_WORLD, Severity::Error, message)));
        }
        let reader = source.read(&self.world, &ReadOptions::default()).map_err(trace_diagnostic)?;
        let mut reader = LookaheadReader::new(reader);
        let (mut run, mut playback) = (self.start(), Playback::new(Arc::clone(&self.world)));
        let mut delta = Delta::default();
        while let Some(last) = reader.next(&mut delta).map_err(trace_diagnostic)? {
            playback.advance(&delta);
            run.work().set_limit(self.budget.limit(playback.steps()));
            let is_done = run.step(&playback.update(&delta, last)).done();
            self.check_budget(&run, playback.steps())?;
            if is_done {
                break;
            }
        }
        let report = run.finish(playback.state());
        self.check_budget(&run, playback.steps())?;
        Ok(report)
    }

    /// Returns the number of features of [`Monitor::features`].
    pub fn feature_count(&self) -> usize {
        self.prototype.feature_count()
    }

    /// Whether [`Monitor::features`], together with the state of the world, determines all future rewards once the first state was
    /// processed. It does for goals, and for games without a setup and without `(total-time)` whose preferences are all `at-end`: these
    /// have no memory. It never does in worlds with trackers, which derive attributes from earlier states.
    pub fn has_exact_features(&self) -> bool {
        self.prototype.has_exact_features()
    }

    /// Starts a run before the first state.
    fn start(&self) -> ProgramRun {
        ProgramRun::clone(&self.prototype)
    }

    /// Returns a run before the first state, without a copy if no other run is started.
    pub(crate) fn into_run(self) -> ProgramRun {
        Arc::unwrap_or_clone(self.prototype)
    }

    /// Returns an error if the run exceeded the budget in this state.
    fn check_budget(&self, run: &ProgramRun, state: u64) -> Result<(), Box<Diagnostic>> {
        if !run.work().is_exceeded() {
            return Ok(());
        }
        let exceeded = BudgetExceeded { state, limit: run.work().limit() };
        let message = format!("`{}` was {exceeded}", self.name);
        Err(Box::new(Diagnostic::new(codes::OVER_BUDGET, Severity::Error, message)))
    }
}

/// A monitor of one program in one environment.
#[derive(Debug, Clone)]
pub struct Monitor {
    compiled: CompiledProgram,
    playback: Playback,
    run: ProgramRun,
    /// The verdict on the latest state; `None` before the first.
    latest: Option<ProgramVerdict>,
    /// Whether the game or the episode has ended.
    is_over: bool,
}

impl Monitor {
    /// Processes the next state, given as its differences from the previous one. `last` is whether it is known to be the last state
    /// of the episode. After the end of a game, and after [`finish`](Self::finish), further states change nothing and have no reward.
    ///
    /// # Errors
    /// If the delta is not of the monitor's world: it has ids that the world does not have or values of another kind. The monitor is
    /// then unchanged. If the program exceeds its budget; verdicts are then meaningless until a [reset](Self::reset).
    pub fn step(&mut self, delta: &Delta, last: bool) -> Result<ProgramVerdict, Box<Diagnostic>> {
        delta.check(&self.compiled.world).map_err(|error| {
            Box::new(Diagnostic::new(goalspec_trace::codes::NOT_OF_WORLD, Severity::Error, error.to_string()))
        })?;
        self.step_checked(delta, last)
    }

    /// Processes the next state like [`step`](Self::step), without checking the delta.
    fn step_checked(&mut self, delta: &Delta, last: bool) -> Result<ProgramVerdict, Box<Diagnostic>> {
        if let (true, Some(latest)) = (self.is_over, &self.latest) {
            return Ok(latest.clone().without_reward());
        }
        self.playback.advance(delta);
        self.run.work().set_limit(self.compiled.budget.limit(self.playback.steps()));
        let verdict = self.run.step(&self.playback.update(delta, last));
        self.compiled.check_budget(&self.run, self.playback.steps())?;
        self.is_over = last || verdict.done();
        self.latest = Some(verdict.clone());
        Ok(verdict)
    }

    /// Ends the episode, so that the latest state is the last one, and returns the report on all states. The score of the report minus
    /// that of the latest verdict is the reward of the end: that of preferences that only the last state decides.
    pub fn finish(&mut self) -> ProgramReport {
        self.is_over = true;
        self.run.finish(self.playback.state())
    }

    /// Restarts the monitor before the first state of a new episode.
    pub fn reset(&mut self) {
        self.run = self.compiled.start();
        self.playback = Playback::new(Arc::clone(&self.compiled.world));
        self.latest = None;
        self.is_over = false;
    }

    /// Returns the program.
    pub fn program(&self) -> &CompiledProgram {
        &self.compiled
    }

    /// Returns the current state of the world.
    pub fn state(&self) -> &State {
        self.playback.state()
    }

    /// Returns the number of states since the start or the last reset.
    pub fn steps(&self) -> u64 {
        self.playback.steps()
    }

    /// Writes the state of the monitor as features from 0 to 1, for agents whose reward depends on the history.
    ///
    /// | program | features |
    /// |---|---|
    /// | activity | the progress, then for each conjunct whether it holds |
    /// | game | whether the setup holds, then for each preference: the fraction of the positions of its pattern that the most advanced attempt in progress has passed, and `n / (n + 1)` for `n` satisfactions |
    ///
    /// The features are a summary: bindings are not distinguished. [`CompiledProgram::has_exact_features`] tells whether they determine
    /// the future rewards. Engines may differ in the attempts that they still track after a satisfaction. Under reference semantics, only the
    /// setup is reported.
    ///
    /// # Panics
    /// If the length of `features` is not [`CompiledProgram::feature_count`].
    pub fn features(&self, features: &mut [f32]) {
        self.run.features(features);
    }
}

/// Returns the diagnostic for a program that has no monitor.
fn not_monitored(program: &Program) -> Diagnostic {
    let reason = match program.not_scored_reason() {
        Some(reason) => reason.to_owned(),
        None if program.as_reward().is_some() => {
            "is a reward function, which is called, not monitored: compile it with `rewards::compiled::CompiledReward`"
                .to_owned()
        }
        None => "has errors".to_owned(),
    };
    Diagnostic::new(codes::REFUSED, Severity::Error, format!("`{}` {reason}", program.name))
}
