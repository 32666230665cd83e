//! The libFuzzer target of [`goalspec_fuzz::parse`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::parse::run(bytes));
