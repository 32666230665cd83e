//! Monte Carlo experiments: games by one or several sets of policies on the same seeds, optionally with varied values and a
//! stopping rule.

use std::io;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use goalspec_resource::board::SlotId;
use goalspec_resource::game::TeamId;
use goalspec_resource::turn::{Move, Turn};
use goalspec_rgg::patch::Refused;
use goalspec_simulator::episode::{Episode, Player, Policies, Watch};
use goalspec_simulator::statistics::interval::{Interval, Level};
use goalspec_simulator::statistics::stopping::{Stopping, Verdict};
use goalspec_simulator::statistics::timeline::Timeline;
use goalspec_simulator::{Simulator, State};

use super::Ready;
use super::collected::{Collected, Played};
use super::number::Number;
use super::players::Players;
use super::variation::{Drawn, Variation};

/// The number of games between two evaluations of a stopping rule, which is also the minimum number of games.
pub const BATCH: u64 = 1000;

/// The maximum number of games in memory if each game is reported to an observer.
const ROUND: u64 = 4096;

/// The maximum number of games that a thread takes at a time.
const CHUNK: u64 = 256;

/// A Monte Carlo experiment.
#[derive(Debug, Clone, Copy)]
pub struct Study<'r> {
    /// The game.
    pub ready: &'r Ready,
    /// The sets of policies: the first one, and those that are compared with it.
    pub players: &'r [Players],
    /// The varied values.
    pub variation: Option<&'r Variation>,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The index of the first game.
    pub first: u64,
    /// The maximum number of games.
    pub games: u64,
    /// The maximum number of turns per game.
    pub max_turns: u32,
    /// The number of threads; 0 for one per core. Games whose turns are observed are played on a single thread.
    pub jobs: usize,
    /// The stopping rule.
    pub stop: Option<&'r Stop>,
    /// The resources that are tracked over time, in the games of the first set of policies.
    pub follow: &'r [SlotId],
    /// The discount factor of the step rewards, if returns are computed: see [`goalspec_simulator::returns`].
    pub discount: Option<f64>,
    /// The cancellation flag. The experiment ends soon after it is set, with the games that are finished by then.
    pub cancel: Option<&'r AtomicBool>,
}

/// The result of an experiment.
#[derive(Debug, Clone)]
pub struct StudyResult {
    /// The statistics of the games.
    pub collected: Collected,
    /// The result of the stopping rule, if there is one.
    pub stopped: Option<Stopped>,
    /// Whether the experiment was cancelled before all its games were played.
    pub cancelled: bool,
}

/// A stopping rule: the experiment ends when the confidence intervals of all these numbers are narrow enough. If policies are
/// compared, the intervals are those of the differences.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// The numbers.
    pub of: Vec<Number>,
    /// The maximum half-width of the intervals.
    pub half_width: f64,
    /// The confidence level of the intervals.
    pub level: Level,
}

/// The result of a stopping rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stopped {
    /// Whether the intervals are narrow enough.
    pub reached: bool,
    /// The half-width of the widest interval; `None` if one of the numbers has no interval.
    pub half_width: Option<f64>,
}

/// An observer of finished games.
pub type Hearer<'h> = &'h mut dyn FnMut(&Played) -> io::Result<()>;

/// The observers of an experiment.
pub struct Hearers<'h> {
    /// A callback that receives the number of games finished since its last call. Each set of policies counts separately.
    pub progress: &'h (dyn Fn(u64) + Sync),
    /// A callback that receives every game, in order.
    pub games: Option<Hearer<'h>>,
    /// An observer of every turn of the first set of policies, game by game.
    pub turns: Option<&'h mut (dyn Watch + Send)>,
}

/// An error that ends an experiment.
#[derive(Debug)]
pub enum StudyError {
    /// The threads cannot be started.
    Threads(String),
    /// An observer failed to write its output.
    Output(io::Error),
    /// A variant of the game cannot be played.
    Refused(Box<Refused>),
}

/// A variant that cannot be played, with the index of the game for which it was drawn.
type Wrong = (u64, Box<Refused>);

/// The observer of turns, which a single thread uses.
type Turns<'h> = Option<Mutex<&'h mut (dyn Watch + Send)>>;

