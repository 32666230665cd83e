//! The libFuzzer target of [`goalspec_fuzz::rewards`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::rewards::run(bytes));
