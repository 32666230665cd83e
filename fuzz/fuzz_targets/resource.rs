//! The libFuzzer target of [`goalspec_fuzz::resource`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::resource::run(bytes));
