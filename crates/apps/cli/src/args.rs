//! The command-line grammar.

mod activities;
mod analyse;
mod audit;
mod fetch;
mod games;
mod new;
mod planning;
mod record;
mod resource;
mod simulate;
mod trace;

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use goalspec::budget::Budget;
use goalspec::game::describe::LtlSyntax;
use goalspec::run::{Engine, Semantics};
use goalspec::simulate::pictures::BoardFormat;
use goalspec::syntax::render::OutputFormat;

pub(crate) use activities::{ActivityArgs, ProgramArgs};
pub(crate) use analyse::{AnalyseArgs, Answers, ModelFormat};
pub(crate) use audit::{AuditArgs, AuditFormat};
pub(crate) use fetch::{FetchArgs, FetchFormat};
pub(crate) use games::GameArgs;
pub(crate) use new::NewArgs;
pub(crate) use planning::{GoalArgs, PlanArgs, PlanEngine, PlanFormat, PlanningArgs, ValidateArgs, Wanted};
pub(crate) use record::TraceRecordArgs;
pub(crate) use resource::ResourceArgs;
pub(crate) use simulate::{BoundsRule, Often, PlayArgs, PolicyView, ReplayArgs, SimulateArgs, Simulations, StudyArgs};
pub(crate) use trace::{
    TraceArgs, TraceCommand, TraceConvertArgs, TraceDiffArgs, TraceHeadArgs, TraceInfoArgs, WorldArg,
};

/// Goals as programs: read, check, run, explain.
#[derive(Debug, Parser)]
#[command(name = "goalspec", version, about, max_term_width = 110, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", display_order = 100)]
    pub(crate) color: Color,
    /// What to do; without one, the command says how to begin.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done, nothing wrong
  1  a program, world or trace has errors, a score, list or export cannot be computed, a played game
     fails, two recordings differ, or a file is not formatted
  2  the command line is wrong, or the output cannot be written
`goalspec plan`, `simulate` and `fetch` have further ones.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// Where the output is a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    New(NewArgs),
    Check(CheckArgs),
    Fmt(FmtArgs),
    Describe(DescribeArgs),
    Score(ScoreArgs),
    Audit(AuditArgs),
    Watch(WatchArgs),
    Simulate(SimulateArgs),
    Play(PlayArgs),
    Replay(ReplayArgs),
    #[command(visible_alias = "analyze")]
    Analyse(AnalyseArgs),
    Plan(PlanArgs),
    Validate(ValidateArgs),
    Options(OptionsArgs),
    Export(ExportArgs),
    Trace(TraceArgs),
    Fetch(FetchArgs),
    Explain(ExplainArgs),
}

/// Check programs, worlds, and whether traces can be read
///
/// Reports every error and everything that is probably not meant, with its place and what to do about it. Errors and warnings
/// come first. Of several notes of one kind the first is shown, unless --notes asks for all of them. Traces are read with the programs' world; reward
/// functions are run over the recordings of their game.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = "\
Examples:
  goalspec check my.game                      check one program
  goalspec check games/ my.world.toml         all programs of a folder, with a world of your own
  goalspec check my.game play.jsonl           a program, and whether the trace is sound and of its world
  goalspec check --fix my.game                apply the fixes that cannot change the meaning
  goalspec check --cost my.game               how many bindings each preference has, and their cost
  goalspec check --verdicts --knowledge bddl-3.6.0/bddl my.bddl
                                              which checks of the Python package an activity passes
  goalspec check reward.py                    a reward function, with its game's classes
  goalspec check reward.py play.jsonl.gz      the same, and what a recording shows of it
  goalspec check --format github games/       annotations for a pull request")]
pub(crate) struct CheckArgs {
    /// Programs, worlds, traces, folders, patterns; `-` for a program on the standard input
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) diagnostics: DiagnosticArgs,
    /// Count warnings as errors
    #[arg(long)]
    pub(crate) deny_warnings: bool,
    /// Show every note, and not the first of each kind alone; formats other than `human` have all of them anyway
    #[arg(long)]
    pub(crate) notes: bool,
    /// Apply the safe fixes
    #[arg(long)]
    pub(crate) fix: bool,
    /// With `--fix`, which it needs: apply the fixes that are guesses as well
    #[arg(long, requires = "fix")]
    pub(crate) unsafe_fixes: bool,
    /// Say how many bindings and bytes each program needs, before it runs
    #[arg(long)]
    pub(crate) cost: bool,
    /// Take traces that name another activity for traces of the activity
    #[arg(long)]
    pub(crate) any_world: bool,
    /// The world of reward functions: a name, such as atari/pong, or a world file [default: the one that they import, or the only one whose file is given]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Say which of the fifteen checks of the Python package each activity passes (with --format json: beside the findings)
    #[arg(long)]
    pub(crate) verdicts: bool,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
    #[command(flatten)]
    pub(crate) planning: PlanningArgs,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DiagnosticArgs {
    /// How findings are written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Diagnostics,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Diagnostics {
    /// With the text they are about
    #[default]
    Human,
    /// One line each: `file:line:column: severity[code]: message`
    Line,
    /// A JSON document
    Json,
    /// Annotations for GitHub workflows
    Github,
    /// SARIF 2.1.0
    Sarif,
}

