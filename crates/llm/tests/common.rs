//! Helpers of all tests.

use std::sync::Arc;
use std::time::Duration;

use goalspec_llm::clock::FakeClock;
use goalspec_llm::{ClientOptions, Request, Turn};
use goalspec_testing::model_server::{AnswerStep, ModelServer, answer};

/// The time at which fake clocks start: 1994-11-06 08:49:37 UTC.
pub(crate) const NOW: Duration = Duration::from_secs(784_111_777);

/// A request of one short turn.
pub(crate) fn hello() -> Request {
    Request::chat(Some("Answer briefly.".to_owned()), vec![Turn::user("Hello?")])
}

/// A chat reply with usage.
pub(crate) fn chat_body(text: &str) -> String {
    let message = serde_json::json!({"role": "assistant", "content": text, "refusal": null});
    let choices = serde_json::json!([{"index": 0, "message": message, "finish_reason": "stop"}]);
    let usage = serde_json::json!({"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14});
    serde_json::json!({"id": "c1", "object": "chat.completion", "model": "m-1", "choices": choices, "usage": usage})
        .to_string()
}

/// A successful answer with a chat reply.
pub(crate) fn chat(text: &str) -> Vec<AnswerStep> {
    answer(200, &[("x-request-id", "req_7")], &chat_body(text))
}

/// Options for a server with a profile, a fake clock and a cache folder.
pub(crate) fn options(server: &ModelServer, folder: &tempfile::TempDir, clock: &Arc<FakeClock>) -> ClientOptions {
    ClientOptions {
        model: Some("m".to_owned()),
        base_url: Some(server.origin().to_owned()),
        profile: Some("openai".to_owned()),
        cache: Some(folder.path().to_owned()),
        clock: clock.clone(),
        ..ClientOptions::default()
    }
}

/// A folder that is removed after the test.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A clock that shows [`NOW`].
pub(crate) fn clock() -> Arc<FakeClock> {
    Arc::new(FakeClock::new(NOW))
}
