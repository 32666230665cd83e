//! A game that is being played.

use std::sync::Arc;

use super::environment::Environment;
use super::execution::Execution;
use super::lookup::Lookup;
use super::state::State;
use crate::resource::custom::Registry;
use crate::resource::game::{ActionId, Choice, ChoiceId, Game, NOTHING, TeamId};
use crate::resource::random::Stream;
use crate::resource::rules::{Nothing, UnsetParameters};
use crate::resource::turn::{Failure, FailureKind, Move, Turn};
use crate::resource::value::Value;

/// A game that is being played. A round of it is, as often as there are teams to move:
/// [`completed`](Self::completed), [`act`](Self::act), [`advance`](Self::advance).
#[derive(Debug, Clone)]
pub struct Play<'g> {
    game: &'g Game,
    pub(super) state: State,
    /// The place in [`Game::turns`].
    turn: usize,
}

/// What a choice of a team comes to.
pub(super) enum Chosen {
    /// The free pass.
    Pass,
    /// An action.
    Action(ActionId),
    /// Nothing that the game defines.
    Undefined,
}

impl<'g> Play<'g> {
    /// A game at its beginning.
    pub fn new(game: &'g Game) -> Self {
        Self { game, state: State::new(game), turn: 0 }
    }

    /// Begins again.
    pub fn reset(&mut self) {
        *self = Self::new(self.game);
    }

    /// The game.
    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// The state of the game.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whose turn it is.
    ///
    /// # Panics
    /// If the game has no turns, which a well-formed one has.
    pub fn team(&self) -> TeamId {
        self.game.turns[self.turn]
    }

    /// Makes it the next team's turn.
    pub fn advance(&mut self) {
        self.turn = (self.turn + 1) % self.game.turns.len().max(1);
    }

    /// Whether the game is over; asked once before every turn.
    ///
    /// # Errors
    /// If a computation that decides it gives no truth value.
    pub fn completed(&self, stream: &mut Stream) -> Result<bool, Failure> {
        let environment = Environment::truth(self.game, &self.state);
        let completed = self.game.completed.holds(&environment, stream, &self.game.rules);
        completed.map_err(|kind| Failure { action: None, consequence: None, kind })
    }

    /// Lets the team whose turn it is make a move. What was done before a failure stays done.
    ///
    /// # Errors
    /// If the team cannot make the move, or if something in it ends the game: see [`FailureKind`].
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

    /// A choice of a team.
    pub(super) fn choice(&self, team: TeamId, choice: ChoiceId) -> Option<&'g Choice> {
        self.game.teams.get(team.index())?.choices.get(choice.index())
    }

    /// What a choice comes to.
    pub(super) fn chosen(&self, choice: &Choice) -> Chosen {
        let nothing = &*choice.name == NOTHING;
        match choice.action {
            _ if nothing && self.game.rules.nothing == Nothing::Free => Chosen::Pass,
            Some(action) => Chosen::Action(action),
            None if nothing => Chosen::Pass,
            None => Chosen::Undefined,
        }
    }

    /// What is reported at the end, by the names as written.
    pub fn metrics(&self) -> Vec<(Arc<str>, Option<Value>)> {
        let environment = Environment::truth(self.game, &self.state);
        let metrics = self.game.metrics.iter();
        metrics.map(|metric| (metric.name.clone(), environment.value(&metric.field))).collect()
    }
}
