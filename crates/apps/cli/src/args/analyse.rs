//! Arguments of `goalspec analyse`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use goalspec::simulator::exact::ModelLimits;

use super::{PolicyPerspective, ResourceArgs};

const EXAMPLES: &str = "\
Policies are those of `goalspec simulate`: random (the default), masked-random, nothing, greedy, always:ACTION, table:FILE.
Scripts depend on the turn number and not on the state, and cannot be analysed.

Examples:
  goalspec analyse climb.yaml                             distributions of results for random policies
  goalspec analyse --best climber climb.yaml              the best response of a team
  goalspec analyse --best climber --save-policy best.json climb.yaml
  goalspec simulate --policy table:best.json climb.yaml   simulate the best response
  goalspec analyse --horizon 6 berries.yaml               the first six turns
  goalspec analyse --export prism --output climb.prism climb.yaml
                                                          a model for the PRISM model checker";

/// Analyse finite resource graph games exactly
///
/// Enumerates all reachable states, and computes the probability that games end and the distributions of turns, rewards and metrics: the
/// results are exact, not estimates. The game must be finite: it draws no numbers from ranges, and no resource grows without bound,
/// unless `--horizon` limits the number of turns.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AnalyseArgs {
    /// The game file
    pub(crate) game: PathBuf,
    /// Set the policy: `POLICY` for all teams, `TEAM=POLICY` for one
    #[arg(long = "policy", value_name = "[TEAM=]POLICY")]
    pub(crate) policies: Vec<String>,
    /// The state that masked-random and greedy use
    #[arg(long, value_enum, default_value_t, value_name = "VIEW")]
    pub(crate) policy_view: PolicyPerspective,
    /// Compute the best response of this team to the others, for a team that observes the whole state
    #[arg(long, value_name = "TEAM")]
    pub(crate) best: Option<String>,
    /// Write the best response to this file, for `--policy table:FILE`
    #[arg(long, value_name = "FILE", requires = "best")]
    pub(crate) save_policy: Option<PathBuf>,
    /// The maximum number of turns of a game [default: unlimited]; states that are reached only later are not analysed
    ///
    /// Without it, the analysis stops when the probability that a game has not ended is at most 1e-15, or after 10,000 turns; the
    /// probability of truncation is reported.
    #[arg(long, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) horizon: Option<u32>,
    /// The maximum number of states
    #[arg(long, value_name = "N", default_value_t = ModelLimits::default().states as u64, value_parser = clap::value_parser!(u64).range(1..))]
    max_states: u64,
    /// The maximum number of transitions
    #[arg(long, value_name = "N", default_value_t = ModelLimits::default().transitions as u64, value_parser = clap::value_parser!(u64).range(1..))]
    max_transitions: u64,
    /// The maximum memory of the model, in megabytes
    #[arg(long, value_name = "MB", default_value_t = (ModelLimits::default().bytes >> 20) as u64, value_parser = clap::value_parser!(u64).range(1..))]
    max_memory: u64,
    /// Write the model for the PRISM model checker instead: a Markov chain, or a Markov decision process with `--best`
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["format", "save_policy"])]
    pub(crate) export: Option<ModelFormat>,
    /// Write results, or the model, to this file; for an explicit model, the prefix of the names of its files
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: AnalysisFormat,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}

impl AnalyseArgs {
    /// Returns the limits on the size of the model.
    pub(crate) fn limits(&self) -> ModelLimits {
        let whole = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        ModelLimits {
            states: whole(self.max_states),
            transitions: whole(self.max_transitions),
            bytes: whole(self.max_memory.saturating_mul(1 << 20)),
            turns: self.horizon,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum AnalysisFormat {
    /// A table
    #[default]
    Text,
    /// A JSON document with full distributions
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelFormat {
    /// The PRISM language
    Prism,
    /// The files that PRISM imports: `.tra`, `.sta`, `.lab`, and a `.srew` for each reward structure
    PrismExplicit,
}
