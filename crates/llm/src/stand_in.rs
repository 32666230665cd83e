//! Stand-ins: models without a network, which answer through the same client as servers.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::endpoint::{Call, Endpoint, Headers, Response, SendError};
use crate::error::{ErrorKind, ModelError};
use crate::model::Model;
use crate::noisy::{self, NoiseRates, NoisyModel};
use crate::profile::{Format, FormatProfile, Profile, SystemPromptPlacement};
use crate::reply::{Outcome, Reply};
use crate::request::ConstraintKind;

/// The seed and the settings of a model without a network.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StandInOptions {
    /// The seed of its draws.
    pub seed: u64,
    /// The settings after its name, `NAME=VALUE` separated by commas.
    pub settings: BTreeMap<String, String>,
}

/// An invalid setting of a stand-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingError {
    /// The stand-in has no settings.
    NoSettings {
        /// The name of the given setting.
        name: String,
    },
    /// There is no rate of this name.
    UnknownRate(String),
    /// The value of a rate is not a number from 0 to 1.
    InvalidRate {
        /// The name of the rate.
        name: String,
        /// The value.
        text: String,
    },
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSettings { name } => write!(f, "unknown setting `{name}`; this stand-in has none"),
            Self::UnknownRate(name) => {
                write!(f, "unknown rate `{name}`; expected one of {}", noisy::NAMES.join(", "))
            }
            Self::InvalidRate { name, text } => write!(f, "the rate `{name}={text}` is not a number from 0 to 1"),
        }
    }
}

impl std::error::Error for SettingError {}

/// A constructor of a stand-in.
pub type StandInBuilder = Arc<dyn Fn(&StandInOptions) -> Result<Arc<dyn Model>, SettingError> + Send + Sync>;

/// The stand-ins that `--model fake:NAME` selects. Crates that know a language register theirs.
#[derive(Clone, Default)]
pub struct StandIns {
    builders: BTreeMap<&'static str, StandInBuilder>,
}

impl StandIns {
    /// Registers a stand-in.
    #[must_use]
    pub fn with(mut self, name: &'static str, builder: StandInBuilder) -> Self {
        self.builders.insert(name, builder);
        self
    }

    /// Registers a stand-in whose answers are correct as `NAME`, and as `noisy` the same stand-in with seeded errors of the kinds and rates
    /// of [`NoiseRates`], which settings replace.
    #[must_use]
    pub fn with_translator(self, name: &'static str, builder: StandInBuilder) -> Self {
        let inner = builder.clone();
        let noisy: StandInBuilder = Arc::new(move |options| {
            let rates = NoiseRates::from_settings(&options.settings)?;
            let inner = inner(&StandInOptions { seed: options.seed, settings: BTreeMap::new() })?;
            Ok(Arc::new(NoisyModel::new(inner, rates, options.seed)))
        });
        self.with(name, builder).with("noisy", noisy)
    }

    /// Returns the names.
    pub fn names(&self) -> Vec<&'static str> {
        self.builders.keys().copied().collect()
    }

    /// Builds the stand-in for the part of a model name after `fake:`, `NAME` or `NAME:SETTING=VALUE,..`.
    ///
    /// # Errors
    /// If there is no such stand-in, or a setting is invalid.
    pub fn build(&self, text: &str, seed: u64) -> Result<Arc<dyn Model>, ModelError> {
        let invalid = |message: String| ModelError::new(ErrorKind::InvalidRequest, message);
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let builder = self.builders.get(name).ok_or_else(|| {
            let names: Vec<String> = self.names().iter().map(|name| format!("fake:{name}")).collect();
            invalid(format!("unknown stand-in `fake:{name}`; expected one of {}", names.join(", ")))
        })?;
        let mut options = StandInOptions { seed, settings: BTreeMap::new() };
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let (key, value) = setting
                .split_once('=')
                .ok_or_else(|| invalid(format!("invalid setting `{setting}` of `fake:{name}`: expected NAME=VALUE")))?;
            options.settings.insert(key.trim().to_owned(), value.trim().to_owned());
        }
        builder(&options).map_err(|reason| invalid(format!("invalid model `fake:{text}`: {reason}")))
    }
}

impl fmt::Debug for StandIns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StandIns").field(&self.names()).finish()
    }
}

