//! Arguments of `goalspec trace`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::{TraceRecordArgs, VerdictFormat};

/// Inspect, convert, compare and record traces
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    pub(crate) command: TraceCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// Summarize traces
    #[command(after_help = "\
Examples:
  goalspec trace info play.json.gz
  goalspec trace info traces/ --format json")]
    Info(TraceInfoArgs),
    /// Convert a trace to the format of the output file: .jsonl, .jsonl.gz, .jsonl.zst (.parquet with that feature)
    #[command(after_help = "\
Examples:
  goalspec trace convert play.json.gz play.jsonl
  goalspec trace convert play.json -o play.jsonl.zst --partial")]
    Convert(TraceConvertArgs),
    /// Compare two recordings of resource graph games: their initial states, and the first turn that differs
    #[command(after_help = "\
Examples:
  goalspec trace diff turns.jsonl other.jsonl")]
    Diff(TraceDiffArgs),
    /// Record the screens of an Atari game, from RAM or from a live game
    ///
    /// RAM has one frame per line: 256 hexadecimal digits, optionally preceded by `reset` or by the number of an action and its score
    /// change.
    #[command(after_help = "\
Examples:
  goalspec trace record --game pong frames.hex -o pong.jsonl.gz
  goalspec trace record --game pong --raw ram.bin         128 bytes per frame
  goalspec trace record --env ALE/Pong-v5 --policy random --steps 1000 --seed 1 -o pong.jsonl.zst
                                                          play live; requires the Python packages gymnasium and ale-py")]
    Record(TraceRecordArgs),
    /// Print the first states of a trace as JSON Lines
    #[command(after_help = "\
Examples:
  goalspec trace head play.json.gz
  goalspec trace head -n 100 play.json.gz > beginning.jsonl")]
    Head(TraceHeadArgs),
}

#[derive(Debug, Args)]
pub(crate) struct WorldArg {
    /// The world: a name, a world file, or a program that defines its world, such as a planning problem [default: the world that matches
    /// the trace]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Read damaged traces up to the damage
    #[arg(long)]
    pub(crate) partial: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TraceInfoArgs {
    /// Traces, folders or patterns
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) world: WorldArg,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: VerdictFormat,
}

#[derive(Debug, Args)]
pub(crate) struct TraceDiffArgs {
    /// A recording of `goalspec simulate --trace`
    pub(crate) one: PathBuf,
    /// The recording to compare it with
    pub(crate) other: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct TraceConvertArgs {
    /// The trace; `-` for the standard input
    pub(crate) input: PathBuf,
    /// Output file; `-` for JSON Lines on the standard output
    #[arg(required_unless_present = "to")]
    output: Option<PathBuf>,
    /// Output file, as an option
    #[arg(long = "output", short = 'o', value_name = "FILE", conflicts_with = "output")]
    to: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) world: WorldArg,
}

impl TraceConvertArgs {
    /// Returns the output file, given as an argument or as an option; clap requires exactly one of the two.
    pub(crate) fn output(&self) -> &Path {
        self.to.as_deref().or(self.output.as_deref()).unwrap_or(Path::new("-"))
    }
}

#[derive(Debug, Args)]
pub(crate) struct TraceHeadArgs {
    /// The trace; `-` for the standard input
    pub(crate) input: PathBuf,
    /// Number of states
    #[arg(long, short, default_value_t = 10, value_name = "N")]
    pub(crate) number: u64,
    #[command(flatten)]
    pub(crate) world: WorldArg,
}
