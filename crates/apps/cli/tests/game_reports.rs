//! Every report on a resource graph game records the game, its dialect, the seed, the policies and the version; and regression tests of
//! inputs from an external review.

use std::collections::BTreeSet;

use crate::common::{Done, Folder};
use goalspec_testing::conformance;
use serde_json::{Value, json};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const BERRIES: &str = "examples/rgg/berries.yaml";
const CLIMB: &str = "examples/rgg/climb.yaml";

fn run(folder: &Folder, arguments: &str) -> Done {
    let done = folder.run(arguments);
    assert_eq!(done.code, Some(0), "goalspec {arguments}: {}", done.all());
    done
}

/// Returns the keys of the heading of a report, which must come first.
fn headed(report: &Value, what: &str) -> Value {
    let report = report.as_object().unwrap_or_else(|| panic!("{what}: no object"));
    let keys = ["version", "game", "dialect", "seed", "policies", "policy_view"];
    keys.iter()
        .map(|&key| (key.to_owned(), report.get(key).unwrap_or_else(|| panic!("{what}: no {key}")).clone()))
        .collect()
}

/// As a line of text, in a JSON object, in JSON Lines, in rows: the heading is in each.
#[test]
fn every_report_has_a_heading() {
    let folder = Folder::new();
    let play = "--seed 7 --games 3 --policy ben=greedy --policy-view truth --rule odds=increment --bounds clamp";
    let vary = "--vary resourceSpace.hill.berries=int.enum(2,4)";
    let text = format!(
        "documented odds=increment bounds=clamp, seed 7, ann=random ben=greedy on the true state, goalspec {VERSION}"
    );
    let json = |seed: Value| {
        json!({
            "version": VERSION,
            "game": "berries",
            "dialect": { "name": "documented", "rules": { "odds": "increment", "bounds": "clamp" } },
            "seed": seed,
            "policies": { "ann": "random", "ben": "greedy" },
            "policy_view": "truth",
        })
    };
    for vary in ["", vary, &format!("{vary} --compare ann=masked-random")] {
        let report = |format: &str| run(&folder, &format!("simulate {play} {vary} --format {format} {BERRIES}")).out;
        assert_eq!(report("text").lines().next(), Some(&*format!("berries: 3 games, {text}")), "{vary}");
        let found: Value = serde_json::from_str(&report("json")).unwrap();
        assert_eq!(headed(&found, vary), json(7.into()));
        for (place, line) in report("jsonl").lines().enumerate() {
            let mut expected = json(7.into());
            if vary.contains("--compare") && place % 2 == 1 {
                expected["policies"]["ann"] = "masked-random".into();
            }
            assert_eq!(headed(&serde_json::from_str(line).unwrap(), line), expected, "{vary}");
        }
        let rows = report("csv");
        let mut rows = rows.lines();
        assert!(
            rows.next().is_some_and(|names| names.starts_with("version,game,dialect,seed,policies,policy_view,index,"))
        );
        for (place, row) in rows.enumerate() {
            let ann = if vary.contains("--compare") && place % 2 == 1 { "masked-random" } else { "random" };
            let begin =
                format!("{VERSION},berries,documented odds=increment bounds=clamp,7,ann={ann} ben=greedy,truth,");
            assert!(row.starts_with(&begin), "{row}");
        }
    }
    // Recordings, and the reports on them.
    let trace = format!("simulate {play} --trace turns.jsonl {BERRIES}");
    run(&folder, &trace);
    let turns = folder.read("turns.jsonl");
    let begins: Vec<Value> = turns
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &Value| line.get("seed").is_some())
        .collect();
    assert_eq!(begins.len(), 3);
    for begin in &begins {
        assert_eq!(headed(begin, "turns.jsonl"), json(7.into()));
    }
    let done = run(&folder, &format!("replay --rule odds=increment --rule bounds=clamp {BERRIES} turns.jsonl"));
    assert_eq!(done.out.lines().next(), Some(&*format!("berries: {text}")));
    // A player who only presses Enter is prompted again until the input ends.
    let arguments = format!("play --seed 5 --team ben --policy ann=greedy --trace played.jsonl {BERRIES}");
    let done = folder.run_with(&arguments, b"");
    let line = format!("berries: documented, seed 5, ann=greedy ben=human, goalspec {VERSION}; you play ben");
    assert_eq!(done.out.lines().next(), Some(&*line), "{}", done.all());
    let played = folder.read("played.jsonl");
    let begin: Value = serde_json::from_str(played.lines().next().unwrap()).unwrap();
    assert_eq!(headed(&begin, "played.jsonl")["policies"], json!({ "ann": "greedy", "ben": "human" }));
}

/// An analysis has no seed, and a best response is not a requested policy.
#[test]
fn every_analysis_has_a_heading() {
    let folder = Folder::new();
    for (best, policy, exported) in [("", "random", "random"), ("--best climber", "best-response", "free")] {
        let done = run(&folder, &format!("analyse {best} {CLIMB}"));
        let line = format!(" transitions, documented, exact, {policy}, goalspec {VERSION}");
        assert!(
            done.out.lines().next().is_some_and(|first| first.starts_with("climb: ") && first.ends_with(&line)),
            "{}",
            done.out
        );
        let done = run(&folder, &format!("analyse {best} --format json {CLIMB}"));
        let report = headed(&serde_json::from_str(&done.out).unwrap(), "analyse");
        let expected = json!({
            "version": VERSION,
            "game": "climb",
            "dialect": { "name": "documented", "rules": {} },
            "seed": null,
            "policies": { "climber": policy },
            "policy_view": "observation",
        });
        assert_eq!(report, expected);
        let done = run(&folder, &format!("analyse {best} --export prism {CLIMB}"));
        assert_eq!(done.out.lines().next(), Some(&*format!("// documented, exact, {exported}, goalspec {VERSION}")));
    }
}

