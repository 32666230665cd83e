//! The libFuzzer target of [`goalspec_fuzz::trace`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::trace::run(bytes));
