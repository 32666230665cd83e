//! PDDL constraints and preferences: compiled, grounded, solved, and validated against the original task.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::{Validation, validate};
use goalspec_planner::compile::{CompileErrorKind, IgnoredMetricReason, compile, compile_with_cancellation};
use goalspec_planner::ground::{self, ground};
use goalspec_planner::{Objective, SearchControl, SearchLimits, SearchTask, plan};

use crate::task;

/// A robot that carries a parcel along a corridor of four rooms. Doors can be shut behind it.
fn corridor(more: &str) -> Task {
    task(&format!(
        "(define (domain corridor)
            (:types room)
            (:predicates (next ?x ?y - room) (at ?x - room) (parcel ?x - room) (holding) (open ?x - room) (seen ?x - room))
            (:functions (total-cost))
            (:action go :parameters (?x ?y - room) :precondition (and (at ?x) (next ?x ?y) (open ?y))
                :effect (and (not (at ?x)) (at ?y) (seen ?y) (increase (total-cost) 1)))
            (:action take :parameters (?x - room) :precondition (and (at ?x) (parcel ?x))
                :effect (and (holding) (not (parcel ?x)) (increase (total-cost) 1)))
            (:action leave :parameters (?x - room) :precondition (and (at ?x) (holding))
                :effect (and (parcel ?x) (not (holding)) (increase (total-cost) 1)))
            (:action shut :parameters (?x - room) :precondition (open ?x)
                :effect (and (not (open ?x)) (increase (total-cost) 1))))
        (define (problem four) (:domain corridor)
            (:objects r1 r2 r3 r4 - room)
            (:init (next r1 r2) (next r2 r1) (next r2 r3) (next r3 r2) (next r3 r4) (next r4 r3)
                (at r1) (seen r1) (parcel r2) (open r1) (open r2) (open r3) (open r4) (= (total-cost) 0))
            (:goal (and (parcel r3) (at r3)))
            {more})"
    ))
}

/// Returns an optimal plan with its validation by the reference validator, or `None` if there is none.
fn best(task: &Task) -> Option<(Plan, Validation)> {
    let compiled = compile(task, &[], true).expect("it can be compiled");
    assert_eq!(compiled.ignored, []);
    let grounded = ground(&compiled.task, &ground::GroundLimits::default(), &mut |_| ControlFlow::Continue(()));
    let grounded = grounded.expect("it can be grounded").task;
    let cancelled = AtomicBool::new(false);
    let control = SearchControl::new(SearchLimits::default(), &cancelled, &|_| {});
    let answer = plan(&SearchTask::new(&grounded), Objective::Optimal, &control);
    let plan = compiled.original_plan(&answer.solution?.plan(&grounded));
    let judged = validate(task, &plan, &CoreNotation).expect("it can be judged");
    assert!(judged.is_valid(), "{plan:?}: {judged:?}");
    Some((plan, judged))
}

/// Returns the length of the shortest plan that satisfies the constraints.
fn shortest(constraints: &str) -> Option<usize> {
    best(&corridor(&format!("(:constraints {constraints})"))).map(|(plan, _)| plan.steps.len())
}

#[test]
fn constraints_of_pddl_lengthen_plans_by_the_steps_that_they_require() {
    assert_eq!(shortest("(and)"), Some(4));
    assert_eq!(shortest("(always (forall (?x - room) (open ?x)))"), Some(4));
    assert_eq!(shortest("(sometime (at r4))"), Some(6));
    assert_eq!(shortest("(sometime-before (holding) (at r4))"), Some(8));
    assert_eq!(shortest("(sometime-after (at r2) (at r4))"), Some(6));
    assert_eq!(shortest("(at end (not (open r1)))"), Some(5));
    assert_eq!(shortest("(forall (?x - room) (at-most-once (at ?x)))"), Some(4));
    assert_eq!(shortest("(and (sometime (at r4)) (at-most-once (at r3)))"), None);
    assert_eq!(shortest("(within 2 (holding))"), Some(4));
    assert_eq!(shortest("(within 1 (holding))"), None);
    assert_eq!(shortest("(always-within 1 (holding) (parcel r3))"), None);
    assert_eq!(shortest("(always-within 2 (holding) (parcel r3))"), Some(4));
    // The constraint covers the first three states, and the last state of a run has no duration: the robot leaves the first
    // room in the fourth state at the earliest.
    assert_eq!(shortest("(hold-during 0 3 (at r1))"), Some(6));
    assert_eq!(shortest("(always (not (holding)))"), None);
}

