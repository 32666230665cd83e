//! A small world for the tests, with one instance of every feature that the checks concern.

use goalspec_core::condition::{Condition, Origin, Scope, Variable};
use goalspec_core::ids::TypeId;
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::vocabulary::{FunctionDecl, Parameter, PredicateDecl};
use goalspec_core::world::{World, WorldBuilder};

/// Returns the world, which is named `few-objects-room-v1`.
pub fn small() -> World {
    let mut world = WorldBuilder::new("few-objects-room-v1");
    let thing = world.add_type("thing", &[]);
    let game_object = world.add_type("game_object", &[thing]);
    let ball = world.add_type("ball", &[game_object]);
    let dodgeball = world.add_type("dodgeball", &[ball]);
    world.add_type("golfball", &[ball]);
    let block = world.add_type("block", &[game_object]);
    let cube_block = world.add_type("cube_block", &[block]);
    let drawer = world.add_type("drawer", &[thing]);
    let furniture = world.add_type("furniture", &[thing]);
    let color = world.add_type("color", &[]);
    let orientation = world.add_type("orientation", &[]);
    let side = world.add_type("side", &[]);
    let building = world.add_type("building", &[thing]);
    world.allow_discovery(building);
    for (name, types) in [
        ("dodgeball_1", dodgeball),
        ("dodgeball_2", dodgeball),
        ("ball_1", ball),
        ("cube_block_1", cube_block),
        ("cube_block_2", cube_block),
    ] {
        world.add_object(name, &[types]);
    }
    for (name, types) in [
        ("top_drawer", drawer),
        ("bed", furniture),
        ("desk", furniture),
        ("red", color),
        ("green", color),
        ("upright", orientation),
        ("front", side),
        ("back", side),
    ] {
        let object = world.add_object(name, &[types]);
        world.add_program_name(name, object);
    }
    let unavailable = Parameter::of(&[thing]);
    let unavailable_function = PredicateDefinition::Unavailable("the room has no rug".into());
    world.add_predicate(PredicateDecl::new(
        "rug_color_under",
        vec![unavailable.clone(), Parameter::of(&[color])],
        unavailable_function,
    ));
    let unavailable_function = FunctionDefinition::Unavailable("there is no scale".into());
    world.add_function(FunctionDecl::new("weight", vec![unavailable], unavailable_function));
    vocabulary(&mut world, thing, drawer, color, orientation, side);
    world.add_fluent("distance", &[thing, thing]);
    world.add_fluent("building_size", &[building]);
    world.finish().expect("the world is in order")
}

fn vocabulary(
    world: &mut WorldBuilder,
    thing: TypeId,
    drawer: TypeId,
    color: TypeId,
    orientation: TypeId,
    side: TypeId,
) {
    for (name, parameters) in [
        ("on", vec![thing, thing]),
        ("in", vec![thing, thing]),
        ("touch", vec![thing, thing]),
        ("agent_holds", vec![thing]),
        ("in_motion", vec![thing]),
        ("open", vec![drawer]),
        ("object_orientation", vec![thing, orientation]),
        ("same_color", vec![thing, color]),
    ] {
        world.add_fact(name, &parameters);
    }
    let of = |id| Parameter::of(&[id]);
    let optional = |id| Parameter { optional: true, ..of(id) };
    let or_type = |id| Parameter { accepts_type: true, ..of(id) };
    for (name, parameters) in [
        ("adjacent_side", vec![of(thing), of(side), of(thing), optional(side)]),
        ("same_type", vec![of(thing), or_type(thing)]),
    ] {
        let variables = parameters.iter().map(|parameter| Variable {
            name: "?".into(),
            types: parameter.types.clone(),
            origin: Origin::default(),
        });
        let scope = Scope { variables: variables.collect() };
        let meaning = PredicateDefinition::Derived(Box::new((scope, Condition::Constant(true))));
        world.add_predicate(PredicateDecl::new(name, parameters, meaning));
    }
}
