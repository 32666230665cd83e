//! `goalspec plan` and `goalspec validate`: plans, remarks and exit codes.

use std::fmt::Write as _;

use crate::common::{self, Folder};
use serde_json::Value;

const DOMAIN: &str = "(define (domain hanoi) (:requirements :strips)
    (:predicates (clear ?x) (on ?x ?y) (smaller ?x ?y))
    (:action move :parameters (?disc ?from ?to)
        :precondition (and (smaller ?to ?disc) (on ?disc ?from) (clear ?disc) (clear ?to))
        :effect (and (clear ?from) (on ?disc ?to) (not (on ?disc ?from)) (not (clear ?to)))))
";

/// One coin, and two items to buy.
const TORN: &str = "(define (domain torn) (:requirements :strips) (:predicates (coin) (bread) (milk))
    (:action buy-bread :precondition (coin) :effect (and (bread) (not (coin))))
    (:action buy-milk :precondition (coin) :effect (and (milk) (not (coin)))))
";

/// Returns a Tower of Hanoi problem with `discs` discs; the goal names a peg.
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
    folder.write("torn-domain.pddl", TORN);
    folder.write("torn.pddl", "(define (problem torn) (:domain torn) (:init (coin)) (:goal (and (bread) (milk))))");
    folder
}

#[test]
fn plans_are_found_and_are_valid() {
    let folder = folder();
    let done = folder.run("plan --optimal three.pddl");
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.out.ends_with("; cost (steps) = 7 (optimal)\n"), "{}", done.out);
    assert_eq!(done.out.lines().filter(|line| line.starts_with("(move ")).count(), 7);
    folder.write("three.plan", &done.out);
    let validation = folder.run("validate domain.pddl three.pddl three.plan");
    assert_eq!((validation.code, &*validation.out), (Some(0), "valid: 7 steps, metric 7\n"));

    let done = folder.run("plan --format json --trace run.jsonl domain.pddl three.pddl");
    let record: Value = serde_json::from_str(&done.out).expect("it is JSON");
    let steps = record["plan"].as_array().expect("a plan").len();
    assert_eq!((record["valid"].as_bool(), record["metric"].as_f64()), (Some(true), Some(steps as f64)));
    assert!(record["statistics"]["expanded"].as_u64().is_some_and(|expanded| expanded > 0));
    // A header, the initial state, and one state per step.
    assert_eq!(folder.read("run.jsonl").lines().count(), steps + 2);
    assert!(folder.run("plan --statistics three.pddl").out.contains("; grounding: "));
}

#[test]
fn exit_codes_report_the_outcome_of_planning() {
    let folder = folder();
    for (arguments, code, text) in [
        ("plan three.pddl", 0, "; cost (steps) = "),
        ("plan wrong.pddl", 1, "unknown object `p4`"),
        ("plan missing.pddl", 1, "file `missing.pddl` not found"),
        ("plan domain.pddl", 2, "expected one planning problem"),
        ("plan --time-limit 0 three.pddl", 2, "more than 0 seconds"),
        ("plan --optimal --improve three.pddl", 2, "cannot be used with"),
        ("plan --trace three.pddl three.pddl", 2, "an input"),
        ("plan --optimal --search lazy-ff three.pddl", 2, "astar-lmcut"),
        ("plan --search best three.pddl", 2, "[possible values: portfolio, lama"),
        ("plan --keep-goal three.pddl", 2, "--goal"),
        ("plan never.pddl", 3, "; unsolvable (proved)"),
        ("plan torn.pddl", 3, "; unsolvable (proved)"),
        ("plan --search goals torn.pddl", 6, "; no plan found by an incomplete search"),
        ("plan --search astar-blind --state-limit 100 large.pddl", 5, "; state limit reached without a plan"),
        ("plan --time-limit 0.000001 large.pddl", 4, "; not grounded in full: grounding takes more than"),
        ("plan --optimal --memory-limit 1 large.pddl", 5, "memory"),
        ("validate three.pddl missing.plan", 1, "cannot read `missing.plan`"),
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
        "error[plan/step]: step 2 `(move d2 d3 p3)` is not applicable",
        "bad.plan:2:1",
        "`(clear p3)` is false since step 1; `(move d1 p3 p2)` or `(move d1 p3 d2)` would fix it",
        "invalid: 1 of 2 steps applicable",
    ] {
        assert!(done.out.contains(text), "{text}\n{}", done.out);
    }
    let done = folder.run("validate --format json three.pddl bad.plan");
    let record: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!(record["failed_step"], "(move d2 d3 p3)");
    assert_eq!(record["unmet_conditions"][0]["since"], 1);
    folder.write("short.plan", "(move d1 d2 p3)\n");
    let done = folder.run("validate three.pddl short.plan");
    assert!(done.code == Some(1) && done.out.contains("goal not satisfied in the last state"), "{}", done.out);
}

