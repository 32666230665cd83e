//! Every way of running a goal says the same of any goal and any states.

/// Tries one input.
pub fn run(bytes: &[u8]) {
    if let Err(difference) = goalspec_testing::goals_agree(bytes) {
        panic!("{difference}");
    }
}
