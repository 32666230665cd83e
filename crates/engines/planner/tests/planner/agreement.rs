//! Searches and heuristics on random small tasks, compared with exhaustive search.

use std::sync::atomic::AtomicBool;

use crate::common::{Space, bytes, from_state, least_cost, random_task, replay};
use goalspec_planner::ground_task::{Fact, GroundTask, ValueSource};
use goalspec_planner::{
    Algorithm, CostType, HeuristicKind, Objective, Proof, SearchConfiguration, SearchControl, SearchLimits,
    SearchOutcome, SearchTask, initial_estimate, plan, prune_operators, search,
};
use goalspec_testing::planning::searches::configurations;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// All heuristics.
const KINDS: [HeuristicKind; 9] = [
    HeuristicKind::Blind,
    HeuristicKind::GoalCount,
    HeuristicKind::OrderedGoalCount,
    HeuristicKind::Max,
    HeuristicKind::Add,
    HeuristicKind::FastForward,
    HeuristicKind::LandmarkCount,
    HeuristicKind::LandmarkCut,
    HeuristicKind::SaturatedCostPartitioning,
];

/// The consistent heuristics.
const CONSISTENT: [HeuristicKind; 2] = [HeuristicKind::Blind, HeuristicKind::Max];

fn tries(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, max_shrink_iters: 2000, failure_persistence: None, ..ProptestConfig::default() }
}

fn configuration(algorithm: Algorithm, heuristics: &[HeuristicKind], cost_type: CostType) -> SearchConfiguration {
    SearchConfiguration {
        algorithm,
        heuristics: heuristics.to_vec(),
        preferred_operators: false,
        cost_type,
        work_limit: None,
    }
}

/// Returns a task without conditional effects, axioms and numbers. Derived variables keep their initial values.
fn without_conditions(mut task: GroundTask) -> GroundTask {
    for operator in &mut task.operators {
        operator.effects.iter_mut().for_each(|effect| effect.conditions.clear());
        operator.numeric_effects.clear();
    }
    task.variables.iter_mut().for_each(|variable| variable.source = ValueSource::Operators);
    task.axioms.clear();
    task.comparisons.clear();
    task.numeric_variables.clear();
    task
}

/// Returns several copies of a task side by side; the goal is that of all copies.
fn copied(task: &GroundTask, copies: u32) -> GroundTask {
    let mut all = GroundTask { cost_unit: task.cost_unit, ..GroundTask::default() };
    for copy in 0..copies {
        let shift = copy * task.variables.len() as u32;
        let moved = |fact: &Fact| Fact { variable: fact.variable + shift, ..*fact };
        all.variables.extend(task.variables.iter().cloned());
        all.initial.extend(&task.initial);
        all.goal.extend(task.goal.iter().map(moved));
        all.mutexes.extend(task.mutexes.iter().map(|group| group.iter().map(moved).collect::<Vec<_>>()));
        all.operators.extend(task.operators.iter().cloned().map(|mut operator| {
            operator.precondition.iter_mut().for_each(|fact| *fact = moved(fact));
            operator.effects.iter_mut().for_each(|effect| effect.fact = moved(&effect.fact));
            operator
        }));
    }
    all
}

fn outcome(task: &SearchTask, configuration: &SearchConfiguration) -> SearchOutcome {
    let cancelled = AtomicBool::new(false);
    let control = SearchControl::new(SearchLimits::default(), &cancelled, &|_| {});
    search(task, configuration, &control).unwrap().outcome
}

#[test]
fn tasks_with_and_without_a_plan_are_tried() {
    let (mut runner, mut solved, mut dead_ends) = (TestRunner::deterministic(), 0, 0);
    for _ in 0..400 {
        let task = random_task(&bytes().new_tree(&mut runner).unwrap().current());
        let least = Space::of(&task).least_costs(&task, false);
        solved += usize::from(least[0].is_some_and(|cost| cost > 0));
        dead_ends += usize::from(least[0].is_some() && least.contains(&None));
    }
    assert!(solved > 50 && dead_ends > 30, "{solved} solved, {dead_ends} with dead ends");
}

