//! Endpoints: servers of models and their stand-ins, behind one trait.

use std::fmt;
use std::time::Duration;

use crate::clock::Clock;
use crate::request::Request;

/// The headers of a response, by lower-case names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// Returns the first value of a header; the name is in lower case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the headers in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the name that the server gave to the request.
    pub fn request_id(&self) -> Option<&str> {
        self.get("x-request-id").or_else(|| self.get("request-id"))
    }
}

impl FromIterator<(String, String)> for Headers {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect())
    }
}

/// One HTTP request to a server of models: path, body and headers.
pub struct Call<'a> {
    /// The path relative to the base URL.
    pub path: &'static str,
    /// The body.
    pub body: &'a str,
    /// The request that the body stands for, for endpoints without a wire format.
    pub request: &'a Request,
    /// Whether the body asks for a stream.
    pub is_stream: bool,
    /// The longest time until the whole response has arrived.
    pub timeout: Duration,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// The receiver of the number of bytes received so far.
    pub on_bytes: &'a dyn Fn(usize),
}

/// A response of any status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Headers,
    /// The body.
    pub body: Vec<u8>,
}

/// The failure of a call without a complete response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendError {
    /// Nothing was sent: there is no connection.
    NotSent(String),
    /// The request was sent or may have been, and no complete response arrived in time.
    Timeout(String),
    /// The request was sent or may have been, and the response broke off.
    Cut(String),
    /// The call is not allowed or not possible: no retry helps.
    Refused(String),
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::NotSent(message) | Self::Timeout(message) | Self::Cut(message) | Self::Refused(message)) = self;
        f.write_str(message)
    }
}

impl std::error::Error for SendError {}

/// A transport that sends calls to a server of models, or to a stand-in for one.
pub trait Endpoint: Send + Sync {
    /// Makes a call.
    ///
    /// # Errors
    /// If no complete response arrives.
    fn send(&self, call: &Call<'_>) -> Result<Response, SendError>;

    /// Reads a resource of the server beside the calls, for probing; the path is relative to the origin of the server.
    ///
    /// # Errors
    /// If no complete response arrives.
    fn get(&self, path: &str, timeout: Duration) -> Result<Response, SendError>;
}
