//! Plans for household activities, and their validation in the terms of the activity.

use crate::common::{self, Folder, GOALSPEC, finish};
use serde_json::Value;

#[test]
fn obstacles_of_unsolvable_activities_are_named() {
    let folder = Folder::new();
    let knowledge = knowledge();
    let whole = |goal: &str, code: i32| {
        folder.write("a.bddl", activity(goal));
        let done = folder.run(&format!("plan --format json {knowledge} a.bddl"));
        assert_eq!(done.code, Some(code), "{}", done.all());
        let record: Value = serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}", done.all()));
        (record, done.err)
    };
    let record = |goal: &str| {
        let (record, text) = whole(goal, 3);
        assert_eq!((&record["proof"], &record["model_restrictions"]), (&"unsolvable".into(), &serde_json::json!([])));
        (record["unreachable"].clone(), text)
    };
    // Only the parts that are unreachable by themselves, at any depth.
    let all = "(forall (?parcel.n.01 - parcel.n.01)";
    let (found, _) = record(&format!("{all} (ontop ?parcel.n.01 ?table.n.02_1)) {all} (cooked ?parcel.n.01))"));
    let literals = ["(cooked parcel.n.01_1)", "(cooked parcel.n.01_2)"];
    let expected = serde_json::json!([
        { "predicate": "cooked", "required_value": true, "literals": literals, "conjuncts": [1], "unsupported_objects": [] }
    ]);
    assert_eq!(found, expected);
    let (found, _) = record(
        "(or (cooked ?parcel.n.01_1) (not (imply (ontop ?towel.n.01_1 ?table.n.02_1) (not (cooked ?towel.n.01_1)))))",
    );
    assert_eq!(found[0]["literals"], serde_json::json!(["(cooked parcel.n.01_1)", "(cooked towel.n.01_1)"]));
    // Each part is reachable by itself, but not both together; the scene may have more surfaces, though.
    let together = "(not (ontop ?towel.n.01_1 ?table.n.02_1)) (not (ontop ?towel.n.01_1 ?floor.n.01_1))
        (or (ontop ?towel.n.01_1 ?table.n.02_1) (ontop ?towel.n.01_1 ?floor.n.01_1))";
    let (found, text) = whole(together, 7);
    assert_eq!((&found["unreachable"], &found["proof"]), (&serde_json::json!([]), &Value::Null), "{text}");
    assert!(
        text.contains("each condition of the goal may be reachable separately, but not all of them together"),
        "{text}"
    );
    let limits = found["model_restrictions"].to_string();
    assert!(limits.contains("objects of the scene that the activity does not declare"), "{limits}");
}

/// The example of the book: a robot without a hand.
#[test]
fn actions_of_another_robot_replace_the_built_in_ones() {
    let folder = Folder::new();
    let knowledge = knowledge();
    let robot = common::root().join("examples/bddl/pushing_robot.pddl");
    folder.write("tidy.bddl", activity(TIDY));
    let done = folder.run(&format!("plan --actions {} {knowledge} tidy.bddl", robot.display()));
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.out.contains("(push-onto parcel.n.01_1 table.n.02_1)") && !done.out.contains("grasp"), "{}", done.out);
    folder.write("tidy.plan", &done.out);
    let validated = folder.run(&format!("validate --actions {} {knowledge} tidy.bddl tidy.plan", robot.display()));
    assert_eq!(validated.code, Some(0), "{}", validated.all());
    let exported = folder.run(&format!("export --actions={} {knowledge} tidy.bddl", robot.display()));
    assert!(
        exported.out.contains("(:action push-onto") && !exported.out.contains("(:action grasp"),
        "{}",
        exported.out
    );
    folder.write("robot.pddl", "(:action fly :parameters (?x - object) :precondition (winged ?x) :effect (at ?x))");
    let done = folder.run(&format!("plan --actions robot.pddl {knowledge} tidy.bddl"));
    assert_eq!(done.code, Some(1), "{}", done.all());
    for part in ["nothing in the action model makes `winged` true", "robot.pddl:1:"] {
        assert!(done.err.contains(part), "{part}: {}", done.err);
    }
}

/// The small release of the BDDL tests.
fn knowledge() -> String {
    format!("--knowledge {}", common::root().join("crates/languages/bddl/tests/small").display())
}

fn activity(goal: &str) -> String {
    format!(
        "(define (problem tidy-0) (:domain omnigibson)
            (:objects parcel.n.01_1 parcel.n.01_2 - parcel.n.01 towel.n.01_1 - towel.n.01 table.n.02_1 - table.n.02
                floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
            (:init (inroom table.n.02_1 kitchen) (inroom floor.n.01_1 kitchen) (ontop parcel.n.01_1 floor.n.01_1)
                (ontop parcel.n.01_2 floor.n.01_1) (ontop towel.n.01_1 table.n.02_1) (ontop agent.n.01_1 floor.n.01_1))
            (:goal (and {goal})))\n"
    )
}

