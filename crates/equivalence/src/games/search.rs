//! A bounded search for a trace on which two games disagree: random changes of what their conditions depend on.

use std::sync::Arc;

use goalspec_core::condition::{Condition, Scope};
use goalspec_core::ids::{ObjectId, VarId};
use goalspec_core::monitor::MonitorError;
use goalspec_core::pattern::{Pattern, Phase};
use goalspec_core::playback::Playback;
use goalspec_core::program::{Game, Setup};
use goalspec_core::state::Delta;

use super::realize::Changes;
use super::replay::Replay;
use crate::limits::MAX_RANDOM_TRACES;

/// Maximum number of states of a random trace.
const MAX_RANDOM_STATES: usize = 8;

/// Maximum number of changes of one state of a random trace.
const MAX_RANDOM_CHANGES: usize = 4;

/// A condition of a game with its variables, and those that are bound outside of it.
struct ScopedCondition<'g> {
    scope: &'g Scope,
    bound: Vec<VarId>,
    condition: &'g Condition,
}

/// Searches for a trace on which the games disagree. Returns it without superfluous states.
///
/// # Errors
/// If the reference interpreter rejects a game.
pub(crate) fn search(replay: Replay<'_>, first: Option<&Delta>, seed: u64) -> Result<Option<Vec<Delta>>, MonitorError> {
    let conditions: Vec<ScopedCondition<'_>> = replay.games.into_iter().flat_map(|game| conditions(game)).collect();
    if conditions.is_empty() {
        return Ok(None);
    }
    let mut changes = Changes::new(replay.world, seed);
    for number in 0..MAX_RANDOM_TRACES {
        let states = 1 + number % MAX_RANDOM_STATES;
        let trace = random_trace(&mut changes, &conditions, replay, first, states);
        if replay.disagreement(&trace)?.is_some() {
            return shrink(replay, trace).map(Some);
        }
    }
    Ok(None)
}

fn random_trace(
    changes: &mut Changes<'_>,
    conditions: &[ScopedCondition<'_>],
    replay: Replay<'_>,
    first: Option<&Delta>,
    states: usize,
) -> Vec<Delta> {
    let mut playback = Playback::new(Arc::clone(replay.world));
    let mut trace = Vec::new();
    for index in 0..states {
        let mut delta = match (index, first) {
            (0, Some(first)) => first.clone(),
            (0, None) => changes.first_state(),
            _ => Delta::default(),
        };
        (delta.index, delta.clock) = (index as u64, index as u64);
        for _ in 0..changes.random.below(MAX_RANDOM_CHANGES + 1) {
            let target = &conditions[changes.random.below(conditions.len())];
            let mut objects: Vec<Option<ObjectId>> = vec![None; target.scope.variables.len()];
            for variable in &target.bound {
                let domain = replay.world.domain(&target.scope.get(*variable).types);
                objects[variable.index()] = domain.get(changes.random.below(domain.len())).copied();
            }
            changes.alter(target.scope, &objects, target.condition, playback.state(), &mut delta);
        }
        playback.advance(&delta);
        trace.push(delta);
    }
    trace
}

/// Shortens a trace while the games still disagree about it.
fn shrink(replay: Replay<'_>, mut trace: Vec<Delta>) -> Result<Vec<Delta>, MonitorError> {
    while trace.len() > 1 && replay.disagreement(&trace[..trace.len() - 1])?.is_some() {
        trace.pop();
    }
    let mut index = 0;
    while index + 1 < trace.len() {
        let shorter = without_state(&trace, index);
        if replay.disagreement(&shorter)?.is_some() {
            trace = shorter;
        } else {
            index += 1;
        }
    }
    Ok(trace)
}

/// Returns a trace without a state that is not the last: the changes of that state happen in the next one.
fn without_state(trace: &[Delta], index: usize) -> Vec<Delta> {
    let mut shorter = trace.to_vec();
    let removed = shorter.remove(index);
    let next = &mut shorter[index];
    let mut joined = removed;
    joined.changes.retain(|change| !next.removed.contains(&change.object));
    joined.changes.append(&mut next.changes);
    joined.facts.append(&mut next.facts);
    joined.fluents.append(&mut next.fluents);
    joined.removed.append(&mut next.removed);
    *next = joined;
    for (number, delta) in shorter.iter_mut().enumerate() {
        (delta.index, delta.clock) = (number as u64, number as u64);
    }
    shorter
}

/// Returns the conditions of the preferences and the setup of a game.
fn conditions(game: &Game) -> Vec<ScopedCondition<'_>> {
    let mut found = Vec::new();
    for preference in &game.preferences {
        let bound: Vec<VarId> = preference.external.iter().chain(&preference.inner).copied().collect();
        let of_pattern: Vec<&Condition> = match &preference.pattern {
            Pattern::Sequence(phases) => phases.iter().flat_map(of_phase).collect(),
            Pattern::AtEnd(condition) => vec![condition],
            Pattern::Formula(formula) => formula.conditions(),
        };
        let scope = &preference.scope;
        found.extend(of_pattern.into_iter().map(|condition| ScopedCondition {
            scope,
            bound: bound.clone(),
            condition,
        }));
    }
    if let Some(setup) = &game.setup {
        of_setup(&setup.setup, &setup.scope, &mut Vec::new(), &mut found);
    }
    found
}

fn of_phase(phase: &Phase) -> Vec<&Condition> {
    match phase {
        Phase::Once { condition, .. } | Phase::Hold { condition, .. } => vec![condition],
        Phase::HoldWhile { condition, events, .. } => std::iter::once(condition).chain(events).collect(),
    }
}

fn of_setup<'g>(setup: &'g Setup, scope: &'g Scope, bound: &mut Vec<VarId>, found: &mut Vec<ScopedCondition<'g>>) {
    match setup {
        Setup::And(parts) | Setup::Or(parts) => parts.iter().for_each(|part| of_setup(part, scope, bound, found)),
        Setup::Not(part) => of_setup(part, scope, bound, found),
        Setup::Exists(variables, body) | Setup::Forall(variables, body) => {
            bound.extend(variables);
            of_setup(body, scope, bound, found);
            bound.truncate(bound.len() - variables.len());
        }
        Setup::Conserved(condition, _) | Setup::Optional(condition, _) => {
            found.push(ScopedCondition { scope, bound: bound.clone(), condition });
        }
    }
}
