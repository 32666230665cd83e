//! The libFuzzer target of [`goalspec_fuzz::replies`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::replies::run(bytes));
