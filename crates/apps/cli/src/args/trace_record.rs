//! Arguments of `goalspec trace record`.

use std::path::PathBuf;

use clap::Args;
use goalspec::atari::Game;
use goalspec::rewards::capture::Policy;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(crate) struct TraceRecordArgs {
    /// The file of RAM; `-` for the standard input
    #[arg(required_unless_present = "env", conflicts_with = "env")]
    pub(crate) input: Option<PathBuf>,
    /// The game of the RAM
    #[arg(long, value_name = "GAME", required_unless_present = "env", conflicts_with = "env")]
    pub(crate) game: Option<Game>,
    /// Read RAM as 128 bytes per frame
    #[arg(long, conflicts_with = "env")]
    pub(crate) raw: bool,
    /// Play this environment live, such as ALE/Pong-v5
    #[arg(long, value_name = "ENV")]
    pub(crate) env: Option<Game>,
    /// The policy: random, noop, or constant:N, which always takes action N
    #[arg(long, value_name = "POLICY", value_parser = Policy::parse, default_value = "random", conflicts_with_all = ["game", "input"])]
    pub(crate) policy: Policy,
    /// Number of frames to play
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["game", "input"])]
    pub(crate) steps: u64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["game", "input"])]
    pub(crate) seed: u32,
    /// Python interpreter with the packages ale-py and gymnasium
    #[arg(long, value_name = "PROGRAM", default_value = "python3", conflicts_with_all = ["game", "input"])]
    pub(crate) python: String,
    /// Also record scores, lives and clocks
    #[arg(long)]
    pub(crate) hud: bool,
    /// Decode without the quirks of `OCAtari` 2.2.1
    #[arg(long)]
    pub(crate) no_quirks: bool,
    /// Record the RAM alone: a smaller file, read several times as fast; readers decode the objects
    #[arg(long)]
    pub(crate) packed: bool,
    /// Output file, compressed if it ends in .gz or .zst [default: the standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
