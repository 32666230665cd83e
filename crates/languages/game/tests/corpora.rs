//! The published programs are parsed without an error.

use goalspec_game::{Dialect, codes, parse, resolve, worlds};

use crate::common;

#[test]
fn every_published_program_is_read_without_an_error() {
    let Some(programs) = common::programs() else { return };
    let mut games = 0;
    let mut errors = Vec::new();
    for (path, text) in programs {
        let source = goalspec_testing::texts::source(&path.display().to_string(), &text);
        let parsed = parse::parse(&source);
        games += parsed.games.len();
        errors.extend(common::errors(&source, &parsed.diagnostics));
        for game in &parsed.games {
            assert!(game.is_complete() && !game.constraints.is_empty(), "{} {}", path.display(), game.name.text);
        }
    }
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(games, 98 + 100 + 26);
}

#[test]
fn every_name_of_the_published_programs_is_known_in_their_rooms() {
    let Some(programs) = common::programs() else { return };
    let mut errors = Vec::new();
    for (path, text) in programs {
        let source = goalspec_testing::texts::source(&path.display().to_string(), &text);
        for game in parse::parse(&source).games {
            let world = worlds::builtin(&game.domain.text).expect("the published programs play in the three rooms");
            let resolved = resolve::resolve(&game, world, Dialect::FORMAL);
            let mut diagnostics = resolved.diagnostics;
            // Recordings of the rooms do not contain the colour regions of the rug.
            diagnostics
                .retain(|finding| finding.code != codes::UNAVAILABLE || !finding.message.contains("rug_color_under"));
            errors.extend(common::errors(&source, &diagnostics));
        }
    }
    assert_eq!(errors, Vec::<String>::new());
}
