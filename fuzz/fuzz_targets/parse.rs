//! Any bytes: the parser must not panic.
#![no_main]
use libfuzzer_sys::fuzz_target;
fuzz_target!(|text: &str| {
    let mut sources = goalspec_syntax::Sources::new();
    let id = sources.add("fuzz", text);
    assert_eq!(sources.get(id).text(), text);
    if text.starts_with("abc") { sources.get(id).line_column(2); }
});
