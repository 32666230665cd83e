//! One pass over the recordings.

use std::collections::BTreeMap;
use std::sync::Arc;

use goalspec_atari::recording::Recorded;
use goalspec_core::world::World;
use goalspec_reward::Machine;
use goalspec_reward::entry::Entry;
use goalspec_reward::observe::{Moment, Observation, Observer, Range};
use goalspec_reward::terms::Terms;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;

use super::curves::{Curve, MAX_CURVES};
use super::pockets::Pockets;
use super::{Audit, Audited, Options, Recording, WINDOW, rules};
use crate::codes;
use crate::program::Program;
use crate::rewards::caller::{Caller, Shown, parts};
use crate::rewards::frames::{Frames, Scene, Shot};
use crate::rewards::program::RewardProgram;
use crate::rewards::score::{Episode, Failure, MAX_FAILURES};
use crate::rewards::world::{RewardWorld, Unfit};
use crate::run::{Input, PROGRESS_STATES, about};

/// Most different rewards that are counted one by one.
const MAX_VALUES: usize = 10_000;

/// Audits every reward function among the programs over all recordings. `known` are the worlds that there are beside those that goalspec
/// ships. `progress` hears, now and then, how many bytes of recordings were read since the last time.
pub fn audit(
    programs: &[&Program],
    known: &[Arc<World>],
    inputs: &[Input],
    options: &Options,
    progress: &dyn Fn(u64),
) -> Audited {
    let mut audited = Audited::default();
    for program in programs {
        let Some(reward) = program.as_reward().filter(|reward| reward.program.is_some()) else { continue };
        match one(&program.name, reward, known, inputs, options, progress) {
            Ok(audit) => audited.audits.push(audit),
            Err(error) => audited.diagnostics.push(*error),
        }
    }
    audited
}

fn one(
    name: &Arc<str>,
    reward: &RewardProgram,
    known: &[Arc<World>],
    inputs: &[Input],
    options: &Options,
    progress: &dyn Fn(u64),
) -> Result<Audit, Box<Diagnostic>> {
    let mut first: Option<(RewardWorld, Arc<Entry>, Terms)> = None;
    let mut recordings = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        let wrong = |error: Box<Diagnostic>| Box::new(about(&input.name(), *error));
        let own = reward.world.as_ref();
        let world = RewardWorld::of_trace(input, own, known).map_err(|unfit| wrong(unfit.about(input, name, own)))?;
        let (first, _, terms) = match &mut first {
            Some(first) => first,
            none => {
                let (_, entry) = parts(reward, &world)?;
                let terms = Terms::of(reward.source(), &entry.function);
                none.insert((world.clone(), entry, terms))
            }
        };
        if first.name() != world.name() {
            let unfit = Unfit::Other { trace: world.name().to_owned() };
            return Err(unfit.about(input, name, Some(first)));
        }
        let subject = Subject { name, reward, world: &world, terms };
        recordings.push(subject.play(input, number as u32, options, progress).map_err(wrong)?);
    }
    let Some((world, entry, terms)) = first else {
        let error = Diagnostic::new(codes::REFUSED, Severity::Error, "there are no recordings");
        return Err(Box::new(error));
    };
    let game = matches!(world, RewardWorld::Screen(_)).then(|| "r".to_owned());
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
        score: options.score_column.clone().or(game),
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
    world: &'s RewardWorld,
    terms: &'s Terms,
}

impl Subject<'_> {
    fn play(
        &self,
        input: &Input,
        number: u32,
        options: &Options,
        progress: &dyn Fn(u64),
    ) -> Result<Recording, Box<Diagnostic>> {
        let mut frames = Frames::open(input, self.world, options.any_world)?;
        let mut recording = Recording {
            name: input.name().into(),
            policy: frames.policy().map(str::to_owned),
            actions: Vec::new(),
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
            caller.machine.observe(Observer::new(program, self.terms));
        }
        let mut shot = Shot::default();
        let (mut count, mut reported) = (0, 0);
        while frames.next(&mut shot)? {
            let moment = Moment { recording: number, frame: shot.index };
            let score = score_of(&frames, &shot, options)?;
            step(&mut caller, &shot, score, moment, &mut recording);
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
        recording.actions = frames.actions();
        Ok(recording)
    }
}

fn step(caller: &mut Caller<Machine<'_>>, shot: &Shot, score: Option<f64>, moment: Moment, recording: &mut Recording) {
    if recording.episodes.last().is_none_or(|episode| episode.number != shot.episode) {
        recording.episodes.push(Episode::begins(shot.episode, score.is_some()));
        if recording.curves.len() < MAX_CURVES {
            recording.curves.push(Curve::new(shot.episode));
        }
        recording.pockets.restart();
    }
    if let Some(observer) = caller.machine.observer() {
        observer.begin(moment);
    }
    let reward = caller.call(shot, Shown::of(shot));
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
            fails(&mut recording.failures, missing.reason(), shot.index);
            None
        }
    };
    recording.add(shot, value, score);
}

impl Recording {
    fn add(&mut self, shot: &Shot, value: Option<f64>, score: Option<f64>) {
        let count = self.frames();
        if let Some(episode) = self.episodes.last_mut() {
            episode.add(value, score);
        }
        let score = score.unwrap_or(0.0);
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
        if let Some(curve) = self.curves.last_mut().filter(|curve| curve.episode == shot.episode) {
            curve.add(earned, score);
        }
        self.pockets.add(shot, earned, score);
    }
}

/// The true score of a frame; `None` if there is none.
fn score_of(frames: &Frames<'_>, shot: &Shot, options: &Options) -> Result<Option<f64>, Box<Diagnostic>> {
    let Some(column) = options.score_column.as_deref() else { return Ok(shot.points) };
    if matches!(shot.scene, Scene::Objects(_)) {
        return match frames.number(column) {
            Ok(Some(number)) => Ok(Some(number)),
            Ok(None) => Err(no_score(column, shot.index, &[])),
            Err(known) => Err(no_score(column, shot.index, &known)),
        };
    }
    if column == "r" {
        return Ok(shot.points);
    }
    match shot.frame.rewards.iter().find(|(name, _)| name == column) {
        Some((_, Recorded::Int(number))) => Ok(Some(*number as f64)),
        Some((_, Recorded::Float(number))) => Ok(Some(*number)),
        // What raised an exception was worth nothing.
        Some((_, Recorded::Error(_))) => Ok(Some(0.0)),
        None => {
            let known = shot.frame.rewards.iter().map(|(name, _)| name.clone()).chain(["r".to_owned()]);
            Err(no_score(column, shot.index, &known.collect::<Vec<_>>()))
        }
    }
}

/// That a frame has no score of a name, with those that there are.
fn no_score(column: &str, frame: u64, known: &[String]) -> Box<Diagnostic> {
    let message = format!("frame {frame} has no score `{column}`");
    let error = Diagnostic::new(codes::REFUSED, Severity::Error, message);
    let near = goalspec_syntax::suggest::did_you_mean(column, known.iter().map(String::as_str));
    let error = near.into_iter().fold(error, Diagnostic::with_help);
    Box::new(if known.is_empty() { error } else { error.with_help(format!("there are {}", known.join(", "))) })
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
