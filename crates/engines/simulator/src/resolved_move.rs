//! Resolution of moves to actions.

use goalspec_resource::board::NodeId;
use goalspec_resource::game::{ActionId, Choice, TeamId};
use goalspec_resource::rules::UnsetParameterRule;
use goalspec_resource::turn::{GameErrorKind, Move};
use goalspec_resource::value::Value;

use crate::cell::Cell;
use crate::eval::EvalContext;
use crate::program::CompiledResourceGame;
use crate::program::choices::{ChoiceMeaning, Role};

/// A choice with its parameter values.
#[derive(Clone, Copy)]
pub(crate) struct ChosenAction<'a> {
    pub(crate) choice: &'a Choice,
    pub(crate) roles: &'a [Role],
    pub(crate) values: &'a [Value],
}

impl<'a> ChosenAction<'a> {
    /// Returns the context of a test or a computation of the action, with the readable ends of the selected vector.
    #[inline]
    pub(crate) fn frame(self, ends: [Option<NodeId>; 2], computed: &'a [Cell]) -> EvalContext<'a> {
        EvalContext { ends, computed, choice: Some((self.choice, self.values)), own: None, view: None }
    }
}

/// A resolved move: a pass, or an action with its choice.
pub(crate) enum ResolvedMove<'a> {
    Pass,
    Action(ActionId, ChosenAction<'a>),
}

/// Resolves a move.
#[inline]
pub(crate) fn resolve_move<'a>(
    c: &'a CompiledResourceGame,
    team: TeamId,
    chosen: &'a Move,
) -> Result<ResolvedMove<'a>, GameErrorKind> {
    let Move::Choose(id, values) = chosen else { return Ok(ResolvedMove::Pass) };
    let undefined = || GameErrorKind::UndefinedChoice { team, choice: *id };
    let compiled = c.choices.get(team, *id).ok_or_else(undefined)?;
    let unset = values.is_empty() && c.game.rules.unset_parameters == UnsetParameterRule::Allow;
    if compiled.roles().len() != values.len() && !unset {
        return Err(GameErrorKind::ParameterCount { expected: compiled.roles().len(), found: values.len() });
    }
    match compiled.meaning() {
        ChoiceMeaning::Pass => Ok(ResolvedMove::Pass),
        ChoiceMeaning::Action(action) => {
            let choice = &c.game.teams[team.index()].choices[id.index()];
            Ok(ResolvedMove::Action(action, ChosenAction { choice, roles: compiled.roles(), values }))
        }
        ChoiceMeaning::Undefined => Err(undefined()),
    }
}
