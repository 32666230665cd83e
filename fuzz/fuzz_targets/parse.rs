//! Any text is read without panic, nothing of it is lost, and whatever is said about it can be shown.
#![no_main]

use goalspec::game;
use goalspec::syntax::explain::CodeTable;
use goalspec::syntax::render::{Context, OutputFormat, render};
use goalspec::syntax::{Sources, sexp};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut sources = Sources::new();
    let id = sources.add("fuzz", text);
    let tree = sexp::parse(sources.get(id));
    assert_eq!(tree.tree.text(), text);
    let parsed = game::parse::parse(sources.get(id));
    let codes = CodeTable::new([game::codes::ALL]);
    for format in OutputFormat::ALL {
        render(format, &parsed.diagnostics, Context { sources: &sources, codes: &codes, color: false });
    }
});
