//! Arguments of `goalspec trace record`.

use std::path::PathBuf;

use clap::Args;
use goalspec::atari::Game;
use goalspec::rewards::capture::Policy;

#[derive(Debug, Args)]
pub(crate) struct TraceRecordArgs {
    /// The file with RAM; `-` for the standard input
    #[arg(required_unless_present = "env", conflicts_with = "env")]
    pub(crate) input: Option<PathBuf>,
    /// The game whose RAM it is
    #[arg(long, value_name = "GAME", required_unless_present = "env", conflicts_with = "env")]
    pub(crate) game: Option<Game>,
    /// RAM is 128 bytes per frame
    #[arg(long, conflicts_with = "env")]
    pub(crate) raw: bool,
    /// Play this environment, such as ALE/Pong-v5
    #[arg(long, value_name = "ENV")]
    pub(crate) env: Option<Game>,
    /// Who plays: random, noop, or constant:N for always the action of that number
    #[arg(long, value_name = "POLICY", value_parser = Policy::named, default_value = "random", conflicts_with_all = ["game", "input"])]
    pub(crate) policy: Policy,
    /// How many frames are played
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["game", "input"])]
    pub(crate) steps: u64,
    /// What chance goes by
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["game", "input"])]
    pub(crate) seed: u32,
    /// The Python that has the packages
    #[arg(long, value_name = "PROGRAM", default_value = "python3", conflicts_with_all = ["game", "input"])]
    pub(crate) python: String,
    /// Record scores, lives and clocks, too
    #[arg(long)]
    pub(crate) hud: bool,
    /// Decode without the quirks of `OCAtari` 2.2.1
    #[arg(long)]
    pub(crate) no_quirks: bool,
    /// The file to write, packed if it ends in .gz or .zst [default: the standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
