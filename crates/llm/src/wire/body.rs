//! The body of a call.

use serde_json::{Map, Value, json};

use crate::error::{ErrorKind, ModelError};
use crate::profile::{Format, FormatProfile, Prefill, Profile, SystemPromptPlacement};
use crate::request::{Constraint, ConstraintKind, Prompt, Request, Role, Turn};

/// The maximum length of the name of a JSON schema.
const MAX_SCHEMA_NAME: usize = 64;

/// A request in a wire format.
#[derive(Debug, Clone)]
pub struct WireRequest {
    /// The body.
    pub body: Map<String, Value>,
    /// The notation in which the constraint is part of the body.
    pub constraint: Option<ConstraintKind>,
    /// Whether the prefill is part of the body.
    pub prefilled: bool,
    /// The parameters that were set and that the server does not know, so that they are not part of the body.
    pub unsent: Vec<&'static str>,
    /// The maximum number of output tokens.
    pub max_output_tokens: u32,
}

impl WireRequest {
    /// Adds the members that ask for a stream.
    pub fn ask_for_stream(&mut self, profile: &FormatProfile) {
        self.body.insert("stream".to_owned(), Value::Bool(true));
        if profile.stream_usage {
            self.body.insert("stream_options".to_owned(), json!({"include_usage": true}));
        }
    }

    /// Returns the body as text, as it is sent.
    pub fn text(&self) -> String {
        serde_json::to_string(&self.body).unwrap_or_default()
    }
}

/// Builds the body of a call.
///
/// # Errors
/// If the server of the profile does not speak the format, or the request is invalid in it.
pub fn build(
    profile: &Profile,
    format: Format,
    model: &str,
    default_output_tokens: u32,
    request: &Request,
) -> Result<WireRequest, ModelError> {
    let Some(table) = profile.format(format) else {
        let formats: Vec<_> =
            Format::ALL.into_iter().filter(|format| profile.format(*format).is_some()).map(Format::name).collect();
        let message = format!(
            "servers of the profile `{}` do not speak the format `{}`; they speak: {}",
            profile.name,
            format.name(),
            formats.join(", ")
        );
        return Err(ModelError::new(ErrorKind::InvalidRequest, message));
    };
    check(request)?;
    let mut body = Map::new();
    body.insert("model".to_owned(), Value::from(model));
    let prefill = request.prefill.as_deref().filter(|text| !text.is_empty() && table.prefill.is_some());
    insert_prompt(&mut body, table, format, &request.prompt, prefill);
    let mut unsent = insert_parameters(&mut body, table, request);
    let max_output_tokens = request.max_output_tokens.unwrap_or(default_output_tokens);
    insert_stops(&mut body, table, format, &request.stop);
    body.insert(table.max_tokens.clone(), Value::from(max_output_tokens));
    let constraint = insert_constraint(&mut body, table, &request.constraints);
    if !request.constraints.is_empty() && constraint.is_none() {
        unsent.push("constraint");
    }
    if request.prefill.as_deref().is_some_and(|text| !text.is_empty()) && prefill.is_none() {
        unsent.push("prefill");
    }
    Ok(WireRequest { body, constraint, prefilled: prefill.is_some(), unsent, max_output_tokens })
}

/// Checks what every server would refuse.
fn check(request: &Request) -> Result<(), ModelError> {
    let invalid = |message: &str| Err(ModelError::new(ErrorKind::InvalidRequest, message));
    if request.max_output_tokens == Some(0) {
        return invalid("the maximum number of output tokens is 0");
    }
    if request.stop.iter().any(String::is_empty) {
        return invalid("a stop text is empty");
    }
    let sampling = &request.sampling;
    let numbers = [sampling.temperature, sampling.top_p, sampling.frequency_penalty, sampling.presence_penalty];
    if numbers.into_iter().flatten().any(|number| !number.is_finite()) {
        return invalid("a sampling parameter is not a finite number");
    }
    let is_name = |name: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        (1..=MAX_SCHEMA_NAME).contains(&name.len()) && name.bytes().all(is_part)
    };
    let has_name =
        |constraint: &Constraint| !matches!(constraint, Constraint::JsonSchema { name, .. } if !is_name(name));
    if !request.constraints.iter().all(has_name) {
        return invalid("the name of a JSON schema is not of 1 to 64 letters, digits, `_` and `-`");
    }
    match &request.prompt {
        Prompt::Chat { turns, .. } if !turns.iter().any(|turn| turn.role == Role::User) => {
            invalid("the conversation has no turn of the user")
        }
        _ => Ok(()),
    }
}

