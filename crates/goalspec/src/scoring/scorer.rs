//! Scoring of traces and recordings by all programs of a library, of every kind.

use std::mem;
use std::sync::Arc;

use goalspec_core::world::World;
use goalspec_rewards::frames;
use goalspec_rewards::program::NamedRewardProgram;
use goalspec_rewards::score::{self as rewards, RewardOutcome};
use goalspec_syntax::Diagnostic;
use goalspec_trace::TraceInput;

use super::{CompiledPrograms, ProgramOutcome, ScoreEvent, ScoringOptions, ScoringResult};
use crate::library::Library;
use crate::program::Program;
use crate::recordings;

/// A scorer of traces by all programs of a library: games, activities and reward functions. It compiles games and activities once for
/// all traces.
///
/// An input is one of the following:
/// - a trace, or a recording of screens of one episode, which every program scores whose world it belongs to;
/// - a recording of several episodes, which games and activities score separately, and reward functions together;
/// - a recording of simulated games, which are replayed, and each of which games score as a trace of its own.
#[derive(Debug)]
pub struct LibraryScorer<'l> {
    library: &'l Library,
    programs: Arc<CompiledPrograms>,
    has_programs: bool,
    reward_programs: Vec<NamedRewardProgram<'l>>,
    worlds: Vec<Arc<World>>,
    reward_options: rewards::ScoreOptions,
}

/// The results of all programs on one or more inputs.
#[derive(Debug, Clone, Default)]
pub struct LibraryScores {
    /// The outcomes of games and activities, by input, trace and program.
    pub outcomes: Vec<ProgramOutcome>,
    /// The outcomes of reward functions, by input and program.
    pub rewards: Vec<RewardOutcome>,
    /// The diagnostics of the inputs and of the programs that could not be run.
    pub diagnostics: Vec<Diagnostic>,
}

/// An event of the scoring of an input, reported as soon as it occurs.
#[derive(Debug)]
pub enum LibraryScoreEvent {
    /// The outcome of a game or an activity on a trace.
    Program(Box<ProgramOutcome>),
    /// The outcome of a reward function on a recording.
    Reward(Box<RewardOutcome>),
    /// A diagnostic of the input.
    Diagnostic(Box<Diagnostic>),
    /// The error of a program that could not be run, with its name.
    ProgramError(Arc<str>, Box<Diagnostic>),
}

/// An observer of the scoring of an input, possibly called from several threads.
pub type LibraryScoreObserver<'o> = &'o (dyn Fn(LibraryScoreEvent) + Sync);

impl LibraryScores {
    /// Appends the results of other inputs.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.outcomes.extend(other.outcomes);
        self.rewards.extend(other.rewards);
        self.diagnostics.extend(other.diagnostics);
        self
    }

    /// Whether a program has no score because of a failure.
    pub fn has_failures(&self) -> bool {
        self.outcomes.iter().any(ProgramOutcome::is_failure) || self.rewards.iter().any(RewardOutcome::has_failed)
    }
}

impl LibraryScoreEvent {
    /// Whether the event is the outcome of a program that has no score because of a failure.
    pub fn is_failure(&self) -> bool {
        match self {
            Self::Program(outcome) => outcome.is_failure(),
            Self::Reward(outcome) => outcome.has_failed(),
            Self::Diagnostic(_) | Self::ProgramError(..) => false,
        }
    }
}

impl From<Diagnostic> for LibraryScores {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic], ..Self::default() }
    }
}

impl From<ScoringResult> for LibraryScores {
    fn from(result: ScoringResult) -> Self {
        Self { outcomes: result.outcomes, rewards: Vec::new(), diagnostics: result.diagnostics }
    }
}

impl From<rewards::RewardScores> for LibraryScores {
    fn from(result: rewards::RewardScores) -> Self {
        Self { outcomes: Vec::new(), rewards: result.outcomes, diagnostics: result.diagnostics }
    }
}

impl<'l> LibraryScorer<'l> {
    /// Returns the scorer of a library, with the options of games and activities and those of reward functions.
    pub fn new(library: &'l Library, options: &ScoringOptions, reward_options: rewards::ScoreOptions) -> Self {
        Self::of_programs(library, library.programs(), options, reward_options)
    }

    /// Returns the scorer of some of the programs of a library.
    pub fn of_programs(
        library: &'l Library,
        programs: impl IntoIterator<Item = &'l Program>,
        options: &ScoringOptions,
        reward_options: rewards::ScoreOptions,
    ) -> Self {
        let programs: Vec<&Program> = programs.into_iter().collect();
        let compiled = Arc::new(Self::compile(&programs, options));
        Self::of_compiled(library, &programs, compiled, reward_options)
    }

