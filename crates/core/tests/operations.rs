//! Computed predicates and functions: hand-computed cases for each.

mod sketch;

use glam::DVec3;
use goalspec_core::ids::AttributeMask;
use goalspec_core::value::Value;
use goalspec_core::world::operation::{Measure, Operation, Setting, Settings};
use goalspec_core::world::{Argument, Tracker};
use sketch::{Scene, resolve, settings_for, text, world, world_with};

const YES: Option<bool> = Some(true);
const NO: Option<bool> = Some(false);

const CUBE: [f64; 3] = [0.1, 0.1, 0.1];

/// A table 1 m high and 2 m wide in the middle of the room, the agent beside it, walls around.
fn furnish(scene: &mut Scene<'_>) {
    scene.put("floor", [0.0, -0.1, 0.0], [5.0, 0.1, 4.0]);
    scene.put("rug", [-3.0, 0.05, 0.0], [1.0, 0.05, 1.0]);
    scene.put("table", [0.0, 0.5, 0.0], [1.0, 0.5, 1.0]);
    scene.put("north", [0.0, 1.5, 4.0], [5.0, 1.5, 0.1]);
    scene.put("south", [0.0, 1.5, -4.0], [5.0, 1.5, 0.1]);
    scene.put("east", [5.0, 1.5, 0.0], [0.1, 1.5, 4.0]);
    scene.put("door", [2.0, 1.0, 4.0], [0.5, 1.0, 0.1]);
    scene.put("agent", [3.0, 0.9, 0.0], [0.25, 0.9, 0.25]);
    scene.vec("agent", "position", [3.0, 0.9, 0.0]);
    scene.vec("agent", "rotation", [0.0, 0.0, 0.0]);
    scene.set("agent", "touching_side", Value::Bool(false));
    scene.set("agent", "touching_floor", Value::Bool(true));
    for thing in ["block", "brick", "ball", "crate", "table", "floor"] {
        scene.list(thing, "touching", &[]);
    }
}

#[test]
fn every_operation_documents_exactly_its_settings() {
    let world = world();
    let documented = |doc: &goalspec_core::world::operation::OperationDoc| {
        settings_for(doc, &[("no_such_setting", Setting::Flag(true))])
    };
    for doc in Operation::NAMES {
        // No setting takes a truth value, so each of them complains, and by that shows that it is known.
        for (setting, meaning) in doc.settings {
            let given = settings_for(doc, &[(setting, Setting::Flag(true))]);
            let error = Operation::resolve(doc.name, &mut Settings::new(&world, given)).expect_err(setting);
            let about = error.problems.iter().find(|problem| problem.setting == *setting).expect(setting);
            assert!(about.message.contains("takes"), "{}: {setting} is not asked for: {}", doc.name, about.message);
            assert!(!meaning.is_empty());
        }
        let error = Operation::resolve(doc.name, &mut Settings::new(&world, documented(doc))).expect_err(doc.name);
        assert!(error.to_string().contains("no setting called `no_such_setting`"), "{error}");
    }
    assert!(Measure::NAMES.iter().chain(Tracker::NAMES).all(|doc| !doc.summary.is_empty()));
}

#[test]
fn wrong_settings_are_all_reported_with_what_was_meant() {
    let error = resolve("adjacent", &[("gab", Setting::Number(1.0)), ("grace", text("much"))]).unwrap_err();
    let problems: Vec<_> =
        error.problems.iter().map(|problem| (problem.setting.as_str(), problem.help.as_deref())).collect();
    assert_eq!(problems, [("grace", None), ("gab", Some("did you mean `gap`?"))]);

    let error = resolve("in", &[("containers", text("bim")), ("center", text("centre"))]).unwrap_err();
    let help: Vec<_> = error.problems.iter().filter_map(|problem| problem.help.as_deref()).collect();
    assert_eq!(help, ["did you mean `center`?", "did you mean `bin`?"]);

    let error = resolve("ajacent", &[]).unwrap_err();
    assert_eq!(error.problems[0].help.as_deref(), Some("did you mean `adjacent`?"));

    let error = resolve("between", &[("center", text("touching"))]).unwrap_err();
    assert!(error.to_string().contains("attribute `touching` is of kind set, not vec3"), "{error}");

    let error = resolve("adjacent", &[("gap", Setting::Number(f64::NAN))]).unwrap_err();
    assert!(error.to_string().contains("takes a finite number"), "{error}");

    let error = resolve("flag_of", &[("attribute", text("crouching"))]).unwrap_err();
    assert!(error.to_string().contains("`object` must name an object"), "{error}");
}

