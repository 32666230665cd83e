//! Arguments of `goalspec simulate` and `goalspec play`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use goalspec::resource::rules::Perspective;
use goalspec::simulation::summary::SummaryOptions;
use goalspec::simulator::episode::MAX_TURNS;
use goalspec::simulator::statistics::sweep::SamplingFrequency;
use goalspec::statistics::interval::ConfidenceLevel;

use super::ResourceArgs;

const POLICIES: &str = "\
Policies:
  random              a random action of the team, with random parameters (the default)
  masked-random       a random valid action, judged by the observation of the team
  nothing             the action `nothing` at its cost in the game, or a pass
  greedy              the action with the maximum expected reward after it, judged by the observation of the team
  always:ACTION       always the same action: 'always:scan source=a'
  script:FILE         the actions of a file, one per line and turn; then `nothing`
  table:FILE          the action that a JSON table assigns to the observation

An action is valid if its requirement holds after its cost. In the observation of a team, nodes that it does not see have their
initial values; `--policy-view truth` shows masked-random and greedy the true state.

Numbers for --half-width-of and --histogram:
  turns, reward.TEAM, metric.NAME; with --discount, return.TEAM

Variables for --vary: PATH=CONSTRAINT
  PATH consists of the keys to a value in the file, separated by dots (indices of lists from 0), or is a JSON pointer
  (/actions/climb/consequences/0/odds). CONSTRAINT is written as in the file; samples from it replace the value. For a
  resource, they replace the initial value.

Examples:
  goalspec simulate berries.yaml                          1000 games of random policies
  goalspec simulate --policy ann=greedy berries.yaml      a greedy policy for one team
  goalspec simulate --policy greedy --compare random berries.yaml
                                                          a paired comparison of two policies
  goalspec simulate --half-width 0.05 --games 1000000 berries.yaml
                                                          play until the rewards are known to this precision
  goalspec simulate --vary 'resourceSpace.hill.berries=int.enum(2,4,8)' berries.yaml
                                                          vary an initial value
  goalspec simulate --vary 'actions.scout.consequences.0.odds=float.range(0.2,0.8)' --output games.csv berries.yaml
                                                          other odds in every game, one row per game
  goalspec simulate --policy greedy --plot rewards.svg --timeline berries.svg berries.yaml
                                                          plots of rewards and resources
  goalspec simulate --games 3 --trace turns.jsonl berries.yaml
                                                          every turn of three games
  goalspec simulate --games 100000 --format json --jobs 2 berries.yaml
                                                          JSON output";

/// Simulate resource graph games
///
/// The same game, policies and seed give the same results on any machine and with any number of threads; each game can be repeated
/// alone from the seed and its index. Ctrl-C stops the simulation and prints the results so far, with exit code 130.
#[derive(Debug, Args)]
#[command(after_help = POLICIES)]
pub(crate) struct SimulateArgs {
    /// The game file
    pub(crate) game: PathBuf,
    /// Set the policy: `POLICY` for all teams, `TEAM=POLICY` for one
    #[arg(long = "policy", value_name = "[TEAM=]POLICY")]
    pub(crate) policies: Vec<String>,
    /// The state that masked-random and greedy use
    #[arg(long, value_enum, default_value_t, value_name = "VIEW")]
    pub(crate) policy_view: PolicyPerspective,
    /// The number of games; with --half-width, the maximum number
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: u64,
    /// The random seed
    #[arg(long, default_value_t = 0, value_name = "S")]
    pub(crate) seed: u64,
    /// The index of the first game, to repeat a game
    #[arg(long, default_value_t = 0, value_name = "I")]
    pub(crate) first_game: u64,
    /// The maximum number of turns of a game; longer games are truncated
    #[arg(long, default_value_t = MAX_TURNS, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: u32,
    /// The number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Compute discounted returns with this factor: the sum over turns t (from 0) of GAMMA^t times the step reward, which is the
    /// change of the reward of a team in the turn
    #[arg(long, value_name = "GAMMA", value_parser = proportion)]
    pub(crate) discount: Option<f64>,
    /// The treatment of values outside their declared space, which are counted in any case
    #[arg(long, value_enum, value_name = "BOUNDS")]
    pub(crate) bounds: Option<BoundsRule>,
    /// Write every turn of every game to this file as JSON Lines, compressed if its name ends in `.gz` or `.zst`; `-` is standard output,
    /// and the results are then printed to standard error
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vary", "compare"])]
    pub(crate) trace: Option<PathBuf>,
    /// The output format [default: by the extension of --output, otherwise `text`]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<SimulationFormat>,
    /// Write results to this file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) study: ExperimentArgs,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}

impl SimulateArgs {
    /// Returns the output format: the requested one, or that of the extension of the output file.
    pub(crate) fn format(&self) -> SimulationFormat {
        let extension = || self.output.as_deref()?.extension()?.to_str();
        self.format.or_else(|| SimulationFormat::from_str(extension()?, true).ok()).unwrap_or_default()
    }

