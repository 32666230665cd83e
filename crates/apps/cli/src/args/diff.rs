//! Arguments of `goalspec diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use goalspec::equivalence::games::Aspect;

use super::{PlanningArgs, ProgramArgs};

/// Find where two programs differ in meaning
///
/// For two games of one world, a shortest trace is sought about which they disagree. It is played in both games by the reference
/// interpreter before it is printed. Games are equal if no trace tells them apart, which is proved by normal forms or by the product of their
/// automata. Preferences correspond by name, or else by form. Planning problems and activities are compared as by `goalspec equiv`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  equal
  1  different
  2  an input has errors, the command line is invalid, or the output cannot be written
  3  undecided: no difference was found, and equality is not proved

Examples:
  goalspec diff old.game new.game
  goalspec diff old.game new.game --as score -o difference.jsonl
                                                         only the final scores, with the trace as a file
  goalspec diff old.game new.game --trace play.jsonl     recorded traces first
  goalspec diff games.pddl#old games.pddl#new           two games of one file
  goalspec diff tea.game other.game --world kitchen.world.toml --format json")]
pub(crate) struct DiffArgs {
    /// A game, a planning problem or an activity: a file, or `FILE#NAME` for one of several in a file
    pub(crate) one: PathBuf,
    /// The program to compare it with
    pub(crate) other: PathBuf,
    /// The aspect of games that is compared
    #[arg(long = "as", value_enum, default_value_t, value_name = "ASPECT")]
    pub(crate) aspect: DiffAspect,
    /// A trace on which games are compared first; may be repeated
    #[arg(long, value_name = "TRACE")]
    pub(crate) trace: Vec<PathBuf>,
    /// Compare games with at most this number of objects of each type [default: all objects of the world]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) objects: Option<u16>,
    /// The world file of the games, or a program that defines their world
    #[arg(long, value_name = "FILE")]
    pub(crate) world: Option<PathBuf>,
    /// Write the trace about which games disagree to this file: .jsonl, .jsonl.gz or .jsonl.zst
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: DiffFormat,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
    #[command(flatten, next_help_heading = "Planning problems (PDDL)")]
    pub(crate) planning: PlanningArgs,
}

/// The aspect of games that `goalspec diff` compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum DiffAspect {
    /// The satisfactions of preferences, the score and the end of the game
    #[default]
    All,
    /// Whether each preference is satisfied
    Truth,
    /// The satisfactions of each preference: objects, states and measures
    Satisfactions,
    /// The count of each preference
    Counts,
    /// The score at the end
    Score,
    /// The score after each state
    Rewards,
    /// The state in which the game ends
    End,
}

impl From<DiffAspect> for Aspect {
    fn from(aspect: DiffAspect) -> Self {
        match aspect {
            DiffAspect::All => Self::All,
            DiffAspect::Truth => Self::Truth,
            DiffAspect::Satisfactions => Self::Satisfactions,
            DiffAspect::Counts => Self::Counts,
            DiffAspect::Score => Self::Score,
            DiffAspect::Rewards => Self::Rewards,
            DiffAspect::End => Self::End,
        }
    }
}

/// Output format of `goalspec diff`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum DiffFormat {
    /// Text
    #[default]
    Text,
    /// JSON
    Json,
}
