//! Custom results on the command line: decided by a local service, and read from recordings without one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::Folder;
use goalspec_testing::service::{serve, unreachable_address};
use serde_json::{Value, json};

/// A dial that is turned until a service reports that the door is open.
const DOOR: &str = "\
metadata: {id: door, description: A dial is turned until the door opens.}
teams: [thief]
board: {nodes: [lock, door]}
resourceSpace:
  lock: {observable: set(thief), dial: int(0)}
  door: {observable: set(thief), open: boolean(false), knocks: int(0)}
actionSpace: {thief: {turn: , wait: }}
actions:
  turn:
    cost: {lock.dial: 1}
    requires: {}
    consequences: [{result: {Ask: {input: lock, output: door}}}]
  wait: {cost: {}, requires: {}}
rewards: {thief: {Field: lock.dial}}
completed: {door.open: true}
metrics: [door.knocks, lock.dial]
";

/// A condition on a play: at its end, the door is open and the dial is above 2.
const KNOCKS: &str = "(define (game knocks) (:domain door) (:constraints (and
  (preference opened (at-end (exists (?n - node) (open ?n))))
  (preference high (at-end (exists (?n - node) (> (dial_number ?n) 2))))))
  (:scoring (+ (count opened) (* 10 (count high)))))";

/// Returns a folder with the game.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("door.yaml", DOOR);
    folder.write("knocks.game", KNOCKS);
    folder
}

/// Starts a service that opens the door when the dial is at 3, and counts the requests.
fn service() -> (String, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let url = serve(move |body| {
        let knocks = counter.fetch_add(1, Ordering::SeqCst) + 1;
        let dial = serde_json::from_str::<Value>(body).expect("JSON")["dial"].clone();
        (200, json!({"open": dial == 3, "knocks": knocks, "sound": "creak"}).to_string())
    });
    (url, asked)
}

#[test]
fn games_are_played_with_a_service() {
    let (folder, (url, asked)) = (folder(), service());
    let run = folder.run(&format!("simulate --games 5 --jobs 1 --format jsonl --result Ask={url} door.yaml"));
    assert_eq!(run.code, Some(0), "{}", run.all());
    for line in run.out.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            (game["end"].as_str(), game["metrics"]["lock.dial"].as_i64()),
            (Some("completed"), Some(3)),
            "{line}"
        );
    }
    assert_eq!((run.out.lines().count(), asked.load(Ordering::SeqCst)), (5, 15));
    let turns = "1\n1\n1\n";
    let run = folder.run_with(&format!("play --seed 1 --result Ask={url} door.yaml"), turns.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.all());
    assert!(run.out.contains("completed after 3 turns"), "{}", run.out);
}

#[test]
fn invalid_responses_end_the_games_but_not_the_program() {
    let folder = folder();
    let failing = |status: u16, text: &'static str| serve(move |_| (status, text.to_owned()));
    let slow = serve(|_| {
        std::thread::sleep(Duration::from_secs(4));
        (200, "{}".to_owned())
    });
    for (url, message) in [
        (unreachable_address(), "Connection refused"),
        (slow, "timeout"),
        (failing(503, "{}"), "the response has the status 503"),
        (failing(200, "open"), "the response is not valid JSON"),
        (failing(200, "[true]"), "the response is not a JSON object"),
    ] {
        let run = folder.run(&format!(
            "simulate --games 2 --jobs 2 --format json --policy always:turn --result Ask={url} door.yaml"
        ));
        assert_eq!(run.code, Some(1), "{message}: {}", run.all());
        let overview: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!((overview["games"].as_u64(), overview["failed"].as_u64()), (Some(2), Some(2)), "{}", run.out);
        assert!(run.out.contains(&format!("the result `Ask` failed: {url}: ")), "{}", run.out);
        assert!(run.out.contains(message), "{message}: {}", run.out);
    }
}

#[test]
fn a_name_is_enough_to_check_and_describe() {
    let folder = folder();
    let run = folder.run("check door.yaml");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("unknown result `Ask`") || run.out.contains("unknown result `Ask`"), "{}", run.all());
    assert_eq!(folder.run("check --result Ask door.yaml").code, Some(0));
    let run = folder.run("describe --result Ask door.yaml");
    assert_eq!(run.code, Some(0), "{}", run.all());
    assert!(run.out.contains("Ask"), "{}", run.out);
    // Without a decision for the result, the first turn fails.
    let run = folder.run("simulate --games 1 --policy always:turn --result Ask door.yaml");
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("the result `Ask` is not registered"), "{}", run.all());
}

