//! Request bytes of every profile and format, and replies in the dialect of each server.

use std::path::Path;
use std::time::Duration;

use goalspec_llm::clock::SystemClock;
use goalspec_llm::endpoint::{Call, Endpoint};
use goalspec_llm::http::HttpEndpoint;
use goalspec_llm::key::ApiKey;
use goalspec_llm::profile::{Format, Profile};
use goalspec_llm::url::BaseUrl;
use goalspec_llm::wire::{self, ReadError};
use goalspec_llm::{Constraint, Outcome, Request, Sampling, Turn};
use goalspec_testing::model_server::{ModelServer, answer, stream};
use serde_json::json;

/// A request with every part set.
fn full_request() -> Request {
    let turns = vec![
        Turn::user("Translate."),
        Turn::user("The lamp rests on the table."),
        Turn::assistant("(on"),
        Turn::user("Again."),
    ];
    Request {
        stop: [";", "\n\n", "a", "b", "c"].map(str::to_owned).to_vec(),
        max_output_tokens: Some(800),
        sampling: Sampling {
            temperature: Some(0.05),
            top_p: Some(0.9),
            seed: Some(42),
            frequency_penalty: Some(0.5),
            presence_penalty: Some(-0.5),
        },
        prefill: Some("(".to_owned()),
        constraints: vec![
            Constraint::Gbnf("root ::= \"(\" [a-z]+ \")\"\n".to_owned()),
            Constraint::JsonSchema { name: "facts".to_owned(), schema: json!({"type": "object", "properties": {}}) },
        ],
        attempt: 1,
        ..Request::chat(Some("You translate \u{fc}ber-precisely.".to_owned()), turns)
    }
}

/// Sends a request to a server on this machine and returns what it received, with host and version replaced.
fn sent(profile: &Profile, format: Format, request: &Request, is_stream: bool) -> String {
    let server = ModelServer::with_answers(vec![answer(200, &[], "{}")]);
    let base_url = BaseUrl::parse(server.origin()).unwrap();
    let mut wire = wire::build(profile, format, "model-1", 1024, request).unwrap();
    if is_stream {
        wire.ask_for_stream(profile.format(format).unwrap());
    }
    let endpoint = HttpEndpoint::new(base_url, format, Some(ApiKey::new("test-key")), false).unwrap();
    let call = Call {
        path: format.path(),
        body: &wire.text(),
        request,
        is_stream,
        timeout: Duration::from_secs(30),
        clock: &SystemClock,
        on_bytes: &|_| (),
    };
    endpoint.send(&call).unwrap();
    let received = server.requests().remove(0);
    let host = server.origin().trim_start_matches("http://").to_owned();
    let version = format!("goalspec/{}", env!("CARGO_PKG_VERSION"));
    let headers = received.headers.join("\n").replace(&host, "HOST").replace(&version, "goalspec/VERSION");
    let length = received.body.len().to_string();
    assert_eq!(received.header("content-length"), Some(length.as_str()));
    format!("{}\n{headers}\n\n{}\n", received.target, received.body)
}

fn compare_with_golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("GOALSPEC_GOLDEN").is_some_and(|value| value == "overwrite") {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{name}; GOALSPEC_GOLDEN=overwrite records it");
}

#[test]
fn requests_of_every_profile_and_format_are_the_golden_bytes() {
    let mut count = 0;
    for profile in Profile::built_in() {
        for format in Format::ALL.into_iter().filter(|format| profile.format(*format).is_some()) {
            let minimal = Request::chat(None, vec![Turn::user("Hello?")]);
            let parts = [
                ("minimal", sent(&profile, format, &minimal, false)),
                ("full", sent(&profile, format, &full_request(), false)),
                ("stream", sent(&profile, format, &minimal, true)),
            ];
            let text: String = parts.iter().map(|(name, text)| format!("=== {name}\n{text}")).collect();
            compare_with_golden(&format!("{}-{}.txt", profile.name, format.name()), &text);
            count += 1;
        }
    }
    assert_eq!(count, 14);
}

