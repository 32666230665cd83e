//! Rewards of programs over a recording, in one pass for all of them.

use std::sync::Arc;

use goalspec_atari::recording::Frame;
use goalspec_reward::fast;
use goalspec_reward::machine::{Error, Place};
use goalspec_reward::scene::SceneObject;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use rayon::prelude::*;

use super::caller::{Caller, Missing, Shown};
use super::frames::Frames;
use super::program::RewardProgram;
use super::ready::{Calls, Ready, Runner};
use super::worlds::ScreenWorld;
use crate::program::Program;
use crate::run::{Engine, Input, about};

/// How recordings are scored.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Whether to keep the reward of every frame.
    pub per_step: bool,
    /// Whether a damaged recording is scored up to the damage.
    pub partial: bool,
    /// What runs programs. Both give the same rewards and failures.
    pub engine: Engine,
}

/// Most kinds of failures that are told apart in one outcome.
pub const MAX_FAILURES: usize = 100;

/// As many frames of a recording may use up what a call may take; frames after them are not run, so that a program that never ends does
/// not take as long as the recording is.
pub const MAX_EXHAUSTED: u32 = 16;

/// What one program made of one recording.
#[derive(Debug, Clone)]
pub struct RewardOutcome {
    /// The program's name.
    pub program: Arc<str>,
    /// The recording's name.
    pub trace: Arc<str>,
    /// The world.
    pub world: &'static ScreenWorld,
    /// The episodes, in order.
    pub episodes: Vec<Episode>,
    /// Why frames have no reward, by kind, in the order in which they came up.
    pub failures: Vec<Failure>,
    /// Frames without a reward for reasons beyond [`MAX_FAILURES`].
    pub other_failures: u64,
    /// Every frame, if [`Options::per_step`] asked for it.
    pub steps: Vec<Step>,
    /// How frames were run.
    pub calls: Calls,
}

/// An episode.
#[derive(Debug, Clone, PartialEq)]
pub struct Episode {
    /// Its number in the recording.
    pub number: u64,
    /// How many frames it has.
    pub frames: u64,
    /// How many of them have a reward.
    pub rewarded: u64,
    /// The sum of these rewards.
    pub total: f64,
    /// What the game itself gave.
    pub points: f64,
}

/// Why frames have no reward.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The class of the exception, or what else is wrong.
    pub kind: String,
    /// What it says.
    pub message: String,
    /// The line of the program in which it came up; none for what is wrong with a result.
    pub line: Option<u32>,
    /// The first frame.
    pub first: u64,
    /// How many frames.
    pub count: u64,
}

/// A frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its number in the recording.
    pub frame: u64,
    /// The number of its episode.
    pub episode: u64,
    /// What the game itself gave.
    pub points: f64,
    /// The reward, or the place of the reason why there is none among [`RewardOutcome::failures`]; past their end for other reasons.
    pub reward: Result<f64, usize>,
}

impl RewardOutcome {
    /// The sum of all rewards.
    pub fn total(&self) -> f64 {
        self.episodes.iter().map(|episode| episode.total).sum()
    }

    /// What the game itself gave.
    pub fn points(&self) -> f64 {
        self.episodes.iter().map(|episode| episode.points).sum()
    }

    /// How many frames there are.
    pub fn frames(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.frames).sum()
    }

    /// How many frames have a reward.
    pub fn rewarded(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.rewarded).sum()
    }
}

/// What all programs made of one recording.
#[derive(Debug, Clone, Default)]
pub struct Scored {
    /// In the order of the programs; those that could not be run are missing.
    pub outcomes: Vec<RewardOutcome>,
    /// What was noticed, and why programs are missing.
    pub diagnostics: Vec<Diagnostic>,
}

/// So many frames are read, then run by all programs, which share the cores.
const CHUNK: usize = 256;

