//! The ids of the lanes of a document, and their contents for tiles.

use goalspec::core::truth::StateRuns;
use goalspec::lanes::{BindingLane, GoalLanes, PreferenceLanes, ProgramLanes};
use goalspec::scoring::ProgramOutcome;
use serde_json::{Value, json};

use crate::automaton;
use crate::tiles::TileLane;

/// Lanes in the order of their ids.
#[derive(Debug, Default)]
pub(crate) struct TileLanes(Vec<TileLane>);

impl TileLanes {
    pub(crate) fn add(&mut self, lane: TileLane) -> usize {
        self.0.push(lane);
        self.0.len() - 1
    }

    pub(crate) fn add_truth(&mut self, states: &StateRuns) -> usize {
        self.add(TileLane::Truth(states.runs().to_vec()))
    }

    pub(crate) fn into_lanes(self) -> Vec<TileLane> {
        self.0
    }
}

/// Adds the lanes of an outcome, and their ids to its document: `id` for progress, `setup_id` and `goal_id`, and `true_ids` for conditions; and
/// the `automaton` of each preference with lanes.
pub(crate) fn with_lane_ids(outcome: &ProgramOutcome, value: &mut Value, lanes: &mut TileLanes) {
    match outcome.lanes.as_deref() {
        Some(ProgramLanes::Game(game)) => {
            let document = &mut value["lanes"];
            if let Some(setup) = &game.setup {
                document["setup_id"] = json!(lanes.add_truth(setup));
            }
            let preferences = document["preferences"].as_array_mut().into_iter().flatten();
            for (preference, value) in game.preferences.iter().zip(preferences) {
                add_preference(preference, value, outcome.report.states(), lanes);
            }
        }
        Some(ProgramLanes::Goal(goal)) => add_goal(goal, &mut value["conjuncts"], lanes),
        None => {}
    }
}

fn add_preference(preference: &PreferenceLanes, value: &mut Value, states: u64, lanes: &mut TileLanes) {
    if let Some(positions) = automaton::positions(&preference.preference) {
        value["automaton"] = positions;
    }
    let values = value["lanes"].as_array_mut().into_iter().flatten();
    for (bound, value) in preference.lanes.iter().zip(values) {
        value["id"] = json!(lanes.add(progress(bound, states)));
        if let Some(conditions) = &bound.conditions {
            let ids: Vec<usize> = conditions.iter().map(|condition| lanes.add_truth(condition)).collect();
            value["true_ids"] = json!(ids);
        }
    }
}

fn add_goal(goal: &GoalLanes, value: &mut Value, lanes: &mut TileLanes) {
    value["goal_id"] = json!(lanes.add_truth(&goal.goal));
    let values = value["conjuncts"].as_array_mut().into_iter().flatten();
    for (conjunct, value) in goal.conjuncts.iter().zip(values) {
        value["id"] = json!(lanes.add_truth(conjunct));
    }
}

fn progress(bound: &BindingLane, states: u64) -> TileLane {
    let lane = &bound.lane;
    TileLane::Progress {
        levels: lane.stretches(states),
        satisfied: lane.satisfied.iter().map(|&(_, end)| u64::from(end)).collect(),
        broken: lane.broken.iter().copied().map(u64::from).collect(),
    }
}
