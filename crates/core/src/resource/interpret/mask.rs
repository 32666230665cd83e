//! Which choices make sense.

use super::environment::Environment;
use super::execution::Execution;
use super::play::{Chosen, Play};
use super::state::State;
use super::vectors::{matching, restricted, restricts};
use crate::resource::board::{Vector, VectorId};
use crate::resource::game::{Choice, Game, Outcome, Parameter, Pick, TeamId, VectorFilter};
use crate::resource::random::Stream;
use crate::resource::space::Space;
use crate::resource::turn::Turn;

impl Play<'_> {
    /// For each choice of a team, whether it makes sense now: what the action requires holds after its cost and, if a parameter of
    /// it restricts vectors, some value of the parameters leaves one. Free passes always make sense.
    ///
    /// A parameter restricts vectors if it is named `source` or `target` and the action has consequences that pick a vector; it is
    /// enough if one of these has a vector left, in the state after the cost. Tests that read parameters find them missing. What
    /// would end the game with an error makes no sense. Nothing changes, and random numbers come from a copy of the stream.
    pub fn allowed(&self, team: TeamId, stream: &Stream) -> Vec<bool> {
        let choices = self.game().teams.get(team.index()).map(|team| team.choices.as_slice()).unwrap_or_default();
        choices.iter().map(|choice| self.makes_sense(choice, &mut stream.clone())).collect()
    }

    fn makes_sense(&self, choice: &Choice, stream: &mut Stream) -> bool {
        let id = match self.chosen(choice) {
            Chosen::Pass => return true,
            Chosen::Undefined => return false,
            Chosen::Action(id) => id,
        };
        let game = self.game();
        let action = &game.actions[id.index()];
        let mut state = self.state.clone();
        let mut execution = Execution { game, state: &mut state, stream, parameters: &[], turn: Turn::default() };
        if execution.valid(action) != Ok(true) {
            return false;
        }
        if !choice.parameters.iter().any(|parameter| restricts(&parameter.name)) {
            return true;
        }
        let mut filters = action.consequences.iter().filter_map(|consequence| picking(&consequence.outcome)).peekable();
        filters.peek().is_none() || filters.any(|filter| any_left(game, &state, filter, choice, stream))
    }
}

/// The tests of the vectors of which an outcome picks one.
fn picking(outcome: &Outcome) -> Option<&VectorFilter> {
    match outcome {
        Outcome::MakeNodeVisible { vectors, .. } | Outcome::WithVectors { pick: Pick::Random, vectors, .. } => {
            Some(vectors)
        }
        Outcome::WithVectors { pick: Pick::All, .. } | Outcome::Resources { .. } | Outcome::Custom { .. } => None,
    }
}

/// Whether some values of the parameters of a choice leave a vector that passes the tests.
fn any_left(game: &Game, state: &State, filter: &VectorFilter, choice: &Choice, stream: &mut Stream) -> bool {
    let matching = matching(Environment::truth(game, state), filter, stream).unwrap_or_default();
    let left = |vector: VectorId| {
        let vector = game.board.vector(vector);
        choice.parameters.iter().all(|parameter| leaves(game, parameter, vector))
    };
    matching.into_iter().any(left)
}

/// Whether some value of a parameter leaves a vector.
fn leaves(game: &Game, parameter: &Parameter, vector: &Vector) -> bool {
    let Some(node) = restricted(&parameter.name, vector) else { return true };
    match &parameter.space {
        Space::FreeText => true,
        Space::TextEnum(members) => members.contains(&game.board.node(node).name),
        _ => false,
    }
}
