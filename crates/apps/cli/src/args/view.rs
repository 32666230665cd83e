//! The arguments of `goalspec view`.

use std::path::PathBuf;

use clap::Args;
use goalspec::core::budget::Budget;

use super::ProgramArgs;

/// Look at programs and traces in the browser
///
/// Opens a page on this machine with the programs and traces: the program with its diagnostics, editable and scored again as you type; a time
/// line with a lane for each binding of each preference, a curve for each term of a reward function, or the steps of a plan; the score and the
/// reasons; the state of the world. Resource graph games are simulated: distributions of many games, and each game on its board turn by turn.
/// Files are changed only with --write, when you save them. Ends on Ctrl-C. With --export, writes one file that shows the same without a server.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec view my.game play.jsonl             a game over a trace
  goalspec view reward.py play.jsonl.gz        a reward function over a recording
  goalspec view domain.pddl problem.pddl my.plan
                                               a plan, with the facts before and after each step
  goalspec view --games 500 --policy greedy berries.yaml
                                               a resource graph game, simulated
  goalspec view games/ traces/                 all programs of a folder, each over any trace of another
  goalspec view --follow my.game run.jsonl     a trace that another program is writing
  goalspec view --no-open --port 7878 my.game play.jsonl
                                               print the address only, with a fixed port, as for a tunnel
  goalspec view --export report.html my.game play.jsonl
                                               one file that works without a server")]
pub(crate) struct ViewArgs {
    /// Programs, traces, plans, worlds, folders or patterns
    #[arg(default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Write one HTML file instead, for one program and one trace, or one resource graph game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["port", "no_open", "allow_host"])]
    pub(crate) export: Option<PathBuf>,
    /// Number of bindings of each preference that have a lane: satisfied ones first, then those that got furthest
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) lanes: u32,
    /// Number of simulated games of a resource graph game, at most 10000
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: u64,
    /// Seed of simulated games, at most 9007199254740991, the largest that a page can keep
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=(1 << 53) - 1))]
    pub(crate) seed: u64,
    /// Policy of simulated games, as of `goalspec simulate`: `POLICY` for all teams, `TEAM=POLICY` for one; policies of files are not supported
    #[arg(long = "policy", value_name = "[TEAM=]POLICY")]
    pub(crate) policies: Vec<String>,
    /// Let the page save changed programs; without it, no file is changed
    #[arg(long, conflicts_with = "export")]
    pub(crate) write: bool,
    /// Read traces again while they grow
    #[arg(long, conflicts_with = "export")]
    pub(crate) follow: bool,
    /// Port of this machine [default: a free one]
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Answer requests for this host too, which a tunnel or a remote editor names, such as `viewer.example:8443`
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    /// Work budget of each program over one trace, as of `goalspec score`
    #[arg(long, default_value_t, value_name = "UNITS")]
    pub(crate) budget: Budget,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
}
