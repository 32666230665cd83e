//! Planning problems: options of the commands that read them, `goalspec plan`, `goalspec validate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

// No documentation: clap would take it for that of the command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Planning problems (PDDL)")]
pub(crate) struct PlanningArgs {
    /// The domain of all problems [default: by the name that a problem gives, among the files and beside the problem]
    #[arg(long, value_name = "FILE")]
    pub(crate) domain: Option<PathBuf>,
}

const PLAN_HELP: &str = "\
Exit codes:
  0  a plan was found
  1  the domain or the problem has errors, or asks for what is not planned for
  2  the command line is wrong, or the output cannot be written
  3  there is no plan, which is certain
  4  no plan was found within the time
  5  no plan was found within the memory

Examples:
  goalspec plan problem.pddl                              the domain is found beside the problem
  goalspec plan domain.pddl problem.pddl > plan.txt       the plan, as a file
  goalspec plan --optimal problem.pddl                    a plan of least cost
  goalspec plan --improve --time-limit 30 problem.pddl    the best plan of half a minute
  goalspec plan --trace run.jsonl problem.pddl            the states that it goes through, for `goalspec score`";

/// Find a plan for a planning problem
///
/// The plan is carried out by the reference interpreter before it is printed. Without options the first plan found is taken: as cheap as it can
/// be made without further search.
#[derive(Debug, Args)]
#[command(after_help = PLAN_HELP, override_usage = "goalspec plan [OPTIONS] [DOMAIN] PROBLEM")]
pub(crate) struct PlanArgs {
    /// The domain, if it is not beside the problem, and the problem
    #[arg(required = true, num_args = 1..=2, value_name = "FILES")]
    pub(crate) paths: Vec<PathBuf>,
    /// Find a plan of least cost
    #[arg(long, conflicts_with = "improve")]
    pub(crate) optimal: bool,
    /// Look for better and better plans, until it is certain that there is none, or a limit is reached
    #[arg(long)]
    pub(crate) improve: bool,
    /// How long it may take, in seconds [default: as long as it takes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// How much memory it may take, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) memory_limit: u64,
    /// Say how large the task was, what the search did and how long it took; JSON always does
    #[arg(long)]
    pub(crate) statistics: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PlanFormat,
    /// Write the states that the plan goes through there, as JSON Lines
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
}

/// Judge a plan
///
/// Carries the plan out and says whether it solves the problem. If a step cannot be taken: which one, what it lacks, since which step, and what
/// would help. Otherwise, what the goal lacks, which constraints and preferences are violated, and what the metric says.
#[derive(Debug, Args)]
#[command(
    override_usage = "goalspec validate [OPTIONS] [DOMAIN] PROBLEM PLAN",
    after_help = "\
Exit codes:
  0  the plan solves the problem
  1  it does not, or the domain, the problem or the plan has errors
  2  the command line is wrong, or the output cannot be written

Examples:
  goalspec validate problem.pddl plan.txt                 the domain is found beside the problem
  goalspec validate domain.pddl problem.pddl plan.txt
  goalspec validate --format json problem.pddl plan.txt   for a program to read"
)]
pub(crate) struct ValidateArgs {
    /// The domain, if it is not beside the problem, the problem, and the plan: a step a line
    #[arg(required = true, num_args = 2..=3, value_name = "FILES")]
    pub(crate) paths: Vec<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PlanFormat,
    /// Write the states that the plan goes through there, as JSON Lines
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum PlanFormat {
    /// For people, and for programs that read plans
    #[default]
    Text,
    /// A JSON document
    Json,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds is expected".to_owned())?;
    let duration = Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero());
    duration.ok_or_else(|| "more than 0 seconds are expected".to_owned())
}
