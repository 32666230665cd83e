//! Arguments of `goalspec audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use goalspec::syntax::Severity;

/// Say whether reward functions ask for what their game asks for
///
/// Every reward function is run over all recordings, which are of one world: which terms ever come up, which comparisons never hold and how
/// near they come, whether the reward orders recordings as the score does, what standing still earns. Findings come with their evidence.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec audit reward.py random.jsonl.gz scripted.jsonl.gz    what is wrong, the worst first
  goalspec audit --format json reward.py recordings/            the same, and every number, as JSON
  goalspec audit -o audit.html reward.py recordings/            a page with charts
  goalspec audit --deny-findings warning reward.py recordings/  exit with 1 if there is a warning")]
pub(crate) struct AuditArgs {
    /// Reward functions, recordings, worlds, folders, patterns
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The world of reward functions: a name, such as atari/pong, or a world file [default: the one that they import, or the recordings']
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Take traces that name another world than the one they are read with, where that takes no others
    #[arg(long)]
    pub(crate) any_world: bool,
    /// The true score: a reward that recordings of screens have under this name, or in other traces the stored function without parameters
    /// that says it; either way what each frame earned, and no running total [default: what the game gave, if there is one]
    #[arg(long, value_name = "NAME")]
    pub(crate) score_column: Option<String>,
    /// Look at damaged recordings up to the damage
    #[arg(long)]
    pub(crate) partial: bool,
    /// How audits are written [default: html if the output ends in .html, json if in .json, else text]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<AuditFormat>,
    /// Write to a file instead of the standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Exit with 1 if something at least as bad is found
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) deny_findings: Option<Level>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditFormat {
    /// For people
    Text,
    /// A JSON document
    Json,
    /// A page with charts
    Html,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Worth knowing
    Note,
    /// Probably not meant
    Warning,
    /// Certainly wrong
    Error,
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Note => Self::Note,
            Level::Warning => Self::Warning,
            Level::Error => Self::Error,
        }
    }
}
