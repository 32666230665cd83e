//! Scores recordings by reward programs, in one pass for all programs.

use std::sync::{Arc, Mutex, PoisonError};

use goalspec_core::world::World;
use goalspec_reward::fast;
use goalspec_reward::limits::Budget as CallBudget;
use goalspec_reward::machine::{CallError, Reward, TracebackEntry};
use goalspec_reward::observe::{CallPosition, TermStatistics};
use goalspec_reward::terms::Term;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use indexmap::IndexMap;
use rayon::prelude::*;

use super::caller::{CallInput, Caller, MissingReward};
use super::compiled::{CompiledReward, EngineCalls, EngineInstance};
use super::frames::{FrameReader, RecordedFrame, Scene};
use super::program::RewardProgram;
use super::world::{RewardWorld, TraceWorldError};
use crate::budget::{Budget, BudgetExceeded};
use crate::codes;
use crate::program::Program;
use crate::scoring::{Engine, TraceInput, with_trace_name};

/// Options for scoring recordings.
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Whether to keep the reward of every frame.
    pub keep_frames: bool,
    /// Whether to record the contribution of each term of a reward; the reference machine then runs the programs.
    pub terms: bool,
    /// Whether a damaged recording is scored up to the damage instead of rejected.
    pub partial: bool,
    /// Whether worlds that accept no traces of other worlds accept them anyway.
    pub any_world: bool,
    /// The engine that runs the programs. All engines yield the same rewards and failures.
    pub engine: Engine,
    /// The budget of each program for one recording.
    pub budget: Budget,
    /// The budget of each call.
    pub call_budget: CallBudget,
}

/// The maximum number of distinct failures recorded in one outcome.
pub const MAX_FAILURES: usize = 100;

/// The result of scoring one recording with one program.
#[derive(Debug, Clone)]
pub struct RewardOutcome {
    /// The program's name.
    pub program: Arc<str>,
    /// The recording's name.
    pub trace: Arc<str>,
    /// The world that the recording was read with.
    pub world: RewardWorld,
    /// The episodes, in order.
    pub episodes: Vec<Episode>,
    /// The distinct reasons why frames have no reward, in the order of their first occurrence.
    pub failures: Vec<Failure>,
    /// The number of frames without a reward for reasons beyond [`MAX_FAILURES`].
    pub other_failures: u64,
    /// The warnings of numpy, one for each distinct message and line.
    pub warnings: Vec<Failure>,
    /// Statistics of the components that the program itself returns, by name.
    pub components: IndexMap<String, TermStatistics>,
    /// Statistics of each term's contribution, in source order; empty unless [`Options::terms`] is set.
    pub terms: Vec<(Term, TermStatistics)>,
    /// The frames; empty unless [`Options::keep_frames`] is set.
    pub frame_results: Vec<FrameResult>,
    /// The number of frames by how they were run.
    pub engine_calls: EngineCalls,
    /// The point at which the program exceeded its [budget](Options::budget), if it did; the outcome then covers the frames before it.
    pub exceeded_budget: Option<BudgetExceeded>,
}

/// The totals of one episode.
#[derive(Debug, Clone, PartialEq)]
pub struct Episode {
    /// The number of the episode in the recording.
    pub number: u64,
    /// The number of frames.
    pub frames: u64,
    /// The number of frames with a reward.
    pub rewarded_frames: u64,
    /// The sum of the rewards.
    pub total: f64,
    /// The sum of the game's own rewards; `None` if the recording has none.
    pub score: Option<f64>,
    /// Whether the episode reached its end; the last episode of a recording is often truncated.
    pub finished: bool,
}

/// A distinct reason why frames have no reward, or a distinct warning of numpy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The class of the exception, or the kind of the failure.
    pub kind: String,
    /// The message.
    pub message: String,
    /// The line of the program that raised it; `None` if the result itself is invalid.
    pub line: Option<u32>,
    /// The number of the first frame affected.
    pub first_frame: u64,
    /// The number of frames affected.
    pub frames: u64,
}

