//! Servers over HTTP.

use std::io::{ErrorKind as IoErrorKind, Read};
use std::time::Duration;

use ureq::{Agent, Body, Timeout, http};

use crate::endpoint::{Call, Endpoint, Headers, Response, SendError};
use crate::error::{ErrorKind, ModelError};
use crate::key::ApiKey;
use crate::profile::Format;
use crate::url::BaseUrl;

/// The longest time until a connection is made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest silence of a stream.
pub const IDLE_TIMEOUT: Duration = Duration::from_mins(2);

/// The maximum size of a response in bytes.
pub const MAX_RESPONSE_BYTES: usize = 64 << 20;

/// The number of redirects within one server that are followed.
const MAX_REDIRECTS: usize = 3;

/// The version of Anthropic's format.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// A server over HTTP.
#[derive(Debug)]
pub struct HttpEndpoint {
    agent: Agent,
    base_url: BaseUrl,
    format: Format,
    key: Option<ApiKey>,
    idle_timeout: Duration,
}

impl HttpEndpoint {
    /// Creates the endpoint of a server; no connection is made. Unless `insecure` is set, a key is sent over encrypted connections and to
    /// this machine only.
    ///
    /// # Errors
    /// If the key would be sent in clear to another machine.
    pub fn new(base_url: BaseUrl, format: Format, key: Option<ApiKey>, insecure: bool) -> Result<Self, ModelError> {
        if key.is_some() && !base_url.is_encrypted() && !base_url.is_loopback() && !insecure {
            let message = format!(
                "the key would be sent in clear to {}; use https, or --insecure to send it nevertheless",
                base_url.origin()
            );
            return Err(ModelError::new(ErrorKind::InvalidRequest, message));
        }
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .user_agent(concat!("goalspec/", env!("CARGO_PKG_VERSION")));
        if base_url.is_loopback() {
            config = config.proxy(None);
        }
        let agent = config.build().into();
        Ok(Self { agent, base_url, format, key, idle_timeout: IDLE_TIMEOUT })
    }

    /// Checks that the server can be reached with the features of this program.
    ///
    /// # Errors
    /// If the address requires encryption, and the program was built without it.
    pub fn check_encryption(&self) -> Result<(), ModelError> {
        if self.base_url.is_encrypted() && !cfg!(feature = "tls") {
            let origin = self.base_url.origin();
            let message = format!("{origin} requires encryption, and this program was built without the feature `tls`");
            return Err(ModelError::new(ErrorKind::InvalidRequest, message));
        }
        Ok(())
    }

    /// Returns the endpoint with another longest silence of streams.
    #[must_use]
    pub fn with_idle_timeout(self, idle_timeout: Duration) -> Self {
        Self { idle_timeout, ..self }
    }

