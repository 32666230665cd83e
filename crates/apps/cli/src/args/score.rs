//! The arguments of `goalspec score` and `goalspec watch`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use goalspec::core::budget::{Budget, ParseBudgetError, units};
use goalspec::core::engine::Engine;
use goalspec::scoring::Semantics;

use super::ProgramArgs;
#[cfg(feature = "parquet")]
use super::shard::ShardArgs;

/// Score programs over traces
///
/// Scores every program over every trace of its world, in one pass per trace.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec score my.game play.jsonl                     one program, one trace
  goalspec score --why my.game play.json.gz             all satisfactions, and why the best attempts failed
  goalspec score games/ traces/ --format csv            all programs of one folder over all traces of another
  goalspec score --semantics reference my.game play.json
                                                        with the semantics of the authors' reward machine
  goalspec score --per-step --format json my.game play.jsonl
                                                        with the reward of every state
  goalspec score --lanes --format json my.game play.jsonl
                                                        with the progress of single bindings in every state
  goalspec score games/ traces/ --format jsonl          each result as soon as it is available
  goalspec score --budget 20G my.game play.jsonl        a program that exceeds the default budget
  goalspec score reward.py pong.jsonl.gz                a reward function over recorded screens
  goalspec score --terms reward.py pong.jsonl.gz        the same, with the contribution of each term
  goalspec score --shard 3/100 -o out/part-{i}.parquet games/ traces/
                                                        the third of 100 parts of a large collection, for job arrays
  zcat play.json.gz | goalspec score my.game -          a trace from the standard input

Exit codes:
  0  all traces were scored; with --shard, the file of the shard is complete
  1  a program, a trace or an outcome has an error; with --shard, a program, or a table of traces that cannot be read
  2  the command line is invalid, or a file cannot be written; with --shard, also if the file of the shard is another one")]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct ScoreArgs {
    /// Programs, traces, worlds, folders or patterns; `-` for a trace on the standard input
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Semantics of the game language
    #[arg(long, value_enum, default_value_t, value_name = "RULES")]
    pub(crate) semantics: GameSemantics,
    /// Output format [default: by the extension of --output, otherwise `table`]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<ScoreFormat>,
    /// Explain results: all satisfactions, and for unsatisfied preferences the best attempt and the conditions that failed
    ///
    /// For a reward function, `--why=120` explains frame 120: its terms, the values of conditions, and the compared values.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "all", value_name = "FRAME")]
    pub(crate) why: Option<ExplanationScope>,
    /// Print the reward of every state
    #[arg(long)]
    pub(crate) per_step: bool,
    /// Add the progress of the best bindings of each preference, state by state, and the states in which conditions hold
    ///
    /// Lists at most N bindings of each preference [default: 20]: satisfied ones first, then those that got furthest. Requires --format
    /// json or jsonl.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "20", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) lanes: Option<u32>,
    /// Print the contribution of each term of a reward function: every `reward += ..`, named by its comment or its condition
    ///
    /// With --per-step, per frame. Functions then run on the interpreter.
    #[arg(long, conflicts_with_all = ["why", "engine"])]
    pub(crate) terms: bool,
    /// Score damaged traces up to the damage
    #[arg(long)]
    pub(crate) partial: bool,
    /// Accept traces that name another activity
    #[arg(long)]
    pub(crate) any_world: bool,
    /// The world of reward functions: a name, such as atari/pong, or a world file [default: the imported world, or the trace's]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Work budget of each program over one trace, plus a thousandth of it per state: units such as 500M or 20G, or `none`
    ///
    /// A unit is about the work of evaluating one atom. The consumption depends on the program and the trace only, not on the clock. A
    /// program that exceeds the budget has no score; other programs are not affected.
    #[arg(long, default_value_t, value_name = "UNITS")]
    pub(crate) budget: Budget,
    /// Work limit of one call of a reward function: units such as 500k or 20M [default: 1M]
    ///
    /// A unit takes at most about 50 ns. All calls of a recording together may take 32 times the limit, and an eighth of it more for each
    /// frame, after which frames are not run. Calls that the fast engine runs do not count.
    #[arg(long, value_name = "UNITS", value_parser = call_units, hide_short_help = true)]
    pub(crate) call_budget: Option<u64>,
    /// Number of traces scored in parallel [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Engine under --semantics spec; both give the same results [default: fast]
    #[arg(long, value_enum, value_name = "ENGINE", hide_short_help = true)]
    pub(crate) engine: Option<EngineName>,
    /// Write the results to this file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[cfg(feature = "parquet")]
    #[command(flatten)]
    pub(crate) shards: ShardArgs,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
}