#[test]
fn preferences_are_met_where_that_pays() {
    let metric = |weight: u32| {
        corridor(&format!(
            "(:constraints (and (preference far (sometime (at r4))) (preference tidy (at end (not (open r1))))
                (forall (?x - room) (preference look (sometime (seen ?x))))))
             (:metric minimize (+ (total-cost) (* {weight} (is-violated far)) (* 3 (is-violated tidy)) (is-violated look)))"
        ))
    };
    // Going far costs two steps and satisfies a `look`; being tidy costs one step.
    let (plan, judged) = best(&metric(4)).expect("a plan");
    assert_eq!((plan.steps.len(), judged.metric), (7, Some(7.0)));
    let (plan, judged) = best(&metric(0)).expect("a plan");
    assert_eq!((plan.steps.len(), judged.metric), (5, Some(6.0)));
}

#[test]
fn uncounted_preferences_are_reported() {
    let product = corridor(
        "(:constraints (preference far (sometime (at r4))))
         (:metric minimize (* (total-cost) (+ 1 (is-violated far))))",
    );
    let compiled = compile(&product, &[], true).expect("it can be compiled");
    assert_eq!(compiled.ignored, [IgnoredMetricReason::NonlinearMetric]);
    assert_eq!(compiled.task.metric, product.metric);
    assert_eq!(compiled.task.preferences, product.preferences);
    let more = corridor(
        "(:constraints (preference far (sometime (at r4))))
         (:metric maximize (- (total-cost) (is-violated far)))",
    );
    let compiled = compile(&more, &[], true).expect("it can be compiled");
    let cost = more.world.function_named("total-cost").expect("it is there");
    assert_eq!(compiled.ignored, [IgnoredMetricReason::NonMonotoneFluent(cost)]);
    assert!(compiled.ignored[0].message(&more).contains("`total-cost`"));
}

#[test]
fn errors_about_limits_have_a_position() {
    use goalspec_core::pattern::{Formula, Pattern};
    let mut task = corridor("(:constraints (sometime (at r4)))");
    let Pattern::Formula(formula) = task.constraints[0].pattern.clone() else { panic!("not a formula") };
    let deep = (0..2000).fold(formula, |inner, _| Formula::Next(Box::new(inner)));
    task.constraints[0].pattern = Pattern::Formula(deep);
    let refused = compile(&task, &[], true).expect_err("it is deep");
    assert_eq!((refused.kind, refused.origin.0.is_some()), (CompileErrorKind::TooDeep, true));
}

#[test]
fn compilation_can_be_halted() {
    let task =
        corridor("(:constraints (and (forall (?x - room) (sometime-before (at r4) (seen ?x))) (sometime (holding))))");
    let asked = Cell::new(0);
    let after = |most| {
        asked.set(0);
        move |asked: &Cell<usize>| asked.replace(asked.get() + 1) >= most
    };
    let never = after(usize::MAX);
    compile_with_cancellation(&task, &[], true, &|| never(&asked)).expect("nobody halts it");
    let times = asked.get();
    assert!(times > 8, "it is asked for each of five automata and the states of them: {times}");
    for most in 0..times {
        let some = after(most);
        let halted = compile_with_cancellation(&task, &[], true, &|| some(&asked)).expect_err("it is to halt");
        assert_eq!((halted.kind, asked.get()), (CompileErrorKind::Cancelled, most + 1));
    }
}
