//! Arguments of `goalspec equiv`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{PlanningArgs, ProgramArgs};

/// Compare two planning problems or activities by meaning
///
/// Problems are equivalent if a bijection of their objects maps the initial state of one to that of the other, and the same states satisfy
/// their goals. States are all truth assignments to the facts over the objects. Otherwise a difference is printed: of the initial states, or a
/// state that satisfies only one of the goals.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  equivalent
  1  not equivalent
  2  an input has errors, the command line is invalid, or the output cannot be written
  3  unknown: the comparison exceeds a limit, or the goals compare numbers that are not linear

Examples:
  goalspec equiv problem.pddl translation.pddl         with the domain in the folder of each problem
  goalspec equiv --goals one.bddl other.bddl           only the goals, with objects of the same names
  goalspec equiv all.bddl#one all.bddl#other           two activities of one file
  goalspec equiv --json one.pddl other.pddl")]
pub(crate) struct EquivArgs {
    /// A planning problem or an activity: a file, or `FILE#NAME` for one of several in a file
    pub(crate) one: PathBuf,
    /// The problem or activity to compare it with
    pub(crate) other: PathBuf,
    /// Compare only the goals; objects correspond by their names
    #[arg(long)]
    pub(crate) goals: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: EquivFormat,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
    #[command(flatten, next_help_heading = "Planning problems (PDDL)")]
    pub(crate) planning: PlanningArgs,
}

/// Output format of `goalspec equiv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum EquivFormat {
    /// Text
    #[default]
    Text,
    /// JSON
    Json,
}
