//! Random draws that a model cannot branch on.

use goalspec_resource::filter::Filter;
use goalspec_resource::game::{Action, ConsequenceEffect, TeamId};

use super::error::DrawLocation;
use crate::policy::greedy::compute_draws;
use crate::simulator::Simulator;

/// Returns the location of the draw in an action that is known to draw.
pub(crate) fn of_action(action: &Action) -> DrawLocation {
    if filter_draws(&action.requires) {
        return DrawLocation::Requires(action.name.clone());
    }
    // The remaining candidates are values, filters of vectors, and custom results.
    let drawing = action.consequences.iter().position(|consequence| outcome_draws(&consequence.outcome));
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

fn outcome_draws(outcome: &ConsequenceEffect) -> bool {
    vectors_draw(outcome)
        || match outcome {
            ConsequenceEffect::Resources { compute, add, replace: put } => {
                compute.iter().any(|computed| compute_draws(&computed.value))
                    || add.iter().chain(put).any(|(_, value)| compute_draws(value))
            }
            ConsequenceEffect::WithVectors { compute, add, .. } => {
                compute.iter().any(|computed| compute_draws(&computed.value))
                    || add.iter().any(|(_, value)| compute_draws(value))
            }
            ConsequenceEffect::MakeNodeVisible { .. } => false,
            ConsequenceEffect::Custom { .. } => true,
        }
}

fn vectors_draw(outcome: &ConsequenceEffect) -> bool {
    match outcome {
        ConsequenceEffect::WithVectors { vectors, .. } | ConsequenceEffect::MakeNodeVisible { vectors, .. } => {
            filter_draws(&vectors.source) || filter_draws(&vectors.target)
        }
        ConsequenceEffect::Resources { .. } | ConsequenceEffect::Custom { .. } => false,
    }
}

fn filter_draws(filter: &Filter) -> bool {
    let mut stack = vec![filter];
    while let Some(filter) = stack.pop() {
        match filter {
            Filter::Computed(compute) if compute_draws(compute) => return true,
            Filter::Always | Filter::Never | Filter::Field(..) | Filter::Computed(_) => {}
            Filter::Not(inner) => stack.push(inner),
            Filter::And(parts) | Filter::Or(parts) => stack.extend(parts),
        }
    }
    false
}
