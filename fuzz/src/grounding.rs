//! Ground tasks behave like the planning tasks that they were grounded from.

/// Tries one input.
pub fn run(bytes: &[u8]) {
    if let Err(difference) = goalspec_testing::grounding_agrees(bytes) {
        panic!("{difference}");
    }
}
