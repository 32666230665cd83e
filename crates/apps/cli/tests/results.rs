//! Results and findings in all formats, and the same whichever way they are asked for.

mod common;

use common::Folder;
use serde_json::Value;

const BOTH: &str =
    "examples/game/throw-to-bin.game examples/game/tower.game examples/game/play.jsonl examples/game/build.jsonl";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The numbers were worked out by hand from what `make_play.py` makes the player do: the pink ball is thrown in states 16 (and
/// lies on the floor in 29) and 48 (in the bin in 56), the blue one in 72 (in the bin in 77). Hits give 5 each, the pink one 3
/// more, and each throw costs 1. In the other play, three blocks are stacked (10), each of another colour (4), the third on
/// top of two others (3), and one ball lies on the bed (2); the ball was not thrown, but putting it down is like a throw: -1.
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
    let lines = folder.run(&format!("score --why --per-step --format jsonl {BOTH}")).out;
    assert_eq!(whole, lines.lines().map(json).collect::<Value>());
    let csv = folder.run(&format!("score --format csv {BOTH}")).out;
    let preferences: usize =
        whole.as_array().unwrap().iter().map(|one| one["preferences"].as_array().unwrap().len()).sum();
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
    for format in ["line", "github"] {
        assert_eq!(check(format).lines().count(), results.len(), "{format}");
    }
}

#[test]
fn fixes_are_made_and_leave_the_rest() {
    let folder = Folder::new();
    let before = folder.read("examples/game/faulty.game");
    // Nearest names are guesses: without `--unsafe-fixes` nothing changes.
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
fn parquet_holds_what_the_other_formats_hold() {
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
