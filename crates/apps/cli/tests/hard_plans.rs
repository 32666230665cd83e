//! Planning problems that are empty, trivial, unsolvable, too large or too deep end soon with a clear message and exit code.

use std::fmt::Write as _;

use crate::common::{Done, Folder};

const LAMPS: &str = "(define (domain lamps) (:requirements :strips :negative-preconditions)
    (:predicates (lit ?l) (spare) (fixed ?l))
    (:action light :parameters (?l) :precondition (spare) :effect (and (lit ?l) (not (spare)))))
";

/// Returns a folder with the domain of lamps; there is one match for all of them.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("domain.pddl", LAMPS);
    folder
}

fn lamps(objects: &str, init: &str, goal: &str) -> String {
    format!("(define (problem p) (:domain lamps) (:objects {objects}) (:init {init}) (:goal {goal}))\n")
}

fn expect(done: &Done, code: i32, parts: &[&str]) {
    let missing: Vec<_> = parts.iter().filter(|part| !done.all().contains(**part)).collect();
    assert!(done.code == Some(code) && missing.is_empty(), "{:?}, missing {missing:?}\n{}", done.code, done.all());
}

#[test]
fn goals_that_ask_for_nothing_or_hold_at_once_take_no_steps() {
    let folder = folder();
    for (goal, init) in
        [("(and)", ""), ("(lit a)", "(lit a)"), ("(not (lit a))", ""), ("(and (lit a) (not (lit b)))", "(lit a)")]
    {
        folder.write("p.pddl", lamps("a b", init, goal));
        for arguments in ["plan p.pddl", "plan --optimal p.pddl", "plan --improve p.pddl"] {
            let done = folder.run(arguments);
            expect(&done, 0, &["; cost (steps) = 0"]);
            assert_eq!(done.out.lines().count(), 1, "{goal}: {}", done.out);
        }
        folder.write("p.plan", folder.run("plan p.pddl").out);
        expect(&folder.run("validate p.pddl p.plan"), 0, &["valid: 0 steps, metric 0"]);
    }
}

#[test]
fn unsolvable_problems_are_reported() {
    let folder = folder();
    // No action makes it true; the single match suffices for only one lamp.
    for (goal, has_warning) in [("(fixed a)", true), ("(and (lit a) (lit b))", false)] {
        folder.write("p.pddl", lamps("a b", "(spare)", goal));
        for arguments in ["plan p.pddl", "plan --optimal p.pddl", "plan --improve p.pddl"] {
            expect(&folder.run(arguments), 3, &["; unsolvable (proved)"]);
        }
        expect(&folder.run("plan --format json p.pddl"), 3, &["\"proof\": \"unsolvable\"", "\"plan\": null"]);
        let checked = folder.run("check p.pddl");
        assert_eq!(
            (checked.code, checked.all().contains("pddl/unreachable-goal")),
            (Some(0), has_warning),
            "{}",
            checked.all()
        );
    }
}

#[test]
fn types_in_a_circle_are_an_error() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain round) (:requirements :typing) (:types a - b b - c c - a) (:predicates (p ?x - a))
            (:action do :parameters (?x - a) :effect (p ?x)))",
    );
    folder.write("p.pddl", "(define (problem p) (:domain round) (:objects o - a) (:init) (:goal (p o)))");
    for arguments in ["plan p.pddl", "check p.pddl", "validate p.pddl p.pddl"] {
        expect(&folder.run(arguments), 1, &["error[pddl/type-cycle]"]);
    }
}

#[test]
fn a_hundred_thousand_objects_are_planned_with() {
    let folder = folder();
    let objects: String = (0..100_000).map(|number| format!("o{number} ")).collect();
    // The action is applicable with each of them.
    folder.write("used.pddl", lamps(&objects, "(spare)", "(lit o99999)"));
    expect(&folder.run("plan used.pddl"), 0, &["(light o99999)", "; cost (steps) = 1"]);
    let typed = "(define (domain lamps) (:requirements :strips :typing) (:types lamp thing) (:predicates (lit ?l - lamp) (near ?t - thing))
        (:action light :parameters (?l - lamp) :effect (lit ?l)))";
    folder.write("typed/domain.pddl", typed);
    folder.write("typed/p.pddl", lamps(&format!("a - lamp {objects}- thing"), "(near o1)", "(lit a)"));
    expect(&folder.run("plan typed/p.pddl"), 0, &["(light a)"]);
    expect(&folder.run("check typed/p.pddl"), 0, &["1 program and 1 domain checked"]);
}

