//! Arguments of `goalspec reward`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use goalspec::words::reward::prompts::Variant;

use super::ModelArgs;

/// Let a language model write reward functions
#[derive(Debug, Args)]
pub(crate) struct RewardArgs {
    #[command(subcommand)]
    pub(crate) command: RewardCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RewardCommand {
    Generate(Box<RewardGenerateArgs>),
}

/// Generate reward functions from the instructions of a game
///
/// A language model receives the instructions and descriptions of the classes of the world, and writes candidates. Each is extracted from the
/// reply, parsed, checked, run over the recordings and audited; the findings go back to the model, up to --repairs times. The next round
/// continues from the best candidate. The best program is the output; the report goes to the standard error, or to --report.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec reward generate --world atari/pong --instructions pong.txt --model scripted:replies.jsonl pong.jsonl
  goalspec reward generate --world atari/freeway --instructions freeway.txt --variant direct --candidates 8 \\
      --model qwen3 --base-url http://127.0.0.1:11434/v1 recordings/
  goalspec reward generate --dry-run ..          the prompts, and what the run could use at most
  goalspec reward generate --record run.jsonl .. a run that can be continued after it was interrupted

Exit codes:
  0  a candidate is accepted, with or without warnings
  1  no candidate is accepted, or an input has errors
  2  the command line is invalid, or the output cannot be written
  3  a cap (--max-..) is reached
  4  the model cannot be reached, or refuses calls
  5  --llm replay or off forbids calls")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct RewardGenerateArgs {
    /// Recordings over which candidates run, folders or patterns
    #[arg(required = true)]
    pub(crate) traces: Vec<PathBuf>,
    /// World: a name, such as atari/freeway, or a world file
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: String,
    /// Instructions of the game, a text file
    #[arg(long, value_name = "FILE")]
    pub(crate) instructions: PathBuf,
    /// Conversation in which a function is written
    #[arg(long, value_enum, default_value_t, value_name = "VARIANT")]
    pub(crate) variant: VariantArg,
    /// Number of candidates of a round
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) candidates: u16,
    /// Number of rounds
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub(crate) rounds: u16,
    /// Maximum number of repairs of a candidate
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=100))]
    pub(crate) repairs: u16,
    /// Ask for the components of the reward as well, whose statistics are part of the feedback
    #[arg(long)]
    pub(crate) components: bool,
    /// Descriptions of the classes, instead of those of the world
    #[arg(long, value_name = "FILE")]
    pub(crate) classes: Option<PathBuf>,
    /// Folder with texts of the prompts: system.txt, relations.txt, reward.txt, rescale.txt, direct.txt
    #[arg(long, value_name = "FOLDER")]
    pub(crate) templates: Option<PathBuf>,
    /// Training curves of candidates: CSV with the columns `candidate`, `step`, `score`, and components
    #[arg(long, value_name = "FILE")]
    pub(crate) training: Option<PathBuf>,
    /// The true score per frame: see `goalspec audit --help`
    #[arg(long, value_name = "NAME")]
    pub(crate) score_column: Option<String>,
    /// Record of all candidates, from which an interrupted run continues
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// File for the best program [default: the standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// File for the report; JSON if its extension is `json`
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Print the report as JSON, which contains all programs, instead of the best program
    #[arg(long)]
    pub(crate) json: bool,
    /// Divide the reward of the best program by the largest absolute reward in the recordings, and print the change
    #[arg(long, conflicts_with = "clamp")]
    pub(crate) rescale: bool,
    /// Cut the reward of the best program at -1 and 1, and print the change
    #[arg(long)]
    pub(crate) clamp: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
}

/// The conversation in which a reward function is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum VariantArg {
    /// Three turns: functions that recognise events, the reward function, its range
    #[default]
    Full,
    /// One turn
    Direct,
}

impl From<VariantArg> for Variant {
    fn from(variant: VariantArg) -> Self {
        match variant {
            VariantArg::Full => Self::Full,
            VariantArg::Direct => Self::Direct,
        }
    }
}
