//! Options of all commands that call a language model.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use goalspec::llm::budget::Caps;
use goalspec::llm::profile::Format;
use goalspec::llm::{ClientOptions, Mode, Sampling};
use goalspec::words::constraint::ConstraintMode;

/// Use of recorded replies and of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum LlmMode {
    /// Read recorded replies, call for the others, and record them
    #[default]
    Live,
    /// Call for every reply, and record it
    Record,
    /// Read recorded replies only; no network
    Replay,
    /// No replies; no network
    Off,
}

/// Wire format of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WireFormat {
    /// Chat completions, as of OpenAI
    Chat,
    /// Legacy completions, which continue a text
    Completions,
    /// Messages, as of Anthropic
    Messages,
}

/// The language model, and what its calls may cost
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Language model")]
pub(crate) struct ModelArgs {
    /// Model: its name at the server, fake:NAME for a stand-in without network, or scripted:FILE for prepared replies
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Address of the server [default: that of the profile]
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Server profile: openai, anthropic, llama-cpp, vllm, ollama, generic, or a TOML file [default: by the host, or by asking the server]
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// Wire format [default: the first that the profile has]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) wire_format: Option<WireFormat>,
    /// Use of recorded replies and of the network
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) llm: LlmMode,
    /// Folder of recorded replies and of the ledger of all calls [default: .goalspec/llm for servers, none for stand-ins]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cache: Option<PathBuf>,
    /// Name of the run in the ledger: caps count all calls of a run, also those of earlier starts [default: the command]
    #[arg(long, value_name = "NAME")]
    pub(crate) run: Option<String>,
    /// Temperature
    #[arg(long, value_name = "NUMBER")]
    pub(crate) temperature: Option<f64>,
    /// Maximum number of tokens of a reply [default: that of the command]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_output_tokens: Option<u32>,
    /// Seed of the model, of stand-ins, and of the waits between retries
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,
    /// Cap on calls, retries included; `none` lifts it [default: 2000 for servers]
    #[arg(long, value_name = "CALLS", value_parser = count)]
    pub(crate) max_calls: Option<u64>,
    /// Cap on tokens of prompts and replies; `none` lifts it [default: 3000000 for servers]
    #[arg(long, value_name = "TOKENS", value_parser = count)]
    pub(crate) max_tokens_total: Option<u64>,
    /// Cap on the cost, in the currency of the price file
    #[arg(long, value_name = "COST", value_parser = positive, requires = "prices")]
    pub(crate) max_cost: Option<f64>,
    /// Price file: lines `model, input, cached input, output`, prices per million tokens
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,
    /// Cap on the time of this start, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub(crate) max_time: Option<f64>,
    /// Calls at a time [default: 4, and 1 for a server on this machine]
    #[arg(long, value_name = "CALLS", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: Option<u16>,
    /// Calls in any minute; headers of the server lower it
    #[arg(long, value_name = "CALLS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) requests_per_minute: Option<u64>,
    /// Tokens in any minute; headers of the server lower it
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tokens_per_minute: Option<u64>,
    /// Variable of the environment with the key [default: that of the profile, for its own address only]
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) key_env: Option<String>,
    /// Send the key even without encryption to another machine
    #[arg(long)]
    pub(crate) insecure: bool,
    /// Print the first prompts, an estimate and an upper bound of the cost, and send nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Parses a cap on a count; `none` is the largest number.
fn count(text: &str) -> Result<u64, String> {
    if text == "none" {
        return Ok(u64::MAX);
    }
    text.replace('_', "").parse().map_err(|_| "expected a whole number, or `none`".to_owned())
}

/// Parses a positive number.
fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a positive number".to_owned())
}

impl ModelArgs {
    /// Returns the options of the client for a run of a command, without an observer.
    pub(crate) fn client_options(&self, command: &str) -> ClientOptions {
        ClientOptions {
            model: self.model.clone(),
            base_url: self.base_url.clone(),
            profile: self.profile.clone(),
            format: self.wire_format.map(|format| match format {
                WireFormat::Chat => Format::Chat,
                WireFormat::Completions => Format::Completions,
                WireFormat::Messages => Format::Messages,
            }),
            mode: match self.llm {
                _ if self.dry_run => Mode::Plan,
                LlmMode::Live => Mode::Live,
                LlmMode::Record => Mode::Record,
                LlmMode::Replay => Mode::Replay,
                LlmMode::Off => Mode::Off,
            },
            cache: self.cache.clone(),
            run: self.run.clone().unwrap_or_else(|| command.to_owned()),
            sampling: Sampling { temperature: self.temperature, seed: self.seed, ..Sampling::default() },
            max_output_tokens: self.max_output_tokens,
            caps: Caps {
                calls: self.max_calls,
                tokens: self.max_tokens_total,
                cost: self.max_cost,
                time: self.max_time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            },
            prices: self.prices.clone(),
            concurrency: self.concurrency.map(usize::from),
            requests_per_minute: self.requests_per_minute,
            tokens_per_minute: self.tokens_per_minute,
            key_env: self.key_env.clone(),
            insecure: self.insecure,
            ..ClientOptions::default()
        }
    }
}

/// The notation in which replies are constrained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConstrainArg {
    /// A grammar, for servers that take GBNF or Lark
    Grammar,
    /// A JSON schema
    Schema,
}

impl From<ConstrainArg> for ConstraintMode {
    fn from(mode: ConstrainArg) -> Self {
        match mode {
            ConstrainArg::Grammar => Self::Grammar,
            ConstrainArg::Schema => Self::Schema,
        }
    }
}
