//! Scoring of programs over traces, in one pass over each trace for all programs.

mod compiled;
mod pass;
mod scorer;
#[cfg(feature = "parquet")]
pub mod shard;
pub mod table;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use goalspec_core::budget::{BUDGET_OPTION, Budget, BudgetExceeded};
use goalspec_core::engine::Engine;
use goalspec_core::monitor::{MonitorError, ScoreError};
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::{ReadOptions, TraceInput};
use rayon::ThreadPool;

use crate::codes;
use crate::lanes::ProgramLanes;
use crate::limits;
use crate::program::{Program, ProgramContent};
use crate::report::ProgramReport;

pub use compiled::CompiledPrograms;
pub(crate) use pass::Pass;
pub use scorer::{LibraryScoreEvent, LibraryScoreObserver, LibraryScorer, LibraryScores};

/// The semantics under which a program is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Semantics {
    /// The definition of the language.
    #[default]
    Spec,
    /// The behaviour of the authors' reward machine, deviations from the definition included.
    Reference,
}

/// Options for scoring a trace.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice by itself")]
pub struct ScoringOptions {
    /// The semantics.
    pub semantics: Semantics,
    /// The engine that evaluates programs under [`Semantics::Spec`].
    pub engine: Engine,
    /// Whether to explain unsatisfied preferences. If there are any, the trace is read a second time.
    pub explain: bool,
    /// Whether to keep the reward of every state.
    pub per_step: bool,
    /// The maximum number of lanes listed for each preference (see [`ProgramOutcome::lanes`]); `None` for none at all. With lanes, the trace
    /// is read a second time.
    pub lanes: Option<usize>,
    /// Whether to score a damaged trace up to the damage.
    pub partial: bool,
    /// Whether to score activities over traces that name another activity.
    pub any_world: bool,
    /// The work limit of each program per trace.
    pub budget: Budget,
    /// The maximum number of bindings of a preference, or of a quantifier of the setup, if it is below
    /// [`MAX_BINDINGS`](goalspec_core::limits::MAX_BINDINGS). The authors' reward machine has a limit of its own.
    pub max_bindings: Option<u64>,
    /// The maximum memory of a run of the fast engine, in bytes, instead of [`MAX_RUN_BYTES`](goalspec_core::limits::MAX_RUN_BYTES).
    pub max_run_bytes: Option<u64>,
    /// The threads on which programs that take much work run, several at the same time; `None` for the calling thread. The results are
    /// the same.
    pub pool: Option<Arc<ThreadPool>>,
    /// Whether compressed traces are decompressed on a further thread while the states are scored. The results are the same.
    pub read_ahead: bool,
    /// A flag that stops scoring when another thread sets it; programs that have not finished then have no outcome.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl ScoringOptions {
    /// Whether scoring was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
    }

    /// Returns the options for reading a trace. Messages suggest worlds among `candidates`.
    pub(crate) fn reading<'w>(&self, candidates: Vec<&'w World>) -> ReadOptions<'w> {
        ReadOptions { partial: self.partial, any_world: self.any_world, candidates }
    }
}

/// The outcome of one program on one trace.
#[derive(Debug, Clone)]
pub struct ProgramOutcome {
    /// The name of the program.
    pub program: Arc<str>,
    /// The name of the trace.
    pub trace: Arc<str>,
    /// The world, with the objects that the trace declares.
    pub world: Arc<World>,
    /// The judgement of the program on the trace.
    pub report: ProgramReport,
    /// The reward of every state; empty unless [`ScoringOptions::per_step`] is set.
    pub rewards: Vec<f64>,
    /// The progress of single bindings and the states in which conditions hold, if [`ScoringOptions::lanes`] asks for them. Only the fast
    /// engine records them.
    pub lanes: Option<Box<ProgramLanes>>,
    /// The point at which the program exceeded its [budget](ScoringOptions::budget). If it did, the judgement has no score and no
    /// findings.
    pub budget_exceeded: Option<BudgetExceeded>,
}

