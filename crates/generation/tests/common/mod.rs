//! The published games as trees.

use std::path::PathBuf;

use goalspec_game::ast::Game;
use goalspec_game::{parse, worlds};
use goalspec_generation::game::GameGrammar;
use goalspec_generator::grammar::Tokens;
use goalspec_generator::tree::Tree;

/// A corpus of games with its grammar.
pub(crate) struct Corpus {
    pub(crate) tokens: Tokens,
    pub(crate) games: GameGrammar,
    /// The name and the tree of each game.
    pub(crate) trees: Vec<(String, Tree)>,
}

/// Returns the folder of recorded figures of the generation of games.
pub(crate) fn figures() -> Option<PathBuf> {
    goalspec_testing::conformance::folder("generate")
}

/// Returns the syntax trees of the games of published files.
pub(crate) fn games(files: &[&str]) -> Option<Vec<Game>> {
    let folder = goalspec_testing::conformance::folder("game")?.join("corpora");
    let parsed = files.iter().flat_map(|file| {
        let text = std::fs::read_to_string(folder.join(file)).expect("a published file");
        parse::parse(&goalspec_testing::texts::source(file, &text)).games
    });
    Some(parsed.collect())
}

/// Returns the games of published files as trees.
pub(crate) fn corpus(files: &[&str]) -> Option<Corpus> {
    let parsed = self::games(files)?;
    let mut tokens = Tokens::default();
    let games = GameGrammar::new(worlds::builtin("many-objects-room-v1").expect("a room"), &mut tokens);
    let tree = |game: Game| {
        let tree = games.read(&game, &mut tokens).expect("a game of the published grammar");
        (game.name.text.to_string(), tree)
    };
    let trees = parsed.into_iter().map(tree).collect();
    Some(Corpus { tokens, games, trees })
}

/// Returns the 98 games of the published corpus.
pub(crate) fn published() -> Option<Corpus> {
    corpus(&["interactive-beta.pddl"])
}

/// Reads a JSON file of recorded figures.
pub(crate) fn json(name: &str) -> Option<serde_json::Value> {
    let text = std::fs::read_to_string(figures()?.join(name)).expect("a recorded file");
    Some(serde_json::from_str(&text).expect("JSON"))
}

/// Reads a file of recorded figures with one JSON value per line, possibly compressed.
pub(crate) fn json_lines(name: &str) -> Option<Vec<serde_json::Value>> {
    let text = text(name)?;
    Some(text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

/// Reads a file of recorded figures, possibly compressed.
pub(crate) fn text(name: &str) -> Option<String> {
    let bytes = std::fs::read(figures()?.join(name)).expect("a recorded file");
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut text).expect("gzip");
    } else {
        text = String::from_utf8(bytes).expect("UTF-8");
    }
    Some(text)
}