/// A model as an endpoint that answers in OpenAI's chat format.
pub struct StandInEndpoint(pub Arc<dyn Model>);

/// Returns the profile of stand-ins: they know every parameter, and receive the request as it is.
pub(crate) fn profile() -> Profile {
    let parameters = ["temperature", "top_p", "seed", "frequency_penalty", "presence_penalty"];
    let table = FormatProfile {
        max_tokens: "max_tokens".to_owned(),
        parameters: parameters.map(str::to_owned).to_vec(),
        max_stops: usize::MAX,
        system: SystemPromptPlacement::Role,
        prefill: Some(crate::profile::Prefill::LastTurn),
        always: serde_json::Map::new(),
        constraints: [
            (ConstraintKind::Gbnf, r#"{"grammar": "$TEXT"}"#.to_owned()),
            (ConstraintKind::Lark, r#"{"lark": "$TEXT"}"#.to_owned()),
            (ConstraintKind::JsonSchema, r#"{"json_schema": "$SCHEMA"}"#.to_owned()),
        ]
        .into(),
        stream_usage: false,
    };
    Profile { name: "stand-in".to_owned(), chat: Some(table), ..Profile::default() }
}

/// The wire format of stand-ins.
pub(crate) const FORMAT: Format = Format::Chat;

impl Endpoint for StandInEndpoint {
    fn send(&self, call: &Call<'_>) -> Result<Response, SendError> {
        match self.0.complete(call.request) {
            Ok(reply) if reply.duration > call.timeout => {
                call.clock.sleep(call.timeout);
                Err(SendError::Timeout("the stand-in did not answer in time".to_owned()))
            }
            Ok(reply) => {
                if !reply.duration.is_zero() {
                    call.clock.sleep(reply.duration);
                }
                Ok(response_of(&reply, call))
            }
            Err(error) => match error.kind {
                ErrorKind::Connection => Err(SendError::NotSent(error.message)),
                ErrorKind::Timeout if error.status.is_none() => Err(SendError::Timeout(error.message)),
                ErrorKind::CutResponse => Err(SendError::Cut(error.message)),
                _ if error.status.is_none() => Err(SendError::Refused(error.message)),
                _ => Ok(error_response(&error)),
            },
        }
    }

    fn get(&self, _path: &str, _timeout: Duration) -> Result<Response, SendError> {
        Err(SendError::Refused("a stand-in has no server".to_owned()))
    }
}

/// Renders a reply as a response. Stand-ins give the whole reply with the prefill; the response continues it, as that of a server does.
fn response_of(reply: &Reply, call: &Call<'_>) -> Response {
    let prefill = call.request.prefill.as_deref().unwrap_or_default();
    let text = reply.text.strip_prefix(prefill).unwrap_or(&reply.text);
    let (finish, refusal) = match &reply.outcome {
        Outcome::Complete => ("stop", None),
        Outcome::Cut => ("length", None),
        Outcome::Refused(reason) => ("stop", Some(reason.as_deref().unwrap_or("refused"))),
        Outcome::Filtered => ("content_filter", None),
        Outcome::Other(reason) => (reason.as_str(), None),
    };
    let message =
        json!({"role": "assistant", "content": text, "refusal": refusal, "reasoning_content": reply.reasoning});
    let choice = json!({"index": 0, "message": message, "finish_reason": finish});
    let mut body = json!({"object": "chat.completion", "model": reply.model, "choices": [choice]});
    if reply.usage.total() > 0 {
        body["usage"] = json!({
            "prompt_tokens": reply.usage.input_tokens,
            "completion_tokens": reply.usage.output_tokens,
            "prompt_tokens_details": {"cached_tokens": reply.usage.cached_input_tokens},
        });
    }
    Response { status: 200, headers: Headers::default(), body: body.to_string().into_bytes() }
}

/// Renders an error with a status as a response.
fn error_response(error: &ModelError) -> Response {
    let code = if error.kind == ErrorKind::Quota { "insufficient_quota" } else { "stand_in" };
    let body = json!({"error": {"message": error.message, "code": code}});
    Response { status: error.status.unwrap_or(500), headers: Headers::default(), body: body.to_string().into_bytes() }
}
