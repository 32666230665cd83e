//! The result of one program on one recording.

use std::sync::Arc;

use goalspec_core::budget::BudgetExceeded;
use goalspec_python_runtime::observe::TermStatistics;
use goalspec_reward::terms::Term;
use indexmap::IndexMap;

use crate::compiled::EngineCalls;
use crate::world::RewardWorld;

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
    /// Statistics of each term's contribution, in source order; empty unless [`ScoreOptions::terms`](super::ScoreOptions::terms) is set.
    pub terms: Vec<(Term, TermStatistics)>,
    /// The frames; empty unless [`ScoreOptions::keep_frames`](super::ScoreOptions::keep_frames) is set.
    pub frame_results: Vec<FrameResult>,
    /// The number of frames by how they were run.
    pub engine_calls: EngineCalls,
    /// The point at which the program exceeded its [budget](super::ScoreOptions::budget), if it did; the outcome then covers the frames before it.
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
    /// Creates the totals of an episode without frames. `has_points` is whether the recording has the game's own rewards.
    pub fn new(number: u64, has_points: bool) -> Self {
        let points = has_points.then_some(0.0);
        Self { number, frames: 0, rewarded_frames: 0, total: 0.0, score: points, finished: false }
    }

    /// Adds a frame with its reward, if it has one, and the game's own reward `points`; `ends` is whether it may be the last one of the episode.
    pub fn add_frame(&mut self, reward: Option<f64>, points: Option<f64>, ends: bool) {
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

    /// Returns the sum of all rewards up to each of [`Self::frame_results`]. The last one is [`Self::total`].
    pub fn running_totals(&self) -> Vec<f64> {
        let (mut ended, mut current, mut episode) = (0.0, 0.0, None);
        let add = |frame: &FrameResult| {
            if episode != Some(frame.episode) {
                (ended, current, episode) = (ended + current, 0.0, Some(frame.episode));
            }
            current += frame.reward.unwrap_or(0.0);
            ended + current
        };
        self.frame_results.iter().map(add).collect()
    }

    /// Returns the sum of the game's own rewards; `None` if the recording has none.
    pub fn score(&self) -> Option<f64> {
        self.episodes.iter().map(|episode| episode.score).sum()
    }

    /// Returns the number of frames.
    pub fn frames(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.frames).sum()
    }

    /// Returns the error of a frame without a reward, and the line of the program that raised it, if any.
    pub fn frame_error(&self, frame: &FrameResult) -> Option<(String, Option<u32>)> {
        let failure = self.failures.get(frame.reward.err()?);
        let text = failure
            .map_or_else(|| "other failure".to_owned(), |failure| format!("{}: {}", failure.kind, failure.message));
        Some((text, failure.and_then(|failure| failure.line)))
    }

    /// Returns the number of frames with a reward.
    pub fn rewarded_frames(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.rewarded_frames).sum()
    }
}