/// Scores a recording by all reward functions whose world it is of: one pass over its text for any number of programs. `progress` hears, now and then, how many bytes of its text were
/// read since the last time.
pub fn score(programs: &[&Program], input: &Input, options: &Options, progress: &dyn Fn(u64)) -> Scored {
    let mut scored = Scored::default();
    if let Err(error) = run(programs, input, *options, progress, &mut scored) {
        scored.diagnostics.push(*error);
    }
    scored.diagnostics = scored.diagnostics.into_iter().map(|finding| about(&input.name(), finding)).collect();
    scored
}

fn run(
    programs: &[&Program],
    input: &Input,
    options: Options,
    progress: &dyn Fn(u64),
    scored: &mut Scored,
) -> Result<(), Box<Diagnostic>> {
    let mut frames = Frames::open(input)?.ok_or_else(|| no_recording(input))?;
    let world = frames.world();
    let readable: Vec<(Arc<str>, &RewardProgram)> = programs
        .iter()
        .filter_map(|program| Some((program.name.clone(), program.as_reward()?)))
        .filter(|(_, reward)| reward.program.is_some())
        .collect();
    let fits = |reward: &RewardProgram| reward.world.is_none_or(|own| own.game == world.game);
    if let [(name, reward), ..] = &readable[..]
        && !readable.iter().any(|(_, reward)| fits(reward))
    {
        return Err(other_world(input, world, name, reward));
    }
    let fitting: Vec<_> = readable.into_iter().filter(|(_, reward)| fits(reward)).collect();
    let ready: Vec<_> =
        fitting.par_iter().map(|(name, reward)| Ready::new(name, reward, world, options.engine)).collect();
    let mut runs = Vec::new();
    for ready in &ready {
        match ready.as_ref().map_err(Clone::clone).and_then(|ready| Run::start(ready, input)) {
            Ok(run) => runs.push(run),
            Err(error) => scored.diagnostics.push(*error),
        }
    }
    let read = play(&mut frames, &mut runs, options, progress);
    scored.outcomes.extend(runs.into_iter().map(|run| run.outcome));
    match read {
        Err(error) if options.partial && scored.outcomes.iter().any(|outcome| outcome.frames() > 0) => {
            let help = "the frames before it were scored";
            scored.diagnostics.push(Diagnostic { severity: Severity::Warning, ..*error }.with_help(help));
            Ok(())
        }
        Err(error) => {
            scored.outcomes.clear();
            Err(error)
        }
        Ok(()) => Ok(()),
    }
}

fn play(
    frames: &mut Frames<'_>,
    runs: &mut [Run<'_>],
    options: Options,
    progress: &dyn Fn(u64),
) -> Result<(), Box<Diagnostic>> {
    let mut chunk: Vec<Row> = Vec::new();
    let (mut any, mut reported) = (false, 0);
    loop {
        let (count, read) = fill(frames, &mut chunk);
        let rows = &chunk[..count];
        runs.par_iter_mut().for_each(|run| rows.iter().for_each(|row| run.step(row, options)));
        progress(frames.offset() - reported);
        reported = frames.offset();
        any |= count > 0;
        // What is wrong comes after the frames before it.
        read?;
        if count < CHUNK {
            break;
        }
    }
    if !any {
        let error = Diagnostic::new(goalspec_trace::codes::EMPTY, Severity::Error, "the recording has no frames");
        return Err(Box::new(error));
    }
    Ok(())
}

/// A frame, as all programs get it.
#[derive(Default)]
struct Row {
    frame: Frame,
    scene: Vec<SceneObject>,
    ready: fast::Frame,
}

/// Reads as many frames as are run at once, over those that were there; how many there are, and what is wrong with the next one.
fn fill(frames: &mut Frames<'_>, chunk: &mut Vec<Row>) -> (usize, Result<(), Box<Diagnostic>>) {
    let world = frames.world();
    for place in 0..CHUNK {
        if place == chunk.len() {
            chunk.push(Row::default());
        }
        let Row { frame, scene, ready } = &mut chunk[place];
        match frames.next(frame) {
            Ok(true) => {}
            Ok(false) => return (place, Ok(())),
            Err(error) => return (place, Err(error)),
        }
        world.scene_of(&frame.objects, scene);
        ready.read(scene);
    }
    (CHUNK, Ok(()))
}

struct Run<'r> {
    caller: Caller<Runner<'r>>,
    outcome: RewardOutcome,
}

