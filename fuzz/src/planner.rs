//! Searches of every kind solve planning tasks as going through all states does, and their plans pass the validator.

/// Tries one input.
pub fn run(bytes: &[u8]) {
    if let Err(difference) = goalspec_testing::searches_agree(bytes) {
        panic!("{difference}");
    }
}
