//! New planning problems: each is checked without an error, is like its example, and has a plan that is valid.

use std::collections::BTreeSet;
use std::path::Path;

use goalspec::generation::problem::{GeneratedProblem, ProblemGenerationError, ProblemGenerator, ProblemOptions};
use goalspec::library::{Library, LibraryOptions};
use goalspec::planning_problems::{JudgedPlan, planning_problem};
use goalspec::problem_generation::problem_generator;

/// Switches by colour, with a counter, a derived predicate and conditional effects.
const DOMAIN: &str = "(define (domain lights) (:requirements :adl :derived-predicates :numeric-fluents)
  (:types switch lamp - object)
  (:predicates (wired ?s - switch ?l - lamp) (red ?l - lamp) (lit ?l - lamp) (broken ?s - switch) (bright))
  (:functions (presses) (charge ?l - lamp))
  (:derived (bright) (exists (?l - lamp) (lit ?l)))
  (:action press :parameters (?s - switch) :precondition (not (broken ?s))
    :effect (and (increase (presses) 1)
      (forall (?l - lamp) (when (wired ?s ?l) (and (when (lit ?l) (not (lit ?l))) (when (not (lit ?l)) (lit ?l)) (increase (charge ?l) 2))))))
  (:action smash :parameters (?s - switch) :precondition (bright) :effect (broken ?s)))";

const PROBLEM: &str = "(define (problem Two) (:domain lights)
  (:objects S1 S2 - switch A B C - lamp)
  (:init (wired S1 A) (wired S2 B) (wired S2 C) (red A) (red C) (= (presses) 0) (= (charge A) 0) (= (charge B) 0) (= (charge C) 0))
  (:goal (and (lit A) (not (broken S1)) (>= (charge C) 2)))
  (:metric minimize (presses)))";

fn library(texts: &[(&str, &str)]) -> Library {
    Library::from_texts(texts.iter().map(|&(name, text)| (name, text)), LibraryOptions::default())
}

fn generator(texts: &[(&str, &str)], options: ProblemOptions) -> ProblemGenerator {
    problem_generator(&library(texts), options).expect("a generator")
}

/// Checks a problem and validates its plan.
fn assert_solvable(domain: &str, made: &GeneratedProblem) {
    let plan: String = made.plan.iter().map(|step| format!("{step}\n")).collect();
    let library = library(&[("domain.pddl", domain), ("made.pddl", &made.text)]);
    let errors: Vec<_> = library.diagnostics().iter().filter(|diagnostic| diagnostic.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{}", made.text);
    let problem = planning_problem(&library, &library.programs()[0]).unwrap().expect("a problem");
    let mut sources = library.sources().clone();
    let source = sources.add("made.plan", plan);
    let judged = JudgedPlan::new(&problem, sources.file(source), false).expect("a plan");
    assert!(judged.is_valid(None), "{}\n{:?}", made.text, made.plan);
    assert!(!made.plan.is_empty(), "the goal must not hold at once\n{}", made.text);
}

#[test]
fn problems_with_all_features_have_plans() {
    let texts = [("domain.pddl", DOMAIN), ("two.pddl", PROBLEM)];
    let generator = generator(&texts, ProblemOptions { steps: 6, keeps_initial_state: false });
    let mut goals = BTreeSet::new();
    for index in 0..100 {
        let made = generator.sample(7, index).expect("a problem");
        assert_solvable(DOMAIN, &made);
        assert_eq!(generator.sample(7, index).as_ref(), Some(&made), "the seed and the index determine a problem");
        // The counter of the metric starts again, names keep their spelling, and lamps in goals are red as in the example.
        assert!(made.text.contains("(= (presses) 0)") && made.text.contains("S1 S2 - switch"), "{}", made.text);
        let goal = made.text.split("(:goal").nth(1).expect("a goal").to_owned();
        assert!(!goal.contains(" B)"), "{goal}");
        goals.insert(goal);
    }
    assert!(goals.len() >= 5, "{goals:?}");
}

#[test]
fn variations_keep_the_initial_state_and_have_another_goal() {
    let other = PROBLEM.replace("problem Two", "problem Other").replace("(lit A)", "(lit C)");
    let texts = [("domain.pddl", DOMAIN), ("two.pddl", PROBLEM), ("other.pddl", &*other)];
    let generator = generator(&texts, ProblemOptions { steps: 6, keeps_initial_state: true });
    for index in 0..20 {
        let example = (index % 2) as usize;
        let made = generator.vary(example, (1, index)).expect("a problem");
        assert!(made.name.starts_with(["two-1", "other-1"][example]), "{}", made.name);
        let goal: BTreeSet<&str> = made.text.split("(:goal").nth(1).expect("a goal").lines().map(str::trim).collect();
        let lit = ["(lit A)", "(lit C)"][example];
        assert!(
            !(goal.contains(lit)
                && goal.contains("(not (broken S1))")
                && goal.iter().any(|own| own.contains("(>= (charge C) 2)"))),
            "{goal:?}"
        );
        assert_solvable(DOMAIN, &made);
        let initial = made.text.split("(:goal").next().expect("a beginning");
        assert!(!initial.contains("(lit") && !initial.contains("(broken"), "{initial}");
    }
}

#[test]
fn examples_of_the_repository_make_problems() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/pddl/delivery");
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).expect("an example");
    let [domain, one, two] = ["domain.pddl", "one_van.pddl", "two_vans.pddl"].map(text);
    let texts = [("domain.pddl", &*domain), ("one_van.pddl", &one), ("two_vans.pddl", &two)];
    let generator = generator(&texts, ProblemOptions::default());
    for index in 0..50 {
        assert_solvable(&domain, &generator.sample(3, index).expect("a problem"));
    }
}

