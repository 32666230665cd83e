//! Options for planning problems, and arguments of `goalspec plan` and `goalspec validate`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use goalspec::planning::search::Search;

use super::{ActivityArgs, GameArgs};

// No doc comment: clap would use it as the description of the command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Planning problems (PDDL)")]
pub(crate) struct PlanningArgs {
    /// Domain of all problems [default: the domain that the problem names, in the given files or in the folder of the problem]
    #[arg(long, value_name = "FILE")]
    pub(crate) domain: Option<PathBuf>,
}

const PLAN_HELP: &str = "\
Exit codes:
    0  a plan was found
    1  invalid input or unsupported feature, or Fast Downward failed
    2  the command line is invalid, or the output cannot be written
    3  the problem is unsolvable (proved)
    4  time limit reached without a plan
    5  memory limit or state limit reached without a plan
    6  no plan found by an incomplete search; unsolvability not proved
    7  no plan for the activity, and the action model is incomplete for its goal; unsolvability
       not proved
  130  interrupted (Ctrl-C) before a plan was found

Examples:
  goalspec plan problem.pddl                              with the domain in the same folder
  goalspec plan domain.pddl problem.pddl > plan.txt       write the plan to a file
  goalspec plan --optimal problem.pddl                    find an optimal plan
  goalspec plan --improve --time-limit 30 problem.pddl    find the best plan within 30 s
  goalspec plan --search lazy-ff --statistics problem.pddl
                                                          with a selected search
  goalspec plan --engine fast-downward problem.pddl       with Fast Downward, if installed
  goalspec plan --knowledge bddl/ my.bddl                 plan for an activity
  goalspec plan --goal errands.game::tidy problem.pddl
                                                          replace the goal with a preference of a game
  goalspec plan --goal '(sometime (at red mill))' --keep-goal problem.pddl
                                                          add a condition to the goal
  goalspec plan --trace run.jsonl problem.pddl            write the states of the plan for `goalspec score`";

/// Find a plan for a planning problem or an activity
///
/// The reference interpreter validates the plan before it is printed. By default, the first plan found is printed, after post-processing
/// without further search. Without a time limit, the plan does not depend on the speed or load of the machine. Ctrl-C ends the search and prints the best plan found so far.
#[derive(Debug, Args)]
#[command(after_help = PLAN_HELP, override_usage = "goalspec plan [OPTIONS] [DOMAIN] PROBLEM")]
pub(crate) struct PlanArgs {
    /// The domain, unless it is in the folder of the problem, and the problem or activity; `-` for one of them is standard input
    #[arg(required = true, num_args = 1..=2, value_name = "FILES")]
    pub(crate) paths: Vec<PathBuf>,
    /// Find an optimal plan
    #[arg(long, conflicts_with = "improve")]
    pub(crate) optimal: bool,
    /// Search for better plans until one is proved optimal or a limit is reached
    #[arg(long)]
    pub(crate) improve: bool,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    /// Time limit in seconds [default: none]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Memory limit in megabytes; limits of the process and the machine also apply
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) memory_limit: u64,
    /// Approximate limit on the stored states of each search [default: limited by memory only]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) state_limit: Option<u32>,
    /// Search algorithm
    #[arg(long, value_name = "NAME", value_parser = searches(), default_value = Search::Portfolio.name())]
    pub(crate) search: Search,
    /// Seed of the pseudo-random decisions of the search
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The number of threads, of which at most two are used; it does not affect the plan [default: one per core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Planner
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    pub(crate) engine: PlanEngine,
    /// Fast Downward executable [default: `fast-downward`, `fast-downward.py` or `downward` on the PATH, or that of the Python package
    /// `up-fast-downward`]
    #[arg(long, value_name = "FILE")]
    pub(crate) engine_path: Option<PathBuf>,
    /// Print the task size, search statistics and times; always included in JSON
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PlanFormat,
    /// Write the states of the plan to FILE as JSON Lines; `-` is standard output, and the plan is then printed to standard error
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Changes to the actions with which plans for activities are searched, such as those of another robot
    #[arg(long, value_name = "FILE")]
    pub(crate) actions: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) activities: ActivityArgs,
}

