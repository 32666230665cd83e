//! `goalspec plan --goal` and `goalspec validate --goal`: goals that replace or extend the goal of the problem.

use crate::common::{Done, Folder, GOALSPEC, finish};
use serde_json::Value;

/// Names in the style of competition domains: with dashes, and objects that begin with digits.
const DOMAIN: &str = "(define (domain pump-house) (:requirements :typing :negative-preconditions :action-costs)
    (:types water-pump store-room - any-place)
    (:predicates (is-open ?r - store-room) (at-room ?r - store-room) (stands-in ?p - water-pump ?r - store-room)
        (is-on ?p - water-pump) (hand-empty))
    (:functions (total-cost) - number)
    (:action go-to :parameters (?from ?to - store-room) :precondition (and (at-room ?from) (is-open ?to))
        :effect (and (not (at-room ?from)) (at-room ?to) (increase (total-cost) 2)))
    (:action un-lock :parameters (?r - store-room) :precondition (hand-empty)
        :effect (and (is-open ?r) (increase (total-cost) 1)))
    (:action lock :parameters (?r - store-room) :precondition (is-open ?r)
        :effect (and (not (is-open ?r)) (increase (total-cost) 1)))
    (:action switch-on :parameters (?p - water-pump ?r - store-room)
        :precondition (and (stands-in ?p ?r) (at-room ?r)) :effect (and (is-on ?p) (increase (total-cost) 1)))
    (:action switch-off :parameters (?p - water-pump ?r - store-room)
        :precondition (and (stands-in ?p ?r) (at-room ?r)) :effect (and (not (is-on ?p)) (increase (total-cost) 1))))
";

const PROBLEM: &str = "(define (problem two-rooms) (:domain pump-house)
    (:objects pump-1 2nd-pump - water-pump room-a room-b - store-room)
    (:init (at-room room-a) (stands-in pump-1 room-a) (stands-in 2nd-pump room-b) (hand-empty) (= (total-cost) 0))
    (:goal (is-on pump-1)) (:metric minimize (total-cost)))
";

const GAME: &str = "(define (game pumps) (:domain pump-house)
    (:constraints (and
        (preference allOff (at-end (forall (?p - water-pump) (not (is-on ?p)))))
        (forall (?p - water-pump) (preference onBehindDoors
            (exists (?r - store-room) (then
                (once (and (stands-in ?p ?r) (at-room ?r) (is-on ?p) (is-open ?r)))
                (hold (and (is-on ?p) (hand-empty)))
                (once (and (is-on ?p) (not (is-open ?r)) (not (is-on pump-1)) (< (total-cost) 20)))))))
        (preference lit (exists (?r - store-room) (at-end (and (at-room ?r) (is-on 2nd-pump)))))))
    (:scoring (+ (count lit) (count-once-per-external-objects onBehindDoors:water-pump))))
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("domain.pddl", DOMAIN);
    folder.write("p.pddl", PROBLEM);
    folder.write("pumps.game", GAME);
    folder
}

/// Runs `goalspec plan --goal GOAL ..`, with the goal as one argument.
fn plan(folder: &Folder, goal: &str, others: &str) -> Done {
    let mut command = folder.command(GOALSPEC);
    command.args(["plan", "--goal", goal]).args(others.split(' ').filter(|other| !other.is_empty())).arg("p.pddl");
    finish(&mut command, b"")
}

fn steps(done: &Done) -> Vec<&str> {
    done.out.lines().filter(|line| line.starts_with('(')).collect()
}

#[test]
fn names_of_planning_domains_with_dashes_are_available_in_games() {
    let folder = folder();
    let checked = folder.run("check --format line pumps.game p.pddl");
    assert_eq!(checked.code, Some(0), "{}", checked.all());
    let done = plan(&folder, "pumps.game::lit", "--optimal --trace run.jsonl");
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert_eq!(steps(&done), ["(un-lock room-b)", "(go-to room-a room-b)", "(switch-on 2nd-pump room-b)"]);
    assert!(done.out.contains("; metric = 4 (optimal)\n; `lit` of pumps.game is satisfied\n"), "{}", done.out);
    let done = plan(&folder, "pumps.game::onBehindDoors", "--optimal --trace run.jsonl");
    assert_eq!(done.code, Some(0), "{}", done.all());
    let scored = folder.run("score --format json pumps.game p.pddl run.jsonl");
    let record: Value = serde_json::from_str(&scored.out).unwrap_or_else(|_| panic!("{}", scored.all()));
    assert!(record[0]["score"].as_f64().is_some_and(|score| score >= 1.0), "{}", scored.out);
    // A similar name is suggested.
    folder.write("pumps.game", GAME.replace("(is-on 2nd-pump)", "(is-no 2nd-pump)"));
    let checked = folder.run("check --format line pumps.game p.pddl");
    assert!(checked.code == Some(1) && checked.out.contains("error[game/unknown-predicate]"), "{}", checked.all());
    let checked = folder.run("check pumps.game p.pddl");
    assert!(checked.out.contains("did you mean `is-on`?"), "{}", checked.all());
}

