//! The built-in rooms, compared with recorded facts.

use std::collections::BTreeSet;
use std::path::PathBuf;

use goalspec_core::state::State;
use goalspec_core::world::World;
use goalspec_game::worlds;

/// Returns the folder with recorded facts about the language, if it is available.
fn conformance() -> Option<PathBuf> {
    goalspec_testing::conformance::folder("game")
}

fn ids<'w>(world: &'w World, type_name: &str) -> BTreeSet<&'w str> {
    let id = world.type_named(type_name).unwrap_or_else(|| panic!("{} has no type {type_name}", world.name()));
    world.members(id).iter().map(|&object| &*world.object_decl(object).id).collect()
}

#[test]
fn every_type_has_the_objects_that_it_has_in_the_authors_rooms() {
    let Some(folder) = conformance() else { return };
    let text = std::fs::read_to_string(folder.join("expected/room_objects.json")).unwrap();
    let recorded: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (room, tables) in recorded["rooms"].as_object().unwrap() {
        let world = worlds::builtin(room).unwrap();
        for table in ["types", "specific_names"] {
            for (type_name, objects) in tables[table].as_object().unwrap() {
                let objects: BTreeSet<&str> =
                    objects.as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
                assert_eq!(ids(world, type_name), objects, "{type_name} in {room}");
            }
        }
    }
}

#[test]
fn every_room_knows_the_same_words() {
    let words = |world: &World| -> (BTreeSet<String>, BTreeSet<String>, BTreeSet<String>) {
        (
            world.types().iter().map(|decl| decl.name.to_string()).collect(),
            world.predicates().iter().map(|decl| decl.name.to_string()).collect(),
            world.program_names().map(|(name, _)| name.to_owned()).collect(),
        )
    };
    let rooms: Vec<_> = worlds::names().map(|name| worlds::builtin(name).unwrap()).collect();
    for room in &rooms[1..] {
        assert_eq!(words(room), words(rooms[0]));
    }
    // A type without objects in this room is still a type.
    assert!(ids(rooms[0], "golfball_green").is_empty());
}

#[test]
fn the_objects_that_games_name_are_there() {
    let names = "agent bed desk door floor main_light_switch mirror room_center rug side_table bottom_drawer bottom_shelf \
                 east_sliding_door east_wall north_wall south_wall top_drawer top_shelf west_sliding_door west_wall blue \
                 upright front";
    for room in worlds::names() {
        let world = worlds::builtin(room).unwrap();
        for name in names.split_whitespace() {
            let object = world.object_named(name).unwrap_or_else(|| panic!("{room} has no {name}"));
            assert!(world.is_a(object, world.type_named(name).unwrap()), "{name} in {room}");
        }
    }
}

#[test]
fn only_objects_missing_from_recordings_are_present_before_they_begin() {
    let world = worlds::builtin("few").unwrap();
    let state = State::new(world);
    let present = |name: &str| state.is_present(world.object_named(name).unwrap());
    assert!(present("north_wall") && present("rug") && present("blue"));
    assert!(!present("agent") && !present("bed"));
}

#[test]
fn colliders_stand_for_their_objects() {
    let world = worlds::builtin("many").unwrap();
    for (collider, id) in [
        ("FPSController", "agent"),
        ("FP326:StandardDoor1.019", "door"),
        ("HighFrictionTrigger", "rug"),
        ("FP326:Rug", "rug"),
    ] {
        assert_eq!(&*world.object_decl(world.object_with_recorded_name(collider).unwrap()).id, id);
    }
    let wall = world.object_with_recorded_name("FP326:StandardWallSize.021").unwrap();
    assert!(world.is_a(wall, world.type_named("collider").unwrap()));
}

#[test]
fn opposite_walls_cover_the_same_stretch() {
    let world = worlds::builtin("few").unwrap();
    let state = State::new(world);
    let [center, extents] = ["center", "extents"].map(|name| world.attribute_named(name).unwrap());
    let extent = |wall: &str, axis: usize| {
        let wall = world.object_named(wall).unwrap();
        (state.vec3(center, wall).unwrap()[axis], state.vec3(extents, wall).unwrap()[axis])
    };
    assert_eq!(extent("east_wall", 2), extent("west_wall", 2));
    assert_eq!(extent("north_wall", 0), extent("south_wall", 0));
}

#[test]
fn the_color_of_the_rug_is_not_invented() {
    use goalspec_core::world::operation::PredicateDefinition;
    let world = worlds::builtin("few").unwrap();
    let meaning = &world.predicate(world.predicate_named("rug_color_under").unwrap()).definition;
    assert!(matches!(meaning, PredicateDefinition::Unavailable(_)));
}
