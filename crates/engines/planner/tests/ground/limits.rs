//! Costs, limits, unsupported features and unreachable goals in grounding.

use std::ops::ControlFlow;
use std::time::Duration;

use goalspec_core::planning::task::Task;
use goalspec_planner::ground::{CostModel, GroundError, GroundLimits, GroundStage, Grounding, ground};
use goalspec_planner::ground_task::{ValueMeaning, ValueSource};

const DOMAIN: &str = "(define (domain carrier)
    (:requirements :typing :negative-preconditions :action-costs)
    (:types room ball)
    (:predicates (robot-in ?r - room) (in ?b - ball ?r - room) (held ?b - ball) (free) (door ?r ?s - room) (washed ?b - ball))
    (:functions (total-cost) (length ?r ?s - room))
    (:action go :parameters (?r ?s - room) :precondition (and (robot-in ?r) (door ?r ?s))
        :effect (and (not (robot-in ?r)) (robot-in ?s) (increase (total-cost) (length ?r ?s))))
    (:action take :parameters (?b - ball ?r - room) :precondition (and (robot-in ?r) (in ?b ?r) (free))
        :effect (and (not (in ?b ?r)) (not (free)) (held ?b) (increase (total-cost) 1)))
    (:action put :parameters (?b - ball ?r - room) :precondition (and (robot-in ?r) (held ?b))
        :effect (and (in ?b ?r) (free) (not (held ?b)) (increase (total-cost) 1))))";

fn task(domain: &str, goal: &str, rest: &str) -> Task {
    let problem = format!(
        "(define (problem two) (:domain carrier) (:objects a b c - room x y - ball)
        (:init (robot-in a) (in x a) (in y b) (free) (door a b) (door b a) (= (length a b) 0.5) (= (length b a) 1.25)
            (= (total-cost) 0))
        (:goal {goal}) {rest})"
    );
    super::task(domain, &problem)
}

fn grounded(task: &Task) -> Grounding {
    ground(task, &GroundLimits::default(), &mut |_| ControlFlow::Continue(())).expect("it can be grounded")
}

const COST: &str = "(:metric minimize (total-cost))";

#[test]
fn invariants_make_variables() {
    let result = grounded(&task(DOMAIN, "(and (in x b) (in y a))", COST));
    // The position of the robot, the positions of the balls, and the state of the hand, which is no value of a ball's variable.
    let mut sizes: Vec<usize> = result.task.variables.iter().map(|variable| variable.values.len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [2, 2, 3, 3]);
    assert_eq!(result.task.operators.len(), 2 + 4 + 4);
    // The mutex group: x is held, y is held, the hand is free.
    assert!(result.task.mutexes.iter().any(|group| group.len() == 3), "{:?}", result.task.mutexes);
}

#[test]
fn decimals_are_counted_in_units() {
    let result = grounded(&task(DOMAIN, "(and (in x b))", COST));
    assert_eq!(result.costs, CostModel::Metric { exact: true });
    assert!((result.task.cost_unit - 0.01).abs() < 1e-12);
    let mut costs: Vec<u32> = result.task.operators.iter().map(|operator| operator.cost).collect();
    costs.sort_unstable();
    costs.dedup();
    assert_eq!(costs, [50, 100, 125]);
}

#[test]
fn other_metrics_are_said_to_be_so() {
    assert_eq!(grounded(&task(DOMAIN, "(in x b)", "")).costs, CostModel::PlanLength);
    assert_eq!(grounded(&task(DOMAIN, "(in x b)", "(:metric minimize (total-time))")).costs, CostModel::PlanLength);
    let most = grounded(&task(DOMAIN, "(in x b)", "(:metric maximize (total-cost))"));
    assert_eq!(most.costs, CostModel::UnrelatedToMetric);
    assert!(most.task.operators.iter().all(|operator| operator.cost == 1));
}

#[test]
fn unreachable_goals_are_reported() {
    let result = grounded(&task(DOMAIN, "(in x c)", COST));
    assert!(!result.is_goal_relaxed_reachable);
    assert!(result.task.operators.is_empty() && result.task.axioms.is_empty());
    // Two mutually exclusive facts.
    assert!(!grounded(&task(DOMAIN, "(and (held x) (held y))", COST)).is_goal_relaxed_reachable);
    let done = grounded(&task(DOMAIN, "(and (robot-in a) (not (washed x)))", COST));
    assert!(done.is_goal_relaxed_reachable);
    assert!(done.task.goal.iter().all(|fact| done.task.initial[fact.variable as usize] == fact.value));
}