#[test]
fn what_the_state_lacks_makes_the_answer_unknown() {
    let world = world();
    let scene = Scene::new(&world);
    scene.check(&[
        ("adjacent block brick", None),
        ("between block brick ball", None),
        ("touch block brick", None),
        ("on block brick", None),
        ("in crate ball", None),
        ("in building_2 ball", None),
        ("above block ball", None),
        ("faces block ball", None),
        ("in_motion ball", None),
        ("equal_position block ball", None),
        ("same_color ball red", None),
        ("adjacent_side block front ball", None),
        // A type where an object is needed.
        ("adjacent :block ball", None),
        // These need nothing of the state.
        ("same_object ball ball", YES),
        ("same_color block blue", YES),
        ("orientation ball upright", YES),
        ("in table ball", NO),
    ]);
    for function in ["distance block ball", "distance_side block front ball", "coordinate ball", "size building_2"] {
        assert_eq!(scene.value(function), None, "{function}");
    }
}

#[test]
fn above_is_about_the_upper_things_middle() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("ball", [0.9, 2.0, 0.9], CUBE);
    scene.put("block", [1.05, 2.0, 0.0], CUBE);
    scene.put("brick", [0.0, 1.0, 0.0], CUBE);
    scene.check(&[
        ("above table ball", YES),
        // Its box reaches over the table, its middle does not.
        ("above table block", NO),
        // Not higher than the top.
        ("above table brick", NO),
        // The agent is above what it stands on.
        ("above floor agent", YES),
        ("above rug agent", NO),
        ("above building_2 ball", None),
    ]);
    // Only the position of a thing may be known.
    scene.vec("crate", "position", [0.0, 3.0, 0.0]);
    scene.check(&[("above table crate", YES)]);
    // A group is above what one of its members is above.
    scene.list("building_2", "members", &["block", "brick"]);
    scene.check(&[("above table building_2", NO), ("above agent building_2", NO)]);
    scene.list("building_2", "members", &["ball", "block"]);
    scene.check(&[("above table building_2", YES)]);
    // Over its own member: the member must be a lowest one.
    scene.list("ball", "touching", &["block"]);
    scene.put("ball", [1.05, 2.2, 0.0], CUBE);
    scene.check(&[("above block building_2", YES), ("above ball building_2", NO)]);
}

#[test]
fn adjacency_and_distance_treat_walls_as_flat() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("ball", [4.75, 0.5, 3.0], CUBE);
    scene.put("block", [4.0, 0.5, 3.0], CUBE);
    scene.check(&[
        ("adjacent east ball", YES),
        ("adjacent ball east", YES),
        ("adjacent north ball", NO),
        ("adjacent block ball", NO),
        ("adjacent agent table", NO),
    ]);
    assert_eq!(scene.value("distance east ball"), Some(0.25));
    assert_eq!(scene.value("distance ball north"), Some(1.0));
    assert_eq!(scene.value("distance ball block"), Some(0.75));
    // Between two flat things the distance is the usual one: (0, 1.5, 4) to (5, 1.5, 0).
    assert_eq!(scene.value("distance north east"), Some(41.0_f64.sqrt()));
    assert_eq!(scene.value("coordinate ball"), Some(4.75));
}