// No doc comment: clap would use it as the description of the command.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct GoalArgs {
    /// Goal that replaces the goal of the problem: a preference of a game, or a PDDL condition on states or state trajectories, which
    /// starts with `(`
    #[arg(long, value_name = "FILE[::PREFERENCE]|CONDITION", allow_hyphen_values = true)]
    pub(crate) goal: Option<String>,
    /// With --goal: also require the goal of the problem
    #[arg(long, requires = "goal")]
    pub(crate) keep_goal: bool,
    #[command(flatten)]
    pub(crate) games: GameArgs,
}

/// The goal given by `--goal`.
#[derive(Debug)]
pub(crate) enum GoalSource<'a> {
    /// A file with a game, and the name of a preference in it.
    Preference(PathBuf, Option<&'a str>),
    /// A PDDL condition.
    Condition(&'a str),
}

impl GoalSource<'_> {
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
    pub(crate) fn goal_source(&self) -> Option<GoalSource<'_>> {
        let goal = self.goal.as_deref()?;
        if goal.trim_start().starts_with('(') {
            return Some(GoalSource::Condition(goal));
        }
        Some(match goal.rsplit_once("::") {
            Some((file, preference)) => GoalSource::Preference(file.into(), Some(preference)),
            None => GoalSource::Preference(goal.into(), None),
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum PlanEngine {
    /// The built-in planner
    #[default]
    Goalspec,
    /// Fast Downward, an external planner: LAMA's first iteration; LAMA with --improve; with --optimal A* with LM-cut, or with the blind
    /// heuristic if LM-cut does not support the task
    FastDownward,
}

/// Returns a parser of searches by name.
fn searches() -> impl TypedValueParser<Value = Search> {
    let values = Search::ALL.map(|search| PossibleValue::new(search.name()).help(search.description()));
    PossibleValuesParser::new(values).try_map(|name| Search::named(&name).ok_or("unknown search"))
}

/// Validate a plan
///
/// Executes the plan and reports whether it solves the problem. If a step is not applicable, reports the step, its unmet preconditions, the
/// steps since which they are unmet, and actions that would fix them. Otherwise reports the unmet goal conditions, the violated constraints
/// and preferences, and the value of the metric. The goal is that of the problem or of --goal. With --skip-inapplicable, steps that are not
/// applicable are skipped and reported, and the goal is judged after the last step.
#[derive(Debug, Args)]
#[command(
    override_usage = "goalspec validate [OPTIONS] [DOMAIN] PROBLEM PLAN",
    after_help = "\
Exit codes:
  0  the plan solves the problem, including the goal of --goal if given
  1  the plan is invalid, or the domain, the problem, the goal or the plan has errors
  2  the command line is invalid, or the output cannot be written

Examples:
  goalspec validate problem.pddl plan.txt                 with the domain in the same folder
  goalspec validate domain.pddl problem.pddl plan.txt
  goalspec validate --knowledge bddl/ my.bddl plan.txt    validate a plan for an activity
  goalspec validate --goal errands.game::tidy problem.pddl plan.txt
                                                          replace the goal with a preference of a game
  goalspec validate --goal '(sometime (at red mill))' --keep-goal problem.pddl plan.txt
                                                          add a condition to the goal
  goalspec validate --skip-inapplicable problem.pddl plan.txt
                                                          judge the goal after all applicable steps
  goalspec validate --format json problem.pddl plan.txt   print a JSON document"
)]
pub(crate) struct ValidateArgs {
    /// The domain, unless it is in the folder of the problem, the problem or activity, and the plan, one step per line; `-` for one of them
    /// is standard input
    #[arg(required = true, num_args = 2..=3, value_name = "FILES")]
    pub(crate) paths: Vec<PathBuf>,
    /// Skip and report steps that are not applicable or have unknown names, and judge the goal after the last step
    #[arg(long)]
    pub(crate) skip_inapplicable: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PlanFormat,
    /// Write the states of the plan to FILE as JSON Lines; `-` is standard output, and the report is then printed to standard error
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Changes to the actions with which plans for activities are searched, such as those of another robot
    #[arg(long, value_name = "FILE")]
    pub(crate) actions: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    #[command(flatten)]
    pub(crate) activities: ActivityArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum PlanFormat {
    /// Text; the plan in the usual format of planners
    #[default]
    Text,
    /// A JSON document
    Json,
}

/// Parses a positive number of seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    let duration = Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero());
    duration.ok_or_else(|| "expected more than 0 seconds".to_owned())
}
