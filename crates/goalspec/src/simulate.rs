//! Resource graph games being played: by policies, many at a time, with what happens recorded.
//!
//! | module | what lives there |
//! |---|---|
//! | [`analyse`] | finite games analysed exactly |
//! | [`players`] | policies as text: `red=random`, `always:scan source=a` |
//! | [`states`] | the states of a play as a trace, which programs of other languages can be asked of |
//! | [`recorded`] | recorded turns as such traces |
//! | [`summary`] | what is known of many games |
//! | [`record`] | what became of games, as JSON |

pub mod analyse;
pub mod players;
pub mod record;
pub mod recorded;
pub mod states;
pub mod summary;

use std::sync::Arc;

use goalspec_core::resource::custom::Registry;
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
        Ok(Some(Self { name: program.name.clone(), played: played.clone(), simulator }))
    }
}
