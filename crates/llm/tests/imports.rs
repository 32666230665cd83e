//! Recordings of others as recorded exchanges.

use goalspec_llm::import::{collins2022, import_folder};
use goalspec_llm::profile::Format;
use goalspec_llm::store::Store;
use goalspec_llm::{ClientOptions, Mode, Model, Outcome, Request, StandIns};
use serde_json::json;

use crate::common::folder;

fn replay(folder: &std::path::Path, model: &str) -> goalspec_llm::Client {
    let options = ClientOptions {
        model: Some(model.to_owned()),
        base_url: Some(collins2022::BASE_URL.to_owned()),
        format: Some(Format::Completions),
        cache: Some(folder.to_owned()),
        mode: Mode::Replay,
        ..ClientOptions::default()
    };
    options.open(&StandIns::default()).unwrap()
}

#[test]
fn published_recordings_are_replayed() {
    let Some(recordings) = goalspec_testing::conformance::folder("planning/lot") else { return };
    let folder = folder();
    let imported = import_folder(&recordings, &Store::new(folder.path()), &mut |_| ()).unwrap();
    let counts: Vec<usize> = imported.files.iter().map(|(_, count)| *count).collect();
    assert_eq!((counts, imported.exchanges), (vec![100, 100, 100, 200, 200, 200], 875));
    let client = replay(folder.path(), collins2022::TRANSLATION_MODEL);
    assert!(client.complete(&collins2022::translation_request("never asked")).is_err());
}

#[test]
fn rows_of_all_three_kinds_become_exchanges() {
    let (source, folder) = (folder(), folder());
    let request = Request { attempt: 2, ..Request::text("ask") };
    let rows = [
        json!({"init_prompt": ";The a rests on the table.", "init_res": "(ontable a)\n\n", "goal_prompt": ";g", "goal_res": "(clear a)\n"}),
        json!({"query": "q", "lm_plan": "Move the a onto the table.\n\n\n"}),
        json!({"query": "long", "lm_plan": "Move the a onto the ta"}),
        json!({"model": "m", "base_url": "http://localhost:8080", "format": "chat", "profile": "llama-cpp", "request": request, "text": "(x)", "outcome": "cut"}),
    ];
    let rows: String = rows.iter().map(|row| format!("{row}\n")).collect();
    std::fs::write(source.path().join("rows.jsonl"), rows).unwrap();
    std::fs::write(source.path().join("other.jsonl"), "{\"a\": 1}\n").unwrap();
    std::fs::write(source.path().join("notes.txt"), "x").unwrap();
    let imported = import_folder(source.path(), &Store::new(folder.path()), &mut |_| ()).unwrap();
    assert_eq!((imported.exchanges, imported.files.len(), imported.skipped.len()), (5, 1, 1));
    let options = ClientOptions {
        model: Some("m".to_owned()),
        base_url: Some("http://localhost:8080/v1/".to_owned()),
        profile: Some("llama-cpp".to_owned()),
        cache: Some(folder.path().to_owned()),
        mode: Mode::Replay,
        ..ClientOptions::default()
    };
    let reply = options.open(&StandIns::default()).unwrap().complete(&request).unwrap();
    assert_eq!((reply.text.as_str(), reply.outcome), ("(x)", Outcome::Cut));
    let client = replay(folder.path(), collins2022::TRANSLATION_MODEL);
    let reply = client.complete(&collins2022::translation_request(";The a rests on the table.")).unwrap();
    assert_eq!((reply.text.as_str(), reply.prefilled), ("(ontable a)\n\n", true));
    let client = replay(folder.path(), collins2022::PLAN_MODEL);
    assert_eq!(client.complete(&collins2022::plan_request("long")).unwrap().outcome, Outcome::Cut);
}

#[test]
fn malformed_and_contradictory_rows_are_named() {
    let row = |reply: &str| json!({"query": "q", "lm_plan": reply}).to_string();
    for (second, reason) in
        [("{\"query\": 1}".to_owned(), "line 2"), (row("other"), "an equal request has another reply")]
    {
        let (source, folder) = (folder(), folder());
        std::fs::write(source.path().join("rows.jsonl"), format!("{}\n{second}\n", row("a\n\n\n"))).unwrap();
        let error = import_folder(source.path(), &Store::new(folder.path()), &mut |_| ()).unwrap_err();
        assert!(error.message.contains(reason), "{error}");
    }
}
