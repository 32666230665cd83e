//! Arguments of `goalspec audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use goalspec::syntax::Severity;

/// Audit reward functions on recordings of their game
///
/// Runs every reward function over all recordings, which must be of one world. Reports terms that never contribute, comparisons that are
/// never true, with their nearest values, disagreements between reward and score, and rewards for idling. Each finding includes its
/// evidence.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec audit reward.py random.jsonl.gz scripted.jsonl.gz    findings, the most severe first
  goalspec audit --format json reward.py recordings/            findings and all statistics as JSON
  goalspec audit -o audit.html reward.py recordings/            an HTML page with charts
  goalspec audit --deny-findings warning reward.py recordings/  exit with 1 on warnings and errors")]
pub(crate) struct AuditArgs {
    /// Reward functions, recordings, worlds, folders, patterns
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// World of the reward functions: a name, such as atari/pong, or a world file [default: the imported one, or that of the recordings]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Accept traces that name another world
    #[arg(long)]
    pub(crate) any_world: bool,
    /// The true score per frame, not a running total: the name of a reward in recordings of screens, or of a stored function without
    /// parameters in other traces [default: the score of the game, if recorded]
    #[arg(long, value_name = "NAME")]
    pub(crate) score_column: Option<String>,
    /// Audit damaged recordings up to the damage
    #[arg(long)]
    pub(crate) partial: bool,
    /// Output format [default: by the extension of --output, otherwise `text`]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<AuditFormat>,
    /// Output file [default: the standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Exit with 1 if there are findings of this severity or a higher one
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) deny_findings: Option<Level>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditFormat {
    /// Text
    Text,
    /// JSON
    Json,
    /// An HTML page with charts
    Html,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Information
    Note,
    /// A probable mistake
    Warning,
    /// A certain mistake
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
