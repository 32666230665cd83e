//! Plans: their documents against those of the command.

use std::fs;
use std::path::{Path, PathBuf};

use goalspec::files::discover;
use goalspec::library::{Library, LibraryOptions};
use goalspec::planning_problems::{JudgedPlan, planning_problem};
use goalspec_view::Session;
use serde_json::{Value, json};

use crate::common::{example, session};
use crate::export;
use crate::server::{self, Viewer};

/// The files of the example, with another plan in a folder if a text is given.
fn paths(folder: &Path, plan: Option<&str>) -> Vec<PathBuf> {
    let written = plan.map(|text| {
        let path = folder.join("other.plan");
        fs::write(&path, text).unwrap();
        path
    });
    let plan = written.unwrap_or_else(|| example("pddl/delivery/one_van.plan"));
    vec![example("pddl/delivery/domain.pddl"), example("pddl/delivery/one_van.pddl"), plan]
}

/// The output of `goalspec validate --format json`.
fn command(paths: &[PathBuf]) -> Value {
    let (inputs, _) = discover(&paths[1..2], &|| ());
    let library = Library::load(&inputs, LibraryOptions::default(), &|| ());
    let problem = planning_problem(&library, &library.programs()[0]).unwrap().unwrap();
    let mut sources = library.sources().clone();
    let plan = sources.add("plan", fs::read_to_string(&paths[2]).unwrap());
    let judged = JudgedPlan::new(&problem, sources.file(plan), false).unwrap();
    judged.record(&problem, None, &sources)
}

fn run(viewer: &Viewer) -> (String, Value) {
    let run = viewer.json("POST /api/runs", "{\"program\": 0, \"trace\": 0}")["run"].as_u64().unwrap();
    let path = format!("/api/runs/{run}");
    let document = viewer.json(&format!("GET {path}"), "");
    (path, document)
}

/// Returns a document with the names of files instead of paths.
fn without_folders(document: &Value) -> Value {
    let folder = format!("{}/", example("pddl/delivery").display());
    serde_json::from_str(&document.to_string().replace(&folder, "")).unwrap()
}

#[test]
fn a_valid_plan_has_the_judgement_of_the_command_and_its_states() {
    let folder = tempfile::tempdir().unwrap();
    let paths = paths(folder.path(), None);
    let viewer = server::start(session(&paths));
    let start = viewer.json("GET /api/start", "");
    assert_eq!(start["programs"].as_array().unwrap().len(), 1, "domains and plans are not programs to choose");
    assert_eq!(
        (&start["programs"][0]["language"], &start["plans"][0]["name"]),
        (&json!("pddl"), &json!("one_van.plan"))
    );
    let (path, document) = run(&viewer);
    let plan = &document["plan"];
    assert_eq!(plan["validation"], command(&paths));
    assert_eq!((&plan["validation"]["metric"], &plan["states"]), (&json!(14.0), &json!(9)));
    assert_eq!(document["numbering"], json!({"word": "step", "first": 0}));
    assert_eq!(plan["steps"][1]["text"], "(drive red depot mill)");
    let goal: Vec<(&Value, &Value)> =
        plan["goal"].as_array().unwrap().iter().map(|one| (&one["condition"], &one["true"])).collect();
    assert_eq!(
        goal,
        [(&json!("(at books harbour)"), &json!([[6, 9]])), (&json!("(at shoes depot)"), &json!([[9, 9]]))]
    );
    let state = viewer.json(&format!("GET {path}/states/2"), "");
    assert_eq!(state["facts_added"], json!([["at", ["red", "mill"]]]));
    assert_eq!(state["facts_removed"], json!([["at", ["red", "depot"]]]));
    assert_eq!(viewer.ask(&format!("GET {path}/states/9"), "").status, 404);
    assert_eq!(viewer.ask(&format!("GET {path}/tiles?lanes=0-2&level=0&tile=0"), "").status, 200);
    let unknown = viewer.json("POST /api/runs", "{\"program\": 0, \"trace\": 7}")["run"].as_u64().unwrap();
    assert_eq!(viewer.ask(&format!("GET /api/runs/{unknown}"), "").status, 404);
}

#[test]
fn a_failed_step_tells_its_unmet_conditions() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "(load books red depot)\n(drive red depot mill)\n(load shoes red harbour)\n(drive red mill depot)\n";
    let paths = paths(folder.path(), Some(plan));
    let viewer = server::start(session(&paths));
    let (path, document) = run(&viewer);
    let plan = &document["plan"];
    assert_eq!(plan["validation"], without_folders(&command(&paths)));
    assert_eq!(plan["validation"]["failed_step"], "(load shoes red harbour)");
    assert!(!plan["validation"]["unmet_conditions"].as_array().unwrap().is_empty());
    assert_eq!((&plan["failed_at"], &plan["states"]), (&json!(4), &json!(4)));
    assert_eq!(viewer.ask(&format!("GET {path}/states/2"), "").status, 200);
    assert_eq!(viewer.ask(&format!("GET {path}/states/3"), "").status, 404, "the failed step leads to no state");
    let errors = document["diagnostics"].as_array().unwrap();
    assert!(errors.iter().any(|error| error["code"] == "plan/step" || error["severity"] == "error"), "{errors:?}");
    assert!(!document.to_string().contains(folder.path().to_str().unwrap()), "a path is sent");
    assert!(!document.to_string().contains(env!("CARGO_MANIFEST_DIR")), "a path is sent");
}

#[test]
fn plans_are_exported() {
    let folder = tempfile::tempdir().unwrap();
    let session = || -> Session { session(&paths(folder.path(), None)) };
    let page = export::page(&session());
    assert!(page.is_ascii() && page.contains("<p>valid: 8 of 8 steps applicable, metric 14.0</p>"));
    assert_eq!(page, export::page(&session()));
}