#[test]
fn sides_are_those_of_the_turned_thing() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    // The table faces west; the ball is right in front of it, the block at its own right, which is north.
    scene.vec("table", "rotation", [0.0, 270.0, 0.0]);
    scene.put("ball", [-1.2, 0.5, 0.0], CUBE);
    scene.put("block", [0.0, 0.5, 1.2], CUBE);
    scene.vec("block", "rotation", [0.0, 180.0, 0.0]);
    scene.put("brick", [-0.9, 1.1, 0.0], CUBE);
    scene.check(&[
        ("adjacent_side table front ball", YES),
        ("adjacent_side table back ball", NO),
        ("adjacent_side table left ball", NO),
        ("adjacent_side table right block", YES),
        ("adjacent_side table left block", NO),
        // The block faces south, towards the table.
        ("adjacent_side table right block front", YES),
        ("adjacent_side table right block back", NO),
        // On the table near its front edge is not in front of it.
        ("adjacent_side table front brick", NO),
        // What has no rotation has no sides.
        ("adjacent_side ball front table", None),
        ("adjacent_side table front ball back", None),
        // No symbol for a side.
        ("adjacent_side table red ball", None),
    ]);
    // Just out of reach: the gap is 0.21.
    scene.put("ball", [-1.31, 0.5, 0.0], CUBE);
    scene.check(&[("adjacent_side table front ball", NO)]);
    assert!((scene.value("distance_side table front ball").unwrap() - 0.31).abs() < 1e-9);
    assert!((scene.value("distance_side table back ball").unwrap() - 2.31).abs() < 1e-9);
    // From the middle of the table's right side, (0, 0.5, 1), to that of the block's front, (0, 0.5, 1.1).
    assert!((scene.value("distance_side table right block front").unwrap() - 0.1).abs() < 1e-9);
    // To a wall, along z only.
    assert!((scene.value("distance_side table right north").unwrap() - 3.0).abs() < 1e-9);
}

#[test]
fn between_means_in_the_hull_of_both() {
    let world = world();
    let mut scene = Scene::new(&world);
    scene.put("block", [0.0, 0.0, 0.0], CUBE);
    scene.put("brick", [2.0, 0.0, 0.0], CUBE);
    scene.put("ball", [1.0, 0.1, 0.0], CUBE);
    scene.check(&[
        ("between block ball brick", YES),
        ("between brick ball block", YES),
        ("between block brick ball", NO),
    ]);
    scene.put("ball", [1.0, 0.2, 0.0], CUBE);
    scene.check(&[("between block ball brick", NO)]);
}

#[test]
fn positions_or_middles_may_be_equal() {
    let world = world_with(&[("equal_position", "axis", text("z"))], &[]);
    let mut scene = Scene::new(&world);
    scene.put("block", [0.0, 0.0, 1.0], CUBE);
    scene.put("ball", [5.0, 0.0, 1.05], CUBE);
    scene.check(&[("equal_position block ball", YES)]);
    scene.put("ball", [0.0, 0.0, 1.25], CUBE);
    scene.check(&[("equal_position block ball", NO)]);
    // The middles differ, the positions do not.
    scene.vec("block", "position", [0.0, 0.0, 0.9]);
    scene.vec("ball", "position", [0.0, 0.0, 0.95]);
    scene.check(&[("equal_position block ball", YES)]);
}

#[test]
fn facing_follows_the_eyes_where_there_are_any() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    // The agent's body faces north, the table is in the west.
    scene.check(&[("faces agent table", NO), ("faces agent north", YES)]);
    scene.vec("agent", "camera", [20.0, 270.0, 0.0]);
    scene.check(&[("faces agent table", YES), ("faces agent north", NO)]);
    // Straight down it faces nothing but what it stands on.
    scene.vec("agent", "camera", [90.0, 270.0, 0.0]);
    scene.check(&[("faces agent table", NO), ("faces table agent", None)]);
}

#[test]
fn walls_are_opposite_across_the_room() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.check(&[
        ("opposite north south", YES),
        ("opposite south north", YES),
        ("opposite north east", NO),
        ("opposite north north", NO),
        ("opposite north table", NO),
    ]);
    // Beside each other on the same line.
    scene.put("south", [20.0, 1.5, 4.0], [5.0, 1.5, 0.1]);
    scene.check(&[("opposite north south", NO)]);
    // Across, but shifted past each other.
    scene.put("south", [20.0, 1.5, -4.0], [5.0, 1.5, 0.1]);
    scene.check(&[("opposite north south", NO)]);
}

