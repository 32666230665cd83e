//! Parsing of case files, whose format `suite/README.md` describes.

use goalspec_game::Dialect;

/// A test case.
pub(crate) struct Case {
    pub(crate) title: String,
    /// The text of a whole game.
    pub(crate) game: String,
    /// The dialect in which it is read.
    pub(crate) dialect: Dialect,
    pub(crate) states: Vec<String>,
    pub(crate) expect: Vec<String>,
    pub(crate) diagnostics: Vec<String>,
}

/// Returns the cases of a file.
///
/// # Panics
/// If the format of the file is invalid.
pub(crate) fn read(file: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut block: Option<(&str, Vec<String>)> = None;
    for line in text.lines() {
        if let Some((kind, lines)) = &mut block {
            if line != "```" {
                lines.push(line.to_owned());
                continue;
            }
            let case = cases.last_mut().unwrap_or_else(|| panic!("{file}: a block before the first case"));
            let lines = std::mem::take(lines);
            let target = match *kind {
                "game" | "game empty-holds" => {
                    assert!(case.game.is_empty(), "{file}: {}: two games", case.title);
                    case.dialect = if *kind == "game" { Dialect::FORMAL } else { Dialect::PROSE };
                    case.game = whole_game(&lines.join("\n"));
                    block = None;
                    continue;
                }
                "states" => &mut case.states,
                "expect" => &mut case.expect,
                "diagnostics" => &mut case.diagnostics,
                other => panic!("{file}: {}: unknown block `{other}`", case.title),
            };
            assert!(target.is_empty(), "{file}: {}: two blocks `{kind}`", case.title);
            *target = lines;
            block = None;
        } else if let Some(kind) = line.strip_prefix("```") {
            block = Some((kind, Vec::new()));
        } else if let Some(title) = line.strip_prefix("## ") {
            cases.push(Case {
                title: title.to_owned(),
                game: String::new(),
                dialect: Dialect::FORMAL,
                states: Vec::new(),
                expect: Vec::new(),
                diagnostics: Vec::new(),
            });
        }
    }
    assert!(block.is_none(), "{file}: a block without end");
    for case in &cases {
        assert!(!case.game.is_empty(), "{file}: {}: no game", case.title);
        let says_something = !case.expect.is_empty() || !case.diagnostics.is_empty();
        assert!(says_something, "{file}: {}: expects nothing", case.title);
    }
    cases
}

/// Returns a game that consists of the sections, or the text itself if it is a whole game.
pub(crate) fn whole_game(text: &str) -> String {
    if text.trim_start().starts_with("(define") {
        text.to_owned()
    } else {
        format!("(define (game case) (:domain toy)\n{text})")
    }
}
