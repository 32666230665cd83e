//! A small world for tests of operations and trackers: a room with walls, a rug, blocks, bins and an agent.
#![allow(dead_code, reason = "each test file uses its part of it")]

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use glam::DVec3;
use goalspec_core::evaluate::Context;
use goalspec_core::ids::{AttributeId, ObjectId, TypeId};
use goalspec_core::state::{AttributeChange, ChangeSet, Delta, State};
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::operation::{
    FunctionDefinition, Measure, Operation, OperationDoc, PredicateDefinition, Setting, Settings, SettingsError,
};
use goalspec_core::world::{
    Argument, AttributeDecl, FunctionDecl, Parameter, PredicateDecl, Tracker, World, WorldBuilder,
};

/// The settings of the operations in this room.
const ROOM: &[(&str, &str)] = &[
    ("agent", "agent"),
    ("groups", "building"),
    ("containers", "bin"),
    ("walls", "wall"),
    ("doors", "door"),
    ("rugs", "rug"),
    ("floors", "floor"),
    ("never_under", "wall"),
    ("colors", "color"),
    ("regions", "rug_part"),
    ("gaze", "camera"),
    ("general", "thing"),
    ("measured_on_x", "x_flat"),
    ("measured_on_z", "z_flat"),
];

/// The objects and their types.
const OBJECTS: &[(&str, &[&str])] = &[
    ("agent", &["agent"]),
    ("block", &["block_blue"]),
    ("brick", &["block_red"]),
    ("ball", &["ball"]),
    ("crate", &["bin"]),
    ("table", &["table"]),
    ("floor", &["floor"]),
    ("rug", &["rug"]),
    ("left_half", &["rug_part"]),
    ("right_half", &["rug_part_red"]),
    ("north", &["wall", "z_flat"]),
    ("south", &["wall", "z_flat"]),
    ("east", &["wall", "x_flat"]),
    ("door", &["door", "z_flat"]),
    ("building_2", &["building"]),
    ("building_10", &["building"]),
    ("red", &["color"]),
    ("blue", &["color"]),
    ("upright", &["symbol"]),
    ("sideways", &["symbol"]),
    ("upside_down", &["symbol"]),
    ("diagonal", &["symbol"]),
    ("front", &["symbol"]),
    ("back", &["symbol"]),
    ("left", &["symbol"]),
    ("right", &["symbol"]),
];

fn builder() -> WorldBuilder {
    let mut builder = WorldBuilder::new("sketch");
    let mut types: BTreeMap<&str, TypeId> = BTreeMap::new();
    let parents = [("block_blue", "block"), ("block_red", "block"), ("rug_part_red", "rug_part")];
    let thing = builder.add_type("thing", &[]);
    types.insert("thing", thing);
    for name in ["block", "rug_part"].into_iter().chain(OBJECTS.iter().flat_map(|(_, types)| types.iter().copied())) {
        if !types.contains_key(name) {
            let parent = parents.iter().find(|(sub, _)| *sub == name).map_or("thing", |(_, parent)| parent);
            types.insert(name, builder.add_type(name, &[types[parent]]));
        }
    }
    for (name, of) in OBJECTS {
        let of: Vec<TypeId> = of.iter().map(|name| types[name]).collect();
        let object = builder.add_object(*name, &of);
        builder.add_program_name(*name, object);
    }
    let kinds = [
        (ValueKind::Vec3, ["position", "center", "extents", "velocity", "angular_velocity"].as_slice()),
        (ValueKind::Orientation, &["rotation", "initial_rotation", "camera"]),
        (ValueKind::Set, &["touching"]),
        (ValueKind::Object, &["held", "color"]),
        (ValueKind::Bool, &["touching_side", "touching_floor", "crouching"]),
        (ValueKind::Real, &["speed"]),
    ];
    for (kind, names) in kinds {
        for name in names {
            builder.add_attribute(AttributeDecl::new(*name, kind, &[thing]));
        }
    }
    builder.add_attribute(AttributeDecl::new("members", ValueKind::Set, &[types["building"]]).required());
    builder
}

fn parameters(doc: &OperationDoc) -> Vec<Parameter> {
    let count = doc.arguments.len();
    let optional = |at| at >= count - doc.optional;
    (0..count)
        .map(|at| Parameter { types: vec![TypeId(0)], accepts_type: doc.name == "same_type", optional: optional(at) })
        .collect()
}

