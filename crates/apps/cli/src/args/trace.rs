//! Arguments of `goalspec trace`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::{TraceRecordArgs, Verdicts};

/// Look at traces, cut and convert them
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    pub(crate) command: TraceCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// Say what traces contain
    #[command(after_help = "\
Examples:
  goalspec trace info play.json.gz
  goalspec trace info traces/ --format json")]
    Info(TraceInfoArgs),
    /// Write a trace in another format, told by the ending: .jsonl, .jsonl.gz, .jsonl.zst (.parquet with that feature)
    #[command(after_help = "\
Examples:
  goalspec trace convert play.json.gz play.jsonl
  goalspec trace convert play.json -o play.jsonl.zst --partial")]
    Convert(TraceConvertArgs),
    /// Say where two recordings of resource graph games differ: in how they begin, and in the first turn
    #[command(after_help = "\
Examples:
  goalspec trace diff turns.jsonl other.jsonl")]
    Diff(TraceDiffArgs),
    /// Record what an Atari game shows: from its RAM, or from a game that is played live
    ///
    /// RAM is a frame per line: 256 hexadecimal digits, behind `reset` or behind the number of an action and the points that it
    /// brought, if these are known.
    #[command(after_help = "\
Examples:
  goalspec trace record --game pong frames.hex -o pong.jsonl.gz
  goalspec trace record --game pong --raw ram.bin         128 bytes per frame
  goalspec trace record --env ALE/Pong-v5 --policy random --steps 1000 --seed 1 -o pong.jsonl.zst
                                                          with a Python that has gymnasium and ale-py")]
    Record(TraceRecordArgs),
    /// Print the first states as goalspec's JSON Lines
    #[command(after_help = "\
Examples:
  goalspec trace head play.json.gz
  goalspec trace head -n 100 play.json.gz > beginning.jsonl")]
    Head(TraceHeadArgs),
}

#[derive(Debug, Args)]
pub(crate) struct WorldArg {
    /// The world: a name, a world file, or a program that brings its world, such as a planning problem [default: the one that fits the trace]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Read damaged traces up to the damage
    #[arg(long)]
    pub(crate) partial: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TraceInfoArgs {
    /// Traces, folders, patterns
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) world: WorldArg,
    /// How it is written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Verdicts,
}

#[derive(Debug, Args)]
pub(crate) struct TraceDiffArgs {
    /// What `goalspec simulate --trace` wrote
    pub(crate) one: PathBuf,
    /// What it wrote another time
    pub(crate) other: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct TraceConvertArgs {
    /// The trace; `-` for the standard input
    pub(crate) input: PathBuf,
    /// The file to write; `-` for JSON Lines on the standard output
    #[arg(required_unless_present = "to")]
    output: Option<PathBuf>,
    /// The same, named as in other commands
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
    /// How many states
    #[arg(long, short, default_value_t = 10, value_name = "N")]
    pub(crate) number: u64,
    #[command(flatten)]
    pub(crate) world: WorldArg,
}
