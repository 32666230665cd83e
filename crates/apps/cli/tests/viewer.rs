//! `goalspec view` and `score --lanes`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;

use serde_json::Value;

use crate::common::{Folder, GOALSPEC};

const INPUTS: &str = "examples/game/throw-to-bin.game examples/game/play.jsonl";

fn score(folder: &Folder, options: &str) -> Value {
    let done = folder.run(&format!("score --format json {options} {INPUTS}"));
    assert_eq!(done.code, Some(0), "{}", done.all());
    serde_json::from_str::<Value>(&done.out).unwrap()[0].clone()
}

#[test]
fn lanes_agree_with_the_satisfactions_of_the_report() {
    let folder = Folder::new();
    let outcome = score(&folder, "--lanes=1000");
    let preferences = outcome["preferences"].as_array().unwrap();
    let lanes = outcome["lanes"]["preferences"].as_array().unwrap();
    assert_eq!(preferences.len(), lanes.len());
    for (preference, lanes) in preferences.iter().zip(lanes) {
        let listed = lanes["lanes"].as_array().unwrap();
        assert_eq!(lanes["begun"], listed.len(), "all lanes are listed");
        let key = |value: &Value, binding: &Value| format!("{} {} {binding}", value["end"], value["start"]);
        let satisfied = |lane: &Value| -> Vec<String> {
            lane["satisfied"].as_array().unwrap().iter().map(|found| key(found, &lane["binding"])).collect()
        };
        let mut in_lanes: Vec<String> = listed.iter().flat_map(satisfied).collect();
        let reported = preference["satisfactions"].as_array().unwrap();
        let mut reported: Vec<String> = reported.iter().map(|found| key(found, &found["binding"])).collect();
        in_lanes.sort();
        reported.sort();
        assert_eq!(in_lanes, reported);
        for lane in listed {
            check_operators(lane, lanes);
        }
    }
    assert!(preferences.iter().any(|preference| preference["satisfactions"].as_array().unwrap().len() > 1));
}

/// Checks that the operators of each satisfaction cover it in order, and that the conditions of an operator hold in its states.
fn check_operators(lane: &Value, lanes: &Value) {
    let number = |value: &Value| value.as_u64().unwrap();
    for found in lane["satisfied"].as_array().unwrap() {
        let operators = found["operators"].as_array().unwrap();
        let mut next = number(&found["start"]);
        for operator in operators {
            assert_eq!(number(&operator["start"]), next, "{found}");
            next = number(&operator["end"]) + 1;
            for (condition, runs) in
                lanes["conditions"].as_array().unwrap().iter().zip(lane["true"].as_array().unwrap())
            {
                if condition["operator"] == operator["operator"] {
                    let (start, end) = (number(&operator["start"]), number(&operator["end"]));
                    let covers = |run: &Value| number(&run[0]) <= start && end <= number(&run[1]);
                    assert!(runs.as_array().unwrap().iter().any(covers), "{condition} in {found}");
                }
            }
        }
        assert_eq!(next, number(&found["end"]) + 1, "{found}");
    }
}

#[test]
fn lanes_change_nothing_else() {
    let folder = Folder::new();
    let mut with = score(&folder, "--lanes --why --per-step");
    with.as_object_mut().unwrap().remove("lanes").unwrap();
    assert_eq!(with, score(&folder, "--why --per-step"));
}

#[cfg(feature = "view")]
#[test]
fn the_address_that_is_printed_answers_with_the_token_only() {
    let folder = Folder::new();
    let mut command = folder.command(GOALSPEC);
    command.args(["view", "--no-open"]).args(INPUTS.split(' '));
    let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (host, token) = line.trim().strip_prefix("http://").unwrap().split_once("/#token=").expect(&line);
    let ask = |authorization: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        let request = format!("GET /api/start HTTP/1.1\r\nHost: {host}\r\n{authorization}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let (with, without) = (ask(&format!("Authorization: Bearer {token}\r\n")), ask(""));
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(with.starts_with("HTTP/1.1 200") && with.contains("throw-to-bin.game"), "{with}");
    assert!(!with.contains("examples/game"), "a path is sent: {with}");
    assert!(without.starts_with("HTTP/1.1 401") && !without.contains("throw-to-bin.game"), "{without}");
}

#[test]
fn an_export_of_a_trace_that_is_not_scored_fails_and_says_why() {
    let folder = Folder::new();
    let inputs = "examples/game/throw-to-bin.game examples/reward/landing/flight.jsonl";
    let done = folder.run(&format!("view {inputs} --export page.html"));
    assert_eq!(done.code, Some(1), "{}", done.all());
    assert!(done.err.contains("error["), "{}", done.all());
    // The page has the same diagnostics.
    assert!(folder.read("page.html").contains("<p>error: "), "{}", done.all());
}

#[test]
fn a_resource_graph_game_is_exported_without_a_trace() {
    let folder = Folder::new();
    let done = folder.run("view --games 20 --seed 4 --policy greedy examples/rgg/berries.yaml --export page.html");
    assert_eq!(done.code, Some(0), "{}", done.all());
    let report = folder.run("simulate --games 20 --seed 4 --policy greedy --format json examples/rgg/berries.yaml");
    let report: Value = serde_json::from_str(&report.out).unwrap();
    let row = format!("<tr><td>reward ann</td><td>{}</td>", report["rewards"]["ann"]["mean"]);
    assert!(folder.read("page.html").contains(&row), "{row}");
    for (arguments, reason) in [
        ("examples/rgg/berries.yaml examples/game/play.jsonl", "without a trace"),
        ("--games 10001 examples/rgg/berries.yaml", "1 to 10000 games"),
        ("--policy script:moves.txt examples/rgg/berries.yaml", "no files are available"),
        ("--write examples/rgg/berries.yaml", "--write"),
        ("--follow examples/rgg/berries.yaml", "--follow"),
    ] {
        let done = folder.run(&format!("view {arguments} --export other.html"));
        assert_eq!(done.code, Some(2), "{arguments}: {}", done.all());
        assert!(done.err.contains(reason), "{arguments}: {}", done.all());
    }
}

/// A plan and a recording of a screen are shown too; what is wrong with them is an error.
#[test]
fn plans_and_reward_functions_are_exported() {
    let folder = Folder::new();
    folder.write("short.plan", "(drive red depot mill)\n");
    let problem = "examples/pddl/delivery/domain.pddl examples/pddl/delivery/one_van.pddl";
    let landing = "examples/reward/landing/land.py examples/reward/landing/landing.world.toml examples/reward/landing/flight.jsonl";
    let cases = [
        (format!("{problem} examples/pddl/delivery/one_van.plan"), 0),
        (format!("{problem} short.plan"), 1),
        (landing.to_owned(), 0),
    ];
    for (paths, code) in cases {
        let done = folder.run(&format!("view {paths} --export page.html"));
        assert_eq!(done.code, Some(code), "{paths}: {}", done.all());
        assert!(folder.read("page.html").is_ascii());
    }
    let none = folder.run(&format!("view {problem} --export page.html"));
    assert_eq!(none.code, Some(2), "{}", none.all());
}
