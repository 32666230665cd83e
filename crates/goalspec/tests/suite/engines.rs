//! The engines under test.

use goalspec_core::interpret::GameInterpreter;
use goalspec_core::monitor::{GameMonitor, MonitorError};
use goalspec_core::program::Game;
use goalspec_core::world::World;
use goalspec_monitor::{CompiledGame, RunOptions};

/// A function that prepares an engine for a game.
pub(crate) type Engine = for<'a> fn(&'a World, &'a Game) -> Result<Box<dyn GameMonitor + 'a>, MonitorError>;

/// All engines by name. The first one is the reference.
pub(crate) const ENGINES: [(&str, Engine); 2] = [
    ("interpreter", |world, game| Ok(Box::new(GameInterpreter::new(world.clone(), game.clone())?))),
    ("fast", |world, game| {
        Ok(Box::new(CompiledGame::new(world.clone(), game.clone())?.start(RunOptions { explain: true })))
    }),
];