#[test]
fn atoms_asked_for_negatively_stay_in_their_groups() {
    let result = grounded(&task(DOMAIN, "(and (not (in x a)) (in y a))", COST));
    let is_negative = |meaning: &ValueMeaning| format!("{meaning:?}").starts_with("NotAtom");
    let shadows = result.task.variables.iter().filter(|variable| variable.values.iter().any(is_negative));
    // The free hand, and the goal on the ball.
    assert_eq!(shadows.filter(|variable| variable.source == ValueSource::Operators).count(), 2);
    assert_eq!(result.task.variables.iter().filter(|variable| variable.values.len() == 3).count(), 2);
}

#[test]
fn limits_are_kept() {
    let task = task(DOMAIN, "(in x b)", COST);
    let with = |limits: GroundLimits| ground(&task, &limits, &mut |_| ControlFlow::Continue(())).expect_err("a limit");
    assert_eq!(with(GroundLimits { tuples: 5, ..GroundLimits::default() }), GroundError::TaskTooLarge { limit: 5 });
    let error = with(GroundLimits { memory: 100, ..GroundLimits::default() });
    assert!(matches!(error, GroundError::Memory { needed, limit: 100 } if needed > 100), "{error}");
    let error = with(GroundLimits { time: Some(Duration::ZERO), ..GroundLimits::default() });
    assert!(matches!(error, GroundError::Time { .. }), "{error}");
    // Without invariants every atom has a variable of its own.
    let limits = GroundLimits { invariant_work: 0, ..GroundLimits::default() };
    let plain = ground(&task, &limits, &mut |_| ControlFlow::Continue(())).expect("it can be grounded");
    assert!(plain.task.variables.iter().all(|variable| variable.values.len() == 2));
    assert!(plain.task.mutexes.is_empty());
}

/// Operators whose number can be computed beforehand are not instantiated if there are too many.
#[test]
fn sizes_are_estimated_before_grounding() {
    let wide = "(define (domain wide) (:predicates (p ?a ?b ?c ?d ?e ?f ?g ?h) (q))
        (:action all :parameters (?a ?b ?c ?d ?e ?f ?g ?h) :precondition (q) :effect (p ?a ?b ?c ?d ?e ?f ?g ?h)))";
    let objects: String = (0..40).map(|number| format!("o{number} ")).collect();
    let problem = format!(
        "(define (problem p) (:domain wide) (:objects {objects}) (:init (q)) (:goal (p o0 o0 o0 o0 o0 o0 o0 o0)))"
    );
    let task = super::task(wide, &problem);
    let with = |limits: GroundLimits| ground(&task, &limits, &mut |_| ControlFlow::Continue(())).expect_err("a limit");
    let error = with(GroundLimits::default());
    // The eight objects have 40 to the power of 8 assignments.
    assert!(matches!(error, GroundError::Memory { needed, .. } if needed == 40_u64.pow(8) * 32), "{error}");
    let error = with(GroundLimits { memory: u64::MAX, ..GroundLimits::default() });
    assert_eq!(error, GroundError::TaskTooLarge { limit: GroundLimits::default().tuples });
}

#[test]
fn progress_is_told_and_can_stop_it() {
    let task = task(DOMAIN, "(in x b)", COST);
    let mut stages = Vec::new();
    let result = ground(&task, &GroundLimits::default(), &mut |progress| {
        stages.push(progress.stage);
        if progress.stage == GroundStage::Encoding { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(result, Err(GroundError::Cancelled));
    stages.dedup();
    assert_eq!(stages, [GroundStage::Reachability, GroundStage::Instantiation, GroundStage::Encoding]);
}

#[test]
fn unsupported_features_are_errors() {
    let limits = GroundLimits::default();
    let task = task(DOMAIN, "(in x b)", "(:constraints (always (free)))");
    let refused = ground(&task, &limits, &mut |_| ControlFlow::Continue(())).expect_err("constraints");
    assert!(refused.to_string().contains("constraints"), "{refused}");
}
