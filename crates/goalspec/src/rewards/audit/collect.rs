//! Collection of an audit's statistics in one pass over the recordings.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use goalspec_atari::recording::RecordedReward;
use goalspec_core::world::World;
use goalspec_reward::Machine;
use goalspec_reward::entry::Entry;
use goalspec_reward::observe::{Moment, Observation, Observer, Range};
use goalspec_reward::terms::Terms;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Sources};
use rustc_hash::FxHashMap;

use super::curves::{Curve, MAX_CURVES};
use super::pockets::{Pockets, Tally};
use super::probe::{self, Probes, Sample};
use super::rules::causes::{self, Tried};
use super::tables::one_line;
use super::{Audit, Audited, NotFinite, Options, Raised, Recording, Steps, WINDOW, rules};
use crate::codes;
use crate::program::Program;
use crate::rewards::caller::{Caller, Shown, parts};
use crate::rewards::frames::{Frames, Scene, Shot};
use crate::rewards::program::RewardProgram;
use crate::rewards::score::{Episode, MAX_FAILURES};
use crate::rewards::world::{RewardWorld, Unfit};
use crate::scoring::{STATES_PER_PROGRESS_REPORT, TraceInput, with_trace_name};

/// The maximum number of distinct rewards that are counted.
const MAX_VALUES: usize = 10_000;

/// The maximum number of recordings that probes sample.
const MAX_SAMPLES: usize = 4;

/// The maximum units of work of all runs of a program with corrected names; some seconds.
pub(super) const MAX_TRIED_WORK: u64 = 100_000_000;

/// The maximum number of messages that are kept for one kind of failure.
const MAX_MESSAGES: usize = 2;

/// Audits every reward function among the programs over all recordings. `known` are the loaded worlds beside those that goalspec ships.
/// `progress` is called from time to time with the number of bytes read since its last call.
pub fn audit(
    programs: &[&Program],
    known: &[Arc<World>],
    inputs: &[TraceInput],
    options: &Options,
    progress: &dyn Fn(u64),
) -> Audited {
    let mut audited = Audited::default();
    let pass = Pass { known, inputs, options, progress };
    for program in programs {
        let Some(reward) = program.as_reward().filter(|reward| reward.program.is_some()) else { continue };
        let mut remarks = Vec::new();
        match one(&program.name, reward, &pass, &mut remarks) {
            Ok(audit) => audited.audits.push(audit),
            Err(error) => audited.diagnostics.push(*error),
        }
        // Each diagnostic of a recording is reported once.
        remarks.retain(|remark| !audited.diagnostics.contains(remark));
        audited.diagnostics.extend(remarks);
    }
    audited
}

/// The recordings of an audit, with its options.
struct Pass<'p> {
    known: &'p [Arc<World>],
    inputs: &'p [TraceInput],
    options: &'p Options,
    progress: &'p dyn Fn(u64),
}

/// Audits a program and groups findings with a common cause.
fn one(
    name: &Arc<str>,
    reward: &RewardProgram,
    pass: &Pass<'_>,
    remarks: &mut Vec<Diagnostic>,
) -> Result<Audit, Box<Diagnostic>> {
    let (mut audit, entry) = single(name, reward, pass, remarks)?;
    let options = Options { recordings_only: true, ..pass.options.clone() };
    let silent = Pass { progress: &|_| (), options: &options, ..*pass };
    let mut tried = Vec::new();
    let wrong_names = if pass.options.recordings_only { Vec::new() } else { causes::wrong_names(&audit, &entry) };
    let (mut left, mut left_out) = (MAX_TRIED_WORK, 0);
    for wrong in wrong_names {
        let mut audits = Vec::new();
        for text in &wrong.texts {
            // A run with corrected names takes about as much work as the program itself.
            if audit.work() > left {
                left_out += 1;
                continue;
            }
            let mut sources = Sources::new();
            let source = sources.add(reward.source().name().to_owned(), text.clone());
            let (reward, _) = RewardProgram::read(sources.file(source), reward.world.clone(), None);
            if reward.program.is_none() {
                continue;
            }
            if let Ok((audit, _)) = single(name, &reward, &silent, &mut Vec::new()) {
                left = left.saturating_sub(audit.work());
                audits.push(audit);
            }
        }
        tried.push(Tried { name: wrong, audits });
    }
    let findings = std::mem::take(&mut audit.findings);
    audit.findings = causes::group(&audit, findings, &tried);
    audit.findings.extend((left_out > 0).then(|| causes::not_tried(left_out)));
    Ok(audit)
}

