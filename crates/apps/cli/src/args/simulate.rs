//! `goalspec simulate` and `goalspec play`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use goalspec::simulator::episode::MAX_TURNS;

use super::ResourceArgs;

const POLICIES: &str = "\
Policies:
  random              any of the team's actions, with parameters at random (the default)
  masked-random       any of those that are valid now
  nothing             a pass in every turn
  greedy              the action with the greatest reward expected after it
  always:ACTION       the same again and again: 'always:scan source=a'
  script:FILE         the actions of a file, one a line, one a turn
  table:FILE          what a JSON table says of what the team observes

Examples:
  goalspec simulate berries.yaml                          a thousand games of random policies
  goalspec simulate --policy ann=greedy berries.yaml      one team plays well
  goalspec simulate --games 3 --trace turns.jsonl berries.yaml
                                                          every turn of three games
  goalspec simulate --games 100000 --format json --jobs 2 berries.yaml
                                                          many games, for a program to read";

/// Play resource graph games, many at a time
///
/// The same game, policies and seed give the same games, on any machine and any number of threads; each of them can be played again alone, from the seed and
/// its index.
#[derive(Debug, Args)]
#[command(after_help = POLICIES)]
pub(crate) struct SimulateArgs {
    /// The game
    pub(crate) game: PathBuf,
    /// Who plays: `POLICY` for all teams, `TEAM=POLICY` for one
    #[arg(long = "policy", value_name = "[TEAM=]POLICY")]
    pub(crate) policies: Vec<String>,
    /// How many games
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
    /// What becomes of values that leave their declared space; they are counted in any case
    #[arg(long, value_enum, value_name = "BOUNDS")]
    pub(crate) bounds: Option<BoundsRule>,
    /// Write every turn of every game there, as JSON Lines
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// How results are written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Simulations,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
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
    /// The rule of the dialect that says so.
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
    /// What `goalspec simulate --trace` or `goalspec play --trace` wrote
    pub(crate) turns: PathBuf,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}

/// Play a resource graph game yourself
///
/// Shows what your team observes and asks for an action in each of its turns. What you cannot see is shown as it was at the beginning.
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
    /// Which random numbers [default: new ones]
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// How many turns the game may have
    #[arg(long, default_value_t = MAX_TURNS, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: u32,
    /// Write every turn there, as JSON Lines
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) resource: ResourceArgs,
}
