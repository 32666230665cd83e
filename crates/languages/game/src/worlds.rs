//! The rooms the language was made for.
//!
//! Everything about them is in `worlds/*.world.toml`, which are built into the library.

use std::sync::OnceLock;

use goalspec_core::world::{World, file};
use goalspec_syntax::{Diagnostic, SourceFile, Sources};

/// A room with its description.
struct Room {
    name: &'static str,
    text: &'static str,
    world: OnceLock<Option<World>>,
}

macro_rules! rooms {
    ($($name:literal),*) => {
        [$(Room {
            name: $name,
            text: include_str!(concat!("../worlds/", $name, ".world.toml")),
            world: OnceLock::new(),
        }),*]
    };
}

static ROOMS: [Room; 3] = rooms!["few-objects-room-v1", "medium-objects-room-v1", "many-objects-room-v1"];

/// What all rooms share; no world of its own.
const BASE: (&str, &str) = ("room", include_str!("../worlds/room.world.toml"));

/// The names of the built-in worlds, as the `:domain` of games gives them.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROOMS.iter().map(|room| room.name)
}

/// The built-in world of this name. As in the authors' implementation, the part before the first `-` decides: `medium` and
/// `medium-objects-room-v1` are the same room.
pub fn builtin(name: &str) -> Option<&'static World> {
    let room = ROOMS.iter().find(|room| first_part(room.name) == first_part(name))?;
    room.world.get_or_init(|| read(room).0).as_ref()
}

/// The text of a built-in world file, for files that extend it: one of [`names`], or `room`, which all of them extend.
pub fn source(name: &str) -> Option<&'static str> {
    let rooms = ROOMS.iter().map(|room| (room.name, room.text));
    rooms.chain([BASE]).find(|(known, _)| *known == name).map(|(_, text)| text)
}

/// Reads a world file that may extend a built-in one, or one that `include` finds by name.
///
/// Texts that are read on the way are added to `sources`, so that diagnostics can show them.
pub fn parse(
    file: &SourceFile,
    sources: &mut Sources,
    include: &mut dyn FnMut(&str) -> Option<String>,
) -> (Option<World>, Vec<Diagnostic>) {
    file::parse(file, &mut |name| {
        let text = source(name).map(str::to_owned).or_else(|| include(name))?;
        let id = sources.add(format!("{name}.world.toml"), text);
        Some(sources.get(id).clone())
    })
}

fn first_part(name: &str) -> &str {
    name.split_once('-').map_or(name, |(first, _)| first)
}

fn read(room: &Room) -> (Option<World>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let id = sources.add(format!("{}.world.toml", room.name), room.text);
    let file = sources.get(id).clone();
    parse(&file, &mut sources, &mut |_| None)
}

#[cfg(test)]
mod tests {
    use super::{ROOMS, builtin, names, read};

    #[test]
    fn rooms_are_without_diagnostics() {
        for room in &ROOMS {
            let (world, diagnostics) = read(room);
            assert_eq!(diagnostics, [], "{}", room.name);
            assert!(world.is_some());
        }
    }

    #[test]
    fn rooms_are_found_by_their_whole_name_or_its_first_part() {
        for name in names() {
            assert_eq!(builtin(name).unwrap().name(), name);
        }
        assert_eq!(builtin("few").unwrap().name(), "few-objects-room-v1");
        assert_eq!(builtin("many-objects-room-v2").unwrap().name(), "many-objects-room-v1");
        assert!(builtin("kitchen").is_none() && builtin("").is_none() && builtin("fewer").is_none());
    }
}