/// Audits a program without grouping the findings.
fn single(
    name: &Arc<str>,
    reward: &RewardProgram,
    pass: &Pass<'_>,
    remarks: &mut Vec<Diagnostic>,
) -> Result<(Audit, Arc<Entry>), Box<Diagnostic>> {
    let mut first: Option<(RewardWorld, Arc<Entry>, Terms)> = None;
    let (mut recordings, mut samples) = (Vec::new(), Vec::new());
    for (number, input) in pass.inputs.iter().enumerate() {
        let wrong = |error: Box<Diagnostic>| Box::new(with_trace_name(&input.name(), *error));
        let own = reward.world.as_ref();
        let world =
            RewardWorld::of_trace(input, own, pass.known).map_err(|unfit| wrong(unfit.about(input, name, own)))?;
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
        let mut noticed = Vec::new();
        let (recording, sample) = subject.play(input, number as u32, pass, &mut noticed).map_err(wrong)?;
        recordings.push(recording);
        if samples.len() < MAX_SAMPLES {
            samples.push(sample);
        }
        remarks.extend(noticed.into_iter().map(|remark| with_trace_name(&input.name(), remark)));
    }
    label(&mut recordings);
    let Some((world, entry, terms)) = first else {
        let error = Diagnostic::new(codes::REFUSED, Severity::Error, "no recordings");
        return Err(Box::new(error));
    };
    let game = matches!(world, RewardWorld::Screen(_)).then(|| "r".to_owned());
    let seen = seen_in(&recordings);
    let probes = if pass.options.recordings_only {
        Probes::default()
    } else {
        probe::run(name, reward, &world, &terms, &samples)
    };
    let mut audit = Audit {
        program: name.clone(),
        source: reward.source().clone(),
        function: entry.function.clone(),
        world,
        score: pass.options.score_column.clone().or(game),
        terms,
        recordings,
        seen,
        probes,
        findings: Vec::new(),
    };
    audit.findings = rules::findings(&audit, &entry);
    Ok((audit, entry))
}

/// Merges the statistics of all recordings.
fn seen_in(recordings: &[Recording]) -> Observation {
    let mut seen: Option<Observation> = None;
    for recording in recordings {
        match &mut seen {
            Some(seen) => seen.merge(&recording.seen),
            None => seen = Some(recording.seen.clone()),
        }
    }
    seen.unwrap_or_default()
}

/// Assigns labels to the recordings, unique where possible.
fn label(recordings: &mut [Recording]) {
    let file = |name: &str| Path::new(name).file_name().map_or(name.to_owned(), |file| file.display().to_string());
    let labels = counts(recordings.iter().map(|recording| recording.label.clone()));
    let files = counts(recordings.iter().map(|recording| file(&recording.name)));
    for recording in recordings {
        if labels[&recording.label] > 1 {
            let file = file(&recording.name);
            recording.label = if files[&file] > 1 { recording.name.to_string() } else { file };
        }
    }
}

/// Counts the occurrences of each name.
fn counts(names: impl Iterator<Item = String>) -> FxHashMap<String, usize> {
    let mut counts = FxHashMap::default();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

/// A program under audit.
struct Subject<'s> {
    name: &'s str,
    reward: &'s RewardProgram,
    world: &'s RewardWorld,
    terms: &'s Terms,
}

