//! Observers of experiments.

use std::io;

use goalspec_resource::game::TeamId;
use goalspec_resource::turn::{Move, TurnResult};

use super::accumulator::GameRecord;
use crate::episode::{Episode, EpisodeObserver};
use crate::simulator::Simulator;
use crate::state::State;
use crate::statistics::timeline::Timeline;

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

/// An observer that forwards to the timeline and to another observer of turns.
pub(super) struct TurnFanOut<'w> {
    pub(super) timeline: &'w mut Timeline,
    pub(super) turns: Option<&'w mut (dyn EpisodeObserver + Send)>,
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
