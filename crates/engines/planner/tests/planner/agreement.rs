//! Searches and estimates on random small tasks, against going through all states.

use std::sync::atomic::AtomicBool;

use crate::common::{least_cost, random_task, replay};
use goalspec_planner::{
    Aim, Algorithm, CompiledTask, Configuration, Control, CostType, HeuristicKind, Limits, Outcome, Proof, estimate,
    plan, search,
};

/// How many tasks each test tries.
const TASKS: u64 = 1500;

fn configuration(
    algorithm: Algorithm,
    heuristics: &[HeuristicKind],
    preferred: bool,
    cost_type: CostType,
) -> Configuration {
    Configuration { algorithm, heuristics: heuristics.to_vec(), preferred, cost_type, time: None }
}

fn outcome(task: &CompiledTask, configuration: &Configuration) -> Outcome {
    let cancelled = AtomicBool::new(false);
    let control = Control::new(Limits::default(), &cancelled, &|_| {});
    search(task, configuration, &control).unwrap().outcome
}

#[test]
fn optimal_searches_find_the_least_cost() {
    use HeuristicKind::{Blind, LandmarkCut, Max};
    let mut solved = 0;
    for seed in 0..TASKS {
        let task = random_task(seed);
        let compiled = CompiledTask::new(&task);
        let expected = least_cost(&task, false);
        for kind in [Blind, Max, LandmarkCut] {
            let configuration = configuration(Algorithm::AStar { weight: 1 }, &[kind], false, CostType::Normal);
            let found = match outcome(&compiled, &configuration) {
                Outcome::Solved(solution) => {
                    assert_eq!(replay(&task, &solution.operators), solution.cost, "seed {seed}");
                    Some(solution.cost)
                }
                Outcome::Exhausted => None,
                other => panic!("seed {seed}: {other:?}"),
            };
            assert_eq!(found, expected, "seed {seed}, {kind:?}");
        }
        solved += u64::from(expected.is_some());
    }
    assert!((TASKS / 4..TASKS * 19 / 20).contains(&solved), "both kinds of tasks are tried: {solved} of {TASKS}");
}

#[test]
fn breadth_first_finds_the_fewest_operators() {
    for seed in 0..TASKS {
        let task = random_task(seed);
        let found = match outcome(
            &CompiledTask::new(&task),
            &configuration(Algorithm::BreadthFirst, &[], false, CostType::One),
        ) {
            Outcome::Solved(solution) => {
                replay(&task, &solution.operators);
                Some(solution.operators.len() as u64)
            }
            Outcome::Exhausted => None,
            other => panic!("seed {seed}: {other:?}"),
        };
        assert_eq!(found, least_cost(&task, true), "seed {seed}");
    }
}

#[test]
fn every_search_solves_what_can_be_solved_and_proves_what_cannot() {
    use HeuristicKind::{Add, Blind, FastForward, GoalCount, LandmarkCount, LandmarkCut, Max, OrderedGoals};
    let novelty = |kind| configuration(Algorithm::Novelty, &[kind], false, CostType::One);
    let mut configurations = vec![novelty(GoalCount), novelty(LandmarkCount), novelty(OrderedGoals)];
    configurations.push(configuration(Algorithm::GoalByGoal, &[], false, CostType::One));
    for kinds in
        [&[FastForward, LandmarkCount][..], &[Add], &[GoalCount], &[LandmarkCount], &[Max, Blind], &[LandmarkCut]]
    {
        for algorithm in [Algorithm::LazyGreedy, Algorithm::EagerGreedy, Algorithm::LazyAStar { weight: 3 }] {
            for (preferred, cost_type) in [(true, CostType::One), (false, CostType::PlusOne), (true, CostType::Normal)]
            {
                configurations.push(configuration(algorithm, kinds, preferred, cost_type));
            }
        }
        let weighted = Algorithm::AStar { weight: 5 };
        configurations.push(configuration(weighted, &kinds[..1], false, CostType::PlusOne));
    }
    for seed in 0..TASKS / 5 {
        let task = random_task(seed);
        let compiled = CompiledTask::new(&task);
        let expected = least_cost(&task, false);
        for configuration in &configurations {
            match outcome(&compiled, configuration) {
                Outcome::Solved(solution) => {
                    assert_eq!(replay(&task, &solution.operators), solution.cost, "seed {seed}, {configuration:?}");
                    assert!(expected.is_some_and(|least| solution.cost >= least));
                }
                Outcome::Exhausted => assert_eq!(expected, None, "seed {seed}, {configuration:?}"),
                Outcome::GaveUp if configuration.algorithm == Algorithm::GoalByGoal => {}
                other => panic!("seed {seed}, {configuration:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn portfolios_give_plans_and_proofs() {
    for seed in 0..TASKS {
        let task = random_task(seed);
        let compiled = CompiledTask::new(&task);
        let expected = least_cost(&task, false);
        for aim in [Aim::Any, Aim::Good, Aim::Optimal] {
            let cancelled = AtomicBool::new(false);
            let control = Control::new(Limits::default(), &cancelled, &|_| {});
            let answer = plan(&compiled, aim, &control);
            assert_eq!(answer.stopped, None, "seed {seed}, {aim:?}");
            match (&answer.solution, expected) {
                (Some(solution), Some(least)) => {
                    assert_eq!(replay(&task, &solution.operators), solution.cost, "seed {seed}, {aim:?}");
                    let proved = answer.proof == Proof::Optimal;
                    assert!(solution.cost >= least && (!proved || solution.cost == least), "seed {seed}, {aim:?}");
                    assert!(proved || aim == Aim::Any, "without limits, plans end up proved: seed {seed}, {aim:?}");
                }
                (None, None) => assert_eq!(answer.proof, Proof::Unsolvable, "seed {seed}, {aim:?}"),
                (found, expected) => panic!("seed {seed}, {aim:?}: {found:?}, expected {expected:?}"),
            }
        }
    }
}

#[test]
fn estimates_are_ordered_as_theory_says() {
    use HeuristicKind::{Add, Blind, FastForward, LandmarkCut, Max};
    for seed in 0..TASKS {
        let task = random_task(seed);
        let compiled = CompiledTask::new(&task);
        let least = least_cost(&task, false);
        let of = |kind| estimate(&compiled, kind, CostType::Normal);
        let [blind, max, cut, relaxed, add] = [Blind, Max, LandmarkCut, FastForward, Add].map(of);
        assert_eq!([max, max, max].map(|e| e.is_some()), [cut, relaxed, add].map(|e| e.is_some()), "seed {seed}");
        if let Some(least) = least {
            assert!(cut.is_some_and(|cut| u64::from(cut) <= least), "seed {seed}: {cut:?}, least cost {least}");
            assert!(blind.is_some_and(|blind| u64::from(blind) <= least), "seed {seed}");
        }
        assert!(max <= cut, "seed {seed}: {max:?} {cut:?}");
        // An operator that has to be taken twice, for effects with conditions, counts once in a relaxed plan.
        let plain = task.operators.iter().all(|operator| {
            operator.numeric_effects.is_empty() && operator.effects.iter().all(|effect| effect.conditions.is_empty())
        });
        assert!(!plain || max <= relaxed, "seed {seed}: {max:?} {relaxed:?}");
        assert!(relaxed <= add, "seed {seed}: {relaxed:?} {add:?}");
    }
}