#[test]
fn inapplicable_steps_can_be_skipped() {
    let folder = folder();
    let planned = folder.run("plan --optimal three.pddl").out;
    let steps: Vec<&str> = planned.lines().filter(|line| line.starts_with("(move ")).collect();
    // The second step cannot be applied, and the third and the fifth name unknown things.
    let all =
        [steps[0], "(move d2 d3 p3)", "(move d4 d3 p2)", steps[1], "(fly d1)", steps[2], steps[3], steps[4], steps[5]];
    folder.write("short.plan", all.join("\n"));
    folder.write("whole.plan", [all.join("\n"), steps[6].to_owned()].join("\n"));
    let done = folder.run("validate three.pddl whole.plan");
    assert_eq!(done.code, Some(1), "{}", done.all());

    let done = folder.run("validate --skip-inapplicable three.pddl whole.plan");
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.out.ends_with("valid: 10 steps, 3 skipped, metric 7\n"), "{}", done.out);
    let text = "warning[plan/step]: step 2 `(move d2 d3 p3)` is skipped, since it is not applicable: its precondition is false";
    assert!(done.out.contains(text) && done.out.contains("since step 1"), "{}", done.out);
    assert!(done.err.contains("unknown object `d4`") && done.err.contains("unknown action `fly`"), "{}", done.err);

    let done = folder.run("validate --skip-inapplicable --format json --trace run.jsonl three.pddl short.plan");
    assert_eq!(done.code, Some(1), "{}", done.all());
    let record: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!((record["steps"].as_u64(), record["applied_steps"].as_u64()), (Some(9), Some(6)));
    assert_eq!((&record["failed_step"], &record["goal_satisfied"]), (&Value::Null, &Value::Bool(false)));
    let skipped = record["skipped_steps"].as_array().expect("a list");
    let numbers: Vec<_> = skipped.iter().map(|step| (step["number"].as_u64(), step["step"].as_str())).collect();
    let expected = [(2, "(move d2 d3 p3)"), (3, "(move d4 d3 p2)"), (5, "(fly d1)")];
    assert_eq!(numbers, expected.map(|(number, step)| (Some(number), Some(step))));
    assert_eq!(skipped[0]["unmet_conditions"][0]["since"], 1);
    // The last move of the smallest disc was the eighth step of the file.
    let unmet = &record["unmet_conditions"][0];
    assert_eq!((unmet["condition"].as_str(), unmet["since"].as_u64()), (Some("(on d1 d2)"), Some(8)), "{unmet}");
    // A header, the initial state, and one state per applicable step.
    assert_eq!(folder.read("run.jsonl").lines().count(), 8);
}

#[test]
fn a_search_can_be_chosen() {
    let folder = folder();
    for search in ["lama", "lazy-ff", "lazy-add", "eager-ff", "goal-count", "novelty"] {
        let done = folder.run(&format!("plan --statistics --search {search} three.pddl"));
        assert!(done.code == Some(0) && done.out.contains(&format!("; search {search}: ")), "{}", done.all());
    }
    for search in ["bfs", "astar-blind", "astar-hmax", "astar-lmcut"] {
        let done = folder.run(&format!("plan --search {search} three.pddl"));
        assert!(done.out.ends_with("; cost (steps) = 7 (optimal)\n"), "{search}: {}", done.all());
    }
    // A search that is repeated for cheaper plans, without proof of optimality.
    let done = folder.run("plan --improve --search lazy-ff three.pddl");
    assert!(done.code == Some(0) && done.out.ends_with("; cost (steps) = 7\n"), "{}", done.all());
}

