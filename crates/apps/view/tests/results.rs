//! Tables of results, against those of the command.

use std::fs;
use std::path::Path;

use goalspec::files::{discover, trace_input};
use goalspec::json;
use goalspec::library::{Library, LibraryOptions};
use goalspec::rewards::score::ScoreOptions;
use goalspec::rewards::score_json;
use goalspec::scoring::{LibraryScorer, ScoringOptions};
use goalspec_view::Session;
use serde_json::Value;

use crate::common::{example, session};
use crate::server;

/// Returns the viewer of two games and a reward function with two traces, which are copied to a folder.
fn several(folder: &Path) -> Session {
    for (name, from) in [
        ("one.game", "game/throw-to-bin.game"),
        ("play.jsonl", "game/play.jsonl"),
        ("land.py", "reward/landing/land.py"),
        ("flight.jsonl", "reward/landing/flight.jsonl"),
        ("landing.world.toml", "reward/landing/landing.world.toml"),
    ] {
        fs::copy(example(from), folder.join(name)).unwrap();
    }
    let game = fs::read_to_string(folder.join("one.game")).unwrap();
    fs::write(
        folder.join("two.game"),
        game.replace("(:scoring", "(:scoring (+ 1 ").replace("throw-to-bin", "more") + ")",
    )
    .unwrap();
    session(&[folder.to_owned()])
}

/// The output of `goalspec score --format json` for one trace of a folder.
fn command(folder: &Path, trace: usize) -> Vec<Value> {
    let (inputs, _) = discover(&[folder.to_owned()], &|| ());
    let library = Library::load(&inputs, LibraryOptions::default(), &|| ());
    let input = trace_input(&inputs.traces[trace]).unwrap();
    let scores =
        LibraryScorer::new(&library, &ScoringOptions::default(), ScoreOptions::default()).score(&input, &|_| ());
    let outcomes = scores.outcomes.iter().map(|outcome| json::outcome(outcome, library.sources()));
    outcomes.chain(scores.rewards.iter().map(score_json::outcome)).collect()
}

#[test]
fn a_table_has_the_numbers_of_the_command_for_every_program_and_trace() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = server::start(several(folder.path()));
    let start = viewer.json("GET /api/start", "");
    let (programs, traces) = (start["programs"].as_array().unwrap(), start["traces"].as_array().unwrap());
    let mut rows = 0;
    for (trace, input) in traces.iter().enumerate() {
        let document = viewer.json(&format!("GET /api/results/{trace}"), "");
        let expected = command(folder.path(), trace);
        let results = document["results"].as_array().unwrap();
        assert_eq!(results.len(), expected.len());
        for (result, expected) in results.iter().zip(&expected) {
            for key in ["score", "total", "states", "frames", "setup_met", "terminal", "world"] {
                assert_eq!(result[key], expected[key], "{key}");
            }
            let counts = |outcome: &Value| -> Vec<Value> {
                outcome["preferences"].as_array().into_iter().flatten().map(|one| one["count"].clone()).collect()
            };
            assert_eq!(counts(result), counts(expected));
            let id = usize::try_from(result["program_id"].as_u64().unwrap()).unwrap();
            assert_eq!(result["program"], programs[id]["name"]);
            assert_eq!(result["trace"], input["name"]);
        }
        rows += results.len();
    }
    assert_eq!(rows, 3);
    assert_eq!(viewer.ask("GET /api/results/9", "").status, 404);
    assert_eq!(viewer.ask("GET /api/results/x", "").status, 400);
}

#[test]
fn a_program_that_cannot_be_run_has_a_diagnostic_instead_of_a_row() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(example("game/throw-to-bin.game"), folder.path().join("one.game")).unwrap();
    fs::write(folder.path().join("broken.jsonl"), "{\"format\":\"goalspec-trace-1\"}\nno state\n").unwrap();
    let viewer = server::start(session(&[folder.path().to_owned()]));
    let document = viewer.json("GET /api/results/0", "");
    assert_eq!(document["results"].as_array().unwrap().len(), 0);
    let diagnostics = document["diagnostics"].as_array().unwrap();
    assert!(diagnostics.iter().any(|found| found["severity"] == "error"), "{document}");
    assert!(!document.to_string().contains(folder.path().to_str().unwrap()), "a path is sent");
}