/// The result of one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameResult {
    /// The number of the frame in the recording.
    pub frame: u64,
    /// The number of its episode.
    pub episode: u64,
    /// The game's own reward; `None` if the recording has none.
    pub game_reward: Option<f64>,
    /// The reward, or the index of the failure in [`RewardOutcome::failures`]; an index past their end stands for a failure that was not
    /// recorded.
    pub reward: Result<f64, usize>,
    /// The components that the program itself returns, in its order.
    pub components: Vec<(String, f64)>,
    /// The contribution of each of [`RewardOutcome::terms`]; `None` for terms that were not reached.
    pub terms: Vec<Option<f64>>,
}

impl Episode {
    /// Creates the totals of an episode without frames.
    pub(super) fn new(number: u64, has_points: bool) -> Self {
        let points = has_points.then_some(0.0);
        Self { number, frames: 0, rewarded_frames: 0, total: 0.0, score: points, finished: false }
    }

    /// Adds a frame; `ends` is whether it may be the last one of the episode.
    pub(super) fn add_frame(&mut self, reward: Option<f64>, points: Option<f64>, ends: bool) {
        self.frames += 1;
        self.finished = ends;
        if let (Some(sum), Some(points)) = (&mut self.score, points) {
            *sum += points;
        }
        if let Some(reward) = reward {
            self.rewarded_frames += 1;
            self.total += reward;
        }
    }
}

impl RewardOutcome {
    /// Whether scoring failed: no frame has a reward, or the program was stopped before the end.
    pub fn has_failed(&self) -> bool {
        self.rewarded_frames() == 0 || self.exceeded_budget.is_some()
    }

    /// Returns the sum of all rewards.
    pub fn total(&self) -> f64 {
        self.episodes.iter().map(|episode| episode.total).sum()
    }

    /// Returns the sum of the game's own rewards; `None` if the recording has none.
    pub fn score(&self) -> Option<f64> {
        self.episodes.iter().map(|episode| episode.score).sum()
    }

    /// Returns the number of frames.
    pub fn frames(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.frames).sum()
    }

    /// Returns the number of frames with a reward.
    pub fn rewarded_frames(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.rewarded_frames).sum()
    }
}

/// The results of all programs on one recording.
#[derive(Debug, Clone, Default)]
pub struct RewardScores {
    /// The outcomes in the order of the programs; programs that could not run are missing.
    pub outcomes: Vec<RewardOutcome>,
    /// The diagnostics of the recording and of the missing programs.
    pub diagnostics: Vec<Diagnostic>,
}

/// An event reported while a recording is scored.
#[derive(Debug)]
pub enum ScoreEvent {
    /// The outcome of the program with this index.
    Outcome(usize, Box<RewardOutcome>),
    /// A diagnostic of the recording or of a program that could not run.
    Diagnostic(Box<Diagnostic>),
}

/// Receives the events of a scoring run, possibly from several threads.
pub type ScoreObserver<'o> = &'o (dyn Fn(ScoreEvent) + Sync);

/// Units of work per instruction of a reward function; a unit corresponds to the time of one atom.
const WORK_PER_INSTRUCTION: u64 = 20;

/// The divisor of the budget that limits a program while other programs wait for it.
const SHARED_BUDGET_DIVISOR: u64 = 8;

/// The number of frames that are read before all programs run on them in parallel.
const CHUNK_FRAMES: usize = 256;

/// Scores a recording by all reward functions that apply to its world, in one pass over its text for all programs of a world. `known` are
/// the loaded worlds beside those that goalspec ships. `progress` is called from time to time with the number of bytes read since its last
/// call.
pub fn score(
    programs: &[&Program],
    known: &[Arc<World>],
    input: &TraceInput,
    options: &Options,
    progress: &dyn Fn(u64),
) -> RewardScores {
    let found = Mutex::new((Vec::new(), Vec::new()));
    score_each(programs, known, input, options, progress, &|event| {
        let (outcomes, diagnostics) = &mut *found.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            ScoreEvent::Outcome(place, outcome) => outcomes.push((place, *outcome)),
            ScoreEvent::Diagnostic(diagnostic) => diagnostics.push(*diagnostic),
        }
    });
    let (mut outcomes, diagnostics) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|(place, _)| *place);
    RewardScores { outcomes: outcomes.into_iter().map(|(_, outcome)| outcome).collect(), diagnostics }
}

