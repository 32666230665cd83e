//! Edge cases: goals that hold initially, unsolvable goals, limits, and incompatible configurations.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::{add_variable, replay};
use goalspec_core::ids::FunctionId;
use goalspec_core::planning::task::AssignmentOperator;
use goalspec_core::state::ObjectArguments;
use goalspec_planner::ground_task::{
    Effect, Fact, GroundTask, NumericEffect, NumericExpression, NumericVariable, Operator, ValueSource,
};
use goalspec_planner::{
    Algorithm, ConfigurationError, CostType, HeuristicKind, Objective, Proof, SearchConfiguration, SearchControl,
    SearchEvent, SearchLimits, SearchOutcome, SearchResult, SearchTask, StopReason, plan, plan_with, search,
};

/// Returns a binary counter that starts at zero, is incremented by one, and has all ones as its goal. There is a single path
/// through its 2^bits states.
fn counter(bits: u32) -> GroundTask {
    let mut task = GroundTask { cost_unit: 1.0, ..GroundTask::default() };
    for bit in 0..bits {
        add_variable(&mut task, 2, ValueSource::Operators, 0);
        let set = |variable, value| Fact { variable, value };
        let mut precondition: Vec<Fact> = (0..bit).map(|lower| set(lower, 1)).collect();
        precondition.push(set(bit, 0));
        let facts = (0..bit).map(|lower| set(lower, 0)).chain([set(bit, 1)]);
        let effects = facts.map(|fact| Effect { conditions: Vec::new(), fact }).collect();
        task.operators.push(Operator { step: None, precondition, effects, numeric_effects: Vec::new(), cost: 1 });
        task.goal.push(set(bit, 1));
    }
    task
}

/// The counter with additional expensive shortcuts: the first plan found is not the cheapest.
fn counted_twice(bits: u32) -> GroundTask {
    let mut task = counter(bits);
    let set = |variable, value| Fact { variable, value };
    task.operators.iter_mut().for_each(|operator| operator.cost = 1);
    for bit in 0..bits {
        let effects = vec![Effect { conditions: Vec::new(), fact: set(bit, 1) }];
        let precondition = vec![set(bit, 0)];
        task.operators.push(Operator { step: None, precondition, effects, numeric_effects: Vec::new(), cost: 100 });
    }
    task
}

fn answer(task: &GroundTask, aim: Objective, limits: SearchLimits) -> SearchResult {
    let cancelled = AtomicBool::new(false);
    plan(&SearchTask::new(task), aim, &SearchControl::new(limits, &cancelled, &|_| {}))
}

const AIMS: [Objective; 3] = [Objective::Satisficing, Objective::Anytime, Objective::Optimal];

#[test]
fn the_counter_is_counted() {
    let task = counter(8);
    for aim in AIMS {
        let solution = answer(&task, aim, SearchLimits::default()).solution.unwrap();
        assert_eq!((solution.cost, replay(&task, &solution.operators)), (255, 255), "{aim:?}");
    }
}

#[test]
fn an_empty_goal_and_a_goal_that_holds_need_no_operators() {
    let mut holds = counter(3);
    holds.goal = vec![Fact { variable: 1, value: 0 }];
    let mut empty = counter(3);
    empty.goal.clear();
    for task in [holds, empty, GroundTask::default()] {
        for aim in AIMS {
            let answer = answer(&task, aim, SearchLimits::default());
            assert_eq!(answer.solution.unwrap().operators, [0u32; 0], "{aim:?}");
        }
    }
}

#[test]
fn goals_without_achievers_are_unsolvable_at_once() {
    let mut task = counter(20);
    add_variable(&mut task, 2, ValueSource::Operators, 0);
    task.goal.push(Fact { variable: 20, value: 1 });
    for aim in [Objective::Satisficing, Objective::Anytime] {
        let answer = answer(&task, aim, SearchLimits::default());
        assert_eq!(
            (answer.proof, answer.stop_reason, answer.statistics.evaluated),
            (Proof::Unsolvable, None, 1),
            "{aim:?}"
        );
    }
}

#[test]
fn exhaustion_of_the_search_proves_unsolvability() {
    // Each bit can be set, but setting one deletes the precondition of the other.
    let mut task = GroundTask { cost_unit: 1.0, ..GroundTask::default() };
    for _ in 0..3 {
        add_variable(&mut task, 2, ValueSource::Operators, 0);
    }
    let set = |variable, value| Fact { variable, value };
    for bit in 0..2 {
        let effects = [set(bit, 1), set(2, 1)].map(|fact| Effect { conditions: Vec::new(), fact }).to_vec();
        task.operators.push(Operator {
            step: None,
            precondition: vec![set(2, 0)],
            effects,
            numeric_effects: Vec::new(),
            cost: 1,
        });
        task.goal.push(set(bit, 1));
    }
    for aim in AIMS {
        assert_eq!(answer(&task, aim, SearchLimits::default()).proof, Proof::Unsolvable, "{aim:?}");
    }
}

