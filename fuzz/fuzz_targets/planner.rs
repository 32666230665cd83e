//! [`goalspec_fuzz::planner`] on inputs that libFuzzer searches for.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::planner::run(bytes));