impl Study<'_> {
    /// Plays the games. The result is the same on any number of threads.
    ///
    /// # Errors
    /// If the threads cannot be started, a variant of the game cannot be played, or an observer fails.
    pub fn play(&self, hearers: Hearers<'_>) -> Result<StudyResult, StudyError> {
        let Hearers { progress, mut games, turns } = hearers;
        let jobs = if turns.is_some() { 1 } else { self.jobs };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
        let pool = pool.map_err(|error| StudyError::Threads(error.to_string()))?;
        let round = Round { study: self, progress, keep: games.is_some(), turns: turns.map(Mutex::new) };
        let mut all = self.nothing();
        loop {
            let done = all.all.overviews[0].games();
            let Some(mut to) = self.next(&all, done) else { break };
            if games.is_some() {
                to = to.min(done + ROUND);
            }
            let (collected, played) = round.play(&pool, self.first + done..self.first + to)?;
            all.merge(&collected);
            if let Some(games) = &mut games {
                played.iter().try_for_each(&mut *games).map_err(StudyError::Output)?;
            }
            if self.is_cancelled() {
                break;
            }
        }
        let stopped = self.stop.map(|stop| {
            let half_width = stop.widest(&all);
            Stopped { reached: half_width.is_some_and(|half| half <= stop.half_width), half_width }
        });
        let cancelled = self.is_cancelled() && self.next(&all, all.all.overviews[0].games()).is_some();
        Ok(StudyResult { collected: all, stopped, cancelled })
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    fn nothing(&self) -> Collected {
        let variables = self.variation.map_or(0, |variation| variation.variables().len());
        Collected::new(self.ready.simulator.game(), self.players.len(), variables, self.timeline())
    }

    fn timeline(&self) -> Timeline {
        Timeline::new(self.follow.iter().copied())
    }

    /// Returns the number of games up to the next evaluation of the stopping rule; `None` if no more games are needed.
    fn next(&self, all: &Collected, done: u64) -> Option<u64> {
        let most = self.games.min(u64::MAX - self.first);
        let Some(stop) = self.stop else { return (done < most).then_some(most) };
        let Stop { half_width, level, .. } = *stop;
        let rule = Stopping { half_width, level, least: BATCH.min(most), most, batch: BATCH };
        match rule.verdict_at(done, stop.widest(all)) {
            Verdict::PlayTo(games) => Some(games),
            Verdict::Narrow | Verdict::Exhausted => None,
        }
    }
}

impl Stop {
    /// Returns the half-width of the widest interval; `None` if one of the numbers has no interval.
    fn widest(&self, all: &Collected) -> Option<f64> {
        let half = |interval: Option<Interval>| interval.map(Interval::half_width);
        let of_number = |number: &Number| -> Option<f64> {
            if all.all.differences.is_empty() {
                let summary = number.summary(&all.all.overviews[0].totals);
                let interval = summary.mean_interval(self.level);
                return half(interval.or_else(|| summary.proportion(self.level).map(|(_, interval)| interval)));
            }
            let own = all.all.differences.iter().flatten().filter(|(other, _)| other == number);
            own.map(|(_, paired)| half(paired.interval(self.level)))
                .try_fold(0.0, |widest, half| Some(half?.max(widest)))
        };
        self.of.iter().map(of_number).try_fold(0.0, |widest: f64, half| Some(half?.max(widest)))
    }
}

/// The shared state of the threads that play a range of games.
struct Round<'r, 'h> {
    study: &'r Study<'r>,
    progress: &'r (dyn Fn(u64) + Sync),
    keep: bool,
    turns: Turns<'h>,
}

impl Round<'_, '_> {
    fn play(&self, pool: &rayon::ThreadPool, indices: Range<u64>) -> Result<(Collected, Vec<Played>), StudyError> {
        let threads = pool.current_num_threads() as u64;
        // Observed games are played in order; the games of a chunk are played variant by variant.
        let count = indices.end - indices.start;
        let chunk = match self.turns {
            Some(_) => 1,
            None => count.div_ceil(threads * 8).clamp(1, CHUNK),
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
        let mut all = self.study.nothing();
        let mut played = Vec::new();
        let mut wrong: Option<Wrong> = None;
        for part in parts {
            all.merge(&part.collected);
            played.extend(part.played);
            if part.wrong.as_ref().is_some_and(|(at, _)| wrong.as_ref().is_none_or(|(first, _)| at < first)) {
                wrong = part.wrong;
            }
        }
        if let Some((_, refused)) = wrong {
            return Err(StudyError::Refused(refused));
        }
        played.sort_unstable_by_key(|played: &Played| played.index);
        Ok((all, played))
    }
}

/// The state of one thread.
struct Worker<'r, 'h> {
    round: &'r Round<'r, 'h>,
    policies: Vec<Policies>,
    collected: Collected,
    played: Vec<Played>,
    wrong: Option<Wrong>,
}

impl<'r, 'h> Worker<'r, 'h> {
    fn new(round: &'r Round<'r, 'h>) -> Self {
        Self {
            round,
            policies: round.study.players.iter().map(Players::policies).collect(),
            collected: round.study.nothing(),
            played: Vec::new(),
            wrong: None,
        }
    }

