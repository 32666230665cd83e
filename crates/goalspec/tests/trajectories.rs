//! Constraints and preferences of PDDL, from their text to a plan that satisfies them.

use std::sync::atomic::AtomicBool;

use goalspec::planning::solve::{PlanRequest, solve};
use goalspec_pddl::{ResolvedDomain, lower, parse};
use goalspec_planner::{Objective, Proof};

#[test]
fn constraints_and_preferences_are_planned_for() {
    let text = "(define (domain lamps) (:predicates (lit ?l))
            (:action light :parameters (?l) :effect (lit ?l))
            (:action quench :parameters (?l) :precondition (lit ?l) :effect (not (lit ?l))))
        (define (problem three) (:domain lamps) (:objects a b c) (:init) (:goal (lit a))
            (:constraints (and (sometime-before (lit a) (lit b)) (preference dark (at end (not (lit b))))
                (preference all (sometime (and (lit a) (lit b) (lit c))))))
            (:metric minimize (+ (total-time) (* 3 (is-violated dark)) (* 0.5 (is-violated all)))))";
    let mut sources = goalspec_syntax::Sources::new();
    let id = sources.add("lamps.pddl", text);
    let parsed = parse(sources.file(id));
    let (model, _) = ResolvedDomain::new(&parsed.domains[0]);
    let task = lower(&parsed.problems[0], &model).task.expect("a task");
    let request = PlanRequest { objective: Objective::Optimal, memory_limit: 1 << 28, ..PlanRequest::default() };
    let solved = solve(&task, &request, &AtomicBool::new(false), &|_| {}).expect("it can be grounded");
    let (plan, validation) = solved.plan.expect("a plan");
    // Light b, quench it, light a. A third lamp is not worth a step.
    assert!(validation.is_valid());
    assert_eq!((plan.steps.len(), validation.metric), (3, Some(3.5)));
    assert_eq!((solved.proof, solved.ignored_preferences), (Proof::Optimal, Vec::new()));
}
