//! Running programs over a trace: one pass for all of them.

mod pass;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use goalspec_core::monitor::{Refusal, ScoreError};
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::{ReadOptions, Source, fitting_world};

use crate::budget::{Budget, OPTION, Stopped};
use crate::codes;
use crate::examples;
use crate::limits;
use crate::program::{Content, Program};
use crate::runner::Judgement;
use crate::traces;

pub(crate) use pass::{PROGRESS_STATES, Pass};

/// By whose rules a program is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Semantics {
    /// As the language is defined.
    #[default]
    Spec,
    /// As the authors' reward machine does, deviations included.
    Reference,
}

/// What evaluates a program under [`Semantics::Spec`]. Both give the same results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Engine {
    /// The incremental, bit-parallel engine.
    #[default]
    Fast,
    /// The reference interpreter: slow and obvious.
    Interpreter,
}

/// How traces are scored.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice by itself")]
pub struct Options {
    /// By whose rules.
    pub semantics: Semantics,
    /// By which engine.
    pub engine: Engine,
    /// Whether to find out what made unsatisfied preferences fail; this reads the trace a second time where there are any.
    pub explain: bool,
    /// Whether to keep the reward of every state.
    pub per_step: bool,
    /// Whether a damaged trace is scored up to the damage.
    pub partial: bool,
    /// Whether activities take traces that name another activity.
    pub any_world: bool,
    /// How much work each program may take over one trace.
    pub budget: Budget,
}

impl Options {
    /// How a trace is read, `candidates` being the worlds that messages may point to.
    pub(crate) fn reading<'w>(&self, candidates: Vec<&'w World>) -> ReadOptions<'w> {
        ReadOptions { partial: self.partial, any_world: self.any_world, candidates }
    }
}

/// A trace to score.
#[derive(Debug, Clone)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Bytes that were read already, under a name.
    Bytes(Arc<str>, Arc<[u8]>),
    /// An episode of a recording, by its number.
    Episode(Box<Self>, u64),
}

impl Input {
    /// The trace of a path; `-` reads the standard input to its end.
    ///
    /// # Errors
    /// The standard input cannot be read.
    pub fn of_path(path: &Path) -> Result<Self, Box<Diagnostic>> {
        if path != Path::new("-") {
            return Ok(Self::File(path.to_owned()));
        }
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes).map_err(|error| {
            let message = format!("the standard input cannot be read: {error}");
            Box::new(Diagnostic::new(codes::UNREADABLE, Severity::Error, message))
        })?;
        Ok(Self::Bytes("<stdin>".into(), bytes.into()))
    }

    /// The name for messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Bytes(name, _) => name.to_string(),
            Self::Episode(input, number) => format!("{}#{number}", input.name()),
        }
    }

    pub(crate) fn open(&self) -> goalspec_trace::Result<Source<'_>> {
        match self {
            Self::File(path) => match examples::read(path) {
                Some(text) => Source::from_reader(text.as_bytes()),
                None => Source::open(path),
            },
            Self::Bytes(_, bytes) => Source::from_reader(&bytes[..]),
            Self::Episode(input, number) => Ok(input.open()?.of_episode(*number)),
        }
    }
}

/// What one program made of one trace.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The program's name.
    pub program: Arc<str>,
    /// The trace's name.
    pub trace: Arc<str>,
    /// The world, with the objects that the trace declares.
    pub world: Arc<World>,
    /// What it came to.
    pub judgement: Judgement,
    /// The reward of every state, if [`Options::per_step`] asked for it.
    pub rewards: Vec<f64>,
    /// Where the program exceeded its [budget](Options::budget), if it did. Then there is no score, and what was found is left out.
    pub stopped: Option<Stopped>,
}

impl Outcome {
    /// Whether the program could not be scored as it should. A setup that was never met is an outcome like any other: the
    /// game was not played.
    pub fn failed(&self) -> bool {
        !matches!(self.judgement.score(), Ok(_) | Err(ScoreError::SetupNeverMet))
    }
}

/// What all programs made of one trace.
#[derive(Debug, Clone, Default)]
pub struct Scored {
    /// In the order of the programs; those that could not be run are missing.
    pub outcomes: Vec<Outcome>,
    /// What was noticed about the trace, and why programs are missing.
    pub diagnostics: Vec<Diagnostic>,
}

impl Scored {
    /// What was made of several traces, one after the other.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.outcomes.extend(other.outcomes);
        self.diagnostics.extend(other.diagnostics);
        self
    }
}

/// A result of scoring a trace, as soon as it is known.
#[derive(Debug)]
pub enum ScoreEvent {
    /// What a program made of the trace.
    Outcome(Box<Outcome>),
    /// What was noticed about the trace, or why a program is missing.
    Diagnostic(Box<Diagnostic>),
}

/// Receives the events of a scoring run, possibly from several threads.
pub type ScoreObserver<'o> = &'o (dyn Fn(ScoreEvent) + Sync);

