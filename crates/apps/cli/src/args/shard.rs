//! The arguments of `goalspec score --shard`.

use std::time::Duration;

use clap::Args;
use goalspec::scoring::shard::Shard;
use goalspec::scoring::table::{
    DEFAULT_BINDINGS, DEFAULT_MEMORY_BYTES, MAX_TRACE_BYTES, MAX_TRACE_STATES, MAX_TRACE_TIME, TraceLimits,
};
use goalspec::trace::ReadLimits;

use super::planning::seconds;

// No doc comment: clap would use it as the description of the command.
#[derive(Debug, Clone, Args)]
pub(crate) struct ShardArgs {
    /// Score the i-th of n equal shards of the traces, and write a Parquet file with a row per trace and program
    ///
    /// For job arrays and large collections. The traces of all paths, those of a Parquet table with a column `trace` included, are split into n
    /// shards of nearly equal size, which depend on the paths and their contents alone. The file that --output names appears when it is
    /// complete; `{i}` in its name stands for the number of the shard. A finished shard is kept when the command runs again; a file of
    /// another command, or of other programs or traces, is refused. A trace that cannot be scored has an error in its rows.
    #[arg(long, value_name = "I/N", requires = "output",
        conflicts_with_all = ["format", "why", "per_step", "terms", "partial"])]
    pub(crate) shard: Option<Shard>,
    /// With --shard: maximum number of states of a trace
    #[arg(long, value_name = "N", default_value_t = MAX_TRACE_STATES, value_parser = clap::value_parser!(u64).range(1..), requires = "shard", hide_short_help = true)]
    max_states: u64,
    /// With --shard: maximum size of a trace, uncompressed
    #[arg(long, value_name = "MB", default_value_t = MAX_TRACE_BYTES >> 20, value_parser = clap::value_parser!(u64).range(1..1 << 40), requires = "shard", hide_short_help = true)]
    max_size: u64,
    /// With --shard: maximum number of bindings of a preference, or of a quantifier of the setup
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BINDINGS, value_parser = clap::value_parser!(u64).range(1..), requires = "shard", hide_short_help = true)]
    max_bindings: u64,
    /// With --shard: maximum memory of a program over one trace, for bindings and conditions
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_MEMORY_BYTES >> 20, value_parser = clap::value_parser!(u64).range(1..1 << 40), requires = "shard", hide_short_help = true)]
    max_memory: u64,
    /// With --shard: maximum time for one trace [default: 60]
    ///
    /// The only limit that depends on the machine: set it well above what traces take. --budget limits the work instead.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "shard", hide_short_help = true)]
    max_time: Option<Duration>,
}

impl ShardArgs {
    /// Returns the limits for each trace, with the default budgets.
    pub(crate) fn limits(&self) -> TraceLimits {
        TraceLimits {
            read: ReadLimits {
                states: Some(self.max_states),
                bytes: Some(self.max_size << 20),
                time: Some(self.max_time.unwrap_or(MAX_TRACE_TIME)),
            },
            bindings: self.max_bindings,
            memory_bytes: self.max_memory << 20,
            ..TraceLimits::default()
        }
    }
}
