//! Differential tests of the fast engine and the interpreter on generated games, goals and plays.

use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    // The environment may set a higher number of cases.
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(2000),
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_fast_engine_agrees_with_the_interpreter(bytes in vec(any::<u8>(), 0..1500)) {
        if let Err(difference) = goalspec_testing::engines_agree(&bytes) {
            prop_assert!(false, "{difference}");
        }
    }

    #[test]
    fn goals_are_the_same_in_every_way_of_running_them(bytes in vec(any::<u8>(), 0..1000)) {
        if let Err(difference) = goalspec_testing::goals_agree(&bytes) {
            prop_assert!(false, "{difference}");
        }
    }

    #[test]
    fn recorded_progress_is_that_of_every_binding_by_itself(bytes in vec(any::<u8>(), 0..1500)) {
        if let Err(difference) = goalspec_testing::lanes_agree(&bytes) {
            prop_assert!(false, "{difference}");
        }
    }
}
