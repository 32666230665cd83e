//! Resource graph games being played: by policies, many at a time, with what happens recorded.
//!
//! | module | what lives there |
//! |---|---|
//! | [`analyse`] | finite games analysed exactly |
//! | [`players`] | policies as text: `red=random`, `always:scan source=a` |
//! | [`study`] | many games: with values that vary, by policies that are compared, until enough is known |
//! | [`variation`] | values that vary from game to game |
//! | [`number`] | the numbers of a game that has ended, by their names |
//! | [`collected`] | what is kept of many games |
//! | [`states`] | the states of a play as a trace, which programs of other languages can be asked of |
//! | [`recorded`] | recorded turns as such traces |
//! | [`summary`] | what is known of many games |
//! | [`record`] | what became of a game, as JSON |
//! | [`report`] | what came of a study, as JSON |
//! | [`rows`] | games as rows of a table |
//! | `pictures` | games as pictures (feature `draw`) |
//! | [`heading`] | what every report begins with: version, game, dialect, seed, policies |
//! | [`follow`] | resources that are followed over time, by their names |

pub mod analyse;
pub mod collected;
pub mod follow;
pub mod heading;
pub mod number;
#[cfg(feature = "draw")]
pub mod pictures;
pub mod players;
pub mod record;
pub mod recorded;
pub mod report;
pub mod rows;
pub mod states;
pub mod study;
pub mod summary;
pub mod variation;

use std::sync::Arc;

use goalspec_core::resource::custom::Registry;
use goalspec_rgg::Dialect;
use goalspec_simulator::Simulator;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Span};

use crate::codes;
use crate::program::{Played, Program};

/// A game of a library that is ready to be played.
#[derive(Debug, Clone)]
pub struct Ready {
    /// The name of the program.
    pub name: Arc<str>,
    /// The game and its world.
    pub played: Played,
    /// How it was read.
    pub dialect: Dialect,
    /// What plays it.
    pub simulator: Simulator,
}

impl Ready {
    /// Compiles a program; `None` if it is no resource graph game, or one with errors.
    ///
    /// # Errors
    /// If the game is larger than the simulator allows.
    pub fn new(program: &Program, custom: &Registry) -> Result<Option<Self>, Box<Diagnostic>> {
        let Some(resource) = program.as_resource() else { return Ok(None) };
        let Some(played) = &resource.played else { return Ok(None) };
        let simulator = Simulator::new(played.game.clone(), custom.clone()).map_err(|refusal| {
            let span = resource.ast.as_ref().map(|ast| Span { end: ast.span.start, ..ast.span });
            let message = format!("`{}` is not played: {refusal}", program.name);
            Box::new(Diagnostic { span, ..Diagnostic::new(codes::REFUSED, Severity::Error, message) })
        })?;
        let (name, dialect) = (program.name.clone(), resource.dialect);
        Ok(Some(Self { name, played: played.clone(), dialect, simulator }))
    }
}
