//! Collection of an audit's statistics in one pass over the recordings.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use goalspec_atari::recording::RecordedReward;
use goalspec_core::codes;
use goalspec_core::world::World;
use goalspec_python_runtime::Machine;
use goalspec_python_runtime::entry::Entry;
use goalspec_python_runtime::observe::{CallPosition, Observer, Range, RunStatistics};
use goalspec_reward::terms::Terms;
use goalspec_rewards::caller::{CallInput, Caller, program_and_entry};
use goalspec_rewards::frames::{FrameReader, RecordedFrame, Scene};
use goalspec_rewards::program::{NamedRewardProgram, RewardProgram};
use goalspec_rewards::score::{Episode, MAX_FAILURES};
use goalspec_rewards::world::{RewardWorld, TraceWorldError};
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Sources};
use goalspec_trace::input::{STATES_PER_PROGRESS_REPORT, TraceInput, with_trace_name};
use rustc_hash::FxHashMap;

use crate::curves::{Curve, MAX_CURVES};
use crate::idle::{IdleStatistics, RewardTotals};
use crate::probe::{self, ProbeResults, Sample};
use crate::rules::causes::{self, RepairAudits};
use crate::tables::one_line;
use crate::{
    Audit, AuditOptions, AuditResults, ErrorGroup, NonFiniteCounts, Recording, ScoreChanges, WINDOW_FRAMES, rules,
};

/// The maximum number of distinct rewards that are counted.
const MAX_COUNTED_VALUES: usize = 10_000;

/// The maximum number of recordings that probes sample.
const MAX_SAMPLED_RECORDINGS: usize = 4;

/// The maximum units of work of all runs of a program with corrected names; some seconds.
pub(crate) const MAX_REPAIR_WORK: u64 = 100_000_000;

/// The maximum number of messages that are kept for one kind of failure.
const MAX_MESSAGES: usize = 2;

/// Audits every program that can run over all recordings. `known` are the loaded worlds beside those that goalspec ships.
/// `progress` is called from time to time with the number of bytes read since its last call.
pub fn audit(
    programs: &[NamedRewardProgram<'_>],
    known: &[Arc<World>],
    inputs: &[TraceInput],
    options: &AuditOptions,
    progress: &dyn Fn(u64),
) -> AuditResults {
    let mut audited = AuditResults::default();
    let pass = AuditContext { known, inputs, options, progress };
    for NamedRewardProgram { name, reward } in programs.iter().filter(|program| program.reward.program.is_some()) {
        let mut diagnostics = Vec::new();
        match audit_program(name, reward, &pass, &mut diagnostics) {
            Ok(audit) => audited.audits.push(audit),
            Err(error) => audited.diagnostics.push(*error),
        }
        // Each diagnostic of a recording is reported once.
        diagnostics.retain(|remark| !audited.diagnostics.contains(remark));
        audited.diagnostics.extend(diagnostics);
    }
    audited
}

/// The recordings of an audit, with its options.
struct AuditContext<'p> {
    known: &'p [Arc<World>],
    inputs: &'p [TraceInput],
    options: &'p AuditOptions,
    progress: &'p dyn Fn(u64),
}

/// Audits a program and groups findings with a common cause.
fn audit_program(
    name: &Arc<str>,
    reward: &RewardProgram,
    pass: &AuditContext<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Audit, Box<Diagnostic>> {
    let (mut audit, entry) = audit_once(name, reward, pass, diagnostics)?;
    let options = AuditOptions { recordings_only: true, ..pass.options.clone() };
    let silent = AuditContext { progress: &|_| (), options: &options, ..*pass };
    let mut tried = Vec::new();
    let wrong_names = if pass.options.recordings_only { Vec::new() } else { causes::wrong_names(&audit, &entry) };
    let (mut left, mut left_out) = (MAX_REPAIR_WORK, 0);
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
            if let Ok((audit, _)) = audit_once(name, &reward, &silent, &mut Vec::new()) {
                left = left.saturating_sub(audit.work());
                audits.push(audit);
            }
        }
        tried.push(RepairAudits { name: wrong, audits });
    }
    let findings = std::mem::take(&mut audit.findings);
    audit.findings = causes::group(&audit, findings, &tried);
    audit.findings.extend((left_out > 0).then(|| causes::incomplete_repairs(left_out)));
    Ok(audit)
}

/// Returns a world with the entry function of a program in it, and the terms of that function.
fn entry_and_terms(reward: &RewardProgram, world: RewardWorld) -> Result<(RewardWorld, Entry, Terms), Box<Diagnostic>> {
    let (_, entry) = program_and_entry(reward, &world)?;
    let terms = Terms::of(reward.source(), &entry.function);
    Ok((world, Arc::unwrap_or_clone(entry), terms))
}

