//! Arguments of `goalspec simulate` and `goalspec play`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use goalspec::resource::rules::View;
use goalspec::simulate::summary::Shape;
use goalspec::simulator::episode::MAX_TURNS;
use goalspec::simulator::statistics::interval::Level;
use goalspec::simulator::statistics::sweep::Each;

use super::ResourceArgs;

const POLICIES: &str = "\
Policies:
  random              any of the team's actions, with parameters at random (the default)
  masked-random       any of those that are valid, as far as the team observes
  nothing             `nothing`, at the cost that the game gives it, or a pass
  greedy              the action with the greatest reward expected after it, as far as the team observes
  always:ACTION       the same again and again: 'always:scan source=a'
  script:FILE         the actions of a file, one a line, one a turn; then `nothing`
  table:FILE          what a JSON table says of what the team observes

An action is valid if what it requires holds after its cost. A team that does not see a node goes by what the node began with, and
may be wrong; `--policy-view truth` shows masked-random and greedy the true state.

Numbers, for --of and --histogram:
  turns, reward.TEAM, metric.NAME; with --discount, return.TEAM

What may vary, for --vary: PATH=CONSTRAINT
  The keys of the file down to a value, with dots between them (places in lists are numbers, from 0), or a JSON pointer
  (/actions/climb/consequences/0/odds). The constraint is written as in the file: what it can draw takes the place of the
  value. Of a resource, that is the value that it begins with.

Examples:
  goalspec simulate berries.yaml                          a thousand games of random policies
  goalspec simulate --policy ann=greedy berries.yaml      one team plays well
  goalspec simulate --policy greedy --compare random berries.yaml
                                                          two policies with the same luck
  goalspec simulate --half-width 0.05 --games 1000000 berries.yaml
                                                          as many games as it takes to know the rewards so well
  goalspec simulate --vary 'resourceSpace.hill.berries=int.enum(2,4,8)' berries.yaml
                                                          what if there were other numbers of berries?
  goalspec simulate --vary 'actions.scout.consequences.0.odds=float.range(0.2,0.8)' --output games.csv berries.yaml
                                                          other odds in every game, a row for each
  goalspec simulate --policy greedy --plot rewards.svg --timeline berries.svg berries.yaml
                                                          pictures for a paper
  goalspec simulate --games 3 --trace turns.jsonl berries.yaml
                                                          every turn of three games
  goalspec simulate --games 100000 --format json --jobs 2 berries.yaml
                                                          many games, for a program to read";

/// Play resource graph games, many at a time
///
/// The same game, policies and seed give the same games, on any machine and any number of threads; each of them can be played again alone, from the seed and
/// its index. Ctrl-C ends the games and shows what is known so far; the exit code is 130 then.
#[derive(Debug, Args)]
#[command(after_help = POLICIES)]
pub(crate) struct SimulateArgs {
    /// The game
    pub(crate) game: PathBuf,
    /// Who plays: `POLICY` for all teams, `TEAM=POLICY` for one
    #[arg(long = "policy", value_name = "[TEAM=]POLICY")]
    pub(crate) policies: Vec<String>,
    /// What masked-random and greedy go by
    #[arg(long, value_enum, default_value_t, value_name = "VIEW")]
    pub(crate) policy_view: PolicyView,
    /// How many games; with --half-width, at most
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: u64,
    /// Which random numbers
    #[arg(long, default_value_t = 0, value_name = "S")]
    pub(crate) seed: u64,
    /// The index of the first game, to play one again
    #[arg(long, default_value_t = 0, value_name = "I")]
    pub(crate) first: u64,
    /// How many turns a game may have; longer ones are cut and reported as truncated
    #[arg(long, default_value_t = MAX_TURNS, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: u32,
    /// How many threads [default: one for each core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Sum up step rewards as well, that of turn t (from 0) times this to the power of t; a step reward is how much a team's reward
    /// changes in a turn
    #[arg(long, value_name = "GAMMA", value_parser = share)]
    pub(crate) discount: Option<f64>,
    /// What becomes of values that leave their declared space; they are counted in any case
    #[arg(long, value_enum, value_name = "BOUNDS")]
    pub(crate) bounds: Option<BoundsRule>,
    /// Write every turn of every game there, as JSON Lines; packed if the name ends in `.gz` or `.zst`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vary", "compare"])]
    pub(crate) trace: Option<PathBuf>,
    /// How results are written [default: what the ending of --output says, or else `text`]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Simulations>,
    /// Write results to this file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) study: StudyArgs,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}

impl SimulateArgs {
    /// Returns the output format: the requested one, or that of the extension of the output file.
    pub(crate) fn format(&self) -> Simulations {
        let ending = || self.output.as_deref()?.extension()?.to_str();
        self.format.or_else(|| Simulations::from_str(ending()?, true).ok()).unwrap_or_default()
    }

    /// Iterates over the output files.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.trace, &self.output, &self.study.plot, &self.study.timeline].into_iter().flatten()
    }
}

