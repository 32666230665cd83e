//! Layout of programs.

use goalspec_game::{format, parse};
use goalspec_testing::texts;

use crate::common;

/// Asserts the layout of a program. Formatting must be idempotent and must not change the AST.
fn check(program: &str, expected: &str) {
    let source = texts::source("case", program);
    let formatted_source = texts::assert_layout(&source, format::format);
    let formatted = formatted_source.text();
    assert_eq!(formatted, expected, "\nformatted:\n{formatted}\nexpected:\n{expected}");
    assert_eq!(parse::parse(&source).games, parse::parse(&formatted_source).games, "formatting keeps the meaning");
}

#[test]
fn layouts_are_as_expected() {
    for (program, expected) in texts::layout_cases(include_str!("cases/format.txt")) {
        check(program, &expected);
    }
}

#[test]
fn empty_texts_stay_empty() {
    check("", "");
    check(" \n\r\n ", "");
    check("\u{feff}; only a comment", "; only a comment\n");
}

#[test]
fn published_programs_keep_their_meaning_and_their_comments() {
    let Some(programs) = common::programs() else { return };
    for (path, text) in programs {
        let name = path.display().to_string();
        let source = texts::source(&name, &text);
        let formatted_source = texts::assert_layout(&source, format::format);
        let formatted = formatted_source.text();
        let (before, after) = (parse::parse(&source), parse::parse(&formatted_source));
        for (before, after) in before.games.iter().zip(&after.games) {
            assert_eq!(before, after, "{name}: {}", before.name.text);
        }
        assert_eq!(before.games.len(), after.games.len(), "{name}");
        let comments = |text: &str| {
            text.lines().filter_map(|line| Some(line.split_once(';')?.1.trim_end().to_owned())).collect::<Vec<_>>()
        };
        assert_eq!(comments(&text), comments(formatted), "{name}: comments are kept, in order");
        let long = formatted
            .lines()
            .find(|line| line.split(';').next().unwrap_or_default().trim_end().chars().count() > format::WIDTH);
        assert_eq!(long, None, "{name}: lines fit");
    }
}

#[test]
fn differences_are_shown_as_a_diff() {
    assert_eq!(format::diff("a.game", "same\n", "same\n"), None);
    let diff = format::diff("a.game", "(a  b)\n", "(a b)\n").expect("there is a difference");
    assert_eq!(diff, "--- a.game\n+++ a.game (formatted)\n@@ -1 +1 @@\n-(a  b)\n+(a b)\n");
}