/// Audits a program without grouping the findings.
fn audit_once(
    name: &Arc<str>,
    reward: &RewardProgram,
    pass: &AuditContext<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(Audit, Entry), Box<Diagnostic>> {
    let mut first: Option<(RewardWorld, Entry, Terms)> = None;
    let (mut recordings, mut samples) = (Vec::new(), Vec::new());
    for (number, input) in pass.inputs.iter().enumerate() {
        let wrong = |error: Box<Diagnostic>| Box::new(with_trace_name(&input.name(), *error));
        let own = reward.world.as_ref();
        let world = RewardWorld::for_trace(input, own, pass.known)
            .map_err(|unfit| wrong(unfit.into_diagnostic(input, name, own)))?;
        let (first, _, terms) = match &mut first {
            Some(first) => first,
            none => none.insert(entry_and_terms(reward, world.clone())?),
        };
        if first.name() != world.name() {
            let unfit = TraceWorldError::DifferentWorld { trace: world.name().to_owned() };
            return Err(unfit.into_diagnostic(input, name, Some(first)));
        }
        let subject = Subject { name, reward, world: &world, terms };
        let mut noticed = Vec::new();
        let (recording, sample) = subject.collect_recording(input, number as u32, pass, &mut noticed).map_err(wrong)?;
        recordings.push(recording);
        if samples.len() < MAX_SAMPLED_RECORDINGS {
            samples.push(sample);
        }
        diagnostics.extend(noticed.into_iter().map(|remark| with_trace_name(&input.name(), remark)));
    }
    assign_labels(&mut recordings);
    let Some((world, entry, terms)) = first else {
        let error = Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, "no recordings");
        return Err(Box::new(error));
    };
    let game = matches!(world, RewardWorld::Screen(_)).then(|| "r".to_owned());
    let statistics = merge_statistics(&recordings);
    let probes = if pass.options.recordings_only {
        ProbeResults::default()
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
        statistics,
        probes,
        findings: Vec::new(),
    };
    audit.findings = rules::findings(&audit, &entry);
    Ok((audit, entry))
}

/// Merges the statistics of all recordings.
fn merge_statistics(recordings: &[Recording]) -> RunStatistics {
    let mut merged: Option<RunStatistics> = None;
    for recording in recordings {
        match &mut merged {
            Some(merged) => merged.merge(&recording.statistics),
            None => merged = Some(recording.statistics.clone()),
        }
    }
    merged.unwrap_or_default()
}

/// Assigns labels to the recordings, unique where possible.
fn assign_labels(recordings: &mut [Recording]) {
    let file = |name: &str| Path::new(name).file_name().map_or(name.to_owned(), |file| file.display().to_string());
    let labels = count_names(recordings.iter().map(|recording| recording.label.clone()));
    let files = count_names(recordings.iter().map(|recording| file(&recording.name)));
    for recording in recordings {
        if labels[&recording.label] > 1 {
            let file = file(&recording.name);
            recording.label = if files[&file] > 1 { recording.name.to_string() } else { file };
        }
    }
}

/// Counts the occurrences of each name.
fn count_names(names: impl Iterator<Item = String>) -> FxHashMap<String, usize> {
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
    fn collect_recording(
        &self,
        input: &TraceInput,
        number: u32,
        &AuditContext { options, progress, .. }: &AuditContext<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<(Recording, Sample), Box<Diagnostic>> {
        let mut frames = FrameReader::open(input, self.world, options.any_world)?;
        // Each recording starts with a fresh program.
        let mut caller = Caller::start(self.name, self.reward, self.world)?;
        if let Some(program) = &self.reward.program {
            caller.machine.set_observer(Observer::new(program, &self.terms.probes()));
        }
        let name = input.name();
        let mut run = RecordingCollector::new(caller, Recording::new(&name, frames.policy()), self.terms.terms.len());
        let (mut frame, mut sample) = (RecordedFrame::default(), Sample::default());
        let (mut count, mut reported) = (0, 0);
        loop {
            match frames.next(&mut frame) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if options.partial && count > 0 => {
                    let warning = Diagnostic { severity: Severity::Warning, ..*error };
                    diagnostics.push(warning.with_help("only the frames before it were audited"));
                    break;
                }
                Err(error) => return Err(error),
            }
            let position = CallPosition { recording: number, frame: frame.index };
            run.step(&frame, frame_score(&frames, &frame, options)?, position);
            sample.add_frame(&frame, position);
            count += 1;
            if count % STATES_PER_PROGRESS_REPORT == 0 {
                progress(frames.offset() - reported);
                reported = frames.offset();
            }
        }
        progress(frames.offset() - reported);
        diagnostics.extend(frames.diagnostics());
        if count == 0 {
            let error = Diagnostic::new(goalspec_trace::codes::EMPTY, Severity::Error, "the recording has no frames");
            return Err(Box::new(error));
        }
        let line_hits = self.reward.program.as_ref().map(|program| run.line_hits(program)).unwrap_or_default();
        Ok((Recording { actions: frames.actions(), line_hits, ..run.finish() }, sample))
    }
}

