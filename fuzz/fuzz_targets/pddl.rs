//! The libFuzzer target of [`goalspec_fuzz::pddl`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| goalspec_fuzz::pddl::run(bytes));
