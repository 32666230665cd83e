//! The fast engine says what the interpreter says, on generated games and plays.

use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, max_shrink_iters: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn the_fast_engine_agrees_with_the_interpreter(bytes in vec(any::<u8>(), 0..1500)) {
        if let Err(difference) = goalspec_testing::engines_agree(&bytes) {
            prop_assert!(false, "{difference}");
        }
    }
}
