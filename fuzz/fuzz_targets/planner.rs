//! The libFuzzer target of [`goalspec_fuzz::planner`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::planner::run(bytes));