proptest! {
    #![proptest_config(tries(1000))]

    #[test]
    fn optimal_searches_find_the_least_cost(bytes in bytes()) {
        let task = random_task(&bytes);
        let compiled = SearchTask::new(&task);
        let expected = least_cost(&task, false);
        for kind in KINDS.into_iter().filter(|kind| kind.is_admissible()) {
            let found = match outcome(&compiled, &configuration(Algorithm::AStar { weight: 1 }, &[kind], CostType::Normal)) {
                SearchOutcome::Solved(solution) => {
                    prop_assert_eq!(replay(&task, &solution.operators), solution.cost);
                    Some(solution.cost)
                }
                SearchOutcome::Exhausted => None,
                other => panic!("{kind:?}: {other:?}"),
            };
            prop_assert_eq!(found, expected, "{:?}", kind);
        }
    }

    #[test]
    fn orbit_searches_of_independent_copies_find_the_summed_costs(bytes in bytes(), copies in 1..4u32) {
        let plain = without_conditions(random_task(&bytes));
        let expected = least_cost(&plain, false).map(|cost| cost * u64::from(copies));
        let task = copied(&plain, copies);
        let compiled = SearchTask::new(&task);
        let both = [HeuristicKind::SaturatedCostPartitioning, HeuristicKind::LandmarkCut];
        for heuristics in [&both[..], &both[1..], &[HeuristicKind::Blind]] {
            let found = match outcome(&compiled, &configuration(Algorithm::OrbitAStar, heuristics, CostType::Normal)) {
                SearchOutcome::Solved(solution) => {
                    prop_assert_eq!(replay(&task, &solution.operators), solution.cost);
                    Some(solution.cost)
                }
                SearchOutcome::Exhausted => None,
                other => panic!("{heuristics:?}: {other:?}"),
            };
            prop_assert_eq!(found, expected, "{:?}", heuristics);
        }
        let cancelled = AtomicBool::new(false);
        let control = SearchControl::new(SearchLimits::default(), &cancelled, &|_| {});
        let answer = plan(&compiled, Objective::Optimal, &control);
        prop_assert_eq!(answer.solution.map(|solution| solution.cost), expected);
    }

    #[test]
    fn cost_partitionings_are_admissible_in_every_state(bytes in bytes()) {
        let task = without_conditions(random_task(&bytes));
        let space = Space::of(&task);
        let estimate = |state| {
            let compiled = SearchTask::new(&from_state(&task, state));
            initial_estimate(&compiled, HeuristicKind::SaturatedCostPartitioning, CostType::Normal).map(u64::from)
        };
        for (state, least) in space.states.iter().zip(space.least_costs(&task, false)).take(20) {
            let found = estimate(state);
            let is_admissible = least.is_none_or(|least| found.is_some_and(|found| found <= least));
            prop_assert!(is_admissible, "{:?} for {:?} in {:?}", found, least, state);
        }
    }

    #[test]
    fn operators_that_are_removed_occur_in_no_cheapest_plan(bytes in bytes()) {
        let mut task = random_task(&bytes);
        task.operators.iter_mut().flat_map(|operator| &mut operator.effects).for_each(|effect| effect.conditions.clear());
        let expected = least_cost(&task, false);
        prune_operators(&mut task, u64::MAX);
        prop_assert_eq!(least_cost(&task, false), expected);
    }

    #[test]
    fn breadth_first_finds_the_fewest_operators(bytes in bytes()) {
        let task = random_task(&bytes);
        let expected = least_cost(&task, true);
        let compiled = SearchTask::new(&task);
        let found = match outcome(&compiled, &configuration(Algorithm::BreadthFirst, &[], CostType::One)) {
            SearchOutcome::Solved(solution) => {
                replay(&task, &solution.operators);
                Some(solution.operators.len() as u64)
            }
            SearchOutcome::Exhausted => None,
            other => panic!("{other:?}"),
        };
        prop_assert_eq!(found, expected);
        // Under unit costs, optimal searches find plans of the same length.
        let mut unit = task;
        unit.operators.iter_mut().for_each(|operator| operator.cost = 1);
        let compiled = SearchTask::new(&unit);
        for kind in KINDS.into_iter().filter(|kind| kind.is_admissible()) {
            match outcome(&compiled, &configuration(Algorithm::AStar { weight: 1 }, &[kind], CostType::Normal)) {
                SearchOutcome::Solved(solution) => prop_assert_eq!(Some(solution.cost), expected, "{:?}", kind),
                other => prop_assert_eq!((other, None), (SearchOutcome::Exhausted, expected), "{:?}", kind),
            }
        }
    }

    #[test]
    fn portfolios_give_plans_and_proofs(bytes in bytes()) {
        let task = random_task(&bytes);
        let compiled = SearchTask::new(&task);
        let expected = least_cost(&task, false);
        for aim in [Objective::Satisficing, Objective::Anytime, Objective::Optimal] {
            let cancelled = AtomicBool::new(false);
            let control = SearchControl::new(SearchLimits::default(), &cancelled, &|_| {});
            let answer = plan(&compiled, aim, &control);
            prop_assert_eq!(answer.stop_reason, None, "{:?}", aim);
            match (&answer.solution, expected) {
                (Some(solution), Some(least)) => {
                    prop_assert_eq!(replay(&task, &solution.operators), solution.cost, "{:?}", aim);
                    let proved = answer.proof == Proof::Optimal;
                    prop_assert!(solution.cost >= least && (!proved || solution.cost == least), "{:?}", aim);
                    prop_assert!(proved || aim == Objective::Satisficing, "without limits, plans end up proved: {:?}", aim);
                }
                (None, None) => prop_assert_eq!(answer.proof, Proof::Unsolvable, "{:?}", aim),
                (found, expected) => panic!("{aim:?}: {found:?}, expected {expected:?}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(tries(300))]

    #[test]
    fn every_search_solves_solvable_tasks_and_proves_others_unsolvable(bytes in bytes()) {
        let task = random_task(&bytes);
        let compiled = SearchTask::new(&task);
        let expected = least_cost(&task, false);
        for configuration in configurations() {
            match outcome(&compiled, &configuration) {
                SearchOutcome::Solved(solution) => {
                    prop_assert_eq!(replay(&task, &solution.operators), solution.cost, "{:?}", configuration);
                    prop_assert!(expected.is_some_and(|least| solution.cost >= least), "{:?}", configuration);
                }
                SearchOutcome::Exhausted => prop_assert_eq!(expected, None, "{:?}", configuration),
                SearchOutcome::Incomplete if matches!(configuration.algorithm, Algorithm::Serialized { .. }) => {}
                other => panic!("{configuration:?}: {other:?}"),
            }
        }
    }

    /// Checks in every reachable state that admissible heuristics do not overestimate and that no heuristic reports a false
    /// dead end.
    #[test]
    fn estimates_have_their_documented_properties_in_every_state(bytes in bytes()) {
        let task = random_task(&bytes);
        let space = Space::of(&task);
        let least = space.least_costs(&task, false);
        let mut consistent = Vec::new();
        for (state, least) in space.states.iter().zip(&least) {
            let compiled = SearchTask::new(&from_state(&task, state));
            for kind in KINDS {
                let found = initial_estimate(&compiled, kind, CostType::Normal);
                let Some(least) = *least else { continue };
                prop_assert!(found.is_some(), "{:?} sees no way, and one costs {}: {:?}", kind, least, state);
                let above = kind.is_admissible() && found.is_some_and(|found| u64::from(found) > least);
                prop_assert!(!above, "{:?}: {:?} is above {} in {:?}", kind, found, least, state);
            }
            consistent.push(CONSISTENT.map(|kind| initial_estimate(&compiled, kind, CostType::Normal).map(u64::from)));
        }
        for (before, edges) in consistent.iter().zip(&space.edges) {
            for &(next, cost) in edges {
                for (kind, (before, after)) in CONSISTENT.iter().zip(before.iter().zip(&consistent[next])) {
                    let Some(after) = after else { continue };
                    let kept = before.is_some_and(|before| before <= cost + after);
                    prop_assert!(kept, "{:?}: {:?} and behind an operator of cost {} only {}", kind, before, cost, after);
                }
            }
        }
    }

    #[test]
    fn estimates_are_ordered_as_theory_says(bytes in bytes()) {
        use HeuristicKind::{Add, FastForward, LandmarkCut, Max};
        let task = random_task(&bytes);
        // An operator that must be applied twice because of conditional effects counts once in a relaxed plan.
        let plain = task.operators.iter().all(|operator| {
            operator.numeric_effects.is_empty() && operator.effects.iter().all(|effect| effect.conditions.is_empty())
        });
        for state in &Space::of(&task).states {
            let compiled = SearchTask::new(&from_state(&task, state));
            let [max, cut, relaxed, add] =
                [Max, LandmarkCut, FastForward, Add].map(|kind| initial_estimate(&compiled, kind, CostType::Normal));
            prop_assert_eq!([max, max, max].map(|e| e.is_some()), [cut, relaxed, add].map(|e| e.is_some()));
            prop_assert!(max <= cut && relaxed <= add, "{:?} {:?} {:?} {:?}", max, cut, relaxed, add);
            prop_assert!(!plain || max <= relaxed, "{:?} {:?}", max, relaxed);
        }
    }
}
