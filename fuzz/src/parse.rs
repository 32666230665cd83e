//! Any text is parsed without panic into a lossless tree, and all diagnostics can be rendered.

use goalspec::game;
use goalspec::syntax::explain::CodeTable;
use goalspec::syntax::render::{Context, OutputFormat, render};
use goalspec::syntax::{Sources, sexp};

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut sources = Sources::new();
    let id = sources.add("fuzz", text);
    let tree = sexp::parse(sources.get(id));
    assert_eq!(tree.tree.text(), text);
    let parsed = game::parse::parse(sources.get(id));
    let codes = CodeTable::new([game::codes::ALL]);
    for format in OutputFormat::ALL {
        render(format, &parsed.diagnostics, Context { sources: &sources, codes: &codes, color: false });
    }
}
