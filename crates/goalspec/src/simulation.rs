//! Simulation of resource graph games: Monte Carlo experiments with policies, exact analysis, and recordings.
//!
//! | module | contents |
//! |---|---|
//! | [`analysis`] | exact analysis of finite games |
//! | [`policies`] | policies as text: `red=random`, `always:scan source=a` |
//! | [`experiment`] | Monte Carlo experiments on loaded games |
//! | [`variation`] | values that vary from game to game |
//! | [`quantity`] | the numbers of a finished game as text |
//! | [`states`] | the states of a game as a trace, over which programs of other languages can be evaluated |
//! | [`replay`] | recorded games as such traces |
//! | [`summary`] | summary statistics of games as JSON |
//! | [`episode_json`] | the outcome of a game as JSON |
//! | [`report`] | the result of an experiment as JSON |
//! | [`rows`] | games as rows of a table |
//! | `charts` | charts of experiments, and pictures of boards (feature `draw`) |
//! | [`metadata`] | the metadata of every report: version, game, dialect, seed, policies |
//! | [`tracked_resources`] | the resources that are tracked over time, by name |

pub mod analysis;
#[cfg(feature = "draw")]
pub mod charts;
pub mod episode_json;
pub mod experiment;
pub mod metadata;
pub mod policies;
pub mod quantity;
pub mod replay;
pub mod report;
pub mod rows;
pub mod states;
pub mod summary;
pub mod tracked_resources;
pub mod variation;

use std::sync::Arc;

use goalspec_resource::custom::ResultRegistry;
use goalspec_rgg::Dialect;
use goalspec_simulator::Simulator;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Span};

use crate::codes;
use crate::program::{PlayableGame, Program};

/// A game of a library, compiled for simulation.
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
    /// Compiles a program; `None` if it is not a resource graph game, or has errors.
    ///
    /// # Errors
    /// If the game is larger than the simulator allows.
    pub fn new(program: &Program, custom: &ResultRegistry) -> Result<Option<Self>, Box<Diagnostic>> {
        let Some(resource) = program.as_resource() else { return Ok(None) };
        let Some(playable) = &resource.playable else { return Ok(None) };
        let simulator = Simulator::new(playable.game.clone(), custom.clone()).map_err(|error| {
            let span = resource.ast.as_ref().map(|ast| Span { end: ast.span.start, ..ast.span });
            let message = format!("cannot play `{}`: {error}", program.name);
            Box::new(Diagnostic { span, ..Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, message) })
        })?;
        let (name, dialect) = (program.name.clone(), resource.dialect);
        Ok(Some(Self { name, game: playable.clone(), dialect, simulator }))
    }
}