    /// Plays games. Errors are kept in `wrong`.
    fn play(&mut self, indices: Range<u64>) -> Result<(), ()> {
        let study = self.round.study;
        let Some(variation) = study.variation else {
            let games: Vec<(u64, Drawn)> = indices.map(|index| (index, Drawn::default())).collect();
            self.play_on(&study.ready.simulator, &games);
            return Ok(());
        };
        let drawn =
            |index| variation.draw(study.seed, index).map(|drawn| (index, drawn)).map_err(|wrong| (index, wrong));
        let mut games: Vec<(u64, Drawn)> =
            indices.map(drawn).collect::<Result<_, _>>().map_err(|wrong| self.wrong = Some(wrong))?;
        games.sort_by(|one, other| (&one.1.key, one.0).cmp(&(&other.1.key, other.0)));
        for alike in games.chunk_by(|one, next| one.1.key == next.1.key) {
            let (index, drawn) = &alike[0];
            match variation.simulator(drawn) {
                Ok(simulator) => self.play_on(&simulator, alike),
                Err(refused) => {
                    // Of the variants of a chunk that fail, the one of the first game is kept.
                    let first = self.wrong.as_ref().is_none_or(|(at, _)| index < at);
                    self.wrong = self.wrong.take().filter(|_| !first).or(Some((*index, refused)));
                }
            }
        }
        if self.wrong.is_some() { Err(()) } else { Ok(()) }
    }

    /// Plays games of one variant.
    fn play_on(&mut self, simulator: &Simulator, games: &[(u64, Drawn)]) {
        let study = self.round.study;
        let runner = || Player::new(simulator, study.max_turns).with_discount(study.discount).with_cancel(study.cancel);
        let mut runners: Vec<Player<'_>> = self.policies.iter().map(|_| runner()).collect();
        let mut done = 0;
        for (index, drawn) in games {
            if study.is_cancelled() {
                break;
            }
            let mut episodes = Vec::with_capacity(runners.len());
            let mut timeline = study.timeline();
            for (place, (runner, policies)) in runners.iter_mut().zip(&mut self.policies).enumerate() {
                let turns = self.round.turns.as_ref().filter(|_| place == 0);
                episodes.push(if turns.is_some() || (place == 0 && !study.follow.is_empty()) {
                    let mut turns = turns.map(|turns| turns.lock().unwrap_or_else(PoisonError::into_inner));
                    let turns = turns.as_mut().map(|turns| &mut ***turns as &mut (dyn Watch + Send));
                    let mut watch = Both { timeline: &mut timeline, turns };
                    runner.play_watched(study.seed, *index, policies, &mut watch)
                } else {
                    runner.play(study.seed, *index, policies)
                });
            }
            // A game is left out if any set of policies was cancelled in it.
            if runners.iter().any(Player::is_cancelled) {
                break;
            }
            let frequencies = self.collected.frequencies.iter_mut();
            runners.iter_mut().zip(frequencies).for_each(|(runner, all)| runner.add_frequencies(all));
            self.collected.timeline.merge(&timeline);
            done += runners.len() as u64;
            let played = Played { index: *index, drawn: drawn.clone(), episodes };
            self.collected.add(study.ready.simulator.game(), &played);
            if self.round.keep {
                self.played.push(played);
            }
        }
        (self.round.progress)(done);
    }
}

/// An observer that forwards to the timeline and to another observer of turns.
struct Both<'w> {
    timeline: &'w mut Timeline,
    turns: Option<&'w mut (dyn Watch + Send)>,
}

impl Watch for Both<'_> {
    fn begins(&mut self, simulator: &Simulator, state: &State, seed: u64, index: u64) {
        self.timeline.begins(simulator, state, seed, index);
        if let Some(turns) = &mut self.turns {
            turns.begins(simulator, state, seed, index);
        }
    }

    fn chosen(&mut self, before: &State, state: &State, team: TeamId, chosen: &Move) {
        if let Some(turns) = &mut self.turns {
            turns.chosen(before, state, team, chosen);
        }
    }

    fn played(&mut self, simulator: &Simulator, state: &State, turn: &Turn) {
        self.timeline.played(simulator, state, turn);
        if let Some(turns) = &mut self.turns {
            turns.played(simulator, state, turn);
        }
    }

    fn ends(&mut self, simulator: &Simulator, episode: &Episode) {
        self.timeline.ends(simulator, episode);
        if let Some(turns) = &mut self.turns {
            turns.ends(simulator, episode);
        }
    }
}
