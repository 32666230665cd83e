//! Requests: prompts with their parameters.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The author of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person or program that asks.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// Returns the name of the role in all wire formats.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// A turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Turn {
    /// The author.
    pub role: Role,
    /// The text.
    pub text: String,
}

impl Turn {
    /// Creates a turn of the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, text: text.into() }
    }

    /// Creates a turn of the model.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, text: text.into() }
    }
}

/// The prompt of a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Prompt {
    /// A conversation. The legacy completions format receives its texts joined by blank lines.
    Chat {
        /// Instructions for the whole conversation.
        system: Option<String>,
        /// The turns, the first one of the user.
        turns: Vec<Turn>,
    },
    /// A text that the model continues. Chat formats receive it as one turn of the user.
    Text(String),
}

impl Prompt {
    /// Returns all texts of the prompt in order, joined by blank lines.
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Chat { system, turns } => {
                let texts = system.iter().map(String::as_str).chain(turns.iter().map(|turn| turn.text.as_str()));
                texts.collect::<Vec<_>>().join("\n\n")
            }
        }
    }

    /// Returns the last text of the user, which is the whole prompt if there are no turns.
    pub fn last_user_text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Chat { turns, .. } => {
                turns.iter().rev().find(|turn| turn.role == Role::User).map_or("", |turn| turn.text.as_str())
            }
        }
    }

    /// Returns the number of bytes of all texts.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Chat { system, turns } => {
                system.as_ref().map_or(0, String::len) + turns.iter().map(|turn| turn.text.len()).sum::<usize>()
            }
        }
    }

    /// Whether the prompt has no text.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Parameters of the draw of tokens. A parameter that is `None` is not sent, except where the default of the server would change the
/// experiment: then the profile of the server says which value is sent instead.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// The temperature, 0 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The cumulative probability of the tokens from which one is drawn, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The seed of the first attempt; attempt i is sent the seed plus i.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The penalty of tokens by their frequency so far, -2 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency_penalty: Option<f64>,
    /// The penalty of tokens that have occurred, -2 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence_penalty: Option<f64>,
}

/// The notation of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConstraintKind {
    /// A GBNF grammar, as llama.cpp reads it, with the rule `root`.
    Gbnf,
    /// A Lark grammar, as llguidance reads it, with the rule `start`.
    Lark,
    /// A JSON schema.
    JsonSchema,
}

impl ConstraintKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Gbnf, Self::Lark, Self::JsonSchema];

    /// Returns the name of the kind in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gbnf => "GBNF",
            Self::Lark => "Lark",
            Self::JsonSchema => "JSON schema",
        }
    }
}

impl fmt::Display for ConstraintKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A grammar that a reply must match, in one notation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Constraint {
    /// A GBNF grammar.
    Gbnf(String),
    /// A Lark grammar.
    Lark(String),
    /// A JSON schema. The name has at most 64 characters out of `[A-Za-z0-9_-]`.
    JsonSchema {
        /// The name of the schema.
        name: String,
        /// The schema.
        schema: Value,
    },
}

impl Constraint {
    /// Returns the notation.
    pub const fn kind(&self) -> ConstraintKind {
        match self {
            Self::Gbnf(_) => ConstraintKind::Gbnf,
            Self::Lark(_) => ConstraintKind::Lark,
            Self::JsonSchema { .. } => ConstraintKind::JsonSchema,
        }
    }
}

/// A check of a reply against the constraint of its request. Servers drop options that they do not know without an error, so every
/// constrained reply is checked here again.
pub trait Matcher: Send + Sync {
    /// Checks a complete reply to a request that was constrained in the given notation.
    ///
    /// # Errors
    /// If the text does not match, with the reason and its place.
    fn check(&self, kind: ConstraintKind, text: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
}

/// A request for one reply.
#[derive(Clone, Serialize, Deserialize)]
pub struct Request {
    /// The prompt.
    pub prompt: Prompt,
    /// Texts before which the reply ends, at most four. They are not part of the reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// The maximum number of tokens of the reply, reasoning included. `None` for the default of the model's options. It is always
    /// sent: the worst case of a call must be known before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
    /// Parameters of the draw of tokens.
    #[serde(default)]
    pub sampling: Sampling,
    /// The beginning of the reply. A server that supports this continues it, and [`Reply::text`](crate::Reply::text) contains it; to other
    /// servers it is not sent ([`Reply::prefilled`](crate::Reply::prefilled) says so).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefill: Option<String>,
    /// One constraint in several notations, the preferred one first. The first that the server supports is sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Constraint>,
    /// The check of the reply against the constraint.
    #[serde(skip)]
    pub matcher: Option<Arc<dyn Matcher>>,
    /// The index of this request among the equal requests of a run, which distinguishes their recorded replies.
    #[serde(default)]
    pub attempt: u32,
}

impl Request {
    /// Creates a request of a conversation.
    pub fn chat(system: Option<String>, turns: Vec<Turn>) -> Self {
        Self::new(Prompt::Chat { system, turns })
    }

    /// Creates a request to continue a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Prompt::Text(text.into()))
    }

    fn new(prompt: Prompt) -> Self {
        Self {
            prompt,
            stop: Vec::new(),
            max_output_tokens: None,
            sampling: Sampling::default(),
            prefill: None,
            constraints: Vec::new(),
            matcher: None,
            attempt: 0,
        }
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("prompt", &self.prompt)
            .field("stop", &self.stop)
            .field("max_output_tokens", &self.max_output_tokens)
            .field("sampling", &self.sampling)
            .field("prefill", &self.prefill)
            .field("constraints", &self.constraints)
            .field("attempt", &self.attempt)
            .finish_non_exhaustive()
    }
}
