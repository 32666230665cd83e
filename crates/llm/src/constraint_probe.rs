//! Probing of constraints: whether an endpoint honours them. Servers drop options that they do not know and answer nevertheless, so the only
//! test is a grammar whose sentence no model would say by itself.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use crate::client::Client;
use crate::error::ModelError;
use crate::model::Model;
use crate::reply::{ConstraintStatus, Usage};
use crate::request::{Constraint, ConstraintKind, Matcher, Request, Turn};
use crate::retry::mix;

/// The number of letters of the word that the grammar allows.
const WORD_LETTERS: u64 = 10;

/// The maximum number of output tokens of a probe.
const OUTPUT_TOKENS: u32 = 64;

/// The answer of an endpoint to a constrained request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "result", content = "detail")]
pub enum ProbeResult {
    /// The reply is the only sentence of the grammar.
    Honoured,
    /// The endpoint accepted the constraint and replied with something else.
    Ignored(String),
    /// The server profile has no option for this notation; nothing was sent.
    NotSupported,
    /// The reply was cut or refused.
    NoAnswer(String),
    /// The call failed; an endpoint that knows its options refuses those that it does not.
    Failed(String),
}

/// The result of probing one notation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConstraintProbe {
    /// The notation.
    pub kind: ConstraintKind,
    /// The answer.
    #[serde(flatten)]
    pub result: ProbeResult,
    /// The numbers of tokens that the probe used.
    pub usage: Usage,
    /// The error of a failed call.
    #[serde(skip)]
    pub error: Option<ModelError>,
}

struct ExactWord(String);

impl Matcher for ExactWord {
    fn check(&self, kind: ConstraintKind, text: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let matches = match kind {
            ConstraintKind::JsonSchema => {
                serde_json::from_str::<Value>(text).is_ok_and(|value| value == json!({"word": self.0}))
            }
            ConstraintKind::Gbnf | ConstraintKind::Lark => text == self.0,
        };
        let excerpt = || text.chars().take(80).collect::<String>();
        if matches { Ok(()) } else { Err(format!("expected `{}`, found `{}`", self.0, excerpt()).into()) }
    }
}

/// Returns one small constrained request per notation, in the order of [`ConstraintKind::ALL`].
pub fn probe_requests(seed: u64) -> Vec<Request> {
    let request = |kind| {
        let word = word(seed ^ ((kind as u64) << 32));
        Request {
            max_output_tokens: Some(OUTPUT_TOKENS),
            constraints: vec![constraint(kind, &word)],
            matcher: Some(Arc::new(ExactWord(word))),
            ..Request::chat(None, vec![Turn::user("Reply with the word hello.")])
        }
    };
    ConstraintKind::ALL.into_iter().map(request).collect()
}

/// Sends one small constrained request per notation that the server profile has an option for, and reports each finished one.
///
/// # Errors
/// If the error of a call [ends the run](crate::ErrorKind::ends_run), such as a cap or a missing key.
pub fn probe_constraints(
    client: &Client,
    seed: u64,
    on_finished: &dyn Fn(),
) -> Result<Vec<ConstraintProbe>, ModelError> {
    let mut probes = Vec::new();
    for (kind, request) in ConstraintKind::ALL.into_iter().zip(probe_requests(seed)) {
        probes.push(probe(client, kind, &request)?);
        on_finished();
    }
    Ok(probes)
}

fn probe(client: &Client, kind: ConstraintKind, request: &Request) -> Result<ConstraintProbe, ModelError> {
    if client.preview(request)?.0.constraint.is_none() {
        return Ok(ConstraintProbe { kind, result: ProbeResult::NotSupported, usage: Usage::default(), error: None });
    }
    match client.complete(request) {
        Ok(reply) => {
            let result = match (reply.constraint, reply.outcome.failure()) {
                (ConstraintStatus::NotSent | ConstraintStatus::Unconstrained, _) => ProbeResult::NotSupported,
                (ConstraintStatus::Honoured(_), _) => ProbeResult::Honoured,
                (ConstraintStatus::Violated(_, reason), _) => ProbeResult::Ignored(reason),
                (ConstraintStatus::Unchecked(_), reason) => ProbeResult::NoAnswer(reason.unwrap_or_default()),
            };
            Ok(ConstraintProbe { kind, result, usage: reply.usage, error: None })
        }
        Err(error) if error.kind.ends_run() => Err(error),
        Err(error) => {
            let result = ProbeResult::Failed(error.to_string());
            Ok(ConstraintProbe { kind, result, usage: Usage::default(), error: Some(error) })
        }
    }
}

fn constraint(kind: ConstraintKind, word: &str) -> Constraint {
    match kind {
        ConstraintKind::Gbnf => Constraint::Gbnf(format!("root ::= \"{word}\"\n")),
        ConstraintKind::Lark => Constraint::Lark(format!("start: \"{word}\"\n")),
        ConstraintKind::JsonSchema => Constraint::JsonSchema {
            name: "word".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {"word": {"type": "string", "enum": [word]}},
                "required": ["word"],
                "additionalProperties": false,
            }),
        },
    }
}

/// A random word of consonants and vowels in turn.
fn word(seed: u64) -> String {
    let letter = |index: u64| {
        let letters: &[u8] = if index.is_multiple_of(2) { b"bdfgklmnprstvz" } else { b"aeiou" };
        char::from(letters[(mix(seed ^ index) % letters.len() as u64) as usize])
    };
    (0..WORD_LETTERS).map(letter).collect()
}
