//! Lanes as JSON.

use goalspec_core::automaton::PhaseInterval;
use goalspec_core::condition::{Condition, Origin};
use goalspec_core::evaluate::Bindings;
use goalspec_core::explain;
use goalspec_core::pattern::Pattern;
use goalspec_core::program::Conjunct;
use goalspec_core::truth::{StateRuns, pattern_conditions};
use goalspec_core::world::World;
use goalspec_syntax::{Sources, render};
use serde_json::{Map, Value, json};

use crate::explanation::conjunct_text;
use crate::lanes::{BindingLane, GameLanes, GoalLanes, PreferenceLanes};

/// Returns the lanes of a game as a JSON object. `states` is the number of states of the play.
pub(super) fn game(lanes: &GameLanes, world: &World, sources: &Sources, states: u64) -> Value {
    let mut object = Map::new();
    if let Some(setup) = &lanes.setup {
        object.insert("setup".into(), runs(setup));
    }
    let preferences = lanes.preferences.iter().map(|lanes| preference(lanes, world, sources, states));
    object.insert("preferences".into(), preferences.collect());
    if let Some(state) = lanes.stopped {
        object.insert("stopped_at".into(), json!(state));
    }
    Value::Object(object)
}

/// Returns the states in which a goal and its conjuncts hold as a JSON object.
pub(super) fn goal(lanes: &GoalLanes, world: &World, sources: &Sources) -> Value {
    let goal = &*lanes.definition;
    let conjunct = |(conjunct, holds): (&Conjunct, &StateRuns)| {
        json!({
            "condition": conjunct_text(world, goal, conjunct),
            "span": span(conjunct.origin, sources),
            "true": runs(holds),
        })
    };
    let conjuncts: Vec<Value> = goal.conjuncts.iter().zip(&lanes.conjuncts).map(conjunct).collect();
    json!({"goal": runs(&lanes.goal), "conjuncts": conjuncts})
}

fn preference(lanes: &PreferenceLanes, world: &World, sources: &Sources, states: u64) -> Value {
    let preference = &*lanes.preference;
    let operators = match &preference.pattern {
        Pattern::Sequence(phases) => phases.iter().map(|phase| operator(phase.origin(), sources)).collect(),
        Pattern::AtEnd(_) | Pattern::Formula(_) => Vec::new(),
    };
    let bindings = Bindings::new(&preference.scope);
    let parts = pattern_conditions(&preference.pattern);
    let conditions = parts.iter().map(|part| {
        json!({
            "condition": explain::condition_text(world, part.condition, &bindings),
            "operator": part.phase + 1,
            "event": part.event.map(|event| event + 1),
            "span": span(origin(part.condition), sources),
        })
    });
    json!({
        "name": &*preference.name,
        "bindings": lanes.bindings,
        "begun": lanes.begun,
        "operators": operators,
        "level_operators": lanes.level_operators.iter().map(|phase| phase + 1).collect::<Vec<_>>(),
        "conditions": conditions.collect::<Vec<_>>(),
        "lanes": lanes.lanes.iter().map(|lane| binding_lane(lane, world, states)).collect::<Vec<_>>(),
    })
}

/// Returns the text of an operator as it is written, and its place.
fn operator(origin: Origin, sources: &Sources) -> Value {
    let text = origin.0.and_then(|span| {
        let text = sources.find(span.source)?.text();
        text.get(span.start as usize..span.end as usize)
    });
    json!({"text": text, "span": span(origin, sources)})
}

fn span(origin: Origin, sources: &Sources) -> Value {
    json!(origin.0.and_then(|span| render::json::span(span, sources)))
}

/// Returns the place of a condition that has one.
fn origin(condition: &Condition) -> Origin {
    match condition {
        Condition::Atom(atom) => atom.origin,
        Condition::Compare { origin, .. } | Condition::AllEqual(_, origin) | Condition::InSetup(_, origin) => *origin,
        Condition::Not(part) => match &**part {
            Condition::Atom(atom) => atom.origin,
            _ => Origin::default(),
        },
        _ => Origin::default(),
    }
}

fn binding_lane(bound: &BindingLane, world: &World, states: u64) -> Value {
    let BindingLane { binding, lane, divisions, conditions } = bound;
    let satisfied = lane.satisfied.iter().zip(divisions).map(|(&(start, end), division)| {
        let mut object = Map::from_iter([("start".into(), json!(start)), ("end".into(), json!(end))]);
        if let Some(division) = division {
            let part = |part: &PhaseInterval| json!({"operator": part.phase + 1, "start": part.start, "end": part.end});
            object.insert("operators".into(), division.iter().map(part).collect());
        }
        Value::Object(object)
    });
    let names: Map<String, Value> =
        binding.iter().map(|(name, object)| (name.to_string(), json!(world.label(*object)))).collect();
    let mut object = Map::from_iter([
        ("binding".into(), super::binding(world, binding)),
        ("names".into(), Value::Object(names)),
        ("furthest".into(), json!(lane.furthest())),
        ("progress".into(), json!(lane.stretches(states))),
        ("satisfied".into(), satisfied.collect()),
        ("broken".into(), json!(lane.broken)),
    ]);
    if let Some(conditions) = conditions {
        object.insert("true".into(), conditions.iter().map(runs).collect());
    }
    Value::Object(object)
}

fn runs(states: &StateRuns) -> Value {
    states.runs().iter().map(|&(start, end)| json!([start, end])).collect()
}
