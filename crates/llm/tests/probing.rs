//! Probing of server profiles and of constraints.

use goalspec_llm::constraint_probe::{ProbeResult, probe_constraints};
use goalspec_llm::{ConstraintKind, Mode, Model, StandIns};
use goalspec_testing::model_server::{ModelServer, ReceivedRequest, answer};
use serde_json::Value;

use crate::common::{chat, chat_body, clock, folder, hello, options};

/// A server that answers some paths with status and body, and all others with 404.
fn server(pages: &'static [(&'static str, u16, &'static str)]) -> ModelServer {
    ModelServer::start(move |_, request| {
        if request.target.starts_with("POST") {
            return chat("hello");
        }
        let page = pages.iter().find(|(target, ..)| request.target == format!("GET {target}"));
        page.map_or_else(|| answer(404, &[], "<html>"), |(_, status, body)| answer(*status, &[], body))
    })
}

#[test]
fn servers_say_which_they_are() {
    for (pages, profile) in [
        (&[("/v1/models", 200, r#"{"data": [{"id": "m", "owned_by": "llamacpp"}]}"#)][..], "llama-cpp"),
        (&[("/v1/models", 200, r#"{"data": [{"id": "m", "owned_by": "vllm"}]}"#)], "vllm"),
        (&[("/v1/models", 200, r#"{"data": [{"id": "m", "owned_by": "library"}]}"#)], "ollama"),
        (&[("/v1/models", 200, r#"{"data": [{"id": "m", "owned_by": "openai"}]}"#)], "generic"),
        (&[("/api/version", 200, r#"{"version": "0.9"}"#)], "ollama"),
        (&[("/version", 200, r#"{"version": "0.12"}"#)], "vllm"),
        (&[("/health", 200, r#"{"status": "ok"}"#)], "llama-cpp"),
        (&[("/health", 503, r#"{"error": {"code": 503, "message": "Loading model"}}"#)], "llama-cpp"),
        (&[("/v1/models", 200, "not JSON"), ("/health", 200, "\"ok\"")], "generic"),
        (&[], "generic"),
    ] {
        let server = server(pages);
        let (folder, clock) = (folder(), clock());
        let mut options = options(&server, &folder, &clock);
        options.profile = None;
        let client = options.open(&StandIns::default()).unwrap();
        assert_eq!(client.profile().name, profile, "{pages:?}");
        client.complete(&hello()).unwrap();
        let count = server.requests().len();
        // A replay sends the same bodies, and asks nobody.
        options.mode = Mode::Replay;
        let client = options.open(&StandIns::default()).unwrap();
        assert!(client.complete(&hello()).unwrap().from_cache);
        assert_eq!(server.requests().len(), count);
    }
}

/// A server that honours GBNF, refuses nothing and ignores everything else.
fn honours_gbnf(_: usize, request: &ReceivedRequest) -> Vec<goalspec_testing::model_server::AnswerStep> {
    let body: Value = serde_json::from_str(&request.body).unwrap();
    let grammar = body.get("grammar").and_then(Value::as_str);
    let word = grammar.and_then(|text| text.split('"').nth(1)).unwrap_or("hello");
    answer(200, &[], &chat_body(word))
}

#[test]
fn a_probe_tells_constraints_that_are_honoured_from_those_that_are_dropped() {
    let server = ModelServer::start(honours_gbnf);
    let (folder, clock) = (folder(), clock());
    let mut options = options(&server, &folder, &clock);
    options.profile = Some("llama-cpp".to_owned());
    let client = options.open(&StandIns::default()).unwrap();
    let probes = probe_constraints(&client, 7, &|| ()).unwrap();
    let results: Vec<_> = probes.iter().map(|probe| (probe.kind, &probe.result)).collect();
    assert_eq!(results[0], (ConstraintKind::Gbnf, &ProbeResult::Honoured));
    assert_eq!(results[1], (ConstraintKind::Lark, &ProbeResult::NotSupported));
    assert!(matches!(results[2].1, ProbeResult::Ignored(reason) if reason.ends_with("found `hello`")), "{results:?}");
    assert_eq!(server.requests().len(), 2, "what the profile has no option for is not sent");
    assert_eq!(client.violated_constraints(), [ConstraintKind::JsonSchema]);
    assert!(client.notes()[0].starts_with("constraint not honoured: "), "{:?}", client.notes());
}
