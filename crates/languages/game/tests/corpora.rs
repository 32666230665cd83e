//! The published programs: all of them are read without an error.

mod common;

use goalspec_game::parse;

#[test]
fn every_published_program_is_read_without_an_error() {
    let Some(programs) = common::programs() else { return };
    let mut games = 0;
    let mut errors = Vec::new();
    for (path, text) in programs {
        let source = common::source(&path.display().to_string(), &text);
        let parsed = parse::parse(&source);
        games += parsed.games.len();
        errors.extend(common::errors(&source, &parsed.diagnostics));
        for game in &parsed.games {
            assert!(game.scoring.is_some() && !game.constraints.is_empty(), "{} {}", path.display(), game.name.text);
        }
    }
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(games, 98 + 100 + 26);
}
