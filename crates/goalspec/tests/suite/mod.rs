//! The cases of `suite/`, and the other tests that apply to every engine.
//!
//! | module | contents |
//! |---|---|
//! | `engines` | the list of engines under test |
//! | `case` | parsing of case files |
//! | `play` | the notation of states, and their playback |
//! | `temporal_logic` | the formulas of `describe --ltl`, compared with the engines |
//! | `show` | reports in the notation of expectations |
//! | `core_cases` | cases as core programs, for features that no language has yet |
//! | `published` | sequences with published satisfactions |

mod case;
mod core_cases;
mod engines;
mod play;
mod published;
mod show;
mod temporal_logic;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use goalspec_core::program::Game;
use goalspec_core::world::World;
use goalspec_game::Dialect;
use goalspec_syntax::{Diagnostic, Severity, Sources};

use case::Case;

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

static TOY: LazyLock<World> = LazyLock::new(|| {
    let mut sources = Sources::new();
    let text = std::fs::read_to_string(root().join("suite/toy.world.toml")).expect("the suite has a world");
    let id = sources.add("toy.world.toml", text);
    let (world, diagnostics) = goalspec_core::world::file::parse(sources.file(id), &mut |_| None);
    assert_eq!(diagnostics, [], "the suite's world is without diagnostics");
    world.expect("a world without errors")
});

/// Parses and lowers a game. Diagnostics are returned as lines in the notation of cases.
fn load(text: &str, dialect: Dialect) -> (Option<Game>, Vec<String>) {
    let mut sources = Sources::new();
    let id = sources.add("case", text);
    let source = sources.file(id);
    let mut parsed = goalspec_game::parse::parse(source);
    let mut diagnostics = std::mem::take(&mut parsed.diagnostics);
    let mut game = None;
    if let [only] = &parsed.games[..] {
        let resolved = goalspec_game::resolve::resolve(only, &TOY, dialect);
        diagnostics.extend(resolved.diagnostics);
        game = resolved.game.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    }
    let line = |diagnostic: &Diagnostic| {
        let severity = if diagnostic.is_error() { "error" } else { "warning" };
        let text = diagnostic.span.map_or("", |span| &source.text()[span.start as usize..span.end as usize]);
        format!("{severity} {} `{text}`", diagnostic.code)
    };
    let serious = diagnostics.iter().filter(|diagnostic| diagnostic.severity > Severity::Note);
    (game, serious.map(line).collect())
}

/// Returns the failed expectations of a case, for each engine.
fn check(case: &Case) -> Vec<String> {
    let (game, diagnostics) = load(&case.game, case.dialect);
    if diagnostics != case.diagnostics {
        return vec![format!("diagnostics are\n{}", diagnostics.join("\n"))];
    }
    match game {
        Some(game) => play::check(&TOY, &game, &case.states, &case.expect),
        None if case.expect.is_empty() => Vec::new(),
        None => vec!["there is no game to play".to_owned()],
    }
}

#[test]
fn every_case_holds_on_every_engine() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("suite"))
        .expect("there is a suite")
        .map(|entry| entry.expect("the suite can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md") && !path.ends_with("README.md"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut failures = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a case file is text");
        let name = file.file_name().expect("a file has a name").to_string_lossy().into_owned();
        for case in case::read(&name, &text) {
            failures.extend(check(&case).iter().map(|failure| format!("{name}: {}: {failure}", case.title)));
        }
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n\n"));
}
