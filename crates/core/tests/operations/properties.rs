//! Properties of single objects: motion, orientation, colour, type, attributes.

use goalspec_core::value::Value;
use goalspec_core::world::Argument;
use goalspec_core::world::operation::{Operation, Setting};

use super::{CUBE, NO, YES};
use crate::sketch::{Scene, resolve, text, world, world_with};

#[test]
fn motion_is_a_component_beyond_the_threshold() {
    let world = world();
    let mut scene = Scene::new(&world);
    scene.vec("ball", "velocity", [0.1, -0.1, 0.1]);
    scene.check(&[("in_motion ball", NO)]);
    scene.vec("ball", "velocity", [0.0, -0.11, 0.0]);
    scene.check(&[("in_motion ball", YES)]);
    scene.vec("ball", "velocity", [0.0, 0.0, 0.0]);
    scene.vec("ball", "angular_velocity", [0.0, 0.0, 0.2]);
    scene.check(&[("in_motion ball", YES)]);
    scene.set("agent", "speed", Value::Real(2.0));
    scene.check(&[("in_motion agent", YES)]);
    scene.set("agent", "speed", Value::Real(0.05));
    scene.check(&[("in_motion agent", NO)]);
    scene.vec("ball", "velocity", [f64::NAN; 3]);
    scene.vec("ball", "angular_velocity", [f64::NAN; 3]);
    scene.check(&[("in_motion ball", NO)]);
}

#[test]
fn orientation_is_relative_to_the_first() {
    let world = world();
    let mut scene = Scene::new(&world);
    scene.vec("block", "initial_rotation", [270.0, 0.0, 0.0]);
    scene.vec("block", "rotation", [270.0, 120.0, 0.0]);
    scene.check(&[
        ("orientation block upright", YES),
        ("orientation block sideways", NO),
        ("orientation block diagonal", NO),
    ]);
    scene.vec("block", "rotation", [180.0, 0.0, 90.0]);
    scene.check(&[("orientation block upright", NO), ("orientation block sideways", YES)]);
    scene.vec("block", "rotation", [90.0, 0.0, 20.0]);
    scene.check(&[("orientation block upside_down", YES), ("orientation block upright", NO)]);
    scene.vec("block", "rotation", [315.0, 0.0, 45.0]);
    scene.check(&[("orientation block diagonal", YES), ("orientation block red", NO)]);
    scene.vec("block", "rotation", [f64::NAN, 0.0, 0.0]);
    scene.check(&[("orientation block upright", None), ("orientation block diagonal", None)]);
}

#[test]
fn colours_come_from_attributes_and_from_names_of_types() {
    let world = world();
    let mut scene = Scene::new(&world);
    scene.check(&[
        ("same_color block blue", YES),
        ("same_color blue block", YES),
        ("same_color block red", NO),
        ("same_color block brick", NO),
        ("same_color red red", YES),
        ("same_color ball brick", None),
    ]);
    scene.set("ball", "color", Value::Object(Some(scene.object("red"))));
    scene.set("block", "color", Value::Object(Some(scene.object("red"))));
    scene.check(&[("same_color ball brick", YES), ("same_color block brick", YES), ("same_color block blue", NO)]);
}

#[test]
fn the_region_under_a_thing_has_a_colour() {
    let world = world();
    let mut scene = Scene::new(&world);
    scene.put("left_half", [0.0, 0.0, 0.0], [2.0, 0.0, 2.0]);
    scene.set("left_half", "color", Value::Object(Some(scene.object("blue"))));
    scene.put("right_half", [1.0, 0.0, 0.0], [1.0, 0.0, 2.0]);
    scene.put("ball", [-1.0, 0.5, 0.0], CUBE);
    scene.check(&[("color_under ball blue", YES), ("color_under ball red", NO)]);
    // Where regions overlap, the later one is on top; its colour is in the name of its type.
    scene.put("ball", [1.0, 0.5, 0.0], CUBE);
    scene.check(&[("color_under ball blue", NO), ("color_under ball red", YES)]);
    scene.put("ball", [9.0, 0.5, 0.0], CUBE);
    scene.check(&[("color_under ball blue", NO), ("color_under ball red", NO)]);
}

#[test]
fn objects_have_the_same_type_if_they_share_a_specific_one() {
    let world = world();
    let scene = Scene::new(&world);
    scene.check(&[
        ("same_type block brick", YES),
        ("same_type block ball", NO),
        ("same_type block block", YES),
        ("same_type block :block", YES),
        ("same_type :block brick", YES),
        ("same_type block :block_red", NO),
        ("same_type ball :thing", YES),
        ("same_object block brick", NO),
    ]);
    // Without general types, only declared types count.
    let world = world_with(&[("same_type", "general", Setting::List(Vec::new()))], &[]);
    Scene::new(&world).check(&[("same_type block brick", NO), ("same_type north south", YES)]);
}

#[test]
fn attributes_of_one_object_can_be_tested() {
    let world = world();
    let mut scene = Scene::new(&world);
    let crouches = resolve("flag_of", &[("object", text("agent")), ("attribute", text("crouching"))]).unwrap();
    let holds = resolve("refers_to", &[("object", text("agent")), ("attribute", text("held"))]).unwrap();
    let listed = resolve("refers_to", &[("object", text("agent")), ("attribute", text("touching"))]).unwrap();
    let setup = fixedbitset::FixedBitSet::new();
    let ball = [Argument::Object(scene.object("ball"))];
    let evaluate = |scene: &Scene<'_>, operation: &Operation, arguments: &[Argument]| {
        let (world, state) = (scene.world, &scene.state);
        operation.holds(
            &goalspec_core::evaluate::Context {
                world,
                state,
                first: true,
                last: true,
                setup_objects: &setup,
                work: None,
            },
            arguments,
        )
    };
    assert_eq!((evaluate(&scene, &crouches, &[]), evaluate(&scene, &holds, &ball)), (None, None));
    scene.set("agent", "crouching", Value::Bool(true));
    scene.set("agent", "held", Value::Object(Some(scene.object("ball"))));
    scene.list("agent", "touching", &["ball"]);
    for (operation, arguments) in [(&crouches, [].as_slice()), (&holds, &ball), (&listed, &ball)] {
        assert_eq!(evaluate(&scene, operation, arguments), YES);
    }
    scene.set("agent", "held", Value::Object(None));
    assert_eq!(evaluate(&scene, &holds, &ball), NO);
}