impl Subject<'_> {
    fn play(
        &self,
        input: &TraceInput,
        number: u32,
        &Pass { options, progress, .. }: &Pass<'_>,
        remarks: &mut Vec<Diagnostic>,
    ) -> Result<(Recording, Sample), Box<Diagnostic>> {
        let mut frames = Frames::open(input, self.world, options.any_world)?;
        // Each recording starts with a fresh program.
        let mut caller = Caller::start(self.name, self.reward, self.world)?;
        if let Some(program) = &self.reward.program {
            caller.machine.set_observer(Observer::new(program, self.terms));
        }
        let name = input.name();
        let mut run = Run::new(caller, Recording::of(&name, frames.policy()), self.terms.list.len());
        let (mut shot, mut sample) = (Shot::default(), Sample::default());
        let (mut count, mut reported) = (0, 0);
        loop {
            match frames.next(&mut shot) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if options.partial && count > 0 => {
                    let warning = Diagnostic { severity: Severity::Warning, ..*error };
                    remarks.push(warning.with_help("only the frames before it were audited"));
                    break;
                }
                Err(error) => return Err(error),
            }
            let moment = Moment { recording: number, frame: shot.index };
            run.step(&shot, score_of(&frames, &shot, options)?, moment);
            sample.add(&shot, moment);
            count += 1;
            if count % STATES_PER_PROGRESS_REPORT == 0 {
                progress(frames.offset() - reported);
                reported = frames.offset();
            }
        }
        progress(frames.offset() - reported);
        remarks.extend(frames.remarks());
        if count == 0 {
            let error = Diagnostic::new(goalspec_trace::codes::EMPTY, Severity::Error, "the recording has no frames");
            return Err(Box::new(error));
        }
        let line_hits = self.reward.program.as_ref().map(|program| run.line_hits(program)).unwrap_or_default();
        Ok((Recording { actions: frames.actions(), line_hits, ..run.finish() }, sample))
    }
}

/// The collection of one recording.
struct Run<'r> {
    caller: Caller<Machine<'r>>,
    recording: Recording,
    /// The sum of each term in the current episode.
    terms: Vec<f64>,
    /// The totals of the current, incomplete window.
    window: Tally,
}

impl<'r> Run<'r> {
    fn new(caller: Caller<Machine<'r>>, recording: Recording, terms: usize) -> Self {
        let recording = Recording { finished_terms: vec![0.0; terms], ..recording };
        Self { caller, recording, terms: vec![0.0; terms], window: Tally::default() }
    }

    fn line_hits(&mut self, program: &goalspec_reward::Program) -> Vec<Option<u64>> {
        self.caller.machine.observer().map(|observer| observer.line_hits(program)).unwrap_or_default()
    }

    fn finish(mut self) -> Recording {
        self.end_episode();
        if let Some(observer) = self.caller.machine.take_observer() {
            self.recording.seen = observer.seen().clone();
        }
        self.recording
    }

    /// The sums of terms count only for finished episodes.
    fn end_episode(&mut self) {
        let finished = self.recording.episodes.last().is_some_and(|episode| episode.finished);
        for (sum, term) in self.recording.finished_terms.iter_mut().zip(&mut self.terms) {
            let came_to = std::mem::take(term);
            if finished {
                *sum += came_to;
            }
        }
    }

    fn step(&mut self, shot: &Shot, score: Option<f64>, moment: Moment) {
        if self.recording.episodes.last().is_none_or(|episode| episode.number != shot.episode) {
            self.end_episode();
            self.window = Tally::default();
            self.recording.begin(shot.episode, score.is_some());
        }
        if let Some(observer) = self.caller.machine.observer() {
            observer.begin(moment);
        }
        let reward = self.caller.call(shot, Shown::of(shot));
        let Self { caller, recording, terms, .. } = self;
        let spent = caller.spent();
        recording.most_work = recording.most_work.max(spent);
        recording.work = recording.work.saturating_add(spent);
        let value = match reward {
            Ok(reward) => {
                // Contributions of a call that failed do not count.
                if let Some(observer) = caller.machine.observer() {
                    terms.iter_mut().zip(observer.end()).for_each(|(sum, part)| *sum += part.unwrap_or(0.0));
                }
                for (name, part) in &reward.components {
                    recording.components.entry(name.clone()).or_default().add(*part, 1, moment);
                }
                Some(reward.value())
            }
            Err(missing) => {
                recording.fails(missing.reason(), shot.index);
                None
            }
        };
        recording.add(shot, value, score);
        let score = score.unwrap_or(0.0);
        self.window.add(value, score);
        if self.window.frames == WINDOW {
            let window = std::mem::take(&mut self.window);
            recording.windows.extend(window.mean().map(|mean| [mean, window.score / WINDOW as f64]));
        }
    }
}

