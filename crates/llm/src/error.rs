//! Errors of calls.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A cap on a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cap {
    /// The number of calls, retries included.
    Calls,
    /// The number of input and output tokens.
    Tokens,
    /// The cost, in the currency of the price file.
    Cost,
    /// The time since the start of the run.
    Time,
}

impl Cap {
    /// Returns the option of the command line that sets the cap.
    pub const fn option(self) -> &'static str {
        match self {
            Self::Calls => "--max-calls",
            Self::Tokens => "--max-tokens-total",
            Self::Cost => "--max-cost",
            Self::Time => "--max-time",
        }
    }
}

/// The cause of a failed call, which decides whether it is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// No connection to the server was made; nothing was sent.
    Connection,
    /// The server did not answer in time. The call may have been charged.
    Timeout,
    /// The response ended before it was complete. The call may have been charged.
    CutResponse,
    /// The process was stopped during the call. The call may have been charged.
    Interrupted,
    /// The server answered with an error status that is not worth a retry, such as 400, 404 or 413.
    Rejected,
    /// The key is missing, invalid or has no permission.
    Authentication,
    /// The account has no money or credit left.
    Quota,
    /// The server refuses calls for now, and all retries are used or the wait that it asks for is too long.
    Overloaded,
    /// The prompt does not fit into the context of the model.
    ContextOverflow,
    /// The server answered from a part of the prompt only, without saying so.
    PromptCut,
    /// The response cannot be read.
    UnreadableResponse,
    /// A call could exceed a cap; it was not sent.
    CapReached(Cap),
    /// The reply is not in the cache, and the mode forbids the network.
    NotRecorded,
    /// Calls are switched off, or planned only.
    Off,
    /// The options or the request are invalid; nothing was sent.
    InvalidRequest,
    /// The cache or the ledger cannot be read or written.
    Storage,
}

impl ErrorKind {
    /// Whether the error ends a run: further calls would fail for the same reason.
    pub const fn ends_run(self) -> bool {
        matches!(self, Self::Authentication | Self::Quota | Self::CapReached(_) | Self::Off | Self::Storage)
    }
}

/// The error of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelError {
    /// The kind.
    pub kind: ErrorKind,
    /// The message, which says what happened and what to do; it may have several lines, and never contains a key.
    pub message: String,
    /// The status of the last response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The name that the server gave to the last request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The number of calls made.
    #[serde(default)]
    pub calls: u32,
}

impl ModelError {
    /// Creates an error before any call.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), status: None, request_id: None, calls: 0 }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let calls = (self.calls > 1).then(|| format!("{} calls", self.calls));
        let request = self.request_id.as_ref().map(|id| format!("request {id}"));
        let details: Vec<String> = calls.into_iter().chain(request).collect();
        if details.is_empty() { Ok(()) } else { write!(f, " ({})", details.join(", ")) }
    }
}

impl std::error::Error for ModelError {}
