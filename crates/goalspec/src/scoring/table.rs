//! Scores as one table with a row per trace and program, for collections of any size: the same code scores the shards of the command line
//! and the batches of the Python package.
//!
//! The rows of a trace are a function of the trace, the programs and the options alone, up to the limit on time. What goes wrong with a trace is
//! a value in the column `error` of its rows, never an error of the call, so that one bad trace among many millions costs its own rows only.

mod rows;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use goalspec_core::budget::Budget;
use goalspec_core::engine::Engine;
use goalspec_core::world::World;
use goalspec_rewards::compiled::CallBudget;
use goalspec_rewards::score::ScoreOptions as RewardOptions;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::suggest::did_you_mean;
use goalspec_table::{Cell, Column};
use goalspec_trace::{ReadLimits, TraceInput};

use super::{CompiledPrograms, LibraryScoreEvent, LibraryScorer, ScoringOptions, Semantics};
use crate::codes;
use crate::library::Library;
use crate::program::Program;

pub use rows::MAX_COUNT_COLUMNS;
use rows::{RowLayout, TraceResults};

/// Limits on what scoring one trace may take. A trace that exceeds one of them has an error instead of scores.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceLimits {
    /// The limits on the states, the bytes and the time. The time includes all programs, and is checked before every state.
    pub read: ReadLimits,
    /// The maximum number of bindings of a preference, or of a quantifier of the setup; the authors' reward machine has its own.
    pub bindings: u64,
    /// The maximum memory of a run of the fast engine for bindings and conditions, in bytes.
    pub memory_bytes: u64,
    /// The work budget of each program.
    pub budget: Budget,
    /// The work limit of each call of a reward function.
    pub call_budget: CallBudget,
}

/// Maximum number of states of a trace, by default.
pub const MAX_TRACE_STATES: u64 = 1_000_000;

/// Maximum number of bytes of a trace, by default.
pub const MAX_TRACE_BYTES: u64 = 256 << 20;

/// Maximum time for a trace, by default.
pub const MAX_TRACE_TIME: Duration = Duration::from_mins(1);

/// The default maximum number of bindings.
pub const DEFAULT_BINDINGS: u64 = 1 << 24;

/// The default maximum memory of a run: 512 MiB.
pub const DEFAULT_MEMORY_BYTES: u64 = 512 << 20;

impl Default for TraceLimits {
    fn default() -> Self {
        let read =
            ReadLimits { states: Some(MAX_TRACE_STATES), bytes: Some(MAX_TRACE_BYTES), time: Some(MAX_TRACE_TIME) };
        Self {
            read,
            bindings: DEFAULT_BINDINGS,
            memory_bytes: DEFAULT_MEMORY_BYTES,
            budget: Budget::default(),
            call_budget: CallBudget::default(),
        }
    }
}

/// Options for scoring a table of traces.
#[derive(Debug, Clone, Default)]
pub struct TableOptions {
    /// The semantics of games.
    pub semantics: Semantics,
    /// The engine under [`Semantics::Spec`].
    pub engine: Engine,
    /// Whether activities score traces that name another activity.
    pub any_world: bool,
    /// The limits for each trace.
    pub limits: TraceLimits,
}

/// A scorer of any number of traces by programs of a library, which are compiled once. It can be shared by threads.
#[derive(Debug)]
pub struct TableScorer {
    library: Arc<Library>,
    /// The indices of the programs.
    programs: Vec<usize>,
    compiled: Arc<CompiledPrograms>,
    options: TableOptions,
    layout: RowLayout,
}

impl TableScorer {
    /// Prepares the programs with these indices. Programs that are not scored, such as resource graph games, are left out: they define the
    /// games that a recording is of.
    ///
    /// # Errors
    /// If none of the programs is scored, one of them has errors, two have the same name, or their preferences have more than
    /// [`MAX_COUNT_COLUMNS`] names.
    ///
    /// # Panics
    /// If the library has no program with one of the indices.
    pub fn new(library: Arc<Library>, programs: &[usize], options: TableOptions) -> Result<Self, Box<Diagnostic>> {
        let all: Vec<&Program> = programs.iter().map(|&index| &library.programs()[index]).collect();
        let scored: Vec<&Program> =
            all.iter().copied().filter(|program| program.not_scored_reason().is_none()).collect();
        if scored.is_empty() {
            let reason = all.first().and_then(|program| Some((&program.name, program.not_scored_reason()?)));
            return Err(refused(match reason {
                Some((name, reason)) => format!("`{name}` {reason}"),
                None => "expected at least one program".to_owned(),
            }));
        }
        let layout = RowLayout::new(&scored).map_err(refused)?;
        let compiled = Arc::new(LibraryScorer::compile(&scored, &scoring_options(&options)));
        let is_scored = |&index: &usize| library.programs()[index].not_scored_reason().is_none();
        let programs = programs.iter().copied().filter(is_scored).collect();
        Ok(Self { library, programs, compiled, options, layout })
    }

    /// Returns the columns of the rows: `trace`, `program`, `score`, `score_error`, `states`, `terminal`, a column `count_NAME` for each name
    /// of a preference of the programs, and `error`.
    pub fn columns(&self) -> &[Column] {
        self.layout.columns()
    }

    /// Returns the number of rows of each trace: the number of programs that are scored.
    pub fn rows_per_trace(&self) -> usize {
        self.programs.len()
    }