/// Scores a recording like [`score`], and reports each result as soon as it is available. Programs that take much work run separately after
/// the others; a program that exceeds its [budget](Options::budget) is stopped.
pub fn score_each(
    programs: &[&Program],
    known: &[Arc<World>],
    input: &TraceInput,
    options: &Options,
    progress: &dyn Fn(u64),
    observer: ScoreObserver<'_>,
) {
    let report =
        |finding: Diagnostic| observer(ScoreEvent::Diagnostic(Box::new(with_trace_name(&input.name(), finding))));
    let groups = match group_by_world(programs, known, input) {
        Ok(groups) => groups,
        Err(error) => return report(*error),
    };
    for group in groups {
        let several = group.programs.len() > 1;
        let budget = if several { options.budget.divided_by(SHARED_BUDGET_DIVISOR) } else { options.budget };
        let pass = Pass {
            input,
            options: Options { budget, ..*options },
            progress,
            group: &group,
            is_deferring: several,
            observer,
        };
        let later = pass.run(true).unwrap_or_else(|error| {
            report(*error);
            Vec::new()
        });
        later.par_iter().for_each(|member| {
            let group = Group { world: group.world.clone(), programs: vec![member.clone()] };
            let alone =
                Pass { input, options: *options, progress: &|_| {}, group: &group, is_deferring: false, observer };
            if let Err(error) = alone.run(false) {
                report(*error);
            }
        });
    }
}

/// Whether the recording may belong to the world of at least one of the programs.
pub fn has_applicable_program(programs: &[&Program], known: &[Arc<World>], input: &TraceInput) -> bool {
    group_by_world(programs, known, input).is_ok_and(|groups| !groups.is_empty())
}

/// A program with its index and its name.
type IndexedProgram<'p> = (usize, Arc<str>, &'p RewardProgram);

/// The programs that read a recording with the same world.
struct Group<'p> {
    world: RewardWorld,
    programs: Vec<IndexedProgram<'p>>,
}

/// Groups the programs that apply to a recording by the world that they read it with.
fn group_by_world<'p>(
    programs: &[&'p Program],
    known: &[Arc<World>],
    input: &TraceInput,
) -> Result<Vec<Group<'p>>, Box<Diagnostic>> {
    let mut groups: Vec<(Option<RewardWorld>, Group<'p>)> = Vec::new();
    let mut unfit: Option<Box<Diagnostic>> = None;
    for (place, program) in programs.iter().enumerate() {
        let Some(reward) = program.as_reward().filter(|reward| reward.program.is_some()) else { continue };
        let member = (place, program.name.clone(), reward);
        let own = reward.world.as_ref();
        let same = |other: &Option<RewardWorld>| match (own, other) {
            (Some(own), Some(other)) => own.is_same(other),
            (own, other) => own.is_none() && other.is_none(),
        };
        if let Some((_, group)) = groups.iter_mut().find(|(other, _)| same(other)) {
            group.programs.push(member);
            continue;
        }
        match RewardWorld::for_trace(input, own, known) {
            Ok(world) => groups.push((own.cloned(), Group { world, programs: vec![member] })),
            // Other programs may apply to the recording's world.
            Err(error @ TraceWorldError::DifferentWorld { .. }) => {
                unfit = unfit.or(Some(error.into_diagnostic(input, &program.name, own)));
            }
            Err(TraceWorldError::InvalidTrace(error)) => return Err(error),
        }
    }
    match unfit {
        Some(error) if groups.is_empty() => Err(error),
        _ => Ok(groups.into_iter().map(|(_, group)| group).collect()),
    }
}

