//! All searches agree with exhaustive enumeration of the states of a planning task, and their plans pass the validator.

/// Tries one input.
pub fn run(bytes: &[u8]) {
    if let Err(difference) = goalspec_testing::searches_agree(bytes) {
        panic!("{difference}");
    }
}
