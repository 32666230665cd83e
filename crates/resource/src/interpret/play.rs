//! A game in progress.

use std::sync::Arc;

use super::context::EvaluationContext;
use super::execution::Execution;
use super::lookup::FieldLookup;
use super::state::State;
use crate::custom::ResultRegistry;
use crate::game::{ActionId, Choice, ChoiceId, Game, NOTHING_ACTION, TeamId};
use crate::random::RandomStream;
use crate::rules::{NothingAction, UnsetParameterRule};
use crate::turn::{GameError, GameErrorKind, Move, TurnResult};
use crate::value::Value;

/// A game in progress. A turn consists of calls to [`completed`](Self::completed), [`act`](Self::act) and
/// [`advance`](Self::advance), in this order.
#[derive(Debug, Clone)]
pub struct Play {
    game: Arc<Game>,
    pub(super) state: State,
    /// The index into [`Game::turns`].
    turn: usize,
}

/// The meaning of a choice.
pub(super) enum ResolvedChoice {
    /// A pass.
    Pass,
    /// An action.
    Action(ActionId),
    /// A choice that the game names but does not define.
    Undefined,
}

impl Play {
    /// Creates a play in the initial state.
    pub fn new(game: impl Into<Arc<Game>>) -> Self {
        let game = game.into();
        Self { state: State::new(&game), game, turn: 0 }
    }

    /// Returns to the initial state.
    pub fn reset(&mut self) {
        self.state = State::new(&self.game);
        self.turn = 0;
    }

    /// Returns the game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Returns the current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the team to move.
    ///
    /// # Panics
    /// If the game has no turns; well-formed games have at least one.
    pub fn team(&self) -> TeamId {
        self.game.turns[self.turn]
    }

    /// Passes the turn to the next team.
    pub fn advance(&mut self) {
        self.turn = (self.turn + 1) % self.game.turns.len().max(1);
    }

    /// Tests whether the game is over; called once before every turn.
    ///
    /// # Errors
    /// If a computation of the condition does not yield a Boolean.
    pub fn completed(&self, stream: &mut RandomStream) -> Result<bool, GameError> {
        let environment = EvaluationContext::true_state(&self.game, &self.state);
        let completed = self.game.completed.holds(&environment, stream, &self.game.rules);
        completed.map_err(|kind| GameError { action: None, consequence: None, kind })
    }

    /// Makes a move of the team to move. Effects before a failure are kept.
    ///
    /// # Errors
    /// If the team cannot make the move, or if its execution ends the game: see [`GameErrorKind`].
    pub fn act(
        &mut self,
        chosen_move: &Move,
        stream: &mut RandomStream,
        registry: &ResultRegistry,
    ) -> Result<TurnResult, GameError> {
        let pass = TurnResult { valid: true, ..TurnResult::default() };
        let Move::Choose(choice, values) = chosen_move else { return Ok(pass) };
        let error = |kind| GameError { action: None, consequence: None, kind };
        let team = self.team();
        let undefined = || error(GameErrorKind::UndefinedChoice { team, choice: *choice });
        let chosen = self.choice(team, *choice).ok_or_else(undefined)?;
        let unset = values.is_empty() && self.game.rules.unset_parameters == UnsetParameterRule::Allow;
        if chosen.parameters.len() != values.len() && !unset {
            let (expected, found) = (chosen.parameters.len(), values.len());
            return Err(error(GameErrorKind::ParameterCount { expected, found }));
        }
        let id = match self.resolve_choice(chosen) {
            ResolvedChoice::Pass => return Ok(pass),
            ResolvedChoice::Undefined => return Err(undefined()),
            ResolvedChoice::Action(id) => id,
        };
        let names = chosen.parameters.iter().map(|parameter| parameter.name.clone());
        let parameters: Vec<(Arc<str>, Value)> = names.zip(values.iter().cloned()).collect();
        let (game, state) = (&*self.game, &mut self.state);
        let mut execution = Execution { game, state, stream, parameters: &parameters, turn: TurnResult::default() };
        let valid = execution.valid(&game.actions[id.index()]);
        execution.turn.valid = valid.map_err(|kind| GameError { action: Some(id), consequence: None, kind })?;
        if execution.turn.valid {
            execution.consequences(id, registry)?;
        }
        execution.turn.overflows.sort_unstable();
        Ok(execution.turn)
    }

    /// Returns a choice of a team.
    pub(super) fn choice(&self, team: TeamId, choice: ChoiceId) -> Option<&Choice> {
        self.game.teams.get(team.index())?.choices.get(choice.index())
    }

    /// Resolves the meaning of a choice under the rules.
    pub(super) fn resolve_choice(&self, choice: &Choice) -> ResolvedChoice {
        let is_nothing = &*choice.name == NOTHING_ACTION;
        match choice.action {
            _ if is_nothing && self.game.rules.nothing == NothingAction::Pass => ResolvedChoice::Pass,
            Some(action) => ResolvedChoice::Action(action),
            None if is_nothing => ResolvedChoice::Pass,
            None => ResolvedChoice::Undefined,
        }
    }

    /// Returns the metrics with their names as written.
    pub fn metrics(&self) -> Vec<(Arc<str>, Option<Value>)> {
        let environment = EvaluationContext::true_state(&self.game, &self.state);
        let metrics = self.game.metrics.iter();
        metrics.map(|metric| (metric.name.clone(), environment.value(&metric.field))).collect()
    }
}