/// One pass over a recording for a group of programs.
struct Pass<'p> {
    input: &'p TraceInput,
    options: Options,
    progress: &'p dyn Fn(u64),
    group: &'p Group<'p>,
    /// Whether programs that exceed the shared budget are deferred instead of stopped.
    is_deferring: bool,
    observer: ScoreObserver<'p>,
}

impl<'p> Pass<'p> {
    /// Runs the programs of the group over the recording and returns the deferred ones. `with_diagnostics` is whether diagnostics of the
    /// reading are reported.
    fn run(&self, with_diagnostics: bool) -> Result<Vec<IndexedProgram<'p>>, Box<Diagnostic>> {
        let Self { input, options, group, .. } = *self;
        let mut frames = FrameReader::open(input, &group.world, options.any_world)?;
        let engine = if options.terms { Engine::Interpreter } else { options.engine };
        let programs = group.programs.par_iter();
        let compiled: Vec<_> = programs
            .map(|(_, name, reward)| {
                CompiledReward::with_budget(name, reward, &group.world, engine, options.call_budget)
            })
            .collect();
        let (mut members, mut runs) = (Vec::new(), Vec::new());
        for (member, compiled) in group.programs.iter().zip(&compiled) {
            match compiled
                .as_ref()
                .map_err(Clone::clone)
                .and_then(|compiled| ScoringRun::start(compiled, input, options))
            {
                Ok(run) => {
                    members.push(member);
                    runs.push(run);
                }
                Err(error) => self.report_diagnostic(*error),
            }
        }
        let read = run_frames(&mut frames, &mut runs, options, self.progress);
        if with_diagnostics {
            frames.diagnostics().into_iter().for_each(|remark| self.report_diagnostic(remark));
        }
        let mut later = Vec::new();
        let mut outcomes = Vec::new();
        for (member, run) in members.into_iter().zip(runs) {
            if self.is_deferring && run.outcome.exceeded_budget.is_some() {
                later.push(member.clone());
            } else {
                outcomes.push((member.0, run.finish()));
            }
        }
        match read {
            Err(error) if options.partial && outcomes.iter().any(|(_, outcome)| outcome.frames() > 0) => {
                let help = "only the frames before it were scored";
                if with_diagnostics {
                    self.report_diagnostic(Diagnostic { severity: Severity::Warning, ..*error }.with_help(help));
                }
            }
            Err(error) => return Err(error),
            Ok(()) => {}
        }
        for (place, outcome) in outcomes {
            self.report_outcome(place, outcome);
        }
        Ok(later)
    }

    fn report_diagnostic(&self, finding: Diagnostic) {
        (self.observer)(ScoreEvent::Diagnostic(Box::new(with_trace_name(&self.input.name(), finding))));
    }

    /// Reports an outcome, with a diagnostic of the covered range if the program was stopped.
    fn report_outcome(&self, place: usize, outcome: RewardOutcome) {
        if let Some(stopped) = outcome.exceeded_budget {
            let message = format!("`{}` over `{}` was {stopped}", outcome.program, outcome.trace);
            self.report_diagnostic(Diagnostic::new(codes::OVER_BUDGET, Severity::Error, message));
        }
        (self.observer)(ScoreEvent::Outcome(place, Box::new(outcome)));
    }
}

fn run_frames(
    frames: &mut FrameReader<'_>,
    runs: &mut [ScoringRun],
    options: Options,
    progress: &dyn Fn(u64),
) -> Result<(), Box<Diagnostic>> {
    let mut chunk: Vec<PreparedFrame> = Vec::new();
    let (mut any, mut reported) = (false, 0);
    loop {
        let (count, read) = read_chunk(frames, &mut chunk);
        let rows = &chunk[..count];
        runs.par_iter_mut().for_each(|run| rows.iter().for_each(|row| run.step(row, options)));
        progress(frames.offset() - reported);
        reported = frames.offset();
        any |= count > 0;
        // An error in the recording is reported after the frames before it have run.
        read?;
        if count < CHUNK_FRAMES || !runs.is_empty() && runs.iter().all(|run| run.outcome.exceeded_budget.is_some()) {
            break;
        }
    }
    if !any {
        let error = Diagnostic::new(goalspec_trace::codes::EMPTY, Severity::Error, "the recording has no frames");
        return Err(Box::new(error));
    }
    Ok(())
}

