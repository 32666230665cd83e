//! Ground tasks behave as the planning tasks that they were made of.

/// Tries one input.
pub fn run(bytes: &[u8]) {
    if let Err(difference) = goalspec_testing::grounding_agrees(bytes) {
        panic!("{difference}");
    }
}