#[test]
fn plans_have_the_names_of_their_authors() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain D) (:predicates (At ?x)) (:action Move-To :parameters (?x) :effect (At ?x)))",
    );
    folder.write("p.pddl", "(define (problem P) (:domain D) (:objects Kitchen) (:init) (:goal (At Kitchen)))");
    let done = folder.run("plan p.pddl");
    assert!(done.out.starts_with("(Move-To Kitchen)\n"), "{}", done.all());
    folder.write("p.plan", &done.out);
    assert_eq!(folder.run("validate p.pddl p.plan").code, Some(0));
}

const DELIVERY: &str = "examples/pddl/delivery";

#[test]
fn a_preference_of_a_game_can_be_planned_for_and_is_satisfied_when_scored() {
    let folder = Folder::new();
    let (van, game) = (format!("{DELIVERY}/one_van.pddl"), format!("{DELIVERY}/errands.game"));
    for (preference, score) in [("atTheHarbour", 3.0), ("booksWaitAtTheMill", 5.0), ("homeAndEmpty", 1.0)] {
        let done = folder.run(&format!("plan --trace run.jsonl --goal {game}::{preference} {van}"));
        assert!(done.code == Some(0), "{preference}: {}", done.all());
        assert!(done.out.contains(&format!("; `{preference}` of {game} is satisfied\n")), "{}", done.out);
        let scored = folder.run(&format!("score --format json {game} {van} run.jsonl"));
        let record: Value = serde_json::from_str(&scored.out).unwrap_or_else(|_| panic!("{}", scored.all()));
        assert!(record[0]["score"].as_f64().is_some_and(|scored| scored >= score), "{preference}: {}", scored.out);
    }
    // With the goal of the problem.
    let done = folder.run(&format!("plan --optimal --format json --keep-goal --goal {game}::booksWaitAtTheMill {van}"));
    let record: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!(
        (&record["valid"], &record["verdict"]["satisfied"]),
        (&Value::Bool(true), &Value::Bool(true)),
        "{}",
        done.out
    );
    let last = record["plan"].as_array().unwrap().iter().map(|step| step.as_str().unwrap().to_owned());
    assert!(last.collect::<Vec<_>>().contains(&"(unload books red harbour)".to_owned()), "{}", done.out);
    for (goal, text) in [
        (game.clone(), "several preferences; select one of atTheHarbour, booksWaitAtTheMill, homeAndEmpty"),
        (format!("{game}::atTheHarbor"), "did you mean `atTheHarbour`?"),
        (van.clone(), "expected one game"),
    ] {
        let done = folder.run(&format!("plan --goal {goal} {van}"));
        assert!(done.code != Some(0) && done.all().contains(text), "{goal}: {}", done.all());
    }
    // The preference is about another problem of the domain.
    let done = folder.run(&format!("plan --goal {game}::atTheHarbour {DELIVERY}/two_vans.pddl"));
    assert!(done.code == Some(1) && done.err.contains("one-van"), "{}", done.all());
    // A game of an unrelated domain.
    let done = folder.run(&format!("plan --goal examples/game/throw-to-bin.game::throwToBin {van}"));
    assert!(done.code == Some(2) && done.err.contains("has the domain `few-objects-room-v1`"), "{}", done.all());
}

#[test]
fn a_game_about_several_problems_has_to_choose() {
    let folder = Folder::new();
    let game = format!("{DELIVERY}/errands.game");
    let text = folder.read(&game).replace("(:domain one-van)", "(:domain delivery)");
    folder.write(&game, text);
    let done = folder.run(&format!("check --format line {DELIVERY}"));
    assert!(done.code == Some(1) && done.out.contains("error[input/several-problems]"), "{}", done.all());
    let van = format!("{DELIVERY}/one_van.pddl");
    assert_eq!(folder.run(&format!("check {game} {van}")).code, Some(0));
    assert_eq!(folder.run(&format!("plan --goal {game}::atTheHarbour {van}")).code, Some(0));
}