#[test]
fn limits_say_which_they_were() {
    let task = counter(24);
    for aim in AIMS {
        let limits = [
            (SearchLimits { time: Some(Duration::ZERO), ..SearchLimits::default() }, StopReason::Time),
            (SearchLimits { memory: Some(1 << 10), ..SearchLimits::default() }, StopReason::Memory),
            (SearchLimits { states: Some(1000), ..SearchLimits::default() }, StopReason::States),
        ];
        for (limits, stop) in limits {
            let answer = answer(&task, aim, limits);
            assert_eq!((answer.solution, answer.proof, answer.stop_reason), (None, Proof::None, Some(stop)), "{aim:?}");
        }
    }
}

/// A time limit that ends the improvement of a plan, or the search of a lane that could still have won, is part of the result.
#[test]
fn a_plan_whose_improvement_was_cut_says_so() {
    let task = SearchTask::new(&counted_twice(8));
    let time = Duration::from_millis(400);
    for aim in [Objective::Satisficing, Objective::Anytime] {
        let cancelled = AtomicBool::new(false);
        // The first plan is reported before it is improved.
        let wait = |event: SearchEvent<'_>| {
            if matches!(event, SearchEvent::Plan(_)) {
                std::thread::sleep(time);
            }
        };
        let limits = SearchLimits { time: Some(time), ..SearchLimits::default() };
        let cut = plan(&task, aim, &SearchControl::new(limits, &cancelled, &wait));
        assert!(cut.solution.is_some(), "{aim:?}");
        assert_eq!((cut.stop_reason, &cut.limits_reached[..]), (Some(StopReason::Time), &[StopReason::Time][..]));
        let free = plan(&task, aim, &SearchControl::new(SearchLimits::default(), &cancelled, &|_| {}));
        assert_eq!((free.stop_reason, &free.limits_reached[..]), (None, &[][..]), "{aim:?}");
    }
}

#[test]
fn a_limit_on_work_ends_a_search_at_the_same_state() {
    let task = SearchTask::new(&counter(20));
    let work_limit = Some(2_000_000);
    let report = || {
        let cancelled = AtomicBool::new(false);
        let configuration = SearchConfiguration {
            algorithm: Algorithm::LazyGreedy,
            heuristics: vec![HeuristicKind::FastForward],
            preferred_operators: true,
            cost_type: CostType::One,
            work_limit,
        };
        let control = SearchControl::new(SearchLimits::default(), &cancelled, &|_| {});
        search(&task, &configuration, &control).unwrap()
    };
    let first = report();
    assert_eq!(first.outcome, SearchOutcome::OutOfWork);
    assert!(first.statistics.evaluated > 500 && Some(first.statistics.work) >= work_limit, "{:?}", first.statistics);
    assert_eq!(report(), first);
}

#[test]
fn a_search_can_be_cancelled() {
    let (task, cancelled) = (SearchTask::new(&counter(30)), AtomicBool::new(false));
    let tell = |_: SearchEvent<'_>| cancelled.store(true, Ordering::Relaxed);
    for aim in [Objective::Satisficing, Objective::Anytime] {
        cancelled.store(false, Ordering::Relaxed);
        let answer = plan(&task, aim, &SearchControl::new(SearchLimits::default(), &cancelled, &tell));
        assert_eq!((answer.solution, answer.stop_reason), (None, Some(StopReason::Cancelled)), "{aim:?}");
    }
}

#[test]
fn plans_are_told_each_cheaper_than_the_one_before() {
    let task = counted_twice(6);
    let (compiled, cancelled, costs) = (SearchTask::new(&task), AtomicBool::new(false), Mutex::new(Vec::new()));
    let tell = |event: SearchEvent<'_>| {
        if let SearchEvent::Plan(solution) = event {
            replay(&task, &solution.operators);
            costs.lock().unwrap().push(solution.cost);
        }
    };
    let answer = plan(&compiled, Objective::Anytime, &SearchControl::new(SearchLimits::default(), &cancelled, &tell));
    let costs = costs.into_inner().unwrap();
    assert!(costs.len() > 1 && costs.windows(2).all(|pair| pair[0] > pair[1]), "{costs:?}");
    assert_eq!(answer.solution.map(|solution| solution.cost), costs.last().copied());
}

