//! Whole games, from the initial state to the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use goalspec_resource::game::{Game, TeamId};
use goalspec_resource::turn::{GameError, Move, TurnResult};
use goalspec_resource::value::Value;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::frequencies::Frequencies;
use crate::policy::{Policy, PolicyError, TeamView};
use crate::returns::Returns;
use crate::simulator::Simulator;
use crate::state::State;

/// The default maximum number of turns of a game.
pub const MAX_TURNS: u32 = 10_000;

/// The number of turns between two checks for cancellation.
const CANCELLATION_INTERVAL: u32 = 256;

/// The policies of the teams, in the order of the teams.
pub type Policies = Vec<Box<dyn Policy + Send>>;

/// The end of a game.
#[derive(Debug, Clone, PartialEq)]
pub enum EpisodeEnd {
    /// The termination condition held.
    Completed,
    /// The game reached the maximum number of turns, or was cancelled.
    Truncated,
    /// An error occurred in the game.
    Failed(GameError),
    /// A policy failed to choose a move.
    PolicyFailed {
        /// The team.
        team: TeamId,
        /// The error of the policy.
        error: PolicyError,
    },
}

impl EpisodeEnd {
    /// Returns a description of the error in one sentence, with the names of the game; `None` if there was no error.
    pub fn error_message(&self, game: &Game) -> Option<String> {
        match self {
            Self::Completed | Self::Truncated => None,
            Self::Failed(error) => Some(error.describe(game)),
            Self::PolicyFailed { team, error } => {
                Some(format!("{} has no move: {error}", game.teams[team.index()].name))
            }
        }
    }
}

/// The result of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Episode {
    /// The index among the games of its seed.
    pub index: u64,
    /// The number of turns.
    pub turns: u32,
    /// The number of turns that were not [valid](goalspec_resource::turn#validity).
    pub invalid_turns: u32,
    /// The number of writes of values outside their declared spaces.
    pub out_of_bounds: u64,
    /// The number of integer overflows, each of which wrapped around at 32 bits.
    pub overflows: u64,
    /// The end of the game.
    pub end: EpisodeEnd,
    /// The final reward of each team, in the order of the teams; `None` if it is not a number or the game defines none.
    pub rewards: Vec<Option<f64>>,
    /// The final values of the metrics, in the order of the game.
    pub metrics: Vec<Option<Value>>,
    /// The discounted return of each team, in the order of the teams; empty unless a [discount](EpisodeRunner::with_discount) is set.
    pub returns: Vec<Option<f64>>,
}

/// An observer of games.
pub trait EpisodeObserver {
    /// Called when a game begins.
    fn on_start(&mut self, simulator: &Simulator, state: &State, seed: u64, index: u64);

    /// Called after a move is chosen and before it is played. `before` is the state before the draws of the policy.
    fn on_move(&mut self, before: &State, state: &State, team: TeamId, chosen: &Move);

    /// Called after each turn.
    fn on_turn(&mut self, simulator: &Simulator, state: &State, turn: &TurnResult);

    /// Called when a game ends.
    fn on_end(&mut self, simulator: &Simulator, episode: &Episode);
}

/// A runner of consecutive games that reuses its memory.
#[derive(Debug)]
pub struct EpisodeRunner {
    simulator: Simulator,
    max_turns: u32,
    state: State,
    chosen: Move,
    turn: TurnResult,
    frequencies: Frequencies,
    returns: Option<Returns>,
    cancel: Option<Arc<AtomicBool>>,
    is_cancelled: bool,
}

impl EpisodeRunner {
    /// Creates a runner of games of at most `max_turns` turns, which shares the compiled game.
    pub fn new(simulator: &Simulator, max_turns: u32) -> Self {
        Self {
            max_turns,
            state: simulator.initial_state(0, 0),
            chosen: Move::Pass,
            turn: TurnResult::default(),
            frequencies: Frequencies::new(simulator.game()),
            simulator: simulator.clone(),
            returns: None,
            cancel: None,
            is_cancelled: false,
        }
    }

    /// Returns the runner with a cancellation flag; a game in progress ends as [truncated](EpisodeEnd::Truncated) soon after the flag is
    /// set.
    #[must_use]
    pub fn with_cancel(self, cancel: Option<Arc<AtomicBool>>) -> Self {
        Self { cancel, ..self }
    }

