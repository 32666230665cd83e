//! Policies that ignore the state.

use std::sync::Arc;

use goalspec_resource::game::NOTHING;
use goalspec_resource::rules;
use goalspec_resource::turn::Move;
use goalspec_resource::value::Value;

use super::{Policy, PolicyError, View, move_of};

/// Always plays `nothing`: the choice of that name, including its cost where the rules make it an action, and otherwise a pass.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nothing;

impl Policy for Nothing {
    fn choose(&mut self, view: &mut View<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        *chosen = nothing(view)?;
        Ok(())
    }
}

/// Returns the move `nothing` of a team.
fn nothing(view: &View<'_>) -> Result<Move, PolicyError> {
    match view.simulator().game().rules.nothing {
        rules::Nothing::Action => move_of(view.choices(), NOTHING, &[], &view.simulator().game().rules),
        rules::Nothing::Free => Ok(Move::Pass),
    }
}

/// A move specified by names.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The name of the choice; `nothing` is a pass for teams without such a choice.
    pub choice: Arc<str>,
    /// The values of the parameters, with their names.
    pub values: Vec<(Arc<str>, Value)>,
}

impl Named {
    /// Creates a move without parameters.
    pub fn new(choice: &str) -> Self {
        Self { choice: choice.into(), values: Vec::new() }
    }

    /// Resolves the move for the team to move.
    ///
    /// # Errors
    /// If the team has no such choice, or if a parameter value is missing.
    pub fn resolve(&self, view: &View<'_>) -> Result<Move, PolicyError> {
        move_of(view.choices(), &self.choice, &self.values, &view.simulator().game().rules)
    }
}

/// Always plays the same move.
#[derive(Debug, Clone)]
pub struct Always(pub Named);

impl Policy for Always {
    fn choose(&mut self, view: &mut View<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        *chosen = self.0.resolve(view)?;
        Ok(())
    }
}

/// Plays a list of moves in order, and then as [`Nothing`].
#[derive(Debug, Clone)]
pub struct Scripted {
    script: Vec<Named>,
    at: usize,
}

impl Scripted {
    /// Creates a policy that starts the script anew in every game.
    pub fn new(script: Vec<Named>) -> Self {
        Self { script, at: 0 }
    }
}

impl Policy for Scripted {
    fn reset(&mut self) {
        self.at = 0;
    }

    fn choose(&mut self, view: &mut View<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        *chosen = match self.script.get(self.at) {
            Some(named) => named.resolve(view)?,
            None => nothing(view)?,
        };
        self.at += 1;
        Ok(())
    }
}