#[test]
fn choices_that_do_not_go_together_are_refused() {
    use HeuristicKind::{Add, Max};
    let task = SearchTask::new(&counter(2));
    let (weighted, zero) = (Algorithm::AStar { weight: 2 }, Algorithm::LazyAStar { weight: 0 });
    let cases: [(Algorithm, &[HeuristicKind], bool, ConfigurationError); 7] = [
        (Algorithm::LazyGreedy, &[], true, ConfigurationError::MissingHeuristic(Algorithm::LazyGreedy)),
        (weighted, &[], false, ConfigurationError::MissingHeuristic(weighted)),
        (weighted, &[Add, Max], false, ConfigurationError::TooManyHeuristics(weighted)),
        (weighted, &[Add], true, ConfigurationError::PreferredOperatorsNotSupported(weighted)),
        (Algorithm::BreadthFirst, &[Max], false, ConfigurationError::UnexpectedHeuristic(Max)),
        (
            Algorithm::BestFirstWidth,
            &[Add],
            true,
            ConfigurationError::PreferredOperatorsNotSupported(Algorithm::BestFirstWidth),
        ),
        (zero, &[Add], false, ConfigurationError::ZeroWeight(zero)),
    ];
    for (algorithm, heuristics, preferred, expected) in cases {
        let cancelled = AtomicBool::new(false);
        let control = SearchControl::new(SearchLimits::default(), &cancelled, &|_| {});
        let heuristics = heuristics.to_vec();
        let configuration = SearchConfiguration {
            algorithm,
            heuristics,
            preferred_operators: preferred,
            cost_type: CostType::Normal,
            work_limit: None,
        };
        assert_eq!(search(&task, &configuration, &control), Err(expected));
    }
}

#[test]
fn a_single_configuration_finds_plans_and_proofs_that_it_guarantees() {
    let task = SearchTask::new(&counter(4));
    let cancelled = AtomicBool::new(false);
    let solved = |algorithm, heuristics: &[HeuristicKind], aim| {
        let heuristics = heuristics.to_vec();
        let cost_type = CostType::Normal;
        let configuration =
            SearchConfiguration { algorithm, heuristics, preferred_operators: false, cost_type, work_limit: None };
        plan_with(&task, &configuration, aim, &SearchControl::new(SearchLimits::default(), &cancelled, &|_| {}))
    };
    let (astar, greedy) = (Algorithm::AStar { weight: 1 }, Algorithm::EagerGreedy);
    let proof = |answer: Result<SearchResult, ConfigurationError>| {
        answer.map(|answer| (answer.solution.is_some(), answer.proof))
    };
    assert_eq!(proof(solved(astar, &[HeuristicKind::Max], Objective::Optimal)), Ok((true, Proof::Optimal)));
    assert_eq!(proof(solved(astar, &[HeuristicKind::Max], Objective::Satisficing)), Ok((true, Proof::Optimal)));
    assert_eq!(proof(solved(greedy, &[HeuristicKind::Max], Objective::Satisficing)), Ok((true, Proof::None)));
    // Configurations without a guarantee of optimality are rejected.
    for (algorithm, kind) in [(greedy, HeuristicKind::Max), (astar, HeuristicKind::Add)] {
        assert_eq!(
            proof(solved(algorithm, &[kind], Objective::Optimal)),
            Err(ConfigurationError::NotOptimal(algorithm))
        );
    }
}

#[test]
fn effects_that_cannot_be_made_at_once_forbid_the_step() {
    let mut task = counter(1);
    let number =
        |initial| NumericVariable { function: FunctionId::from(0), arguments: ObjectArguments::new(), initial };
    task.numeric_variables.push(number(Some(1.0)));
    let effect = |how, value| NumericEffect {
        conditions: Vec::new(),
        variable: 0,
        operator: how,
        value: NumericExpression::Number(value),
    };
    let cases = [
        (vec![effect(AssignmentOperator::Increase, 1.0), effect(AssignmentOperator::Decrease, 2.0)], true),
        (vec![effect(AssignmentOperator::ScaleUp, 3.0), effect(AssignmentOperator::ScaleDown, 2.0)], true),
        (vec![effect(AssignmentOperator::Set, 1.0), effect(AssignmentOperator::Set, 1.0)], false),
        (vec![effect(AssignmentOperator::Increase, 1.0), effect(AssignmentOperator::ScaleUp, 2.0)], false),
        (vec![effect(AssignmentOperator::ScaleDown, 0.0)], false),
    ];
    for (effects, possible) in cases {
        task.operators[0].numeric_effects = effects;
        assert_eq!(answer(&task, Objective::Satisficing, SearchLimits::default()).solution.is_some(), possible);
    }
    task.numeric_variables[0].initial = None;
    task.operators[0].numeric_effects = vec![effect(AssignmentOperator::Increase, 1.0)];
    assert_eq!(answer(&task, Objective::Satisficing, SearchLimits::default()).proof, Proof::Unsolvable);
    let blind = SearchConfiguration {
        algorithm: Algorithm::AStar { weight: 1 },
        heuristics: vec![HeuristicKind::Blind],
        preferred_operators: false,
        cost_type: CostType::Normal,
        work_limit: None,
    };
    let cancelled = AtomicBool::new(false);
    let control = SearchControl::new(SearchLimits::default(), &cancelled, &|_| {});
    assert_eq!(search(&SearchTask::new(&task), &blind, &control).unwrap().outcome, SearchOutcome::Exhausted);
}
