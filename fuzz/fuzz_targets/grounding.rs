//! The libFuzzer target of [`goalspec_fuzz::grounding`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::grounding::run(bytes));