#[test]
fn a_condition_on_states_can_be_planned_for() {
    let folder = folder();
    let done = plan(&folder, "(AND (is-on 2nd-Pump) (not (is-open room-b)))", "--optimal");
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert_eq!(steps(&done).len(), 4, "{}", done.out);
    assert!(done.out.contains("; metric = 5 (optimal)\n"), "{}", done.out);
    let line = "; goal `(AND (is-on 2nd-Pump) (not (is-open room-b)))` is satisfied\n";
    assert!(done.out.contains(line), "{}", done.out);
    // The goal of the problem is replaced by default, and kept with `--keep-goal`.
    assert!(!done.out.contains("pump-1"), "{}", done.out);
    let done = plan(&folder, "(is-on 2nd-pump)", "--optimal --keep-goal");
    assert!(done.code == Some(0) && steps(&done).contains(&"(switch-on pump-1 room-a)"), "{}", done.all());
    assert!(done.out.contains("; metric = 5 (optimal)\n"), "{}", done.out);
    // Quantifiers, numbers, a goal that already holds, and the empty goal.
    let done = plan(&folder, "(forall (?p - water-pump) (is-on ?p))", "--optimal");
    assert!(done.out.contains("; metric = 5 (optimal)\n"), "{}", done.all());
    for goal in ["(exists (?r - store-room) (at-room ?r))", "(< (total-cost) 1)", "()", " ( and )"] {
        let done = plan(&folder, goal, "");
        assert!(done.code == Some(0) && steps(&done).is_empty(), "{goal}: {}", done.all());
    }
}

#[test]
fn conditions_on_runs_of_states_can_be_planned_for() {
    let folder = folder();
    // Goals, each with the cost of the cheapest plan.
    let on = "(sometime (is-on 2nd-pump))";
    for (goal, cost) in [
        (format!("(and {on} (at end (not (is-on 2nd-pump))))"), 5),
        (format!("(and {on} (always (imply (is-on 2nd-pump) (is-on pump-1))))"), 5),
        (format!("(and {on} (sometime-before (is-open room-b) (is-on pump-1)) (not (is-on pump-1)))"), 6),
        // The same, with the operators of temporal logic.
        (format!("(and {on} (release (is-on pump-1) (not (is-open room-b))) (not (is-on pump-1)))"), 6),
        ("(eventually (and (is-on pump-1) (next (is-open room-a))))".to_owned(), 2),
        ("(until (not (is-open room-b)) (is-on pump-1))".to_owned(), 1),
        // Nested operators.
        ("(next (next (is-on pump-1)))".to_owned(), 2),
        ("(weak-next (is-on pump-1))".to_owned(), 0),
        ("(and (is-on pump-1) (always (imply (is-on pump-1) (sometime (not (is-on pump-1))))))".to_owned(), -1),
        ("(always (imply (is-on pump-1) (sometime (not (is-on pump-1)))))".to_owned(), 0),
        (
            "(sometime (and (is-on pump-1) (eventually (and (not (is-on pump-1)) (sometime (is-on pump-1))))))"
                .to_owned(),
            3,
        ),
        ("(not (always (not (is-on 2nd-pump))))".to_owned(), 4),
        ("(or (sometime (is-on 2nd-pump)) (is-open room-a))".to_owned(), 1),
        ("(exists (?p - water-pump) (and (sometime (is-on ?p)) (at end (not (is-on ?p)))))".to_owned(), 2),
        ("(forall (?p - water-pump) (and (sometime (is-on ?p)) (not (is-on ?p))))".to_owned(), 7),
        ("(within 1 (next (is-on pump-1)))".to_owned(), 1),
        ("(within 0 (next (next (is-on pump-1))))".to_owned(), 2),
    ] {
        let done = plan(&folder, &goal, "--optimal --format json");
        let record: Value = serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{goal}: {}", done.all()));
        if cost < 0 {
            assert_eq!((done.code, record["proof"].as_str()), (Some(3), Some("unsolvable")), "{goal}: {}", done.all());
            assert_eq!(record["verdict"], Value::Null, "{goal}");
            continue;
        }
        assert_eq!(done.code, Some(0), "{goal}: {}", done.all());
        assert_eq!(record["metric"].as_f64(), Some(f64::from(cost)), "{goal}: {}", done.out);
        assert_eq!(
            (&record["valid"], &record["verdict"]["satisfied"]),
            (&Value::Bool(true), &Value::Bool(true)),
            "{goal}"
        );
    }
    // Together with the goal of the problem.
    let done = plan(&folder, "(sometime-before (is-on pump-1) (is-open room-b))", "--optimal --keep-goal");
    assert!(done.code == Some(0) && done.out.contains("; metric = 2 (optimal)"), "{}", done.all());
}

