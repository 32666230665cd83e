//! Replies in one JSON object.

use serde_json::Value;

use super::ReadError;
use crate::profile::Format;
use crate::reply::Outcome;

/// The numbers of tokens in a response; a number that the server does not report is `None`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WireUsage {
    /// Tokens of the prompt, cached ones included.
    pub input: Option<u64>,
    /// Tokens of the prompt in the cache of the server.
    pub cached: u64,
    /// Tokens of the reply, reasoning included.
    pub output: Option<u64>,
}

/// The reply in a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireReply {
    /// The text.
    pub text: String,
    /// The reasoning.
    pub reasoning: Option<String>,
    /// The reason for which the reply ended.
    pub outcome: Outcome,
    /// The numbers of tokens.
    pub usage: WireUsage,
    /// The model that the server names.
    pub model: String,
}

/// Reads a response object.
pub(super) fn read(format: Format, value: &Value) -> Result<WireReply, ReadError> {
    let reply = match format {
        Format::Chat | Format::Completions => read_choices(format, value),
        Format::Messages => read_message(value),
    };
    reply.map_err(|message| ReadError::Unreadable(message.to_owned()))
}

fn read_choices(format: Format, value: &Value) -> Result<WireReply, &'static str> {
    let choices = value.get("choices").ok_or("the response has no `choices`")?;
    let choice = choices.as_array().and_then(|choices| {
        let is_first = |choice: &&Value| choice.get("index").and_then(Value::as_u64) == Some(0);
        choices.iter().find(is_first).or_else(|| choices.first())
    });
    let choice = choice.ok_or("the response has no reply: `choices` is empty or null")?;
    let finish = text(choice.get("finish_reason"));
    let (content, reasoning, refusal) = if format == Format::Chat {
        let message = choice.get("message").ok_or("the reply has no `message`")?;
        (content_text(message.get("content")), reasoning_of(message), text(message.get("refusal")))
    } else {
        (text(choice.get("text")).unwrap_or_default(), None, None)
    };
    let (content, reasoning) = split_reasoning(content, reasoning);
    Ok(WireReply {
        text: content,
        reasoning,
        outcome: outcome_of_choice(finish.as_deref(), refusal),
        usage: usage_of_choices(value.get("usage")),
        model: text(value.get("model")).unwrap_or_default(),
    })
}

/// Returns the content of a message: a text, or the text parts of a list.
fn content_text(content: Option<&Value>) -> String {
    match content {
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| text(part.get("text"))).collect(),
        content => text(content).unwrap_or_default(),
    }
}

pub(super) fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(str::to_owned)
}

/// Returns the reasoning of a message or of a part of it, under the names of llama.cpp, vLLM and Ollama.
pub(super) fn reasoning_of(message: &Value) -> Option<String> {
    ["reasoning_content", "reasoning"].iter().find_map(|name| text(message.get(*name))).filter(|text| !text.is_empty())
}

/// Separates reasoning that stands inline at the beginning of a text. Reasoning whose end is missing has no text after it; an end without
/// beginning ends reasoning that began in the prompt.
pub(super) fn split_reasoning(content: String, reasoning: Option<String>) -> (String, Option<String>) {
    const BEGIN: &str = "<think>";
    const END: &str = "</think>";
    if reasoning.is_some() {
        return (content, reasoning);
    }
    let (inner, rest) = match (content.trim_start().strip_prefix(BEGIN), content.split_once(END)) {
        (Some(inner), _) => inner.split_once(END).unwrap_or((inner, "")),
        (None, Some((before, rest))) if !before.contains(BEGIN) => (before, rest),
        (None, _) => return (content, None),
    };
    (rest.trim_start_matches(['\r', '\n']).to_owned(), Some(inner.trim().to_owned()))
}

/// Returns the outcome for a finish reason of OpenAI's formats. A complete response without a reason is complete.
pub(super) fn outcome_of_choice(finish: Option<&str>, refusal: Option<String>) -> Outcome {
    match (finish, refusal.filter(|text| !text.is_empty())) {
        (Some("content_filter"), _) => Outcome::Filtered,
        (_, Some(reason)) => Outcome::Refused(Some(reason)),
        (Some("length"), None) => Outcome::Cut,
        (Some("stop") | None, None) => Outcome::Complete,
        (Some(reason), None) => Outcome::Other(reason.to_owned()),
    }
}

pub(super) fn usage_of_choices(usage: Option<&Value>) -> WireUsage {
    let number = |name: &str| usage.and_then(|usage| usage.get(name)).and_then(Value::as_u64);
    let cached = usage.and_then(|usage| usage.pointer("/prompt_tokens_details/cached_tokens")).and_then(Value::as_u64);
    WireUsage {
        // No prompt has no tokens: servers that count nothing report 0.
        input: number("prompt_tokens").filter(|count| *count > 0),
        cached: cached.unwrap_or(0),
        output: number("completion_tokens"),
    }
}

fn read_message(value: &Value) -> Result<WireReply, &'static str> {
    let blocks = value.get("content").and_then(Value::as_array).ok_or("the response has no list `content`")?;
    let of_type = |kind: &str, member: &str| -> String {
        let blocks = blocks.iter().filter(|block| block.get("type").and_then(Value::as_str) == Some(kind));
        blocks.filter_map(|block| block.get(member).and_then(Value::as_str)).collect()
    };
    let thinking = Some(of_type("thinking", "thinking")).filter(|text| !text.is_empty());
    let (content, reasoning) = split_reasoning(of_type("text", "text"), thinking);
    let stop = text(value.get("stop_reason"));
    Ok(WireReply {
        text: content,
        reasoning,
        outcome: outcome_of_message(stop.as_deref(), value.get("stop_details")),
        usage: usage_of_message(value.get("usage")),
        model: text(value.get("model")).unwrap_or_default(),
    })
}

/// Returns the outcome for a stop reason of Anthropic's format.
pub(super) fn outcome_of_message(stop: Option<&str>, details: Option<&Value>) -> Outcome {
    match stop {
        Some("end_turn" | "stop_sequence") | None => Outcome::Complete,
        Some("max_tokens" | "model_context_window_exceeded") => Outcome::Cut,
        Some("refusal") => {
            let reason = details.filter(|details| !details.is_null()).map(|details| {
                let member = ["explanation", "message", "category"].iter().find_map(|name| text(details.get(*name)));
                member.unwrap_or_else(|| details.to_string())
            });
            Outcome::Refused(reason)
        }
        Some(reason) => Outcome::Other(reason.to_owned()),
    }
}

pub(super) fn usage_of_message(usage: Option<&Value>) -> WireUsage {
    let number = |name: &str| usage.and_then(|usage| usage.get(name)).and_then(Value::as_u64);
    let cached = number("cache_read_input_tokens").unwrap_or(0);
    let created = number("cache_creation_input_tokens").unwrap_or(0);
    let input = number("input_tokens").map(|input| input.saturating_add(created).saturating_add(cached));
    WireUsage { input: input.filter(|count| *count > 0), cached, output: number("output_tokens") }
}