    /// Iterates over the output files.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.trace, &self.output, &self.study.plot, &self.study.timeline].into_iter().flatten()
    }
}

// No doc comment: clap would use it as the description of the command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Experiments")]
pub(crate) struct ExperimentArgs {
    /// Sample a value of the file from a constraint; may be repeated
    #[arg(long, value_name = "PATH=CONSTRAINT")]
    pub(crate) vary: Vec<String>,
    /// The frequency of sampling
    #[arg(long, value_enum, default_value_t, value_name = "FREQUENCY")]
    pub(crate) vary_per: DrawFrequency,
    /// Also play the same seeds with another policy, and show the paired differences: `POLICY` for all teams, or `TEAM=POLICY` to replace
    /// the policy of one team; may be repeated
    #[arg(long, value_name = "[TEAM=]POLICY")]
    pub(crate) compare: Vec<String>,
    /// Stop when the half-width of the confidence intervals of the means is at most this number; with --compare, of the differences
    #[arg(long, value_name = "WIDTH", value_parser = positive)]
    pub(crate) half_width: Option<f64>,
    /// The number to which --half-width applies; may be repeated [default: the rewards of all teams]
    #[arg(long = "half-width-of", value_name = "NUMBER", requires = "half_width")]
    pub(crate) precision_of: Vec<String>,
    /// The confidence level
    #[arg(long, default_value = "0.95", value_name = "PROPORTION", value_parser = level)]
    confidence: ConfidenceLevel,
    /// The quantiles to show, from 0 to 1 [default: 0.5; in JSON 0.25,0.5,0.75]
    #[arg(long, value_name = "PROPORTIONS", value_delimiter = ',', value_parser = proportion)]
    quantiles: Vec<f64>,
    /// Show a histogram of this number; may be repeated (JSON contains those of all numbers)
    #[arg(long, value_name = "NUMBER")]
    pub(crate) histogram: Vec<String>,
    /// Write plots of the distributions of the rewards, or of the numbers of --histogram, to this SVG file
    #[arg(long, value_name = "FILE.svg", value_parser = svg)]
    pub(crate) plot: Option<PathBuf>,
    /// Write plots of resources over turns to this SVG file: the median and the band from the 5th to the 95th percentile
    #[arg(long, value_name = "FILE.svg", value_parser = svg)]
    pub(crate) timeline: Option<PathBuf>,
    /// A resource for --timeline; may be repeated [default: the resources that the metrics report]
    #[arg(long = "resource", value_name = "NODE.RESOURCE", requires = "timeline")]
    pub(crate) timeline_resources: Vec<String>,
}

impl ExperimentArgs {
    /// Whether quantiles are requested explicitly.
    pub(crate) fn has_quantiles(&self) -> bool {
        !self.quantiles.is_empty()
    }

