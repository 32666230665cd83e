//! Any program can be checked and described, and the result of applying fixes can be checked again.

use goalspec::game::describe::LtlSyntax;
use goalspec::game::{Dialect, check, describe};
use goalspec::syntax::diagnostic::Applicability;
use goalspec::syntax::{Sources, fix};

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut sources = Sources::new();
    let id = sources.add("fuzz", text);
    let dialect = if bytes.len().is_multiple_of(2) { Dialect::FORMAL } else { Dialect::PROSE };
    let checked = check(sources.file(id), dialect, |_| None);
    for game in &checked.games {
        if let Some(world) = game.world {
            describe::english(&game.ast, world, dialect);
            describe::ltl(&game.ast, dialect, LtlSyntax::Standard);
        }
    }
    let fixed = fix::apply(sources.file(id), &checked.diagnostics, Applicability::Unsafe);
    let id = sources.add("fixed", fixed.text);
    check(sources.file(id), dialect, |_| None);
}
