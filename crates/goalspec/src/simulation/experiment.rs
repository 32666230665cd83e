//! Monte Carlo experiments: games by one or several sets of policies on the same seeds, optionally with varied values and a
//! stopping rule.

use std::io;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use goalspec_resource::board::SlotId;
use goalspec_resource::game::TeamId;
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_rgg::template::PatchError;
use goalspec_simulator::episode::{Episode, EpisodeObserver, EpisodeRunner, Policies};
use goalspec_simulator::statistics::interval::{ConfidenceInterval, ConfidenceLevel};
use goalspec_simulator::statistics::stopping::{StoppingDecision, StoppingRule};
use goalspec_simulator::statistics::timeline::Timeline;
use goalspec_simulator::{Simulator, State};

use super::LoadedGame;
use super::accumulator::{GameRecord, SampleAccumulator};
use super::policies::TeamPolicies;
use super::quantity::EpisodeQuantity;
use super::variation::{SampledValues, Variation};

/// The number of games between two evaluations of a stopping rule, which is also the minimum number of games.
pub const GAMES_PER_EVALUATION: u64 = 1000;

/// The maximum number of games in memory if each game is reported to an observer.
const MAX_BUFFERED_GAMES: u64 = 4096;

/// The maximum number of games that a thread takes at a time.
const MAX_CHUNK_GAMES: u64 = 256;

/// A Monte Carlo experiment.
#[derive(Debug, Clone, Copy)]
pub struct Experiment<'r> {
    /// The game.
    pub game: &'r LoadedGame,
    /// The sets of policies: the first one, and those that are compared with it.
    pub policies: &'r [TeamPolicies],
    /// The varied values.
    pub variation: Option<&'r Variation>,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The index of the first game.
    pub first_index: u64,
    /// The maximum number of games.
    pub max_games: u64,
    /// The maximum number of turns per game.
    pub max_turns: u32,
    /// The number of threads; 0 for one per core. Games whose turns are observed are played on a single thread.
    pub threads: usize,
    /// The stopping rule.
    pub precision_target: Option<&'r PrecisionTarget>,
    /// The resources that are tracked over time, in the games of the first set of policies.
    pub tracked_resources: &'r [SlotId],
    /// The discount factor of the step rewards, if returns are computed: see [`goalspec_simulator::returns`].
    pub discount: Option<f64>,
    /// The cancellation flag. The experiment ends soon after it is set, with the games that are finished by then.
    pub cancelled: Option<&'r AtomicBool>,
}

/// Statistics of the games of a Monte Carlo experiment, and the reason for which it stopped.
#[derive(Debug, Clone)]
pub struct ExperimentResult {
    /// The statistics of the games.
    pub statistics: SampleAccumulator,
    /// The result of the stopping rule, if there is one.
    pub precision: Option<PrecisionResult>,
    /// Whether the experiment was cancelled before all its games were played.
    pub cancelled: bool,
}

/// A stopping rule: the experiment ends when the confidence intervals of all these numbers are narrow enough. If policies are
/// compared, the intervals are those of the differences.
#[derive(Debug, Clone, PartialEq)]
pub struct PrecisionTarget {
    /// The numbers.
    pub numbers: Vec<EpisodeQuantity>,
    /// The maximum half-width of the intervals.
    pub half_width: f64,
    /// The confidence level of the intervals.
    pub level: ConfidenceLevel,
}

/// The result of a stopping rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrecisionResult {
    /// Whether the intervals are narrow enough.
    pub reached: bool,
    /// The half-width of the widest interval; `None` if one of the numbers has no interval.
    pub half_width: Option<f64>,
}

/// An observer of finished games.
pub type GameObserver<'h> = &'h mut dyn FnMut(&GameRecord) -> io::Result<()>;

/// Callbacks during a Monte Carlo experiment: for progress, games and turns.
pub struct ExperimentObservers<'h> {
    /// A callback that receives the number of games finished since its last call. Each set of policies counts separately.
    pub progress: &'h (dyn Fn(u64) + Sync),
    /// A callback that receives every game, in order.
    pub games: Option<GameObserver<'h>>,
    /// An observer of every turn of the first set of policies, game by game.
    pub turns: Option<&'h mut (dyn EpisodeObserver + Send)>,
}

