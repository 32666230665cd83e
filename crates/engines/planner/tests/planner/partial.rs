//! Planning for tasks that are not grounded in full.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::validate;
use goalspec_pddl::{ResolvedDomain, lower, parse};
use goalspec_planner::ground::{GroundError, GroundLimits, GroundScope, ground, ground_scope};
use goalspec_planner::{PartialResult, Proof, SearchControl, SearchLimits, plan_partially};
use goalspec_syntax::Sources;
use goalspec_testing::choices::Choices;
use goalspec_testing::planning::any_task;
use goalspec_testing::planning::searches::explore;
use proptest::prelude::*;

/// A rover whose step has ten parameters, most of which only have to exist.
const DOMAIN: &str = "(define (domain wide) (:requirements :typing :negative-preconditions)
    (:types place tool)
    (:predicates (at ?p - place) (road ?a ?b - place) (works ?t - tool) (broken ?t - tool))
    (:action go :parameters (?a ?b - place ?q ?r ?s ?t ?u ?v ?w ?x - tool)
        :precondition (and (at ?a) (road ?a ?b) (works ?q) (works ?r) (works ?s) (works ?t) (works ?u) (works ?v) (works ?w) (works ?x) (not (broken ?q)))
        :effect (and (not (at ?a)) (at ?b)))
    (:action break :parameters (?t - tool) :effect (broken ?t)))";

fn wide(tools: usize, places: usize) -> Task {
    use std::fmt::Write as _;
    let mut problem = "(define (problem far) (:domain wide) (:objects".to_owned();
    (0..tools).for_each(|tool| write!(problem, " t{tool}").unwrap());
    problem.push_str(" - tool");
    (0..places).for_each(|place| write!(problem, " p{place}").unwrap());
    problem.push_str(" - place) (:init (at p0)");
    (0..tools).for_each(|tool| write!(problem, " (works t{tool})").unwrap());
    (1..places).for_each(|place| write!(problem, " (road p{} p{place})", place - 1).unwrap());
    write!(problem, ") (:goal (at p{})))", places - 1).unwrap();
    let mut sources = Sources::new();
    let (domain, problem) = (sources.add("domain", DOMAIN.to_owned()), sources.add("problem", problem));
    let (domain, problem) = (parse(sources.file(domain)), parse(sources.file(problem)));
    let (model, _) = ResolvedDomain::new(&domain.domains[0]);
    lower(&problem.problems[0], &model).task.unwrap()
}

fn planned(task: &Task, limits: &GroundLimits) -> PartialResult {
    let cancelled = AtomicBool::new(false);
    let control = SearchControl::new(SearchLimits::default(), &cancelled, &|_| {});
    plan_partially(task, limits, &mut |_| ControlFlow::Continue(()), &control).unwrap()
}

#[test]
fn a_task_with_too_many_steps_is_solved_without_grounding_it_in_full() {
    let task = wide(12, 6);
    let limits = GroundLimits { tuples: 100_000, ..GroundLimits::default() };
    let error = ground(&task, &limits, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, GroundError::TaskTooLarge { .. }), "{error}");
    let plan = planned(&task, &limits).plan.unwrap();
    assert_eq!(plan.steps.len(), 5);
    assert!(validate(&task, &plan, &CoreNotation).unwrap().is_valid());
}

#[test]
fn lifted_search_needs_no_ground_task() {
    let task = wide(30, 6);
    let limits = GroundLimits { tuples: 1, ..GroundLimits::default() };
    let plan = planned(&task, &limits).plan.unwrap();
    assert!(validate(&task, &plan, &CoreNotation).unwrap().is_valid());
}

#[test]
fn grounding_of_given_steps_has_these_steps() {
    let task = wide(3, 3);
    let full = ground(&task, &GroundLimits::default(), &mut |_| ControlFlow::Continue(())).unwrap();
    let of = |action: usize| {
        let steps = full.task.operators.iter().filter_map(|operator| operator.step.as_ref());
        let steps = steps.filter(move |step| step.action.index() == action).take(4);
        steps.map(|step| step.arguments.iter().copied().collect()).collect::<Vec<_>>()
    };
    let steps = [of(0), of(1)];
    let scope = GroundScope::Steps(&steps);
    let part = ground_scope(&task, scope, &GroundLimits::default(), &mut |_| ControlFlow::Continue(())).unwrap();
    assert!(part.is_partial && !full.is_partial);
    assert_eq!(part.step_count, 4 + steps[1].len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Compares lifted search with an exploration of all states.
    #[test]
    fn lifted_search_solves_generated_tasks_with_a_plan_and_no_others(bytes in prop::collection::vec(any::<u8>(), 0..1000)) {
        let task = any_task(&mut Choices::new(&bytes));
        let known = explore(&task);
        prop_assume!(known.complete);
        let limits = GroundLimits { tuples: 0, ..GroundLimits::default() };
        let result = planned(&task, &limits);
        prop_assert_eq!(result.plan.is_some(), known.min_steps.is_some());
        prop_assert!(result.plan.is_some() || result.proof == Proof::Unsolvable);
        if let Some(plan) = &result.plan {
            let validation = validate(&task, plan, &CoreNotation).unwrap();
            prop_assert!(validation.error.is_none() && validation.goal_holds);
        }
    }
}
