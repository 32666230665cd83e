//! Contracts of all operations: settings, declared inputs, and behaviour on incomplete and invalid states.

use glam::DVec3;
use goalspec_core::ids::AttributeMask;
use goalspec_core::value::Value;
use goalspec_core::world::operation::{Measure, Operation, Setting, Settings};
use goalspec_core::world::{Argument, Tracker};

use super::{CUBE, NO, YES, furnish};
use crate::sketch::{Scene, resolve, settings_for, text, world};

#[test]
fn every_operation_documents_exactly_its_settings() {
    let world = world();
    let documented = |doc: &goalspec_core::world::operation::OperationDoc| {
        settings_for(doc, &[("no_such_setting", Setting::Flag(true))])
    };
    for doc in Operation::NAMES {
        // No setting takes a truth value, so every setting that is looked up reports a problem.
        for (setting, meaning) in doc.settings {
            let given = settings_for(doc, &[(setting, Setting::Flag(true))]);
            let error = Operation::resolve(doc.name, &mut Settings::new(&world, given)).expect_err(setting);
            let about = error.problems.iter().find(|problem| problem.setting == *setting).expect(setting);
            assert!(about.message.contains("expected"), "{}: {setting} is not asked for: {}", doc.name, about.message);
            assert!(!meaning.is_empty());
        }
        let error = Operation::resolve(doc.name, &mut Settings::new(&world, documented(doc))).expect_err(doc.name);
        assert!(error.to_string().contains("unknown setting `no_such_setting`"), "{error}");
    }
    assert!(Measure::NAMES.iter().chain(Tracker::DOCS).all(|doc| !doc.summary.is_empty()));
}

#[test]
fn wrong_settings_are_all_reported_with_suggestions() {
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
    assert!(error.to_string().contains("attribute `touching` is of kind set, expected vec3"), "{error}");

    let error = resolve("adjacent", &[("gap", Setting::Number(f64::NAN))]).unwrap_err();
    assert!(error.to_string().contains("expected a finite number"), "{error}");

    let error = resolve("flag_of", &[("attribute", text("crouching"))]).unwrap_err();
    assert!(error.to_string().contains("`object` must name an object"), "{error}");
}

#[test]
fn missing_attributes_make_the_value_unknown() {
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
        // These do not read the state.
        ("same_object ball ball", YES),
        ("same_color block blue", YES),
        ("orientation ball upright", YES),
        ("in table ball", NO),
    ]);
    for function in ["distance block ball", "distance_side block front ball", "coordinate ball", "size building_2"] {
        assert_eq!(scene.value(function), None, "{function}");
    }
}

/// No recorded value panics, and no relation of position holds of objects without a location.
#[test]
fn extreme_recorded_numbers_do_not_panic() {
    let world = world();
    let objects = ["agent", "block", "ball", "crate", "rug", "floor", "north", "east", "building_2"];
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1.0, 0.0] {
        let mut scene = Scene::new(&world);
        furnish(&mut scene);
        for object in objects {
            for attribute in ["position", "center", "extents", "velocity", "rotation", "initial_rotation", "camera"] {
                scene.vec(object, attribute, [odd; 3]);
            }
            scene.list(object, "touching", &objects);
        }
        scene.set("agent", "touching_side", Value::Bool(true));
        scene.list("building_2", "members", &["block", "ball", "building_2"]);
        for doc in Operation::NAMES.iter().filter(|doc| !["flag_of", "refers_to"].contains(&doc.name)) {
            for (a, b) in objects.iter().flat_map(|a| objects.iter().map(move |b| (a, b))) {
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

/// The value of an operation may depend only on its declared inputs, on which incremental evaluation relies.
#[test]
fn operations_read_only_their_declared_dependencies() {
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
        let reads = &world.predicate(predicate).dependencies;
        let application = format!("{name} {}", arguments.join(" "));
        for (place, object) in arguments.iter().enumerate() {
            for attribute in &attributes {
                let id = world.attribute_named(attribute).unwrap();
                let (object_id, mask) = (scene.object(object), AttributeMask::one(id));
                let other =
                    reads.fixed_objects.iter().any(|&(other, read)| other == object_id && read.intersects(mask));
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
                    if world.attributes()[id.index()].kind.matches(&value) {
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
    // The agent moves in every state: relations between other objects must not depend on it.
    for name in ["on", "touch", "above"] {
        let reads = &world.predicate(world.predicate_named(name).unwrap()).dependencies;
        assert!(reads.fixed_objects.iter().all(|(other, _)| *other != scene.object("agent")), "{name}");
    }
}

#[test]
fn impossible_predicates_follow_from_types_and_settings() {
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
        assert_eq!(world.can_hold(predicate, &arguments), expected, "{application}");
    }
    for (function, expected) in [("distance", true), ("distance_side", true), ("size", true), ("coordinate", false)] {
        assert_eq!(world.is_non_negative(world.function_named(function).unwrap()), expected, "{function}");
    }
}