/// The heading of a recording is not part of the game: a replay works without it, and with that of any version.
#[test]
fn recordings_are_played_again_without_their_heading() {
    let folder = Folder::new();
    run(&folder, &format!("simulate --games 2 --trace turns.jsonl {CLIMB}"));
    let turns = folder.read("turns.jsonl");
    folder.write("older.jsonl", turns.replace(&format!("\"version\":\"{VERSION}\""), "\"version\":\"0.0.1\""));
    let policies = ",\"policies\":{\"climber\":\"random\"},\"policy_view\":\"observation\"";
    assert!(turns.contains(policies));
    folder.write("bare.jsonl", turns.replace(policies, "").replace(&format!("\"version\":\"{VERSION}\","), ""));
    folder.write(
        "both.jsonl",
        format!("{turns}{}", run(&folder, &format!("simulate --games 1 --seed 9 --trace nine.jsonl {CLIMB}")).err)
            + &folder.read("nine.jsonl"),
    );
    for (file, part) in [
        ("older.jsonl", format!("goalspec {VERSION}, recorded by 0.0.1\n")),
        ("bare.jsonl", "seed 0, not recorded, goalspec".to_owned()),
        ("both.jsonl", "seed 0, random, goalspec".to_owned()),
        ("both.jsonl", "(the first of 2 seeds)\n".to_owned()),
    ] {
        let done = run(&folder, &format!("replay {CLIMB} {file}"));
        assert!(done.out.contains(&part) && done.out.contains("as recorded"), "{file}: {}", done.out);
    }
    assert_eq!(run(&folder, "trace diff turns.jsonl older.jsonl").out, "no differences\n");
    run(&folder, &format!("simulate --games 2 --policy masked-random --trace masked.jsonl {CLIMB}"));
    let done = folder.run("trace diff turns.jsonl masked.jsonl");
    let line =
        "line 1: policies is {\"climber\":\"random\"} in the first and {\"climber\":\"masked-random\"} in the second";
    assert!(done.code == Some(1) && done.out.starts_with(line), "{}", done.all());
    // Other content of the first line is compared as usual.
    folder.write("clamped.jsonl", turns.replace("\"bounds\":\"ignore\"", "\"bounds\":\"clamp\""));
    let done = folder.run(&format!("replay {CLIMB} clamped.jsonl"));
    assert!(done.code == Some(1) && done.out.contains("line 1: rules is"), "{}", done.all());
}

/// Returns the mean, the first number in a row of a table.
fn mean(table: &str, label: &str) -> f64 {
    let row = table.lines().find(|line| line.contains(label)).unwrap_or_else(|| panic!("{label}: {table}"));
    row.split(label)
        .nth(1)
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or_else(|| panic!("{row}"))
}

#[test]
fn regression_inputs_of_incomplete_checks() {
    let Some(found) = conformance::folder("found/rgg") else { return };
    let folder = Folder::new();
    let file = |name: &str| found.join(name).display().to_string();
    // The coin is hidden: a policy on observations is right in 5 of 10 tries, one on the true state in all.
    let hidden = file("hidden.yaml");
    for policy in ["masked-random", "greedy"] {
        for (view, all) in [("", false), ("--policy-view observation", false), ("--policy-view truth", true)] {
            let table = run(&folder, &format!("simulate --policy red={policy} {view} {hidden}")).out;
            let reward = mean(&table, "reward red");
            assert!(if all { reward >= 10.0 } else { (reward - 5.0).abs() < 0.3 }, "{policy} {view}: {reward}");
        }
    }
    // A person does not see the coin either: the first screen does not depend on it.
    let shown = |view: &str| -> BTreeSet<String> {
        let screen = |seed: u64| {
            let arguments = format!("play --team red --policy nature=random --seed {seed} {view} {hidden}");
            let out = folder.run_with(&arguments, b"1\n").out;
            let screen = out.split_once("turn 2").and_then(|(_, screen)| screen.split("choice:").next());
            screen.unwrap_or_else(|| panic!("{out}")).to_owned()
        };
        (0..8).map(screen).collect()
    };
    assert_eq!(shown("").len(), 1);
    assert_eq!(shown("--policy-view truth").len(), 2);
    // Integers that exceed 32 bits wrap around; these are counted and listed.
    let wrap = file("wrap.yaml");
    for dialect in ["documented", "cage"] {
        let table = run(&folder, &format!("simulate --rgg {dialect} --games 10 {wrap}")).out;
        assert!(table.contains("32-bit integers overflowed and wrapped around 10 times: a.x (10)"), "{table}");
    }
    let report: Value =
        serde_json::from_str(&run(&folder, &format!("simulate --games 10 --format json {wrap}")).out).unwrap();
    assert_eq!(report["overflows"], 10);
    // Carriage returns before a key: the file is formatted, or reported as invalid, without panic.
    let carriage = file("carriage-returns.yaml");
    for (arguments, code) in [("check", 1), ("fmt --check", 1), ("fmt --diff", 1), ("describe", 1)] {
        let done = folder.run(&format!("{arguments} {carriage}"));
        assert!(
            done.code == Some(code) && !done.err.contains("panicked"),
            "{arguments}: {:?} {}",
            done.code,
            done.all()
        );
    }
    let laid_out = folder.run_with("fmt -", &std::fs::read(found.join("carriage-returns.yaml")).unwrap());
    assert!(!laid_out.err.contains("panicked"), "{}", laid_out.all());
}