impl Default for ExperimentObservers<'_> {
    /// Returns callbacks that do nothing.
    fn default() -> Self {
        Self { progress: &|_| (), games: None, turns: None }
    }
}

/// An error that ends an experiment.
#[derive(Debug)]
pub enum ExperimentError {
    /// The threads cannot be started.
    Threads(String),
    /// An observer failed to write its output.
    Output(io::Error),
    /// A variant of the game cannot be played.
    Refused(Box<PatchError>),
}

impl std::fmt::Display for ExperimentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Threads(reason) => write!(f, "cannot start the threads: {reason}"),
            Self::Output(error) => write!(f, "an observer failed: {error}"),
            Self::Refused(error) => {
                let reason = error.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
                write!(
                    f,
                    "cannot play a variant of the game: {}",
                    reason.map_or("it has errors", |reason| &reason.message)
                )
            }
        }
    }
}

impl std::error::Error for ExperimentError {}

/// A variant that cannot be played, with the index of the game for which it was drawn.
type VariantError = (u64, Box<PatchError>);

/// The observer of turns, which a single thread uses.
type TurnObserver<'h> = Option<Mutex<&'h mut (dyn EpisodeObserver + Send)>>;

impl<'r> Experiment<'r> {
    /// Returns an experiment of 1000 games of at most 1000 turns each with seed 1, without policies. It plays on the calling thread.
    pub fn new(game: &'r LoadedGame) -> Self {
        Self {
            game,
            policies: &[],
            variation: None,
            seed: 1,
            first_index: 0,
            max_games: 1000,
            max_turns: 1000,
            threads: 1,
            precision_target: None,
            tracked_resources: &[],
            discount: None,
            cancelled: None,
        }
    }

