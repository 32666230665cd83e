//! The fast engine and the interpreter say the same of any game and any states.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(difference) = goalspec_testing::engines_agree(bytes) {
        panic!("{difference}");
    }
});
