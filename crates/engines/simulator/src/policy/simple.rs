//! Policies that ignore the state.

use std::sync::Arc;

use goalspec_resource::game::NOTHING_ACTION;
use goalspec_resource::rules;
use goalspec_resource::turn::Move;
use goalspec_resource::value::Value;

use super::{Policy, PolicyError, TeamView, move_by_name};

/// Always plays `nothing`: the choice of that name, including its cost where the rules make it an action, and otherwise a pass.
#[derive(Debug, Clone, Copy, Default)]
pub struct NothingPolicy;

impl Policy for NothingPolicy {
    fn choose(&mut self, view: &mut TeamView<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        *chosen = nothing(view)?;
        Ok(())
    }
}

/// Returns the move `nothing` of a team.
fn nothing(view: &TeamView<'_>) -> Result<Move, PolicyError> {
    match view.simulator().game().rules.nothing {
        rules::NothingAction::AsDefined => {
            move_by_name(view.choices(), NOTHING_ACTION, &[], &view.simulator().game().rules)
        }
        rules::NothingAction::Pass => Ok(Move::Pass),
    }
}

/// A move specified by names.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMove {
    /// The name of the choice; `nothing` is a pass for teams without such a choice.
    pub choice: Arc<str>,
    /// The values of the parameters, with their names.
    pub values: Vec<(Arc<str>, Value)>,
}

impl NamedMove {
    /// Creates a move without parameters.
    pub fn new(choice: &str) -> Self {
        Self { choice: choice.into(), values: Vec::new() }
    }

    /// Resolves the move for the team to move.
    ///
    /// # Errors
    /// If the team has no such choice, or if a parameter value is missing.
    pub fn resolve(&self, view: &TeamView<'_>) -> Result<Move, PolicyError> {
        move_by_name(view.choices(), &self.choice, &self.values, &view.simulator().game().rules)
    }
}

/// Always plays the same move.
#[derive(Debug, Clone)]
pub struct ConstantPolicy(pub NamedMove);

impl Policy for ConstantPolicy {
    fn choose(&mut self, view: &mut TeamView<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        *chosen = self.0.resolve(view)?;
        Ok(())
    }
}

/// Plays a list of moves in order, one in each turn of the team, and then as [`NothingPolicy`].
#[derive(Debug, Clone)]
pub struct ScriptedPolicy {
    script: Vec<NamedMove>,
}

impl ScriptedPolicy {
    /// Creates a policy that starts the script anew in every game.
    pub fn new(script: Vec<NamedMove>) -> Self {
        Self { script }
    }
}

impl Policy for ScriptedPolicy {
    fn choose(&mut self, view: &mut TeamView<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        // The position is a function of the state, so that one policy plays many games side by side.
        *chosen = match self.script.get(view.own_turns()) {
            Some(named) => named.resolve(view)?,
            None => nothing(view)?,
        };
        Ok(())
    }
}
