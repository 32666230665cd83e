//! Searches on generated tasks with quantifiers, rules, conditional effects, numbers and zero-cost operators.

use goalspec_testing::choices::Choices;
use goalspec_testing::planning::any_task;
use goalspec_testing::planning::grounding::text;
use goalspec_testing::planning::searches::{explore, searches_agree};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..1000)
}

#[test]
fn tasks_that_take_steps_and_tasks_without_a_plan_are_tried() {
    let (mut runner, mut solved, mut unsolvable) = (TestRunner::deterministic(), 0, 0);
    for _ in 0..100 {
        let known = explore(&any_task(&mut Choices::new(&bytes().new_tree(&mut runner).unwrap().current())));
        solved += usize::from(known.min_steps.is_some_and(|steps| steps > 1));
        unsolvable += usize::from(known.complete && known.min_steps.is_none() && known.states > 3);
    }
    assert!(solved > 8 && unsolvable > 3, "{solved} {unsolvable}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, max_shrink_iters: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_search_solves_generated_tasks_as_going_through_all_states_does(
        bytes in bytes(),
    ) {
        let task = any_task(&mut Choices::new(&bytes));
        searches_agree(&task).map_err(|error| TestCaseError::fail(format!("{error}\n{}", text(&task))))?;
    }
}