impl ProgramOutcome {
    /// Whether the program has no score because of a failure. A setup that was never met is not a failure: the game was not
    /// played.
    pub fn is_failure(&self) -> bool {
        !matches!(self.report.score(), Ok(_) | Err(ScoreError::SetupNeverMet))
    }
}

/// The outcomes of all programs on one trace.
#[derive(Debug, Clone, Default)]
pub struct ScoringResult {
    /// The outcomes, in the order of the programs. Programs that could not be run have none.
    pub outcomes: Vec<ProgramOutcome>,
    /// The diagnostics of the trace and of the programs that could not be run.
    pub diagnostics: Vec<Diagnostic>,
}

impl ScoringResult {
    /// Returns the outcome of the only program.
    ///
    /// # Errors
    /// The first error if the program has no outcome.
    pub fn into_outcome(mut self) -> Result<ProgramOutcome, Box<Diagnostic>> {
        if let Some(outcome) = self.outcomes.pop() {
            return Ok(outcome);
        }
        let error = self.diagnostics.into_iter().find(Diagnostic::is_error);
        let no_program = || Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, "no program is scored");
        Err(Box::new(error.unwrap_or_else(no_program)))
    }

    /// Appends the outcomes and diagnostics of another trace.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.outcomes.extend(other.outcomes);
        self.diagnostics.extend(other.diagnostics);
        self
    }
}

/// An event of a scoring run, reported as soon as it occurs.
#[derive(Debug)]
pub enum ScoreEvent {
    /// The outcome of a program on the trace.
    Outcome(Box<ProgramOutcome>),
    /// A diagnostic of the trace.
    Diagnostic(Box<Diagnostic>),
    /// The error of a program that could not be run, with its name.
    ProgramError(Arc<str>, Box<Diagnostic>),
}

/// An observer of the events of a scoring run, possibly called from several threads.
pub type ScoreObserver<'o> = &'o (dyn Fn(ScoreEvent) + Sync);

/// Scores one trace by all programs whose world it belongs to. `progress` is called from time to time with the number of bytes of
/// the trace's text read since the previous call. For several traces, [`CompiledPrograms`] compiles the programs only once.
pub fn score(
    programs: &[&Program],
    input: &TraceInput,
    options: &ScoringOptions,
    progress: &dyn Fn(u64),
) -> ScoringResult {
    CompiledPrograms::new(programs, options).score(input, progress)
}

/// Collects the events of a scoring run.
fn collect(run: impl FnOnce(ScoreObserver<'_>)) -> ScoringResult {
    let result = Mutex::new(ScoringResult::default());
    run(&|event| {
        let mut result = result.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            ScoreEvent::Outcome(outcome) => result.outcomes.push(*outcome),
            ScoreEvent::Diagnostic(diagnostic) | ScoreEvent::ProgramError(_, diagnostic) => {
                result.diagnostics.push(*diagnostic);
            }
        }
    });
    result.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the program resolved in the world that a trace has extended with objects.
pub(crate) fn resolve_in_world(program: &Program, world: &Arc<World>) -> Program {
    let mut program = program.clone();
    let extended = program.world.as_ref().is_some_and(|own| !Arc::ptr_eq(own, world));
    // The objects of an activity are fixed by the activity.
    if extended
        && let ProgramContent::Game(content) = &mut program.content
        && content.game.is_some()
    {
        let resolved = goalspec_game::resolve::resolve(&content.ast, world, content.dialect);
        content.game = resolved.game.map(Arc::new);
        program.world = Some(world.clone());
    }
    program
}

/// Returns the diagnostic of a program that an engine refuses to run.
pub(crate) fn not_supported_diagnostic(program: &Program, reason: &MonitorError) -> Box<Diagnostic> {
    let message = format!("cannot run `{}`: {reason}", program.name);
    let diagnostic =
        Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, message).with_exceeded(Some(reason.exceeded()));
    Box::new(match reason {
        MonitorError::TooMuchWork { .. } => diagnostic.with_help(format!("`{BUDGET_OPTION} none` lifts the limit")),
        _ => limits::add_remedy(diagnostic),
    })
}