#[test]
fn requests_that_every_server_refuses_are_not_sent() {
    let build =
        |request: &Request| wire::build(&Profile::find("openai").unwrap(), Format::Chat, "m", 1, request).map(|_| ());
    let schema = |name: &str| Constraint::JsonSchema { name: name.to_owned(), schema: json!({}) };
    for (request, reason) in [
        (Request { max_output_tokens: Some(0), ..full_request() }, "output tokens is 0"),
        (Request { stop: vec![String::new()], ..full_request() }, "a stop text is empty"),
        (Request { constraints: vec![schema("a b")], ..full_request() }, "the name of a JSON schema"),
        (Request { constraints: vec![schema(&"a".repeat(65))], ..full_request() }, "the name of a JSON schema"),
        (Request::chat(None, vec![Turn::assistant("x")]), "no turn of the user"),
        (
            Request { sampling: Sampling { top_p: Some(f64::NAN), ..Sampling::default() }, ..full_request() },
            "not a finite number",
        ),
    ] {
        assert!(build(&request).unwrap_err().message.contains(reason), "{reason}");
    }
}

#[test]
fn a_format_that_a_server_does_not_speak_is_named() {
    let error = wire::build(&Profile::find("openai").unwrap(), Format::Messages, "m", 1, &full_request()).unwrap_err();
    assert_eq!(
        error.message,
        "servers of the profile `openai` do not speak the format `messages`; they speak: chat, completions"
    );
}

