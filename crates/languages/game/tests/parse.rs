//! Diagnostics of the parser for malformed programs.

use goalspec_game::parse;

use crate::common;

#[test]
fn findings_are_as_expected() {
    common::check(include_str!("cases/parse.txt"), |source| parse::parse(source).diagnostics);
}