    /// Whether the last game was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    /// Returns the runner with a discount factor for [returns](Returns); `None` disables them.
    #[must_use]
    pub fn with_discount(self, discount: Option<f64>) -> Self {
        Self { returns: discount.map(Returns::new), ..self }
    }

    /// Adds the counts of all turns since the last call to `to`.
    pub fn add_frequencies(&mut self, to: &mut Frequencies) {
        to.merge(&self.frequencies);
        self.frequencies.clear();
    }

    /// Returns the state at the end of the last game.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Plays a game.
    ///
    /// # Panics
    /// If a team has no policy.
    pub fn play(&mut self, seed: u64, index: u64, policies: &mut [Box<dyn Policy + Send>]) -> Episode {
        self.begin(seed, index, policies);
        let mut counts = EpisodeCounts::default();
        let end = loop {
            match self.turn(policies, &mut counts) {
                Ok(true) => {}
                Ok(false) => {
                    break if self.state.turns() < self.max_turns { EpisodeEnd::Completed } else { self.last() };
                }
                Err(end) => break end,
            }
        };
        let episode = counts.episode(&self.simulator, &mut self.state, index, end);
        self.with_returns(episode)
    }

    /// Plays a game and notifies an observer.
    ///
    /// # Panics
    /// If a team has no policy.
    pub fn play_observed(
        &mut self,
        seed: u64,
        index: u64,
        policies: &mut [Box<dyn Policy + Send>],
        observer: &mut dyn EpisodeObserver,
    ) -> Episode {
        self.begin(seed, index, policies);
        observer.on_start(&self.simulator, &self.state, seed, index);
        let mut counts = EpisodeCounts::default();
        let end = loop {
            let before = self.state.clone();
            match self.choose(policies) {
                Ok(Some(team)) => observer.on_move(&before, &self.state, team, &self.chosen),
                Ok(None) => {
                    break if self.state.turns() < self.max_turns { EpisodeEnd::Completed } else { self.last() };
                }
                Err(end) => break end,
            }
            if let Err(failure) = self.simulator.step(&mut self.state, &self.chosen, &mut self.turn) {
                break EpisodeEnd::Failed(failure);
            }
            self.count(&mut counts);
            let checked = self.check_reward();
            observer.on_turn(&self.simulator, &self.state, &self.turn);
            if let Err(end) = checked {
                break end;
            }
        };
        let episode = counts.episode(&self.simulator, &mut self.state, index, end);
        let episode = self.with_returns(episode);
        observer.on_end(&self.simulator, &episode);
        episode
    }

    fn begin(&mut self, seed: u64, index: u64, policies: &mut [Box<dyn Policy + Send>]) {
        self.is_cancelled = false;
        self.simulator.reset(&mut self.state, seed, index);
        for policy in policies.iter_mut() {
            policy.reset();
        }
        self.begin_returns();
    }

    /// Returns the end of a game that has reached the maximum number of turns.
    fn last(&mut self) -> EpisodeEnd {
        match self.simulator.is_over(&mut self.state) {
            Ok(true) => EpisodeEnd::Completed,
            Ok(false) => EpisodeEnd::Truncated,
            Err(failure) => EpisodeEnd::Failed(failure),
        }
    }

    /// Lets the policy of the team to move choose; returns `None` if no turn follows.
    #[inline]
    fn choose(&mut self, policies: &mut [Box<dyn Policy + Send>]) -> Result<Option<TeamId>, EpisodeEnd> {
        if self.state.turns() >= self.max_turns
            || self.simulator.is_over(&mut self.state).map_err(EpisodeEnd::Failed)?
        {
            return Ok(None);
        }
        if self.state.turns().is_multiple_of(CANCELLATION_INTERVAL)
            && self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
        {
            self.is_cancelled = true;
            return Err(EpisodeEnd::Truncated);
        }
        let mut view = TeamView::new(&self.simulator, &mut self.state);
        let team = view.team();
        let choice = policies[team.index()].choose(&mut view, &mut self.chosen);
        choice.map_err(|error| EpisodeEnd::PolicyFailed { team, error })?;
        Ok(Some(team))
    }

    /// Plays a turn; returns `false` if no turn follows.
    #[inline]
    fn turn(
        &mut self,
        policies: &mut [Box<dyn Policy + Send>],
        counts: &mut EpisodeCounts,
    ) -> Result<bool, EpisodeEnd> {
        if self.choose(policies)?.is_none() {
            return Ok(false);
        }
        self.simulator.step(&mut self.state, &self.chosen, &mut self.turn).map_err(EpisodeEnd::Failed)?;
        self.count(counts);
        self.check_reward()?;
        Ok(true)
    }

