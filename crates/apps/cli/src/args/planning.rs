//! Options for planning problems, and arguments of `goalspec plan` and `goalspec validate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use goalspec::planning::choice::Search;

use super::{ActivityArgs, GameArgs};

// No doc comment: clap would use it as the description of the command.
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
    1  the files or the goal have errors or are not planned for, or Fast Downward failed
    2  the command line is wrong, or the output cannot be written
    3  there is no plan, which is certain
    4  no plan was found within the time
    5  no plan was found within the memory, or within the states allowed
    6  the search gave up without a plan, which proves nothing
    7  an activity's goal needs what no action of the model does, or it has no plan and the model
       knows some of the ways only, which proves nothing
  130  interrupted (Ctrl-C) before there was a plan

Examples:
  goalspec plan problem.pddl                              the domain is found beside the problem
  goalspec plan domain.pddl problem.pddl > plan.txt       the plan, as a file
  goalspec plan --optimal problem.pddl                    a plan of least cost
  goalspec plan --improve --time-limit 30 problem.pddl    the best plan of half a minute
  goalspec plan --search lazy-ff --statistics problem.pddl
                                                          by a search of your choice
  goalspec plan --engine fast-downward problem.pddl       by Fast Downward, if it is installed
  goalspec plan --knowledge bddl/ my.bddl                 an activity, by what its things allow
  goalspec plan --goal errands.game::tidy problem.pddl
                                                          to satisfy a preference of a game instead
  goalspec plan --goal '(sometime (at red mill))' --keep-goal problem.pddl
                                                          to reach a condition of your own as well
  goalspec plan --trace run.jsonl problem.pddl            the states that it goes through, for `goalspec score`";

/// Find a plan for a planning problem or an activity
///
/// The plan is carried out by the reference interpreter before it is printed. Without options the first plan found is taken: as cheap as it can
/// be made without further search. Ctrl-C ends the search, and the best plan so far is printed.
#[derive(Debug, Args)]
#[command(after_help = PLAN_HELP, override_usage = "goalspec plan [OPTIONS] [DOMAIN] PROBLEM")]
pub(crate) struct PlanArgs {
    /// The domain, if it is not beside the problem, and the problem or activity; `-` for one of them is the standard input
    #[arg(required = true, num_args = 1..=2, value_name = "FILES")]
    pub(crate) paths: Vec<PathBuf>,
    /// Find a plan of least cost
    #[arg(long, conflicts_with = "improve")]
    pub(crate) optimal: bool,
    /// Look for better and better plans, until it is certain that there is none, or a limit is reached
    #[arg(long)]
    pub(crate) improve: bool,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    /// How long it may take, in seconds [default: as long as it takes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// How much memory it may take, in megabytes, of what the process and the machine have
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) memory_limit: u64,
    /// How many states each search may keep, roughly [default: as many as the memory takes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) state_limit: Option<u32>,
    /// Which search looks for a plan
    #[arg(long, value_name = "NAME", value_parser = searches(), default_value = Search::Portfolio.name())]
    pub(crate) search: Search,
    /// Which planner does
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    pub(crate) engine: PlanEngine,
    /// Fast Downward's program [default: `fast-downward`, `fast-downward.py` or `downward` on the PATH, or that of the Python package
    /// `up-fast-downward`]
    #[arg(long, value_name = "FILE")]
    pub(crate) engine_path: Option<PathBuf>,
    /// Say how large the task was, what the search did and how long it took; JSON always does
    #[arg(long)]
    pub(crate) statistics: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PlanFormat,
    /// Write the states that the plan goes through there, as JSON Lines; `-` is the standard output, and the plan goes to standard error then
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) activities: ActivityArgs,
}

// No doc comment: clap would use it as the description of the command.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct GoalArgs {
    /// What the plan is to reach instead of the problem's goal: a preference of a game, or a condition in PDDL, on states or on the run of
    /// states, which begins with `(`
    #[arg(long, value_name = "FILE[::PREFERENCE]|CONDITION", allow_hyphen_values = true)]
    pub(crate) goal: Option<String>,
    /// With --goal: the problem's own goal is to be reached as well
    #[arg(long, requires = "goal")]
    pub(crate) keep_goal: bool,
    #[command(flatten)]
    pub(crate) games: GameArgs,
}

/// The goal given by `--goal`.
#[derive(Debug)]
pub(crate) enum Wanted<'a> {
    /// A file with a game, and the name of a preference in it.
    Preference(PathBuf, Option<&'a str>),
    /// A PDDL condition.
    Condition(&'a str),
}

impl Wanted<'_> {
    /// Returns the file that contains the goal, if any.
    pub(crate) fn file(&self) -> Option<&PathBuf> {
        match self {
            Self::Preference(file, _) => Some(file),
            Self::Condition(_) => None,
        }
    }
}

impl GoalArgs {
    /// Returns the goal that replaces or extends the goal of the problem.
    pub(crate) fn wanted(&self) -> Option<Wanted<'_>> {
        let goal = self.goal.as_deref()?;
        if goal.trim_start().starts_with('(') {
            return Some(Wanted::Condition(goal));
        }
        Some(match goal.rsplit_once("::") {
            Some((file, preference)) => Wanted::Preference(file.into(), Some(preference)),
            None => Wanted::Preference(goal.into(), None),
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum PlanEngine {
    /// The one that is part of goalspec
    #[default]
    Goalspec,
    /// Fast Downward, a program of its own: LAMA's first search; LAMA with --improve; A* by landmark cuts with --optimal, or without a heuristic where they do not support the task
    FastDownward,
}

/// Returns a parser of searches by name.
fn searches() -> impl TypedValueParser<Value = Search> {
    let values = Search::ALL.map(|search| PossibleValue::new(search.name()).help(search.about()));
    PossibleValuesParser::new(values).try_map(|name| Search::named(&name).ok_or("there is no such search"))
}

/// Judge a plan
///
/// Carries the plan out and says whether it solves the problem. If a step cannot be taken: which one, what it lacks, since which step, and what
/// would help. Otherwise, what the goal lacks, which constraints and preferences are violated, and what the metric says. The goal is the problem's,
/// or that of --goal.
#[derive(Debug, Args)]
#[command(
    override_usage = "goalspec validate [OPTIONS] [DOMAIN] PROBLEM PLAN",
    after_help = "\
Exit codes:
  0  the plan solves the problem, with the goal of --goal if there is one
  1  it does not, or the domain, the problem, the goal or the plan has errors
  2  the command line is wrong, or the output cannot be written

Examples:
  goalspec validate problem.pddl plan.txt                 the domain is found beside the problem
  goalspec validate domain.pddl problem.pddl plan.txt
  goalspec validate --knowledge bddl/ my.bddl plan.txt    a plan for an activity, with the activity's names
  goalspec validate --goal errands.game::tidy problem.pddl plan.txt
                                                          by a preference of a game instead
  goalspec validate --goal '(sometime (at red mill))' --keep-goal problem.pddl plan.txt
                                                          by a condition of your own as well
  goalspec validate --format json problem.pddl plan.txt   for a program to read"
)]
pub(crate) struct ValidateArgs {
    /// The domain, if it is not beside the problem, the problem or activity, and the plan: a step a line; `-` for one of them is the standard
    /// input
    #[arg(required = true, num_args = 2..=3, value_name = "FILES")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PlanFormat,
    /// Write the states that the plan goes through there, as JSON Lines; `-` is the standard output, and the answer goes to standard error then
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) activities: ActivityArgs,
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
