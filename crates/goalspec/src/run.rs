//! Running programs over a trace: one pass for all of them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_core::monitor::{Refusal, ScoreError};
use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::{Peeked, ReadOptions, Source, TraceReader, fitting_world};

use crate::codes;
use crate::examples;
use crate::program::{Content, Program};
use crate::runner::{Judgement, Prepared, Runner};
use crate::{traces, why};

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

/// Scores a trace by all programs whose world it belongs to, in one pass per world. `progress` hears, now and then, how many
/// bytes of the trace's text were read since the last time.
pub fn score(programs: &[&Program], input: &Input, options: &Options, progress: &dyn Fn(u64)) -> Scored {
    let mut scored = Scored::default();
    let mut groups = by_world(programs);
    let worlds: Vec<Arc<World>> = groups.iter().map(|(world, _)| world.clone()).collect();
    let candidates: Vec<&World> = worlds.iter().map(|world| &**world).collect();
    if groups.len() > 1 {
        // Each trace of a mixed pile goes with the programs of its own world.
        match fitting_world(|| input.open(), &candidates) {
            Ok(Some(fitting)) => groups.retain(|(world, _)| world.name() == fitting.name()),
            Ok(None) if !options.any_world && input.open().is_ok_and(|source| source.header().world.is_some()) => {
                scored.diagnostics.push(*traces::foreign(input, &candidates));
                return scored;
            }
            // A trace that does not say where it belongs is tried with all of them.
            Ok(None) => {}
            Err(error) => {
                scored.diagnostics.push(*damaged(error));
                return scored;
            }
        }
    }
    let mut foreign = Vec::new();
    for (world, group) in &groups {
        let read = options.reading(candidates.clone());
        let pass = Pass { input, options, read: &read, progress };
        match pass.run(world, group) {
            Ok(part) => {
                scored.outcomes.extend(part.outcomes);
                scored.diagnostics.extend(part.diagnostics);
            }
            Err(error) if error.code == goalspec_trace::codes::WRONG_WORLD => foreign.push(*error),
            Err(error) => scored.diagnostics.push(*error),
        }
    }
    // Only a trace that goes with no program at all is worth an error.
    if foreign.len() == groups.len() {
        scored.diagnostics.extend(foreign);
    }
    scored.diagnostics = scored.diagnostics.into_iter().map(|finding| about(&input.name(), finding)).collect();
    let places: BTreeMap<&str, usize> = programs.iter().enumerate().map(|(at, program)| (&*program.name, at)).collect();
    scored.outcomes.sort_by_key(|outcome| places.get(&*outcome.program));
    scored
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

/// One reading of a trace.
pub(crate) struct Pass<'p> {
    pub(crate) input: &'p Input,
    pub(crate) options: &'p Options,
    pub(crate) read: &'p ReadOptions<'p>,
    pub(crate) progress: &'p dyn Fn(u64),
}

/// States between two reports of progress.
pub(crate) const PROGRESS_STATES: u64 = 256;

struct Run<'r> {
    program: &'r Program,
    runner: Runner<'r>,
    rewards: Vec<f64>,
    judgement: Option<Judgement>,
}

impl Pass<'_> {
    fn run(&self, world: &Arc<World>, programs: &[&Program]) -> Result<Scored, Box<Diagnostic>> {
        let source = self.input.open().map_err(damaged)?;
        let mut scored = Scored::default();
        let world = match source.extend(world).map_err(damaged)? {
            Cow::Borrowed(_) => world.clone(),
            Cow::Owned(extended) => Arc::new(extended),
        };
        let programs: Vec<Program> = programs.iter().map(|program| adapted(program, &world)).collect();
        let mut prepared = Vec::new();
        for program in &programs {
            match Prepared::new(program, &world, self.options) {
                Ok(Some(ready)) => prepared.push((program, ready)),
                Ok(None) => {}
                Err(refused) => scored.diagnostics.push(*refusal(program, &refused)),
            }
        }
        let mut runs = Vec::new();
        for (program, ready) in &prepared {
            match ready.start(self.options) {
                Ok(runner) => runs.push(Run { program, runner, rewards: Vec::new(), judgement: None }),
                Err(refused) => scored.diagnostics.push(*refusal(program, &refused)),
            }
        }
        let reader = source.read(&world, self.read).map_err(damaged)?;
        let mut reader = Peeked::new(reader);
        self.play(&world, &mut reader, &mut runs)?;
        let reader = reader.reader();
        let named = reader.header().world.as_deref();
        scored.diagnostics.extend(traces::with_probable_world(reader.remarks(), named, &world));
        for run in runs {
            let Some(mut judgement) = run.judgement else { continue };
            if let Judgement::Game(report) = &mut judgement
                && !self.options.explain
            {
                // Some engines notice attempts anyway.
                report.preferences.iter_mut().for_each(|preference| preference.attempt = None);
            }
            scored.outcomes.push(Outcome {
                program: run.program.name.clone(),
                trace: self.input.name().into(),
                world: world.clone(),
                judgement,
                rewards: run.rewards,
            });
        }
        if self.options.explain {
            match self.options.semantics {
                Semantics::Spec => why::explain(self, &world, &programs, &mut scored.outcomes)?,
                Semantics::Reference => scored.outcomes.iter_mut().for_each(why::unrecorded),
            }
        }
        Ok(scored)
    }

    fn play(
        &self,
        world: &World,
        reader: &mut Peeked<goalspec_trace::Reader<'_>>,
        runs: &mut [Run<'_>],
    ) -> Result<(), Box<Diagnostic>> {
        let mut playback = Playback::new(world);
        let mut delta = Delta::default();
        let mut reported = 0;
        while let Some(last) = reader.next(&mut delta).map_err(damaged)? {
            playback.advance(&delta);
            let step = playback.step(&delta, last);
            for run in runs.iter_mut().filter(|run| run.judgement.is_none()) {
                let verdict = run.runner.step(&step);
                if self.options.per_step {
                    run.rewards.push(verdict.reward());
                }
                if verdict.done() {
                    run.judgement = Some(run.runner.finish(playback.state()));
                }
            }
            if playback.steps().is_multiple_of(PROGRESS_STATES) {
                let offset = reader.reader().offset();
                (self.progress)(offset - reported);
                reported = offset;
            }
            if runs.iter().all(|run| run.judgement.is_some()) {
                break;
            }
        }
        (self.progress)(reader.reader().offset() - reported);
        for run in runs.iter_mut().filter(|run| run.judgement.is_none()) {
            run.judgement = Some(run.runner.finish(playback.state()));
        }
        Ok(())
    }
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
        content.game = goalspec_game::resolve::resolve(&content.ast, world).game.map(Arc::new);
        program.world = Some(world.clone());
    }
    program
}

/// The diagnostic of a program that an engine does not run.
pub(crate) fn refusal(program: &Program, reason: &Refusal) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(codes::REFUSED, Severity::Error, format!("`{}` is not run: {reason}", program.name)))
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