/// A frame in the representations that the programs read.
#[derive(Default)]
struct PreparedFrame {
    frame: RecordedFrame,
    fast_frame: fast::Frame,
}

/// Reads the next chunk of frames into `chunk`, reusing its elements; returns their number and the error of the frame after them, if any.
fn read_chunk(frames: &mut FrameReader<'_>, chunk: &mut Vec<PreparedFrame>) -> (usize, Result<(), Box<Diagnostic>>) {
    for place in 0..CHUNK_FRAMES {
        if place == chunk.len() {
            chunk.push(PreparedFrame::default());
        }
        let PreparedFrame { frame, fast_frame } = &mut chunk[place];
        match frames.next(frame) {
            Ok(true) => {}
            Ok(false) => return (place, Ok(())),
            Err(error) => return (place, Err(error)),
        }
        if let Scene::Screen(objects) = &frame.scene {
            fast_frame.update(objects);
        }
    }
    (CHUNK_FRAMES, Ok(()))
}

struct ScoringRun {
    caller: Caller<EngineInstance>,
    outcome: RewardOutcome,
    /// Units of work of all calls.
    work: u64,
    /// The number of frames processed.
    frames: u64,
}

impl ScoringRun {
    fn start(compiled: &CompiledReward, input: &TraceInput, options: Options) -> Result<Self, Box<Diagnostic>> {
        let mut caller = compiled.start()?;
        let terms = if options.terms { compiled.observe_terms(&mut caller) } else { Vec::new() };
        let outcome = RewardOutcome {
            program: compiled.name().clone(),
            trace: input.name().into(),
            world: compiled.world().clone(),
            episodes: Vec::new(),
            failures: Vec::new(),
            other_failures: 0,
            warnings: Vec::new(),
            components: IndexMap::new(),
            terms: terms.into_iter().map(|term| (term, TermStatistics::default())).collect(),
            frame_results: Vec::new(),
            engine_calls: compiled.new_engine_calls(),
            exceeded_budget: None,
        };
        Ok(Self { caller, outcome, work: 0, frames: 0 })
    }

    /// Completes the outcome after the last frame.
    fn finish(mut self) -> RewardOutcome {
        if let Some(observer) = self.caller.machine.observer() {
            let statistics = observer.statistics().terms.iter();
            self.outcome
                .terms
                .iter_mut()
                .zip(statistics)
                .for_each(|((_, term), statistics)| term.clone_from(statistics));
        }
        self.outcome
    }

    /// Records the components and terms of a reward; returns the contributions of the terms.
    fn record_components(&mut self, reward: &Reward, position: CallPosition) -> Vec<Option<f64>> {
        for (name, part) in &reward.components {
            if !self.outcome.components.contains_key(name) {
                self.outcome.components.insert(name.clone(), TermStatistics::default());
            }
            if let Some(statistics) = self.outcome.components.get_mut(name) {
                statistics.add(*part, 1, position);
            }
        }
        self.caller.machine.observer().map(|observer| observer.end().collect()).unwrap_or_default()
    }

