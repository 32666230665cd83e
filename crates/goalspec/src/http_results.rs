//! Custom results computed by an HTTP service: a consequence sends the resources of a node to a URL and writes the response to
//! another node.
//!
//! The game names the nodes, `CheckCombination: {input: lock, output: door}`, and the user names the service:
//!
//! ```
//! use goalspec::resource::custom::ResultRegistry;
//! use goalspec::http_results::HttpResult;
//!
//! let service = HttpResult::new("http://localhost:8081/combination/1/check")?;
//! let registry = ResultRegistry::default().with("CheckCombination", service);
//! # assert_eq!(registry.names().len(), 1);
//! # Ok::<(), Box<goalspec::syntax::Diagnostic>>(())
//! ```
//!
//! The request is a `POST` of the input node's resources as a JSON object; the visibility of the node is not sent. The response
//! is a JSON object: each value is written to the output node's resource of the same name, and `null` removes that resource.
//! Replaying a game requires that the service give equal responses to equal requests.

use std::sync::Arc;
use std::time::Duration;

use goalspec_resource::custom::{CustomCall, CustomResult, CustomResultError};
use goalspec_resource::value::{MapEntries, Value};
use goalspec_syntax::Diagnostic;
use serde_json::{Map, Number, Value as Json};
use ureq::Agent;
use ureq::http::Uri;

/// The default timeout of a call.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(2);

/// The maximum size of a response in bytes.
pub const MAX_RESPONSE_BYTES: u64 = 1 << 20;

/// A custom result computed by an HTTP service.
#[derive(Debug, Clone)]
pub struct HttpResult {
    url: String,
    agent: Agent,
}

impl HttpResult {
    /// Creates a result for the service at a URL, with the timeout [`DEFAULT_TIMEOUT`].
    ///
    /// # Errors
    /// If the text is not a URL that begins with `http://`. Encrypted connections are not supported.
    pub fn new(url: &str) -> Result<Self, Box<Diagnostic>> {
        let uri: Uri =
            url.parse().map_err(|error| Diagnostic::invalid_argument(format!("invalid URL `{url}`: {error}")))?;
        if uri.scheme_str() != Some("http") || uri.host().is_none_or(str::is_empty) {
            return Err(Diagnostic::invalid_argument(format!(
                "invalid URL of a service `{url}`: expected `http://` followed by a host"
            )));
        }
        Ok(Self { url: url.to_owned(), agent: agent(DEFAULT_TIMEOUT) })
    }

    /// Returns the same service with another timeout.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { agent: agent(timeout), ..self }
    }

    /// Sends an object and returns the object in the response.
    fn exchange(&self, body: &Json) -> Result<Map<String, Json>, String> {
        let failed = |error: ureq::Error| match error {
            ureq::Error::BodyExceedsLimit(_) => format!("the response exceeds the limit of {MAX_RESPONSE_BYTES} bytes"),
            error => error.to_string(),
        };
        let request = self.agent.post(&self.url).header("content-type", "application/json");
        let mut response = request.send(body.to_string()).map_err(failed)?;
        if !response.status().is_success() {
            return Err(format!("the response has the status {}", response.status()));
        }
        let text = response.body_mut().with_config().limit(MAX_RESPONSE_BYTES).read_to_vec().map_err(failed)?;
        match serde_json::from_slice(&text) {
            Ok(Json::Object(response)) => Ok(response),
            Ok(_) => Err("the response is not a JSON object".to_owned()),
            Err(error) => Err(format!("the response is not valid JSON: {error}")),
        }
    }
}

/// Creates an HTTP client that uses no proxy and follows no redirects.
fn agent(timeout: Duration) -> Agent {
    let config = Agent::config_builder().timeout_global(Some(timeout)).proxy(None).max_redirects(0);
    config.http_status_as_error(false).build().into()
}

impl CustomResult for HttpResult {
    fn apply(&self, call: &mut CustomCall<'_>) -> Result<(), CustomResultError> {
        let (input, output) = (call.text_argument("input")?, call.text_argument("output")?);
        let resources = call.state.values(&input);
        if resources.is_empty() {
            return Err(format!("unknown node `{input}`, or a node without resources").into());
        }
        let entry = |(name, value): &(Arc<str>, Value)| {
            let json = to_json(value).map_err(|error| format!("{input}.{name}: {error}"))?;
            Ok((name.to_string(), json))
        };
        let body = resources.iter().map(entry).collect::<Result<Map<_, _>, String>>()?;
        let response = self.exchange(&Json::Object(body)).map_err(|error| format!("{}: {error}", self.url))?;
        for (name, value) in response {
            call.state.put(&output, &name, from_json(&value))?;
        }
        Ok(())
    }
}

/// Converts a value to JSON; a set becomes an array. Values nest no deeper than the texts from which they were read.
fn to_json(value: &Value) -> Result<Json, String> {
    let optional = |value: &Option<Value>| value.as_ref().map_or(Ok(Json::Null), to_json);
    Ok(match value {
        Value::Int(number) => Json::from(*number),
        Value::Real(number) => {
            let finite = Number::from_f64(*number).ok_or_else(|| format!("JSON cannot represent the number {value}"));
            Json::Number(finite?)
        }
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Text(text) => Json::String(text.to_string()),
        Value::Set(labels) => labels.iter().map(|label| Json::String(label.to_string())).collect(),
        Value::List(members) => Json::Array(members.iter().map(optional).collect::<Result<_, _>>()?),
        Value::Map(entries) => {
            let entries = entries.iter().map(|(name, value)| Ok((name.to_string(), optional(value)?)));
            Json::Object(entries.collect::<Result<_, String>>()?)
        }
    })
}

/// Converts a value from JSON; `None` for `null`. An integer outside the range of 32 bits becomes a real number. The JSON parser
/// limits the nesting.
fn from_json(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => return None,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => {
            let whole = number.as_i64().and_then(|whole| i32::try_from(whole).ok());
            whole.map_or_else(|| number.as_f64().map(Value::Real), |whole| Some(Value::Int(whole)))?
        }
        Json::String(text) => Value::text(text),
        Json::Array(members) => Value::List(members.iter().map(from_json).collect()),
        Json::Object(entries) => {
            let entries: MapEntries =
                entries.iter().map(|(name, value)| (name.as_str().into(), from_json(value))).collect();
            Value::Map(Arc::new(entries))
        }
    })
}