// No doc comment: clap would use it as the description of the command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Many games")]
pub(crate) struct StudyArgs {
    /// A value that is drawn, instead of the one in the file; may be repeated
    #[arg(long, value_name = "PATH=CONSTRAINT")]
    pub(crate) vary: Vec<String>,
    /// How often it is drawn
    #[arg(long, value_enum, default_value_t, value_name = "OFTEN")]
    pub(crate) vary_per: Often,
    /// Play the same seeds by another policy as well, and show the differences: `POLICY` for all teams, `TEAM=POLICY` in the place of one of
    /// --policy; may be repeated
    #[arg(long, value_name = "[TEAM=]POLICY")]
    pub(crate) compare: Vec<String>,
    /// Stop as soon as the confidence intervals of the means are as narrow as that number on both sides; with --compare, those of the differences
    #[arg(long, value_name = "WIDTH", value_parser = positive)]
    pub(crate) half_width: Option<f64>,
    /// Of which number, for --half-width; may be repeated [default: the rewards of all teams]
    #[arg(long, value_name = "NUMBER", requires = "half_width")]
    pub(crate) of: Vec<String>,
    /// How sure confidence intervals are
    #[arg(long, default_value = "0.95", value_name = "SHARE", value_parser = level)]
    confidence: Level,
    /// Which quantiles are shown, as shares from 0 to 1 [default: 0.5; in JSON 0.25,0.5,0.75]
    #[arg(long, value_name = "SHARES", value_delimiter = ',', value_parser = share)]
    quantiles: Vec<f64>,
    /// Show how often each value of this number came; may be repeated (JSON has it of all)
    #[arg(long, value_name = "NUMBER")]
    pub(crate) histogram: Vec<String>,
    /// Draw the distributions of the rewards there, or of the numbers of --histogram, as SVG
    #[arg(long, value_name = "FILE.svg", value_parser = svg)]
    pub(crate) plot: Option<PathBuf>,
    /// Draw how resources go from turn to turn there, as SVG: the median of all games, and the band that nine of ten are in
    #[arg(long, value_name = "FILE.svg", value_parser = svg)]
    pub(crate) timeline: Option<PathBuf>,
    /// Which resource, for --timeline; may be repeated [default: the resources that the metrics report]
    #[arg(long = "resource", value_name = "NODE.RESOURCE", requires = "timeline")]
    pub(crate) follow: Vec<String>,
}

impl StudyArgs {
    /// Whether quantiles are requested explicitly.
    pub(crate) fn has_quantiles(&self) -> bool {
        !self.quantiles.is_empty()
    }

    /// Returns the shape of summaries, for people or for programs.
    pub(crate) fn shape(&self, people: bool) -> Shape {
        let quantiles = match (&self.quantiles[..], people) {
            ([], true) => vec![0.5],
            ([], false) => Shape::default().quantiles,
            (own, _) => own.to_vec(),
        };
        Shape { quantiles, level: self.confidence }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Often {
    /// For every game; given by the seed and the index of the game
    #[default]
    Game,
    /// Once for all games; given by the seed
    Batch,
}

impl From<Often> for Each {
    fn from(often: Often) -> Self {
        match often {
            Often::Game => Self::Game,
            Often::Batch => Self::Batch,
        }
    }
}

/// What policies that look ahead go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum PolicyView {
    /// What the team observes
    #[default]
    Observation,
    /// The true state, hidden nodes included
    Truth,
}

impl From<PolicyView> for View {
    fn from(view: PolicyView) -> Self {
        match view {
            PolicyView::Observation => Self::Observation,
            PolicyView::Truth => Self::Truth,
        }
    }
}

fn svg(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let fits = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if fits { Ok(path) } else { Err("pictures are SVG: the name has to end with .svg".to_owned()) }
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "that is no number".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = number(text)?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err("it has to be more than 0".to_owned()) }
}

fn share(text: &str) -> Result<f64, String> {
    let number = number(text)?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("a share is from 0 to 1".to_owned()) }
}

fn level(text: &str) -> Result<Level, String> {
    Level::new(number(text)?).ok_or_else(|| "it has to be between 0 and 1, such as 0.99".to_owned())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Simulations {
    /// A table of what was seen
    #[default]
    Text,
    /// What was seen, as a JSON document
    Json,
    /// A line of JSON for every game
    Jsonl,
    /// A row for every game
    Csv,
    /// As CSV, in a Parquet file
    #[cfg(feature = "parquet")]
    Parquet,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoundsRule {
    /// They stand
    Ignore,
    /// Numbers take the nearest end of their range
    Clamp,
    /// The game ends with an error
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

/// Play recorded turns of a resource graph game again
///
/// Makes the recorded moves, and says where the game first goes another way than the recording, if it does: then the game, its rules or the
/// recording were changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec simulate --games 3 --trace turns.jsonl berries.yaml
  goalspec replay berries.yaml turns.jsonl                the same turns, checked
  goalspec trace diff turns.jsonl other.jsonl             two recordings, compared")]
pub(crate) struct ReplayArgs {
    /// The game
    pub(crate) game: PathBuf,
    /// What `goalspec simulate --trace` or `goalspec play --trace` wrote, of any length, plain or packed with gzip or zstd
    pub(crate) turns: PathBuf,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}

/// Play a resource graph game yourself
///
/// Shows what your team observes and asks for an action in each of its turns. What you cannot see is shown as it was at the beginning,
/// and actions are called valid if what they require holds after their cost, as far as you see.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec play berries.yaml                              as the first team, against random policies
  goalspec play --team ben --policy greedy berries.yaml   as another one, against good players")]
pub(crate) struct PlayArgs {
    /// The game
    pub(crate) game: PathBuf,
    /// The team that you play [default: the first]
    #[arg(long, value_name = "TEAM")]
    pub(crate) team: Option<String>,
    /// Who plays the other teams: `POLICY` for all, `TEAM=POLICY` for one; see `goalspec simulate --help`
    #[arg(long = "policy", value_name = "[TEAM=]POLICY")]
    pub(crate) policies: Vec<String>,
    /// By what it is said which actions are valid, and what masked-random and greedy go by
    #[arg(long, value_enum, default_value_t, value_name = "VIEW")]
    pub(crate) policy_view: PolicyView,
    /// Which random numbers [default: new ones]
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// How many turns the game may have
    #[arg(long, default_value_t = MAX_TURNS, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: u32,
    /// Write every turn there, as JSON Lines; packed if the name ends in `.gz` or `.zst`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}
