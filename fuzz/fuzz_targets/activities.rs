//! The libFuzzer target of [`goalspec_fuzz::activities`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::activities::run(bytes));
