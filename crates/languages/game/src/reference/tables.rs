//! The tables of the authors' implementation for a room: two type tables with their order of objects, and the fixtures.
//!
//! Most entries follow from the world. The others are data in this module: the assignment of names to tables, the order of objects in
//! some types, and the dimensions of the fixtures.

use std::sync::Arc;

use glam::DVec3;
use goalspec_core::ids::{ObjectId, TypeId};
use goalspec_core::world::World;
use rustc_hash::{FxHashMap, FxHashSet};

/// Names that denote one object without a quantifier.
const NAMED_OBJECTS: [&str; 20] = [
    "agent",
    "bed",
    "desk",
    "door",
    "floor",
    "main_light_switch",
    "mirror",
    "room_center",
    "rug",
    "side_table",
    "bottom_drawer",
    "bottom_shelf",
    "east_sliding_door",
    "east_wall",
    "north_wall",
    "south_wall",
    "top_drawer",
    "top_shelf",
    "west_sliding_door",
    "west_wall",
];

/// Names of the second table that every room has. The second table also contains types that end in a colour.
const SPECIFIC_NAMES: [&str; 6] =
    ["bottom_drawer", "bottom_shelf", "east_sliding_door", "top_drawer", "top_shelf", "west_sliding_door"];

/// Types with an explicit order of objects. All other types are ordered by object identifier.
const ORDERED_TYPES: [(&str, &[&str]); 4] = [
    ("ball", &["beachball", "basketball", "dodgeball", "golfball"]),
    (
        "block",
        &[
            "bridge_block",
            "cube_block",
            "cylindrical_block",
            "flat_block",
            "pyramid_block",
            "tall_cylindrical_block",
            "tall_rectangular_block",
            "triangle_block",
        ],
    ),
    ("ramp", &["curved_wooden_ramp", "triangular_ramp"]),
    ("wall", &["north_wall", "south_wall", "east_wall", "west_wall"]),
];

/// Type names that are known in every room, although some rooms have no objects of the type.
const OPTIONAL_TYPES: [&str; 14] = [
    "basketball",
    "beachball",
    "bridge_block",
    "curved_wooden_ramp",
    "cylindrical_block",
    "doggie_bed",
    "flat_block",
    "golfball",
    "pyramid_block",
    "tall_cylindrical_block",
    "tall_rectangular_block",
    "teddy_bear",
    "triangle_block",
    "triangular_ramp",
];

/// Types of containers.
const CONTAINERS: [&str; 4] = ["doggie_bed", "hexagonal_bin", "drawer", "mug"];

/// Types whose members are symbols and never occur in a state.
const SYMBOLS: [&str; 3] = ["color", "orientation", "side"];

/// The type of buildings. The authors' implementation adds it to the tables late, so its name is not a type name in predicates.
const BUILDING: &str = "building";

/// Types of the world that the authors' implementation does not have.
const WORLD_ONLY_TYPES: [&str; 5] = ["body", "thing", "feature", "collider", "rug_region"];

/// The identifier of every wall in recordings.
const WALL_COLLIDER: &str = "FP326:StandardWallSize.021";

/// The kind of a fixture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FixtureKind {
    /// One of the four walls, which recordings do not distinguish.
    Wall,
    /// The door.
    Door,
    /// The rug.
    Rug,
    /// The center of the room.
    Center,
}

/// A part of the room that recordings do not describe.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fixture {
    /// The name, which is also the identifier in bindings.
    name: &'static str,
    /// The kind of fixture.
    pub(super) kind: FixtureKind,
    /// The center of the bounding box.
    pub(super) center: DVec3,
    /// Half the size of the bounding box along each axis.
    pub(super) half_extents: DVec3,
    /// Whether the fixture extends along z, so that distances to it are measured along x rather than along z.
    pub(super) along_z: bool,
}

const fn fixture(name: &'static str, kind: FixtureKind, center: [f64; 3], half: [f64; 3], turned: bool) -> Fixture {
    Fixture { name, kind, center: DVec3::from_array(center), half_extents: DVec3::from_array(half), along_z: turned }
}

/// The fixtures, with dimensions in metres. The z coordinate of the east wall has the wrong sign, as in the authors' implementation:
/// it should equal that of the west wall.
const FIXTURES: [Fixture; 7] = [
    fixture("north_wall", FixtureKind::Wall, [0.1875, 1.35, 0.675], [3.2875, 1.35, 0.075], false),
    fixture("south_wall", FixtureKind::Wall, [0.1875, 1.35, -3.1], [3.2875, 1.35, 0.075], false),
    fixture("east_wall", FixtureKind::Wall, [3.475, 1.35, 1.2125], [0.075, 1.35, 1.8875], true),
    fixture("west_wall", FixtureKind::Wall, [-3.1, 1.35, -1.2125], [0.075, 1.35, 1.8875], true),
    fixture("room_center", FixtureKind::Center, [0.1875, 0.0, -1.2125], [0.1, 0.0, 0.1], false),
    fixture("door", FixtureKind::Door, [0.448, 1.35, 0.675], [0.423, 1.35, 0.075], false),
    fixture("rug", FixtureKind::Rug, [-1.485, 0.05, -1.673], [1.338, 0.05, 0.926], true),
];

