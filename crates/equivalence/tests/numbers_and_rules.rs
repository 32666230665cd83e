//! Comparisons of numbers and derived predicates: agreement with the evaluation of goals in all states of a small world.

use std::fmt::Write as _;

use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::task::Task;
use goalspec_core::state::State;
use goalspec_equivalence::GoalRelation::{self, Different, Same, Stronger, Unknown, Weaker};
use goalspec_equivalence::goals::{GoalInWorld, compare_goals, compare_goals_within};

use crate::brute_force::{Random, holds, mutated};
use crate::texts::{compare, task};

/// A domain with rules: `above` is the transitive closure of `on`, and `loose` is not above anything.
const DOMAIN: &str = "(define (domain towers) (:requirements :adl :fluents :derived-predicates) (:types block)
    (:predicates (on ?x ?y - block) (above ?x ?y - block) (loose ?x - block) (even)) (:functions (weight ?x - block))
    (:derived (above ?x ?y - block) (or (on ?x ?y) (exists (?z - block) (and (on ?x ?z) (above ?z ?y)))))
    (:derived (loose ?x - block) (not (exists (?y - block) (above ?x ?y))))
    (:derived (even) (forall (?x ?y - block) (= (weight ?x) (weight ?y)))))";

fn towers(objects: &str, init: &str, goal: &str) -> Task {
    let problem =
        format!("(define (problem p) (:domain towers) (:objects {objects} - block) (:init {init}) (:goal {goal}))");
    task(DOMAIN, &problem)
}

/// Returns the state with these facts and values, and with the derived facts that follow.
fn state(objects: &str, init: &str) -> State {
    let task = towers(objects, init, "(and)");
    Execution::new(&task).unwrap().state().clone()
}

/// Values of a function in each cell of the thresholds of the tests; none in the first one.
const VALUES: [Option<f64>; 9] =
    [None, Some(-3.0), Some(-1.0), Some(0.0), Some(1.0), Some(1.5), Some(2.0), Some(3.0), Some(7.0)];

/// Returns all states over two blocks with values of the two weights in each cell.
fn states() -> Vec<State> {
    let facts = ["(on a a)", "(on a b)", "(on b a)", "(on b b)"];
    let mut states = Vec::new();
    for bits in 0..1_usize << facts.len() {
        for one in VALUES {
            for other in VALUES {
                let mut init = String::new();
                for (_, fact) in facts.iter().enumerate().filter(|(index, _)| bits & (1 << index) != 0) {
                    let _ = write!(init, "{fact} ");
                }
                for (name, value) in [("a", one), ("b", other)] {
                    if let Some(value) = value {
                        let _ = write!(init, "(= (weight {name}) {value}) ");
                    }
                }
                states.push(state("a b", &init));
            }
        }
    }
    states
}

fn brute_force(tasks: &[Task; 2], states: &[State]) -> GoalRelation {
    let (mut only_one, mut only_other) = (false, false);
    for state in states {
        let [one, other] = tasks.each_ref().map(|task| holds(&task.world, &task.goal, state));
        only_one |= one && !other;
        only_other |= other && !one;
    }
    match (only_one, only_other) {
        (false, false) => Same,
        (false, true) => Stronger,
        (true, false) => Weaker,
        (true, true) => Different,
    }
}

