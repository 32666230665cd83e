//! Passes over a trace: a pass shared by all programs of a world, then a pass of its own for each program that takes much work.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::sync::Arc;

use goalspec_core::budget::{BUDGET_OPTION, Budget, BudgetExceeded};
use goalspec_core::monitor::{MonitorError, StateUpdate};
use goalspec_core::playback::Playback;
use goalspec_core::state::{Delta, State};
use goalspec_core::world::World;
use goalspec_rewards::shipped_worlds;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::input::{STATES_PER_PROGRESS_REPORT, TraceInput, with_trace_name};
use goalspec_trace::{LookaheadReader, ReadOptions, TraceReader};
use rayon::prelude::*;

use super::compiled::LazyProgram;
use super::{ProgramOutcome, ScoreEvent, ScoreObserver, ScoringOptions, Semantics, not_supported_diagnostic};
use crate::codes;
use crate::explanation;
use crate::lanes::{self, RunRecorder};
use crate::monitoring::ProgramRun;
use crate::program::Program;
use crate::report::ProgramReport;

/// The divisor of a program's budget in a shared pass, in which other programs wait for it.
const SHARED_BUDGET_DIVISOR: NonZeroU64 = NonZeroU64::new(32).unwrap();

/// Returns the budget of a program in a shared pass.
pub(super) fn shared_budget(options: &ScoringOptions) -> Budget {
    options.budget.divided_by(SHARED_BUDGET_DIVISOR)
}

/// The input and the options of the passes over a trace.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'p> {
    pub(crate) input: &'p TraceInput,
    pub(crate) options: &'p ScoringOptions,
    pub(crate) read: &'p ReadOptions<'p>,
}

/// A program in a pass.
struct ScoredProgram<'q> {
    program: &'q Arc<LazyProgram>,
    run: ProgramRun,
    rewards: Vec<f64>,
    lanes: Option<RunRecorder>,
    end: Option<RunEnd>,
}

/// The programs of a pass.
struct PassPrograms<'q> {
    programs: Vec<&'q Program>,
    /// The programs that the pass steps.
    runs: Vec<ScoredProgram<'q>>,
    /// The outcomes of the programs that were stopped before the first state.
    outcomes: Vec<ProgramOutcome>,
    /// The programs deferred before the first state.
    later: Vec<&'q Arc<LazyProgram>>,
}

/// The end of a program in a pass.
enum RunEnd {
    /// The trace or the game ended.
    Completed(Box<ProgramReport>),
    /// The program exceeded its work limit in this state.
    Stopped(BudgetExceeded, Box<ProgramReport>),
}

/// The parameters of one pass.
struct PassOptions<'a> {
    /// The budget of each program.
    budget: Budget,
    /// Whether programs that exceed the budget are deferred to a later pass; otherwise they are stopped.
    defers: bool,
    /// Whether the remarks of the reader are reported, which happens in only one pass over the trace.
    remarks: bool,
    progress: &'a dyn Fn(u64),
    observer: ScoreObserver<'a>,
}

/// The programs of a world that exceeded their budget in the shared pass.
pub(crate) struct DeferredPrograms {
    world: Arc<World>,
    programs: Vec<Arc<LazyProgram>>,
    /// Whether the remarks of the reader are still to be reported, since the shared pass ended before the trace did.
    remarks: bool,
}

