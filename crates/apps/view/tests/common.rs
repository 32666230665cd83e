//! A viewer of small inputs, shared by the tests.

use std::fs;
use std::path::{Path, PathBuf};

use goalspec::files::discover;
use goalspec::library::LibraryOptions;
use goalspec::rewards::score::ScoreOptions;
use goalspec::scoring::ScoringOptions;
use goalspec_view::Session;

/// Returns an example of the repository.
pub(crate) fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples").join(name)
}

/// Returns the viewer of the files at these paths.
pub(crate) fn session(paths: &[PathBuf]) -> Session {
    let (inputs, diagnostics) = discover(paths, &|| ());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    Session::new(inputs, LibraryOptions::default(), ScoringOptions::default(), ScoreOptions::default(), 50)
}

/// Returns the viewer of the example of a game.
pub(crate) fn throwing() -> Session {
    session(&[example("game/throw-to-bin.game"), example("game/play.jsonl")])
}

/// Returns the viewer of a game whose names, messages and file names contain markup.
pub(crate) fn markup(folder: &Path) -> Session {
    let game = fs::read_to_string(example("game/throw-to-bin.game")).unwrap();
    let program = folder.join("<img src=x onerror=alert(1)>.game");
    fs::write(&program, game.replace("(agent_holds ?d)", "(agent_holds ?\"><script>alert(1)</script>)")).unwrap();
    let trace = folder.join("a&b<b>.jsonl");
    fs::copy(example("game/play.jsonl"), &trace).unwrap();
    session(&[program, trace])
}
