//! The libFuzzer target of [`goalspec_fuzz::check`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::check::run(bytes));