#[test]
fn names_and_addresses_that_cannot_be_are_refused() {
    let folder = folder();
    for (result, message) in [
        ("Ask=localhost", "invalid URL of a service"),
        ("Ask=https://localhost/", "invalid URL of a service"),
        ("=http://localhost/", "expected `NAME` or `NAME=URL`"),
        ("Resources=http://localhost/", "`Resources` is a result of the language"),
        ("Ask=http://localhost/ --result Ask", "the result `Ask` is given twice"),
        ("Ask --rule odds=increment --rule odds=cumulative", "the rule `odds` is given twice"),
    ] {
        let run = folder.run(&format!("check --result {result} door.yaml"));
        assert_eq!(run.code, Some(2), "{result}");
        assert!(run.err.contains(message), "{result}: {}", run.err);
    }
}

#[test]
fn recordings_are_scored_without_the_service_and_replayed_with_it() {
    let (folder, (url, asked)) = (folder(), service());
    folder.run(&format!("simulate --games 3 --trace turns.jsonl --format json --result Ask={url} door.yaml"));
    let calls = asked.load(Ordering::SeqCst);
    assert_eq!(calls, 9);
    let score = |options: &str| {
        let run = folder.run(&format!("score --format jsonl {options} knocks.game door.yaml turns.jsonl"));
        let scores = run.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["score"].as_f64());
        (run.code, scores.collect::<Vec<_>>(), run.err)
    };
    let (code, scored, err) = score("");
    assert_eq!((code, scored), (Some(0), vec![Some(11.0); 3]), "{err}");
    assert_eq!(asked.load(Ordering::SeqCst), calls, "the service is not called");
    // On the second run, the service returns a higher count of knocks.
    let run = folder.run(&format!("replay --result Ask={url} door.yaml turns.jsonl"));
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("changes is") && run.out.contains("door.knocks"), "{}", run.all());
    // Standard input is read once, so the results in it are not known in advance.
    let turns = folder.read("turns.jsonl");
    let unnamed = folder.run_with("score knocks.game door.yaml -", turns.as_bytes());
    assert_eq!(unnamed.code, Some(1));
    assert!(unnamed.err.contains("with `--result NAME`"), "{}", unnamed.err);
    let named = folder.run_with("score --format jsonl --result Ask knocks.game door.yaml -", turns.as_bytes());
    assert_eq!((named.code, named.out.lines().count()), (Some(0), 3), "{}", named.err);
    let (code, _, err) = score(&format!("--result Ask={url}"));
    assert_eq!(code, Some(1));
    assert!(err.contains("door.knocks"), "{err}");
    let run = folder.run("replay --result Ask door.yaml turns.jsonl");
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("the result `Ask` is not registered"), "{}", run.all());
}

#[test]
fn recordings_that_do_not_hold_together_are_not_scored() {
    let (folder, (url, _)) = (folder(), service());
    let simulate = "simulate --games 1 --policy always:turn";
    folder.run(&format!("{simulate} --trace turns.jsonl --format json --result Ask={url} door.yaml"));
    let whole = folder.read("turns.jsonl");
    assert!(whole.contains("\"results\":[\"Ask\"]"), "{whole}");
    for (from, to, message) in [
        ("\"door.knocks\":2", "\"door.knocks\":true", ""),
        ("\"door.knocks\":3}", "\"door.knocks\":4}", "metrics is"),
        ("\"door.knocks\":2", "\"dor.knocks\":2", "unknown node"),
        ("\"changes\"", "\"change\"", "`changes` must be an object"),
        ("\"team\":\"thief\"", "\"team\":\"guard\"", "expected a turn of `thief`"),
        ("\"turn\":2", "\"turn\":3", "turn is 3"),
        ("\"valid\":true", "\"valid\":1", "`valid` must be a boolean"),
    ] {
        assert!(whole.contains(from), "{from}: {whole}");
        folder.write("turns.jsonl", whole.replacen(from, to, 1));
        let run = folder.run("score knocks.game door.yaml turns.jsonl");
        // A value that later turns overwrite is unconstrained.
        assert_eq!(run.code, Some(i32::from(!message.is_empty())), "{from}: {}", run.all());
        assert!(run.err.contains(message), "{from}: {}", run.err);
    }
}

#[test]
fn the_schema_of_games_is_printed() {
    let run = Folder::new().run("explain --schema rgg");
    assert_eq!(run.code, Some(0));
    let schema: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(schema["properties"]["resourceSpace"].is_object());
}