impl From<Diagnostics> for OutputFormat {
    fn from(format: Diagnostics) -> Self {
        match format {
            Diagnostics::Human => Self::Human,
            Diagnostics::Line => Self::Line,
            Diagnostics::Json => Self::Json,
            Diagnostics::Github => Self::Github,
            Diagnostics::Sarif => Self::Sarif,
        }
    }
}

/// Lay programs out
///
/// Comments stay where they belong; a program means the same before and after. Where parentheses or quotes do not match, nothing is
/// changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec fmt games/               rewrite every program of a folder
  goalspec fmt --check games/       only say which are not formatted (exit code 1)
  goalspec fmt --diff my.game       show what would change
  goalspec fmt - < my.game          from the standard input to the standard output")]
pub(crate) struct FmtArgs {
    /// Programs, folders, patterns; `-` for the standard input
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Write nothing; exit with 1 if a file is not formatted
    #[arg(long)]
    pub(crate) check: bool,
    /// Write nothing; show the differences, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) diff: bool,
}

/// Say in words what a program means
///
/// In plain English, in temporal logic, or as an automaton. With --world, lists what programs of a world can speak of; reward functions are
/// read with that world instead.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec describe my.game                              in plain English, section by section
  goalspec describe --ltl my.game                        each preference in linear temporal logic
  goalspec describe --ltl=spot my.game                   the same, as Spot reads it
  goalspec describe --dot throwToBin my.game | dot -Tsvg the automaton of one preference
  goalspec describe --board svg my.yaml > board.svg      the board of a resource graph game
  goalspec describe --dialect compat-3.6 my.bddl         an activity, in the sentences of release 3.6.0
  goalspec describe --needs my.bddl                      the predicates and properties that an activity needs
  goalspec describe bddl:storing_food                    an activity of a release, by its name
  goalspec describe --world medium-objects-room-v1       types, objects, predicates, functions of a world
  goalspec describe --world list                         the worlds that there are
  goalspec describe --world my.world.toml reward.py      a reward function, and what objects of the world look like in Python")]