const TIDY: &str = "(forall (?parcel.n.01 - parcel.n.01) (ontop ?parcel.n.01 ?table.n.02_1))
    (not (ontop ?towel.n.01_1 ?table.n.02_1))";

#[test]
fn plans_for_activities_are_validated_in_the_terms_of_the_activity() {
    let folder = Folder::new();
    let knowledge = knowledge();
    folder.write("tidy.bddl", activity(TIDY));
    let done = folder.run(&format!("plan {knowledge} tidy.bddl"));
    assert_eq!(done.code, Some(0), "{}", done.all());
    folder.write("tidy.plan", &done.out);
    let validation = folder.run(&format!("validate {knowledge} tidy.bddl tidy.plan"));
    assert_eq!(validation.code, Some(0), "{}", validation.all());
    assert!(
        validation.out.starts_with("valid: ")
            && validation.out.ends_with("goal satisfied: 2 of 2 conjuncts hold in the last state\n"),
        "{}",
        validation.out
    );
    let validation = folder.run(&format!("validate --format json {knowledge} tidy.bddl tidy.plan"));
    let record: Value = serde_json::from_str(&validation.out).unwrap_or_else(|_| panic!("{}", validation.all()));
    assert_eq!(
        (&record["valid"], &record["verdict"]["satisfied"]),
        (&Value::Bool(true), &Value::Bool(true)),
        "{}",
        validation.out
    );
    // The goal is not reached: the unmet literals, since which step, and help.
    folder.write(
        "half.plan",
        "(go-to floor.n.01_1 parcel.n.01_2)\n(grasp parcel.n.01_2)\n(go-to parcel.n.01_2 table.n.02_1)\n\
         (place-ontop parcel.n.01_2 table.n.02_1)\n(grasp parcel.n.01_2)\n",
    );
    let validation = folder.run(&format!("validate {knowledge} tidy.bddl half.plan"));
    assert_eq!(validation.code, Some(1), "{}", validation.all());
    for part in [
        "step 5 `(grasp parcel.n.01_2)` is not applicable: its precondition is false",
        "`(at parcel.n.01_2)` is false since step 3",
        "`(go-to table.n.02_1 parcel.n.01_2)` would fix it",
        "goal not satisfied: 0 of 2 conjuncts hold in the last state",
    ] {
        assert!(validation.out.contains(part), "{part}: {}", validation.out);
    }
    let four: String = folder.read("half.plan").lines().take(4).map(|line| format!("{line}\n")).collect();
    folder.write("half.plan", four);
    let validation = folder.run(&format!("validate --trace half.jsonl {knowledge} tidy.bddl half.plan"));
    assert_eq!(validation.code, Some(1), "{}", validation.all());
    for part in [
        "plan/goal",
        "tidy.bddl:",
        "`(ontop parcel.n.01_1 table.n.02_1)` is false",
        "`(ontop towel.n.01_1 table.n.02_1)` is true",
        "goal not satisfied: 0 of 2 conjuncts hold in the last state",
    ] {
        assert!(validation.out.contains(part), "{part}: {}", validation.out);
    }
    assert!(!validation.out.contains("parcel.n.01_2 table.n.02_1)` is"), "{}", validation.out);
    let validation = folder.run(&format!("validate --format json {knowledge} tidy.bddl half.plan"));
    let record: Value = serde_json::from_str(&validation.out).expect("it is JSON");
    assert_eq!((&record["valid"], &record["goal_satisfied"]), (&Value::Bool(false), &Value::Bool(false)));
    assert_eq!(record["unmet_conditions"][0]["condition"], "(ontop parcel.n.01_1 table.n.02_1)", "{}", validation.out);
    // The states are those of the activity.
    let scored = folder.run("score --format json tidy.bddl half.jsonl");
    assert_eq!(scored.code, Some(0), "{}", scored.all());
    // Names that the activity does not have, and no knowledge base.
    folder.write("wrong.plan", "(grasp parcel.n.01_3)\n");
    let validation = folder.run(&format!("validate {knowledge} tidy.bddl wrong.plan"));
    assert!(
        validation.code == Some(1) && validation.err.contains("did you mean `parcel.n.01_"),
        "{}",
        validation.all()
    );
    let validation = folder.run("validate tidy.bddl tidy.plan");
    assert!(validation.code == Some(2) && validation.err.contains("--knowledge"), "{}", validation.all());
}

