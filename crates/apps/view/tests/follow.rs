//! Traces that grow while they are viewed.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use goalspec_view::Session;
use serde_json::Value;

use crate::common::{example, landing, session};
use crate::server::{self, Viewer};

/// The lines of the example of a trace.
fn lines() -> Vec<String> {
    fs::read_to_string(example("game/play.jsonl")).unwrap().lines().map(str::to_owned).collect()
}

fn append(path: &Path, text: &str) {
    OpenOptions::new().create(true).append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

fn following(trace: &Path) -> Session {
    session(&[example("game/throw-to-bin.game"), trace.to_owned()]).with_following()
}

fn run(viewer: &Viewer) -> Value {
    let run = viewer.json("POST /api/runs", "{\"program\": 0, \"trace\": 0}")["run"].as_u64().unwrap();
    viewer.json(&format!("GET /api/runs/{run}"), "")
}

fn version(viewer: &Viewer) -> Value {
    viewer.json("GET /api/traces/0/version", "")["version"].clone()
}

#[test]
fn a_growing_trace_has_the_scores_of_the_states_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("grown.jsonl");
    let (lines, mut written) = (lines(), 0);
    append(&trace, &format!("{}\n{}\n", lines[0], lines[1]));
    let viewer = server::start(following(&trace));
    assert_eq!(viewer.json("GET /api/start", "")["may"]["follow"], true);
    let mut known = version(&viewer);
    assert_eq!(known, version(&viewer), "nothing was written");
    for part in lines[2..].chunks(20) {
        append(&trace, &format!("{}\n", part.join("\n")));
        written += part.len();
        let now = version(&viewer);
        assert_ne!(now, known);
        known = now;
        let copy = folder.path().join("copy.jsonl");
        fs::copy(&trace, &copy).unwrap();
        let expected = session(&[example("game/throw-to-bin.game"), copy.clone()]).run(0, 0, None, None).unwrap();
        let (outcome, expected) = (&run(&viewer)["outcomes"][0], &expected.document["outcomes"][0]);
        assert_eq!(outcome["states"], 1 + written);
        for key in ["score", "rewards", "preferences", "lanes"] {
            assert_eq!(outcome[key], expected[key], "{key} after {written} states");
        }
        fs::remove_file(copy).unwrap();
    }
}

#[test]
fn a_line_that_is_being_written_is_left_out_until_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("partial.jsonl");
    let lines = lines();
    let (half, rest) = lines[3].split_at(lines[3].len() / 2);
    append(&trace, &format!("{}\n{}\n{}\n{half}", lines[0], lines[1], lines[2]));
    let viewer = server::start(following(&trace));
    let states = |viewer: &Viewer| {
        let document = run(viewer);
        let errors = document["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] == "error");
        assert_eq!(errors.count(), 0, "{document}");
        document["outcomes"][0]["states"].clone()
    };
    assert_eq!(states(&viewer), 2);
    append(&trace, rest);
    assert_eq!(states(&viewer), 3, "a complete line needs no newline");
    // Without --follow, the damage is reported.
    append(&trace, &format!("\n{half}"));
    let damaged = session(&[example("game/throw-to-bin.game"), trace]).run(0, 0, None, None).unwrap();
    let diagnostics = damaged.document["diagnostics"].as_array().unwrap();
    assert!(diagnostics.iter().any(|found| found["severity"] == "error"), "{diagnostics:?}");
}

#[test]
fn states_and_reasons_are_those_of_the_run_after_the_file_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("flight.jsonl");
    fs::copy(example("reward/landing/flight.jsonl"), &recording).unwrap();
    let inputs = [example("reward/landing/land.py"), recording.clone(), example("reward/landing/landing.world.toml")];
    let (growing, fixed) = (session(&inputs).with_following(), landing());
    let (run, expected) = (growing.run(0, 0, None, None).unwrap(), fixed.run(0, 0, None, None).unwrap());
    assert_eq!(run.document["rewards"][0]["rewards"], expected.document["rewards"][0]["rewards"]);
    fs::write(&recording, "").unwrap();
    assert_eq!(growing.why(&run, 0, 3).unwrap(), fixed.why(&expected, 0, 3).unwrap());
    assert_eq!(run.scenes.unwrap().read().unwrap().len(), expected.scenes.unwrap().read().unwrap().len());
}

#[test]
fn only_traces_of_the_command_line_have_versions() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("gone.jsonl");
    append(&trace, &lines().join("\n"));
    let viewer = server::start(following(&trace));
    assert_eq!(viewer.ask("GET /api/traces/1/version", "").status, 404);
    assert_eq!(viewer.ask("GET /api/traces/..%2f0/version", "").status, 400);
    fs::remove_file(&trace).unwrap();
    let answer = viewer.ask("GET /api/traces/0/version", "");
    assert_eq!(answer.status, 422);
    assert!(!String::from_utf8_lossy(&answer.body).contains(folder.path().to_str().unwrap()), "a path is sent");
}
