//! `scripted:FILE`: a stand-in that gives the replies, errors and delays of a file.

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::endpoint::{Call, Endpoint, Response, SendError};
use crate::error::{ErrorKind, ModelError};

/// A line of a script.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
struct Line {
    /// The line answers only requests whose prompt contains this text.
    #[serde(default, rename = "match")]
    matches: Option<String>,
    /// The time until the answer in seconds.
    #[serde(default)]
    delay: f64,
    /// The text of a reply.
    #[serde(default)]
    text: Option<String>,
    /// The reasoning of a reply.
    #[serde(default)]
    reasoning: Option<String>,
    /// The reason of the end of a reply: `stop`, `length`, `content_filter`.
    #[serde(default)]
    finish: Option<String>,
    /// The text of a refusal.
    #[serde(default)]
    refusal: Option<String>,
    /// The numbers of tokens of prompt and reply.
    #[serde(default)]
    usage: Option<(u64, u64)>,
    /// The status of the response.
    #[serde(default)]
    status: Option<u16>,
    /// The headers of the response.
    #[serde(default)]
    headers: std::collections::BTreeMap<String, String>,
    /// The body of the response, instead of a reply.
    #[serde(default)]
    body: Option<Value>,
    /// A failure without response: `refused`, `timeout` or `cut`.
    #[serde(default)]
    failure: Option<Failure>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Failure {
    Refused,
    Timeout,
    Cut,
}

/// Replies from a file, one per line, sent in their order.
#[derive(Debug)]
pub struct ScriptEndpoint {
    lines: Mutex<Vec<Option<Line>>>,
    count: usize,
}

/// A malformed line of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ScriptError {}

impl ScriptEndpoint {
    /// Reads a script: JSON Lines, each with a `text`, or a `status` and `body`, or a `failure`. A call is answered by the first line that no
    /// call has used and whose `match`, if it has one, occurs in the prompt.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is malformed.
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| {
            ModelError::new(ErrorKind::InvalidRequest, format!("cannot read the script `{}`: {error}", path.display()))
        })?;
        Self::parse(&text).map_err(|error| {
            ModelError::new(ErrorKind::InvalidRequest, format!("invalid script `{}`: {error}", path.display()))
        })
    }

    /// Parses the text of a script.
    ///
    /// # Errors
    /// If a line is malformed, with its number.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let mut lines = Vec::new();
        for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            let malformed = |reason: &str| ScriptError { line: index + 1, reason: reason.to_owned() };
            let line: Line = serde_json::from_str(text).map_err(|error| malformed(&error.to_string()))?;
            if !(0.0..=86_400.0).contains(&line.delay) {
                return Err(malformed("`delay` is not a number of seconds up to a day"));
            }
            let answers = [
                line.text.is_some() || line.refusal.is_some(),
                line.body.is_some() || line.status.is_some(),
                line.failure.is_some(),
            ];
            if answers.iter().filter(|is_given| **is_given).count() != 1 {
                return Err(malformed("expected either `text` or `refusal`, or `status` or `body`, or `failure`"));
            }
            lines.push(Some(line));
        }
        Ok(Self { count: lines.len(), lines: Mutex::new(lines) })
    }

    fn take(&self, prompt: &str) -> Option<Line> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |line: &Line| line.matches.as_ref().is_none_or(|text| prompt.contains(text.as_str()));
        lines.iter_mut().find(|line| line.as_ref().is_some_and(fits)).and_then(Option::take)
    }
}

impl Endpoint for ScriptEndpoint {
    fn send(&self, call: &Call<'_>) -> Result<Response, SendError> {
        let line = self.take(&call.request.prompt.text()).ok_or_else(|| {
            SendError::Refused(format!("the script has no unused line for this request; it has {} lines", self.count))
        })?;
        let delay = Duration::from_secs_f64(line.delay);
        if !delay.is_zero() {
            call.clock.sleep(delay.min(call.timeout));
        }
        if delay > call.timeout || line.failure == Some(Failure::Timeout) {
            return Err(SendError::Timeout("the script did not answer in time".to_owned()));
        }
        match line.failure {
            Some(Failure::Refused) => return Err(SendError::NotSent("the script refuses the connection".to_owned())),
            Some(_) => return Err(SendError::Cut("the script breaks the connection off".to_owned())),
            None => {}
        }
        let status = line.status.unwrap_or(200);
        let body = match &line.body {
            Some(Value::String(text)) => text.clone(),
            Some(body) => body.to_string(),
            None if line.text.is_some() || line.refusal.is_some() => reply_body(&line).to_string(),
            None => json!({"error": {"message": format!("the script answers with the status {status}")}}).to_string(),
        };
        Ok(Response { status, headers: line.headers.into_iter().collect(), body: body.into_bytes() })
    }

    fn get(&self, _path: &str, _timeout: Duration) -> Result<Response, SendError> {
        Err(SendError::Refused("a script has no server".to_owned()))
    }
}

fn reply_body(line: &Line) -> Value {
    let message = json!({
        "role": "assistant",
        "content": line.text,
        "refusal": line.refusal,
        "reasoning_content": line.reasoning,
    });
    let finish = line.finish.as_deref().unwrap_or("stop");
    let mut body = json!({"model": "scripted", "choices": [{"index": 0, "message": message, "finish_reason": finish}]});
    if let Some((input, output)) = line.usage {
        body["usage"] = json!({"prompt_tokens": input, "completion_tokens": output});
    }
    body
}
