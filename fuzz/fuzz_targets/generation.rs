//! The libFuzzer target of [`goalspec_fuzz::generation`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::generation::run(bytes));
