//! Monte Carlo experiments: games by one or several sets of policies on the same seeds, optionally with varied values and a
//! stopping rule.
//!
//! An [`Experiment`] plays the games of a [`Simulator`] with sets of policies, each created by a [`PolicyFactory`], and accumulates
//! their statistics. Every set plays the same games: game `i` of a seed draws the same random numbers, so differences between
//! policies are estimated from pairs. The results are the same on any number of threads.
//!
//! | type | contents |
//! |---|---|
//! | [`ExperimentOptions`] | seed, limits, thread pool, stopping rule, cancellation |
//! | [`ExperimentObservers`] | callbacks for progress, finished games and turns |
//! | [`GameVariants`] | games with values that vary |
//! | [`SampleAccumulator`] | the statistics of the games |
//! | [`EpisodeQuantity`] | the numbers of a finished game |
//!
//! # Example
//! The expected reward of a team that plays at random, within 0.05 at 95 % confidence:
//!
//! ```
//! use goalspec_resource::custom::ResultRegistry;
//! use goalspec_rgg::Dialect;
//! use goalspec_simulator::Simulator;
//! use goalspec_simulator::experiment::{
//!     EpisodeQuantity, Experiment, ExperimentObservers, ExperimentOptions, PrecisionTarget, one_policy,
//! };
//! use goalspec_simulator::policy::RandomPolicy;
//! use goalspec_statistics::interval::ConfidenceLevel;
//! use goalspec_syntax::Sources;
//!
//! const COINS: &str = "
//! teams: [red]
//! board: {nodes: [table]}
//! resourceSpace: {table: {coins: int(0), tosses: int(0)}}
//! actionSpace: {red: {toss: }}
//! actions:
//!   toss:
//!     cost: {table.tosses: 1}
//!     requires: {}
//!     consequences: [{odds: 0.5, result: {Resources: {add: {table.coins: 1}}}}]
//! rewards: {red: {Field: table.coins}}
//! completed: {table.tosses: 3}
//! ";
//! let mut sources = Sources::new();
//! let file = sources.add("coins.yaml", COINS);
//! let game = goalspec_rgg::load(sources.file(file), Dialect::DOCUMENTED, &[]).game.ok_or("the game has errors")?;
//! let simulator = Simulator::new(game, ResultRegistry::default())?;
//!
//! let random = one_policy(&simulator, RandomPolicy::default());
//! let numbers = EpisodeQuantity::rewards(simulator.game());
//! let target = PrecisionTarget { numbers, half_width: 0.05, level: ConfidenceLevel::DEFAULT };
//! let options =
//!     ExperimentOptions { max_games: 10_000, precision_target: Some(target), ..ExperimentOptions::default() };
//! let result = Experiment::new(&simulator, random).with_options(options).play(ExperimentObservers::default())?;
//!
//! let reward = EpisodeQuantity::Reward(0).summary(&result.statistics.totals.summaries[0].totals);
//! assert!((reward.moments().mean().ok_or("no games")? - 1.5).abs() < 0.1);
//! assert!(result.statistics.games() < 10_000, "the stopping rule ends the experiment");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use goalspec_resource::board::SlotId;
use rayon::ThreadPool;

use self::worker::Round;
use crate::episode::{Policies, same_policy};
use crate::policy::Policy;
use crate::simulator::Simulator;
use crate::statistics::stopping::{StoppingDecision, StoppingRule};
use crate::statistics::timeline::Timeline;

mod accumulator;
mod observers;
mod precision;
mod quantity;
mod summary;
mod variants;
mod worker;

pub use self::accumulator::{GameRecord, MAX_GROUPS, PolicyResults, SampleAccumulator, SampleGroup};
pub use self::observers::{ExperimentObservers, GameObserver};
pub use self::precision::{PrecisionResult, PrecisionTarget};
pub use self::quantity::EpisodeQuantity;
pub use self::summary::PolicySummary;
pub use self::variants::{GameVariants, SampledValues};

/// The number of games between two evaluations of a stopping rule, which is also the minimum number of games.
pub const GAMES_PER_EVALUATION: u64 = 1000;

/// The maximum number of games in memory if each game is reported to an observer.
const MAX_BUFFERED_GAMES: u64 = 4096;

/// A source of the policies of all teams, from which each thread creates its own. Functions that return [`Policies`] are factories.
pub trait PolicyFactory: Send + Sync {
    /// Creates the policies of the teams, in the order of the teams.
    fn policies(&self) -> Policies;
}

impl<F: Fn() -> Policies + Send + Sync> PolicyFactory for F {
    fn policies(&self) -> Policies {
        self()
    }
}

/// Returns a factory that gives each team a copy of one policy.
pub fn one_policy<P>(simulator: &Simulator, policy: P) -> impl PolicyFactory + Clone + use<P>
where
    P: Policy + Clone + Send + Sync + 'static,
{
    let simulator = simulator.clone();
    move || same_policy(&simulator, &policy)
}

/// A Monte Carlo experiment. `E` is the error of a variant of the game that cannot be played.
///
/// An experiment owns or shares what it runs, so it can be moved to another thread.
pub struct Experiment<E = Infallible> {
    simulator: Simulator,
    /// The sets of policies, at least one: the first one, and those that are compared with it.
    policies: Vec<Arc<dyn PolicyFactory>>,
    /// The variants of the game, if values vary.
    variants: Option<Arc<dyn GameVariants<Error = E>>>,
    options: ExperimentOptions,
}