    /// Plays the games. The result is the same on any number of threads.
    ///
    /// # Errors
    /// If the threads cannot be started, a variant of the game cannot be played, or an observer fails.
    pub fn play(&self, observers: ExperimentObservers<'_>) -> Result<ExperimentResult, ExperimentError> {
        let ExperimentObservers { progress, mut games, turns } = observers;
        let jobs = if turns.is_some() { 1 } else { self.threads };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
        let pool = pool.map_err(|error| ExperimentError::Threads(error.to_string()))?;
        let round = Round { study: self, progress, keep: games.is_some(), turns: turns.map(Mutex::new) };
        let mut statistics = self.empty_statistics();
        loop {
            let done = statistics.totals.overviews[0].games();
            let Some(mut to) = self.next_evaluation(&statistics, done) else { break };
            if games.is_some() {
                to = to.min(done + MAX_BUFFERED_GAMES);
            }
            let (round_statistics, records) = round.play(&pool, self.first_index + done..self.first_index + to)?;
            statistics.merge(&round_statistics);
            if let Some(games) = &mut games {
                records.iter().try_for_each(&mut *games).map_err(ExperimentError::Output)?;
            }
            if self.is_cancelled() {
                break;
            }
        }
        let stopped = self.precision_target.map(|stop| {
            let half_width = stop.max_half_width(&statistics);
            PrecisionResult { reached: half_width.is_some_and(|half_width| half_width <= stop.half_width), half_width }
        });
        let cancelled =
            self.is_cancelled() && self.next_evaluation(&statistics, statistics.totals.overviews[0].games()).is_some();
        Ok(ExperimentResult { statistics, precision: stopped, cancelled })
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    fn empty_statistics(&self) -> SampleAccumulator {
        let variables = self.variation.map_or(0, |variation| variation.variables().len());
        SampleAccumulator::new(self.game.simulator.game(), self.policies.len(), variables, self.timeline())
    }

    fn timeline(&self) -> Timeline {
        Timeline::new(self.tracked_resources.iter().copied())
    }

    /// Returns the number of games up to the next evaluation of the stopping rule; `None` if no more games are needed.
    fn next_evaluation(&self, statistics: &SampleAccumulator, done: u64) -> Option<u64> {
        let max = self.max_games.min(u64::MAX - self.first_index);
        let Some(stop) = self.precision_target else { return (done < max).then_some(max) };
        let PrecisionTarget { half_width, level, .. } = *stop;
        let rule = StoppingRule {
            half_width,
            level,
            min_games: GAMES_PER_EVALUATION.min(max),
            max_games: max,
            evaluation_interval: GAMES_PER_EVALUATION,
        };
        match rule.decide_at(done, stop.max_half_width(statistics)) {
            StoppingDecision::Continue(games) => Some(games),
            StoppingDecision::Converged | StoppingDecision::Exhausted => None,
        }
    }
}

impl PrecisionTarget {
    /// Returns the half-width of the widest interval; `None` if one of the numbers has no interval.
    fn max_half_width(&self, all: &SampleAccumulator) -> Option<f64> {
        let half_width = |interval: Option<ConfidenceInterval>| interval.map(ConfidenceInterval::half_width);
        let of_number = |number: &EpisodeQuantity| -> Option<f64> {
            if all.totals.differences.is_empty() {
                let summary = number.summary(&all.totals.overviews[0].totals);
                let interval = summary.mean_interval(self.level);
                return half_width(interval.or_else(|| summary.proportion(self.level).map(|(_, interval)| interval)));
            }
            let own = all.totals.differences.iter().flatten().filter(|(other, _)| other == number);
            own.map(|(_, comparison)| half_width(comparison.interval(self.level)))
                .try_fold(0.0, |widest, half_width| Some(half_width?.max(widest)))
        };
        self.numbers.iter().map(of_number).try_fold(0.0, |widest: f64, half_width| Some(half_width?.max(widest)))
    }
}

/// The shared state of the threads that play a range of games.
struct Round<'r, 'h> {
    study: &'r Experiment<'r>,
    progress: &'r (dyn Fn(u64) + Sync),
    keep: bool,
    turns: TurnObserver<'h>,
}

impl Round<'_, '_> {
    fn play(
        &self,
        pool: &rayon::ThreadPool,
        indices: Range<u64>,
    ) -> Result<(SampleAccumulator, Vec<GameRecord>), ExperimentError> {
        let threads = pool.current_num_threads() as u64;
        // Observed games are played in order; the games of a chunk are played variant by variant.
        let count = indices.end - indices.start;
        let chunk = match self.turns {
            Some(_) => 1,
            None => count.div_ceil(threads * 8).clamp(1, MAX_CHUNK_GAMES),
        };
        let next = AtomicU64::new(0);
        let parts = pool.broadcast(|_| {
            let mut worker = Worker::new(self);
            loop {
                let from = next.fetch_add(chunk, Ordering::Relaxed);
                if from >= count || self.study.is_cancelled() {
                    break;
                }
                let to = count.min(from + chunk);
                if worker.play(indices.start + from..indices.start + to).is_err() {
                    // All chunks before this one are already assigned, so the first failure is found on any number of threads.
                    next.store(count, Ordering::Relaxed);
                    break;
                }
            }
            worker
        });
        let mut statistics = self.study.empty_statistics();
        let mut records = Vec::new();
        let mut error: Option<VariantError> = None;
        for part in parts {
            statistics.merge(&part.collected);
            records.extend(part.played);
            if part.error.as_ref().is_some_and(|(at, _)| error.as_ref().is_none_or(|(first, _)| at < first)) {
                error = part.error;
            }
        }
        if let Some((_, error)) = error {
            return Err(ExperimentError::Refused(error));
        }
        records.sort_unstable_by_key(|record: &GameRecord| record.index);
        Ok((statistics, records))
    }
}

/// The state of one thread.
struct Worker<'r, 'h> {
    round: &'r Round<'r, 'h>,
    policies: Vec<Policies>,
    collected: SampleAccumulator,
    played: Vec<GameRecord>,
    error: Option<VariantError>,
}

impl<'r, 'h> Worker<'r, 'h> {
    fn new(round: &'r Round<'r, 'h>) -> Self {
        Self {
            round,
            policies: round.study.policies.iter().map(TeamPolicies::policies).collect(),
            collected: round.study.empty_statistics(),
            played: Vec::new(),
            error: None,
        }
    }

