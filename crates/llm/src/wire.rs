//! Wire formats: the body of a call for a request, and the reply in a response.

mod body;
mod fault;
mod message;
mod sse;
mod stream;

use std::fmt;

use serde_json::Value;

pub use body::{WireRequest, build};
pub use fault::{Fault, FaultClass, read_fault};
pub use message::{WireReply, WireUsage};
pub use sse::{Event, InvalidLineError, SseParser};

use crate::profile::Format;

/// The reason for which a body has no reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// The body ends before the reply does.
    Cut(String),
    /// The body reports an error, although the status is 200.
    Fault(Fault),
    /// The body is not a response of this format.
    Unreadable(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cut(message) | Self::Unreadable(message) => f.write_str(message),
            Self::Fault(fault) => f.write_str(&fault.message),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads the body of a successful response: one JSON object, or a stream of server-sent events.
///
/// # Errors
/// If the body is cut, reports an error or is not a response of the format.
pub fn read_reply(format: Format, body: &[u8]) -> Result<WireReply, ReadError> {
    if is_stream(body) {
        return stream::read(format, body);
    }
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        if error.is_eof() {
            ReadError::Cut(format!("the response ended after {} bytes", body.len()))
        } else {
            ReadError::Unreadable(format!("the response is not JSON: {}", fault::excerpt(body)))
        }
    })?;
    if let Some(fault) = fault::in_success(&value) {
        return Err(ReadError::Fault(fault));
    }
    message::read(format, &value)
}

/// Whether a body is a stream of events: it does not begin with a JSON object, but with a field or comment of an event.
fn is_stream(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let start = body.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(body.len());
    [&b"data:"[..], b"event:", b"id:", b"retry:", b":"].iter().any(|field| body[start..].starts_with(field))
}
