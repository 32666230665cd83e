//! All engines agree on any goal and any states.

/// Tries one input.
pub fn run(bytes: &[u8]) {
    if let Err(difference) = goalspec_testing::goals_agree(bytes) {
        panic!("{difference}");
    }
}
