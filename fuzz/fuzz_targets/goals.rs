//! The libFuzzer target of [`goalspec_fuzz::goals`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::goals::run(bytes));