impl<'r> Run<'r> {
    fn start(ready: &'r Ready<'_>, input: &Input) -> Result<Self, Box<Diagnostic>> {
        let caller = ready.start()?;
        let outcome = RewardOutcome {
            program: ready.name().clone(),
            trace: input.name().into(),
            world: ready.world(),
            episodes: Vec::new(),
            failures: Vec::new(),
            other_failures: 0,
            steps: Vec::new(),
            calls: ready.calls(),
        };
        Ok(Self { caller, outcome })
    }

    fn step(&mut self, Row { frame, scene, ready }: &Row, options: Options) {
        if self.outcome.episodes.last().is_none_or(|episode| episode.number != frame.episode) {
            let number = frame.episode;
            let episode = Episode { number, frames: 0, rewarded: 0, total: 0.0, points: 0.0 };
            self.outcome.episodes.push(episode);
        }
        let reward = self.caller.call(frame, Shown { ready: Some(ready), ..Shown::of(frame, scene) });
        if !matches!(reward, Err(Missing::NotRun)) {
            self.outcome.calls.note(&self.caller.machine);
        }
        let reward = reward
            .map(|reward| reward.value())
            .map_err(|missing| missing.reason())
            .map_err(|failure| self.fails(failure, frame.index));
        if let Some(episode) = self.outcome.episodes.last_mut() {
            episode.frames += 1;
            episode.points += frame.reward;
            if let Ok(reward) = reward {
                episode.rewarded += 1;
                episode.total += reward;
            }
        }
        if options.per_step {
            let Frame { index, episode, reward: points, .. } = *frame;
            self.outcome.steps.push(Step { frame: index, episode, points, reward });
        }
    }

    /// Counts a failure; its place among those of the outcome.
    fn fails(&mut self, (kind, message, line): (String, String, Option<u32>), frame: u64) -> usize {
        let failures = &mut self.outcome.failures;
        let same = |known: &Failure| known.kind == kind && known.message == message && known.line == line;
        let place = failures.iter().position(same).unwrap_or(failures.len());
        if place == MAX_FAILURES {
            self.outcome.other_failures += 1;
        } else if let Some(known) = failures.get_mut(place) {
            known.count += 1;
        } else {
            failures.push(Failure { kind, message, line, first: frame, count: 1 });
        }
        place
    }
}

/// Why a call gave no reward: what kind of reason, what it says, and in which line it came up.
pub(super) fn reason(error: &Error) -> (String, String, Option<u32>) {
    let last = |traceback: &[Place]| traceback.last().map(|place| place.line);
    match error {
        Error::Exception { kind, message, traceback, .. } => (kind.clone(), message.clone(), last(traceback)),
        Error::Exhausted { resource, traceback } => ("budget".to_owned(), resource.to_string(), last(traceback)),
        Error::NoReward { what, place } => {
            ("no reward".to_owned(), format!("the result is {what}"), place.as_ref().map(|place| place.line))
        }
    }
}

pub(super) fn no_recording(input: &Input) -> Box<Diagnostic> {
    let message = format!("`{}` is no recording of screens, which reward functions are scored over", input.name());
    let error = Diagnostic::new(goalspec_trace::codes::UNKNOWN_FORMAT, Severity::Error, message);
    Box::new(error.with_help("`goalspec trace record` makes one of a game's RAM"))
}

pub(super) fn other_world(input: &Input, world: &ScreenWorld, name: &str, reward: &RewardProgram) -> Box<Diagnostic> {
    let own = reward.world.map_or("another world", |own| own.name.as_str());
    let message = format!("`{}` is of the world `{}`, and `{name}` of `{own}`", input.name(), world.name);
    Box::new(Diagnostic::new(goalspec_trace::codes::WRONG_WORLD, Severity::Error, message))
}
