//! Worlds and files shared by the tests.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::PathBuf;

use glam::DVec3;
use goalspec_core::ids::{AttributeId, TypeId};
use goalspec_core::state::Delta;
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::operation::PredicateDefinition;
use goalspec_core::world::recording::{Adjustment, Correction, FieldMapping};
use goalspec_core::world::{AttributeDecl, Parameter, PredicateDecl, RecordingFormat, World, WorldBuilder};
use goalspec_syntax::Diagnostic;
use goalspec_trace::{ReadOptions, Result, TraceReader};

/// Returns the folder with real recordings, if it is available on this machine.
pub(crate) fn conformance() -> Option<PathBuf> {
    let folder = std::env::var_os("GOALSPEC_CONFORMANCE").map(PathBuf::from).or_else(|| {
        let start = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        start.ancestors().map(|folder| folder.join("../shared/conformance")).find(|folder| folder.is_dir())
    });
    if folder.is_none() {
        eprintln!("skipped: there is no conformance data on this machine");
    }
    folder
}

/// Returns a small world with an attribute of every kind, a recording section with every correction, and stored facts.
pub(crate) fn yard() -> World {
    let mut builder = WorldBuilder::new("yard");
    let thing = builder.add_type("thing", &[]);
    let ball = builder.add_type("ball", &[thing]);
    let shelf = builder.add_type("shelf", &[thing]);
    let person = builder.add_type("person", &[]);
    builder.allow_discovery(ball);
    builder.add_object("Ball|1", &[ball]);
    builder.add_object("Ball|2", &[ball]);
    let shelf_1 = builder.add_object("Shelf|1", &[shelf]);
    let floor = builder.add_object("Floor|1", &[thing]);
    let agent = builder.add_object("agent", &[person]);
    builder.add_alias("Body", agent);
    builder.add_program_name("shelf_1", shelf_1);
    let mut add = |name: &str, kind, of: &[TypeId]| builder.add_attribute(AttributeDecl::new(name, kind, of));
    let both = [thing, person];
    let position = add("position", ValueKind::Vec3, &both);
    let tilt = add("tilt", ValueKind::Orientation, &[thing]);
    let half = add("half_extents", ValueKind::Vec3, &[thing]);
    let open = add("open", ValueKind::Bool, &[thing]);
    let touches = add("touches", ValueKind::Set, &[thing]);
    let holds = add("holds", ValueKind::Object, &[person]);
    let bumps = add("bumps", ValueKind::Int, &[person]);
    let weight = add("weight", ValueKind::Real, &[thing]);
    let label = add("label", ValueKind::Text, &[thing]);
    builder.add_fact("on", &[thing, thing]);
    builder.add_fluent("fuel", &[thing]);
    builder.add_predicate(PredicateDecl::new("opened", vec![Parameter::of(&[thing])], PredicateDefinition::Flag(open)));
    let fields = |table: &[(&str, AttributeId)]| {
        table.iter().map(|&(json, attribute)| FieldMapping { member: json.into(), attribute }).collect()
    };
    builder.set_recording(RecordingFormat {
        scenes: vec!["Yard_1".into()],
        object_fields: fields(&[
            ("position", position),
            ("rotation", tilt),
            ("extents", half),
            ("isOpen", open),
            ("touching", touches),
            ("weight", weight),
            ("name", label),
        ]),
        agent: Some(agent),
        agent_fields: fields(&[("position", position), ("held", holds), ("bumps", bumps)]),
        corrections: vec![
            Correction {
                objects: vec![floor],
                adjustment: Adjustment::Replace { attribute: position, value: Value::Vec3(DVec3::ZERO) },
            },
            Correction {
                objects: vec![shelf_1],
                adjustment: Adjustment::Shift { attribute: position, by: DVec3::new(0.0, -0.5, 0.0) },
            },
            Correction {
                objects: vec![shelf_1],
                adjustment: Adjustment::ShrinkToBottom { center: position, half_extents: half, factor: 0.25 },
            },
        ],
        ignored: vec!["TheHand".into()],
    });
    builder.finish().unwrap()
}

/// Reads all states of a text with a world.
pub(crate) fn read(text: &[u8], world: &World, options: &ReadOptions<'_>) -> Result<(Vec<Delta>, Vec<Diagnostic>)> {
    let mut reader = goalspec_trace::from_reader(text, world, options)?;
    let mut states = Vec::new();
    let mut delta = Delta::default();
    while reader.next(&mut delta)? {
        states.push(delta.clone());
    }
    Ok((states, reader.diagnostics()))
}

/// Returns the room with `few`, `medium` or `many` objects.
pub(crate) fn room(name: &str) -> &'static World {
    goalspec_game::worlds::builtin(name).unwrap()
}
