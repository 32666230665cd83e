//! What the Cage engine recorded, and the sample games that it played.

use goalspec_core::resource::game::Game;
use goalspec_rgg::Dialect;
use goalspec_syntax::Sources;
use goalspec_testing::conformance;

/// The text of a recording, where these are present.
pub(crate) fn recorded(path: &str) -> Option<String> {
    let path = conformance::folder("rgg")?.join(path);
    Some(std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// A sample game, as the Cage engine reads it.
pub(crate) fn game(name: &str) -> Option<Game> {
    let text = recorded(&format!("games/{name}"))?;
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    let read = goalspec_rgg::read(sources.get(id), Dialect::CAGE, &[]);
    Some(read.game.unwrap_or_else(|| panic!("{name}: {:?}", read.diagnostics)))
}
