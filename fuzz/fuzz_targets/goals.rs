//! Every way of running a goal says the same of any goal and any states.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(difference) = goalspec_testing::goals_agree(bytes) {
        panic!("{difference}");
    }
});