#[test]
fn tasks_that_are_too_large_to_be_grounded_are_solved_or_rejected() {
    let folder = Folder::new();
    let parameters: String = (0..9).map(|number| format!("?x{number} ")).collect();
    folder.write(
        "domain.pddl",
        format!(
            "(define (domain wide) (:predicates (p {parameters})) (:action all :parameters ({parameters}) :effect (p {parameters})))"
        ),
    );
    let objects: String = (0..50).map(|number| format!("o{number} ")).collect();
    folder.write(
        "p.pddl",
        format!("(define (problem p) (:domain wide) (:objects {objects}) (:init) (:goal (p {})))", "o1 ".repeat(9)),
    );
    let error = ["error[plan/not-supported]", "exceeds the limit of 4096 MiB"];
    expect(&folder.run("plan --optimal p.pddl"), 5, &error);
    expect(&folder.run("plan --search lama p.pddl"), 5, &error);
    let done = folder.run("plan p.pddl");
    expect(&done, 0, &["; not grounded in full: ", "exceeds the limit of 4096 MiB; partial grounding with at most"]);
    folder.write("p.plan", &done.out);
    expect(&folder.run("validate p.pddl p.plan"), 0, &["valid: 1 step"]);
    expect(&folder.run("plan --format json p.pddl"), 0, &["\"partial_grounding\": \"not grounded in full"]);
    expect(&folder.run("check p.pddl"), 0, &["note[plan/not-explored]"]);
}

/// Returns a counter of `bits` bits to be set to all ones, which takes one step per number.
fn counter(bits: usize) -> String {
    let mut actions = String::new();
    for bit in 0..bits {
        let lower: String = (0..bit).map(|lower| format!("(b{lower}) ")).collect();
        let clear: String = (0..bit).map(|lower| format!("(not (b{lower})) ")).collect();
        let _ = writeln!(
            actions,
            "(:action raise{bit} :parameters () :precondition (and {lower}(not (b{bit}))) :effect (and {clear}(b{bit})))"
        );
    }
    let bits: String = (0..bits).map(|bit| format!("(b{bit}) ")).collect();
    format!(
        "(define (domain counter) (:requirements :strips :negative-preconditions) (:predicates {bits}) {actions})
        (define (problem p) (:domain counter) (:init) (:goal (and {bits})))"
    )
}

#[test]
fn time_and_memory_limits_are_distinguished() {
    let folder = Folder::new();
    folder.write("p.pddl", counter(24));
    let done = folder.run("plan --optimal --time-limit 0.8 p.pddl");
    expect(&done, 4, &["; time limit reached without a plan"]);
    let done = folder.run("plan --format json --time-limit 0.8 p.pddl");
    expect(&done, 4, &["\"stop_reason\": \"time\"", "\"proof\": null"]);
    for optimal in ["", "--optimal "] {
        let done = folder.run(&format!("plan {optimal}--memory-limit 1 p.pddl"));
        expect(&done, 5, &["; memory limit reached without a plan"]);
    }
}

/// The plan found so far is printed, with a remark that the time limit decided which plan that is.
#[test]
fn a_plan_that_a_time_limit_cut_short_says_so() {
    let folder = Folder::new();
    // One expensive step reaches the goal; without it, the search would have to count.
    let bits: String = (0..24).map(|bit| format!("(b{bit}) ")).collect();
    let all = format!("(:action all :parameters () :effect (and {bits}(increase (total-cost) 1000000)))");
    let text = counter(24)
        .replace(":negative-preconditions", ":negative-preconditions :action-costs")
        .replacen("(:action raise0", &format!("(:functions (total-cost)) {all} (:action raise0"), 1)
        .replace("(:init)", "(:init (= (total-cost) 0))")
        .replace("(:goal (and", "(:metric minimize (total-cost)) (:goal (and");
    folder.write("p.pddl", text);
    let done = folder.run("plan --improve --time-limit 0.8 p.pddl");
    expect(&done, 0, &["(all)", "; metric = 1000000", "; time limit reached: another run can find a different plan"]);
    let done = folder.run("plan --improve --time-limit 0.8 --format json p.pddl");
    let record: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!((&record["stop_reason"], &record["limits_reached"]), (&"time".into(), &serde_json::json!(["time"])));
    // Without a time limit, the plan is the same for every number of threads.
    let plans = ["--jobs 1", "--jobs 2"].map(|jobs| folder.run(&format!("plan {jobs} p.pddl")).out);
    assert!(plans[0] == plans[1] && !plans[0].contains("limit"), "{plans:?}");
}

