//! Exchanges with every kind of server: the client sends the golden bytes, and the server answers in its dialect.

use std::path::Path;

use goalspec_llm::profile::{Format, Profile};
use goalspec_llm::{Client, ClientOptions, ErrorKind, Model, Outcome, Request, StandIns, Turn};
use goalspec_testing::model_server::{AnswerStep, ModelServer, answer};
use serde_json::{Value, json};

use crate::common::{clock, folder, options};

/// An error as a server words it: the status, the body, and the code and message that the client shows.
struct Refusal {
    status: u16,
    body: Value,
    shown: &'static str,
}

fn refusal(profile: &str, format: Format) -> Refusal {
    let (status, body, shown) = match profile {
        // The code is a string or null.
        "openai" => (
            404,
            json!({"error": {"message": "no model m", "type": "invalid_request_error", "param": null, "code": "model_not_found"}}),
            "404 (model_not_found): no model m",
        ),
        "anthropic" => (
            404,
            json!({"type": "error", "error": {"type": "not_found_error", "message": "model: m"}, "request_id": "req_1"}),
            "404 (not_found_error): model: m",
        ),
        // The code is an integer.
        "llama-cpp" => (
            400,
            json!({"error": {"code": 400, "message": "Failed to parse grammar", "type": "invalid_request_error"}}),
            "400 (invalid_request_error): Failed to parse grammar",
        ),
        // Older versions send the object without its wrapper.
        "vllm" if format == Format::Completions => (
            404,
            json!({"object": "error", "message": "no model m", "type": "NotFoundError", "param": null, "code": 404}),
            "404 (NotFoundError): no model m",
        ),
        "vllm" => (
            404,
            json!({"error": {"message": "no model m", "type": "NotFoundError", "param": null, "code": 404}}),
            "404 (NotFoundError): no model m",
        ),
        "ollama" if format == Format::Completions => {
            (404, json!({"error": "model 'm' not found"}), "404: model 'm' not found")
        }
        "ollama" => (
            404,
            json!({"error": {"message": "model 'm' not found", "type": "not_found_error", "param": null, "code": null}}),
            "404 (not_found_error): model 'm' not found",
        ),
        _ => (422, json!({"detail": "Unprocessable"}), "422: Unprocessable"),
    };
    Refusal { status, body, shown }
}

/// A reply as a server words it, and the reasoning and the tokens of prompt and reply in it.
struct Dialect {
    body: Value,
    reasoning: Option<&'static str>,
    tokens: Option<(u64, u64)>,
}

fn reply(profile: &str, format: Format) -> Dialect {
    let usage = json!({"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13});
    let dialect = |body: Value, reasoning, tokens| Dialect { body, reasoning, tokens };
    match format {
        Format::Messages => {
            let mut content = vec![json!({"type": "text", "text": "Hel"}), json!({"type": "text", "text": "lo."})];
            let is_thinking = profile != "generic";
            if is_thinking {
                content.insert(0, json!({"type": "thinking", "thinking": "A greeting.", "signature": "s"}));
            }
            let mut body = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m-1", "content": content, "stop_reason": "end_turn", "stop_sequence": null});
            if profile == "generic" {
                return dialect(body, None, None);
            }
            body["usage"] = json!({"input_tokens": 4, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 3, "output_tokens": 4});
            dialect(body, Some("A greeting."), Some((9, 4)))
        }
        Format::Completions => {
            let mut body = json!({"id": "cmpl-1", "object": "text_completion", "model": "m-1", "choices": [{"text": "Hello.", "index": 0, "logprobs": null, "finish_reason": "stop"}]});
            if profile == "generic" {
                return dialect(body, None, None);
            }
            body["usage"] = usage;
            dialect(body, None, Some((9, 4)))
        }
        Format::Chat => {
            let mut message = json!({"role": "assistant", "content": "Hello."});
            let reasoning = match profile {
                "llama-cpp" | "vllm" => Some("reasoning_content"),
                "ollama" => Some("reasoning"),
                _ => None,
            };
            match reasoning {
                Some(field) => message[field] = json!("A greeting."),
                None if profile == "openai" => message["refusal"] = Value::Null,
                None => message["content"] = json!("<think>A greeting.</think>\n\nHello."),
            }
            let mut body = json!({"id": "c", "object": "chat.completion", "model": "m-1", "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": "stop"}]});
            if profile == "llama-cpp" {
                body["timings"] = json!({"prompt_n": 9, "predicted_ms": 3.5});
            }
            let reasoning = (profile != "openai").then_some("A greeting.");
            if profile == "generic" {
                return dialect(body, reasoning, None);
            }
            body["usage"] = usage;
            dialect(body, reasoning, Some((9, 4)))
        }
    }
}

