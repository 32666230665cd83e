//! Many games side by side, a turn of each at a time.

use goalspec_core::resource::turn::{Move, Occurred, Turn};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::episode::{End, Episode, Policies, Tally};
use crate::policy::{Policy, View};
use crate::simulator::Simulator;
use crate::state::State;

/// Games side by side. A game that ends gives way to the next one of the seed.
#[derive(Debug)]
pub struct Batch<'s> {
    simulator: &'s Simulator,
    seed: u64,
    next: u64,
    step: u64,
    max_turns: u32,
    games: Vec<InFlight>,
}

/// A game in flight.
#[derive(Debug)]
pub struct InFlight {
    index: u64,
    state: State,
    turn: Turn,
    tally: Tally,
}

impl InFlight {
    /// Which of the games of the seed it is.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Its state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Its state, and what came of its last turn.
    pub fn last(&self) -> (&State, &Turn) {
        (&self.state, &self.turn)
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<State>()
            + self.state.bytes()
            + self.turn.occurred.capacity() * size_of::<Occurred>()
    }
}

impl<'s> Batch<'s> {
    /// The first games of a seed.
    pub fn new(simulator: &'s Simulator, seed: u64, count: usize, max_turns: u32) -> Self {
        Self::share(simulator, seed, count, max_turns, [0, 1])
    }

    /// One of the batches that share the games of a seed: `count` at a time of the game `first` and every `step`-th after it.
    fn share(simulator: &'s Simulator, seed: u64, count: usize, max_turns: u32, [first, step]: [u64; 2]) -> Self {
        let begin = |index| InFlight {
            index,
            state: simulator.start(seed, index),
            turn: Turn::default(),
            tally: Tally::default(),
        };
        let games = (0..count as u64).map(|place| begin(first + place * step)).collect();
        Self { simulator, seed, next: first + count as u64 * step, step, max_turns, games }
    }

    /// The games in flight.
    pub fn games(&self) -> &[InFlight] {
        &self.games
    }

    /// How many bytes the games in flight take.
    pub fn bytes(&self) -> usize {
        self.games.iter().map(InFlight::bytes).sum()
    }

    /// What the team of a game sees whose turn it is.
    pub fn view(&mut self, game: usize) -> View<'_> {
        View::new(self.simulator, &mut self.games[game].state)
    }

    /// Plays a turn in each game, the moves in the order of the games. Those that end are given to `ended`, and the next games of
    /// the seed take their places.
    ///
    /// # Panics
    /// If there are not as many moves as games.
    pub fn step(&mut self, moves: &[Move], mut ended: impl FnMut(Episode)) {
        assert_eq!(moves.len(), self.games.len(), "a move for each game");
        for (place, chosen) in moves.iter().enumerate() {
            let end = self.turn(place, chosen);
            self.replace(place, end, &mut ended);
        }
    }

    /// Plays a turn in each game as the policies of the teams say; otherwise as [`Batch::step`].
    ///
    /// # Panics
    /// If there is no policy for a team.
    pub fn advance(
        &mut self,
        policies: &mut [Box<dyn Policy + Send>],
        chosen: &mut Move,
        mut ended: impl FnMut(Episode),
    ) {
        for place in 0..self.games.len() {
            let mut view = View::new(self.simulator, &mut self.games[place].state);
            let team = view.team();
            let end = match policies[team.index()].choose(&mut view, chosen) {
                Ok(()) => self.turn(place, chosen),
                Err(error) => Some(End::NoMove { team, error }),
            };
            self.replace(place, end, &mut ended);
        }
    }

    /// Plays a turn; how the game ended, if it did.
    #[inline]
    fn turn(&mut self, place: usize, chosen: &Move) -> Option<End> {
        let InFlight { state, turn, tally, .. } = &mut self.games[place];
        if let Err(failure) = self.simulator.step(state, chosen, turn) {
            return Some(End::Failed(failure));
        }
        tally.add(turn);
        let team = self.simulator.team_before(state);
        if let Err(failure) = self.simulator.check_reward(state, team) {
            return Some(End::Failed(failure));
        }
        match self.simulator.is_over(state) {
            Err(failure) => Some(End::Failed(failure)),
            Ok(true) => Some(End::Over),
            Ok(false) => (state.turns() >= self.max_turns).then_some(End::Truncated),
        }
    }

    #[inline]
    fn replace(&mut self, place: usize, end: Option<End>, ended: &mut impl FnMut(Episode)) {
        let Some(end) = end else { return };
        let game = &mut self.games[place];
        ended(game.tally.episode(self.simulator, &mut game.state, game.index, end));
        game.index = self.next;
        game.tally = Tally::default();
        self.simulator.restart(&mut game.state, self.seed, self.next);
        self.next += self.step;
    }
}

/// Games side by side on several threads, a batch for each. Which games are played next depends on the number of threads; what
/// becomes of a game does not.
#[derive(Debug)]
pub struct Batches<'s> {
    pool: ThreadPool,
    batches: Vec<(Batch<'s>, Players)>,
}

/// What decides on the moves of a batch.
struct Players {
    policies: Policies,
    chosen: Move,
}

impl std::fmt::Debug for Players {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Players").field("chosen", &self.chosen).finish_non_exhaustive()
    }
}

impl<'s> Batches<'s> {
    /// The first games of a seed, `count` for each of `jobs` threads, 0 for as many threads as there are cores; `policies` makes
    /// the policies of the teams, once for every thread.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn new(
        simulator: &'s Simulator,
        seed: u64,
        count: usize,
        max_turns: u32,
        jobs: usize,
        policies: impl Fn() -> Policies,
    ) -> Result<Self, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new().num_threads(jobs).build()?;
        let jobs = pool.current_num_threads() as u64;
        let begin = |job| {
            let players = Players { policies: policies(), chosen: Move::Pass };
            (Batch::share(simulator, seed, count, max_turns, [job, jobs]), players)
        };
        Ok(Self { batches: (0..jobs).map(begin).collect(), pool })
    }

    /// The batches.
    pub fn batches(&self) -> impl Iterator<Item = &Batch<'s>> {
        self.batches.iter().map(|(batch, _)| batch)
    }

    /// Plays so many turns in each game; otherwise as [`Batch::advance`]. Episodes come in no order.
    ///
    /// # Panics
    /// If there is no policy for a team.
    pub fn advance(&mut self, turns: usize, ended: impl Fn(Episode) + Sync) {
        let Self { pool, batches } = self;
        pool.install(|| {
            batches.par_iter_mut().for_each(|(batch, Players { policies, chosen })| {
                for _ in 0..turns {
                    batch.advance(policies, chosen, &ended);
                }
            });
        });
    }
}
