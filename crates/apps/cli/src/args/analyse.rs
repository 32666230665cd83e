//! Arguments of `goalspec analyse`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use goalspec::simulator::exact::Limits;

use super::{PolicyView, ResourceArgs};

const EXAMPLES: &str = "\
Policies are those of `goalspec simulate`: random (the default), masked-random, nothing, greedy, always:ACTION, table:FILE.
Scripts go by the number of the turn and not by the state, and cannot be analysed.

Examples:
  goalspec analyse climb.yaml                             how games of random policies end
  goalspec analyse --best climber climb.yaml              the best that a team can do
  goalspec analyse --best climber --save-policy best.json climb.yaml
  goalspec simulate --policy table:best.json climb.yaml   ... and played
  goalspec analyse --horizon 6 berries.yaml               games of at most six turns
  goalspec analyse --export prism --output climb.prism climb.yaml
                                                          a model for the PRISM model checker";

/// Analyse finite resource graph games exactly
///
/// Goes through all states that a game can reach, and says how likely it is that it ends, after how many turns, and with which rewards and
/// metrics: no games are played, and no number is an estimate. The game has to be finite: nothing drawn from a range, no resource that
/// grows for ever, unless `--horizon` says how many turns matter.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AnalyseArgs {
    /// The game
    pub(crate) game: PathBuf,
    /// Who plays: `POLICY` for all teams, `TEAM=POLICY` for one
    #[arg(long = "policy", value_name = "[TEAM=]POLICY")]
    pub(crate) policies: Vec<String>,
    /// What masked-random and greedy go by
    #[arg(long, value_enum, default_value_t, value_name = "VIEW")]
    pub(crate) policy_view: PolicyView,
    /// The best response of this team to the others, if it knows the whole state
    #[arg(long, value_name = "TEAM")]
    pub(crate) best: Option<String>,
    /// Write the best response there, for `--policy table:FILE`
    #[arg(long, value_name = "FILE", requires = "best")]
    pub(crate) save_policy: Option<PathBuf>,
    /// How many turns a game may have [default: until it is over]; what can only be reached later is not looked at
    ///
    /// Without it, games go on until the probability that one still does is no more than 1e-15, or for 10,000 turns: where they need not
    /// end, it is said how likely they are cut off there.
    #[arg(long, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) horizon: Option<u32>,
    /// How many states the game may have
    #[arg(long, value_name = "N", default_value_t = Limits::default().states as u64, value_parser = clap::value_parser!(u64).range(1..))]
    max_states: u64,
    /// How many transitions between them there may be
    #[arg(long, value_name = "N", default_value_t = Limits::default().transitions as u64, value_parser = clap::value_parser!(u64).range(1..))]
    max_transitions: u64,
    /// How much memory they may take, in megabytes
    #[arg(long, value_name = "MB", default_value_t = (Limits::default().bytes >> 20) as u64, value_parser = clap::value_parser!(u64).range(1..))]
    max_memory: u64,
    /// Write the model for the PRISM model checker instead: a Markov chain, or a decision process with `--best`
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["format", "save_policy"])]
    pub(crate) export: Option<ModelFormat>,
    /// Write results, or the model, to this file; of an explicit model it is what its files' names begin with
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// How results are written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Answers,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}

impl AnalyseArgs {
    /// Returns the limits on the size of the model.
    pub(crate) fn limits(&self) -> Limits {
        let whole = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        Limits {
            states: whole(self.max_states),
            transitions: whole(self.max_transitions),
            bytes: whole(self.max_memory.saturating_mul(1 << 20)),
            turns: self.horizon,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Answers {
    /// A table for people
    #[default]
    Text,
    /// A JSON document, with whole distributions
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelFormat {
    /// A text in the language of PRISM
    Prism,
    /// The files that PRISM imports: `.tra`, `.sta`, `.lab`, and a `.srew` for each reward structure
    PrismExplicit,
}