/// Returns the settings of an operation in this room, modified by `extra`.
pub(crate) fn settings_for(doc: &OperationDoc, extra: &[(&str, Setting)]) -> BTreeMap<String, Setting> {
    let known = |name: &str| doc.settings.iter().any(|(setting, _)| *setting == name);
    let room = ROOM.iter().filter(|(name, _)| known(name) && !(*name == "groups" && doc.name == "groups"));
    let mut settings: BTreeMap<String, Setting> =
        room.map(|&(name, value)| (name.to_owned(), Setting::Text(value.to_owned()))).collect();
    settings.extend(extra.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    settings
}

pub(crate) fn text(value: &str) -> Setting {
    Setting::Text(value.to_owned())
}

/// Creates a world with every operation of the library under its own name, and the trackers.
pub(crate) fn world_with(extra: &[(&str, &str, Setting)], trackers: &[(&str, &[(&str, Setting)])]) -> World {
    let all = Operation::NAMES.iter().filter(|doc| doc.name != "flag_of" && doc.name != "refers_to");
    let unavailable = || "not yet".into();
    let mut draft = builder();
    for doc in all.clone() {
        draft.add_predicate(PredicateDecl::new(
            doc.name,
            parameters(doc),
            PredicateDefinition::Unavailable(unavailable()),
        ));
    }
    for doc in Measure::NAMES {
        draft.add_function(FunctionDecl::new(
            doc.name,
            parameters(doc),
            FunctionDefinition::Unavailable(unavailable()),
        ));
    }
    let draft = draft.finish().expect("the draft is fine");

    let mut builder = builder();
    let settings = |doc: &OperationDoc| {
        let extra = extra.iter().filter(|(name, ..)| *name == doc.name);
        settings_for(doc, &extra.map(|(_, setting, value)| (*setting, value.clone())).collect::<Vec<_>>())
    };
    for doc in all {
        let operation = Operation::resolve(doc.name, &mut Settings::new(&draft, settings(doc))).expect(doc.name);
        let meaning = PredicateDefinition::Computed(Box::new(operation));
        builder.add_predicate(PredicateDecl::new(doc.name, parameters(doc), meaning));
    }
    for doc in Measure::NAMES {
        let measure = Measure::resolve(doc.name, &mut Settings::new(&draft, settings(doc))).expect(doc.name);
        let meaning = FunctionDefinition::Computed(Box::new(measure));
        builder.add_function(FunctionDecl::new(doc.name, parameters(doc), meaning));
    }
    for (name, given) in trackers {
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        builder.add_tracker(Tracker::resolve(name, &mut Settings::new(&draft, given)).expect(name));
    }
    builder.finish().expect("the world is fine")
}

pub(crate) fn world() -> World {
    world_with(&[], &[])
}

/// Resolves an operation in this room.
pub(crate) fn resolve(name: &str, settings: &[(&str, Setting)]) -> Result<Operation, SettingsError> {
    let world = world();
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Operation::resolve(name, &mut Settings::new(&world, settings))
}

/// A state of the room, filled in by tests.
pub(crate) struct Scene<'w> {
    pub(crate) world: &'w World,
    pub(crate) state: State,
}

impl<'w> Scene<'w> {
    pub(crate) fn new(world: &'w World) -> Self {
        Self { world, state: State::new(world) }
    }

    pub(crate) fn object(&self, name: &str) -> ObjectId {
        self.world.object_named(name).unwrap_or_else(|| panic!("no object {name}"))
    }

    pub(crate) fn attribute(&self, name: &str) -> AttributeId {
        self.world.attribute_named(name).unwrap_or_else(|| panic!("no attribute {name}"))
    }

    pub(crate) fn set(&mut self, object: &str, attribute: &str, value: Value) {
        let change = AttributeChange { object: self.object(object), attribute: self.attribute(attribute), value };
        let delta = Delta { changes: vec![change], ..Delta::default() };
        self.state.apply(self.world, &delta, &mut ChangeSet::default());
    }

    pub(crate) fn vec(&mut self, object: &str, attribute: &str, [x, y, z]: [f64; 3]) {
        self.set(object, attribute, Value::Vec3(DVec3::new(x, y, z)));
    }

    /// Sets the box of an object.
    pub(crate) fn put(&mut self, object: &str, center: [f64; 3], half: [f64; 3]) {
        self.vec(object, "center", center);
        self.vec(object, "extents", half);
    }

    pub(crate) fn list(&mut self, object: &str, attribute: &str, members: &[&str]) {
        let mut set: Vec<ObjectId> = members.iter().map(|name| self.object(name)).collect();
        set.sort_unstable();
        self.set(object, attribute, Value::Set(set.into()));
    }

    fn arguments(&self, names: &[&str]) -> Vec<Argument> {
        let object = |name: &str| self.world.object_named(name).map(Argument::Object);
        let id = |name: &str| self.world.type_named(name.trim_start_matches(':')).map(Argument::Type);
        names.iter().map(|name| object(name).or_else(|| id(name)).unwrap_or_else(|| panic!("no {name}"))).collect()
    }

    fn ask<T>(&self, question: impl FnOnce(&Context<'_>) -> T) -> T {
        let setup = FixedBitSet::new();
        question(&Context {
            world: self.world,
            state: &self.state,
            first: false,
            last: false,
            setup_objects: &setup,
            work: None,
        })
    }

    /// Whether `(predicate a b ..)` holds; a name with a leading colon denotes a type.
    pub(crate) fn holds(&self, application: &str) -> Option<bool> {
        let words: Vec<&str> = application.split_whitespace().collect();
        let predicate = self.world.predicate_named(words[0]).unwrap_or_else(|| panic!("no predicate {}", words[0]));
        self.ask(|ctx| ctx.holds(predicate, &self.arguments(&words[1..])))
    }

    pub(crate) fn value(&self, application: &str) -> Option<f64> {
        let words: Vec<&str> = application.split_whitespace().collect();
        let function = self.world.function_named(words[0]).unwrap_or_else(|| panic!("no function {}", words[0]));
        self.ask(|ctx| ctx.value(function, &self.arguments(&words[1..])))
    }

    /// Checks each application against its expected value.
    #[track_caller]
    pub(crate) fn check(&self, cases: &[(&str, Option<bool>)]) {
        for (application, expected) in cases {
            assert_eq!(self.holds(application), *expected, "({application})");
        }
    }
}