    fn step(&mut self, PreparedFrame { frame, fast_frame }: &PreparedFrame, options: Options) {
        if self.outcome.exceeded_budget.is_some() {
            return;
        }
        self.frames += 1;
        if self.outcome.episodes.last().is_none_or(|episode| episode.number != frame.episode) {
            self.outcome.episodes.push(Episode::new(frame.episode, frame.game_reward.is_some()));
        }
        let position = CallPosition { recording: 0, frame: frame.index };
        if let Some(observer) = self.caller.machine.observer() {
            observer.begin(position);
        }
        let reward =
            self.caller.call(frame, CallInput { fast_frame: Some(fast_frame), ..CallInput::from_frame(frame) });
        if !matches!(reward, Err(MissingReward::Skipped(_))) {
            self.outcome.engine_calls.count_last_call(&self.caller.machine);
            self.count_warnings(frame.index);
            self.work += WORK_PER_INSTRUCTION * self.caller.work_spent();
            let limit = options.budget.limit(self.frames);
            if self.work > limit {
                self.outcome.exceeded_budget = Some(BudgetExceeded { state: self.frames, limit });
            }
        }
        // Contributions of a call that failed do not count.
        let terms = reward.as_ref().map(|reward| self.record_components(reward, position)).unwrap_or_default();
        let components = reward.as_ref().map(|reward| reward.components.clone()).unwrap_or_default();
        let reward = reward
            .map(|reward| reward.value())
            .map_err(|missing| missing.reason())
            .map_err(|failure| self.count_failure(failure, frame.index));
        if let Some(episode) = self.outcome.episodes.last_mut() {
            episode.add_frame(reward.ok(), frame.game_reward, frame.is_episode_end);
        }
        if options.keep_frames {
            let RecordedFrame { index, episode, game_reward: points, .. } = *frame;
            self.outcome.frame_results.push(FrameResult {
                frame: index,
                episode,
                game_reward: points,
                reward,
                components,
                terms,
            });
        }
    }

    /// Counts a failure and returns its index in the outcome.
    fn count_failure(&mut self, reason: FailureReason, frame: u64) -> usize {
        let place = count_reason(&mut self.outcome.failures, reason, frame);
        self.outcome.other_failures += u64::from(place == MAX_FAILURES);
        place
    }

    /// Counts the warnings of numpy in the last call.
    fn count_warnings(&mut self, frame: u64) {
        for warning in self.caller.machine.warnings() {
            let (kind, message) = warning.message.split_once(": ").unwrap_or(("Warning", &warning.message));
            let reason = (kind.to_owned(), message.to_owned(), Some(warning.place.line));
            count_reason(&mut self.outcome.warnings, reason, frame);
        }
    }
}

/// The kind, the message and the line of a failure.
type FailureReason = (String, String, Option<u32>);

/// Counts a frame under its reason and returns the index of that reason; a new reason is recorded unless there are too many.
fn count_reason(known: &mut Vec<Failure>, (kind, message, line): FailureReason, frame: u64) -> usize {
    let same = |known: &Failure| known.kind == kind && known.message == message && known.line == line;
    let place = known.iter().position(same).unwrap_or(known.len());
    if let Some(known) = known.get_mut(place) {
        known.frames += 1;
    } else if place < MAX_FAILURES {
        known.push(Failure { kind, message, line, first_frame: frame, frames: 1 });
    }
    place
}

/// The failure kind of results that are not a reward.
pub(super) const NO_REWARD: &str = "no reward";

/// Returns the failure kind, message and line of an error.
pub(super) fn failure_reason(error: &CallError) -> FailureReason {
    let last = |traceback: &[TracebackEntry]| traceback.last().map(|place| place.line);
    match error {
        CallError::Exception { kind, message, traceback, .. } => (kind.clone(), message.clone(), last(traceback)),
        CallError::Exhausted { resource, traceback } => ("budget".to_owned(), resource.to_string(), last(traceback)),
        CallError::InvalidReward { value, location: place } => {
            (NO_REWARD.to_owned(), format!("the result is {value}"), place.as_ref().map(|place| place.line))
        }
    }
}

pub(super) fn not_a_screen_recording(input: &TraceInput) -> Box<Diagnostic> {
    let message = format!("`{}` is not a recording of screens, which reward functions require", input.name());
    let error = Diagnostic::new(goalspec_trace::codes::UNKNOWN_FORMAT, Severity::Error, message);
    Box::new(error.with_help("`goalspec trace record` converts a game's RAM to a recording"))
}
