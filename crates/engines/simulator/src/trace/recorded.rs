//! Recorded turns applied without playing them, for games with custom results that are not available.

use goalspec_resource::board::{Board, NodeId, ResourceId};
use goalspec_resource::custom::StateAccess as _;
use goalspec_resource::game::{ConsequenceEffect, Game};
use goalspec_resource::turn::{Overflow, TurnResult};
use serde_json::Value as Json;

use super::replay::{ReplayEvent, recorded_move};
use crate::custom::SimulatorStateAccess;
use crate::json;
use crate::policy::TeamView;
use crate::program::CompiledResourceGame;
use crate::simulator::Simulator;
use crate::state::State;

/// Returns the names of the custom results of a game without duplicates, in order of appearance.
pub(super) fn results(game: &Game) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for consequence in game.actions.iter().flat_map(|action| &action.consequences) {
        if let ConsequenceEffect::Custom { name, .. } = &consequence.outcome
            && !names.contains(&&**name)
        {
            names.push(name);
        }
    }
    names
}

/// Applies the recorded changes of a turn to a state; returns the turn without its consequences.
pub(super) fn apply_turn(
    simulator: &Simulator,
    state: &mut State,
    line: &Json,
    on_event: &mut dyn FnMut(ReplayEvent<'_>),
) -> Result<TurnResult, String> {
    let view = TeamView::new(simulator, state);
    let (team, chosen) = (view.team(), recorded_move(&view, line)?);
    let expected = &*simulator.game().teams[team.index()].name;
    if line.get("team").and_then(Json::as_str) != Some(expected) {
        return Err(format!("expected a turn of `{expected}`"));
    }
    let valid = line.get("valid").and_then(Json::as_bool).ok_or("`valid` must be a boolean")?;
    let board = &simulator.game().board;
    let outside = names(line, "outside")?.map(|name| {
        let slot = resource(board, name).and_then(|(node, resource)| board.slot_of(node, resource));
        slot.ok_or_else(|| format!("unknown resource `{name}` in `outside`"))
    });
    let outside = outside.collect::<Result<_, _>>()?;
    let overflows = names(line, "overflows")?.map(|name| match resource(board, name) {
        Some((node, resource)) => Overflow::Resource(node, resource),
        None => Overflow::Computation,
    });
    let overflows = overflows.collect();
    let changes = line.get("changes").and_then(Json::as_object).ok_or("`changes` must be an object")?;
    let c = simulator.compiled();
    for (name, value) in changes {
        change(c, state, name, value).map_err(|message| format!("invalid change of `{name}`: {message}"))?;
    }
    state.compact_if_full(c);
    state.end_turn(c);
    let turn = TurnResult { valid, out_of_bounds: outside, overflows, ..TurnResult::default() };
    on_event(ReplayEvent::Turn { team, chosen: &chosen, turn: &turn, state });
    Ok(turn)
}

/// Returns the names in a list of a line.
fn names<'l>(line: &'l Json, key: &str) -> Result<impl Iterator<Item = &'l str> + use<'l>, String> {
    let list = line.get(key).and_then(Json::as_array).ok_or_else(|| format!("`{key}` must be a list"))?;
    Ok(list.iter().map(|name| name.as_str().unwrap_or_default()))
}

/// Resolves a name `node.resource`, in which either part may contain dots.
fn resource(board: &Board, name: &str) -> Option<(NodeId, ResourceId)> {
    let ends = name.match_indices('.').map(|(at, _)| (&name[..at], &name[at + 1..]));
    let mut found =
        ends.filter_map(|(node, resource)| Some((board.node_named(node)?, board.resource_named(resource)?)));
    found.next()
}

/// Writes a value to a resource `node.resource`, in which either part may contain dots.
fn change(c: &CompiledResourceGame, state: &mut State, name: &str, value: &Json) -> Result<(), String> {
    let ends = name.match_indices('.').map(|(at, _)| (&name[..at], &name[at + 1..]));
    let mut places = ends.filter(|(node, _)| c.game.board.node_named(node).is_some());
    let (node, resource) = places.next().ok_or("unknown node")?;
    let value = json::read(value).map_err(|error| error.to_string())?;
    SimulatorStateAccess::new(c, state).put(node, resource, value).map_err(|error| error.to_string())
}
