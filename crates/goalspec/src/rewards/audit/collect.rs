//! One pass over the recordings.

use std::collections::BTreeMap;
use std::sync::Arc;

use goalspec_atari::recording::{Frame, Recorded};
use goalspec_reward::Machine;
use goalspec_reward::entry::Entry;
use goalspec_reward::observe::{Moment, Observation, Observer, Range};
use goalspec_reward::scene::SceneObject;
use goalspec_reward::terms::Terms;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;

use super::curves::{Curve, MAX_CURVES};
use super::pockets::Pockets;
use super::{Audit, Audited, Options, Recording, WINDOW, rules};
use crate::codes;
use crate::program::Program;
use crate::rewards::caller::{Caller, Shown, parts};
use crate::rewards::frames::Frames;
use crate::rewards::program::RewardProgram;
use crate::rewards::score::{Episode, Failure, MAX_FAILURES, no_recording, other_world};
use crate::rewards::worlds::ScreenWorld;
use crate::run::{Input, PROGRESS_STATES, about};

/// Most different rewards that are counted one by one.
const MAX_VALUES: usize = 10_000;

/// Audits every reward function among the programs over all recordings. `progress` hears, now and then, how many bytes of recordings were
/// read since the last time.
pub fn audit(programs: &[&Program], inputs: &[Input], options: &Options, progress: &dyn Fn(u64)) -> Audited {
    let mut audited = Audited::default();
    for program in programs {
        let Some(reward) = program.as_reward().filter(|reward| reward.program.is_some()) else { continue };
        match one(&program.name, reward, inputs, options, progress) {
            Ok(audit) => audited.audits.push(audit),
            Err(error) => audited.diagnostics.push(*error),
        }
    }
    audited
}

fn one(
    name: &Arc<str>,
    reward: &RewardProgram,
    inputs: &[Input],
    options: &Options,
    progress: &dyn Fn(u64),
) -> Result<Audit, Box<Diagnostic>> {
    let mut subject: Option<Subject<'_>> = None;
    let mut recordings = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        let wrong = |error: Box<Diagnostic>| Box::new(about(&input.name(), *error));
        let mut frames = Frames::open(input).map_err(wrong)?.ok_or_else(|| no_recording(input))?;
        let world = frames.world();
        let fits = reward.world.is_none_or(|own| own.game == world.game);
        if !fits || subject.as_ref().is_some_and(|subject| subject.world.game != world.game) {
            return Err(other_world(input, world, name, reward));
        }
        if subject.is_none() {
            subject = Some(Subject::new(name, reward, world)?);
        }
        if let Some(subject) = &subject {
            recordings.push(subject.play(input, &mut frames, number as u32, options, progress).map_err(wrong)?);
        }
    }
    let Some(Subject { world, entry, terms, .. }) = subject else {
        let error = Diagnostic::new(codes::REFUSED, Severity::Error, "there are no recordings");
        return Err(Box::new(error));
    };
    let mut seen: Option<Observation> = None;
    for recording in &recordings {
        match &mut seen {
            Some(seen) => seen.merge(&recording.seen),
            None => seen = Some(recording.seen.clone()),
        }
    }
    let mut audit = Audit {
        program: name.clone(),
        source: reward.source().clone(),
        function: entry.function.clone(),
        world,
        score: options.score_column.clone().unwrap_or_else(|| "r".to_owned()),
        terms,
        recordings,
        seen: seen.unwrap_or_default(),
        findings: Vec::new(),
    };
    audit.findings = rules::findings(&audit, &entry);
    Ok(audit)
}

/// A program that is audited.
struct Subject<'s> {
    name: &'s str,
    reward: &'s RewardProgram,
    world: &'static ScreenWorld,
    entry: Arc<Entry>,
    terms: Terms,
}

impl<'s> Subject<'s> {
    fn new(name: &'s str, reward: &'s RewardProgram, world: &'static ScreenWorld) -> Result<Self, Box<Diagnostic>> {
        let (_, entry) = parts(reward, world)?;
        let terms = Terms::of(reward.source(), &entry.function);
        Ok(Self { name, reward, world, entry, terms })
    }

    fn play(
        &self,
        input: &Input,
        frames: &mut Frames<'_>,
        number: u32,
        options: &Options,
        progress: &dyn Fn(u64),
    ) -> Result<Recording, Box<Diagnostic>> {
        let header = frames.header();
        let policy = header.particulars.get("policy").and_then(|policy| policy.as_str()).map(str::to_owned);
        let mut recording = Recording {
            name: input.name().into(),
            policy,
            actions: header.actions.clone(),
            episodes: Vec::new(),
            failures: Vec::new(),
            seen: Observation::default(),
            components: indexmap::IndexMap::new(),
            range: None,
            values: BTreeMap::new(),
            windows: Vec::new(),
            curves: Vec::new(),
            pockets: Pockets::default(),
            instructions: 0,
        };
        // Each recording begins with a program that has seen nothing.
        let mut caller = Caller::start(self.name, self.reward, self.world)?;
        if let Some(program) = &self.reward.program {
            caller.machine.observe(Observer::new(program, &self.terms));
        }
        let (mut frame, mut scene) = (Frame::default(), Vec::new());
        let (mut count, mut reported) = (0, 0);
        while frames.next(&mut frame)? {
            self.world.scene_of(&frame.objects, &mut scene);
            let moment = Moment { recording: number, frame: frame.index };
            step(&mut caller, &frame, &scene, moment, options, &mut recording)?;
            count += 1;
            if count % PROGRESS_STATES == 0 {
                progress(frames.offset() - reported);
                reported = frames.offset();
            }
        }
        progress(frames.offset() - reported);
        if count == 0 {
            let error = Diagnostic::new(goalspec_trace::codes::EMPTY, Severity::Error, "the recording has no frames");
            return Err(Box::new(error));
        }
        if let Some(observer) = caller.machine.unobserved() {
            recording.seen = observer.seen().clone();
        }
        Ok(recording)
    }
}

