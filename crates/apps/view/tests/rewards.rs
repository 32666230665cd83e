//! Reward functions: their documents against those of the command.

use goalspec::audit::{self, AuditOptions};
use goalspec::files::{discover, trace_input};
use goalspec::library::{Library, LibraryOptions};
use goalspec::rewards::explanation::explain;
use goalspec::rewards::score::{ScoreOptions, score};
use goalspec::rewards::score_json;
use goalspec::trace::TraceInput;
use goalspec_view::Session;
use serde_json::{Value, json};

use crate::common::{example, landing, rally, throwing};
use crate::export;
use crate::server::{self, Viewer};

/// The output of `goalspec score --format json --per-step --terms`, and that of `--why` for each of these frames.
fn command(paths: &[std::path::PathBuf], frames: &[u64]) -> (Value, Vec<Value>) {
    let (inputs, _) = discover(paths, &|| ());
    let library = Library::load(&inputs, LibraryOptions::default(), &|| ());
    let input: TraceInput = trace_input(&inputs.traces[0]).unwrap();
    let (programs, known) = (library.reward_programs(), library.all_worlds());
    let options = ScoreOptions { keep_frames: true, terms: true, ..ScoreOptions::default() };
    let scores = score(&programs, &known, &input, &options, &|_| ());
    let why = |&frame: &u64| score_json::explanation(&explain(programs[0], &known, &input, frame).unwrap());
    (score_json::outcome(&scores.outcomes[0]), frames.iter().map(why).collect())
}

/// Runs the only program, and returns the path of the run and its document.
fn run(viewer: &Viewer) -> (String, Value) {
    let run = viewer.json("POST /api/runs", "{\"program\": 0, \"trace\": 0}")["run"].as_u64().unwrap();
    let path = format!("/api/runs/{run}");
    let document = viewer.json(&format!("GET {path}"), "");
    (path, document)
}

/// Checks that a document has everything that another one has, names of files aside.
fn assert_contains(document: &Value, expected: &Value) {
    for (key, value) in expected.as_object().unwrap() {
        if key != "program" && key != "trace" {
            assert_eq!(&document[key], value, "{key}");
        }
    }
}

#[test]
fn a_run_has_the_numbers_and_reasons_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = server::start(rally(folder.path()));
    let (path, document) = run(&viewer);
    let frames = [0, 1, 18, 62, 139, 140, 279];
    let (expected, reasons) = command(&[example("reward/rally.py"), folder.path().join("pong.jsonl")], &frames);
    assert_eq!(document["numbering"], json!({"word": "frame", "first": 0}));
    let reward = &document["rewards"][0];
    assert_contains(reward, &expected);
    let sums = reward["sums"].as_array().unwrap();
    assert_eq!((sums.len(), &sums[279]), (280, &expected["total"]));
    assert_eq!(sums[139], expected["episodes"][0]["total"]);
    for (frame, reason) in frames.iter().zip(&reasons) {
        assert_contains(&viewer.json(&format!("GET {path}/why/0/{frame}"), ""), reason);
    }
    assert_eq!(viewer.ask(&format!("GET {path}/why/0/280"), "").status, 404);
    assert_eq!(viewer.ask(&format!("GET {path}/why/1/0"), "").status, 404);
    assert_eq!(viewer.ask(&format!("GET {path}/why/0/x"), "").status, 400);
}

#[test]
fn screens_have_their_objects_with_previous_places() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = server::start(rally(folder.path()));
    let (path, _) = run(&viewer);
    let first = viewer.json(&format!("GET {path}/states/0"), "");
    assert_eq!((&first["screen"], &first["action"]), (&json!([160, 210]), &Value::Null));
    let state = viewer.json(&format!("GET {path}/states/2"), "");
    let ball = state["objects"].as_array().unwrap().iter().find(|object| object["type"] == "Ball").unwrap();
    let values = json!({"x": 86, "y": 66, "w": 2, "h": 4, "rgb": "#ececec"});
    assert_eq!((&ball["previous"], &ball["values"]), (&json!([82, 63]), &values));
    assert_eq!(ball["changed"], json!(["x", "y"]));
    assert_eq!((&state["action"], &state["index"], &state["episode"]), (&json!("NOOP"), &json!(2), &json!(0)));
    assert_eq!(viewer.ask(&format!("GET {path}/states/280"), "").status, 404);
}

