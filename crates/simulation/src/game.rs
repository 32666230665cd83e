//! A game with its world, compiled for simulation.

use std::sync::Arc;

use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::game::Game;
use goalspec_resource::world::GameWorld;
use goalspec_rgg::Dialect;
use goalspec_simulator::{GameCompileError, Simulator};

/// A playable resource graph game.
#[derive(Debug, Clone)]
pub struct PlayableGame {
    /// The game.
    pub game: Arc<Game>,
    /// The world whose states represent the states of the game.
    pub world: Arc<GameWorld>,
}

/// A game compiled for simulation, with the data that its reports name.
#[derive(Debug, Clone)]
pub struct LoadedGame {
    /// The name of the program.
    pub name: Arc<str>,
    /// The game and its world.
    pub game: PlayableGame,
    /// The dialect in which it was read.
    pub dialect: Dialect,
    /// The compiled game.
    pub simulator: Simulator,
}

impl LoadedGame {
    /// Compiles a game that was read in a dialect; `custom_results` contains the results that it names.
    ///
    /// # Errors
    /// If the game is larger than the simulator allows.
    pub fn new(
        name: Arc<str>,
        game: PlayableGame,
        dialect: Dialect,
        custom_results: &ResultRegistry,
    ) -> Result<Self, GameCompileError> {
        let simulator = Simulator::new(game.game.clone(), custom_results.clone())?;
        Ok(Self { name, game, dialect, simulator })
    }
}