/// Returns the first line and the body of the minimal request in a golden file.
fn golden(profile: &str, format: Format) -> (String, String) {
    let name = format!("{profile}-{}.txt", format.name());
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)).unwrap();
    let minimal = text.split("=== ").find_map(|part| part.strip_prefix("minimal\n")).unwrap();
    let (head, body) = minimal.split_once("\n\n").unwrap();
    (head.lines().next().unwrap().to_owned(), body.trim_end().to_owned())
}

/// A server that refuses requests whose bytes are not the golden ones, with its words, its reply, and a reply without `choices`.
fn server(profile: &'static str, format: Format) -> ModelServer {
    let (target, body) = golden(profile, format);
    ModelServer::start(move |number, request| -> Vec<AnswerStep> {
        if (&request.target, &request.body) != (&target, &body) {
            let found =
                json!({"message": format!("expected {target} {body}, found {} {}", request.target, request.body)});
            return answer(400, &[], &found.to_string());
        }
        match number {
            0 => {
                let refusal = refusal(profile, format);
                answer(refusal.status, &[("request-id", "req_1")], &refusal.body.to_string())
            }
            1 if format == Format::Messages => answer(200, &[], r#"{"type": "message", "content": null}"#),
            1 => answer(200, &[], r#"{"object": "chat.completion", "choices": null}"#),
            _ => answer(200, &[], &reply(profile, format).body.to_string()),
        }
    })
}

fn check(profile: &'static str, format: Format) {
    let server = server(profile, format);
    let (folder, clock) = (folder(), clock());
    let options = ClientOptions {
        model: Some("model-1".to_owned()),
        profile: Some(profile.to_owned()),
        format: Some(format),
        stream: Some(false),
        ..options(&server, &folder, &clock)
    };
    let client: Client = options.open(&StandIns::default()).unwrap();
    let request = Request::chat(None, vec![Turn::user("Hello?")]);
    let error = client.complete(&request).unwrap_err();
    let expected = format!("the server answered with the status {} (request req_1)", refusal(profile, format).shown);
    assert_eq!((error.to_string(), error.calls), (expected, 1), "{profile} {format:?}");
    let error = client.complete(&request).unwrap_err();
    assert_eq!((error.kind, error.calls), (ErrorKind::UnreadableResponse, 1), "{profile} {format:?}: {error}");
    let found = client.complete(&request).unwrap();
    let expected = reply(profile, format);
    assert_eq!(
        (found.text.as_str(), found.reasoning.as_deref()),
        ("Hello.", expected.reasoning),
        "{profile} {format:?}"
    );
    assert_eq!((found.outcome, found.model.as_str()), (Outcome::Complete, "m-1"));
    let counted = (!found.usage.estimated).then_some((found.usage.input_tokens, found.usage.output_tokens));
    assert_eq!(counted, expected.tokens, "{profile} {format:?}");
    assert_eq!((server.requests().len(), clock.sleeps().len()), (3, 0));
}

#[test]
fn every_server_receives_the_golden_bytes_and_is_understood_in_its_dialect() {
    let mut count = 0;
    for profile in Profile::built_in() {
        let name: &'static str = ["openai", "anthropic", "llama-cpp", "vllm", "ollama", "generic"]
            .into_iter()
            .find(|name| *name == profile.name)
            .unwrap();
        for format in Format::ALL.into_iter().filter(|format| profile.format(*format).is_some()) {
            check(name, format);
            count += 1;
        }
    }
    assert_eq!(count, 14);
}
