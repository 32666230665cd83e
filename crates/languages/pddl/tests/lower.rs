//! Lowering of domains, problems and plans.

use goalspec_core::condition::{Condition, Term};
use goalspec_core::pattern::Pattern;
use goalspec_core::planning::task::{AssignmentOperator, Effect, MetricExpression, OptimizationDirection, Task};
use goalspec_pddl::{lower_plan, parse};
use goalspec_syntax::Sources;
use serde_json::Value;

use crate::common;

const DOMAIN: &str = "(define (domain Delivery) (:requirements :adl :fluents :preferences :derived-predicates)
    (:types truck van - vehicle  vehicle package - object  place)
    (:constants Depot - place)
    (:predicates (At ?x - (either vehicle package) ?p - place) (in ?x - package ?v - vehicle) (served ?p - place) (locked))
    (:functions (total-cost) - number (distance ?a ?b - place))
    (:derived (served ?p - place) (exists (?x - package) (at ?x ?p)))
    (:action drive :parameters (?v - vehicle ?a ?b - place)
        :precondition (and (at ?v ?a) (not (= ?a ?b)) (preference home (not (= ?a DEPOT)))
            (forall (?x - package) (preference empty (not (in ?x ?v)))))
        :effect (and (not (at ?v ?a)) (at ?v ?b) (increase (total-cost) (distance ?a ?b))))
    (:action unload-all :parameters (?v - vehicle ?a - place)
        :precondition (at ?v ?a)
        :effect (forall (?x - package) (when (in ?x ?v) (and (not (in ?x ?v)) (at ?x ?a))))))";

const PROBLEM: &str = "(define (problem Round) (:domain delivery)
    (:objects t1 - truck v1 - van box - package home - place)
    (:init (AT t1 Depot) (in box T1) (= (total-cost) 0) (= (distance depot home) 2.5))
    (:goal (and (served home) (and (at t1 depot)) (preference late (not (at v1 depot))) (forall (?x - package) (preference gone (at ?x home)))))
    (:metric minimize (+ (total-cost) (* 3 (is-violated empty)) (total-time))))";

fn task() -> Task {
    let read = common::read(&[DOMAIN, PROBLEM]);
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    read.task.expect("a task")
}

#[test]
fn names_are_the_same_whatever_their_capitals() {
    let task = task();
    let world = &task.world;
    let object = |name| world.object_named(name).unwrap_or_else(|| panic!("{name}"));
    assert_eq!(task.initial.facts[0].arguments.as_slice(), [object("t1"), object("depot")]);
    assert_eq!(&*task.name, "round");
    assert_eq!(object("depot").index(), 0, "constants come first");
    let kinds = |name: &str| {
        let id = world.type_named(name).unwrap_or_else(|| panic!("{name}"));
        world.members(id).iter().map(|&id| &*world.object_decl(id).id).collect::<Vec<_>>()
    };
    assert_eq!(kinds("vehicle"), ["t1", "v1"]);
    assert_eq!(kinds("place"), ["depot", "home"]);
    assert_eq!(kinds("object"), ["depot", "t1", "v1", "box", "home"]);
}

#[test]
fn actions_and_their_preferences() {
    let task = task();
    let drive = task.action(task.action_named("drive").expect("the name is defined"));
    assert_eq!((drive.parameters, drive.scope.variables.len()), (3, 4));
    let Condition::And(parts) = &drive.precondition else { panic!("a conjunction") };
    assert_eq!(parts.len(), 2, "preferences are no conditions");
    assert!(matches!(&parts[1], Condition::Not(same) if matches!(&**same, Condition::Not(_))));
    let names: Vec<(&str, usize)> =
        drive.preferences.iter().map(|preference| (&*preference.name, preference.external.len())).collect();
    assert_eq!(names, [("home", 0), ("empty", 1)]);
    let Effect::And(effects) = &drive.effect else { panic!("a conjunction") };
    assert!(
        matches!(&effects[2], Effect::Assign { operator: AssignmentOperator::Increase, arguments, .. } if arguments.is_empty())
    );
    let unload = task.action(task.action_named("unload-all").expect("the name is defined"));
    let Effect::Forall(variables, body) = &unload.effect else { panic!("for all") };
    assert_eq!(&*unload.scope.get(variables[0]).name, "?x");
    assert!(matches!(&**body, Effect::When(..)));
}

#[test]
fn goals_rules_and_metric() {
    let task = task();
    assert_eq!(task.goal.conjuncts.len(), 2, "conjunctions are unpacked");
    let names: Vec<(&str, usize)> =
        task.preferences.iter().map(|preference| (&*preference.name, preference.external.len())).collect();
    assert_eq!(names, [("late", 0), ("gone", 1)]);
    assert!(task.preferences.iter().all(|preference| matches!(preference.pattern, Pattern::AtEnd(_))));
    let [rule] = &task.axioms[..] else { panic!("one rule") };
    assert!(task.is_derived(rule.predicate) && matches!(rule.body, Condition::Exists(..)));
    let Some(metric) = &task.metric else { panic!("a metric") };
    assert_eq!(metric.direction, OptimizationDirection::Minimize);
    let MetricExpression::Add(parts) = &metric.expression else { panic!("a sum") };
    assert!(matches!(
        parts[..],
        [MetricExpression::Call(..), MetricExpression::Multiply(_), MetricExpression::TotalTime]
    ));
    assert_eq!(task.initial.fluents.len(), 2);
    assert!((task.initial.fluents[1].value - 2.5).abs() < 1e-12);
}

