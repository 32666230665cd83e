//! The engines under test.

use std::sync::Arc;

use goalspec_core::interpret::Interpreter;
use goalspec_core::monitor::{Monitor, Refusal};
use goalspec_core::program::Game;
use goalspec_core::world::World;
use goalspec_monitor::{Compiled, Options};

/// A function that prepares an engine for a game.
pub(crate) type Engine = for<'a> fn(&'a World, &'a Game) -> Result<Box<dyn Monitor + 'a>, Refusal>;

/// All engines by name. The first one is the reference.
pub(crate) const ENGINES: [(&str, Engine); 2] = [
    ("interpreter", |world, game| Ok(Box::new(Interpreter::new(world, game)?))),
    ("fast", |world, game| Ok(Box::new(Arc::new(Compiled::new(world, game)?).start(Options { explain: true })))),
];