/// Subjects of `goalspec explain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExplanationScope {
    /// A result as a whole.
    All,
    /// The frame of this number.
    Frame(u64),
}

impl FromStr for ExplanationScope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            _ => text.parse().map(Self::Frame).map_err(|_| "expected `all` or the number of a frame".to_owned()),
        }
    }
}

impl ScoreArgs {
    /// Returns the output format: the requested one, or that of the extension of the output file.
    pub(crate) fn format(&self) -> ScoreFormat {
        let extension = || self.output.as_deref()?.extension()?.to_str();
        self.format.or_else(|| ScoreFormat::from_str(extension()?, true).ok()).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum GameSemantics {
    /// The semantics of the language definition
    #[default]
    Spec,
    /// The semantics of the authors' reward machine, including its deviations
    Reference,
}

impl From<GameSemantics> for Semantics {
    fn from(rules: GameSemantics) -> Self {
        match rules {
            GameSemantics::Spec => Self::Spec,
            GameSemantics::Reference => Self::Reference,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum EngineName {
    /// The incremental, bit-parallel engine
    #[default]
    Fast,
    /// The reference interpreter
    #[value(alias = "reference")]
    Interpreter,
}

impl From<EngineName> for Engine {
    fn from(engine: EngineName) -> Self {
        match engine {
            EngineName::Fast => Self::Fast,
            EngineName::Interpreter => Self::Interpreter,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ScoreFormat {
    /// A human-readable table
    #[default]
    Table,
    /// One JSON document
    Json,
    /// One JSON object per line, each written as soon as it is available
    Jsonl,
    /// One row per preference (with --per-step, per state)
    Csv,
    /// A Parquet file with the rows and columns of CSV
    #[cfg(feature = "parquet")]
    Parquet,
}

impl ScoreFormat {
    /// Whether the format consists of rows with fixed columns.
    pub(crate) fn is_tabular(self) -> bool {
        match self {
            Self::Table | Self::Json | Self::Jsonl => false,
            Self::Csv => true,
            #[cfg(feature = "parquet")]
            Self::Parquet => true,
        }
    }
}

/// Score a live stream
///
/// Reads a trace in the format JSON Lines from the standard input, and prints one verdict per state as it arrives.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  my-simulator | goalspec watch my.game           one line per state, and a report at the end
  my-simulator | goalspec watch my.game --format jsonl")]
pub(crate) struct WatchArgs {
    /// The program, and its world file if it is a custom world
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Output format of verdicts
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: WatchFormat,
    /// Accept streams that name another activity
    #[arg(long)]
    pub(crate) any_world: bool,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum WatchFormat {
    /// One human-readable line
    #[default]
    Text,
    /// One JSON object per state, and a last line in the format of `score --format jsonl`
    #[value(alias = "json")]
    Jsonl,
}

/// Parses the work limit of a call, which is positive.
fn call_units(text: &str) -> Result<u64, String> {
    match units(text) {
        Ok(0) => Err("expected at least one unit".to_owned()),
        Ok(units) => Ok(units),
        Err(ParseBudgetError::Syntax) => Err("expected a number of units, such as 500k or 20M".to_owned()),
        Err(ParseBudgetError::TooLarge) => Err(format!("the number of units exceeds the limit of {}", u64::MAX)),
    }
}
