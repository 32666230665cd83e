//! The fast engine and the interpreter agree on any game and any states.

/// Tries one input.
pub fn run(bytes: &[u8]) {
    if let Err(difference) = goalspec_testing::engines_agree(bytes) {
        panic!("{difference}");
    }
}
