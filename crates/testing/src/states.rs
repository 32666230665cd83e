//! A generator of states.

use glam::DVec3;
use goalspec_core::ids::{FunctionId, ObjectId, PredicateId};
use goalspec_core::state::{AttributeChange, Delta, FactChange, FluentChange, ObjectArguments};
use goalspec_core::value::Value;
use goalspec_core::world::World;
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::vocabulary::Parameter;

use crate::choices::Choices;

/// Maximum number of states of a play.
const MAX_STATES: usize = 40;

/// Generates the deltas of a play.
pub fn deltas(choices: &mut Choices<'_>, world: &World) -> Vec<Delta> {
    let timed = choices.one_in(3);
    let mut deltas = Vec::new();
    let states = choices.below(MAX_STATES + 1);
    while deltas.len() < states {
        let number = deltas.len() as u64;
        let mut delta = Delta { index: number, clock: number, ..Delta::default() };
        if timed && !choices.one_in(4) {
            delta.time = Some(number as f64 * 0.5);
        }
        for _ in 0..choices.below(6) {
            event(choices, world, &mut delta);
        }
        deltas.push(delta);
    }
    deltas
}

fn event(choices: &mut Choices<'_>, world: &World, delta: &mut Delta) {
    match choices.below(10) {
        0..5 => {
            let predicates: Vec<PredicateId> = (0..world.predicates().len()).map(PredicateId::from).collect();
            let stored = |&id: &PredicateId| world.predicate(id).definition == PredicateDefinition::Stored;
            let predicates: Vec<_> = predicates.into_iter().filter(stored).collect();
            // Predicates without arguments are chosen more often, so that they change often.
            let plain: Vec<_> =
                predicates.iter().copied().filter(|&id| world.predicate(id).parameters.is_empty()).collect();
            let predicate = if choices.one_in(2) { choices.pick(&plain) } else { choices.pick(&predicates) };
            let arguments = arguments(choices, world, &world.predicate(predicate).parameters);
            delta.facts.push(FactChange { predicate, arguments, holds: choices.below(5) < 3 });
        }
        5 => {
            let functions: Vec<FunctionId> = (0..world.functions().len()).map(FunctionId::from).collect();
            let stored = |&id: &FunctionId| world.function(id).definition == FunctionDefinition::Stored;
            let functions: Vec<_> = functions.into_iter().filter(stored).collect();
            let function = choices.pick(&functions);
            let arguments = arguments(choices, world, &world.function(function).parameters);
            delta.fluents.push(FluentChange { function, arguments, value: number(choices) });
        }
        6 => delta.removed.push(object(choices, world)),
        _ => {
            let object = object(choices, world);
            let attributes = world.attributes().iter().enumerate();
            let own: Vec<_> =
                attributes.filter(|(_, decl)| decl.types.iter().any(|&id| world.is_a(object, id))).collect();
            let (attribute, decl) = choices.pick(&own);
            let value = match decl.name.as_ref() {
                "position" => Value::Vec3(DVec3::new(choices.below(4) as f64, 0.0, 0.004 * choices.below(5) as f64)),
                "weight" => Value::Real(number(choices)),
                "lit" => Value::Bool(choices.one_in(2)),
                _ => Value::Object((!choices.one_in(4)).then(|| self::object(choices, world))),
            };
            delta.changes.push(AttributeChange { object, attribute: attribute.into(), value });
        }
    }
}

fn object(choices: &mut Choices<'_>, world: &World) -> ObjectId {
    ObjectId::from(choices.below(world.objects().len()))
}

fn arguments(choices: &mut Choices<'_>, world: &World, parameters: &[Parameter]) -> ObjectArguments {
    parameters.iter().map(|parameter| choices.pick(&world.domain(&parameter.types))).collect()
}

fn number(choices: &mut Choices<'_>) -> f64 {
    choices.pick(&[0.0, 1.0, 2.0, -1.5, 1e300, f64::INFINITY])
}