#[test]
fn touching_is_listed_by_either_thing() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.list("ball", "touching", &["block", "agent"]);
    scene.check(&[
        ("touch ball block", YES),
        ("touch block ball", YES),
        ("touch ball brick", NO),
        ("touch agent ball", YES),
        ("touch brick agent", NO),
    ]);
    // A group touches what its members touch, but neither members nor groups.
    scene.list("building_2", "members", &["ball", "brick"]);
    scene.list("building_10", "members", &["block"]);
    scene.check(&[
        ("touch building_2 block", YES),
        ("touch block building_2", YES),
        ("touch agent building_2", YES),
        ("touch building_2 table", NO),
        ("touch building_2 ball", NO),
        ("touch building_2 building_10", NO),
    ]);
    // A group without members touches nothing.
    scene.list("building_10", "members", &[]);
    scene.check(&[("touch building_10 ball", NO), ("above ball building_10", NO), ("on building_10 ball", NO)]);
}

#[test]
fn the_touched_wall_is_the_nearest() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    // Recordings say `north` for any wall.
    scene.list("ball", "touching", &["north"]);
    scene.put("ball", [4.8, 1.0, 1.0], CUBE);
    scene.check(&[
        ("touch ball east", YES),
        ("touch east ball", YES),
        ("touch ball north", NO),
        ("touch north south", NO),
        ("touch block east", NO),
    ]);
    // Doors are told apart.
    scene.list("ball", "touching", &["door"]);
    scene.check(&[("touch ball door", YES), ("touch ball east", NO)]);
    scene.list("building_2", "members", &["ball", "block"]);
    scene.check(&[("touch building_2 door", YES), ("touch east building_2", NO)]);
}

#[test]
fn the_agent_touches_what_is_at_its_side_and_under_its_feet() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("agent", [2.0, 0.9, 3.6], [0.25, 0.9, 0.25]);
    scene.check(&[("touch agent north", NO), ("touch agent door", NO)]);
    scene.set("agent", "touching_side", Value::Bool(true));
    scene.check(&[
        ("touch agent north", YES),
        ("touch door agent", YES),
        ("touch agent south", NO),
        ("touch agent rug", NO),
    ]);
    scene.vec("agent", "position", [-3.5, 0.9, 0.5]);
    scene.check(&[("touch agent rug", YES), ("on rug agent", YES), ("on floor agent", NO)]);
    scene.set("agent", "touching_floor", Value::Bool(false));
    scene.check(&[("touch rug agent", NO)]);
}

#[test]
fn on_needs_contact_and_support() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("ball", [0.0, 1.1, 0.0], CUBE);
    scene.check(&[("on table ball", NO)]);
    scene.list("table", "touching", &["ball", "block"]);
    scene.put("block", [1.1, 0.2, 0.0], CUBE);
    scene.check(&[
        ("on table ball", YES),
        ("on ball table", NO),
        // Touching from the side.
        ("on table block", NO),
        ("on agent ball", NO),
        ("on floor agent", YES),
        ("on table agent", NO),
    ]);
    // Nothing lies on a wall, even if it touches it.
    scene.list("ball", "touching", &["north"]);
    scene.put("ball", [0.0, 3.1, 3.9], CUBE);
    scene.check(&[("touch ball north", YES), ("on north ball", NO)]);
}

#[test]
fn groups_stand_on_things_and_on_their_lowest_members() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("block", [0.0, 1.1, 0.0], CUBE);
    scene.put("brick", [0.0, 1.3, 0.0], CUBE);
    scene.put("building_2", [0.0, 1.2, 0.0], [0.1, 0.2, 0.1]);
    scene.list("building_2", "members", &["block", "brick"]);
    scene.list("block", "touching", &["table", "brick"]);
    scene.list("brick", "touching", &["block"]);
    scene.put("ball", [0.0, 1.5, 0.0], CUBE);
    scene.list("ball", "touching", &["brick"]);
    scene.check(&[
        ("on table building_2", YES),
        ("on building_2 ball", YES),
        ("on block building_2", YES),
        ("on brick building_2", NO),
        ("on building_2 brick", YES),
        ("on building_2 block", NO),
        // There is no such group yet.
        ("on building_2 building_10", None),
    ]);
}