/// Options of a Monte Carlo experiment.
#[derive(Debug, Clone)]
pub struct ExperimentOptions {
    /// The seed of the random numbers.
    pub seed: u64,
    /// The index of the first game.
    pub first_index: u64,
    /// The maximum number of games.
    pub max_games: u64,
    /// The maximum number of turns per game.
    pub max_turns: u32,
    /// The thread pool; `None` for the calling thread. Games whose turns are observed are played on the calling thread.
    pub pool: Option<Arc<ThreadPool>>,
    /// The stopping rule.
    pub precision_target: Option<PrecisionTarget>,
    /// The resources that are tracked over time, in the games of the first set of policies.
    pub tracked_resources: Vec<SlotId>,
    /// The discount factor of the step rewards, if returns are computed: see [`returns`](crate::returns).
    pub discount: Option<f64>,
    /// The cancellation flag. The experiment ends soon after it is set, with the games that are finished by then.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Default for ExperimentOptions {
    /// Returns the options of an experiment of 1000 games of at most 1000 turns each with seed 1, on the calling thread.
    fn default() -> Self {
        Self {
            seed: 1,
            first_index: 0,
            max_games: 1000,
            max_turns: 1000,
            pool: None,
            precision_target: None,
            tracked_resources: Vec::new(),
            discount: None,
            cancelled: None,
        }
    }
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

/// An error that ends an experiment.
#[derive(Debug)]
pub enum ExperimentError<E = Infallible> {
    /// An observer failed to write its output.
    Output(io::Error),
    /// A variant of the game cannot be played.
    Variant(E),
}

impl<E: fmt::Display> fmt::Display for ExperimentError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(_) => f.write_str("an observer failed to write its output"),
            Self::Variant(error) => write!(f, "cannot play a variant of the game: {error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for ExperimentError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Output(error) => Some(error),
            Self::Variant(_) => None,
        }
    }
}

impl Experiment {
    /// Creates an experiment on a game without varied values, with the default options.
    pub fn new(simulator: &Simulator, policies: impl PolicyFactory + 'static) -> Self {
        let policies: Vec<Arc<dyn PolicyFactory>> = vec![Arc::new(policies)];
        Self { simulator: simulator.clone(), policies, variants: None, options: ExperimentOptions::default() }
    }
}

impl<E: Send> Experiment<E> {
    /// Returns the experiment with another set of policies, which plays the same games and is compared with the first set.
    #[must_use]
    pub fn compare(mut self, policies: impl PolicyFactory + 'static) -> Self {
        self.policies.push(Arc::new(policies));
        self
    }

    /// Returns the experiment with other options.
    #[must_use]
    pub fn with_options(self, options: ExperimentOptions) -> Self {
        Self { options, ..self }
    }

    /// Returns the options.
    pub fn options(&self) -> &ExperimentOptions {
        &self.options
    }

    /// Returns the experiment on variants of the game, or without varied values.
    #[must_use]
    pub fn with_variants<V: Send>(self, variants: Option<Arc<dyn GameVariants<Error = V>>>) -> Experiment<V> {
        Experiment { simulator: self.simulator, policies: self.policies, variants, options: self.options }
    }

    /// Plays the games. The result is the same on any number of threads.
    ///
    /// # Errors
    /// If a variant of the game cannot be played, or an observer fails.
    ///
    /// # Panics
    /// If a set of policies has no policy for a team.
    pub fn play(&self, observers: ExperimentObservers<'_>) -> Result<ExperimentResult, ExperimentError<E>> {
        let ExperimentObservers { progress, mut games, turns } = observers;
        let first_index = self.options.first_index;
        let round = Round { experiment: self, progress, keep: games.is_some(), turns: turns.map(Mutex::new) };
        let mut statistics = self.empty_statistics();
        loop {
            let done = statistics.games();
            let Some(mut to) = self.next_evaluation(&statistics, done) else { break };
            if games.is_some() {
                to = to.min(done + MAX_BUFFERED_GAMES);
            }
            let (round_statistics, records) = round.play(first_index + done..first_index + to)?;
            statistics.merge(&round_statistics);
            if let Some(games) = &mut games {
                records.iter().try_for_each(&mut *games).map_err(ExperimentError::Output)?;
            }
            if self.is_cancelled() {
                break;
            }
        }
        let precision = self.options.precision_target.as_ref().map(|stop| {
            let half_width = stop.max_half_width(&statistics);
            PrecisionResult { reached: half_width.is_some_and(|half_width| half_width <= stop.half_width), half_width }
        });
        let cancelled = self.is_cancelled() && self.next_evaluation(&statistics, statistics.games()).is_some();
        Ok(ExperimentResult { statistics, precision, cancelled })
    }

    fn is_cancelled(&self) -> bool {
        self.options.cancelled.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    fn empty_statistics(&self) -> SampleAccumulator {
        let variables = self.variants.as_ref().map_or(0, |variants| variants.variables());
        let is_discounted = self.options.discount.is_some();
        SampleAccumulator::new(self.simulator.game(), self.policies.len(), variables, is_discounted, self.timeline())
    }

    fn timeline(&self) -> Timeline {
        Timeline::new(self.options.tracked_resources.iter().copied())
    }

    /// Returns the number of games up to the next evaluation of the stopping rule; `None` if no more games are needed.
    fn next_evaluation(&self, statistics: &SampleAccumulator, done: u64) -> Option<u64> {
        let max = self.options.max_games.min(u64::MAX - self.options.first_index);
        let Some(stop) = &self.options.precision_target else { return (done < max).then_some(max) };
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