#[test]
fn mutations_of_goals_with_numbers_and_derived_predicates_agree() {
    let leaves = [
        "(on a b)",
        "(above a b)",
        "(above b b)",
        "(loose a)",
        "(even)",
        "(> (weight a) 1)",
        "(<= (* 2 (weight a)) 2)",
        "(= (weight a) 2)",
        "(>= 4 (+ (weight b) 2))",
        "(< (- 1 (weight b)) 0)",
        "(> (/ (weight b) -2) 0.5)",
        "(exists (?x - block) (and (above ?x a) (>= (weight ?x) 2)))",
    ];
    // `even` compares both weights with each other, which is decided only if nothing else compares them.
    let decided: Vec<&str> = leaves.into_iter().filter(|leaf| *leaf != "(even)").collect();
    let heads = ["forall (?x - block)", "exists (?x - block)"];
    let states = states();
    let (mut random, mut relations) = (Random(3), Vec::new());
    for index in 0..400 {
        let of = if index % 4 == 0 { &leaves[..] } else { &decided };
        let texts = mutated(&mut random, of, &heads);
        let tasks = texts.each_ref().map(|goal| towers("a b", "", goal));
        let expected = brute_force(&tasks, &states);
        let found = compare_goals(GoalInWorld::of_task(&tasks[0]), GoalInWorld::of_task(&tasks[1])).unwrap();
        let is_even = texts.iter().any(|text| text.contains("(even)"));
        assert!(
            found.relation == expected || (is_even && found.relation == Unknown),
            "{expected:?} {found:?} {texts:?}"
        );
        if let Some(witness) = found.witness.filter(|_| found.relation != Unknown) {
            let state = state("a b", &witness.facts.join(" "));
            let satisfied = tasks.each_ref().map(|task| holds(&task.world, &task.goal, &state));
            assert_eq!(satisfied, [witness.satisfies_first, !witness.satisfies_first], "{texts:?} {:?}", witness.facts);
        }
        relations.push(found.relation);
    }
    let count = |of: GoalRelation| relations.iter().filter(|found| **found == of).count();
    assert!(count(Same) > 40 && count(Different) > 40 && count(Unknown) < 60, "{relations:?}");
}

#[test]
fn linear_comparisons_of_one_function_are_decided() {
    for (one, other, relation) in [
        ("(> (weight a) 2)", "(< 2 (weight a))", Same),
        ("(> (weight a) 2)", "(> (* 3 (weight a)) 6)", Same),
        ("(> (weight a) 2)", "(< (- (weight a)) -2)", Same),
        ("(>= (weight a) 0.3)", "(>= (weight a) (+ 0.1 0.2))", Same),
        ("(and (<= (weight a) 2) (>= (weight a) 2))", "(= (weight a) 2)", Same),
        ("(> (weight a) 2)", "(>= (weight a) 3)", Weaker),
        ("(or (< (weight a) 2) (>= (weight a) 2))", "(and)", Stronger),
        ("(or (< (weight a) 2) (>= (weight a) 2))", "(= (weight a) (weight a))", Same),
        ("(> (+ (weight a) (weight b)) 2)", "(> (+ (weight b) (weight a) 1) 3)", Same),
        ("(> (- (weight a) (weight b)) 0)", "(< (weight b) (weight a))", Same),
        // Not linear, or with a function in common.
        ("(> (* (weight a) (weight a)) 4)", "(> (weight a) 2)", Unknown),
        ("(> (/ 1 (weight a)) 4)", "(> (weight a) 2)", Unknown),
        ("(> (+ (weight a) (weight b)) 2)", "(and (> (weight a) 1) (> (weight b) 1))", Unknown),
    ] {
        assert_eq!(compare(one, other).relation, relation, "{one} {other}");
    }
    let witness = compare("(and (on a b) (> (weight a) 2))", "(and (on a b) (> (weight a) 3))").witness.unwrap();
    assert_eq!(
        (witness.facts, witness.satisfies_first),
        (vec!["(on a b)".to_owned(), "(= (weight a) 3)".to_owned()], true)
    );
}

#[test]
fn goals_are_compared_on_the_states_that_satisfy_a_condition() {
    let goal = |goal: &str| towers("a b c", "", goal);
    let [one, other] = [goal("(and (on a b) (on b c))"), goal("(and (on a b) (on b c) (not (on c a)))")];
    let acyclic = goal("(not (exists (?x - block) (above ?x ?x)))");
    let [first, second, states] = [&one, &other, &acyclic].map(GoalInWorld::of_task);
    assert_eq!(compare_goals(first, second).unwrap().relation, Weaker);
    assert_eq!(compare_goals_within(first, second, states).unwrap().relation, Same);
}