    /// Prepares the games and activities among programs.
    pub(super) fn compile(programs: &[&Program], options: &ScoringOptions) -> CompiledPrograms {
        let others: Vec<&Program> = programs.iter().copied().filter(|program| program.as_reward().is_none()).collect();
        CompiledPrograms::new(&others, options)
    }

    /// Returns the scorer of programs of a library whose games and activities are [prepared](Self::compile).
    pub(super) fn of_compiled(
        library: &'l Library,
        programs: &[&'l Program],
        compiled: Arc<CompiledPrograms>,
        reward_options: rewards::ScoreOptions,
    ) -> Self {
        let (rewards, others): (Vec<&Program>, Vec<&Program>) =
            programs.iter().partition(|program| program.as_reward().is_some());
        Self {
            library,
            programs: compiled,
            has_programs: !others.is_empty(),
            reward_programs: rewards.into_iter().filter_map(Program::as_named_reward).collect(),
            worlds: library.all_worlds(),
            reward_options,
        }
    }

    /// Scores an input. `progress` is called from time to time with the number of bytes read since the previous call.
    ///
    /// The results are those of [`score_each`](Self::score_each), in the order of the traces of the input and of the programs.
    pub fn score(&self, input: &TraceInput, progress: &dyn Fn(u64)) -> LibraryScores {
        let mut scores = LibraryScores::default();
        if self.has_rewards_for(input) {
            let (programs, worlds) = (&self.reward_programs, &self.worlds);
            scores = rewards::score(programs, worlds, input, &self.reward_options, progress).into();
        }
        let result = self.for_each_trace(input, &mut |trace| {
            scores = mem::take(&mut scores).merge(self.programs.score(trace, progress).into());
        });
        match result {
            Ok(()) => scores,
            Err(error) => scores.merge((*error).into()),
        }
    }

    /// Scores an input and reports each result as soon as it is available, reward functions first.
    pub fn score_each(&self, input: &TraceInput, progress: &dyn Fn(u64), observer: LibraryScoreObserver<'_>) {
        if self.has_rewards_for(input) {
            let (programs, worlds) = (&self.reward_programs, &self.worlds);
            rewards::score_each(programs, worlds, input, &self.reward_options, progress, &|event| {
                observer(match event {
                    rewards::ScoreEvent::Outcome(_, outcome) => LibraryScoreEvent::Reward(outcome),
                    rewards::ScoreEvent::Diagnostic(diagnostic) => LibraryScoreEvent::Diagnostic(diagnostic),
                    rewards::ScoreEvent::ProgramError(place, diagnostic) => {
                        LibraryScoreEvent::ProgramError(self.reward_programs[place].name.clone(), diagnostic)
                    }
                });
            });
        }
        let result = self.for_each_trace(input, &mut |trace| {
            self.programs.score_each(trace, progress, &|event| {
                observer(match event {
                    ScoreEvent::Outcome(outcome) => LibraryScoreEvent::Program(outcome),
                    ScoreEvent::Diagnostic(diagnostic) => LibraryScoreEvent::Diagnostic(diagnostic),
                    ScoreEvent::ProgramError(program, diagnostic) => {
                        LibraryScoreEvent::ProgramError(program, diagnostic)
                    }
                });
            });
        });
        if let Err(error) = result {
            observer(LibraryScoreEvent::Diagnostic(error));
        }
    }

    /// Whether reward functions score an input. Beside games and activities, they do only if it is of the world of one of them.
    fn has_rewards_for(&self, input: &TraceInput) -> bool {
        !self.reward_programs.is_empty()
            && (!self.has_programs || rewards::has_applicable_program(&self.reward_programs, &self.worlds, input))
    }

    /// Calls `visit` with each trace of an input that games and activities score.
    ///
    /// # Errors
    /// If a recording of games cannot be replayed. `visit` has been called for the games before the error.
    fn for_each_trace(&self, input: &TraceInput, visit: &mut dyn FnMut(&TraceInput)) -> Result<(), Box<Diagnostic>> {
        if !self.has_programs {
            return Ok(());
        }
        if let Some(result) = recordings::for_each_game(input, self.library, visit) {
            return result;
        }
        match frames::split_episodes(input) {
            Ok(Some(episodes)) => episodes.iter().for_each(visit),
            // The reader of the trace reports its errors.
            Ok(None) | Err(_) => visit(input),
        }
        Ok(())
    }
}
