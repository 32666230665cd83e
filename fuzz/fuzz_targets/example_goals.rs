//! The libFuzzer target of [`goalspec_fuzz::example_goals`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::example_goals::run(bytes));
