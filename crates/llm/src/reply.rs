//! Replies: the text of a model, the reason for its end, and its cost.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::request::ConstraintKind;

/// The reason for which a reply ended. Only a complete reply may be read as a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The model ended the reply, or a stop text occurred.
    #[default]
    Complete,
    /// The reply reached the maximum number of tokens, or the context of the model is full.
    Cut,
    /// The model refused to answer, with its reason if it gave one.
    Refused(Option<String>),
    /// A filter of the server removed the reply.
    Filtered,
    /// The model ended otherwise, for instance by a call of a tool, with the reason in the words of the server.
    Other(String),
}

impl Outcome {
    /// Returns the reason for which the reply is not a complete text; `None` if it is one.
    pub fn failure(&self) -> Option<String> {
        Some(match self {
            Self::Complete => return None,
            Self::Cut => "the reply was cut: it reached the maximum number of output tokens".to_owned(),
            Self::Refused(None) => "the model refused to answer".to_owned(),
            Self::Refused(Some(reason)) => format!("the model refused to answer: {reason}"),
            Self::Filtered => "a content filter of the server removed the reply".to_owned(),
            Self::Other(reason) => format!("the reply ended with the reason `{reason}`"),
        })
    }
}

/// The error for a reply that is not a complete text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncompleteReplyError {
    /// The reason, as returned by [`Outcome::failure`].
    pub reason: String,
}

impl fmt::Display for IncompleteReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for IncompleteReplyError {}

/// The numbers of tokens that a call used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt, cached ones included.
    pub input_tokens: u64,
    /// Tokens of the prompt that the server had in its cache, a part of the input tokens.
    #[serde(default)]
    pub cached_input_tokens: u64,
    /// Tokens of the reply, reasoning included.
    pub output_tokens: u64,
    /// Whether the numbers are estimated here because the server reported none.
    #[serde(default)]
    pub estimated: bool,
}

impl Usage {
    /// Returns the sum of input and output tokens.
    pub const fn total(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

/// Whether a constraint was sent with a request, and whether the reply matches it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConstraintStatus {
    /// The request had no constraint.
    #[default]
    Unconstrained,
    /// The server supports none of the notations of the constraint; it was not sent.
    NotSent,
    /// The constraint was sent in this notation; the reply was not checked, since the request has no matcher or the reply is incomplete.
    Unchecked(ConstraintKind),
    /// The constraint was sent in this notation, and the reply matches it.
    Honoured(ConstraintKind),
    /// The constraint was sent in this notation, and the reply does not match it: the server does not honour constraints.
    Violated(ConstraintKind, String),
}

/// A reply of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The text, with the prefill if the server continued it, without the stop text and without reasoning.
    pub text: String,
    /// The reasoning that the server sent apart from the text, or that stood between `<think>` and `</think>` at its beginning. It is
    /// never read as a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The reason for which the reply ended.
    pub outcome: Outcome,
    /// Whether the prefill of the request was sent and is the beginning of the text.
    #[serde(default)]
    pub prefilled: bool,
    /// Whether the constraint of the request was sent, and whether the reply matches it.
    #[serde(default)]
    pub constraint: ConstraintStatus,
    /// The numbers of tokens.
    pub usage: Usage,
    /// The model that the server names; empty if it names none.
    pub model: String,
    /// The name that the server gave to the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The time from the first byte sent to the last byte received, recorded with the reply.
    #[serde(default)]
    pub duration: Duration,
    /// The price, if a price file is given, in its currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Whether the reply was read from the cache, so that this call cost nothing.
    #[serde(default)]
    pub from_cache: bool,
}

impl Reply {
    /// Creates a complete reply with a text.
    pub fn complete(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Returns the text of a complete reply.
    ///
    /// # Errors
    /// If the reply was cut, refused or filtered, with the reason.
    pub fn complete_text(&self) -> Result<&str, IncompleteReplyError> {
        let error = self.outcome.failure().map(|reason| IncompleteReplyError { reason });
        error.map_or(Ok(self.text.as_str()), Err)
    }
}