    /// Returns the headers of a call.
    fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        if self.format == Format::Messages {
            headers.push(("anthropic-version", ANTHROPIC_VERSION.to_owned()));
            headers.extend(self.key.iter().map(|key| ("x-api-key", key.reveal().to_owned())));
        } else {
            headers.extend(self.key.iter().map(|key| ("authorization", format!("Bearer {}", key.reveal()))));
        }
        headers
    }

    fn post(&self, url: &str, call: &Call<'_>) -> Result<http::Response<Body>, ureq::Error> {
        let mut request = self.agent.post(url).header("content-type", "application/json");
        for (name, value) in self.headers() {
            request = request.header(name, value);
        }
        let idle = call.is_stream.then_some(self.idle_timeout);
        let request = request.config().timeout_global(Some(call.timeout)).timeout_per_read(idle).build();
        request.send(call.body)
    }

    /// Returns the target of a redirect within the server; `None` if the response is none.
    fn redirect(&self, response: &http::Response<Body>) -> Result<Option<String>, SendError> {
        let status = response.status().as_u16();
        if !(300..400).contains(&status) {
            return Ok(None);
        }
        let location = response.headers().get("location").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let origin = self.base_url.origin();
        let rest = if location.starts_with('/') && !location.starts_with("//") {
            Some(location)
        } else {
            location.strip_prefix(origin).filter(|rest| rest.starts_with('/'))
        };
        match rest {
            // Other redirects would turn the call into one without a body.
            Some(path) if matches!(status, 307 | 308) => Ok(Some(format!("{origin}{path}"))),
            _ => {
                let host = location.split(['?', '#']).next().unwrap_or_default();
                Err(SendError::Refused(format!(
                    "the server answered with the status {status}, a redirect to `{host}`, which is not followed; give the address with --base-url"
                )))
            }
        }
    }

    fn read(response: http::Response<Body>, on_bytes: &dyn Fn(usize)) -> Result<Response, SendError> {
        let (parts, body) = response.into_parts();
        let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers: Headers = parts.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
        let mut reader = body.into_reader();
        let mut bytes = Vec::new();
        let mut buffer = [0; 16 * 1024];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(Response { status: parts.status.as_u16(), headers, body: bytes }),
                Ok(count) => bytes.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == IoErrorKind::Interrupted => {}
                Err(error) => return Err(read_error(&error, bytes.len())),
            }
            on_bytes(bytes.len());
            if bytes.len() > MAX_RESPONSE_BYTES {
                return Err(SendError::Refused(format!(
                    "the response of the model exceeds the limit of {MAX_RESPONSE_BYTES} bytes"
                )));
            }
        }
    }

    fn send_error(&self, error: &ureq::Error) -> SendError {
        let origin = self.base_url.origin();
        match error {
            ureq::Error::Timeout(timeout) => match timeout {
                Timeout::Connect | Timeout::Resolve => SendError::NotSent(format!("no connection to {origin} in time")),
                _ => SendError::Timeout(format!("{origin} did not answer in time")),
            },
            ureq::Error::HostNotFound => SendError::NotSent(format!("the host of {origin} is not known")),
            ureq::Error::ConnectionFailed => SendError::NotSent(format!("no connection to {origin}")),
            ureq::Error::Io(error) if error.kind() == IoErrorKind::TimedOut => {
                SendError::Timeout(format!("{origin} did not answer in time"))
            }
            ureq::Error::Io(error) if is_before_connection(error.kind()) => {
                SendError::NotSent(format!("no connection to {origin}: {error}"))
            }
            ureq::Error::Io(error) => SendError::Cut(format!("the connection to {origin} broke off: {error}")),
            ureq::Error::Protocol(error) => SendError::Cut(format!("{origin} did not answer in HTTP: {error}")),
            error => SendError::Refused(format!("the call to {origin} failed: {error}")),
        }
    }
}

/// Whether an error occurs before anything is sent.
fn is_before_connection(kind: IoErrorKind) -> bool {
    matches!(
        kind,
        IoErrorKind::ConnectionRefused
            | IoErrorKind::HostUnreachable
            | IoErrorKind::NetworkUnreachable
            | IoErrorKind::NetworkDown
            | IoErrorKind::AddrNotAvailable
            | IoErrorKind::NotFound
    )
}

fn read_error(error: &std::io::Error, received: usize) -> SendError {
    let is_timeout = match error.get_ref().and_then(|inner| inner.downcast_ref::<ureq::Error>()) {
        Some(ureq::Error::Timeout(_)) => true,
        _ => error.kind() == IoErrorKind::TimedOut,
    };
    if is_timeout {
        SendError::Timeout(format!("the response stopped after {received} bytes"))
    } else {
        SendError::Cut(format!("the response broke off after {received} bytes: {error}"))
    }
}

impl Endpoint for HttpEndpoint {
    fn send(&self, call: &Call<'_>) -> Result<Response, SendError> {
        let mut url = format!("{}{}", self.base_url.as_str(), call.path);
        for _ in 0..=MAX_REDIRECTS {
            let response = self.post(&url, call).map_err(|error| self.send_error(&error))?;
            match self.redirect(&response)? {
                Some(target) => url = target,
                None => return Self::read(response, call.on_bytes),
            }
        }
        Err(SendError::Refused(format!("{} redirects more than {MAX_REDIRECTS} times", self.base_url.origin())))
    }

    fn get(&self, path: &str, timeout: Duration) -> Result<Response, SendError> {
        let mut request = self.agent.get(format!("{}{path}", self.base_url.origin()));
        for (name, value) in self.headers() {
            request = request.header(name, value);
        }
        let request = request.config().timeout_global(Some(timeout)).build();
        let response = request.call().map_err(|error| self.send_error(&error))?;
        Self::read(response, &|_| ())
    }
}
