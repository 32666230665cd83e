//! Errors in the bodies of responses, in the dialects of the servers.

use serde_json::{Map, Value};

/// The number of characters of a body that is not JSON in an error message.
const EXCERPT_CHARACTERS: usize = 200;

/// The class of an error, which decides about retries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultClass {
    /// The account has no money or credit left; never retried.
    Money,
    /// The prompt does not fit into the context of the model.
    ContextOverflow,
    /// The status decides.
    Status,
}

/// An error that a server reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The message of the server; the beginning of the body if it is not JSON.
    pub message: String,
    /// The code or type of the error; empty if there is none.
    pub code: String,
    /// The status that the code stands for, for errors inside of successful responses.
    pub status: Option<u16>,
    /// The class.
    pub class: FaultClass,
}

/// Codes and types that say that the account has no money left.
const MONEY_CODES: [&str; 5] = [
    "insufficient_quota",
    "credit_balance_exhausted",
    "billing_hard_limit_reached",
    "billing_error",
    "billing_not_active",
];

/// Parts of messages that say the same, in lower case.
const MONEY_PHRASES: [&str; 4] =
    ["spend limit", "spending limit", "credit balance is too low", "exceeded your current quota"];

/// Codes that say that the prompt is too long.
const CONTEXT_CODES: [&str; 2] = ["context_length_exceeded", "exceed_context_size_error"];

/// Parts of messages that say the same, in lower case.
const CONTEXT_PHRASES: [&str; 5] =
    ["maximum context length", "maximum model length", "context size", "prompt is too long", "exceed context limit"];

/// Reads the body of a response with an error status. Any body has a message.
pub fn read_fault(status: u16, body: &[u8]) -> Fault {
    let parsed: Option<Value> = serde_json::from_slice(body).ok();
    let fields = parsed.as_ref().and_then(Value::as_object).and_then(read_object);
    let (message, code, _) = fields.unwrap_or_else(|| (excerpt(body), String::new(), None));
    let class = if status == 402 { FaultClass::Money } else { classify(status, &code, &message) };
    Fault { message, code, status: None, class }
}

/// Reads an error inside of a successful response or of an event of a stream; `None` if there is none.
pub(super) fn in_success(value: &Value) -> Option<Fault> {
    let object = value.as_object()?;
    let is_error = object.get("error").is_some_and(|error| !error.is_null())
        || ["object", "type"].iter().any(|name| object.get(*name).and_then(Value::as_str) == Some("error"));
    if !is_error {
        return None;
    }
    let (message, code, number) = read_object(object).unwrap_or_default();
    let status = number.or_else(|| status_of(&code));
    let class = classify(status.unwrap_or(500), &code, &message);
    Some(Fault { message, code, status, class })
}

/// Returns message, code and number of an error object, in any dialect: `{"error": {..}}`, `{"error": "text"}`, the object without
/// wrapper, and `{"detail": ..}`.
fn read_object(object: &Map<String, Value>) -> Option<(String, String, Option<u16>)> {
    match object.get("error") {
        Some(Value::String(message)) => Some((message.clone(), String::new(), None)),
        Some(Value::Object(error)) => Some(read_members(error)),
        _ if object.contains_key("message") => Some(read_members(object)),
        _ => object.get("detail").map(|detail| (text_of(detail), String::new(), None)),
    }
}

fn read_members(error: &Map<String, Value>) -> (String, String, Option<u16>) {
    let message = error.get("message").map(text_of).unwrap_or_default();
    let code = error.get("code").filter(|code| !code.is_null());
    let number = code.and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    let number = number.filter(|code| (400..600).contains(code));
    // An integer code repeats the status; the type then says more.
    let name = code.and_then(Value::as_str).or_else(|| error.get("type").and_then(Value::as_str));
    (message, name.unwrap_or_default().to_owned(), number)
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The status of an error type.
fn status_of(code: &str) -> Option<u16> {
    Some(match code {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" | "rate_limit_exceeded" => 429,
        "api_error" | "server_error" => 500,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => return None,
    })
}

fn classify(status: u16, code: &str, message: &str) -> FaultClass {
    let message = message.to_lowercase();
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| message.contains(phrase));
    if status == 402 || MONEY_CODES.contains(&code) || (matches!(status, 400 | 403 | 429) && has(&MONEY_PHRASES)) {
        FaultClass::Money
    } else if CONTEXT_CODES.contains(&code) || (matches!(status, 400 | 413 | 422) && has(&CONTEXT_PHRASES)) {
        FaultClass::ContextOverflow
    } else {
        FaultClass::Status
    }
}

/// Returns the beginning of a body as one line.
pub(super) fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(8 * EXCERPT_CHARACTERS)]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return "empty response".to_owned();
    }
    let mut characters = text.chars();
    let start: String =
        characters.by_ref().take(EXCERPT_CHARACTERS).filter(|character| !character.is_control()).collect();
    if characters.next().is_some() { start + " .." } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(status: u16, body: &str) -> (String, String, FaultClass) {
        let fault = read_fault(status, body.as_bytes());
        (fault.message, fault.code, fault.class)
    }

    #[test]
    fn errors_are_read_in_every_dialect() {
        let parts = |message: &str, code: &str, class| (message.to_owned(), code.to_owned(), class);
        let status = FaultClass::Status;
        for (body, expected) in [
            (r#"{"error": {"message": "m", "type": "t", "param": null, "code": null}}"#, parts("m", "t", status)),
            (r#"{"error": {"message": "m", "type": "t", "code": "c"}}"#, parts("m", "c", status)),
            (r#"{"error": {"code": 400, "message": "m", "type": "t"}}"#, parts("m", "t", status)),
            (r#"{"object": "error", "message": "m", "type": "t", "code": 400}"#, parts("m", "t", status)),
            (r#"{"error": "m"}"#, parts("m", "", status)),
            (r#"{"detail": "Not Found"}"#, parts("Not Found", "", status)),
            (r#"{"type": "error", "error": {"type": "t", "message": "m"}}"#, parts("m", "t", status)),
            ("<html>\n <b>Bad Gateway</b>", parts("<html> <b>Bad Gateway</b>", "", status)),
            ("", parts("empty response", "", status)),
            ("[1]", parts("[1]", "", status)),
        ] {
            assert_eq!(fault(400, body), expected, "{body}");
        }
        assert_eq!(fault(502, &"é".repeat(500)).0.chars().count(), 203);
    }

    #[test]
    fn money_and_context_are_told_from_rates() {
        let body = |code: &str, message: &str| format!(r#"{{"error": {{"code": "{code}", "message": "{message}"}}}}"#);
        assert_eq!(fault(429, &body("insufficient_quota", "")).2, FaultClass::Money);
        assert_eq!(fault(429, &body("rate_limit_exceeded", "slow down")).2, FaultClass::Status);
        assert_eq!(fault(402, "").2, FaultClass::Money);
        assert_eq!(fault(400, &body("", "Your credit balance is too low to use the API")).2, FaultClass::Money);
        assert_eq!(fault(400, &body("context_length_exceeded", "")).2, FaultClass::ContextOverflow);
        let message = "the request exceeds the available context size, try increasing it";
        assert_eq!(fault(400, &body("", message)).2, FaultClass::ContextOverflow);
        assert_eq!(fault(500, &body("", "context size")).2, FaultClass::Status);
    }
}