pub(crate) struct DescribeArgs {
    /// Programs, worlds, folders, patterns
    #[arg(required_unless_present = "world")]
    pub(crate) paths: Vec<PathBuf>,
    /// In linear temporal logic over finite traces (`LTLf`), in the notation of logic or of a tool
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "standard", value_name = "SYNTAX",
          conflicts_with_all = ["dot", "world"])]
    pub(crate) ltl: Option<Ltl>,
    /// The automaton of this preference, in the DOT language
    #[arg(long, value_name = "PREFERENCE", conflicts_with = "world")]
    pub(crate) dot: Option<String>,
    /// The predicates that an activity uses, and the properties that things must have for them
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "text", value_name = "FORMAT", conflicts_with_all = ["ltl", "dot", "board", "world"])]
    pub(crate) needs: Option<NeedsFormat>,
    /// What this world, by its name or file, has to speak of, or the world of reward functions; `list` names the worlds
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// The board of a resource graph game as a graph, with who sees which node
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["ltl", "dot", "world"])]
    pub(crate) board: Option<Boards>,
    /// The resource that says by true or false whether a node is owned, for --board
    #[arg(long, value_name = "RESOURCE", requires = "board")]
    pub(crate) owned: Option<String>,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
    #[command(flatten)]
    pub(crate) planning: PlanningArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NeedsFormat {
    /// Tables for people
    Text,
    /// One JSON object per activity and line
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ltl {
    /// With ¬, ∧, ∨, ⊤
    Standard,
    /// As Spot reads with --from-ltlf
    Spot,
    /// As `LTLf2DFA` reads
    Ltlf2dfa,
}

impl From<Ltl> for LtlSyntax {
    fn from(ltl: Ltl) -> Self {
        match ltl {
            Ltl::Standard => Self::Standard,
            Ltl::Spot => Self::Spot,
            Ltl::Ltlf2dfa => Self::Ltlf2dfa,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Boards {
    /// In the DOT language
    Dot,
    /// A picture
    Svg,
}

impl From<Boards> for BoardFormat {
    fn from(format: Boards) -> Self {
        match format {
            Boards::Dot => Self::Dot,
            Boards::Svg => Self::Svg,
        }
    }
}

/// Score programs over traces
///
/// Every program is scored over every trace of its world, in one pass per trace.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec score my.game play.jsonl                     one program, one trace
  goalspec score --why my.game play.json.gz             every satisfaction, and why there are no others
  goalspec score games/ traces/ --format csv            all programs of a folder over all traces of another
  goalspec score --semantics reference my.game play.json
                                                        as the authors' reward machine does
  goalspec score --per-step --format json my.game play.jsonl
                                                        with the reward of every state
  goalspec score games/ traces/ --format jsonl          each result as soon as it is known
  goalspec score --budget 20G my.game play.jsonl        a program that takes more work than usual
  goalspec score reward.py pong.jsonl.gz                a reward function over recorded screens
  goalspec score --terms reward.py pong.jsonl.gz        and what each of its terms adds
  zcat play.json.gz | goalspec score my.game -          a trace from the standard input")]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct ScoreArgs {
    /// Programs, traces, worlds, folders, patterns; `-` for a trace on the standard input
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// By whose rules programs are read
    #[arg(long, value_enum, default_value_t, value_name = "RULES")]
    pub(crate) semantics: Rules,
    /// How results are written [default: what the ending of --output says, or else `table`]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Results>,
    /// Say why: every satisfaction, and for unsatisfied preferences how far the best attempt got and what failed
    ///
    /// Of a reward function, `--why=120` says what it did in frame 120: its terms, which way conditions went, and what was compared.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "all", value_name = "FRAME")]
    pub(crate) why: Option<Why>,
    /// The reward of every state
    #[arg(long)]
    pub(crate) per_step: bool,
    /// What each term of a reward function adds: every `reward += ..`, named by its comment or its condition
    ///
    /// With --per-step, in every frame. The reference machine runs the functions then.
    #[arg(long, conflicts_with_all = ["why", "engine"])]
    pub(crate) terms: bool,
    /// Score damaged traces up to the damage
    #[arg(long)]
    pub(crate) partial: bool,
    /// Take traces that name another activity for traces of the activity
    #[arg(long)]
    pub(crate) any_world: bool,
    /// The world of reward functions: a name, such as atari/pong, or a world file [default: the one that they import, or the trace's]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// How much work each program may take over one trace, and a thousandth more for each state: units such as 500M or 20G, or `none`
    ///
    /// What a unit is depends on the program and the trace alone, never on the clock: about what it takes to evaluate an atom. A program
    /// that exceeds the budget has no score; all others do.
    #[arg(long, default_value_t, value_name = "UNITS")]
    pub(crate) budget: Budget,
    /// Units of work that a call of a reward function may take [default: 1000000]
    ///
    /// A unit takes some 50 ns at most. Calls that take more than a quarter of it are slow; all slow calls of a recording may take 16 times as
    /// much together, after which frames are not run.
    #[arg(long, value_name = "UNITS", value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    pub(crate) reward_work: Option<u64>,
    /// How many traces to score at the same time [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// What evaluates programs under --semantics spec; both give the same results [default: fast]
    #[arg(long, value_enum, value_name = "ENGINE", hide_short_help = true)]
    pub(crate) engine: Option<Engines>,
    /// Write results to this file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
}

/// What is to be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// A result as a whole.
    All,
    /// The frame of this number.
    Frame(u64),
}

impl FromStr for Why {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            _ => text.parse().map(Self::Frame).map_err(|_| "a frame is named by its number".to_owned()),
        }
    }
}