impl Pass<'_> {
    /// Scores the trace by programs of one world. With `defers`, programs that take much work are
    /// deferred, so that the others do not wait for them.
    pub(crate) fn run_shared(
        self,
        world: &Arc<World>,
        programs: &[Arc<LazyProgram>],
        defers: bool,
        progress: &dyn Fn(u64),
        observer: ScoreObserver<'_>,
    ) -> Result<DeferredPrograms, Box<Diagnostic>> {
        let world = self.extended_world(world)?;
        let programs: Vec<Arc<LazyProgram>> = programs.iter().map(|program| program.in_world(&world)).collect();
        let budget = if defers { shared_budget(self.options) } else { self.options.budget };
        let options = PassOptions { budget, defers, remarks: true, progress, observer };
        let later = self.run_pass(&world, self.compile(&world, &programs, &options), &options)?;
        let remarks = later.len() == programs.len();
        let later = later.into_iter().cloned().collect();
        Ok(DeferredPrograms { world, programs: later, remarks })
    }

    /// Scores the trace by the deferred programs, each in a pass of its own, several in parallel.
    pub(crate) fn run_deferred(self, later: &[DeferredPrograms], observer: ScoreObserver<'_>) {
        let programs: Vec<(&Arc<World>, &Arc<LazyProgram>, bool)> = later
            .iter()
            .flat_map(|DeferredPrograms { world, programs, remarks }| {
                programs.iter().enumerate().map(move |(index, program)| (world, program, *remarks && index == 0))
            })
            .collect();
        let run_alone = |&(world, program, remarks): &(&Arc<World>, &Arc<LazyProgram>, bool)| {
            let ScoringOptions { budget, .. } = *self.options;
            let options = PassOptions { budget, defers: false, remarks, progress: &|_| {}, observer };
            let programs = self.compile(world, std::slice::from_ref(program), &options);
            if let Err(error) = self.run_pass(world, programs, &options) {
                self.report(observer, *error);
            }
        };
        match &self.options.pool {
            None => programs.iter().for_each(run_alone),
            Some(pool) => pool.install(|| programs.par_iter().for_each(run_alone)),
        }
    }

    /// Returns the world with the objects that the trace declares.
    fn extended_world(&self, world: &Arc<World>) -> Result<Arc<World>, Box<Diagnostic>> {
        let source = self.input.open()?;
        Ok(match source.extend_world(world)? {
            Cow::Borrowed(_) => world.clone(),
            Cow::Owned(extended) => Arc::new(extended),
        })
    }

    /// Reports a diagnostic with the name of the trace.
    pub(crate) fn report(&self, observer: ScoreObserver<'_>, finding: Diagnostic) {
        observer(ScoreEvent::Diagnostic(Box::new(with_trace_name(&self.input.name(), finding))));
    }

    /// Compiles programs for a pass.
    fn compile<'q>(
        &self,
        world: &Arc<World>,
        programs: &'q [Arc<LazyProgram>],
        options: &PassOptions<'_>,
    ) -> PassPrograms<'q> {
        let mut compiled = PassPrograms {
            programs: programs.iter().map(|program| program.program()).collect(),
            runs: Vec::new(),
            outcomes: Vec::new(),
            later: Vec::new(),
        };
        for program in programs {
            match program.start(world, self.options, options.defers) {
                Ok(Some(run)) => compiled.runs.push(ScoredProgram::new(program, run, self.options)),
                Ok(None) => {}
                Err(MonitorError::TooMuchWork { .. }) if options.defers => compiled.later.push(program),
                Err(&MonitorError::TooMuchWork { limit }) => {
                    let stopped = BudgetExceeded { state: 0, limit };
                    let end =
                        RunEnd::Stopped(stopped, Box::new(ProgramReport::stopped_game(0, false, stopped.to_string())));
                    compiled.outcomes.push(self.outcome(world, program.program(), Vec::new(), end));
                }
                Err(error) => {
                    let program = program.program();
                    let error = with_trace_name(&self.input.name(), *not_supported_diagnostic(program, error));
                    (options.observer)(ScoreEvent::ProgramError(Arc::clone(&program.name), Box::new(error)));
                }
            }
        }
        compiled
    }

    /// Runs one pass with these programs and returns the deferred ones.
    fn run_pass<'q>(
        &self,
        world: &Arc<World>,
        programs: PassPrograms<'q>,
        options: &PassOptions<'_>,
    ) -> Result<Vec<&'q Arc<LazyProgram>>, Box<Diagnostic>> {
        let PassPrograms { programs, mut runs, mut outcomes, mut later } = programs;
        let source = if self.options.read_ahead { self.input.open_ahead() } else { self.input.open() };
        let reader = source.and_then(|source| source.read(world, self.read))?;
        let mut reader = LookaheadReader::new(reader);
        self.play(world, &mut reader, &mut runs, options)?;
        let left = |run: &ScoredProgram<'_>| options.defers && matches!(run.end, Some(RunEnd::Stopped(..)));
        let all_left = later.len() + runs.iter().filter(|run| left(run)).count() == programs.len();
        if options.remarks && !all_left {
            let reader = reader.reader();
            let named = reader.header().world.as_deref();
            let remarks = shipped_worlds::with_probable_world(reader.diagnostics(), named, world);
            for remark in remarks {
                self.report(options.observer, remark);
            }
        }
        let mut recorders = Vec::new();
        for ScoredProgram { program, rewards, lanes, end, .. } in runs {
            match end {
                Some(RunEnd::Stopped(..)) if options.defers => later.push(program),
                Some(end) => {
                    let is_completed = matches!(end, RunEnd::Completed(_));
                    recorders.extend(lanes.filter(|_| is_completed).map(|lanes| (outcomes.len(), lanes)));
                    outcomes.push(self.outcome(world, program.program(), rewards, end));
                }
                None => {}
            }
        }
        if let Some(limit) = self.options.lanes.filter(|_| !self.options.is_cancelled()) {
            lanes::fill_in(self, world, limit, recorders, &mut outcomes)?;
        }
        if self.options.explain && !self.options.is_cancelled() {
            match self.options.semantics {
                Semantics::Spec => explanation::explain(self, world, &programs, &mut outcomes)?,
                Semantics::Reference => outcomes.iter_mut().for_each(explanation::add_unsupported_remark),
            }
        }
        for outcome in outcomes {
            self.report_outcome(outcome, options.observer);
        }
        Ok(later)
    }

    /// Steps the programs through the states of the trace.
    fn play(
        &self,
        world: &Arc<World>,
        reader: &mut LookaheadReader<goalspec_trace::CheckedReader<'_>>,
        runs: &mut [ScoredProgram<'_>],
        options: &PassOptions<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        let mut playback = Playback::new(world.clone());
        let mut delta = Delta::default();
        let mut reported = 0;
        while let Some(last) = reader.next(&mut delta)? {
            playback.advance(&delta);
            let step = playback.update(&delta, last);
            let state_limit = StateLimit { number: playback.steps(), limit: options.budget.limit(playback.steps()) };
            for run in runs.iter_mut().filter(|run| run.end.is_none()) {
                run.step(&step, state_limit, self.options.per_step);
            }
            if playback.steps().is_multiple_of(STATES_PER_PROGRESS_REPORT) {
                let offset = reader.reader().offset();
                (options.progress)(offset - reported);
                reported = offset;
            }
            if runs.iter().all(|run| run.end.is_some()) {
                break;
            }
            if self.options.is_cancelled() {
                return Ok(());
            }
        }
        (options.progress)(reader.reader().offset() - reported);
        let state_limit = StateLimit { number: playback.steps(), limit: options.budget.limit(playback.steps()) };
        for run in runs.iter_mut().filter(|run| run.end.is_none()) {
            run.finish(playback.state(), state_limit);
        }
        Ok(())
    }

    /// Returns the outcome of a program that ended.
    fn outcome(&self, world: &Arc<World>, program: &Program, rewards: Vec<f64>, end: RunEnd) -> ProgramOutcome {
        let (report, stopped) = match end {
            RunEnd::Completed(report) => (*report, None),
            RunEnd::Stopped(stopped, report) => (*report, Some(stopped)),
        };
        ProgramOutcome {
            program: program.name.clone(),
            trace: self.input.name().into(),
            world: world.clone(),
            report,
            rewards,
            lanes: None,
            budget_exceeded: stopped,
        }
    }

    /// Reports an outcome, preceded by an error if the program was stopped.
    fn report_outcome(&self, outcome: ProgramOutcome, observer: ScoreObserver<'_>) {
        if let Some(stopped) = outcome.budget_exceeded {
            let message = format!("`{}` over `{}` was {stopped}", outcome.program, outcome.trace);
            let error = Diagnostic::new(codes::OVER_BUDGET, Severity::Error, message);
            self.report(observer, error.with_help(format!("`{BUDGET_OPTION} none` lifts the limit")));
        }
        observer(ScoreEvent::Outcome(Box::new(outcome)));
    }
}