    /// Counts the turn just played.
    #[inline]
    fn count(&mut self, counts: &mut EpisodeCounts) {
        counts.add(&self.turn);
        let team = self.simulator.team_before(&self.state);
        self.frequencies.add(self.simulator.game(), team, &self.chosen, &self.turn);
        if let Some(returns) = &mut self.returns {
            returns.turn(&self.simulator, &mut self.state);
        }
    }

    fn begin_returns(&mut self) {
        if let Some(returns) = &mut self.returns {
            returns.begin(&self.simulator, &mut self.state);
        }
    }

    fn with_returns(&self, episode: Episode) -> Episode {
        let returns = self.returns.as_ref().map(Returns::of_teams).unwrap_or_default();
        Episode { returns, ..episode }
    }

    /// Checks the reward of the team that moved.
    #[inline]
    fn check_reward(&mut self) -> Result<(), EpisodeEnd> {
        let team = self.simulator.team_before(&self.state);
        self.simulator.check_reward(&mut self.state, team).map_err(EpisodeEnd::Failed)
    }
}

/// The counts of a game in progress.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EpisodeCounts {
    invalid: u32,
    outside: u64,
    overflows: u64,
}

impl EpisodeCounts {
    #[inline]
    pub(crate) fn add(&mut self, turn: &TurnResult) {
        self.invalid += u32::from(!turn.valid);
        self.outside += turn.out_of_bounds.len() as u64;
        self.overflows += turn.overflows.len() as u64;
    }

    pub(crate) fn episode(self, simulator: &Simulator, state: &mut State, index: u64, end: EpisodeEnd) -> Episode {
        let game = simulator.game();
        Episode {
            index,
            turns: state.turns(),
            invalid_turns: self.invalid,
            out_of_bounds: self.outside,
            overflows: self.overflows,
            end,
            rewards: (0..game.teams.len()).map(|team| simulator.reward(state, team.into()).ok()).collect(),
            metrics: game.metrics.iter().map(|metric| simulator.field(state, &metric.field)).collect(),
            returns: Vec::new(),
        }
    }
}

/// A range of games of one seed.
///
/// The games are played on the calling thread, or on those of a thread pool; the results are the same.
#[derive(Debug, Clone)]
pub struct Rollouts {
    /// The seed.
    pub seed: u64,
    /// The index of the first game.
    pub first: u64,
    /// The number of games.
    pub count: u64,
    /// The maximum number of turns of each game.
    pub max_turns: u32,
    /// The thread pool; `None` for the calling thread.
    pub pool: Option<Arc<ThreadPool>>,
}

impl Rollouts {
    /// Plays the games; `policies` creates the policies of the teams at least once per thread. The episodes are in the order of
    /// their indices and do not depend on the number of threads.
    ///
    /// # Panics
    /// If a team has no policy.
    pub fn play(&self, simulator: &Simulator, policies: impl Fn() -> Policies + Sync) -> Vec<Episode> {
        let start = || (EpisodeRunner::new(simulator, self.max_turns), policies());
        let indices = self.first..self.first.saturating_add(self.count);
        let Some(pool) = &self.pool else {
            let (mut runner, mut policies) = start();
            return indices.map(|index| runner.play(self.seed, index, &mut policies)).collect();
        };
        pool.install(|| {
            let games = indices.into_par_iter();
            games.map_init(start, |(runner, policies), index| runner.play(self.seed, index, policies)).collect()
        })
    }
}

impl Simulator {
    /// Plays a game of at most [`MAX_TURNS`] turns.
    ///
    /// # Panics
    /// If a team has no policy.
    pub fn play(&self, seed: u64, index: u64, policies: &mut [Box<dyn Policy + Send>]) -> Episode {
        EpisodeRunner::new(self, MAX_TURNS).play(seed, index, policies)
    }
}

/// Returns a copy of one policy for each team.
pub fn same_policy<P: Policy + Clone + Send + 'static>(simulator: &Simulator, policy: &P) -> Policies {
    simulator.game().teams.iter().map(|_| Box::new(policy.clone()) as Box<dyn Policy + Send>).collect()
}