fn insert_prompt(
    body: &mut Map<String, Value>,
    table: &FormatProfile,
    format: Format,
    prompt: &Prompt,
    prefill: Option<&str>,
) {
    if format == Format::Completions {
        let text = prompt.text() + prefill.unwrap_or_default();
        body.insert("prompt".to_owned(), Value::from(text));
        return;
    }
    let (system, mut turns) = match prompt {
        Prompt::Text(text) => (None, vec![Turn::user(text.clone())]),
        Prompt::Chat { system, turns } => (system.as_deref().filter(|text| !text.is_empty()), turns.clone()),
    };
    let mut messages = Vec::new();
    match (system, table.system) {
        (None, _) => {}
        (Some(system), SystemPromptPlacement::Role) => messages.push(message("system", system)),
        (Some(system), SystemPromptPlacement::Field) => {
            body.insert("system".to_owned(), Value::from(system));
        }
        (Some(system), SystemPromptPlacement::User) => turns.insert(0, Turn::user(system)),
    }
    turns.extend(prefill.map(Turn::assistant));
    messages.extend(merge_turns(turns).iter().map(|turn| message(turn.role.name(), &turn.text)));
    body.insert("messages".to_owned(), Value::Array(messages));
    if prefill.is_some() && table.prefill == Some(Prefill::ContinueFinalMessage) {
        body.insert("add_generation_prompt".to_owned(), Value::Bool(false));
        body.insert("continue_final_message".to_owned(), Value::Bool(true));
    }
}

/// Joins consecutive turns of one role: servers merge or refuse them.
fn merge_turns(turns: Vec<Turn>) -> Vec<Turn> {
    let mut merged: Vec<Turn> = Vec::with_capacity(turns.len());
    for turn in turns {
        match merged.last_mut() {
            Some(last) if last.role == turn.role => {
                last.text.push_str("\n\n");
                last.text.push_str(&turn.text);
            }
            _ => merged.push(turn),
        }
    }
    merged
}

fn message(role: &str, text: &str) -> Value {
    json!({"role": role, "content": text})
}

/// Inserts the parameters that are set, and those that are always sent to this server; returns the names of those that are set and not
/// known to the server.
fn insert_parameters(body: &mut Map<String, Value>, table: &FormatProfile, request: &Request) -> Vec<&'static str> {
    let sampling = &request.sampling;
    let seed = sampling.seed.map(|seed| Value::from(seed.wrapping_add(u64::from(request.attempt))));
    let parameters = [
        ("temperature", sampling.temperature.map(Value::from)),
        ("top_p", sampling.top_p.map(Value::from)),
        ("seed", seed),
        ("frequency_penalty", sampling.frequency_penalty.map(Value::from)),
        ("presence_penalty", sampling.presence_penalty.map(Value::from)),
    ];
    let mut unsent = Vec::new();
    for (name, value) in parameters {
        let Some(value) = value else { continue };
        if table.parameters.iter().any(|known| known == name) {
            body.insert(name.to_owned(), value);
        } else {
            unsent.push(name);
        }
    }
    for (name, value) in &table.always {
        body.entry(name.clone()).or_insert_with(|| value.clone());
    }
    unsent
}

/// Inserts as many stop texts as the server takes; the client applies all of them to the reply again.
fn insert_stops(body: &mut Map<String, Value>, table: &FormatProfile, format: Format, stops: &[String]) {
    let stops = &stops[..stops.len().min(table.max_stops)];
    if !stops.is_empty() {
        let name = if format == Format::Messages { "stop_sequences" } else { "stop" };
        body.insert(name.to_owned(), Value::from(stops));
    }
}

/// Inserts the first constraint whose notation the server knows.
fn insert_constraint(
    body: &mut Map<String, Value>,
    table: &FormatProfile,
    constraints: &[Constraint],
) -> Option<ConstraintKind> {
    let (constraint, template) = constraints
        .iter()
        .find_map(|constraint| table.constraints.get(&constraint.kind()).map(|template| (constraint, template)))?;
    let members: Map<String, Value> = serde_json::from_str(template).ok()?;
    for (name, value) in members {
        body.insert(name, fill(value, constraint));
    }
    Some(constraint.kind())
}

/// Replaces the placeholders of a template, whose depth is that of the profile.
fn fill(template: Value, constraint: &Constraint) -> Value {
    match (template, constraint) {
        (Value::String(text), Constraint::Gbnf(grammar) | Constraint::Lark(grammar)) if text == "$TEXT" => {
            Value::from(grammar.as_str())
        }
        (Value::String(text), Constraint::JsonSchema { name, .. }) if text == "$NAME" => Value::from(name.as_str()),
        (Value::String(text), Constraint::JsonSchema { schema, .. }) if text == "$SCHEMA" => schema.clone(),
        (Value::Object(members), constraint) => {
            members.into_iter().map(|(name, value)| (name, fill(value, constraint))).collect()
        }
        (Value::Array(members), constraint) => members.into_iter().map(|value| fill(value, constraint)).collect(),
        (value, _) => value,
    }
}