#[test]
fn time_ends_while_constraints_are_compiled() {
    let folder = folder();
    let objects: String = (0..24).map(|number| format!("o{number} ")).collect();
    let lamps = lamps(&objects, "", "(lit o0)").replace(
        "(:goal",
        "(:constraints (forall (?x ?y ?z) (sometime-before (and (lit ?x) (lit ?y)) (or (lit ?z) (not (lit ?x)))))) (:goal",
    );
    folder.write("p.pddl", lamps);
    for arguments in ["plan --time-limit 0.05 p.pddl", "plan --optimal --time-limit 0.05 p.pddl"] {
        expect(&folder.run(arguments), 4, &["time limit of 0.05 s reached while compiling constraints and goals"]);
    }
    let done = folder.run("plan --format json --time-limit 0.05 p.pddl");
    expect(&done, 4, &["\"stop_reason\": \"time\"", "\"stage\": \"compiling\"", "\"plan\": null"]);
}

#[test]
fn deep_nesting_is_refused_in_words() {
    let folder = folder();
    for (open, close) in [("(and ", ")"), ("(not ", ")"), ("(", ")"), ("(forall (?x) ", ")")] {
        let goal = format!("{}(lit a){}", open.repeat(100_000), close.repeat(100_000));
        folder.write("p.pddl", lamps("a", "", &goal));
        for arguments in ["plan p.pddl", "check p.pddl", "fmt --check p.pddl", "validate p.pddl p.pddl"] {
            expect(&folder.run(arguments), 1, &["error[syntax/too-deep]"]);
        }
    }
    folder.write("p.pddl", "(".repeat(100_000));
    expect(&folder.run("plan domain.pddl p.pddl"), 1, &["error["]);
    folder.write("p.pddl", lamps("a", "", "(lit a)"));
    folder.write("p.plan", "(".repeat(100_000));
    expect(&folder.run("validate p.pddl p.plan"), 1, &["error["]);
}

#[test]
fn durative_problems_are_not_planned() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain lamps) (:requirements :durative-actions) (:predicates (lit ?l))
            (:durative-action light :parameters (?l) :duration (= ?duration 2) :condition () :effect (at end (lit ?l))))",
    );
    folder.write("p.pddl", lamps("a", "", "(lit a)"));
    folder.write("p.plan", "0: (light a) [2]\n");
    for arguments in ["plan p.pddl", "plan --optimal p.pddl", "validate p.pddl p.plan"] {
        let parts = ["error[pddl/unsupported]", "durative action `light` is not supported by planning"];
        expect(&folder.run(arguments), 1, &parts);
    }
    folder.write("domain.pddl", LAMPS);
    folder.write("p.pddl", lamps("a", "(spare) (at 5 (lit a))", "(lit a)"));
    expect(&folder.run("plan p.pddl"), 1, &["error[pddl/unsupported]"]);
}

#[test]
fn the_reason_for_conflicting_effects_is_reported_once() {
    let folder = Folder::new();
    for (effect, reason) in [
        ("(and (g) (assign (f) 5) (increase (f) 1))", "by `assign` and `increase` simultaneously"),
        ("(and (g) (forall (?x - t) (assign (f) 5)))", "by `assign` 2 times simultaneously, once per object"),
        (
            "(and (g) (assign (f) 5) (forall (?x - t) (increase (f) (h ?x))))",
            "by `assign` and `increase` simultaneously",
        ),
    ] {
        folder.write(
            "p.pddl",
            format!(
                "(define (domain d) (:requirements :adl :numeric-fluents) (:types t) (:predicates (g) (r)) (:functions (f) (h ?x - t))
                    (:action other :parameters () :precondition (and) :effect (and (g) (forall (?x - t) (assign (h ?x) 5))))
                    (:action mixed :parameters () :effect {effect}))
                (define (problem p) (:domain d) (:objects a b - t) (:init (r) (= (f) 1) (= (h a) 1) (= (h b) 1)) (:goal (and (g) (r))))"
            ),
        );
        let done = folder.run("check --format line p.pddl");
        assert_eq!(done.out.matches("warning[pddl/conflicting-effects]").count(), 1, "{effect}: {}", done.all());
        assert!(done.out.contains(reason), "{effect}: {}", done.all());
        assert!(!done.out.contains("unreachable-action"), "{effect}: {}", done.all());
    }
}

