//! The libFuzzer target of [`goalspec_fuzz::expressions`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::expressions::run(bytes));