/// A state in a pass.
#[derive(Clone, Copy)]
struct StateLimit {
    /// The number of the state, from 1.
    number: u64,
    /// The work limit up to this state.
    limit: u64,
}

impl<'q> ScoredProgram<'q> {
    fn new(program: &'q Arc<LazyProgram>, mut run: ProgramRun, options: &ScoringOptions) -> Self {
        let lanes = options.lanes.and_then(|_| RunRecorder::new(&mut run));
        Self { program, run, rewards: Vec::new(), lanes, end: None }
    }

    /// Evaluates a state, and stops the program if that exceeds the work limit.
    fn step(&mut self, step: &StateUpdate<'_>, state_limit: StateLimit, per_step: bool) {
        self.run.work().set_limit(state_limit.limit);
        let verdict = self.run.step(step);
        if self.run.work().is_exceeded() {
            return self.stop(state_limit);
        }
        if per_step {
            self.rewards.push(verdict.reward());
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.record(&self.run, state_limit.number, &verdict);
        }
        if verdict.done() {
            self.finish(step.state, state_limit);
        }
    }

    /// Judges the states seen, of which `state` is the last one.
    fn finish(&mut self, state: &State, state_limit: StateLimit) {
        self.run.work().set_limit(state_limit.limit);
        let report = self.run.finish(state);
        if self.run.work().is_exceeded() {
            return self.stop(state_limit);
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.finish(&self.run);
        }
        self.end = Some(RunEnd::Completed(Box::new(report)));
    }

    fn stop(&mut self, state_limit: StateLimit) {
        let stopped = BudgetExceeded { state: state_limit.number, limit: state_limit.limit };
        let report = self.run.stopped(state_limit.number, stopped.to_string());
        self.end = Some(RunEnd::Stopped(stopped, Box::new(report)));
    }
}