/// The class of an object in the authors' implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectClass {
    /// The agent.
    Agent,
    /// A movable object that recordings describe.
    Movable,
    /// A fixture, as an index into [`Tables::fixtures`].
    Fixture(usize),
    /// A building, by its number.
    Building(usize),
    /// A colour, orientation or side.
    Symbol,
}

/// The tables of one room.
#[derive(Debug, Clone)]
pub(super) struct Tables {
    main: FxHashMap<Arc<str>, Vec<ObjectId>>,
    specific: FxHashMap<Arc<str>, Vec<ObjectId>>,
    classes: Vec<ObjectClass>,
    ids: Vec<Arc<str>>,
    containers: FxHashSet<ObjectId>,
    fixtures: Vec<(Fixture, ObjectId)>,
    /// The objects that recordings list as contacts with walls.
    touched_walls: Vec<ObjectId>,
    buildings: Vec<ObjectId>,
    agent: Option<ObjectId>,
}

impl Tables {
    /// Builds the tables of a world.
    pub(super) fn new(world: &World) -> Self {
        let mut tables = Self {
            main: FxHashMap::default(),
            specific: FxHashMap::default(),
            classes: vec![ObjectClass::Movable; world.objects().len()],
            ids: world.objects().iter().map(|object| object.id.clone()).collect(),
            containers: FxHashSet::default(),
            fixtures: Vec::new(),
            touched_walls: world.object_with_recorded_name(WALL_COLLIDER).into_iter().collect(),
            buildings: Vec::new(),
            agent: None,
        };
        tables.list_types(world);
        tables.classify(world);
        tables
    }

    fn list_types(&mut self, world: &World) {
        let colors: Vec<Arc<str>> = match world.type_named("color") {
            Some(color) => world.members(color).iter().map(|&object| self.ids[object.index()].clone()).collect(),
            None => Vec::new(),
        };
        for (index, declared) in world.types().iter().enumerate() {
            if WORLD_ONLY_TYPES.contains(&&*declared.name) {
                continue;
            }
            let objects = self.in_order(world, TypeId::from(index));
            let table = if is_specific(&declared.name, &colors) { &mut self.specific } else { &mut self.main };
            table.insert(declared.name.clone(), objects);
        }
        for (name, object) in world.program_names() {
            let table = if is_specific(name, &colors) { &mut self.specific } else { &mut self.main };
            table.entry(Arc::from(name)).or_insert_with(|| vec![object]);
        }
    }

    fn in_order(&self, world: &World, id: TypeId) -> Vec<ObjectId> {
        let mut objects = world.members(id).to_vec();
        let name = &*world.type_decl(id).name;
        let parts = ORDERED_TYPES.iter().find(|(composed, _)| *composed == name).map_or(&[][..], |(_, parts)| parts);
        let part_of = |object: ObjectId| {
            parts.iter().position(|part| {
                world.type_named(part).is_some_and(|part| world.is_a(object, part))
                    || world.object_named(part) == Some(object)
            })
        };
        objects.sort_by_cached_key(|&object| {
            let id = self.ids[object.index()].clone();
            (part_of(object).unwrap_or(parts.len()), building_number(&id), id)
        });
        objects
    }

    fn classify(&mut self, world: &World) {
        let symbols: Vec<ObjectId> =
            SYMBOLS.iter().filter_map(|name| self.main.get(*name)).flatten().copied().collect();
        for symbol in symbols {
            self.classes[symbol.index()] = ObjectClass::Symbol;
        }
        let containers = CONTAINERS.iter().filter_map(|name| self.main.get(*name)).flatten().copied();
        self.containers = containers.collect();
        for fixture in FIXTURES {
            if let Some(object) = world.object_named(fixture.name) {
                self.classes[object.index()] = ObjectClass::Fixture(self.fixtures.len());
                if fixture.kind == FixtureKind::Wall {
                    self.touched_walls.push(object);
                }
                self.fixtures.push((fixture, object));
            }
        }
        self.buildings = self.main.get(BUILDING).cloned().unwrap_or_default();
        for (number, building) in self.buildings.iter().enumerate() {
            self.classes[building.index()] = ObjectClass::Building(number);
        }
        self.agent = world.object_named("agent");
        if let Some(agent) = self.agent {
            self.classes[agent.index()] = ObjectClass::Agent;
        }
    }

    /// Returns the domain of a variable of this type. The main table takes precedence; an unknown type has no objects.
    pub(super) fn objects(&self, type_name: &str) -> &[ObjectId] {
        self.main.get(type_name).or_else(|| self.specific.get(type_name)).map_or(&[], Vec::as_slice)
    }

    /// Returns whether the main table, the only one that scores use, lists the object under the type.
    pub(super) fn is_main(&self, object: ObjectId, type_name: &str) -> bool {
        self.main.get(type_name).is_some_and(|objects| objects.contains(&object))
    }

