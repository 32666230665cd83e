//! The recordings of the Cage engine, and the sample games it played.

use goalspec_resource::game::Game;
use goalspec_rgg::Dialect;
use goalspec_syntax::Sources;
use goalspec_testing::conformance;

/// Returns the text of a recording, if present.
pub(crate) fn recorded(path: &str) -> Option<String> {
    let path = conformance::folder("rgg")?.join(path);
    Some(std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Returns a sample game in the dialect of the Cage engine.
pub(crate) fn game(name: &str) -> Option<Game> {
    let text = recorded(&format!("games/{name}"))?;
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    let read = goalspec_rgg::load(sources.file(id), Dialect::CAGE, &[]);
    Some(read.game.unwrap_or_else(|| panic!("{name}: {:?}", read.diagnostics)))
}
