//! Results and diagnostics in all formats and on all paths to them.

use crate::common::{self, Folder, root};
use serde_json::Value;

const BOTH: &str =
    "examples/game/throw-to-bin.game examples/game/tower.game examples/game/play.jsonl examples/game/build.jsonl";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The numbers were calculated by hand from the actions in `make_play.py`: the pink ball is thrown in states 16 (and lies on the floor
/// in 29) and 48 (in the bin in 56), the blue one in 72 (in the bin in 77). Hits yield 5 each, the pink one 3 more, and each throw
/// costs 1. In the other play, three blocks are stacked (10), each of a different colour (4), the third on top of two others (3), and
/// one ball lies on the bed (2); the ball was not thrown, but putting it down counts as a throw: -1.
#[test]
fn scores_of_the_examples() {
    let folder = Folder::new();
    let done = folder.run(&format!("score --format json {BOTH}"));
    assert_eq!((done.code, &*done.err), (Some(0), ""));
    let results = json(&done.out);
    let score = |program: &str, trace: &str| {
        let mut results = results.as_array().unwrap().iter();
        let found = results.find(|result| {
            result["program"].as_str().unwrap().ends_with(program) && result["trace"].as_str().unwrap().ends_with(trace)
        });
        found.unwrap()["score"].clone()
    };
    assert_eq!(score("throw-to-bin.game", "play.jsonl"), json("10.0"));
    assert_eq!(score("throw-to-bin.game", "build.jsonl"), json("-1.0"));
    assert_eq!(score("tower.game", "build.jsonl"), json("19.0"));
    assert_eq!(score("tower.game", "play.jsonl"), json("0.0"));
}

#[test]
fn formats_agree() {
    let folder = Folder::new();
    let whole = json(&folder.run(&format!("score --why --per-step --format json {BOTH}")).out);
    // Lines are in the order in which results become available.
    let by_name = |results: &mut Vec<Value>| {
        results.sort_by_key(|result| [&result["program"], &result["trace"]].map(ToString::to_string));
    };
    let lines = folder.run(&format!("score --why --per-step --format jsonl {BOTH}")).out;
    let (mut lines, mut all): (Vec<Value>, _) = (lines.lines().map(json).collect(), whole.as_array().unwrap().clone());
    by_name(&mut lines);
    by_name(&mut all);
    assert_eq!(all, lines);
    let csv = folder.run(&format!("score --format csv {BOTH}")).out;
    let preferences: usize =
        whole.as_array().unwrap().iter().map(|program| program["preferences"].as_array().unwrap().len()).sum();
    assert_eq!(csv.lines().count(), preferences + 1, "{csv}");
    let steps = folder.run(&format!("score --per-step --format csv {BOTH}")).out;
    assert_eq!(steps.lines().count(), 2 * (78 + 51) + 1);
    for result in whole.as_array().unwrap() {
        // The rewards of a play add up to its score.
        let rewards: f64 = result["rewards"].as_array().unwrap().iter().map(|reward| reward.as_f64().unwrap()).sum();
        assert_eq!(Value::from(rewards), result["score"]);
    }
}

#[test]
fn neither_threads_nor_engines_nor_files_make_a_difference() {
    let folder = Folder::new();
    let alone = folder.run(&format!("score --jobs 1 --format json {BOTH}"));
    assert_eq!(alone.code, Some(0), "{}", alone.all());
    for other in ["--jobs 4", "--engine interpreter", "--engine fast"] {
        assert_eq!(alone.out, folder.run(&format!("score {other} --format json {BOTH}")).out, "{other}");
    }
    let why = |engine| folder.run(&format!("score --why --engine {engine} {BOTH}")).out;
    assert_eq!(why("fast"), why("interpreter"));
    assert_eq!(folder.run(&format!("score --format json -o out.json {BOTH}")).out, "");
    assert_eq!(folder.read("out.json"), alone.out);
}

#[test]
fn tables_fit_the_width() {
    let folder = Folder::new();
    let deep = "a-folder-with-quite-a-long-name/".repeat(4);
    for (from, to) in [("throw-to-bin.game", "one.game"), ("tower.game", "two.game"), ("play.jsonl", "play.jsonl")] {
        folder.write(&format!("{deep}{to}"), folder.read(&format!("examples/game/{from}")));
    }
    let table = folder.run(&format!("score a-folder-with-quite-a-long-name {BOTH}")).out;
    assert!(table.contains("throwToBin 2"), "{table}");
    for line in table.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn findings_in_every_format() {
    let folder = Folder::new();
    let check = |format: &str| {
        let done = folder.run(&format!("check --format {format} examples/game/faulty.game"));
        assert_eq!(done.code, Some(1), "{}", done.all());
        done.out
    };
    let first = "game/unknown-type";
    assert!(check("human").contains(&format!("error[{first}]")));
    assert!(check("line").contains("examples/game/faulty.game:5:23: error[game/unknown-type]: "));
    assert!(check("github").contains(&format!("::error title={first},file=examples/game/faulty.game,line=5,col=23,")));
    assert!(json(&check("json")).to_string().contains(first));
    let sarif = json(&check("sarif"));
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(results.iter().any(|result| result["ruleId"] == first));
    for rule in sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap() {
        let (_, page) = rule["helpUri"].as_str().unwrap().split_once("/blob/main/").unwrap();
        assert!(root().join(page).is_file(), "{rule}: its page does not exist");
    }
    for format in ["line", "github"] {
        assert_eq!(check(format).lines().count(), results.len(), "{format}");
    }
}

#[test]
fn people_see_one_note_of_a_kind_and_machines_all() {
    let folder = Folder::new();
    folder.write(
        "notes.game",
        "(define (game notes) (:domain few-objects-room-v1)
        (:constraints (preference p (exists (?b - ball) (at-end (and (and (on bed ?b)))))))
        (:scoring (+ (* (+ (count p))))))",
    );
    let count = |format: &str| {
        let done = folder.run(&format!("check --format {format} notes.game"));
        assert_eq!(done.code, Some(0), "{}", done.all());
        (done.out.matches("game/single-operand").count(), done.out)
    };
    let all = count("line").0;
    assert!(all > 2, "{all}");
    let (shown, printed) = count("human");
    assert_eq!(shown, 1, "{printed}");
    assert!(printed.contains(&format!("{} more of this kind in this file", all - 1)), "{printed}");
    assert!(printed.contains(&format!("{all} notes (use --notes to show all notes)")), "{printed}");
    let every = folder.run("check --notes notes.game").out;
    assert_eq!(every.matches("game/single-operand").count(), all, "{every}");
    assert_eq!(count("json").0, all);
}

#[test]
fn fixes_are_made_and_leave_the_rest() {
    let folder = Folder::new();
    let before = folder.read("examples/game/faulty.game");
    // Similar names are guesses: without `--unsafe-fixes`, nothing changes.
    assert_eq!(folder.run("check --fix examples/game/faulty.game").code, Some(1));
    assert_eq!(folder.read("examples/game/faulty.game"), before);
    let done = folder.run("check --fix --unsafe-fixes examples/game/faulty.game");
    assert!(done.out.contains("1 program checked, 2 errors"), "{}", done.out);
    let expected = before.replace("dodgebal ", "dodgeball ").replace("(agent_hold ", "(agent_holds ");
    assert_eq!(folder.read("examples/game/faulty.game"), expected.replace("throwToBim", "throwToBin"));
}

#[test]
fn traces_survive_conversion() {
    let folder = Folder::new();
    let states = |trace: &str| folder.run(&format!("trace convert {trace} -")).out;
    let plain = states("examples/game/play.jsonl");
    assert_eq!(plain.lines().count(), 79);
    for packed in ["play.jsonl.gz", "play.jsonl.zst", "play.jsonl"] {
        assert_eq!(folder.run(&format!("trace convert examples/game/play.jsonl {packed}")).code, Some(0));
        assert_eq!(states(packed), plain);
    }
    let head = folder.run("trace head -n 5 play.jsonl.zst").out;
    assert_eq!(head.lines().count(), 6);
    assert!(plain.starts_with(&head));
    let info = json(&folder.run("trace info --format json play.jsonl.gz").out);
    assert_eq!(info[0]["states"], 78);
    assert_eq!(info[0]["compression"], "gzip");
    assert_eq!(info[0]["duration"], json("15.4"));
}

#[test]
#[cfg(feature = "parquet")]
fn parquet_holds_the_values_of_the_other_formats() {
    let folder = Folder::new();
    let done = folder.run(&format!("score --format parquet -o out.parquet {BOTH}"));
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(std::fs::read(folder.path("out.parquet")).unwrap().starts_with(b"PAR1"));
    assert_eq!(folder.run("trace convert examples/game/play.jsonl play.parquet").code, Some(0));
    let states = |trace: &str| folder.run(&format!("trace convert {trace} -")).out;
    assert_eq!(states("play.parquet"), states("examples/game/play.jsonl"));
    let score =
        |trace: &str| json(&folder.run(&format!("score --format jsonl examples/game/throw-to-bin.game {trace}")).out);
    assert_eq!(score("play.parquet")["preferences"], score("examples/game/play.jsonl")["preferences"]);
}

/// The goal has one option of five literals: both plants are covered and on the floor, the can is on the shelf. At the end, three of
/// them hold, and only one is new: a plant was watered.
#[test]
fn the_challenge_gives_no_credit_for_the_start() {
    let folder = Folder::new();
    let scored = "score --format json examples/bddl/watering_the_garden.bddl examples/bddl/watering.jsonl";
    for dialect in ["strict", "compat-1.0", "compat-3.6"] {
        let result = json(&folder.run(&format!("{scored} --dialect {dialect}")).out);
        assert_eq!((&result[0]["score"], &result[0]["challenge_score"]), (&json("0.6"), &json("0.2")), "{dialect}");
    }
}

/// Returns the small release of the BDDL tests.
fn small_release() -> String {
    common::root().join("crates/languages/bddl/tests/small").display().to_string()
}

#[test]
fn scenes_replace_wildcards() {
    let folder = Folder::new();
    let activity = "(define (problem tables-0) (:domain omnigibson)
        (:objects table.n.02_1 table.n.02_* - table.n.02 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
        (:init (inroom table.n.02_1 kitchen) (inroom table.n.02_* kitchen) (inroom floor.n.01_1 kitchen)
            (ontop agent.n.01_1 floor.n.01_1))
        (:goal (exists (?table.n.02 - table.n.02) (touching ?table.n.02 ?floor.n.01_1))))";
    folder.write("tables.bddl", activity);
    folder.write("scene.json", r#"{"kitchen": {"table": 3, "floors": 1}}"#);
    folder.write("empty.json", r#"{"kitchen": {"floors": 1}}"#);
    folder.write("broken.json", r#"{"kitchen": 1}"#);
    let count = |scene: &str| {
        let done = folder.run(&format!("options --format json --knowledge {} {scene} tables.bddl", small_release()));
        (done.code, json(&done.out)[0]["count"].clone(), done.err)
    };
    assert_eq!(count(""), (Some(0), json("2"), String::new()));
    assert_eq!(count("--scene scene.json"), (Some(0), json("3"), String::new()));
    for (scene, code) in [("empty", "bddl/wildcard-scene"), ("broken", "input/bad-scene"), ("none", "input/")] {
        let (exit, _, err) = count(&format!("--scene {scene}.json"));
        assert!(exit == Some(1) && err.contains(code), "{scene}: {err}");
    }
    assert_eq!(folder.run("options --scene scene.json tables.bddl").code, Some(2));
}

#[test]
fn verdicts_stand_beside_the_findings() {
    let folder = Folder::new();
    let verdicts = |rest: &str| {
        let done = folder.run(&format!("check --verdicts --format json examples/bddl/ {rest}"));
        let found = json(&done.out);
        assert!(found["findings"].is_array());
        found["verdicts"].as_array().unwrap().clone()
    };
    let alone = verdicts("");
    assert_eq!(alone.len(), 3);
    for activity in &alone {
        let checks = activity["checks"].as_object().unwrap();
        let skipped = checks.values().filter(|verdict| *verdict == "skipped").count();
        // Four checks need a knowledge base, and `problem_name_correct` depends on the name of the folder.
        assert_eq!((checks.len(), skipped), (15, 5), "{}", activity["program"]);
    }
    let with_knowledge = verdicts(&format!("--knowledge {}", small_release()));
    // The small release lacks most of their synsets.
    assert!(with_knowledge.iter().all(|activity| activity["checks"]["no_invalid_synsets"] == "failed"));
    assert_eq!(folder.run("check --verdicts --format line examples/bddl/").code, Some(2));
}

/// Verdicts of the releases have no spans, but in a folder of files, the file of a finding matters. The domains among the files are
/// parsed as domains.
#[test]
fn messages_of_a_release_name_the_place() {
    let folder = Folder::new();
    folder.write("all/good.bddl", folder.read("examples/bddl/game_night.bddl"));
    folder.write("all/bad.bddl", "(define (problem bad-0) (:domain omnigibson) (:objects a_1 - a) (:goal (zorp a_1)))");
    // The simulator determines which predicates exist.
    folder.write("all/domain.bddl", "(define (domain omnigibson) (:predicates (open ?a)))");
    folder.write("all/odd.bddl", "(define (domain odd) (:requirements :magic))");
    for dialect in ["compat-1.0", "compat-3.6"] {
        let done = folder.run(&format!("check --format line --dialect {dialect} all"));
        let mut errors: Vec<&str> = done.out.lines().filter(|line| line.contains(": error[")).collect();
        errors.sort_unstable();
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert!(errors[0].starts_with("all/bad.bddl:1:73: ") && errors[0].contains("'zorp'"), "{errors:?}");
        assert!(errors[1].starts_with("all/odd.bddl:1:37: ") && errors[1].contains(":magic"), "{errors:?}");
    }
}

/// Options for the pairs of twenty socks and drawers would exhaust memory; the missing literals are known without them.
#[test]
fn large_pairs_have_exact_scores() {
    let folder = Folder::new();
    let many = |name: &str| (1..=20).map(|number| format!("{name}.n.01_{number} ")).collect::<String>();
    let (socks, drawers) = (many("sock"), many("drawer"));
    let pairs = "(forpairs (?sock.n.01 - sock.n.01) (?drawer.n.01 - drawer.n.01) (inside ?sock.n.01 ?drawer.n.01))";
    let text = format!(
        "(define (problem pairs-0) (:domain omnigibson) (:objects {socks} - sock.n.01 {drawers} - drawer.n.01) (:init) \
         (:goal (and (open ?drawer.n.01_1) {pairs})))"
    );
    folder.write("pairs.bddl", text);
    let trace = r#"{"format":"goalspec-trace","version":1,"world":"pairs-0","time":"s"}
{"t":0,"facts":[["open","drawer.n.01_1"]]}"#;
    folder.write("pairs.jsonl", trace);
    for readings in ["evaluated", "documented"] {
        let done = folder.run(&format!("score --format json --quantifiers {readings} pairs.bddl pairs.jsonl"));
        let result = json(&done.out);
        // The drawer is open at the start, and no sock is in a drawer.
        assert_eq!(
            (&result[0]["unsatisfied_literals"], &result[0]["challenge_score"]),
            (&json("20"), &json("0.0")),
            "{readings}"
        );
        assert_eq!(result[0]["score"], Value::from(1.0 / 21.0), "{readings}");
        assert_eq!(result[0]["remarks"], json("[]"), "{readings}");
    }
    let done = folder.run("options --limit 0 --quantifiers documented pairs.bddl");
    assert_eq!(
        done.out,
        "pairs.bddl: 2432902008176640000 options; at least 21 unsatisfied literals in the initial state\n"
    );
    let done = folder.run("options --format jsonl pairs.bddl");
    let record = json(&done.out);
    assert_eq!(
        (done.code, &record["unsatisfied_in_initial_state"], &record["options"]),
        (Some(1), &json("21"), &Value::Null)
    );
    assert!(record["error"].as_str().is_some_and(|error| error.contains("exceeds the fixed limits")), "{record}");
}

/// A choice that refers to one of the pairs makes the pairs dependent, so their score differs.
#[test]
fn scores_by_another_measure_are_labelled() {
    let folder = Folder::new();
    let many = |name: &str| (1..=20).map(|number| format!("{name}.n.01_{number} ")).collect::<String>();
    let (socks, drawers) = (many("sock"), many("drawer"));
    let pairs = "(forpairs (?sock.n.01 - sock.n.01) (?drawer.n.01 - drawer.n.01) (inside ?sock.n.01 ?drawer.n.01))";
    let text = format!(
        "(define (problem pairs-0) (:domain omnigibson) (:objects {socks} - sock.n.01 {drawers} - drawer.n.01) (:init) \
         (:goal (and (or (open drawer.n.01_1) (inside sock.n.01_1 drawer.n.01_1)) {pairs})))"
    );
    folder.write("pairs.bddl", text);
    let trace = r#"{"format":"goalspec-trace","version":1,"world":"pairs-0","time":"s"}
{"t":0,"facts":[["open","drawer.n.01_1"]]}"#;
    folder.write("pairs.jsonl", trace);
    let result = json(&folder.run("score --format json pairs.bddl pairs.jsonl").out);
    assert_eq!((&result[0]["score"], &result[0]["unsatisfied_literals"]), (&json("0.5"), &Value::Null));
    let note = result[0]["remarks"][0].as_str().unwrap();
    assert!(
        note.starts_with("the score is the proportion of satisfied conjuncts: the diagram of the options exceeds"),
        "{note}"
    );
}

/// Listing stops when the reader does; the options listed before are printed.
#[test]
fn options_are_written_as_they_are_found() {
    use std::io::Read;
    let folder = Folder::new();
    let lights: String = (1..=60).map(|number| format!("lamp.n.02_{number} ")).collect();
    let text = format!(
        "(define (problem lamps-0) (:domain omnigibson) (:objects {lights} - lamp.n.02) (:init) \
         (:goal (forn (30) (?lamp.n.02 - lamp.n.02) (toggled_on ?lamp.n.02))))"
    );
    folder.write("lamps.bddl", text);
    for (format, start) in
        [("text", "lamps.bddl: 118264581564861424 options; "), ("jsonl", r#"{"program":"lamps.bddl","#)]
    {
        // Listing all of them would take too long.
        let limit = u64::MAX.to_string();
        let mut command = folder.command(env!("CARGO_BIN_EXE_goalspec"));
        command.args(["options", "--format", format, "--limit", &limit, "lamps.bddl"]);
        let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut head = vec![0; 100_000];
        child.stdout.take().unwrap().read_exact(&mut head).unwrap();
        child.wait().unwrap();
        assert!(head.starts_with(start.as_bytes()), "{}", String::from_utf8_lossy(&head[..100]));
    }
}

/// The domain files of the releases lie beside activities that use more predicates.
#[test]
fn domain_files_add_to_the_built_in_domains() {
    let folder = Folder::new();
    folder.write("all/game_night.bddl", folder.read("examples/bddl/game_night.bddl"));
    folder.write("all/domain.bddl", "(define (domain omnigibson) (:requirements :strips) (:predicates (purple ?a)))");
    folder.write(
        "all/purple.bddl",
        "(define (problem purple-0) (:domain omnigibson) (:objects a_1 - a) (:init (open a_1)) (:goal (purple a_1)))",
    );
    let done = folder.run("check --format line all");
    assert_eq!(done.code, Some(0), "{}", done.out);
    assert!(done.out.contains("all/domain.bddl:1:17: note[bddl/partial-domain]"), "{}", done.out);
    assert!(!done.out.contains("`purple`"), "{}", done.out);
}

#[test]
fn the_unit_of_time_is_reported() {
    let folder = Folder::new();
    let states = folder.read("examples/game/build.jsonl");
    let timeless = states.lines().map(|line| {
        let mut line = json(line);
        let state = line.as_object_mut().unwrap();
        state.remove("t");
        line.to_string()
    });
    folder.write("timeless.jsonl", timeless.collect::<Vec<_>>().join("\n"));
    let score = |program: &str, trace: &str| folder.run(&format!("score examples/game/{program}.game {trace}")).out;
    let seconds = score("tower", "examples/game/build.jsonl");
    assert!(seconds.contains("`(total-time)` is in seconds"), "{seconds}");
    let states = score("tower", "timeless.jsonl");
    assert!(states.contains("`(total-time)` is in states"), "{states}");
    // This game does not depend on time.
    assert!(!score("throw-to-bin", "timeless.jsonl").contains("total-time"));
}

/// The world of an activity has the name of the problem, and two problems may have the same name: those of LIBERO all have one of
/// five names.
#[test]
fn activities_of_the_same_name_have_worlds_of_their_own() {
    let folder = Folder::new();
    let activity = |objects: &str, goal: &str| {
        format!(
            "(define (problem p) (:domain omnigibson) (:objects {objects}) (:init (open jar.n.01_1)) (:goal {goal}))"
        )
    };
    let many: Vec<_> = (1..9).map(|number| format!("cup.n.01_{number}")).collect();
    folder.write("few.bddl", activity("jar.n.01_1 - jar.n.01", "(open ?jar.n.01_1)"));
    let many = format!("{} - cup.n.01 jar.n.01_1 - jar.n.01", many.join(" "));
    folder.write("many.bddl", activity(&many, "(and (broken ?cup.n.01_8) (not (open ?jar.n.01_1)))"));
    let header = r#"{"format":"goalspec-trace","version":1,"world":"p"}"#;
    folder.write("jar.jsonl", format!("{header}\n{}\n", r#"{"facts":[["open","jar.n.01_1"]]}"#));
    folder.write("cup.jsonl", format!("{header}\n{}\n", r#"{"facts":[["broken","cup.n.01_8"]]}"#));
    for order in ["few.bddl many.bddl", "many.bddl few.bddl"] {
        let done = folder.run(&format!("score --format jsonl {order} jar.jsonl"));
        let met = |name: &str| {
            let is_of_program = |line: &&str| json(line)["program"] == name;
            json(done.out.lines().find(is_of_program).unwrap_or_else(|| panic!("{}", done.all())))["goal_satisfied"]
                .clone()
        };
        assert_eq!((met("few.bddl"), met("many.bddl")), (true.into(), false.into()), "{}", done.all());
    }
    let done = folder.run("score --format jsonl few.bddl many.bddl cup.jsonl");
    assert_eq!((done.code, json(&done.out)["goal_satisfied"].clone()), (Some(1), true.into()), "{}", done.all());
    assert!(
        done.err.contains("error[trace/unknown-name]: cup.jsonl: world `p` has no object `cup.n.01_8`"),
        "{}",
        done.err
    );
    assert_eq!(folder.run("check few.bddl many.bddl cup.jsonl jar.jsonl").code, Some(0));
}

#[test]
fn a_trace_of_none_of_many_activities_is_one_error() {
    let folder = Folder::new();
    folder.write(
        "play.jsonl",
        "{\"format\":\"goalspec-trace\",\"version\":1,\"world\":\"game_night-1\"}\n{\"facts\":[]}\n",
    );
    let done = folder.run("score examples/bddl/game_night.bddl examples/bddl/watering_the_garden.bddl play.jsonl");
    assert_eq!(done.code, Some(1));
    let expected =
        "error[trace/wrong-world]: `play.jsonl` matches none of the worlds `game_night-0`, `watering_the_garden-0`";
    assert!(done.err.contains(expected) && done.err.contains("did you mean `game_night-0`?"), "{}", done.err);
    assert_eq!(done.err.matches("error[").count(), 1, "{}", done.err);
}

#[test]
fn of_two_domains_of_one_name_the_first_counts() {
    let folder = Folder::new();
    folder.write("one/d.bddl", "(define (domain d) (:predicates (sharp ?a)))");
    folder.write("two/d.bddl", "(define (domain d) (:predicates (sharp ?a ?b)))");
    let knife = "(:objects k.n.01_1 - k.n.01) (:init (inroom k.n.01_1 kitchen)) (:goal (sharp ?k.n.01_1))";
    folder.write("p.bddl", format!("(define (problem p) (:domain d) {knife})"));
    let done = folder.run("check --format line one/d.bddl two/d.bddl p.bddl");
    assert_eq!(done.code, Some(0), "{}", done.all());
    let expected = "two/d.bddl:1:17: warning[bddl/duplicate-declaration]: domain `d` is defined twice";
    assert!(done.all().contains(expected), "{}", done.all());
    assert_eq!(folder.run("check two/d.bddl one/d.bddl p.bddl").code, Some(1));
}

/// The result of the command in every frame equals the recorded one, bit by bit.
#[test]
fn rewards_of_frames_are_as_they_were_recorded() {
    use goalspec::atari::recording::RecordedReward;
    use goalspec::rewards::frames::{FrameReader, RecordedFrame};
    use goalspec::rewards::world::RewardWorld;
    let recorded = common::root().join("../shared/conformance/reward");
    let recorded =
        [recorded, common::root().join("../../shared/conformance/reward")].into_iter().find(|path| path.is_dir());
    let Some(conformance) = recorded else { return eprintln!("skipped: no conformance data for reward") };
    let trace = conformance.join("traces/pong_random_s0.jsonl.gz");
    let folder = common::Folder::new();
    let mut count = 0;
    for name in ["l12_pong_full", "l13_pong_direct"] {
        let program = conformance.join(format!("programs/{name}.py"));
        let done = folder.run(&format!("score {} {} --per-step --format json", program.display(), trace.display()));
        let found: serde_json::Value = serde_json::from_str(&done.out).unwrap();
        let input = goalspec::trace::TraceInput::File(trace.clone());
        let world = RewardWorld::for_trace(&input, None, &[]).unwrap();
        let mut frames = FrameReader::open(&input, &world, false).unwrap();
        let mut shot = RecordedFrame::default();
        for reward in found[0]["rewards"].as_array().unwrap() {
            assert!(frames.next(&mut shot).unwrap());
            let (_, expected) = shot.screen_frame.rewards.iter().find(|(other, _)| other == name).unwrap();
            match expected {
                RecordedReward::Float(expected) => {
                    assert_eq!(reward.as_f64().map(f64::to_bits), Some(expected.to_bits()));
                }
                _ => assert!(reward.is_null(), "{reward}"),
            }
            count += 1;
        }
    }
    assert_eq!(count, 4000);
}

/// A reward function whose comment, condition and string look like HTML, and whose reward is never paid.
const MARKED_UP: &str = r#"def reward_function(objects):
    reward = 0.0
    if objects[0].x < -5 and "<script>alert(1)</script>" != "</pre><img src=x>":
        reward += 1.0  # <script>alert("$2$")</script>
    reward += 0.25  # </title></svg><b>&amp;
    return reward
"#;

#[test]
fn pages_of_audits_hold_programs_as_text() {
    let folder = Folder::new();
    folder.write("<img onerror=alert(1)>.py", MARKED_UP);
    folder.run("trace record --game pong examples/reward/pong.hex -o pong.jsonl.gz");
    let done = folder.run("audit -o audit.HTML *.py pong.jsonl.gz");
    assert_eq!(done.code, Some(0), "{}", done.all());
    let page = folder.read("audit.HTML");
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
    // The report contains the findings, the recording and every kind of plot.
    for text in [
        "dead-threshold",
        "left side, observed",
        "dead-term",
        "cumulative reward",
        "cumulative score",
        "frames (%)",
        "pong.jsonl.gz",
        "<h2>Conditions</h2>",
        "player hovers",
        "Spearman",
        "<svg viewBox=\"0 0 ",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(page.contains("&lt;script&gt;alert(") && page.contains("&lt;img onerror=alert(1)&gt;.py"), "{page}");
    let lower = page.to_lowercase();
    for mark in ["<script", "<img", "<b>", "<link", "<iframe", "src=\"", "href=\"http", "url(http", "@import"] {
        assert!(!lower.contains(mark), "{mark}: {page}");
    }
    assert_eq!(lower.matches("</title></svg>").count(), 0);
    assert_eq!(lower.matches("<svg").count(), lower.matches("</svg>").count());
    assert_eq!((lower.matches("<body").count(), lower.matches("</pre>").count()), (1, lower.matches("<pre").count()));
    assert!(page.contains("default-src 'none'") && page.contains("color-scheme: light dark"));
}

/// Replaces the Python interpreter that plays: prints much text, then two frames, or fails, depending on the second argument.
#[cfg(unix)]
const PLAYER: &str = r#"#!/bin/sh
case "$*" in
*constant:3*) echo 'the last thing said' >&2; echo >&2; exit 1;;
esac
line='a warning that takes up room, and room, and room, and room, and room, and room, and room, and room'
count=0
while [ $count -lt 3000 ]; do echo "$line" >&2; count=$((count + 1)); done
ram=$(printf '3c%.0s' $(seq 128))
echo '{"format":"goalspec-screens-1","game":"Pong","policy":"'$5'","hud":false,"quirks":true}'
echo '{"t":0,"ep":0,"a":null,"r":0.0,"term":false,"trunc":false,"ram":"'$ram'"}'
echo '{"t":1,"ep":0,"a":2,"r":1.0,"term":false,"trunc":false,"ram":"'$ram'"}'
"#;

#[cfg(unix)]
#[test]
fn games_are_played_by_another_program() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let script = folder.write("player", PLAYER);
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let played = folder.run("trace record --env ALE/Pong-v5 --policy constant:2 --python ./player -o played.jsonl");
    assert_eq!(played.code, Some(0), "{}", played.all());
    assert!(played.all().contains("recorded 2 frames in 1 episode"), "{}", played.all());
    assert!(folder.read("played.jsonl").contains(r#""policy":"constant:2""#));
    let failed = folder.run("trace record --env ALE/Pong-v5 --policy constant:3 --python ./player -o failed.jsonl");
    assert_eq!(failed.code, Some(1), "{}", failed.all());
    assert!(failed.all().contains("failed to play `ALE/Pong-v5`: the last thing said"), "{}", failed.all());
    assert!(!folder.path("failed.jsonl").exists());
}
