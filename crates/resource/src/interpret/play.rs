//! A game in progress.

use std::sync::Arc;

use super::environment::Environment;
use super::execution::Execution;
use super::lookup::Lookup;
use super::state::State;
use crate::custom::Registry;
use crate::game::{ActionId, Choice, ChoiceId, Game, NOTHING, TeamId};
use crate::random::Stream;
use crate::rules::{Nothing, UnsetParameters};
use crate::turn::{Failure, FailureKind, Move, Turn};
use crate::value::Value;

/// A game in progress. A turn consists of calls to [`completed`](Self::completed), [`act`](Self::act) and
/// [`advance`](Self::advance), in this order.
#[derive(Debug, Clone)]
pub struct Play<'g> {
    game: &'g Game,
    pub(super) state: State,
    /// The index into [`Game::turns`].
    turn: usize,
}

/// The meaning of a choice.
pub(super) enum Chosen {
    /// A pass.
    Pass,
    /// An action.
    Action(ActionId),
    /// A choice that the game names but does not define.
    Undefined,
}

impl<'g> Play<'g> {
    /// Creates a play in the initial state.
    pub fn new(game: &'g Game) -> Self {
        Self { game, state: State::new(game), turn: 0 }
    }

    /// Returns to the initial state.
    pub fn reset(&mut self) {
        *self = Self::new(self.game);
    }

    /// Returns the game.
    pub fn game(&self) -> &'g Game {
        self.game
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
    pub fn completed(&self, stream: &mut Stream) -> Result<bool, Failure> {
        let environment = Environment::truth(self.game, &self.state);
        let completed = self.game.completed.holds(&environment, stream, &self.game.rules);
        completed.map_err(|kind| Failure { action: None, consequence: None, kind })
    }

    /// Makes a move of the team to move. Effects before a failure are kept.
    ///
    /// # Errors
    /// If the team cannot make the move, or if its execution ends the game: see [`FailureKind`].
    pub fn act(&mut self, made: &Move, stream: &mut Stream, registry: &Registry) -> Result<Turn, Failure> {
        let pass = Turn { valid: true, ..Turn::default() };
        let Move::Choose(choice, values) = made else { return Ok(pass) };
        let refused = |kind| Failure { action: None, consequence: None, kind };
        let team = self.team();
        let undefined = || refused(FailureKind::UndefinedChoice { team, choice: *choice });
        let chosen = self.choice(team, *choice).ok_or_else(undefined)?;
        let unset = values.is_empty() && self.game.rules.unset_parameters == UnsetParameters::Unrestricted;
        if chosen.parameters.len() != values.len() && !unset {
            let (expected, found) = (chosen.parameters.len(), values.len());
            return Err(refused(FailureKind::Parameters { expected, found }));
        }
        let id = match self.chosen(chosen) {
            Chosen::Pass => return Ok(pass),
            Chosen::Undefined => return Err(undefined()),
            Chosen::Action(id) => id,
        };
        let names = chosen.parameters.iter().map(|parameter| parameter.name.clone());
        let parameters: Vec<(Arc<str>, Value)> = names.zip(values.iter().cloned()).collect();
        let (game, state) = (self.game, &mut self.state);
        let mut execution = Execution { game, state, stream, parameters: &parameters, turn: Turn::default() };
        let valid = execution.valid(&game.actions[id.index()]);
        execution.turn.valid = valid.map_err(|kind| Failure { action: Some(id), consequence: None, kind })?;
        if execution.turn.valid {
            execution.consequences(id, registry)?;
        }
        execution.turn.overflows.sort_unstable();
        Ok(execution.turn)
    }

    /// Returns a choice of a team.
    pub(super) fn choice(&self, team: TeamId, choice: ChoiceId) -> Option<&'g Choice> {
        self.game.teams.get(team.index())?.choices.get(choice.index())
    }

    /// Resolves the meaning of a choice under the rules.
    pub(super) fn chosen(&self, choice: &Choice) -> Chosen {
        let nothing = &*choice.name == NOTHING;
        match choice.action {
            _ if nothing && self.game.rules.nothing == Nothing::Free => Chosen::Pass,
            Some(action) => Chosen::Action(action),
            None if nothing => Chosen::Pass,
            None => Chosen::Undefined,
        }
    }

    /// Returns the metrics with their names as written.
    pub fn metrics(&self) -> Vec<(Arc<str>, Option<Value>)> {
        let environment = Environment::truth(self.game, &self.state);
        let metrics = self.game.metrics.iter();
        metrics.map(|metric| (metric.name.clone(), environment.value(&metric.field))).collect()
    }
}