#[test]
fn programs_without_scores_are_reported() {
    let folder = Folder::new();
    let van = format!("{DELIVERY}/one_van.pddl");
    assert_eq!(folder.run(&format!("plan --trace run.jsonl {van}")).code, Some(0));
    let done = folder.run(&format!("score {van} run.jsonl"));
    assert!(
        done.code == Some(2) && done.err.contains("nothing to score") && done.err.contains("goalspec validate"),
        "{}",
        done.all()
    );
    let done = folder.run("score examples/rgg/berries.yaml examples/game/play.jsonl");
    assert!(done.code == Some(2) && done.err.contains("is a resource graph game"), "{}", done.all());
}

#[test]
fn plans_are_not_taken_for_programs() {
    let folder = Folder::new();
    let plan = folder.run(&format!("plan {DELIVERY}/one_van.pddl")).out;
    folder.write("steps/best.txt", &plan);
    for command in ["check", "fmt", "describe"] {
        for file in ["steps/best.txt", &format!("{DELIVERY}/one_van.plan")] {
            let done = folder.run(&format!("{command} {file}"));
            let message = done.all();
            assert!(done.code == Some(1) && message.contains("error[input/plan]"), "{command} {file}: {message}");
            assert!(message.contains(&format!("`goalspec validate PROBLEM {file}`")), "{message}");
        }
    }
    // In a folder with a problem, its plan is ignored.
    folder.write("steps/p.pddl", "(define (domain d) (:predicates (p)) (:action a :effect (p)))");
    assert_eq!(folder.run("check steps").code, Some(0), "{}", folder.run("check steps").all());
    assert_eq!(folder.run_with("check -", plan.as_bytes()).code, Some(1));
}

/// Returns a round trip through `places` places, too many for a fast optimal search.
fn round_trip(places: usize) -> String {
    let name = |place: usize| format!("p{place} ");
    let objects: String = (0..places).map(name).collect();
    let goal: String = (0..places).map(|place| format!("(seen p{place})")).collect();
    let mut lengths = String::new();
    for (one, other) in (0..places).flat_map(|one| (0..places).map(move |other| (one, other))) {
        let _ = write!(lengths, "(= (length p{one} p{other}) {})", (one * 7 + other * 13) % 19 + 1);
    }
    format!(
        "(define (domain trip) (:requirements :action-costs) (:predicates (at ?p) (seen ?p))
            (:functions (total-cost) - number (length ?a ?b) - number)
            (:action go :parameters (?a ?b) :precondition (at ?a)
                :effect (and (not (at ?a)) (at ?b) (seen ?b) (increase (total-cost) (length ?a ?b)))))
        (define (problem round) (:domain trip) (:objects {objects}) (:init (at p0) (= (total-cost) 0) {lengths})
            (:goal (and (at p0) {goal})) (:metric minimize (total-cost)))"
    )
}

#[test]
#[cfg(unix)]
fn control_c_prints_the_best_plan_so_far() {
    use std::io::{BufRead as _, Read as _};

    let folder = Folder::new();
    folder.write("round.pddl", round_trip(24));
    let mut command = folder.command(common::GOALSPEC);
    command.args(["plan", "--improve", "--format", "json", "round.pddl"]);
    let piped = std::process::Stdio::piped;
    let mut child = command.stdin(std::process::Stdio::null()).stdout(piped()).stderr(piped()).spawn().unwrap();
    let mut errors = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert!(line.starts_with("found a plan of "), "{line}");
    assert!(folder.command("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap().success());
    errors.read_to_string(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{line}");
    let record: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!((&record["valid"], &record["stop_reason"]), (&Value::Bool(true), &Value::from("cancelled")));
}
