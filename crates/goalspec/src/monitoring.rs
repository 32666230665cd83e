//! Monitors of programs, stepped state by state.
//!
//! A [`CompiledProgram`] is compiled once and starts any number of [`Monitor`]s. Both own everything they use, so they can be stored,
//! cloned and sent to other threads. A monitor keeps the current state of the world, takes each new state as a [`Delta`], and returns
//! a verdict on it. [`MonitorBatch`](batch::MonitorBatch) steps the monitors of many environments in one call.

pub mod batch;
mod features;
mod run;

use std::num::NonZeroU32;
use std::sync::Arc;

use goalspec_core::budget::BudgetExceeded;
use goalspec_core::monitor::MonitorError;
use goalspec_core::playback::Playback;
use goalspec_core::state::{Delta, State};
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::{ExceededLimit, Severity};
use goalspec_trace::TraceInput;

use crate::codes;
use crate::program::Program;
use crate::report::{ProgramReport, ProgramVerdict};
use crate::scoring::{CompiledPrograms, ScoringOptions, ScoringResult, not_supported_diagnostic};

use features::ProgramFeatures;
pub(crate) use run::ProgramRun;

/// A game or an activity, compiled for an engine.
#[derive(Debug, Clone)]
pub struct CompiledProgram {
    program: Arc<Program>,
    world: Arc<World>,
    /// A run before its first state, of which every run is a copy.
    prototype: Arc<ProgramRun>,
    features: Arc<ProgramFeatures>,
    options: Arc<ScoringOptions>,
}

impl CompiledProgram {
    /// Compiles a program for the engine and the semantics in `options`, with its budget.
    ///
    /// # Errors
    /// If the program has errors, is not a game or an activity, or exceeds a limit of the engine or the budget.
    pub fn new(program: &Program, options: &ScoringOptions) -> Result<Self, Box<Diagnostic>> {
        let compile = |world: &Arc<World>| {
            let run = ProgramRun::prepare(program, world, options, options.budget.limit(0))?;
            Ok(run.map(|run| Self {
                program: Arc::new(program.clone()),
                world: Arc::clone(world),
                features: Arc::new(run.feature_layout(None)),
                prototype: Arc::new(run),
                options: Arc::new(options.clone()),
            }))
        };
        let compiled = program.world.as_ref().map(compile).transpose();
        let compiled = compiled.map_err(|reason: MonitorError| not_supported_diagnostic(program, &reason))?;
        compiled.flatten().ok_or_else(|| Box::new(not_monitored(program)))
    }