#[test]
fn probable_mistakes_are_reported() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain doors) (:requirements :strips :typing :negative-preconditions) (:types door key)
            (:predicates (open ?d - door) (fits ?k - key ?d - door) (have ?k - key) (broken ?d - door) (near ?d - door) (far ?d - door))
            (:action unlock :parameters (?d - door ?k - key ?other - door)
                :precondition (and (have ?k) (fits ?k ?d)) :effect (open ?d))
            (:action kick :parameters (?d - door) :precondition (and (near ?d) (far ?d)) :effect (open ?d))
            (:action mend :parameters (?d - door) :precondition (broken ?d) :effect (not (open ?d))))",
    );
    let problem = |init: &str, goal: &str| {
        format!(
            "(define (problem p) (:domain doors) (:objects d e - door k - key) (:init (fits k d) {init}) (:goal {goal}))"
        )
    };
    folder.write("p.pddl", problem("(have k) (have k) (near d) (far e)", "(and (open d) (open e))"));
    let done = folder.run("check --format line p.pddl domain.pddl");
    expect(
        &done,
        0,
        &[
            "warning[pddl/unused-parameter]: ",
            "warning[pddl/duplicate-fact]: ",
            "warning[pddl/never-added]: in the problem `p`, `broken` is never true",
            "warning[pddl/unreachable-action]: in the problem `p`, `mend` is never applicable",
            // There are facts of both kinds, but never for the same door.
            "warning[pddl/unreachable-action]: in the problem `p`, `kick` is never applicable: no objects satisfy its precondition",
            // There is a key, but it fits the other door.
            "warning[pddl/unreachable-goal]: unreachable goal condition: no sequence of actions satisfies it",
        ],
    );
    assert_eq!(done.out.matches("unreachable-goal").count(), 1, "{}", done.out);
    assert_eq!(done.out.matches("unreachable-action").count(), 2, "{}", done.out);
    expect(&folder.run("plan p.pddl"), 3, &["; unsolvable (proved)"]);
    folder.write("p.pddl", problem("(have d)", "(open k)"));
    let done = folder.run("check --format line p.pddl");
    expect(&done, 1, &["error[pddl/type-mismatch]"]);
    assert_eq!(done.out.matches("type-mismatch").count(), 2, "{}", done.out);
}

/// A preference that searches ignore and that is too large to evaluate: no plan, and a message instead of a panic.
#[test]
fn preferences_that_are_too_large_to_judge_are_named() {
    let folder = Folder::new();
    let objects: String = (0..200).map(|number| format!(" o{number}")).collect();
    let five = "(exists (?a ?b ?c ?d ?e) (and (p ?a) (p ?b) (p ?c) (p ?d) (p ?e)))";
    for (goal, constraint, part) in [
        ("", format!("(preference big (sometime {five}))"), "quantifiers that range over up to"),
        (&*format!("(preference big {five})"), String::new(), "quantifiers that range over up to"),
        (
            "",
            "(forall (?a ?b ?c ?d) (preference big (sometime (and (p ?a) (p ?b) (p ?c) (p ?d)))))".to_owned(),
            "has 1600000000 bindings",
        ),
    ] {
        folder.write(
            "p.pddl",
            format!(
                "(define (domain d) (:requirements :adl :preferences :constraints) (:predicates (p ?x))
                    (:action a :parameters (?x) :precondition (not (p ?x)) :effect (p ?x)))
                 (define (problem r) (:domain d) (:objects{objects}) (:init) (:goal (and (p o0) {goal}))
                    (:constraints (and {constraint})))"
            ),
        );
        let done = folder.run("plan p.pddl");
        expect(
            &done,
            1,
            &["error[plan/not-supported]", "`big`", part, "the limit cannot be lifted: bind fewer variables"],
        );
        assert!(!done.err.contains("panicked"), "{}", done.err);
    }
}