/// Scores a trace by all programs whose world it belongs to. `progress` hears, now and then, how many bytes of the trace's text were read
/// since the last time. As [`score_each`], with everything at the end and in the order of the programs.
pub fn score(programs: &[&Program], input: &Input, options: &Options, progress: &dyn Fn(u64)) -> Scored {
    let scored = Mutex::new(Scored::default());
    score_each(programs, input, options, progress, &|event| {
        let mut scored = scored.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            ScoreEvent::Outcome(outcome) => scored.outcomes.push(*outcome),
            ScoreEvent::Diagnostic(diagnostic) => scored.diagnostics.push(*diagnostic),
        }
    });
    let mut scored = scored.into_inner().unwrap_or_else(PoisonError::into_inner);
    let places: BTreeMap<&str, usize> = programs.iter().enumerate().map(|(at, program)| (&*program.name, at)).collect();
    scored.outcomes.sort_by_key(|outcome| places.get(&*outcome.program));
    scored
}

/// Scores a trace by all programs whose world it belongs to, and hands over each result as soon as it is known.
///
/// All programs of a world share one pass over the trace. Those that take much work leave it and are run by themselves after the passes of
/// all worlds, several at a time, so that they keep no others waiting; what exceeds the [budget](Options::budget) is stopped.
pub fn score_each(
    programs: &[&Program],
    input: &Input,
    options: &Options,
    progress: &dyn Fn(u64),
    observer: ScoreObserver<'_>,
) {
    let report = |finding: Diagnostic| {
        observer(ScoreEvent::Diagnostic(Box::new(about(&input.name(), finding))));
    };
    let mut groups = by_world(programs);
    let worlds: Vec<Arc<World>> = groups.iter().map(|(world, _)| world.clone()).collect();
    let candidates: Vec<&World> = worlds.iter().map(|world| &**world).collect();
    if groups.len() > 1 {
        // Each trace of a mixed pile goes with the programs of its own world.
        match fitting_world(|| input.open(), &candidates) {
            Ok(Some(fitting)) => groups.retain(|(world, _)| world.name() == fitting.name()),
            Ok(None) if !options.any_world && input.open().is_ok_and(|source| source.header().world.is_some()) => {
                return report(*traces::foreign(input, &candidates));
            }
            // A trace that does not say where it belongs is tried with all of them.
            Ok(None) => {}
            Err(error) => return report(*damaged(error)),
        }
    }
    let read = options.reading(candidates);
    let pass = Pass { input, options, read: &read };
    let awaited = groups.iter().map(|(_, group)| group.len()).sum::<usize>() > 1;
    let (mut foreign, mut later) = (Vec::new(), Vec::new());
    for (world, group) in &groups {
        match pass.shared(world, group, awaited, progress, observer) {
            Ok(left) => later.push(left),
            Err(error) if error.code == goalspec_trace::codes::WRONG_WORLD => foreign.push(*error),
            Err(error) => report(*error),
        }
    }
    // Only a trace that goes with no program at all is worth an error.
    if foreign.len() == groups.len() {
        foreign.into_iter().for_each(report);
    }
    pass.alone(&later, observer);
}

/// The programs by world. Worlds of one name may differ: activities bring their own, and name them as they please.
fn by_world<'p>(programs: &[&'p Program]) -> Vec<(Arc<World>, Vec<&'p Program>)> {
    let mut groups: Vec<(Arc<World>, Vec<&Program>)> = Vec::new();
    for &program in programs {
        let Some(world) = &program.world else { continue };
        match groups.iter_mut().find(|(other, _)| Arc::ptr_eq(other, world)) {
            Some((_, group)) => group.push(program),
            None => groups.push((world.clone(), vec![program])),
        }
    }
    groups
}

/// The program as it reads in a world that a trace has added objects to.
pub(crate) fn adapted(program: &Program, world: &Arc<World>) -> Program {
    let mut program = program.clone();
    let extended = program.world.as_ref().is_some_and(|own| !Arc::ptr_eq(own, world));
    // The objects of an activity are all its own.
    if extended
        && let Content::Game(content) = &mut program.content
        && content.game.is_some()
    {
        let resolved = goalspec_game::resolve::resolve(&content.ast, world, content.dialect);
        content.game = resolved.game.map(Arc::new);
        program.world = Some(world.clone());
    }
    program
}

/// The diagnostic of a program that an engine does not run.
pub(crate) fn refusal(program: &Program, reason: &Refusal) -> Box<Diagnostic> {
    let message = format!("`{}` is not run: {reason}", program.name);
    let refused = Diagnostic::new(codes::REFUSED, Severity::Error, message);
    Box::new(match reason {
        Refusal::TooMuchWork { .. } => refused.with_help(format!("`{OPTION} none` lifts the limit")),
        _ => limits::advise(refused),
    })
}

/// Says which trace a finding is about, since it has no place in a text that is kept.
pub fn about(trace: &str, mut finding: Diagnostic) -> Diagnostic {
    if let Some(quote) = &mut finding.quote {
        quote.rename(trace);
    }
    if finding.code.0.starts_with("trace/") && !finding.message.contains(trace) {
        finding.message = format!("{trace}: {}", finding.message);
    }
    finding
}

/// The diagnostic of a trace that cannot be read.
pub(crate) fn damaged(error: goalspec_trace::TraceError) -> Box<Diagnostic> {
    Box::new(error.into_diagnostic())
}