#[test]
fn plans_are_looked_up_and_ordered() {
    let task = task();
    let mut sources = Sources::new();
    let id = sources.add("plan", "; cost = 2\n 1.5: (Unload-All T1 home)  ; later\n\n0: (DRIVE t1 depot home) [2.0]\n");
    let (plan, found) = parse::plan(sources.file(id));
    assert!(found.is_empty());
    let (plan, found) = lower_plan(&plan, &task);
    assert!(found.is_empty(), "{found:?}");
    let steps: Vec<String> = plan.expect("a plan").steps.iter().map(|step| step.text(&task)).collect();
    assert_eq!(steps, ["(drive t1 depot home)", "(unload-all t1 home)"]);
}

#[test]
fn lines_that_are_no_steps_are_reported() {
    for text in ["drive t1", "(drive t1", "x: (drive t1)", "(drive t1) now", "(drive (t1))", "()", "-1: (a)"] {
        let mut sources = Sources::new();
        let id = sources.add("plan", text);
        let (plan, found) = parse::plan(sources.file(id));
        assert!(plan.steps.is_empty() && found.len() == 1, "{text}: {found:?}");
    }
}

#[test]
fn durative_domains_are_checked_but_not_planned() {
    let domain = "(define (domain d) (:requirements :durative-actions) (:predicates (p))
        (:durative-action a :parameters () :duration (= ?duration 3) :condition () :effect (at end (p))))";
    let read = common::read(&[domain, "(define (problem x) (:domain d) (:init) (:goal (p)))"]);
    assert!(read.diagnostics.is_empty() && read.task.is_none());
    let [one] = &read.unplanned[..] else { panic!("one: {:?}", read.unplanned) };
    assert_eq!((one.code, one.is_error()), (goalspec_pddl::codes::UNSUPPORTED, true));
}

#[test]
fn a_constant_that_is_named_in_an_action_is_an_object() {
    let task = task();
    let drive = task.action(task.action_named("drive").expect("the name is defined"));
    let mut named = Vec::new();
    drive.preferences[0].condition.visit_named_objects(&mut |object| named.push(Term::Object(object)));
    assert_eq!(named, [Term::Object(task.world.object_named("depot").expect("the name is defined"))]);
}

/// The problems of LOT, in LOT's own notation, with the recorded plans.
#[test]
fn blocks_of_lot() {
    let Some(folder) = goalspec_testing::conformance::folder("planning") else { return };
    let folder = folder.join("lot");
    let json = |path: std::path::PathBuf| -> Value {
        serde_json::from_str(&std::fs::read_to_string(path).expect("it can be read")).expect("it is JSON")
    };
    let domain = std::fs::read_to_string(folder.join("domain.pddl")).expect("it can be read");
    let dashed = |value: &Value| value.as_str().expect("a name").replace(' ', "-");
    let mut problems = 0;
    for path in common::files(&folder.join("problems")) {
        let name = path.file_name().expect("a name").to_owned();
        let problem = json(path);
        let stacks = |board: &str| {
            let mut facts = String::new();
            for stack in problem[board].as_array().expect("stacks") {
                let stack: Vec<String> = stack.as_array().expect("a stack").iter().map(dashed).collect();
                facts.extend([format!("(ontable {}) (clear {}) ", stack[0], stack[stack.len() - 1])]);
                facts.extend(stack.windows(2).map(|pair| format!("(on {} {}) ", pair[1], pair[0])));
            }
            facts
        };
        let objects: Vec<String> = problem["init_board"]
            .as_array()
            .expect("stacks")
            .iter()
            .flat_map(|stack| stack.as_array().expect("a stack"))
            .map(dashed)
            .collect();
        let different = objects.iter().flat_map(|left| {
            objects.iter().filter(move |other| *other != left).map(move |other| format!("(noteq {left} {other}) "))
        });
        let text = format!(
            "(define (problem p) (:domain simple-blocks) (:objects {}) (:init {}{}) (:goal (and {})))",
            objects.join(" "),
            stacks("init_board"),
            different.collect::<String>(),
            stacks("goal_board")
        );
        let read = common::read(&[&domain, &text]);
        assert!(read.diagnostics.is_empty(), "{name:?}: {:?}", read.diagnostics);
        let task = read.task.expect("a task");
        assert_eq!(task.world.objects().len(), objects.len());
        problems += 1;
    }
    assert!(problems >= 100, "{problems}");
}