/// The collection of one recording.
struct RecordingCollector {
    caller: Caller<Machine>,
    recording: Recording,
    /// The sum of each term in the current episode.
    term_sums: Vec<f64>,
    /// The totals of the current, incomplete window.
    window: RewardTotals,
}

impl RecordingCollector {
    fn new(caller: Caller<Machine>, recording: Recording, terms: usize) -> Self {
        let recording = Recording { finished_term_sums: vec![0.0; terms], ..recording };
        Self { caller, recording, term_sums: vec![0.0; terms], window: RewardTotals::default() }
    }

    fn line_hits(&mut self, program: &goalspec_python_runtime::Program) -> Vec<Option<u64>> {
        self.caller.machine.observer().map(|observer| observer.line_hits(program)).unwrap_or_default()
    }

    fn finish(mut self) -> Recording {
        self.end_episode();
        if let Some(observer) = self.caller.machine.take_observer() {
            self.recording.statistics = observer.statistics().clone();
        }
        self.recording
    }

    /// The sums of terms count only for finished episodes.
    fn end_episode(&mut self) {
        let finished = self.recording.episodes.last().is_some_and(|episode| episode.finished);
        for (sum, term) in self.recording.finished_term_sums.iter_mut().zip(&mut self.term_sums) {
            let came_to = std::mem::take(term);
            if finished {
                *sum += came_to;
            }
        }
    }

    fn step(&mut self, frame: &RecordedFrame, score: Option<f64>, position: CallPosition) {
        if self.recording.episodes.last().is_none_or(|episode| episode.number != frame.episode) {
            self.end_episode();
            self.window = RewardTotals::default();
            self.recording.begin_episode(frame.episode, score.is_some());
        }
        if let Some(observer) = self.caller.machine.observer() {
            observer.begin(position);
        }
        let reward = self.caller.call(frame, CallInput::from_frame(frame));
        let Self { caller, recording, term_sums: terms, .. } = self;
        let spent = caller.work_spent();
        recording.max_work = recording.max_work.max(spent);
        recording.work = recording.work.saturating_add(spent);
        let value = match reward {
            Ok(reward) => {
                // Contributions of a call that failed do not count.
                if let Some(observer) = caller.machine.observer() {
                    terms.iter_mut().zip(observer.end()).for_each(|(sum, part)| *sum += part.unwrap_or(0.0));
                }
                for (name, part) in &reward.components {
                    recording.components.entry(name.clone()).or_default().add(*part, 1, position);
                }
                Some(reward.value())
            }
            Err(missing) => {
                recording.count_failure(missing.reason(), frame.index);
                None
            }
        };
        recording.add_frame(frame, value, score);
        let score = score.unwrap_or(0.0);
        self.window.add_frame(value, score);
        if self.window.frames == WINDOW_FRAMES {
            let window = std::mem::take(&mut self.window);
            recording.window_means.extend(window.mean().map(|mean| [mean, window.score / WINDOW_FRAMES as f64]));
        }
    }
}

impl Recording {
    /// Creates the statistics of a recording without frames.
    fn new(name: &str, policy: Option<&str>) -> Self {
        Self {
            name: name.into(),
            label: one_line(policy.unwrap_or(name)),
            policy: policy.map(str::to_owned),
            actions: Vec::new(),
            episodes: Vec::new(),
            failures: Vec::new(),
            other_failures: 0,
            non_finite: NonFiniteCounts::default(),
            statistics: RunStatistics::default(),
            finished_term_sums: Vec::new(),
            components: indexmap::IndexMap::new(),
            reward_range: None,
            value_counts: BTreeMap::new(),
            window_means: Vec::new(),
            score_changes: ScoreChanges::default(),
            curves: Vec::new(),
            idle: IdleStatistics::default(),
            max_work: 0,
            work: 0,
            line_hits: Vec::new(),
        }
    }

