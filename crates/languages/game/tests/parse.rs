//! What the parser says about programs that are not as they should be.

mod common;

use goalspec_game::parse;

#[test]
fn findings_are_as_expected() {
    common::check(include_str!("cases/parse.txt"), |source| parse::parse(source).diagnostics);
}
