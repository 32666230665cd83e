//! Every search on tasks with the features that planners often lack, and on tasks written in PDDL.

use std::sync::atomic::AtomicBool;

use goalspec::planning::search::Search;
use goalspec::planning::solve::{PlanRequest, PlanResult, solve};
use goalspec_core::planning::task::Task;
use goalspec_pddl::{ResolvedDomain, lower, parse, write};
use goalspec_planner::compile::compile;
use goalspec_planner::{Objective, Proof};

/// A task with conditional and universal effects, negation, disjunction, derived predicates, numbers and costs.
const EVERYTHING: &str = "(define (domain d) (:requirements :adl :derived-predicates :numeric-fluents)
    (:types lamp) (:predicates (lit ?l - lamp) (broken ?l - lamp) (bright)) (:functions (power) (total-cost))
    (:derived (bright) (forall (?l - lamp) (or (lit ?l) (broken ?l))))
    (:action press :parameters (?l - lamp) :precondition (and (not (broken ?l)) (>= (power) 1))
        :effect (and (when (lit ?l) (not (lit ?l))) (when (not (lit ?l)) (lit ?l)) (decrease (power) 1) (increase (total-cost) 1)))
    (:action storm :parameters () :effect (and (forall (?l - lamp) (when (not (lit ?l)) (broken ?l))) (increase (total-cost) 5)))
    (:action charge :parameters () :precondition (< (power) 1) :effect (and (assign (power) 2) (increase (total-cost) 2))))
(define (problem p) (:domain d) (:objects a b c - lamp) (:init (lit a) (= (power) 1) (= (total-cost) 0))
    (:goal (and (bright) (imply (lit a) (not (broken b))))) (:metric minimize (total-cost)))";

/// A task with a constraint and preferences.
const WISHES: &str = "(define (domain d) (:requirements :adl :constraints :preferences) (:predicates (lit ?l))
    (:action light :parameters (?l) :effect (lit ?l))
    (:action quench :parameters (?l) :precondition (lit ?l) :effect (not (lit ?l))))
(define (problem p) (:domain d) (:objects a b c) (:init) (:goal (lit a))
    (:constraints (and (sometime-before (lit a) (lit b)) (preference dark (at end (not (lit b))))))
    (:metric minimize (+ (total-time) (* 3 (is-violated dark)))))";

fn task(text: &str) -> Task {
    let mut sources = goalspec_syntax::Sources::new();
    let id = sources.add("task.pddl", text);
    let parsed = parse(sources.file(id));
    let (model, _) = ResolvedDomain::new(&parsed.domains[0]);
    lower(&parsed.problems[0], &model).task.expect("a task")
}

fn solved(task: &Task, search: Search, objective: Objective) -> PlanResult {
    let request = PlanRequest { search, objective, memory_limit: 1 << 28, ..PlanRequest::default() };
    solve(task, &request, &AtomicBool::new(false), &|_| {}).expect("it can be searched")
}

#[test]
fn every_search_takes_everything() {
    // Two lamps are pressed, with a charge between: light b, quench it, light a.
    for (text, min_cost) in [(EVERYTHING, 4.0), (WISHES, 3.0)] {
        let task = task(text);
        for search in Search::ALL {
            let solved = solved(&task, search, Objective::Satisficing);
            let Some((_, validation)) = &solved.plan else {
                // This search may give up, which proves nothing.
                assert_eq!((search, solved.proof), (Search::GoalByGoal, Proof::None));
                continue;
            };
            assert!(validation.is_valid() && validation.metric.is_some_and(|metric| metric >= min_cost), "{search:?}");
        }
        for search in Search::ALL.into_iter().filter(|search| search.guarantees_optimal()) {
            let solved = solved(&task, search, Objective::Optimal);
            let metric = solved.plan.as_ref().and_then(|(_, validation)| validation.metric);
            assert_eq!((metric, solved.proof), (Some(min_cost), Proof::Optimal), "{search:?}");
        }
        for search in [Search::Lama, Search::EagerFf, Search::Bfs] {
            let metric = |objective| {
                let (_, validation) = solved(&task, search, objective).plan.expect("a plan");
                assert!(validation.is_valid(), "{search:?}");
                validation.metric.expect("the metric has a value")
            };
            let (first, best) = (metric(Objective::Satisficing), metric(Objective::Anytime));
            assert!(min_cost <= best && best <= first, "{search:?}: {first} {best}");
        }
    }
}

#[test]
fn a_task_that_is_written_is_the_task_that_is_read() {
    for (text, min_cost) in [(EVERYTHING, 4.0), (WISHES, 3.0)] {
        let task = task(text);
        let compiled = compile(&task, &[], true).expect("it can be compiled");
        let exported = write(&compiled.task).expect("it can be written");
        let text = format!("{}{}", exported.domain, exported.problem);
        let read = self::task(&text);
        let solved = solved(&read, Search::Portfolio, Objective::Optimal);
        let (plan, validation) = solved.plan.expect("a plan");
        assert_eq!(validation.metric, Some(min_cost), "{text}");
        // Plans of the compiled task are translated to plans of the original one.
        let steps: String = plan.steps.iter().map(|step| format!("{}\n", step.text(&read))).collect();
        let mut sources = goalspec_syntax::Sources::new();
        let id = sources.add("a.plan", steps);
        let (plan, found) = exported.resolve_plan(&parse::plan(sources.file(id)).0);
        assert!(found.is_empty(), "{found:?}");
        let plan = compiled.original_plan(&plan.expect("its names are known"));
        let validation =
            goalspec_core::planning::validate::validate(&task, &plan, &goalspec_core::explain::CoreNotation);
        let validation = validation.expect("the plan can be validated");
        assert!(validation.is_valid() && validation.metric == Some(min_cost), "{text}");
    }
}
