//! Formatting is idempotent, and preserves the meaning of a valid program.

use goalspec::game::format::format;
use goalspec::game::parse::{ParseResult, parse};
use goalspec::syntax::{Diagnostic, Sources};

fn read(text: &str) -> (ParseResult, String) {
    let mut sources = Sources::new();
    let id = sources.add("fuzz", text);
    (parse(sources.file(id)), format(sources.file(id)))
}

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let (before, formatted) = read(text);
    let (after, reformatted) = read(&formatted);
    assert_eq!(formatted, reformatted, "formatting is not stable");
    if !before.diagnostics.iter().any(Diagnostic::is_error) {
        assert_eq!(before.games, after.games, "formatting changed the program");
    }
}
