//! Replies in streams of server-sent events.

use serde_json::Value;

use super::message::{
    WireReply, WireUsage, outcome_of_choice, outcome_of_message, reasoning_of, split_reasoning, text, usage_of_choices,
    usage_of_message,
};
use super::{Event, ReadError, SseParser, fault};
use crate::profile::Format;
use crate::reply::Outcome;

/// Reads a whole stream.
pub(super) fn read(format: Format, body: &[u8]) -> Result<WireReply, ReadError> {
    let mut reader = StreamReader::default();
    let mut failure = None;
    let mut on_event = |event: Event| {
        if failure.is_none() {
            failure = reader.take(format, &event).err();
        }
    };
    let mut parser = SseParser::new();
    let parsed = parser.push(body, &mut on_event).and_then(|()| parser.finish(&mut on_event));
    if let Some(failure) = failure {
        return Err(failure);
    }
    parsed.map_err(|error| ReadError::Unreadable(error.to_string()))?;
    reader.finish()
}

/// The parts of a reply that have arrived.
#[derive(Debug, Default)]
struct StreamReader {
    text: String,
    reasoning: String,
    refusal: String,
    outcome: Option<Outcome>,
    usage: WireUsage,
    model: String,
    /// Whether the last event of a message has arrived; formats without one end with the finish reason.
    is_ended: bool,
    /// Whether everything after this is ignored.
    is_done: bool,
}

impl StreamReader {
    fn take(&mut self, format: Format, event: &Event) -> Result<(), ReadError> {
        let data = event.data.trim();
        if self.is_done || data.is_empty() {
            return Ok(());
        }
        if data == "[DONE]" {
            self.is_done = true;
            return Ok(());
        }
        let value: Value = serde_json::from_str(data).map_err(|error| {
            if error.is_eof() {
                ReadError::Cut("the stream ended inside of an event".to_owned())
            } else {
                ReadError::Unreadable(format!(
                    "an event of the stream is not JSON: {}",
                    fault::excerpt(data.as_bytes())
                ))
            }
        })?;
        if let Some(fault) = fault::in_success(&value) {
            return Err(ReadError::Fault(fault));
        }
        if format == Format::Messages {
            self.take_event(&value);
        } else {
            self.take_chunk(format, &value);
        }
        Ok(())
    }

    /// Takes a chunk of OpenAI's formats. The first choice only is read; `choices` may be empty, null or missing.
    fn take_chunk(&mut self, format: Format, value: &Value) {
        if self.model.is_empty() {
            self.model = text(value.get("model")).unwrap_or_default();
        }
        let usage = usage_of_choices(value.get("usage"));
        if usage != WireUsage::default() {
            self.usage = usage;
        }
        let choices = value.get("choices").and_then(Value::as_array);
        let is_first = |choice: &&Value| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0;
        for choice in choices.into_iter().flatten().filter(is_first) {
            if format == Format::Completions {
                self.text.push_str(&text(choice.get("text")).unwrap_or_default());
            } else if let Some(delta) = choice.get("delta") {
                self.text.push_str(&text(delta.get("content")).unwrap_or_default());
                self.reasoning.push_str(&reasoning_of(delta).unwrap_or_default());
                self.refusal.push_str(&text(delta.get("refusal")).unwrap_or_default());
            }
            if let Some(finish) =
                choice.get("finish_reason").and_then(Value::as_str).filter(|finish| !finish.is_empty())
            {
                self.outcome = Some(outcome_of_choice(Some(finish), None));
                self.is_ended = true;
            }
        }
    }

    /// Takes an event of Anthropic's format.
    fn take_event(&mut self, value: &Value) {
        match value.get("type").and_then(Value::as_str) {
            Some("message_start") => {
                let message = value.get("message");
                self.model = text(message.and_then(|message| message.get("model"))).unwrap_or_default();
                self.usage = usage_of_message(message.and_then(|message| message.get("usage")));
            }
            Some("content_block_start") => self.take_block(value.get("content_block")),
            Some("content_block_delta") => self.take_block(value.get("delta")),
            Some("message_delta") => {
                let delta = value.get("delta");
                let member = |name: &str| delta.and_then(|delta| delta.get(name));
                if let Some(stop) = member("stop_reason").and_then(Value::as_str) {
                    self.outcome = Some(outcome_of_message(Some(stop), member("stop_details")));
                }
                // The numbers are cumulative, so the last ones count; input tokens may be repeated or missing.
                let usage = usage_of_message(value.get("usage"));
                self.usage.output = usage.output.or(self.usage.output);
                if usage.input.is_some() {
                    (self.usage.input, self.usage.cached) = (usage.input, usage.cached);
                }
            }
            Some("message_stop") => (self.is_ended, self.is_done) = (true, true),
            _ => {}
        }
    }

    /// Takes a block of content, or a part of one.
    fn take_block(&mut self, block: Option<&Value>) {
        let Some(block) = block else { return };
        match block.get("type").and_then(Value::as_str) {
            Some("text" | "text_delta") => self.text.push_str(&text(block.get("text")).unwrap_or_default()),
            Some("thinking" | "thinking_delta") => {
                self.reasoning.push_str(&text(block.get("thinking")).unwrap_or_default());
            }
            _ => {}
        }
    }

    fn finish(self) -> Result<WireReply, ReadError> {
        let Some(outcome) = self.outcome.filter(|_| self.is_ended) else {
            let message = format!("the stream ended after {} characters without a reason", self.text.chars().count());
            return Err(ReadError::Cut(message));
        };
        let outcome = match (outcome, self.refusal) {
            (outcome, refusal) if refusal.is_empty() => outcome,
            (_, refusal) => Outcome::Refused(Some(refusal)),
        };
        let reasoning = Some(self.reasoning).filter(|text| !text.is_empty());
        let (text, reasoning) = split_reasoning(self.text, reasoning);
        Ok(WireReply { text, reasoning, outcome, usage: self.usage, model: self.model })
    }
}
