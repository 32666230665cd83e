//! The threads of an experiment.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;

use super::accumulator::{GameRecord, SampleAccumulator};
use super::observers::TurnFanOut;
use super::variants::SampledValues;
use super::{Experiment, ExperimentError};
use crate::episode::{EpisodeObserver, EpisodeRunner, Policies};
use crate::simulator::Simulator;

/// The maximum number of games that a thread takes at a time.
const MAX_CHUNK_GAMES: u64 = 256;

/// A variant that cannot be played, with the index of the game for which it was drawn.
type VariantError<E> = (u64, E);

/// The observer of turns, which a single thread uses.
type TurnObserver<'h> = Option<Mutex<&'h mut (dyn EpisodeObserver + Send)>>;

/// The shared state of the threads that play a range of games.
pub(super) struct Round<'r, 'h, E> {
    /// The experiment.
    pub(super) experiment: &'r Experiment<E>,
    /// The callback for progress.
    pub(super) progress: &'r (dyn Fn(u64) + Sync),
    /// Whether the games are returned.
    pub(super) keep: bool,
    /// The observer of turns.
    pub(super) turns: TurnObserver<'h>,
}

impl<E: Send> Round<'_, '_, E> {
    /// Plays games on the calling thread or on those of the pool.
    pub(super) fn play(&self, indices: Range<u64>) -> Result<(SampleAccumulator, Vec<GameRecord>), ExperimentError<E>> {
        // Observed games are played on a single thread.
        let pool = self.experiment.options.pool.as_deref().filter(|_| self.turns.is_none());
        let threads = pool.map_or(1, ThreadPool::current_num_threads) as u64;
        // Observed games are played in order; the games of a chunk are played variant by variant.
        let count = indices.end - indices.start;
        let chunk = match self.turns {
            Some(_) => 1,
            None => count.div_ceil(threads * 8).clamp(1, MAX_CHUNK_GAMES),
        };
        let next = AtomicU64::new(0);
        let work = || {
            let mut worker = Worker::new(self);
            loop {
                let from = next.fetch_add(chunk, Ordering::Relaxed);
                if from >= count || self.experiment.is_cancelled() {
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
        };
        let parts = match pool {
            None => vec![work()],
            Some(pool) => pool.broadcast(|_| work()),
        };
        let mut statistics = self.experiment.empty_statistics();
        let mut records = Vec::new();
        let mut error: Option<VariantError<E>> = None;
        for part in parts {
            statistics.merge(&part.statistics);
            records.extend(part.records);
            if part.error.as_ref().is_some_and(|(at, _)| error.as_ref().is_none_or(|(first, _)| at < first)) {
                error = part.error;
            }
        }
        if let Some((_, error)) = error {
            return Err(ExperimentError::Variant(error));
        }
        records.sort_unstable_by_key(|record: &GameRecord| record.index);
        Ok((statistics, records))
    }
}

/// The state of one thread.
struct Worker<'r, 'h, E> {
    round: &'r Round<'r, 'h, E>,
    policies: Vec<Policies>,
    statistics: SampleAccumulator,
    records: Vec<GameRecord>,
    error: Option<VariantError<E>>,
}

impl<'r, 'h, E: Send> Worker<'r, 'h, E> {
    fn new(round: &'r Round<'r, 'h, E>) -> Self {
        Self {
            round,
            policies: round.experiment.policies.iter().map(|policies| policies.policies()).collect(),
            statistics: round.experiment.empty_statistics(),
            records: Vec::new(),
            error: None,
        }
    }

    /// Plays games; an error is kept in `error`.
    fn play(&mut self, indices: Range<u64>) -> Result<(), ()> {
        let experiment = self.round.experiment;
        let Some(variants) = &experiment.variants else {
            let games: Vec<(u64, SampledValues)> = indices.map(|index| (index, SampledValues::default())).collect();
            self.play_on(&experiment.simulator, &games);
            return Ok(());
        };
        let sampled = |index| {
            variants
                .sample(experiment.options.seed, index)
                .map(|sampled| (index, sampled))
                .map_err(|error| (index, error))
        };
        let mut games: Vec<(u64, SampledValues)> =
            indices.map(sampled).collect::<Result<_, _>>().map_err(|error| self.error = Some(error))?;
        games.sort_by(|left, right| (&left.1.key, left.0).cmp(&(&right.1.key, right.0)));
        for alike in games.chunk_by(|one, next| one.1.key == next.1.key) {
            let (index, sampled) = &alike[0];
            match variants.simulator(sampled) {
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
        let experiment = self.round.experiment;
        let runner = || {
            EpisodeRunner::new(simulator, experiment.options.max_turns)
                .with_discount(experiment.options.discount)
                .with_cancel(experiment.options.cancelled.clone())
        };
        let mut runners: Vec<EpisodeRunner> = self.policies.iter().map(|_| runner()).collect();
        let mut done = 0;
        for (index, sampled) in games {
            if experiment.is_cancelled() {
                break;
            }
            let mut episodes = Vec::with_capacity(runners.len());
            let mut timeline = experiment.timeline();
            for (place, (runner, policies)) in runners.iter_mut().zip(&mut self.policies).enumerate() {
                let turns = self.round.turns.as_ref().filter(|_| place == 0);
                episodes.push(if turns.is_some() || (place == 0 && !experiment.options.tracked_resources.is_empty()) {
                    let mut turns = turns.map(|turns| turns.lock().unwrap_or_else(PoisonError::into_inner));
                    let turns = turns.as_mut().map(|turns| &mut ***turns as &mut (dyn EpisodeObserver + Send));
                    let mut fan_out = TurnFanOut { timeline: &mut timeline, turns };
                    runner.play_observed(experiment.options.seed, *index, policies, &mut fan_out)
                } else {
                    runner.play(experiment.options.seed, *index, policies)
                });
            }
            // A game is left out if any set of policies was cancelled in it.
            if runners.iter().any(EpisodeRunner::is_cancelled) {
                break;
            }
            let frequencies = self.statistics.frequencies.iter_mut();
            runners.iter_mut().zip(frequencies).for_each(|(runner, all)| runner.add_frequencies(all));
            self.statistics.timeline.merge(&timeline);
            done += runners.len() as u64;
            let record = GameRecord { index: *index, sampled: sampled.clone(), episodes };
            self.statistics.add(experiment.simulator.game(), &record);
            if self.round.keep {
                self.records.push(record);
            }
        }
        (self.round.progress)(done);
    }
}