#[test]
fn containers_hold_what_does_not_stick_out() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("crate", [0.0, 0.0, 0.0], [0.5, 0.5, 0.5]);
    scene.put("ball", [0.0, 0.47, 0.0], CUBE);
    scene.put("block", [0.0, 0.48, 0.0], CUBE);
    scene.put("building_2", [0.0, 0.0, 0.0], CUBE);
    scene.list("building_2", "members", &["brick"]);
    scene.check(&[
        // Sticking out by 0.07 and by 0.08.
        ("in crate ball", YES),
        ("in crate block", NO),
        ("in crate agent", NO),
        ("in agent ball", NO),
        ("in table ball", NO),
        ("in building_2 brick", YES),
        ("in building_2 ball", NO),
        ("in crate building_2", YES),
        ("in building_2 building_2", NO),
    ]);
    assert_eq!(scene.value("size building_2"), Some(1.0));
}

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
fn things_are_of_the_same_type_if_they_share_one_that_says_something() {
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
    // Without any general types, only own types count.
    let world = world_with(&[("same_type", "general", Setting::List(Vec::new()))], &[]);
    Scene::new(&world).check(&[("same_type block brick", NO), ("same_type north south", YES)]);
}

#[test]
fn attributes_of_one_object_can_be_asked_for() {
    let world = world();
    let mut scene = Scene::new(&world);
    let crouches = resolve("flag_of", &[("object", text("agent")), ("attribute", text("crouching"))]).unwrap();
    let holds = resolve("refers_to", &[("object", text("agent")), ("attribute", text("held"))]).unwrap();
    let listed = resolve("refers_to", &[("object", text("agent")), ("attribute", text("touching"))]).unwrap();
    let setup = fixedbitset::FixedBitSet::new();
    let ball = [Argument::Object(scene.object("ball"))];
    let ask = |scene: &Scene<'_>, operation: &Operation, arguments: &[Argument]| {
        let (world, state) = (scene.world, &scene.state);
        operation.holds(
            &goalspec_core::evaluate::Context { world, state, first: true, last: true, setup: &setup },
            arguments,
        )
    };
    assert_eq!((ask(&scene, &crouches, &[]), ask(&scene, &holds, &ball)), (None, None));
    scene.set("agent", "crouching", Value::Bool(true));
    scene.set("agent", "held", Value::Object(Some(scene.object("ball"))));
    scene.list("agent", "touching", &["ball"]);
    for (operation, arguments) in [(&crouches, [].as_slice()), (&holds, &ball), (&listed, &ball)] {
        assert_eq!(ask(&scene, operation, arguments), YES);
    }
    scene.set("agent", "held", Value::Object(None));
    assert_eq!(ask(&scene, &holds, &ball), NO);
}

/// Whatever a recording says, nothing panics, and no relation of places holds of things that are nowhere.
#[test]
fn no_recorded_number_is_too_odd() {
    let world = world();
    let things = ["agent", "block", "ball", "crate", "rug", "floor", "north", "east", "building_2"];
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1.0, 0.0] {
        let mut scene = Scene::new(&world);
        furnish(&mut scene);
        for thing in things {
            for attribute in ["position", "center", "extents", "velocity", "rotation", "initial_rotation", "camera"] {
                scene.vec(thing, attribute, [odd; 3]);
            }
            scene.list(thing, "touching", &things);
        }
        scene.set("agent", "touching_side", Value::Bool(true));
        scene.list("building_2", "members", &["block", "ball", "building_2"]);
        for doc in Operation::NAMES.iter().filter(|doc| !["flag_of", "refers_to"].contains(&doc.name)) {
            for (a, b) in things.iter().flat_map(|a| things.iter().map(move |b| (a, b))) {
                let call = match doc.arguments.len() {
                    1 => format!("{} {a}", doc.name),
                    2 if doc.name == "orientation" => format!("{} {a} upright", doc.name),
                    2 => format!("{} {a} {b}", doc.name),
                    3 => format!("{} {a} {b} block", doc.name),
                    _ => format!("{} {a} front {b} left", doc.name),
                };
                let holds = scene.holds(&call);
                let spatial = ["adjacent", "adjacent_side", "between", "equal_position", "in_motion", "opposite"];
                if odd.is_nan() && spatial.contains(&doc.name) {
                    assert_ne!(holds, YES, "({call})");
                }
            }
        }
        for function in ["distance block ball", "distance_side block front ball", "coordinate ball", "size building_2"]
        {
            let _ = scene.value(function);
        }
    }
}

