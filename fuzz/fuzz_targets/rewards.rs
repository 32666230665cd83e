//! [`goalspec_fuzz::rewards`] on inputs that libFuzzer searches for.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::rewards::run(bytes));
