//! Server profiles: which parameters a server knows, as data.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::{ErrorKind, ModelError};
use crate::request::ConstraintKind;

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// OpenAI-compatible chat completions.
    Chat,
    /// Legacy completions of OpenAI, which continue a text.
    Completions,
    /// Anthropic messages.
    Messages,
}

impl Format {
    /// All formats, in the order in which a profile's default is chosen.
    pub const ALL: [Self; 3] = [Self::Chat, Self::Messages, Self::Completions];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Completions => "completions",
            Self::Messages => "messages",
        }
    }

    /// Returns the path of the calls, relative to the base URL.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Chat => "/chat/completions",
            Self::Completions => "/completions",
            Self::Messages => "/messages",
        }
    }
}

/// The placement of the system prompt in the body of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SystemPromptPlacement {
    /// A first message with the role `system`.
    #[default]
    Role,
    /// The field `system` beside the messages.
    Field,
    /// The beginning of the first turn of the user.
    User,
}

/// The mechanism by which a server continues a given beginning of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prefill {
    /// A last turn of the assistant is continued.
    LastTurn,
    /// As [`LastTurn`](Self::LastTurn), with the options of vLLM that ask for it.
    ContinueFinalMessage,
    /// The end of the prompt, in the format that continues a text.
    Prompt,
}

/// The parameters that a server knows in one wire format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FormatProfile {
    /// The field of the maximum number of output tokens.
    pub max_tokens: String,
    /// The optional parameters that are sent if they are set.
    #[serde(default)]
    pub parameters: Vec<String>,
    /// The number of stop texts that the server takes.
    #[serde(default)]
    pub max_stops: usize,
    /// The placement of the system prompt.
    #[serde(default)]
    pub system: SystemPromptPlacement,
    /// The mechanism by which the server continues a given beginning of a reply; `None` if it has none.
    #[serde(default)]
    pub prefill: Option<Prefill>,
    /// Values of parameters that are not set.
    #[serde(default)]
    pub always: Map<String, Value>,
    /// Members of the body per notation of a constraint, as JSON with the placeholders `$TEXT`, `$NAME` and `$SCHEMA`.
    #[serde(default)]
    pub constraints: BTreeMap<ConstraintKind, String>,
    /// Whether `stream_options` asks for the usage of a stream.
    #[serde(default)]
    pub stream_usage: bool,
}

/// A server profile.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Profile {
    /// The name.
    #[serde(default)]
    pub name: String,
    /// The address of the server, if it has a usual one.
    #[serde(default)]
    pub base_url: Option<String>,
    /// The variable of the environment with the key for that address.
    #[serde(default)]
    pub key_env: Option<String>,
    /// Values of `owned_by` in the list of models that identify the server.
    #[serde(default)]
    pub owned_by: Vec<String>,
    /// OpenAI-compatible chat completions.
    #[serde(default)]
    pub chat: Option<FormatProfile>,
    /// Legacy completions.
    #[serde(default)]
    pub completions: Option<FormatProfile>,
    /// Anthropic messages.
    #[serde(default)]
    pub messages: Option<FormatProfile>,
}

/// The built-in profiles.
const BUILT_IN: &str = include_str!("profiles.toml");

/// The names of the built-in profiles.
pub const NAMES: [&str; 6] = ["openai", "anthropic", "llama-cpp", "vllm", "ollama", "generic"];

impl Profile {
    /// Returns all built-in profiles in the order of their names in [`NAMES`].
    ///
    /// # Panics
    /// Never: the built-in table is read by a test.
    pub fn built_in() -> Vec<Self> {
        let mut table: BTreeMap<String, Self> =
            toml::from_str(BUILT_IN).expect("the built-in profiles are well formed");
        let mut profile = |name: &str| table.remove(name).map(|profile| Self { name: name.to_owned(), ..profile });
        NAMES.iter().filter_map(|name| profile(name)).collect()
    }

    /// Returns a built-in profile by its name, or reads a profile from a TOML file if the name ends in `.toml`.
    ///
    /// # Errors
    /// If there is no such profile, or the file cannot be read.
    pub fn find(name: &str) -> Result<Self, ModelError> {
        let invalid = |message| ModelError::new(ErrorKind::InvalidRequest, message);
        if Path::new(name).extension().is_some_and(|extension| extension == "toml") {
            let text =
                std::fs::read_to_string(name).map_err(|error| invalid(format!("cannot read `{name}`: {error}")))?;
            let profile: Self =
                toml::from_str(&text).map_err(|error| invalid(format!("invalid profile `{name}`: {error}")))?;
            let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            return Ok(Self { name: stem.unwrap_or_default(), ..profile });
        }
        Self::built_in().into_iter().find(|profile| profile.name == name).ok_or_else(|| {
            let names = NAMES.join(", ");
            invalid(format!("unknown server profile `{name}`; expected one of {names}, or a TOML file"))
        })
    }

    /// Returns the parameters of a wire format; `None` if the server does not speak it.
    pub const fn format(&self, format: Format) -> Option<&FormatProfile> {
        match format {
            Format::Chat => self.chat.as_ref(),
            Format::Completions => self.completions.as_ref(),
            Format::Messages => self.messages.as_ref(),
        }
    }

    /// Returns the first wire format that the server speaks.
    pub fn default_format(&self) -> Format {
        Format::ALL.into_iter().find(|format| self.format(*format).is_some()).unwrap_or(Format::Chat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_profile_speaks_a_format_and_asks_in_json() {
        let profiles = Profile::built_in();
        assert_eq!(profiles.iter().map(|profile| profile.name.as_str()).collect::<Vec<_>>(), NAMES);
        for profile in profiles {
            assert!(profile.format(profile.default_format()).is_some(), "{}", profile.name);
            for format in Format::ALL.iter().filter_map(|format| profile.format(*format)) {
                for text in format.constraints.values() {
                    assert!(serde_json::from_str::<Map<String, Value>>(text).is_ok(), "{text}");
                }
            }
        }
    }

    #[test]
    fn an_unknown_profile_names_the_known_ones() {
        let error = Profile::find("lama-cpp").unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidRequest);
        assert!(error.message.contains("llama-cpp, vllm"), "{error}");
    }
}
