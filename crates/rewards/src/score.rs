//! Scores recordings by reward programs, in one pass for all programs.

mod outcome;

use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, PoisonError};

use goalspec_core::budget::{BUDGET_OPTION, Budget, BudgetExceeded};
use goalspec_core::engine::Engine;
use goalspec_core::world::World;
use goalspec_python_runtime::fast;
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::machine::{CallError, Reward, TracebackEntry};
use goalspec_python_runtime::observe::{CallPosition, TermStatistics};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::input::{TraceInput, with_trace_name};
use indexmap::IndexMap;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::caller::{CallInput, Caller, MissingReward};
use crate::compiled::{CompiledReward, EngineInstance};
use crate::frames::{FrameReader, RecordedFrame, Scene};
use crate::program::NamedRewardProgram;
use crate::world::{RewardWorld, TraceWorldError};

pub use outcome::{Episode, Failure, FrameResult, MAX_FAILURES, RewardOutcome};

/// Options for scoring recordings.
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Debug, Clone, Default)]
pub struct ScoreOptions {
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
    /// The threads on which several programs run; `None` for the calling thread. The results are the same.
    pub pool: Option<Arc<ThreadPool>>,
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
    /// A diagnostic of the recording.
    Diagnostic(Box<Diagnostic>),
    /// The error of the program with this index, which could not run.
    ProgramError(usize, Box<Diagnostic>),
}

/// Receives the events of a scoring run, possibly from several threads.
pub type ScoreObserver<'o> = &'o (dyn Fn(ScoreEvent) + Sync);

/// Units of work per instruction of a reward function; a unit corresponds to the time of one atom.
const WORK_PER_INSTRUCTION: u64 = 5;

/// The divisor of the budget that limits a program while other programs wait for it.
const SHARED_BUDGET_DIVISOR: NonZeroU64 = NonZeroU64::new(8).unwrap();

/// The number of frames that are read before all programs run on them in parallel.
const CHUNK_FRAMES: usize = 256;

/// Scores a recording by all reward functions that apply to its world, in one pass over its text for all programs of a world. `known` are
/// the loaded worlds beside those that goalspec ships. `progress` is called from time to time with the number of bytes read since its last
/// call.
pub fn score(
    programs: &[NamedRewardProgram<'_>],
    known: &[Arc<World>],
    input: &TraceInput,
    options: &ScoreOptions,
    progress: &dyn Fn(u64),
) -> RewardScores {
    let found = Mutex::new((Vec::new(), Vec::new()));
    score_each(programs, known, input, options, progress, &|event| {
        let (outcomes, diagnostics) = &mut *found.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            ScoreEvent::Outcome(place, outcome) => outcomes.push((place, *outcome)),
            ScoreEvent::Diagnostic(diagnostic) | ScoreEvent::ProgramError(_, diagnostic) => {
                diagnostics.push(*diagnostic);
            }
        }
    });
    let (mut outcomes, diagnostics) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|(place, _)| *place);
    RewardScores { outcomes: outcomes.into_iter().map(|(_, outcome)| outcome).collect(), diagnostics }
}

/// Scores a recording like [`score`], and reports each result as soon as it is available. Programs that take much work run separately after
/// the others; a program that exceeds its [budget](ScoreOptions::budget) is stopped.
pub fn score_each(
    programs: &[NamedRewardProgram<'_>],
    known: &[Arc<World>],
    input: &TraceInput,
    options: &ScoreOptions,
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
            options: ScoreOptions { budget, ..options.clone() },
            progress,
            group: &group,
            is_deferring: several,
            observer,
        };
        let later = pass.run(true).unwrap_or_else(|error| {
            report(*error);
            Vec::new()
        });
        let run_alone = |member: &IndexedProgram<'_>| {
            let group = Group { world: group.world.clone(), programs: vec![*member] };
            let alone = Pass {
                input,
                options: options.clone(),
                progress: &|_| {},
                group: &group,
                is_deferring: false,
                observer,
            };
            if let Err(error) = alone.run(false) {
                report(*error);
            }
        };
        match &options.pool {
            None => later.iter().for_each(run_alone),
            Some(pool) => pool.install(|| later.par_iter().for_each(run_alone)),
        }
    }
}

/// Whether the recording may belong to the world of at least one of the programs.
pub fn has_applicable_program(programs: &[NamedRewardProgram<'_>], known: &[Arc<World>], input: &TraceInput) -> bool {
    group_by_world(programs, known, input).is_ok_and(|groups| !groups.is_empty())
}

/// A program with its index.
type IndexedProgram<'p> = (usize, NamedRewardProgram<'p>);

