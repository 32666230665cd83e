//! Many games in parallel, advanced turn by turn.

use std::sync::Arc;

use goalspec_resource::turn::{Move, Occurrence, TurnResult};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::episode::{Episode, EpisodeCounts, EpisodeEnd, Policies};
use crate::policy::{Policy, TeamView};
use crate::simulator::Simulator;
use crate::state::State;

/// A batch of running games. A game that ends is replaced by the next game of the seed.
#[derive(Debug)]
pub struct Batch {
    simulator: Simulator,
    seed: u64,
    next: u64,
    step: u64,
    max_turns: u32,
    games: Vec<RunningGame>,
}

/// A running game of a batch.
#[derive(Debug)]
pub struct RunningGame {
    index: u64,
    state: State,
    turn: TurnResult,
    counts: EpisodeCounts,
}

impl RunningGame {
    /// Returns its index among the games of the seed.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Returns its state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns its state and the effects of its last turn.
    pub fn last_turn(&self) -> (&State, &TurnResult) {
        (&self.state, &self.turn)
    }

    /// Returns its size in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<State>()
            + self.state.bytes()
            + self.turn.occurrences.capacity() * size_of::<Occurrence>()
    }
}

impl Batch {
    /// Creates a batch of the first `count` games of a seed.
    pub fn new(simulator: &Simulator, seed: u64, count: usize, max_turns: u32) -> Self {
        Self::strided(simulator, seed, count, max_turns, [0, 1])
    }

    /// Creates one of several batches that share the games of a seed: `count` concurrent games out of the game `first` and every
    /// `step`-th game after it.
    fn strided(simulator: &Simulator, seed: u64, count: usize, max_turns: u32, [first, step]: [u64; 2]) -> Self {
        let start = |index| RunningGame {
            index,
            state: simulator.initial_state(seed, index),
            turn: TurnResult::default(),
            counts: EpisodeCounts::default(),
        };
        let games = (0..count as u64).map(|place| start(first + place * step)).collect();
        Self { simulator: simulator.clone(), seed, next: first + count as u64 * step, step, max_turns, games }
    }

    /// Returns the running games.
    pub fn games(&self) -> &[RunningGame] {
        &self.games
    }

    /// Returns the total size of the running games in bytes.
    pub fn bytes(&self) -> usize {
        self.games.iter().map(RunningGame::bytes).sum()
    }

    /// Returns the view of the team to move in a game.
    pub fn view(&mut self, game: usize) -> TeamView<'_> {
        TeamView::new(&self.simulator, &mut self.games[game].state)
    }

    /// Plays a turn in each game, with one move per game. Passes the episodes that end to `on_end`, with their final states, and replaces
    /// them by the next games of the seed.
    ///
    /// # Panics
    /// If the number of moves differs from the number of games.
    pub fn step(&mut self, moves: &[Move], mut on_end: impl FnMut(Episode, &State)) {
        assert_eq!(moves.len(), self.games.len(), "a move for each game");
        for (place, chosen) in moves.iter().enumerate() {
            let end = self.turn(place, chosen);
            self.replace(place, end, &mut on_end);
        }
    }

    /// Plays a turn in each game with moves chosen by the policies of the teams; otherwise as [`Batch::step`].
    ///
    /// # Panics
    /// If a team has no policy.
    pub fn advance(
        &mut self,
        policies: &mut [Box<dyn Policy + Send>],
        chosen: &mut Move,
        mut on_end: impl FnMut(Episode, &State),
    ) {
        for place in 0..self.games.len() {
            let mut view = TeamView::new(&self.simulator, &mut self.games[place].state);
            let team = view.team();
            let end = match policies[team.index()].choose(&mut view, chosen) {
                Ok(()) => self.turn(place, chosen),
                Err(error) => Some(EpisodeEnd::PolicyFailed { team, error }),
            };
            self.replace(place, end, &mut on_end);
        }
    }

    /// Plays a turn; returns the end of the game if it ended.
    #[inline]
    fn turn(&mut self, place: usize, chosen: &Move) -> Option<EpisodeEnd> {
        let RunningGame { state, turn, counts, .. } = &mut self.games[place];
        if let Err(failure) = self.simulator.step(state, chosen, turn) {
            return Some(EpisodeEnd::Failed(failure));
        }
        counts.add(turn);
        let team = self.simulator.team_before(state);
        if let Err(failure) = self.simulator.check_reward(state, team) {
            return Some(EpisodeEnd::Failed(failure));
        }
        match self.simulator.is_over(state) {
            Err(failure) => Some(EpisodeEnd::Failed(failure)),
            Ok(true) => Some(EpisodeEnd::Completed),
            Ok(false) => (state.turns() >= self.max_turns).then_some(EpisodeEnd::Truncated),
        }
    }

    #[inline]
    fn replace(&mut self, place: usize, end: Option<EpisodeEnd>, on_end: &mut impl FnMut(Episode, &State)) {
        let Some(end) = end else { return };
        let game = &mut self.games[place];
        let episode = game.counts.episode(&self.simulator, &mut game.state, game.index, end);
        on_end(episode, &game.state);
        game.index = self.next;
        game.counts = EpisodeCounts::default();
        self.simulator.reset(&mut game.state, self.seed, self.next);
        self.next += self.step;
    }
}

/// Running games with the policies that play them, one batch for each thread of a thread pool, or a single batch on the calling
/// thread. The number of threads affects the order in which games are played, but not their results.
#[derive(Debug)]
pub struct ParallelBatch {
    pool: Option<Arc<ThreadPool>>,
    batches: Vec<(Batch, BatchPolicies)>,
}

/// The policies of a batch, with a reusable move.
struct BatchPolicies {
    policies: Policies,
    chosen: Move,
}

impl std::fmt::Debug for BatchPolicies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BatchPolicies").field("chosen", &self.chosen).finish_non_exhaustive()
    }
}

impl ParallelBatch {
    /// Creates a batch of `count` games for each thread of `pool`, or one batch if `pool` is `None`; `policies` creates the policies
    /// of the teams once per batch.
    pub fn new(
        simulator: &Simulator,
        seed: u64,
        count: usize,
        max_turns: u32,
        pool: Option<Arc<ThreadPool>>,
        policies: impl Fn() -> Policies,
    ) -> Self {
        let threads = pool.as_ref().map_or(1, |pool| pool.current_num_threads()) as u64;
        let start = |thread| {
            let policies = BatchPolicies { policies: policies(), chosen: Move::Pass };
            (Batch::strided(simulator, seed, count, max_turns, [thread, threads]), policies)
        };
        Self { batches: (0..threads).map(start).collect(), pool }
    }

    /// Returns an iterator over the batches.
    pub fn batches(&self) -> impl Iterator<Item = &Batch> {
        self.batches.iter().map(|(batch, _)| batch)
    }

    /// Plays `turns` turns in each game; otherwise as [`Batch::advance`]. The order of episodes is unspecified.
    ///
    /// # Panics
    /// If a team has no policy.
    pub fn advance(&mut self, turns: usize, on_end: impl Fn(Episode, &State) + Sync) {
        let advance = |(batch, BatchPolicies { policies, chosen }): &mut (Batch, BatchPolicies)| {
            for _ in 0..turns {
                batch.advance(policies, chosen, &on_end);
            }
        };
        match &self.pool {
            None => self.batches.iter_mut().for_each(advance),
            Some(pool) => pool.install(|| self.batches.par_iter_mut().for_each(advance)),
        }
    }
}
