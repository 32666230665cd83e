//! Any text is parsed without panic into a lossless tree, and all diagnostics can be rendered.

use goalspec::game;
use goalspec::syntax::code_table::CodeTable;
use goalspec::syntax::render::{OutputFormat, RenderContext, render};
use goalspec::syntax::{Sources, sexp};

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut sources = Sources::new();
    let id = sources.add("fuzz", text);
    let tree = sexp::parse(sources.file(id));
    assert_eq!(tree.tree.text(), text);
    let parsed = game::parse::parse(sources.file(id));
    let codes = CodeTable::new([game::codes::ALL]);
    for format in OutputFormat::ALL {
        render(format, &parsed.diagnostics, RenderContext { sources: &sources, codes: &codes, color: false });
    }
}