/// The programs that read a recording with the same world.
struct Group<'p> {
    world: RewardWorld,
    programs: Vec<IndexedProgram<'p>>,
}

/// Groups the programs that apply to a recording by the world that they read it with.
fn group_by_world<'p>(
    programs: &[NamedRewardProgram<'p>],
    known: &[Arc<World>],
    input: &TraceInput,
) -> Result<Vec<Group<'p>>, Box<Diagnostic>> {
    let mut groups: Vec<(Option<RewardWorld>, Group<'p>)> = Vec::new();
    let mut unfit: Option<Box<Diagnostic>> = None;
    for member in programs.iter().copied().enumerate() {
        let (_, NamedRewardProgram { name, reward }) = member;
        if reward.program.is_none() {
            continue;
        }
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
                unfit = unfit.or(Some(error.into_diagnostic(input, name, own)));
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
    options: ScoreOptions,
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
        let Self { input, group, .. } = *self;
        let options = &self.options;
        let mut frames = FrameReader::open(input, &group.world, options.any_world)?;
        let engine = if options.terms { Engine::Interpreter } else { options.engine };
        let compile = |(_, NamedRewardProgram { name, reward }): &IndexedProgram<'_>| {
            CompiledReward::with_budget(name, reward, &group.world, engine, options.call_budget)
        };
        let compiled: Vec<_> = match &options.pool {
            None => group.programs.iter().map(compile).collect(),
            Some(pool) => pool.install(|| group.programs.par_iter().map(compile).collect()),
        };
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
                Err(error) => {
                    let error = with_trace_name(&input.name(), *error);
                    (self.observer)(ScoreEvent::ProgramError(member.0, Box::new(error)));
                }
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
                later.push(*member);
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
            let error = Diagnostic::new(goalspec_core::codes::OVER_BUDGET, Severity::Error, message);
            self.report_diagnostic(error.with_help(format!("`{BUDGET_OPTION} none` lifts the limit")));
        }
        (self.observer)(ScoreEvent::Outcome(place, Box::new(outcome)));
    }
}

fn run_frames(
    frames: &mut FrameReader<'_>,
    runs: &mut [ScoringRun],
    options: &ScoreOptions,
    progress: &dyn Fn(u64),
) -> Result<(), Box<Diagnostic>> {
    let mut chunk: Vec<PreparedFrame> = Vec::new();
    let (mut any, mut reported) = (false, 0);
    loop {
        let (count, read) = read_chunk(frames, &mut chunk);
        let rows = &chunk[..count];
        let advance = |run: &mut ScoringRun| rows.iter().for_each(|row| run.step(row, options));
        match &options.pool {
            None => runs.iter_mut().for_each(advance),
            Some(pool) => pool.install(|| runs.par_iter_mut().for_each(advance)),
        }
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
    fast_frame: fast::PreparedFrame,
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
    fn start(compiled: &CompiledReward, input: &TraceInput, options: &ScoreOptions) -> Result<Self, Box<Diagnostic>> {
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
            if let Some(statistics) = self.outcome.components.get_mut(name) {
                statistics.add(*part, 1, position);
            } else {
                let mut statistics = TermStatistics::default();
                statistics.add(*part, 1, position);
                self.outcome.components.insert(name.clone(), statistics);
            }
        }
        self.caller.machine.observer().map(|observer| observer.end().collect()).unwrap_or_default()
    }

    fn step(&mut self, PreparedFrame { frame, fast_frame }: &PreparedFrame, options: &ScoreOptions) {
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
        let components = reward
            .as_ref()
            .ok()
            .filter(|_| options.keep_frames)
            .map(|reward| reward.components.clone())
            .unwrap_or_default();
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
pub const NO_REWARD: &str = "no reward";

/// Returns the failure kind, message and line of an error.
pub(crate) fn failure_reason(error: &CallError) -> FailureReason {
    let last = |traceback: &[TracebackEntry]| traceback.last().map(|place| place.line);
    match error {
        CallError::Exception { kind, message, traceback, .. } => (kind.clone(), message.clone(), last(traceback)),
        CallError::Exhausted { resource, traceback } => ("budget".to_owned(), resource.to_string(), last(traceback)),
        CallError::InvalidReward { value, location: place } => {
            (NO_REWARD.to_owned(), format!("the result is {value}"), place.as_ref().map(|place| place.line))
        }
    }
}

pub(crate) fn not_a_screen_recording(input: &TraceInput) -> Box<Diagnostic> {
    let message = format!("`{}` is not a recording of screens, which reward functions require", input.name());
    let error = Diagnostic::new(goalspec_trace::codes::UNKNOWN_FORMAT, Severity::Error, message);
    Box::new(error.with_help("`goalspec trace record` converts a game's RAM to a recording"))
}