    /// Begins the next episode.
    fn begin_episode(&mut self, episode: u64, has_score: bool) {
        self.episodes.push(Episode::new(episode, has_score));
        if self.curves.len() < MAX_CURVES {
            self.curves.push(Curve::new(episode));
        }
        self.idle.begin_episode();
        self.score_changes.begin_episode();
    }

    fn add_frame(&mut self, frame: &RecordedFrame, value: Option<f64>, score: Option<f64>) {
        if let Some(episode) = self.episodes.last_mut() {
            episode.add_frame(value, score, frame.is_episode_end);
        }
        let score = score.unwrap_or(0.0);
        if let Some(value) = value {
            self.non_finite.add(value, frame.index);
            Range::add(&mut self.reward_range, value);
            if self.value_counts.len() < MAX_COUNTED_VALUES || self.value_counts.contains_key(&value.to_bits()) {
                *self.value_counts.entry(value.to_bits()).or_default() += 1;
            }
        }
        // Only the first episodes have curves.
        if let Some(curve) = self.curves.last_mut().filter(|curve| curve.episode == frame.episode) {
            curve.add_frame(value.filter(|value| value.is_finite()).unwrap_or(0.0), score);
        }
        self.score_changes.add_frame(score);
        self.idle.add_frame(frame, value, score);
    }

    /// Counts a failure. Beyond [`MAX_FAILURES`] kinds, only the number of frames is kept.
    fn count_failure(&mut self, (kind, message, line): (String, String, Option<u32>), frame: u64) {
        let known = self.failures.iter().position(|known| known.kind == kind && known.line == line);
        let place = known.unwrap_or(self.failures.len());
        if place == MAX_FAILURES {
            self.other_failures += 1;
            return;
        }
        if known.is_none() {
            self.failures.push(ErrorGroup {
                kind,
                line,
                messages: Vec::new(),
                unlisted_frames: 0,
                first_frame: frame,
                frames: 0,
            });
        }
        let raised = &mut self.failures[place];
        raised.frames += 1;
        if !raised.messages.contains(&message) {
            if raised.messages.len() < MAX_MESSAGES {
                raised.messages.push(message);
            } else {
                raised.unlisted_frames += 1;
            }
        }
    }
}

impl NonFiniteCounts {
    fn add(&mut self, reward: f64, frame: u64) {
        self.nan += u64::from(reward.is_nan());
        self.infinite += u64::from(reward.is_infinite());
        if !reward.is_finite() {
            self.first_frame.get_or_insert(frame);
        }
    }

    /// Returns the number of rewards that are not finite.
    pub fn count(self) -> u64 {
        self.nan + self.infinite
    }
}

/// Returns the true score of a frame; `None` if there is none.
fn frame_score(
    frames: &FrameReader<'_>,
    frame: &RecordedFrame,
    options: &AuditOptions,
) -> Result<Option<f64>, Box<Diagnostic>> {
    let Some(column) = options.score_column.as_deref() else { return Ok(frame.game_reward) };
    if matches!(frame.scene, Scene::Objects(_)) {
        return match frames.function_value(column) {
            Ok(Some(number)) => Ok(Some(number)),
            Ok(None) => Err(missing_score_error(column, frame.index, &[])),
            Err(known) => Err(missing_score_error(column, frame.index, &known)),
        };
    }
    if column == "r" {
        return Ok(frame.game_reward);
    }
    match frame.screen_frame.rewards.iter().find(|(name, _)| name == column) {
        Some((_, RecordedReward::Int(number))) => Ok(Some(*number as f64)),
        Some((_, RecordedReward::Float(number))) => Ok(Some(*number)),
        // A call that raised an exception earned nothing.
        Some((_, RecordedReward::Error(_))) => Ok(Some(0.0)),
        None => {
            let known = frame.screen_frame.rewards.iter().map(|(name, _)| name.clone()).chain(["r".to_owned()]);
            Err(missing_score_error(column, frame.index, &known.collect::<Vec<_>>()))
        }
    }
}

/// Returns the diagnostic for a frame without a score of this name, with the available names.
fn missing_score_error(column: &str, frame: u64, known: &[String]) -> Box<Diagnostic> {
    let message = format!("frame {frame} has no score `{column}`");
    let error = Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, message);
    let near = goalspec_syntax::suggest::did_you_mean(column, known.iter().map(String::as_str));
    let error = near.into_iter().fold(error, Diagnostic::with_help);
    Box::new(if known.is_empty() { error } else { error.with_help(format!("available: {}", known.join(", "))) })
}
