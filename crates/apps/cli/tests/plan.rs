//! `goalspec plan` and `goalspec validate`: plans, what is said of them, exit codes.

mod common;

use std::fmt::Write as _;

use common::Folder;
use serde_json::Value;

const DOMAIN: &str = "(define (domain hanoi) (:requirements :strips)
    (:predicates (clear ?x) (on ?x ?y) (smaller ?x ?y))
    (:action move :parameters (?disc ?from ?to)
        :precondition (and (smaller ?to ?disc) (on ?disc ?from) (clear ?disc) (clear ?to))
        :effect (and (clear ?from) (on ?disc ?to) (not (on ?disc ?from)) (not (clear ?to)))))
";

/// The towers of Hanoi, of so many discs; the goal names a peg.
fn hanoi(discs: usize, goal: &str) -> String {
    let mut init = String::from("(clear p2) (clear p3) (clear d1) ");
    for disc in 1..=discs {
        for peg in ["p1", "p2", "p3"] {
            let _ = write!(init, "(smaller {peg} d{disc}) ");
        }
        for larger in disc + 1..=discs {
            let _ = write!(init, "(smaller d{larger} d{disc}) ");
        }
        let below = if disc == discs { "p1".to_owned() } else { format!("d{}", disc + 1) };
        let _ = write!(init, "(on d{disc} {below}) ");
    }
    let objects: String = (1..=discs).map(|disc| format!("d{disc} ")).collect();
    format!("(define (problem h) (:domain hanoi) (:objects p1 p2 p3 {objects}) (:init {init}) (:goal (and {goal})))\n")
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("domain.pddl", DOMAIN);
    folder.write("three.pddl", hanoi(3, "(on d3 p3) (on d2 d3) (on d1 d2)"));
    folder.write("never.pddl", hanoi(3, "(on d3 d1)"));
    folder.write("large.pddl", hanoi(16, "(on d16 p3) (on d15 d16) (on d14 p1)"));
    folder.write("wrong.pddl", hanoi(3, "(on d3 p4)"));
    folder
}

#[test]
fn plans_are_found_and_are_valid() {
    let folder = folder();
    let done = folder.run("plan --optimal three.pddl");
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.out.ends_with("; cost (steps) = 7, the least there is\n"), "{}", done.out);
    assert_eq!(done.out.lines().filter(|line| line.starts_with("(move ")).count(), 7);
    folder.write("three.plan", &done.out);
    let judged = folder.run("validate domain.pddl three.pddl three.plan");
    assert_eq!((judged.code, &*judged.out), (Some(0), "valid: 7 steps, metric 7\n"));

    let done = folder.run("plan --format json --trace run.jsonl domain.pddl three.pddl");
    let record: Value = serde_json::from_str(&done.out).expect("it is JSON");
    let steps = record["plan"].as_array().expect("a plan").len();
    assert_eq!((record["valid"].as_bool(), record["metric"].as_f64()), (Some(true), Some(steps as f64)));
    assert!(record["statistics"]["expanded"].as_u64().is_some_and(|expanded| expanded > 0));
    // A header, the first state, and one for each step.
    assert_eq!(folder.read("run.jsonl").lines().count(), steps + 2);
    assert!(folder.run("plan --statistics three.pddl").out.contains("; grounded in "));
}

#[test]
fn exit_codes_say_what_became_of_a_problem() {
    let folder = folder();
    for (arguments, code, text) in [
        ("plan three.pddl", 0, "; cost (steps) = "),
        ("plan wrong.pddl", 1, "there is no object `p4`"),
        ("plan missing.pddl", 1, "there is no file"),
        ("plan domain.pddl", 2, "one planning problem is expected"),
        ("plan --time-limit 0 three.pddl", 2, "more than 0 seconds"),
        ("plan --optimal --improve three.pddl", 2, "cannot be used with"),
        ("plan --trace three.pddl three.pddl", 2, "an input"),
        ("plan never.pddl", 3, "; there is no plan"),
        ("plan --time-limit 0.000001 large.pddl", 4, "longer than"),
        ("plan --optimal --memory-limit 1 large.pddl", 5, "memory"),
        ("validate three.pddl missing.plan", 1, "`missing.plan` cannot be read"),
        ("validate three.pddl three.pddl", 1, "error"),
    ] {
        let done = folder.run(arguments);
        assert!(done.code == Some(code) && done.all().contains(text), "{arguments}: {:?} {}", done.code, done.all());
    }
}

#[test]
fn a_plan_that_fails_is_explained() {
    let folder = folder();
    folder.write("bad.plan", "(move d1 d2 p3)\n(move d2 d3 p3)\n");
    let done = folder.run("validate three.pddl bad.plan");
    assert_eq!(done.code, Some(1));
    for text in [
        "error[plan/step]: step 2 `(move d2 d3 p3)` cannot be taken",
        "bad.plan:2:1",
        "`(clear p3)` is false since step 1; `(move d1 p3 p2)` or `(move d1 p3 d2)` would change that",
        "not valid: 1 of 2 steps can be taken",
    ] {
        assert!(done.out.contains(text), "{text}\n{}", done.out);
    }
    let done = folder.run("validate --format json three.pddl bad.plan");
    let record: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!(record["failed_step"], "(move d2 d3 p3)");
    assert_eq!(record["lacks"][0]["since"], 1);
    folder.write("short.plan", "(move d1 d2 p3)\n");
    let done = folder.run("validate three.pddl short.plan");
    assert!(done.code == Some(1) && done.out.contains("the goal does not hold after the last step"), "{}", done.out);
}