#[test]
fn unsupported_effects_are_distinguished_from_impossible_ones() {
    let folder = Folder::new();
    let knowledge = knowledge();
    let fold = format!(
        "{TIDY} (grasped ?agent.n.01_1 ?towel.n.01_1) (or (draped ?towel.n.01_1 ?table.n.02_1) (not (grasped ?agent.n.01_1 ?parcel.n.01_1)))"
    );
    folder.write("fold.bddl", activity(&fold));
    let done = folder.run(&format!("plan {knowledge} fold.bddl"));
    assert_eq!(done.code, Some(7), "{}", done.all());
    assert_eq!(done.out, "; no search: the goal requires effects that no action of the model has\n");
    for part in [
        "error[plan/no-action]",
        "makes `grasped` true",
        "unsupported literals: `(grasped agent.n.01_1 towel.n.01_1)`",
        "fold.bddl:",
    ] {
        assert!(done.err.contains(part), "{part}: {}", done.err);
    }
    assert_eq!(done.err.matches("[plan/no-action]").count(), 1, "{}", done.err);
    let done = folder.run(&format!("plan --format json {knowledge} fold.bddl"));
    assert_eq!(done.code, Some(7), "{}", done.all());
    let record: Value = serde_json::from_str(&done.out).expect("it is JSON");
    let expected = serde_json::json!([
        {
            "predicate": "grasped",
            "required_value": true,
            "literals": ["(grasped agent.n.01_1 towel.n.01_1)"],
            "conjuncts": [2],
            "unsupported_objects": []
        }
    ]);
    assert_eq!(
        (&record["unsupported_literals"], &record["proof"], &record["plan"]),
        (&expected, &Value::Null, &Value::Null)
    );
    // The number of forbidden objects equals the number of objects, and no action changes it.
    folder.write(
        "none.bddl",
        activity("(not (forn (0) (?towel.n.01 - towel.n.01) (grasped ?agent.n.01_1 ?towel.n.01)))"),
    );
    let done = folder.run(&format!("plan --trace run.jsonl {knowledge} none.bddl"));
    assert_eq!(done.code, Some(7), "{}", done.all());
    assert!(done.err.contains("unsupported literals: `(grasped agent.n.01_1 towel.n.01_1)`"), "{}", done.err);
    assert!(done.err.contains("`run.jsonl` was not written"), "{}", done.err);
    // There is an action, but the object lacks the ability: a proof.
    folder.write("cook.bddl", activity("(cooked ?parcel.n.01_1)"));
    let done = folder.run(&format!("plan {knowledge} cook.bddl"));
    assert_eq!((done.code, done.out.as_str()), (Some(3), "; unsolvable (proved)\n"), "{}", done.all());
    for part in ["error[plan/out-of-reach]", ": `(cooked parcel.n.01_1)`\n", "cook.bddl:"] {
        assert!(done.err.contains(part), "{part}: {}", done.err);
    }
    // The agent cannot move fixed objects or place itself: both are limits of the model, with reasons.
    for (goal, reason) in [
        ("(ontop ?table.n.02_1 ?floor.n.01_1)", "`table.n.02_1` is fixed in the scene"),
        ("(ontop ?agent.n.01_1 ?table.n.02_1)", "`agent.n.01_1` is the agent"),
        ("(not (ontop ?agent.n.01_1 ?floor.n.01_1))", "`agent.n.01_1` is the agent"),
    ] {
        folder.write("limit.bddl", activity(goal));
        let done = folder.run(&format!("plan {knowledge} limit.bddl"));
        assert!(done.code == Some(7) && done.err.contains(reason), "{goal}: {}", done.all());
        let done = folder.run(&format!("plan --format json {knowledge} limit.bddl"));
        let record: Value = serde_json::from_str(&done.out).expect("it is JSON");
        assert_eq!(
            record["unsupported_literals"][0]["unsupported_objects"].as_array().map(Vec::len),
            Some(1),
            "{record}"
        );
    }
    // In the model, no object is next to one in another room, which is no proof.
    let apart = activity("(nextto ?towel.n.01_1 ?table.n.02_1)")
        .replace("(inroom table.n.02_1 kitchen)", "(inroom table.n.02_1 hall)");
    folder.write("apart.bddl", apart);
    let done = folder.run(&format!("plan {knowledge} apart.bddl"));
    assert_eq!((done.code, done.out.as_str()), (Some(7), "; unsolvable in the action model\n"), "{}", done.all());
    assert!(done.err.contains("may still be solvable") && done.err.contains("`nextto`"), "{}", done.err);
    assert!(folder.run("explain plan/no-action").out.contains("does not prove"));
    // A PDDL condition is not a goal for an activity.
    let mut command = folder.command(GOALSPEC);
    command.args(["plan", "--goal", "(holding towel)"]).args(knowledge.split(' ')).arg("cook.bddl");
    let done = finish(&mut command, b"");
    assert!(
        done.code == Some(2) && done.err.contains("conditions in PDDL are not supported as goals of activities"),
        "{}",
        done.all()
    );
}
