//! Arguments of `goalspec lot`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use goalspec::lot::View;
use goalspec::lot::translation::ReadingRules;
use goalspec::words::lot::Method;

use super::{ConstrainArg, ModelArgs};

/// The LOT experiment: language models that translate for a planner, or plan
///
/// Objects in stacks are described in controlled English. A language model translates the description into PDDL, for which a planner finds a
/// plan, or writes the plan itself; plans are executed on the true problem (Collins et al. 2022).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec lot generate --specs specs.yaml -o problems         draw the problems of a set
  goalspec lot run --specs specs.yaml --model fake:translator -o run
                                                               run the experiment without a network
  goalspec lot results run                                     the tables of its results")]
pub(crate) struct LotArgs {
    #[command(subcommand)]
    pub(crate) command: LotCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LotCommand {
    Generate(LotGenerateArgs),
    Prompts(LotPromptsArgs),
    Translate(LotTranslateArgs),
    Plan(LotPlanArgs),
    Run(Box<LotRunArgs>),
    Results(LotResultsArgs),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  an input has errors
  2  the command line is invalid, or the output cannot be written";

/// Draw the problems of a set
///
/// The specs are a YAML list of records `{num_obj: 4, test: true}`; records without `test` are training examples for prompts. Each problem
/// becomes a file `problem_III.json`. The draws are those of numpy's default generator with the seed, as in the published program.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec lot generate --specs specs.yaml -o problems
  goalspec lot generate --specs specs.yaml --seed 7 --distinct-goal -o problems
  goalspec lot generate --specs specs.yaml --vocabulary names.json --complex-vocabulary odd-names.json -o problems"))]
pub(crate) struct LotGenerateArgs {
    /// Specs of the problems
    #[arg(long, value_name = "FILE")]
    pub(crate) specs: PathBuf,
    /// Seed of the draws
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    pub(crate) seed: u64,
    /// Draw a problem again while the goal of one of its views holds at the start
    #[arg(long)]
    pub(crate) distinct_goal: bool,
    /// Names of common objects, a JSON list [default: a bundled list]
    #[arg(long, value_name = "FILE")]
    pub(crate) vocabulary: Option<PathBuf>,
    /// Names that replace them in the views two and all, a JSON list [default: a bundled list]
    #[arg(long, value_name = "FILE")]
    pub(crate) complex_vocabulary: Option<PathBuf>,
    /// Folder for the problems
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
}

/// The problem set of a command.
#[derive(Debug, Clone, Args)]
pub(crate) struct ProblemSetArgs {
    /// Specs of the problems
    #[arg(long, value_name = "FILE")]
    pub(crate) specs: PathBuf,
    /// Folder of the problems [default: `problems` beside the specs]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) problems: Option<PathBuf>,
    /// Folder with the plans of training examples, `VIEW/problem_III.json` [default: `plans` beside the specs; plans that are not there
    /// are searched for]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) plans: Option<PathBuf>,
    /// Folder of recorded prompts, from whose sentences the order of stacks is taken
    #[arg(long, value_name = "FOLDER")]
    pub(crate) order_from: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewArg {
    /// One relation
    One,
    /// Two relations; objects have complex names
    Two,
    /// All relations; objects have complex names
    All,
}

impl From<ViewArg> for View {
    fn from(view: ViewArg) -> Self {
        match view {
            ViewArg::One => Self::One,
            ViewArg::Two => Self::Two,
            ViewArg::All => Self::All,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodArg {
    /// The model translates, a planner plans
    Translate,
    /// The model plans
    Direct,
}

impl From<MethodArg> for Method {
    fn from(method: MethodArg) -> Self {
        match method {
            MethodArg::Translate => Self::Translate,
            MethodArg::Direct => Self::Direct,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum RulesArg {
    /// Every reply is parsed on its own, and all its errors count
    #[default]
    Default,
    /// Replies are pasted into a problem and parsed as in the published program
    Seed,
}

impl From<RulesArg> for ReadingRules {
    fn from(rules: RulesArg) -> Self {
        match rules {
            RulesArg::Default => Self::Default,
            RulesArg::Seed => Self::Seed,
        }
    }
}

/// Write the prompts of a set
///
/// Writes the few-shot examples of each method and view, translate-VIEW.txt and plan-VIEW.txt, the plans of the training examples, and with
/// --queries the complete queries of all tests, one JSON object per line.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec lot prompts --specs specs.yaml -o prompts
  goalspec lot prompts --specs specs.yaml --view two --method translate
                                        print the examples of one prompt
  goalspec lot prompts --specs specs.yaml --queries --order-from recordings -o prompts"))]
pub(crate) struct LotPromptsArgs {
    #[command(flatten)]
    pub(crate) set: ProblemSetArgs,
    /// Views [default: all of them]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "VIEW")]
    pub(crate) view: Vec<ViewArg>,
    /// Methods [default: both]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "METHOD")]
    pub(crate) method: Vec<MethodArg>,
    /// Also write the queries of all tests
    #[arg(long)]
    pub(crate) queries: bool,
    /// Folder for the prompts [default: the standard output]
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum TranslationTarget {
    /// Facts in PDDL
    #[default]
    Pddl,
    /// Controlled English
    English,
}

/// Translate controlled English to PDDL, or back, without a model
///
/// The sentences are `The X rests on the table.`, `The X is on the Y.` and `There is nothing on the X.`, one per line. Everything else is
/// reported with a suggestion.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec lot translate state.txt
  goalspec lot translate state.txt --objects \"tea pot, tray, cup\"   report other names
  goalspec lot translate facts.pddl --to english
  echo \"There is nothing on the tea pot.\" | goalspec lot translate -"))]
pub(crate) struct LotTranslateArgs {
    /// Text, or facts with --to english; `-` for the standard input
    pub(crate) file: PathBuf,
    /// Language of the translation
    #[arg(long, value_enum, default_value_t, value_name = "LANGUAGE")]
    pub(crate) to: TranslationTarget,
    /// Names of the objects, separated by commas; other names are errors
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) objects: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: LotFormat,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum LotFormat {
    /// Text
    #[default]
    Text,
    /// JSON
    Json,
}

/// Plan for a problem, or judge a plan
///
/// The problem is a file of a set with a view, or an initial state and a goal in controlled English. With --judge, the lines of a plan are
/// executed on it: lines that are not applicable actions are reported and skipped, or fail the plan with --strict.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  success: a plan was found, or the judged plan reaches the goal
  1  an input has errors, there is no plan, or the judged plan does not reach the goal
  2  the command line is invalid, or the output cannot be written

Examples:
  goalspec lot plan problems/problem_003.json --view all
  goalspec lot plan --state state.txt --goal goal.txt
  goalspec lot plan problems/problem_003.json --view one --judge plan.txt --strict
  goalspec lot plan problems/problem_003.json --view two --pddl    print the planning problem")]
pub(crate) struct LotPlanArgs {
    /// Problem file
    #[arg(required_unless_present = "state", conflicts_with_all = ["state", "goal"])]
    pub(crate) problem: Option<PathBuf>,
    /// View of the problem
    #[arg(long, value_enum, default_value = "all", value_name = "VIEW", conflicts_with = "state")]
    pub(crate) view: ViewArg,
    /// Text of the initial state; `-` for the standard input
    #[arg(long, value_name = "FILE", requires = "goal")]
    pub(crate) state: Option<PathBuf>,
    /// Text of the goal
    #[arg(long, value_name = "FILE", requires = "state")]
    pub(crate) goal: Option<PathBuf>,
    /// Plan to judge
    #[arg(long, value_name = "FILE")]
    pub(crate) judge: Option<PathBuf>,
    /// Fail the judged plan at the first line that is skipped
    #[arg(long, requires = "judge")]
    pub(crate) strict: bool,
    /// Print the domain and the planning problem in PDDL instead of a plan
    #[arg(long, conflicts_with = "judge")]
    pub(crate) pddl: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: LotFormat,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
}

/// Run the experiment
///
/// Asks a language model for the translations or plans of all tests, and judges them. Findings of checks go back to the model, up to --repairs
/// times. All conversations are recorded in the output folder: an interrupted run continues where it ended. Without --model, the recorded
/// models of the published experiment are used, for --llm replay.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  success
  1  an input has errors, or a reply is missing: a call failed, or --llm replay found no recording
  2  the command line is invalid, or the output cannot be written
  3  a cap (--max-..) is reached; the results so far are written
  4  the model cannot be reached, or refuses calls
  5  --llm off forbids calls

Examples:
  goalspec lot run --specs specs.yaml --model fake:translator -o run
  goalspec lot run --specs specs.yaml --model fake:noisy --repairs 3 -o run
  goalspec lot run --specs specs.yaml --method translate --model qwen3 --base-url http://127.0.0.1:11434/v1 -o run
  goalspec lot run --specs specs.yaml --model gpt-4.1-mini --profile openai --dry-run
                                        print the prompts and what the run can cost at most
  goalspec lot run --specs specs.yaml --llm replay --cache recorded --order-from recordings --rules seed -o run")]
pub(crate) struct LotRunArgs {
    #[command(flatten)]
    pub(crate) set: ProblemSetArgs,
    /// Methods [default: both]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "METHOD")]
    pub(crate) method: Vec<MethodArg>,
    /// Views [default: all of them]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "VIEW")]
    pub(crate) view: Vec<ViewArg>,
    /// Rules by which translations are read
    #[arg(long, value_enum, default_value_t, value_name = "RULES")]
    pub(crate) rules: RulesArg,
    /// Maximum number of repairs of a reply
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=100))]
    pub(crate) repairs: u16,
    /// Folder for the conversations and results [required unless --dry-run is set]
    #[arg(short, long, value_name = "FOLDER", required_unless_present = "dry_run")]
    pub(crate) output: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Constrain replies to the texts of the language over the given vocabulary; each reply is checked again
    #[arg(long, value_enum, value_name = "NOTATION")]
    pub(crate) constrain: Option<ConstrainArg>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum LotResultsFormat {
    /// Tables as text
    #[default]
    Text,
    /// A row for each view of each problem, as CSV
    Csv,
    /// JSON
    Json,
    /// A page of HTML
    Html,
}

/// Print the tables of results
///
/// Prints the numbers of solved problems with Wilson's intervals beside what doing nothing scores, exact and equivalent translations, strict
/// judging, cut replies, McNemar's exact tests between the runs, repairs by kind of fault, and costs.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec lot results run
  goalspec lot results run --lines                  also a row for each problem
  goalspec lot results run-a run-b                  compare two runs
  goalspec lot results run --format csv -o results.csv
  goalspec lot results run --format html -o results.html"))]
pub(crate) struct LotResultsArgs {
    /// Folders of runs, or their files results.json
    #[arg(required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// Also print a row for each problem
    #[arg(long)]
    pub(crate) lines: bool,
    /// Judge by strict rules: the first skipped line of a plan fails it
    #[arg(long)]
    pub(crate) strict: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: LotResultsFormat,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
    /// File for the results [default: the standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
