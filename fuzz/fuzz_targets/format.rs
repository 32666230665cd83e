//! The libFuzzer target of [`goalspec_fuzz::format`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::format::run(bytes));