    /// Plays games. Errors are kept in `wrong`.
    fn play(&mut self, indices: Range<u64>) -> Result<(), ()> {
        let experiment = self.round.study;
        let Some(variation) = experiment.variation else {
            let games: Vec<(u64, SampledValues)> = indices.map(|index| (index, SampledValues::default())).collect();
            self.play_on(&experiment.game.simulator, &games);
            return Ok(());
        };
        let sampled = |index| {
            variation.sample(experiment.seed, index).map(|sampled| (index, sampled)).map_err(|error| (index, error))
        };
        let mut games: Vec<(u64, SampledValues)> =
            indices.map(sampled).collect::<Result<_, _>>().map_err(|error| self.error = Some(error))?;
        games.sort_by(|left, right| (&left.1.key, left.0).cmp(&(&right.1.key, right.0)));
        for alike in games.chunk_by(|one, next| one.1.key == next.1.key) {
            let (index, sampled) = &alike[0];
            match variation.simulator(sampled) {
                Ok(simulator) => self.play_on(&simulator, alike),
                Err(error) => {
                    // Of the variants of a chunk that fail, the one of the first game is kept.
                    let first = self.error.as_ref().is_none_or(|(at, _)| index < at);
                    self.error = self.error.take().filter(|_| !first).or(Some((*index, error)));
                }
            }
        }
        if self.error.is_some() { Err(()) } else { Ok(()) }
    }

    /// Plays games of one variant.
    fn play_on(&mut self, simulator: &Simulator, games: &[(u64, SampledValues)]) {
        let experiment = self.round.study;
        let runner = || {
            EpisodeRunner::new(simulator, experiment.max_turns)
                .with_discount(experiment.discount)
                .with_cancel(experiment.cancelled)
        };
        let mut runners: Vec<EpisodeRunner<'_>> = self.policies.iter().map(|_| runner()).collect();
        let mut done = 0;
        for (index, sampled) in games {
            if experiment.is_cancelled() {
                break;
            }
            let mut episodes = Vec::with_capacity(runners.len());
            let mut timeline = experiment.timeline();
            for (place, (runner, policies)) in runners.iter_mut().zip(&mut self.policies).enumerate() {
                let turns = self.round.turns.as_ref().filter(|_| place == 0);
                episodes.push(if turns.is_some() || (place == 0 && !experiment.tracked_resources.is_empty()) {
                    let mut turns = turns.map(|turns| turns.lock().unwrap_or_else(PoisonError::into_inner));
                    let turns = turns.as_mut().map(|turns| &mut ***turns as &mut (dyn EpisodeObserver + Send));
                    let mut fan_out = TurnFanOut { timeline: &mut timeline, turns };
                    runner.play_observed(experiment.seed, *index, policies, &mut fan_out)
                } else {
                    runner.play(experiment.seed, *index, policies)
                });
            }
            // A game is left out if any set of policies was cancelled in it.
            if runners.iter().any(EpisodeRunner::is_cancelled) {
                break;
            }
            let frequencies = self.collected.frequencies.iter_mut();
            runners.iter_mut().zip(frequencies).for_each(|(runner, all)| runner.add_frequencies(all));
            self.collected.timeline.merge(&timeline);
            done += runners.len() as u64;
            let record = GameRecord { index: *index, sampled: sampled.clone(), episodes };
            self.collected.add(experiment.game.simulator.game(), &record);
            if self.round.keep {
                self.played.push(record);
            }
        }
        (self.round.progress)(done);
    }
}

/// An observer that forwards to the timeline and to another observer of turns.
struct TurnFanOut<'w> {
    timeline: &'w mut Timeline,
    turns: Option<&'w mut (dyn EpisodeObserver + Send)>,
}

impl EpisodeObserver for TurnFanOut<'_> {
    fn on_start(&mut self, simulator: &Simulator, state: &State, seed: u64, index: u64) {
        self.timeline.on_start(simulator, state, seed, index);
        if let Some(turns) = &mut self.turns {
            turns.on_start(simulator, state, seed, index);
        }
    }

    fn on_move(&mut self, before: &State, state: &State, team: TeamId, chosen: &Move) {
        if let Some(turns) = &mut self.turns {
            turns.on_move(before, state, team, chosen);
        }
    }

    fn on_turn(&mut self, simulator: &Simulator, state: &State, turn: &TurnResult) {
        self.timeline.on_turn(simulator, state, turn);
        if let Some(turns) = &mut self.turns {
            turns.on_turn(simulator, state, turn);
        }
    }

    fn on_end(&mut self, simulator: &Simulator, episode: &Episode) {
        self.timeline.on_end(simulator, episode);
        if let Some(turns) = &mut self.turns {
            turns.on_end(simulator, episode);
        }
    }
}