/// The value of an operation may depend only on what it says it reads: this is what incremental evaluation trusts.
#[test]
fn operations_read_what_they_say() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("block", [0.0, 1.1, 0.0], CUBE);
    scene.list("block", "touching", &["table"]);
    let attributes: Vec<_> = world.attributes().iter().map(|decl| decl.name.clone()).collect();
    for (name, arguments) in
        [("on", ["table", "block"]), ("touch", ["agent", "north"]), ("adjacent", ["agent", "north"])]
    {
        let predicate = world.predicate_named(name).unwrap();
        let reads = &world.predicate(predicate).reads;
        let application = format!("{name} {}", arguments.join(" "));
        for (place, object) in arguments.iter().enumerate() {
            for attribute in &attributes {
                let id = world.attribute_named(attribute).unwrap();
                let (object_id, mask) = (scene.object(object), AttributeMask::one(id));
                let other = reads.others.iter().any(|&(other, seen)| other == object_id && seen.intersects(mask));
                if reads.arguments[place].intersects(mask) || other {
                    continue;
                }
                let mut changed = Scene { world: &world, state: scene.state.clone() };
                for value in [
                    Value::Vec3(DVec3::splat(33.0)),
                    Value::Set([scene.object("ball")].into_iter().collect()),
                    Value::Bool(true),
                    Value::Real(3.0),
                    Value::Object(None),
                ] {
                    if world.attributes()[id.index()].kind.admits(&value) {
                        changed.set(object, attribute, value);
                    }
                }
                assert_eq!(
                    changed.holds(&application),
                    scene.holds(&application),
                    "{application}: {attribute} of {object}"
                );
            }
        }
    }
    // The agent moves all the time: what is not about the agent must not depend on it.
    for name in ["on", "touch", "above"] {
        let reads = &world.predicate(world.predicate_named(name).unwrap()).reads;
        assert!(reads.others.iter().all(|(other, _)| *other != scene.object("agent")), "{name}");
    }
}

#[test]
fn what_can_never_hold_is_known_from_types_and_settings() {
    let world = world();
    let scene = Scene::new(&world);
    let cases = [
        ("on table block", true),
        ("on agent block", false),
        ("on north block", false),
        ("on floor agent", true),
        ("on rug agent", true),
        ("on table agent", false),
        ("in crate ball", true),
        ("in building_2 block", true),
        ("in table ball", false),
        ("in crate agent", false),
        ("opposite north south", true),
        ("opposite north table", false),
        ("same_object block block", true),
        ("same_object block brick", false),
        ("same_type block brick", true),
        ("same_type block ball", false),
        ("touch block north", true),
    ];
    for (application, expected) in cases {
        let mut words = application.split(' ');
        let predicate = words.next().unwrap();
        let arguments: Vec<Argument> = words.map(|name| scene.object(name).into()).collect();
        let predicate = world.predicate_named(predicate).expect(application);
        assert_eq!(world.possible(predicate, &arguments), expected, "{application}");
    }
    for (function, expected) in [("distance", true), ("distance_side", true), ("size", true), ("coordinate", false)] {
        assert_eq!(world.never_negative(world.function_named(function).unwrap()), expected, "{function}");
    }
}