    /// Returns the shape of summaries, for people or for programs.
    pub(crate) fn shape(&self, for_humans: bool) -> SummaryOptions {
        let quantiles = match (&self.quantiles[..], for_humans) {
            ([], true) => vec![0.5],
            ([], false) => SummaryOptions::default().quantiles,
            (own, _) => own.to_vec(),
        };
        SummaryOptions { quantiles, level: self.confidence }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum DrawFrequency {
    /// Once per game, determined by the seed and the index of the game
    #[default]
    Game,
    /// Once for all games, determined by the seed
    Batch,
}

impl From<DrawFrequency> for SamplingFrequency {
    fn from(frequency: DrawFrequency) -> Self {
        match frequency {
            DrawFrequency::Game => Self::Game,
            DrawFrequency::Batch => Self::Seed,
        }
    }
}

/// The state that lookahead policies use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum PolicyPerspective {
    /// The observation of the team
    #[default]
    Observation,
    /// The true state, hidden nodes included
    Truth,
}

impl From<PolicyPerspective> for Perspective {
    fn from(view: PolicyPerspective) -> Self {
        match view {
            PolicyPerspective::Observation => Self::Observation,
            PolicyPerspective::Truth => Self::TrueState,
        }
    }
}

fn svg(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is_svg = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    if is_svg { Ok(path) } else { Err("the file name must end in .svg".to_owned()) }
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "expected a number".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = number(text)?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err("expected a number greater than 0".to_owned()) }
}

fn proportion(text: &str) -> Result<f64, String> {
    let number = number(text)?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("expected a number from 0 to 1".to_owned()) }
}

fn level(text: &str) -> Result<ConfidenceLevel, String> {
    ConfidenceLevel::new(number(text)?).ok_or_else(|| "expected a number between 0 and 1, such as 0.99".to_owned())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum SimulationFormat {
    /// Tables
    #[default]
    Text,
    /// A JSON document
    Json,
    /// One JSON object per game and line
    Jsonl,
    /// One row per game
    Csv,
    /// The rows of CSV, in a Parquet file
    #[cfg(feature = "parquet")]
    Parquet,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoundsRule {
    /// Keep them
    Ignore,
    /// Replace numbers by the nearest end of the range
    Clamp,
    /// End the game with an error
    Error,
}

impl BoundsRule {
    /// Returns the equivalent rule of the dialect.
    pub(crate) fn rule(self) -> &'static str {
        match self {
            Self::Ignore => "bounds=ignore",
            Self::Clamp => "bounds=clamp",
            Self::Error => "bounds=error",
        }
    }
}

/// Replay recorded turns of a resource graph game
///
/// Repeats the recorded moves, and reports the first difference between the game and the recording. A difference means that the game, its
/// rules or the recording were changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec simulate --games 3 --trace turns.jsonl berries.yaml
  goalspec replay berries.yaml turns.jsonl                replay and check the turns
  goalspec trace diff turns.jsonl other.jsonl             compare two recordings")]
pub(crate) struct ReplayArgs {
    /// The game file
    pub(crate) game: PathBuf,
    /// A recording by `goalspec simulate --trace` or `goalspec play --trace`, plain or compressed with gzip or zstd
    pub(crate) turns: PathBuf,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}

/// Play a resource graph game interactively
///
/// Shows the observation of your team and asks for an action in each of its turns. Unseen nodes are shown with their initial values, and
/// actions are marked invalid if their requirement does not hold after their cost in your observation.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec play berries.yaml                              play the first team against random policies
  goalspec play --team ben --policy greedy berries.yaml   play another team against greedy policies")]
pub(crate) struct PlayArgs {
    /// The game file
    pub(crate) game: PathBuf,
    /// The team that you play [default: the first]
    #[arg(long, value_name = "TEAM")]
    pub(crate) team: Option<String>,
    /// Set the policy of the other teams: `POLICY` for all, `TEAM=POLICY` for one; see `goalspec simulate --help`
    #[arg(long = "policy", value_name = "[TEAM=]POLICY")]
    pub(crate) policies: Vec<String>,
    /// The state by which actions are marked invalid, and that masked-random and greedy use
    #[arg(long, value_enum, default_value_t, value_name = "VIEW")]
    pub(crate) policy_view: PolicyPerspective,
    /// The random seed [default: a new seed]
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// The maximum number of turns
    #[arg(long, default_value_t = MAX_TURNS, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: u32,
    /// Write every turn to this file as JSON Lines, compressed if its name ends in `.gz` or `.zst`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}