fn step(
    caller: &mut Caller<Machine<'_>>,
    frame: &Frame,
    scene: &[SceneObject],
    moment: Moment,
    options: &Options,
    recording: &mut Recording,
) -> Result<(), Box<Diagnostic>> {
    let score = score_of(frame, options)?;
    if recording.episodes.last().is_none_or(|episode| episode.number != frame.episode) {
        let episode = Episode { number: frame.episode, frames: 0, rewarded: 0, total: 0.0, points: 0.0 };
        recording.episodes.push(episode);
        if recording.curves.len() < MAX_CURVES {
            recording.curves.push(Curve::new(frame.episode));
        }
        recording.pockets.restart();
    }
    if let Some(observer) = caller.machine.observer() {
        observer.begin(moment);
    }
    let reward = caller.call(frame, Shown::of(frame, scene));
    recording.instructions = recording.instructions.max(caller.machine.spent());
    let value = match reward {
        Ok(reward) => {
            // What a call that fails adds is never given.
            if let Some(observer) = caller.machine.observer() {
                observer.end().for_each(drop);
            }
            for (name, part) in &reward.components {
                recording.components.entry(name.clone()).or_default().add(*part, 1, moment);
            }
            Some(reward.value())
        }
        Err(missing) => {
            fails(&mut recording.failures, missing.reason(), frame.index);
            None
        }
    };
    recording.add(frame, value, score);
    Ok(())
}

impl Recording {
    fn add(&mut self, frame: &Frame, value: Option<f64>, score: f64) {
        let count = self.frames();
        if let Some(episode) = self.episodes.last_mut() {
            episode.frames += 1;
            episode.points += score;
            if let Some(value) = value {
                episode.rewarded += 1;
                episode.total += value;
            }
        }
        if let Some(value) = value {
            Range::add(&mut self.range, value);
            if self.values.len() < MAX_VALUES || self.values.contains_key(&value.to_bits()) {
                *self.values.entry(value.to_bits()).or_default() += 1;
            }
        }
        if count.is_multiple_of(WINDOW) {
            self.windows.push([0.0; 2]);
        }
        let earned = value.unwrap_or(0.0);
        if let Some(window) = self.windows.last_mut() {
            window[0] += earned;
            window[1] += score;
        }
        // Episodes beyond the first ones have none.
        if let Some(curve) = self.curves.last_mut().filter(|curve| curve.episode == frame.episode) {
            curve.add(earned, score);
        }
        self.pockets.add(frame, earned, score);
    }
}

/// The true score of a frame.
fn score_of(frame: &Frame, options: &Options) -> Result<f64, Box<Diagnostic>> {
    let Some(column) = options.score_column.as_deref().filter(|column| *column != "r") else { return Ok(frame.reward) };
    match frame.rewards.iter().find(|(name, _)| name == column) {
        Some((_, Recorded::Int(number))) => Ok(*number as f64),
        Some((_, Recorded::Float(number))) => Ok(*number),
        // What raised an exception was worth nothing.
        Some((_, Recorded::Error(_))) => Ok(0.0),
        None => {
            let known: Vec<&str> = frame.rewards.iter().map(|(name, _)| name.as_str()).chain(["r"]).collect();
            let message = format!("frame {} has no score `{column}`", frame.index);
            let error = Diagnostic::new(codes::REFUSED, Severity::Error, message);
            let near = goalspec_syntax::suggest::did_you_mean(column, known.iter().copied());
            let error = near.into_iter().fold(error, Diagnostic::with_help);
            Err(Box::new(error.with_help(format!("there are {}", known.join(", ")))))
        }
    }
}

/// Counts a failure. Beyond [`MAX_FAILURES`] kinds, only that there is no reward is kept.
fn fails(failures: &mut Vec<Failure>, (kind, message, line): (String, String, Option<u32>), frame: u64) {
    let same = |known: &&mut Failure| known.kind == kind && known.message == message && known.line == line;
    if let Some(known) = failures.iter_mut().find(same) {
        known.count += 1;
    } else if failures.len() < MAX_FAILURES {
        failures.push(Failure { kind, message, line, first: frame, count: 1 });
    }
}