    /// Returns whether two objects share a type of the main table.
    pub(super) fn share_type(&self, a: ObjectId, b: ObjectId) -> bool {
        self.main.values().any(|objects| objects.contains(&a) && objects.contains(&b))
    }

    /// Returns whether the name is a symbol in predicates: a type, colour, orientation or side.
    pub(super) fn is_type_name(&self, name: &str) -> bool {
        !NAMED_OBJECTS.contains(&name)
            && name != BUILDING
            && (self.main.contains_key(name) || OPTIONAL_TYPES.contains(&name))
    }

    /// Returns the object to which a name without a quantifier is bound in the setup.
    pub(super) fn setup_object(&self, name: &str) -> Option<ObjectId> {
        if NAMED_OBJECTS.contains(&name) {
            return self.objects(name).first().copied();
        }
        self.specific.get(name).filter(|objects| objects.len() == 1).map(|objects| objects[0])
    }

    /// Returns the class of the object.
    pub(super) fn class(&self, object: ObjectId) -> ObjectClass {
        self.classes[object.index()]
    }

    /// Returns the identifier of the object in recordings.
    pub(super) fn id(&self, object: ObjectId) -> &Arc<str> {
        &self.ids[object.index()]
    }

    /// Returns the number of objects.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether the object is a container.
    pub(super) fn is_container(&self, object: ObjectId) -> bool {
        self.containers.contains(&object)
    }

    /// Returns the fixtures of the world with their objects.
    pub(super) fn fixtures(&self) -> &[(Fixture, ObjectId)] {
        &self.fixtures
    }

    /// Returns the objects that recordings list as contacts with walls.
    pub(super) fn touched_walls(&self) -> &[ObjectId] {
        &self.touched_walls
    }

    /// Returns the buildings, by number.
    pub(super) fn buildings(&self) -> &[ObjectId] {
        &self.buildings
    }

    /// Returns the agent.
    pub(super) fn agent(&self) -> Option<ObjectId> {
        self.agent
    }
}

/// Returns whether the name belongs to the second table.
fn is_specific(name: &str, colors: &[Arc<str>]) -> bool {
    SPECIFIC_NAMES.contains(&name)
        || name.rsplit_once('_').is_some_and(|(_, last)| colors.iter().any(|color| **color == *last))
}

/// Returns the number at the end of a building's identifier, by which buildings are ordered.
fn building_number(id: &str) -> Option<u32> {
    id.strip_prefix("building_")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::worlds;

    /// Returns the authors' tables, or `None` with a printed note if the conformance data is absent.
    fn published() -> Option<Value> {
        let path = goalspec_testing::conformance::folder("game")?.join("expected/room_objects.json");
        let text = std::fs::read_to_string(path).expect("the tables can be read");
        Some(serde_json::from_str(&text).expect("the tables are JSON"))
    }

    fn members<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
        value[name].as_object().expect("an object").iter()
    }

    #[test]
    fn tables_list_the_entries_of_the_authors_in_their_order() {
        let Some(published) = published() else { return };
        for (room, lists) in members(&published, "rooms") {
            let tables = Tables::new(worlds::builtin(room).expect("a room"));
            let listed = |objects: &[ObjectId]| objects.iter().map(|object| &**tables.id(*object)).collect::<Value>();
            for (name, objects) in members(lists, "types") {
                assert_eq!(&listed(&tables.main[&**name]), objects, "{name} in {room}");
                assert!(tables.is_type_name(name) != NAMED_OBJECTS.contains(&&**name), "{name}");
            }
            for (name, objects) in &tables.main {
                let known = lists["types"].get(&**name).is_some() || **name == *BUILDING;
                assert!(known || objects.is_empty(), "{name} in {room}");
            }
            for (name, objects) in members(lists, "specific_names") {
                assert_eq!(&listed(&tables.specific[&**name]), objects, "{name} in {room}");
                assert!(!tables.main.contains_key(&**name), "{name}");
            }
        }
    }

    #[test]
    fn type_names_of_every_room_are_known_in_each() {
        let Some(published) = published() else { return };
        for room in worlds::names() {
            let tables = Tables::new(worlds::builtin(room).expect("a room"));
            for (_, lists) in members(&published, "rooms") {
                for (name, _) in members(lists, "types") {
                    assert!(tables.is_type_name(name) || NAMED_OBJECTS.contains(&&**name), "{name} in {room}");
                }
            }
        }
    }

    #[test]
    fn the_containers_are_those_of_the_authors() {
        let Some(published) = published() else { return };
        let mut found: Vec<String> = worlds::names()
            .flat_map(|room| {
                let tables = Tables::new(worlds::builtin(room).expect("a room"));
                let containers = tables.containers.iter().map(|object| tables.id(*object).to_string());
                containers.collect::<Vec<_>>()
            })
            .collect();
        found.sort();
        found.dedup();
        assert_eq!(Value::from(found), published["container_ids_for_in"]);
    }
}
