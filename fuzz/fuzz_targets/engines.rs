//! The libFuzzer target of [`goalspec_fuzz::engines`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::engines::run(bytes));