#[test]
fn errors_in_conditions_have_positions() {
    let folder = folder();
    for (goal, code, message) in [
        ("(is-opne room-a)", "pddl/unknown-predicate", "<goal>:1:2"),
        ("(is-open room-c)", "pddl/unknown-object", "<goal>:1:10"),
        ("(is-open pump-1)", "pddl/type-mismatch", "`pump-1` has type water-pump"),
        ("(is-open ?r)", "pddl/unbound-variable", "<goal>:1:10"),
        ("(and (hand-empty)", "syntax/", "<goal>:1:1"),
        ("(hand-empty) (is-on pump-1)", "pddl/extra-part", "<goal>:1:14"),
        ("(allways (is-on pump-1))", "pddl/unknown-operator", "did you mean `always`?"),
        ("(untill (hand-empty) (is-on pump-1))", "pddl/unknown-operator", "did you mean `until`?"),
        ("(until (hand-empty))", "pddl/missing-part", "two conditions"),
        ("(preference p (is-on pump-1))", "pddl/misplaced", "is a hard goal"),
        ("(sometime (preference p (is-on pump-1)))", "pddl/misplaced", "a preference"),
        ("(within 500 (is-on pump-1))", "pddl/too-many", "200 steps"),
        ("(within 150 (within 150 (is-on pump-1)))", "pddl/too-many", "enclosing operators"),
    ] {
        let done = plan(&folder, goal, "");
        assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{goal}: {}", done.all());
        assert!(done.err.contains(code) && done.err.contains(message), "{goal}: {}", done.err);
    }
    // Files are restricted to the constructs of PDDL.
    folder.write(
        "p.pddl",
        PROBLEM.replace("(:goal (is-on pump-1))", "(:goal (is-on pump-1)) (:constraints (next (is-on pump-1)))"),
    );
    let done = folder.run("plan p.pddl");
    assert!(done.code == Some(1) && done.err.contains("unknown operator `next`"), "{}", done.all());
    // Without `--goal`, `--keep-goal` is an error.
    let done = folder.run("plan --keep-goal p.pddl");
    assert_eq!(done.code, Some(2), "{}", done.all());
}

#[test]
fn conditions_that_exceed_limits_are_errors_with_help() {
    let folder = folder();
    let nested = |depth: usize| format!("{}(is-on pump-1){}", "(at-most-once ".repeat(depth), ")".repeat(depth));
    for goal in [nested(12), nested(100)] {
        let done = plan(&folder, &goal, "");
        assert_eq!(done.code, Some(1), "{}", done.all());
        assert!(done.err.contains("pddl/too-many") || done.err.contains("plan/not-supported"), "{}", done.err);
    }
    let soon = ["is-on pump-1", "is-on 2nd-pump", "hand-empty"].map(|fact| format!("(within 30 ({fact}))"));
    let apart = soon.join(" ");
    let done = plan(&folder, &format!("(and (is-on pump-1) (sometime (and {apart})))"), "");
    assert_eq!(done.code, Some(1), "{}", done.all());
    for part in ["plan/not-supported", "automaton of the formula exceeds", "<goal>:1:21"] {
        assert!(done.err.contains(part), "{part}: {}", done.err);
    }
    let done = plan(&folder, "(within 1e300 (is-on pump-1))", "");
    assert!(done.code == Some(1) && done.err.contains("time 1e300 exceeds"), "{}", done.all());
}

/// Runs `goalspec validate --goal GOAL ..`, with the goal as one argument.
fn validate(folder: &Folder, goal: &str, others: &str, plan: &str) -> Done {
    let mut command = folder.command(GOALSPEC);
    command.args(["validate", "--goal", goal]).args(others.split(' ').filter(|other| !other.is_empty()));
    finish(command.args(["p.pddl", "-"]), plan.as_bytes())
}