impl ScoreArgs {
    /// Returns the output format: the requested one, or that of the extension of the output file.
    pub(crate) fn format(&self) -> Results {
        let ending = || self.output.as_deref()?.extension()?.to_str();
        self.format.or_else(|| Results::from_str(ending()?, true).ok()).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Rules {
    /// As the language is defined
    #[default]
    Spec,
    /// As the authors' reward machine does, deviations included
    Reference,
}

impl From<Rules> for Semantics {
    fn from(rules: Rules) -> Self {
        match rules {
            Rules::Spec => Self::Spec,
            Rules::Reference => Self::Reference,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Engines {
    /// The incremental, bit-parallel engine
    #[default]
    Fast,
    /// The reference interpreter
    #[value(alias = "reference")]
    Interpreter,
}

impl From<Engines> for Engine {
    fn from(engine: Engines) -> Self {
        match engine {
            Engines::Fast => Self::Fast,
            Engines::Interpreter => Self::Interpreter,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Results {
    /// A table for people
    #[default]
    Table,
    /// One JSON document
    Json,
    /// One JSON object per line, each as soon as it is known
    Jsonl,
    /// One row per preference (with --per-step, per state)
    Csv,
    /// As CSV, in a Parquet file
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Results {
    /// Whether the format consists of rows with fixed columns.
    pub(crate) fn is_rows(self) -> bool {
        match self {
            Self::Table | Self::Json | Self::Jsonl => false,
            Self::Csv => true,
            #[cfg(feature = "parquet")]
            Self::Parquet => true,
        }
    }
}

/// Score a live stream
///
/// Reads goalspec's JSON Lines from the standard input and prints one verdict per state as it comes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  my-simulator | goalspec watch my.game           one verdict line per state, a report at the end
  my-simulator | goalspec watch my.game --format json")]
pub(crate) struct WatchArgs {
    /// The program, and the world if it is one of yours
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// How verdicts are written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: WatchFormat,
    /// Take streams that name another activity for streams of the activity
    #[arg(long)]
    pub(crate) any_world: bool,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Verdicts {
    /// A line for people
    #[default]
    Text,
    /// One JSON object per line
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum WatchFormat {
    /// A line for people
    #[default]
    Text,
    /// One JSON object per state and line; the last line is the one that `score --format jsonl` prints
    #[value(alias = "json")]
    Jsonl,
}

/// List the ways in which the goal of an activity can be met
///
/// Each way is a set of literals that together make the goal true: a ground option. They are counted without being listed, so
/// goals with billions of options answer at once.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec options my.bddl                            how many there are, and the shortest
  goalspec options --limit 0 activities/              only the numbers, of all activities of a folder
  goalspec options --dialect compat-3.6 my.bddl       as release 3.6.0 of the Python package lists them
  goalspec options --format jsonl --limit 1000 my.bddl")]
pub(crate) struct OptionsArgs {
    /// Activities, folders, patterns
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// How many options to list of each activity
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) limit: usize,
    /// How they are written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Listings,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Listings {
    /// Lines for people
    #[default]
    Text,
    /// One JSON document
    Json,
    /// One JSON object per activity and line
    Jsonl,
}

/// Write an activity as a planning problem in PDDL
///
/// Its goal with all quantifiers taken apart and a derived predicate for each disjunction, its objects and initial state, and the
/// domain that these need. Actions are not part of BDDL: add your own, or take those that --actions writes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec export my.bddl                         the domain and the problem, one after the other
  goalspec export my.bddl --output plan/          plan/domain.pddl and plan/problem.pddl
  goalspec export --rooms my.bddl                 with rooms, and what stands in them
  goalspec export --actions --knowledge bddl/ my.bddl
                                                  with actions, for any planner")]
pub(crate) struct ExportArgs {
    /// The activity, and the domain file if it is one of yours
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Folder for `domain.pddl` and `problem.pddl`
    #[arg(long, short, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// Write rooms, and what stands in them
    #[arg(long)]
    pub(crate) rooms: bool,
    /// Write the agent, and where it starts
    #[arg(long)]
    pub(crate) agent: bool,
    /// Write actions: what one agent with one hand can do with things, as their abilities allow; needs --knowledge but for LIBERO
    #[arg(long)]
    pub(crate) actions: bool,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
}

/// Explain a diagnostic code, or print the schema of a language
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec explain game/unbound-variable
  goalspec explain --list
  goalspec explain --schema rgg > rgg.schema.json         what editors complete and check games by")]
pub(crate) struct ExplainArgs {
    /// The code, as it stands in brackets behind `error` or `warning`
    #[arg(required_unless_present_any = ["list", "schema"])]
    pub(crate) code: Option<String>,
    /// List all codes
    #[arg(long)]
    pub(crate) list: bool,
    /// Print the JSON Schema of a language, for editors
    #[arg(long, value_enum, value_name = "LANGUAGE", conflicts_with_all = ["code", "list"])]
    pub(crate) schema: Option<Schemas>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Schemas {
    /// Resource graph games
    Rgg,
}