#[test]
fn examples_that_allow_nothing_are_refused() {
    let refused = |texts: &[(&str, &str)]| {
        problem_generator(&library(texts), ProblemOptions::default()).map(|_| ()).expect_err("an error")
    };
    assert_eq!(refused(&[("domain.pddl", DOMAIN)]), ProblemGenerationError::NoExample);
    let still = "(define (domain still) (:predicates (p) (q)) (:action a :precondition (q) :effect (p)))";
    let problem = "(define (problem s) (:domain still) (:init) (:goal (p)))";
    let found = refused(&[("still.pddl", still), ("s.pddl", problem)]);
    assert!(matches!(found, ProblemGenerationError::NoChange { .. }), "{found}");
    let found = refused(&[
        ("domain.pddl", DOMAIN),
        ("two.pddl", PROBLEM),
        ("still.pddl", still),
        ("s.pddl", "(define (problem s) (:domain still) (:init (q)) (:goal (p)))"),
    ]);
    assert_eq!(found.to_string(), "the examples have several domains: `lights`, `still`; pass those of one domain");
}

#[test]
fn goals_that_cannot_be_reached_again_are_not_found() {
    let domain = "(define (domain once) (:predicates (p) (q) (r)) (:action a :precondition (q) :effect (and (p) (not (q)))) (:action b :effect (r)))";
    let problem = "(define (problem once) (:domain once) (:init (p)) (:goal (p)))";
    let texts = [("domain.pddl", domain), ("once.pddl", problem)];
    let generator = generator(&texts, ProblemOptions::default());
    assert_eq!(generator.sample(0, 0), None, "the only fact of goals is never made true");
}

/// Constraints of an example are left out, a name in other letters is the same domain, and a number that actions read is kept.
#[test]
fn examples_may_have_constraints_and_other_letters() {
    let domain = "(define (domain Fuel) (:requirements :typing :numeric-fluents :constraints) (:types place) (:predicates (at ?p - place)) (:functions (fuel))
        (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (>= (fuel) 1)) :effect (and (not (at ?a)) (at ?b) (decrease (fuel) 1))))";
    let problem = |name: &str, domain: &str, constraints: &str| {
        format!(
            "(define (problem {name}) (:domain {domain}) (:objects x y z - place) (:init (at x) (= (fuel) 9)) (:goal (at z)) {constraints} (:metric maximize (fuel)))"
        )
    };
    let (one, two) = (problem("one", "Fuel", "(:constraints (always (not (at y))))"), problem("two", "FUEL", ""));
    let texts = [("fuel.pddl", domain), ("one.pddl", &*one), ("two.pddl", &two)];
    let generator = generator(&texts, ProblemOptions { steps: 4, keeps_initial_state: false });
    let mut levels = BTreeSet::new();
    for index in 0..20 {
        let made = generator.sample(1, index).expect("a problem");
        assert_solvable(domain, &made);
        levels.insert(made.text.lines().find(|line| line.contains("(= (fuel)")).expect("a number").to_owned());
    }
    assert!(levels.len() > 1, "the fuel is what the walk left: {levels:?}");
    let other = domain.replace("(at ?p - place)", "(at ?p - place) (seen ?p - place)");
    let texts = [("fuel.pddl", domain), ("one.pddl", &*one), ("q/fuel.pddl", &*other), ("q/two.pddl", &two)];
    let found = problem_generator(&library(&texts), ProblemOptions::default());
    assert!(matches!(found, Ok(_) | Err(ProblemGenerationError::Domains(_))));
}