impl Recording {
    /// Creates the statistics of a recording without frames.
    fn of(name: &str, policy: Option<&str>) -> Self {
        Self {
            name: name.into(),
            label: one_line(policy.unwrap_or(name)),
            policy: policy.map(str::to_owned),
            actions: Vec::new(),
            episodes: Vec::new(),
            failures: Vec::new(),
            other_failures: 0,
            not_finite: NotFinite::default(),
            seen: Observation::default(),
            finished_terms: Vec::new(),
            components: indexmap::IndexMap::new(),
            range: None,
            values: BTreeMap::new(),
            windows: Vec::new(),
            steps: Steps::default(),
            curves: Vec::new(),
            pockets: Pockets::default(),
            most_work: 0,
            work: 0,
            line_hits: Vec::new(),
        }
    }

    /// Begins the next episode.
    fn begin(&mut self, episode: u64, has_score: bool) {
        self.episodes.push(Episode::begins(episode, has_score));
        if self.curves.len() < MAX_CURVES {
            self.curves.push(Curve::new(episode));
        }
        self.pockets.restart();
        self.steps.restart();
    }

    fn add(&mut self, shot: &Shot, value: Option<f64>, score: Option<f64>) {
        if let Some(episode) = self.episodes.last_mut() {
            episode.add(value, score, shot.ends);
        }
        let score = score.unwrap_or(0.0);
        if let Some(value) = value {
            self.not_finite.add(value, shot.index);
            Range::add(&mut self.range, value);
            if self.values.len() < MAX_VALUES || self.values.contains_key(&value.to_bits()) {
                *self.values.entry(value.to_bits()).or_default() += 1;
            }
        }
        // Only the first episodes have curves.
        if let Some(curve) = self.curves.last_mut().filter(|curve| curve.episode == shot.episode) {
            curve.add(value.filter(|value| value.is_finite()).unwrap_or(0.0), score);
        }
        self.steps.add(score);
        self.pockets.add(shot, value, score);
    }

    /// Counts a failure. Beyond [`MAX_FAILURES`] kinds, only the number of frames is kept.
    fn fails(&mut self, (kind, message, line): (String, String, Option<u32>), frame: u64) {
        let known = self.failures.iter().position(|known| known.kind == kind && known.line == line);
        let place = known.unwrap_or(self.failures.len());
        if place == MAX_FAILURES {
            self.other_failures += 1;
            return;
        }
        if known.is_none() {
            self.failures.push(Raised { kind, line, messages: Vec::new(), others: 0, first: frame, count: 0 });
        }
        let raised = &mut self.failures[place];
        raised.count += 1;
        if !raised.messages.contains(&message) {
            if raised.messages.len() < MAX_MESSAGES {
                raised.messages.push(message);
            } else {
                raised.others += 1;
            }
        }
    }
}

impl NotFinite {
    fn add(&mut self, reward: f64, frame: u64) {
        self.nan += u64::from(reward.is_nan());
        self.infinite += u64::from(reward.is_infinite());
        if !reward.is_finite() {
            self.first.get_or_insert(frame);
        }
    }

    /// Returns the number of rewards that are not finite.
    pub fn count(self) -> u64 {
        self.nan + self.infinite
    }
}

/// Returns the true score of a frame; `None` if there is none.
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
        Some((_, RecordedReward::Int(number))) => Ok(Some(*number as f64)),
        Some((_, RecordedReward::Float(number))) => Ok(Some(*number)),
        // A call that raised an exception earned nothing.
        Some((_, RecordedReward::Error(_))) => Ok(Some(0.0)),
        None => {
            let known = shot.frame.rewards.iter().map(|(name, _)| name.clone()).chain(["r".to_owned()]);
            Err(no_score(column, shot.index, &known.collect::<Vec<_>>()))
        }
    }
}

/// Returns the diagnostic for a frame without a score of this name, with the available names.
fn no_score(column: &str, frame: u64, known: &[String]) -> Box<Diagnostic> {
    let message = format!("frame {frame} has no score `{column}`");
    let error = Diagnostic::new(codes::REFUSED, Severity::Error, message);
    let near = goalspec_syntax::suggest::did_you_mean(column, known.iter().map(String::as_str));
    let error = near.into_iter().fold(error, Diagnostic::with_help);
    Box::new(if known.is_empty() { error } else { error.with_help(format!("available: {}", known.join(", "))) })
}
