//! The engines.

use goalspec_core::interpret::Interpreter;
use goalspec_core::monitor::{Monitor, Refusal};
use goalspec_core::program::Game;
use goalspec_core::world::World;

/// Prepares an engine to play a game.
pub(crate) type Engine = for<'a> fn(&'a World, &'a Game) -> Result<Box<dyn Monitor + 'a>, Refusal>;

/// Every engine with its name. The first one is the reference.
pub(crate) const ENGINES: [(&str, Engine); 1] =
    [("interpreter", |world, game| Ok(Box::new(Interpreter::new(world, game)?)))];