    /// Returns the worlds of the programs, each once.
    pub fn worlds(&self) -> Vec<&Arc<World>> {
        let mut worlds: Vec<&Arc<World>> = Vec::new();
        for world in self.programs().filter_map(|program| program.world.as_ref()) {
            if !worlds.iter().any(|other| Arc::ptr_eq(other, world)) {
                worlds.push(world);
            }
        }
        worlds
    }

    /// Returns the world in which the rows or columns of a table are read: the one of this name, or the only world of the programs.
    ///
    /// # Errors
    /// If there is no such world, or the table names none and the programs are of several.
    pub fn world_of_table(&self, name: Option<&str>) -> Result<&Arc<World>, Box<Diagnostic>> {
        let worlds = self.worlds();
        let named = name.and_then(|name| worlds.iter().copied().find(|world| world.name() == name));
        match (named, name, &worlds[..]) {
            // The reader remarks that the table names another world.
            (Some(world), _, _) | (None, _, &[world]) => Ok(world),
            (None, Some(name), _) => Err(other_world(name, &worlds)),
            (None, None, _) => {
                let quoted: Vec<String> = worlds.iter().map(|world| format!("`{}`", world.name())).collect();
                let message = match &quoted[..] {
                    [] => "the world of the programs is unknown".to_owned(),
                    _ => format!("the table does not name its world, and the programs are of {}", quoted.join(", ")),
                };
                Err(Box::new(Diagnostic::new(goalspec_trace::codes::UNKNOWN_DOMAIN, Severity::Error, message)))
            }
        }
    }

    /// Starts scoring a batch of traces.
    pub fn batch(&self) -> TableBatch<'_> {
        let reward_options = RewardOptions {
            any_world: self.options.any_world,
            engine: self.options.engine,
            budget: self.options.limits.budget,
            call_budget: self.options.limits.call_budget,
            ..RewardOptions::default()
        };
        let programs: Vec<&Program> = self.programs().collect();
        let scorer = LibraryScorer::of_compiled(&self.library, &programs, Arc::clone(&self.compiled), reward_options);
        TableBatch { table: self, scorer }
    }

    fn programs(&self) -> impl Iterator<Item = &Program> {
        self.programs.iter().map(|&index| &self.library.programs()[index])
    }
}

fn other_world(name: &str, worlds: &[&Arc<World>]) -> Box<Diagnostic> {
    let suggestion = did_you_mean(name, worlds.iter().map(|world| world.name()));
    let message = format!("the table is of the world `{name}`, and no program is");
    let error = Diagnostic::new(goalspec_trace::codes::WRONG_WORLD, Severity::Error, message);
    Box::new(suggestion.into_iter().fold(error, Diagnostic::with_help))
}

fn refused(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, message))
}

/// Returns the options of games and activities.
fn scoring_options(options: &TableOptions) -> ScoringOptions {
    ScoringOptions {
        semantics: options.semantics,
        engine: options.engine,
        any_world: options.any_world,
        budget: options.limits.budget,
        max_bindings: Some(options.limits.bindings),
        max_run_bytes: Some(options.limits.memory_bytes),
        ..ScoringOptions::default()
    }
}

/// A batch of traces that is being scored, possibly by several threads.
#[derive(Debug)]
pub struct TableBatch<'s> {
    table: &'s TableScorer,
    scorer: LibraryScorer<'s>,
}

impl TableBatch<'_> {
    /// Returns the world in which a table is read, as [`TableScorer::world_of_table`].
    ///
    /// # Errors
    /// As [`TableScorer::world_of_table`].
    pub fn world_of_table(&self, name: Option<&str>) -> Result<&Arc<World>, Box<Diagnostic>> {
        self.table.world_of_table(name)
    }

    /// Returns the rows of one trace, one for each program in the order of the programs. `key` is the value of their column `trace`; `open`
    /// returns the trace, and its error is the error of the rows. `progress` is called from time to time with the number of bytes read.
    ///
    /// A defect of an engine that panics is an error of the rows, too.
    pub fn score(
        &self,
        key: &str,
        open: impl FnOnce() -> Result<TraceInput, Box<Diagnostic>>,
        progress: &dyn Fn(u64),
    ) -> Vec<Vec<Cell>> {
        let limits = self.table.options.limits.read.start();
        let run = || match open() {
            Ok(input) => self.collect(&TraceInput::Limited(Box::new(input), limits), progress),
            Err(error) => TraceResults::failed(&error),
        };
        // Nothing that a panic could leave half-done is used again: compiled programs are never changed.
        let results = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| TraceResults::panicked(&*panic));
        self.table.layout.rows(key, &results)
    }

    /// Scores a trace, and returns the results by program.
    fn collect(&self, input: &TraceInput, progress: &dyn Fn(u64)) -> TraceResults {
        let results = Mutex::new(TraceResults::default());
        self.scorer.score_each(input, progress, &|event| {
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                LibraryScoreEvent::Program(outcome) => results.add_program(&outcome),
                LibraryScoreEvent::Reward(outcome) => results.add_reward(&outcome),
                LibraryScoreEvent::Diagnostic(finding) => results.add_diagnostic(&finding),
                LibraryScoreEvent::ProgramError(program, error) => results.add_program_error(&program, &error),
            }
        });
        results.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The places of values by name.
type Places = BTreeMap<Arc<str>, usize>;
