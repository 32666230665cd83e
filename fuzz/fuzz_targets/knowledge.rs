//! The libFuzzer target of [`goalspec_fuzz::knowledge`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::knowledge::run(bytes));
