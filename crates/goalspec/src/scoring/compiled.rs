//! Programs that are compiled once to score any number of traces.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use goalspec_core::monitor::MonitorError;
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use goalspec_trace::detect_world;
use goalspec_trace::input::{TraceInput, with_trace_name};

use super::pass::{Pass, shared_budget};
use super::{ScoreEvent, ScoreObserver, ScoringOptions, ScoringResult, collect, resolve_in_world};
use crate::monitoring::ProgramRun;
use crate::program::Program;
use crate::traces;

/// The result of a compilation: a run before its first state, of which every run is a copy; `None` for a program that is not scored.
type Compilation = Result<Option<Arc<ProgramRun>>, MonitorError>;

/// Games and activities that are compiled once to score any number of traces, possibly from several threads.
///
/// A program is compiled when a trace first needs it, and again for traces that declare objects of their own.
#[derive(Debug)]
pub struct CompiledPrograms {
    groups: Vec<WorldGroup>,
    /// The positions of the programs, by name.
    positions: BTreeMap<Arc<str>, usize>,
    options: ScoringOptions,
}

/// The programs of one world. Worlds with the same name may differ: each activity has a world of its own, with a name chosen by its
/// author.
#[derive(Debug)]
struct WorldGroup {
    world: Arc<World>,
    programs: Vec<Arc<LazyProgram>>,
}

impl CompiledPrograms {
    /// Prepares programs for scoring. Programs without a world are not scored.
    pub fn new(programs: &[&Program], options: &ScoringOptions) -> Self {
        let mut groups: Vec<WorldGroup> = Vec::new();
        for program in programs {
            let Some(world) = &program.world else { continue };
            let lazy = Arc::new(LazyProgram::new((*program).clone()));
            match groups.iter_mut().find(|group| Arc::ptr_eq(&group.world, world)) {
                Some(group) => group.programs.push(lazy),
                None => groups.push(WorldGroup { world: Arc::clone(world), programs: vec![lazy] }),
            }
        }
        let positions =
            programs.iter().enumerate().map(|(index, program)| (Arc::clone(&program.name), index)).collect();
        Self { groups, positions, options: options.clone() }
    }

    /// Returns the set of a program that is already compiled.
    pub(crate) fn from_compiled(
        program: &Arc<Program>,
        world: &Arc<World>,
        prototype: &Arc<ProgramRun>,
        options: &ScoringOptions,
    ) -> Self {
        let compiled = OnceLock::from(Ok(Some(Arc::clone(prototype))));
        let lazy = LazyProgram { program: Arc::clone(program), shared: OnceLock::new(), alone: compiled };
        let group = WorldGroup { world: Arc::clone(world), programs: vec![Arc::new(lazy)] };
        Self { groups: vec![group], positions: BTreeMap::new(), options: options.clone() }
    }

    /// Scores a trace by all programs whose world it belongs to. `progress` is called from time to time with the number of bytes of
    /// the trace's text read since the previous call.
    ///
    /// This is [`score_each`](Self::score_each) with the results collected in the order of the programs.
    pub fn score(&self, input: &TraceInput, progress: &dyn Fn(u64)) -> ScoringResult {
        let mut result = collect(|observer| self.score_each(input, progress, observer));
        result.outcomes.sort_by_key(|outcome| self.positions.get(&outcome.program));
        result
    }

    /// Scores a trace by all programs whose world it belongs to and reports each result as soon as it is known.
    ///
    /// All programs of a world share one pass over the trace. Programs that take much work leave the shared pass and run alone after
    /// the passes of all worlds, several in parallel, so that they do not delay the others. Programs that exceed the
    /// [budget](ScoringOptions::budget) are stopped.
    pub fn score_each(&self, input: &TraceInput, progress: &dyn Fn(u64), observer: ScoreObserver<'_>) {
        let report = |finding: Diagnostic| {
            observer(ScoreEvent::Diagnostic(Box::new(with_trace_name(&input.name(), finding))));
        };
        let candidates: Vec<&World> = self.groups.iter().map(|group| &*group.world).collect();
        let mut groups: Vec<&WorldGroup> = self.groups.iter().collect();
        if groups.len() > 1 {
            // A trace is scored only by the programs of its own world.
            match detect_world(|| input.open(), &candidates) {
                Ok(Some(matching)) => groups.retain(|group| group.world.name() == matching.name()),
                Ok(None)
                    if !self.options.any_world && input.open().is_ok_and(|source| source.header().world.is_some()) =>
                {
                    return report(*traces::wrong_world_error(input, &candidates));
                }
                // A trace that does not name its world is tried with all programs.
                Ok(None) => {}
                Err(error) => return report(error.into_diagnostic()),
            }
        }
        let read = self.options.reading(candidates);
        let pass = Pass { input, options: &self.options, read: &read };
        let is_shared = groups.iter().map(|group| group.programs.len()).sum::<usize>() > 1;
        let (mut wrong_worlds, mut later) = (Vec::new(), Vec::new());
        for group in &groups {
            match pass.run_shared(&group.world, &group.programs, is_shared, progress, observer) {
                Ok(left) => later.push(left),
                Err(error) if error.code == goalspec_trace::codes::WRONG_WORLD => wrong_worlds.push(*error),
                Err(error) => report(*error),
            }
        }
        // The wrong world is an error only if no program accepts the trace.
        if wrong_worlds.len() == groups.len() {
            wrong_worlds.into_iter().for_each(report);
        }
        pass.run_deferred(&later, observer);
    }
}

/// A program that is compiled when a pass first needs it.
#[derive(Debug)]
pub(crate) struct LazyProgram {
    program: Arc<Program>,
    /// The result within the budget of a shared pass.
    shared: OnceLock<Compilation>,
    /// The result within the whole budget.
    alone: OnceLock<Compilation>,
}

impl LazyProgram {
    fn new(program: Program) -> Self {
        Self { program: Arc::new(program), shared: OnceLock::new(), alone: OnceLock::new() }
    }

    /// Returns the program.
    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the program for a world that a trace has extended with objects.
    pub(super) fn in_world(self: &Arc<Self>, world: &Arc<World>) -> Arc<Self> {
        match &self.program.world {
            Some(own) if Arc::ptr_eq(own, world) => Arc::clone(self),
            _ => Arc::new(Self::new(resolve_in_world(&self.program, world))),
        }
    }

    /// Returns a run before its first state, compiled within the budget of a shared pass or within the whole budget.
    pub(super) fn start(
        &self,
        world: &Arc<World>,
        options: &ScoringOptions,
        is_shared: bool,
    ) -> Result<Option<ProgramRun>, &MonitorError> {
        let compile = |limit| Ok(ProgramRun::prepare(&self.program, world, options, limit)?.map(Arc::new));
        let compilation = match self.shared.get() {
            Some(compiled @ Ok(_)) => compiled,
            _ if is_shared => self.shared.get_or_init(|| compile(shared_budget(options).limit(0))),
            _ => self.alone.get_or_init(|| compile(options.budget.limit(0))),
        };
        compilation.as_ref().map(|run| run.as_deref().cloned())
    }
}