#[test]
fn rewards_over_states_have_reasons_and_states() {
    let viewer = server::start(landing());
    let (path, document) = run(&viewer);
    let folder = example("reward/landing");
    let paths = ["land.py", "flight.jsonl", "landing.world.toml"].map(|name| folder.join(name));
    let (expected, reasons) = command(&paths, &[3]);
    assert_contains(&document["rewards"][0], &expected);
    assert_contains(&viewer.json(&format!("GET {path}/why/0/3"), ""), &reasons[0]);
    let state = viewer.json(&format!("GET {path}/states/3"), "");
    assert!(state["objects"].as_array().unwrap().len() > 1 && state["screen"].is_null());
}

#[test]
fn exports_have_the_reasons_of_all_frames() {
    let folder = tempfile::tempdir().unwrap();
    let session = || -> Session { rally(folder.path()) };
    let page = export::page(&session());
    assert!(page.is_ascii() && page.contains("<p>sum of rewards -0.6923"));
    assert_eq!(page, export::page(&session()));
    let (all, run) = (session(), session().run(0, 0, None, None).unwrap());
    let reasons = all.all_reasons(&run, 1 << 24).unwrap().unwrap();
    assert_eq!(reasons[0].as_array().unwrap().len(), 280);
    assert_eq!(reasons[0][150], all.why(&run, 0, 150).unwrap().unwrap());
    assert!(all.all_reasons(&run, 1000).unwrap().is_none());
}

/// The output of `goalspec audit --format json` for a reward function and a recording, with the names of files instead of paths.
fn command_audits(session: &Session, paths: &[std::path::PathBuf]) -> Value {
    let (inputs, _) = discover(paths, &|| ());
    let library = Library::load(&inputs, LibraryOptions::default(), &|| ());
    let input = trace_input(&inputs.traces[0]).unwrap();
    let audited =
        audit::audit(&library.reward_programs(), &library.all_worlds(), &[input], &AuditOptions::default(), &|_| ());
    assert_eq!(session.trace_count(), 1);
    let mut text = audited.audits.iter().map(audit::json).collect::<Value>().to_string();
    for path in inputs.programs.iter().chain(&inputs.traces) {
        text = text.replace(path.to_str().unwrap(), path.file_name().unwrap().to_str().unwrap());
    }
    serde_json::from_str(&text).unwrap()
}

#[test]
fn audits_are_those_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let landing_paths =
        ["land.py", "flight.jsonl", "landing.world.toml"].map(|name| example("reward/landing").join(name));
    let rally_paths = [example("reward/rally.py"), folder.path().join("pong.jsonl")];
    let sessions: [(&dyn Fn() -> Session, &[std::path::PathBuf]); 2] =
        [(&landing, &landing_paths), (&|| rally(folder.path()), &rally_paths)];
    for (session, paths) in sessions {
        let viewer = server::start(session());
        let (path, _) = run(&viewer);
        let audits = viewer.json(&format!("GET {path}/audits"), "");
        let expected = command_audits(&session(), paths);
        assert_eq!(audits, expected);
        assert_eq!(expected[0]["format"], "goalspec-audit-1");
        let run = session().run(0, 0, None, None).unwrap();
        assert_eq!(session().audits(&run), expected, "as in an export");
    }
}

#[test]
fn runs_without_reward_functions_have_no_audits() {
    let viewer = server::start(throwing());
    let (path, _) = run(&viewer);
    assert_eq!(viewer.json(&format!("GET {path}/audits"), ""), json!([]));
    assert_eq!(viewer.ask("GET /api/runs/99/audits", "").status, 404);
}