const SECOND_ON: &str = "(un-lock room-b)\n(go-to room-a room-b)\n(switch-on 2nd-pump room-b)\n";

#[test]
fn plans_are_validated_against_a_preference() {
    let folder = folder();
    let planned = plan(&folder, "pumps.game::lit", "--optimal");
    let validation = validate(&folder, "pumps.game::lit", "", &planned.out);
    assert_eq!(
        (validation.code, validation.out.as_str()),
        (Some(0), "valid: 3 steps, metric 4\n`lit` of pumps.game is satisfied\n"),
        "{}",
        validation.all()
    );
    // The plan does not reach the goal of the problem, nor both.
    folder.write("lit.plan", &planned.out);
    let validation = folder.run("validate p.pddl lit.plan");
    assert!(validation.code == Some(1) && validation.out.contains("`(is-on pump-1)` is false"), "{}", validation.all());
    let validation =
        finish(folder.command(GOALSPEC).args(["validate", "--goal=-::lit", "p.pddl", "lit.plan"]), GAME.as_bytes());
    assert_eq!(validation.code, Some(0), "{}", validation.all());
    let validation = validate(&folder, "pumps.game::lit", "--keep-goal", &planned.out);
    assert!(validation.code == Some(1) && validation.out.contains("`(is-on pump-1)` is false"), "{}", validation.all());
    assert!(validation.out.ends_with("invalid: 3 of 3 steps applicable\n`lit` of pumps.game is satisfied\n"));
    let both = plan(&folder, "pumps.game::lit", "--keep-goal");
    assert_eq!(validate(&folder, "pumps.game::lit", "--keep-goal", &both.out).code, Some(0));
    // Conditions that are unmet at the end, and on the way.
    let validation = validate(&folder, "pumps.game::lit", "", "(un-lock room-b)\n(go-to room-a room-b)\n");
    assert_eq!(validation.code, Some(1), "{}", validation.all());
    for part in [
        "error[plan/goal]: `lit` of pumps.game is not satisfied",
        "pumps.game:",
        "after step 2, for example with ?r = room-a: `(at-room room-a)` is false and `(is-on 2nd-pump)` is false",
        "invalid: 2 of 2 steps applicable\n`lit` of pumps.game is not satisfied\n",
    ] {
        assert!(validation.out.contains(part), "{part}: {}", validation.out);
    }
    // A plan that ends where the next operator would begin lacks only states.
    let validation = validate(&folder, "pumps.game::onBehindDoors", "", SECOND_ON);
    assert_eq!(validation.code, Some(1), "{}", validation.all());
    assert!(validation.out.contains("failed after step 3 in operator 2: the plan ends\n"), "{}", validation.out);
    let waiting = format!("{SECOND_ON}(un-lock room-b)\n");
    let validation = validate(&folder, "pumps.game::onBehindDoors", "", &waiting);
    assert_eq!(validation.code, Some(1), "{}", validation.all());
    for part in
        ["started after step 3, with ?p = 2nd-pump, ?r = room-b; ", "in operator 2: `(is-open room-b)` is true\n"]
    {
        assert!(validation.out.contains(part), "{part}: {}", validation.out);
    }
    let behind = format!("{waiting}(lock room-b)\n");
    assert_eq!(validate(&folder, "pumps.game::onBehindDoors", "", &behind).code, Some(0));
    let validation = validate(&folder, "pumps.game::onBehindDoors", "--format json", &waiting);
    let record: Value = serde_json::from_str(&validation.out).unwrap_or_else(|_| panic!("{}", validation.all()));
    assert_eq!(
        (validation.code, &record["valid"], &record["goal_satisfied"]),
        (Some(1), &Value::Bool(false), &Value::Bool(true))
    );
    let attempt = &record["verdict"]["best_attempt"];
    assert_eq!(
        (&record["verdict"]["satisfied"], &attempt["start"]),
        (&Value::Bool(false), &Value::from(4)),
        "{}",
        validation.out
    );
    assert_eq!(attempt["failed_conditions"][0]["span"]["file"], "pumps.game", "{}", validation.out);
    // A step that is not applicable is reported instead.
    let validation =
        validate(&folder, "pumps.game::lit", "", &format!("{SECOND_ON}(un-lock room-a)\n(go-to room-a room-b)\n"));
    assert!(
        validation.code == Some(1) && validation.out.contains("step 5 `(go-to room-a room-b)`"),
        "{}",
        validation.all()
    );
    assert_eq!(validation.out.matches("error[").count(), 1, "{}", validation.out);
}

