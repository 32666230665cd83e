//! The libFuzzer target of [`goalspec_fuzz::editor`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::editor::run(bytes));
