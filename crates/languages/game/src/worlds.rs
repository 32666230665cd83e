//! The built-in rooms of the language, described by the files `worlds/*.world.toml`, which are embedded in the library.

use std::sync::OnceLock;

use goalspec_core::world::World;
use goalspec_core::world::file::{self, codes};
use goalspec_syntax::suggest::did_you_mean;
use goalspec_syntax::{Diagnostic, SourceFile, Sources};

/// A built-in world file and its parsed world.
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

/// The base file that all rooms extend; it is not a world itself.
const BASE: (&str, &str) = ("room", include_str!("../worlds/room.world.toml"));

/// Returns the names of the built-in worlds, as they appear in `:domain`.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROOMS.iter().map(|room| room.name)
}

/// Returns the built-in world with this name. As in the authors' implementation, only the part before the first `-` is compared:
/// `medium` and `medium-objects-room-v1` denote the same room.
pub fn builtin(name: &str) -> Option<&'static World> {
    let room = ROOMS.iter().find(|room| first_part(room.name) == first_part(name))?;
    room.world.get_or_init(|| read(room).0).as_ref()
}

/// Returns the text of a built-in world file, for world files that extend it: one of [`names`], or `room`, the common base file.
pub fn builtin_source(name: &str) -> Option<&'static str> {
    let rooms = ROOMS.iter().map(|room| (room.name, room.text));
    rooms.chain([BASE]).find(|(known, _)| *known == name).map(|(_, text)| text)
}

/// Parses a world file that may extend a built-in file or a file that `include` finds by name. `include` returns the file name, for
/// diagnostics, and the text.
///
/// Included texts are added to `sources`, so that diagnostics can quote them.
pub fn parse(
    file: &SourceFile,
    sources: &mut Sources,
    include: &mut dyn FnMut(&str) -> Option<(String, String)>,
) -> (Option<World>, Vec<Diagnostic>) {
    let mut missing = None;
    let (world, mut diagnostics) = file::parse(file, &mut |name| {
        let shipped = builtin_source(name).map(|text| (format!("{name}.world.toml"), text.to_owned()));
        let Some((file, text)) = shipped.or_else(|| include(name)) else {
            missing = Some(name.to_owned());
            return None;
        };
        let id = sources.add(file, text);
        Some(sources.file(id).clone())
    });
    let found = diagnostics.iter_mut().find(|diagnostic| diagnostic.code == codes::CANNOT_EXTEND);
    if let Some((name, diagnostic)) = missing.zip(found) {
        let known = || names().chain([BASE.0]);
        let help = did_you_mean(&name, known()).unwrap_or_else(|| {
            let known: Vec<_> = known().map(|name| format!("`{name}`")).collect();
            format!(
                "built-in worlds: {}; other worlds are read from `{name}.world.toml` in the folder of this file",
                known.join(", ")
            )
        });
        diagnostic.help.push(help);
    }
    (world, diagnostics)
}

fn first_part(name: &str) -> &str {
    name.split_once('-').map_or(name, |(first, _)| first)
}

fn read(room: &Room) -> (Option<World>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let id = sources.add(format!("{}.world.toml", room.name), room.text);
    let file = sources.file(id).clone();
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