#[test]
fn plans_are_validated_against_a_condition() {
    let folder = folder();
    for (goal, holds) in [
        ("(is-on 2nd-Pump)", true),
        ("(sometime (is-on 2nd-pump))", true),
        ("(until (at-room room-a) (is-open room-b))", true),
        ("(next (and (is-open room-b) (next (at-room room-b))))", true),
        ("(and (is-on 2nd-pump) (sometime-before (is-on 2nd-pump) (is-open room-b)))", true),
        ("(< (total-cost) 5)", true),
        ("(and (is-on 2nd-pump) (< (total-cost) 4))", false),
        ("(within 2 (is-on 2nd-pump))", false),
        ("(next (at-room room-b))", false),
        ("(and (is-on 2nd-pump) (until (at-room room-a) (is-on 2nd-pump)))", false),
        ("(forall (?p - water-pump) (is-on ?p))", false),
    ] {
        let validation = validate(&folder, goal, "", SECOND_ON);
        let (code, start, end) = if holds {
            (0, "valid: 3 steps, metric 4\n", "is satisfied\n")
        } else {
            (1, "error[plan/", "is not satisfied\n")
        };
        assert_eq!(validation.code, Some(code), "{goal}: {}", validation.all());
        assert!(validation.out.starts_with(start), "{goal}: {}", validation.out);
        assert!(validation.out.ends_with(&format!("goal `{goal}` {end}")), "{goal}: {}", validation.out);
        // The goal of the problem is not reached, which is reported if it is kept.
        let validation = validate(&folder, goal, "--keep-goal", SECOND_ON);
        assert!(
            validation.code == Some(1) && validation.out.contains("`(is-on pump-1)` is false"),
            "{goal}: {}",
            validation.all()
        );
    }
    // Unmet conditions on states, with their spans and help.
    let validation = validate(&folder, "(and (is-on 2nd-pump) (not (is-open room-b)))", "", SECOND_ON);
    for part in ["<goal>:1:28", "`(is-open room-b)` is true since step 1; `(lock room-b)` would fix it"] {
        assert!(validation.out.contains(part), "{part}: {}", validation.out);
    }
    // Violated trajectory constraints.
    let goal = "(and (is-on 2nd-pump) (always (not (is-open room-b))))";
    let validation = validate(&folder, goal, "", SECOND_ON);
    assert!(
        validation.out.contains("error[plan/constraint]") && validation.out.contains("<goal>:1:23"),
        "{}",
        validation.out
    );
    let validation = validate(&folder, goal, "--format json", SECOND_ON);
    let record: Value = serde_json::from_str(&validation.out).unwrap_or_else(|_| panic!("{}", validation.all()));
    assert_eq!(
        (&record["valid"], &record["goal_satisfied"]),
        (&Value::Bool(false), &Value::Bool(true)),
        "{}",
        validation.out
    );
    let constraint = &record["constraints"][0];
    assert_eq!(constraint["text"], "(always (not (is-open room-b)))");
    assert_eq!((&constraint["span"]["file"], &constraint["span"]["start"]["column"]), (&"<goal>".into(), &23.into()));
    assert_eq!(record["verdict"]["satisfied"], false, "{}", validation.out);
    // For a plan that is not executable, only that is reported.
    let validation =
        validate(&folder, "(sometime (is-on 2nd-pump))", "", "(un-lock room-b)\n(switch-on 2nd-pump room-b)\n");
    assert!(validation.code == Some(1) && validation.out.contains("error[plan/step]: step 2"), "{}", validation.all());
    assert_eq!(validation.out.matches("error[").count(), 1, "{}", validation.out);
    // Every plan found for a condition is valid for it.
    for goal in ["(and (sometime (is-on 2nd-pump)) (at end (not (is-on 2nd-pump))))", "(weak-next (is-on pump-1))"] {
        let planned = plan(&folder, goal, "--optimal");
        assert_eq!(validate(&folder, goal, "", &planned.out).code, Some(0), "{goal}: {}", planned.out);
        assert_eq!(
            validate(&folder, &format!("(not {goal})"), "", &planned.out).code,
            Some(1),
            "{goal}: {}",
            planned.out
        );
    }
}