    /// Returns the program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the world.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Returns the options for which the program is compiled.
    pub fn options(&self) -> &ScoringOptions {
        &self.options
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

    /// Scores a trace, with the same result as [`score`](crate::scoring::score) for this program alone. The program is compiled again only
    /// if the trace declares objects of its own. A program whose compilation exceeds the budget is an error of [`new`](Self::new), but
    /// an outcome of `score`.
    pub fn score(&self, input: &TraceInput) -> ScoringResult {
        let Self { program, world, prototype, options, .. } = self;
        CompiledPrograms::from_compiled(program, world, prototype, options).score(input, &|_| {})
    }

    /// Returns the program with features for episodes of at most `horizon` states: for games with few bindings, they tell which bindings have
    /// attempts. Without a horizon, they are a summary.
    #[must_use]
    pub fn with_feature_horizon(self, horizon: NonZeroU32) -> Self {
        Self { features: Arc::new(self.prototype.feature_layout(Some(horizon))), ..self }
    }

    /// Returns the names of the features of [`Monitor::features`], in order.
    ///
    /// | program | names |
    /// |---|---|
    /// | activity | `progress`, then `conjunct.0`, `conjunct.1`, .. |
    /// | game | those of [`GameFeatures`](goalspec_monitor::GameFeatures); for engines other than the fast one, only `setup` and `NAME.attempt` |
    pub fn feature_names(&self) -> &[String] {
        self.features.names()
    }

    /// Returns the names of the preferences of a game, or the indices of the conjuncts of a goal; none under reference semantics.
    pub fn part_names(&self) -> Vec<String> {
        self.prototype.part_names()
    }

    /// Whether [`Monitor::features`], together with the state of the world, determines all future rewards once the first state was
    /// processed, in episodes of at most as many states as the [horizon](Self::with_feature_horizon). It does for goals, and for games that
    /// have no setup and no `(total-time)`, and whose score and terminal condition count the following only:
    ///
    /// * preferences that are `at-end`, which have no memory;
    /// * with a horizon, sequences without a `forall` of their own, measures, and conditions on the last state, if their bindings fit the
    ///   horizon, and are not counted by the positions of objects.
    ///
    /// It never does in worlds with trackers, which derive attributes from earlier states, nor for engines other than the fast one.
    pub fn has_exact_features(&self) -> bool {
        self.features.is_exact()
    }

    /// Starts a run before the first state.
    pub(crate) fn start(&self) -> ProgramRun {
        ProgramRun::clone(&self.prototype)
    }
}

/// A monitor of one program in one environment.
#[derive(Debug, Clone)]
pub struct Monitor {
    compiled: CompiledProgram,
    playback: Playback,
    run: ProgramRun,
    /// The verdict on the latest state, without its reward; `None` before the first.
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
            return Ok(latest.clone());
        }
        self.playback.advance(delta);
        self.set_limit();
        let verdict = self.run.step(&self.playback.update(delta, last));
        if let Some(exceeded) = self.budget_exceeded() {
            let message = format!("`{}` was {exceeded}", self.compiled.program.name);
            let error = Diagnostic::new(codes::OVER_BUDGET, Severity::Error, message);
            return Err(Box::new(error.with_exceeded(Some(ExceededLimit { limit: exceeded.limit, asked: None }))));
        }
        self.is_over = last || verdict.done();
        self.latest = Some(verdict.without_reward());
        Ok(verdict)
    }

    /// Ends the episode, so that the latest state is the last one, and returns the report on all states. The score of the report minus
    /// that of the latest verdict is the reward of the end: that of preferences that only the last state decides. A report of a program
    /// that exceeded its budget has no score and no findings; reports of unsatisfied preferences have no evidence, for which
    /// [`CompiledProgram::score`] reads a trace a second time. Before the first state, nothing ends.
    pub fn finish(&mut self) -> ProgramReport {
        if self.steps() == 0 {
            return self.compiled.start().finish(self.playback.state());
        }
        self.is_over = true;
        self.set_limit();
        let report = self.run.finish(self.playback.state());
        match self.budget_exceeded() {
            Some(exceeded) => self.run.stopped(exceeded.state, exceeded.to_string()),
            None => report,
        }
    }

    /// Sets the work limit for the states so far.
    fn set_limit(&self) {
        self.run.work().set_limit(self.compiled.options.budget.limit(self.steps()));
    }

    /// Returns the latest state and the limit if the run exceeded its budget.
    fn budget_exceeded(&self) -> Option<BudgetExceeded> {
        let work = self.run.work();
        work.is_exceeded().then(|| BudgetExceeded { state: self.steps(), limit: work.limit() })
    }

    /// Restarts the monitor before the first state of a new episode.
    pub fn reset(&mut self) {
        self.run = self.compiled.start();
        self.playback = Playback::new(Arc::clone(&self.compiled.world));
        self.latest = None;
        self.is_over = false;
    }

    /// Returns the compiled program.
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

    /// Writes the state of the monitor as features from 0 to 1, for agents whose reward depends on the history: for an activity the progress
    /// and whether each conjunct holds, for a game those of [`GameFeatures`](goalspec_monitor::GameFeatures).
    /// [`CompiledProgram::has_exact_features`] tells whether they determine the future rewards.
    ///
    /// # Panics
    /// If the length of `features` is not that of [`CompiledProgram::feature_names`].
    pub fn features(&self, features: &mut [f32]) {
        self.run.write_features(&self.compiled.features, features);
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
    Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, format!("`{}` {reason}", program.name))
}