#[test]
fn replies_are_read_in_every_dialect() {
    let chat = |message: serde_json::Value, finish: &str| {
        json!({"choices": [{"index": 0, "message": message, "finish_reason": finish}]}).to_string()
    };
    let read = |format, body: &str| wire::read_reply(format, body.as_bytes()).unwrap();
    for (message, text, reasoning) in [
        (json!({"content": "a"}), "a", None),
        (json!({"content": "a", "reasoning_content": "r"}), "a", Some("r")),
        (json!({"content": "a", "reasoning": "r"}), "a", Some("r")),
        (json!({"content": "<think>r</think>\n\na"}), "a", Some("r")),
        (json!({"content": "r</think>\na"}), "a", Some("r")),
        (json!({"content": "<think>r"}), "", Some("r")),
        (json!({"content": [{"type": "text", "text": "a"}]}), "a", None),
        (json!({"content": null}), "", None),
    ] {
        let reply = read(Format::Chat, &chat(message.clone(), "stop"));
        assert_eq!((reply.text.as_str(), reply.reasoning.as_deref()), (text, reasoning), "{message}");
        assert_eq!(reply.usage.input, None, "usage is missing");
    }
    let outcome = |message, finish: &str| read(Format::Chat, &chat(message, finish)).outcome;
    assert_eq!(outcome(json!({"content": "a"}), "length"), Outcome::Cut);
    assert_eq!(outcome(json!({"content": null, "refusal": "no"}), "stop"), Outcome::Refused(Some("no".to_owned())));
    assert_eq!(outcome(json!({"content": ""}), "content_filter"), Outcome::Filtered);
    assert_eq!(outcome(json!({"content": ""}), "tool_calls"), Outcome::Other("tool_calls".to_owned()));
    let message = |stop: &str| {
        let content = json!([{"type": "thinking", "thinking": "r"}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
        let usage = json!({"input_tokens": 5, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 3, "output_tokens": 1});
        json!({"type": "message", "content": content, "stop_reason": stop, "usage": usage}).to_string()
    };
    let reply = read(Format::Messages, &message("end_turn"));
    assert_eq!((reply.text.as_str(), reply.reasoning.as_deref(), reply.usage.input), ("ab", Some("r"), Some(10)));
    assert_eq!(read(Format::Messages, &message("max_tokens")).outcome, Outcome::Cut);
    assert_eq!(read(Format::Messages, &message("model_context_window_exceeded")).outcome, Outcome::Cut);
    assert_eq!(read(Format::Messages, &message("refusal")).outcome, Outcome::Refused(None));
    assert_eq!(read(Format::Messages, &message("pause_turn")).outcome, Outcome::Other("pause_turn".to_owned()));
    let legacy =
        json!({"choices": [{"text": "a", "index": 0, "finish_reason": "length"}], "usage": {"prompt_tokens": 0}});
    let reply = read(Format::Completions, &legacy.to_string());
    assert_eq!((reply.outcome, reply.usage.input), (Outcome::Cut, None), "a count of 0 is no count");
}

#[test]
fn bodies_without_a_reply_are_errors() {
    for body in [r#"{"choices": null}"#, r#"{"choices": []}"#, "{}", "[]", "<html>", r#"{"choices": [{}]}"#] {
        let error = wire::read_reply(Format::Chat, body.as_bytes());
        assert!(matches!(error, Err(ReadError::Unreadable(_))), "{body}: {error:?}");
    }
    for body in ["", "{\"choices\": [", "{\"a\": \"\\u00"] {
        assert!(matches!(wire::read_reply(Format::Chat, body.as_bytes()), Err(ReadError::Cut(_))), "{body}");
    }
    let error = wire::read_reply(Format::Chat, br#"{"error": {"code": 503, "message": "Loading model"}}"#);
    assert!(matches!(error, Err(ReadError::Fault(fault)) if fault.status == Some(503)));
}

const CHAT_STREAM: &str = concat!(
    ": ping\r\n\r\n",
    "data: {\"object\": \"chat.completion.chunk\", \"model\": \"m-1\", \"obfuscation\": \"x\", \"choices\": [{\"index\": 0, \"delta\": {\"role\": \"assistant\", \"content\": \"Gr\"}, \"finish_reason\": null}], \"usage\": null}\r\n\r\n",
    "data:{\"choices\": [{\"index\": 1, \"delta\": {\"content\": \"other\"}}, {\"index\": 0, \"delta\": {\"reasoning_content\": \"why\"}}]}\n\n",
    "data: {\"choices\": [{\"index\": 0,\ndata:  \"delta\": {\"content\": \"\u{fc}\u{df} \u{1f980}\"}}]}\n\n",
    "data: {\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"stop\"}]}\n\n",
    "data: {\"choices\": null, \"usage\": {\"prompt_tokens\": 19, \"completion_tokens\": 10}}\n\n",
);

#[test]
fn streams_are_read_however_they_are_split() {
    for (end, piece) in [("data: [DONE]\n\n", 1), ("", 7), ("data: [DONE]", 4096)] {
        let events = format!("{CHAT_STREAM}{end}");
        let server = ModelServer::with_answers(vec![stream(&events, piece)]);
        let base_url = BaseUrl::parse(server.origin()).unwrap();
        let endpoint = HttpEndpoint::new(base_url, Format::Chat, None, false).unwrap();
        let request = full_request();
        let call = Call {
            path: Format::Chat.path(),
            body: "{}",
            request: &request,
            is_stream: true,
            timeout: Duration::from_secs(30),
            clock: &SystemClock,
            on_bytes: &|_| (),
        };
        let reply = wire::read_reply(Format::Chat, &endpoint.send(&call).unwrap().body).unwrap();
        assert_eq!((reply.text.as_str(), reply.reasoning.as_deref()), ("Gr\u{fc}\u{df} \u{1f980}", Some("why")));
        assert_eq!((reply.usage.input, reply.usage.output, reply.outcome), (Some(19), Some(10), Outcome::Complete));
        assert_eq!(reply.model, "m-1");
    }
}

#[test]
fn streams_of_messages_end_with_their_last_event() {
    let start = "event: message_start\ndata: {\"type\": \"message_start\", \"message\": {\"model\": \"m\", \"usage\": {\"input_tokens\": 25, \"output_tokens\": 1}}}\n\n";
    let blocks = concat!(
        "event: ping\ndata: {\"type\": \"ping\"}\n\n",
        "data: {\"type\": \"content_block_start\", \"index\": 0, \"content_block\": {\"type\": \"thinking\", \"thinking\": \"\"}}\n\n",
        "data: {\"type\": \"content_block_delta\", \"index\": 0, \"delta\": {\"type\": \"thinking_delta\", \"thinking\": \"r\"}}\n\n",
        "data: {\"type\": \"content_block_delta\", \"index\": 0, \"delta\": {\"type\": \"signature_delta\", \"signature\": \"s\"}}\n\n",
        "data: {\"type\": \"content_block_delta\", \"index\": 1, \"delta\": {\"type\": \"text_delta\", \"text\": \"a\"}}\n\n",
        "data: {\"type\": \"message_delta\", \"delta\": {\"stop_reason\": \"max_tokens\"}, \"usage\": {\"output_tokens\": 15}}\n\n",
    );
    let stop = "data: {\"type\": \"message_stop\"}\n\n";
    let reply = wire::read_reply(Format::Messages, format!("{start}{blocks}{stop}").as_bytes()).unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_deref(), reply.outcome), ("a", Some("r"), Outcome::Cut));
    assert_eq!((reply.usage.input, reply.usage.output), (Some(25), Some(15)));
    let cut = wire::read_reply(Format::Messages, format!("{start}{blocks}").as_bytes());
    assert!(matches!(cut, Err(ReadError::Cut(_))), "{cut:?}");
    let error = "event: error\ndata: {\"type\": \"error\", \"error\": {\"type\": \"overloaded_error\", \"message\": \"busy\"}}\n\n";
    let fault = wire::read_reply(Format::Messages, format!("{start}{error}").as_bytes());
    assert!(matches!(fault, Err(ReadError::Fault(fault)) if fault.status == Some(529)));
}
