//! Random draws that a model cannot branch on.

use goalspec_resource::game::{Action, ConsequenceEffect, TeamId};

use super::error::DrawLocation;
use crate::draws::{filter_draws, values_draw, vectors_draw};
use crate::simulator::Simulator;

/// Returns the location of the draw in an action that is known to draw.
pub(crate) fn of_action(action: &Action) -> DrawLocation {
    if filter_draws(&action.requires) {
        return DrawLocation::Requires(action.name.clone());
    }
    // The remaining candidates are values, filters of vectors, and custom results.
    let draws = |effect: &ConsequenceEffect| vectors_draw(effect) || values_draw(effect);
    let drawing = action.consequences.iter().position(|consequence| draws(&consequence.outcome));
    DrawLocation::Consequence(action.name.clone(), drawing.unwrap_or_default())
}

/// Returns the location of a draw in the tests of the validity and suitability of a team's moves, if any. These tests are
/// evaluated without playing.
pub(crate) fn of_masks(simulator: &Simulator, team: TeamId) -> Option<DrawLocation> {
    let game = simulator.game();
    let actions = game.teams[team.index()].choices.iter().filter_map(|choice| choice.action);
    actions.map(|action| &game.actions[action.index()]).find_map(|action| {
        let draws = filter_draws(&action.requires)
            || action.consequences.iter().any(|consequence| vectors_draw(&consequence.outcome));
        draws.then(|| of_action(action))
    })
}