#[test]
fn the_game_of_a_goal_may_be_the_standard_input() {
    let folder = folder();
    let mut command = folder.command(GOALSPEC);
    let done = finish(command.args(["plan", "--goal", "-::lit", "p.pddl"]), GAME.as_bytes());
    assert!(done.code == Some(0) && done.out.contains("; `lit` of - is satisfied"), "{}", done.all());
}

#[test]
fn unwritten_states_are_reported() {
    let folder = folder();
    folder.write("run.jsonl", "as it was");
    let done = plan(&folder, "(and (is-on pump-1) (not (is-on pump-1)))", "--trace run.jsonl");
    assert_eq!((done.code, folder.read("run.jsonl").as_str()), (Some(3), "as it was"), "{}", done.all());
    assert!(done.err.contains("`run.jsonl` was not written"), "{}", done.err);
}

/// The search uses copies of actions that keep or violate a preference; plans do not distinguish them.
#[test]
fn a_plan_is_reported_once() {
    let folder = folder();
    folder.write(
        "preferred.pddl",
        "(define (domain letters) (:requirements :adl :preferences :constraints) (:types t) (:predicates (p ?x - t) (q))
            (:action s :parameters (?x - t) :precondition (not (p ?x)) :effect (p ?x))
            (:action u :parameters (?x - t) :precondition (p ?x) :effect (not (p ?x)))
            (:action k :parameters () :precondition (and) :effect (q))
            (:constraints (and (forall (?x - t) (preference c1 (at-most-once (p ?x)))))))
         (define (problem pp) (:domain letters) (:objects a b - t) (:init)
            (:goal (and (q) (preference g1 (p a)) (preference (not (p b)))))
            (:constraints (and (sometime (p b)) (preference c2 (always (not (p a))))
                (preference (sometime-after (p b) (p a)))))
            (:metric minimize (+ (* 2 (is-violated g1)) (is-violated c2) (is-violated c1))))\n",
    );
    let done = folder.run("plan --improve preferred.pddl");
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert_eq!(done.err.matches("a plan of 2 steps and metric 2").count(), 1, "{}", done.err);
}

#[test]
fn errors_in_goals_of_validated_plans_are_reported() {
    let folder = folder();
    for (goal, code, message) in [
        ("(is-opne room-a)", 1, "did you mean `is-open`?"),
        ("(allways (is-on pump-1))", 1, "<goal>:1:2"),
        ("pumps.game", 2, "select one of allOff, onBehindDoors, lit"),
        ("pumps.game::lid", 2, "unknown preference `lid`; did you mean `lit`?"),
        ("missing.game::lit", 1, "`missing.game`"),
        ("-", 2, "`-` is given twice"),
    ] {
        let validation = validate(&folder, goal, "", SECOND_ON);
        assert_eq!((validation.code, validation.out.as_str()), (Some(code), ""), "{goal}: {}", validation.all());
        assert!(validation.err.contains(message), "{goal}: {}", validation.err);
    }
    folder.write("lit.plan", SECOND_ON);
    assert_eq!(folder.run("validate --keep-goal p.pddl lit.plan").code, Some(2));
    // More combinations of objects than the interpreter enumerates.
    let many: Vec<String> = (0..40).map(|number| format!("?v{number} - water-pump")).collect();
    let goal = format!("(forall ({}) (sometime (and (is-on ?v0) (is-on ?v39))))", many.join(" "));
    let validation = validate(&folder, &goal, "", SECOND_ON);
    assert!(validation.code == Some(1) && validation.err.contains("error[run/not-supported]"), "{}", validation.all());
}

#[test]
fn a_variable_around_several_parts_is_used_by_any_of_them() {
    let folder = folder();
    let done = validate(&folder, "(forall (?p - water-pump) (and (is-on ?p) (sometime (hand-empty))))", "", SECOND_ON);
    assert!(!done.all().contains("unused-parameter"), "{}", done.all());
    let done =
        validate(&folder, "(forall (?p - water-pump) (and (hand-empty) (sometime (hand-empty))))", "", SECOND_ON);
    assert_eq!(done.all().matches("unused-parameter").count(), 1, "{}", done.all());
    // Errors in the whole condition are reported once, whether a part is on states or on trajectories.
    let wrong = "(forall (?p - water-pump) (and (is-off ?p) (sometime (is-off ?p)) (preference n (hand-empty))))";
    let done = validate(&folder, wrong, "", SECOND_ON);
    assert_eq!(done.all().matches("unknown-predicate").count(), 2, "{}", done.all());
    assert!(done.all().contains("a preference is not allowed here: `--goal` is a hard goal"), "{}", done.all());
}
