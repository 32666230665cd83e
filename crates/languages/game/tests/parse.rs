//! Diagnostics of the parser for malformed programs.

mod common;

use goalspec_game::parse;

#[test]
fn findings_are_as_expected() {
    common::check(include_str!("cases/parse.txt"), |source| parse::parse(source).diagnostics);
}
