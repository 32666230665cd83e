//! Worlds and files that the tests share.

use std::path::PathBuf;

use goalspec_core::ids::{AttributeId, ObjectId};
use goalspec_core::value::Kind;
use goalspec_core::world::recording::Field;
use goalspec_core::world::{AttributeDecl, Recording, World, WorldBuilder};

/// The folder with real recordings, if this machine has it.
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

pub(crate) fn attribute(name: &str, kind: Kind, of: goalspec_core::ids::TypeId) -> AttributeDecl {
    AttributeDecl { name: name.into(), kind, of: vec![of], default: None, required: false, doc: "".into() }
}

/// A room of this name with its real objects.
pub(crate) fn room(name: &str) -> World {
    let path = conformance().unwrap().join("game/expected/room_objects.json");
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut builder = WorldBuilder::new(name);
    let thing = builder.add_type("thing", &[]);
    let types = json["rooms"][name]["types"].as_object().unwrap();
    let mut ids: Vec<&str> =
        types.values().flat_map(|ids| ids.as_array().unwrap()).map(|id| id.as_str().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut agent = ObjectId(0);
    for id in ids {
        let object = builder.add_object(id, &[thing]);
        if id == "agent" {
            agent = object;
        }
    }
    let mut fields = |table: &[(&str, Kind)]| -> Vec<Field> {
        table
            .iter()
            .map(|(json, kind)| {
                let id: AttributeId = builder.add_attribute(attribute(json, *kind, thing));
                Field { json: (*json).into(), attribute: id }
            })
            .collect()
    };
    let object_fields = fields(&[
        ("position", Kind::Vec3),
        ("rotation", Kind::Orientation),
        ("bboxCenter", Kind::Vec3),
        ("bboxExtents", Kind::Vec3),
        ("velocity", Kind::Vec3),
        ("angularVelocity", Kind::Vec3),
        ("touchingObjects", Kind::Set),
        ("isBroken", Kind::Bool),
        ("isOpen", Kind::Bool),
        ("isToggled", Kind::Bool),
    ]);
    let mut agent_fields = fields(&[
        ("rotationEulerAngles", Kind::Orientation),
        ("crouching", Kind::Bool),
        ("heldObject", Kind::Object),
        ("touchingFloor", Kind::Bool),
        ("touchingSide", Kind::Bool),
        ("lastMovementResult", Kind::Int),
    ]);
    agent_fields.extend([0, 2, 3].map(|at| object_fields[at].clone()));
    builder.set_recording(Recording { object_fields, agent: Some(agent), agent_fields, ..Recording::default() });
    builder.finish().unwrap()
}
