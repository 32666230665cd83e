//! The command-line grammar.

mod activities;
mod analyse;
mod audit;
mod diff;
mod equiv;
mod fetch;
mod games;
mod generate;
mod llm;
mod llm_grammar;
mod lot;
mod model;
mod new;
mod planning;
mod playable;
mod resource;
mod reward;
mod score;
mod serve;
#[cfg(feature = "parquet")]
mod shard;
mod shell;
mod simulate;
mod trace;
mod trace_record;
mod translate;
mod view;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use goalspec::game::describe::LtlSyntax;
use goalspec::simulation::charts::BoardFormat;
use goalspec::syntax::render::OutputFormat;

pub(crate) use activities::{ActivityArgs, ProgramArgs};
pub(crate) use analyse::{AnalyseArgs, AnalysisFormat, ModelFormat};
pub(crate) use audit::{AuditArgs, AuditFormat};
pub(crate) use diff::{DiffArgs, DiffFormat};
pub(crate) use equiv::{EquivArgs, EquivFormat};
pub(crate) use fetch::{FetchArgs, FetchFormat};
pub(crate) use games::GameArgs;
pub(crate) use generate::{
    DedupArgs, EvidenceArgs, EvolveArgs, FitArgs, FitnessArgs, GenerateArgs, GenerateCommand, GeneratorArgs, GradeArgs,
    NoveltyArgs, PublishedPreset, SampleArgs, SeriesArgs, StudyArgs, VaryArgs,
};
pub(crate) use llm::{LlmArgs, LlmCommand, LlmFormat, LlmImportArgs, LlmProbeArgs, LlmReportArgs, LlmReportFormat};
pub(crate) use llm_grammar::{GrammarLanguage, GrammarNotation, LlmGrammarArgs};
pub(crate) use lot::{
    LotArgs, LotCommand, LotFormat, LotGenerateArgs, LotPlanArgs, LotPromptsArgs, LotResultsArgs, LotResultsFormat,
    LotRunArgs, LotTranslateArgs, MethodArg, ProblemSetArgs, TranslationTarget, ViewArg,
};
pub(crate) use model::{ConstrainArg, LlmMode, ModelArgs, WireFormat};
pub(crate) use new::NewArgs;
pub(crate) use planning::{GoalArgs, GoalSource, PlanArgs, PlanEngine, PlanFormat, PlanningArgs, ValidateArgs};
pub(crate) use playable::PlayableArgs;
pub(crate) use resource::ResourceArgs;
pub(crate) use reward::{RewardArgs, RewardCommand, RewardGenerateArgs};
pub(crate) use score::{EngineName, ExplanationScope, GameSemantics, ScoreArgs, ScoreFormat, WatchArgs, WatchFormat};
pub(crate) use serve::ServeArgs;
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use simulate::{
    BoundsRule, DrawFrequency, ExperimentArgs, PlayArgs, PolicyPerspective, ReplayArgs, SimulateArgs, SimulationFormat,
};
pub(crate) use trace::{
    TraceArgs, TraceCommand, TraceConvertArgs, TraceDiffArgs, TraceHeadArgs, TraceInfoArgs, WorldArg,
};
pub(crate) use trace_record::TraceRecordArgs;
pub(crate) use translate::{TranslateArgs, TranslationFormat, TranslationLanguage};
pub(crate) use view::ViewArgs;

/// Goals as programs: read, check, run, explain.
#[derive(Debug, Parser)]
#[command(name = "goalspec", version, about, max_term_width = 110, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    /// Colours in the output
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", display_order = 100)]
    pub(crate) color: Color,
    /// The command; without one, an introduction is printed
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  a program, world or trace has errors, a score, list or export cannot be computed, a simulated
     game fails, two recordings differ, or a file is not formatted
  2  the command line is invalid, or the output cannot be written
`goalspec plan`, `diff`, `equiv`, `generate evolve`, `simulate`, `fetch`, `reward`, `translate`, `llm` and `lot run` have further exit codes.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// If the output is a terminal
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
    Reward(RewardArgs),
    Train(TrainArgs),
    Translate(Box<TranslateArgs>),
    Watch(WatchArgs),
    View(Box<ViewArgs>),
    Simulate(SimulateArgs),
    Play(PlayArgs),
    Replay(ReplayArgs),
    Serve(ServeArgs),
    #[command(visible_alias = "analyze")]
    Analyse(AnalyseArgs),
    Plan(PlanArgs),
    Validate(ValidateArgs),
    Generate(Box<GenerateArgs>),
    Diff(Box<DiffArgs>),
    Equiv(Box<EquivArgs>),
    Options(OptionsArgs),
    Export(ExportArgs),
    Trace(TraceArgs),
    Fetch(FetchArgs),
    Llm(LlmArgs),
    Lot(LotArgs),
    Explain(ExplainArgs),
    Lsp(LspArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Check programs, worlds and traces
///
/// Reports errors and probable mistakes, each with its location and a suggestion. Errors and warnings come first. Repeated notes of
/// one kind are condensed to the first one, unless --notes is set. Traces are read with the world of the programs; reward functions are
/// run over the recordings of their game.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = "\
Examples:
  goalspec check my.game                      check one program
  goalspec check games/ my.world.toml         check all programs of a folder, with a custom world
  goalspec check my.game play.jsonl           check a program, and a trace against its world
  goalspec check --fix my.game                apply the fixes that preserve the meaning
  goalspec check --cost my.game               print the number of bindings of each preference, and their cost
  goalspec check --verdicts --knowledge bddl-3.6.0/bddl my.bddl
                                              print the checks of the Python package that an activity passes
  goalspec check reward.py                    check a reward function, with the classes of its game
  goalspec check reward.py play.jsonl.gz      the same, and run it over a recording
  goalspec check --playable my.game plays/    tell whether the setup and each preference can be achieved
  goalspec check --format github games/       write annotations for a pull request")]
pub(crate) struct CheckArgs {
    /// Programs, worlds, traces, folders or patterns; `-` for a program on the standard input
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) diagnostics: DiagnosticArgs,
    /// Treat warnings as errors
    #[arg(long)]
    pub(crate) deny_warnings: bool,
    /// Show all notes, not only the first of each kind; formats other than `human` always contain all notes
    #[arg(long)]
    pub(crate) notes: bool,
    /// Apply the safe fixes
    #[arg(long)]
    pub(crate) fix: bool,
    /// Also apply unsafe fixes, which may change the meaning; requires `--fix`
    #[arg(long, requires = "fix")]
    pub(crate) unsafe_fixes: bool,
    /// Print the number of bindings and the memory that each program requires
    #[arg(long)]
    pub(crate) cost: bool,
    /// Accept traces that name another activity
    #[arg(long)]
    pub(crate) any_world: bool,
    /// The world of reward functions: a name, such as atari/pong, or a world file [default: the imported world, or the only world file
    /// among the paths]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Print which of the fifteen checks of the Python package each activity passes; with --format json, next to the findings
    #[arg(long)]
    pub(crate) verdicts: bool,
    #[command(flatten)]
    pub(crate) playable: PlayableArgs,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
    #[command(flatten)]
    pub(crate) planning: PlanningArgs,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DiagnosticArgs {
    /// Output format of diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: DiagnosticFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum DiagnosticFormat {
    /// Diagnostics with quoted source text
    #[default]
    Human,
    /// One diagnostic per line: `file:line:column: severity[code]: message`
    Line,
    /// A JSON document
    Json,
    /// Annotations for GitHub workflows
    Github,
    /// SARIF 2.1.0
    Sarif,
}

impl From<DiagnosticFormat> for OutputFormat {
    fn from(format: DiagnosticFormat) -> Self {
        match format {
            DiagnosticFormat::Human => Self::Human,
            DiagnosticFormat::Line => Self::Line,
            DiagnosticFormat::Json => Self::Json,
            DiagnosticFormat::Github => Self::Github,
            DiagnosticFormat::Sarif => Self::Sarif,
        }
    }
}

/// Format programs
///
/// Formatting keeps comments and preserves the meaning. Files with unmatched parentheses or quotes are not changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec fmt games/               format all programs of a folder
  goalspec fmt --check games/       list the files that are not formatted (exit code 1)
  goalspec fmt --diff my.game       print the changes as a diff
  goalspec fmt - < my.game          format the standard input to the standard output")]
pub(crate) struct FmtArgs {
    /// Programs, folders or patterns; `-` for the standard input
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// List the files that are not formatted, without changing them; exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Print the changes as a diff, without changing files; exit with 1 if there are any
    #[arg(long)]
    pub(crate) diff: bool,
}

/// Describe programs in English, as logic or as automata
///
/// With --world, lists the types, objects, predicates and functions of a world; together with reward functions, it sets their world
/// instead. With traces, reward functions run over them, and the share of calls and of time of each engine is printed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec describe my.game                              in English, section by section
  goalspec describe --ltl my.game                        each preference in linear temporal logic
  goalspec describe --ltl=spot my.game                   the same, in the syntax of Spot
  goalspec describe --dot throwToBin my.game | dot -Tsvg the automaton of one preference
  goalspec describe --board svg my.yaml > board.svg      the board of a resource graph game
  goalspec describe --dialect compat-3.6 my.bddl         an activity, with the sentences of release 3.6.0
  goalspec describe --needs my.bddl                      the predicates and properties that an activity requires
  goalspec describe bddl:storing_food                    an activity of an installed release
  goalspec describe --world medium-objects-room-v1       the types, objects, predicates and functions of a world
  goalspec describe --world list                         the built-in worlds
  goalspec describe --world my.world.toml reward.py      a reward function, and the Python classes of the world's objects
  goalspec describe reward.py pong.jsonl.gz              a reward function, and which engines ran its calls over a trace")]
pub(crate) struct DescribeArgs {
    /// Programs, worlds, traces, folders or patterns
    #[arg(required_unless_present = "world")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print linear temporal logic over finite traces (`LTLf`), in standard notation or in that of a tool
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "standard", value_name = "SYNTAX",
          conflicts_with_all = ["dot", "world"])]
    pub(crate) ltl: Option<LtlDialect>,
    /// Print the automaton of this preference in the DOT language
    #[arg(long, value_name = "PREFERENCE", conflicts_with = "world")]
    pub(crate) dot: Option<String>,
    /// Print the predicates that an activity uses, and the properties of objects that they require
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "text", value_name = "FORMAT", conflicts_with_all = ["ltl", "dot", "board", "world"])]
    pub(crate) needs: Option<DescriptionFormat>,
    /// Print only how the calls of reward functions over traces were run: the share of calls and of time of each engine
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "text", value_name = "FORMAT", conflicts_with_all = ["ltl", "dot", "board", "needs"])]
    pub(crate) engines: Option<DescriptionFormat>,
    /// The world to describe, or the world of reward functions: a name or a file; `list` lists the built-in worlds
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Print the board of a resource graph game as a graph, with the visibility of nodes
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["ltl", "dot", "world"])]
    pub(crate) board: Option<BoardImageFormat>,
    /// The bool resource that marks owned nodes, for --board
    #[arg(long, value_name = "RESOURCE", requires = "board")]
    pub(crate) owned: Option<String>,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
    #[command(flatten)]
    pub(crate) planning: PlanningArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DescriptionFormat {
    /// Human-readable text
    Text,
    /// One line with a JSON object per activity, or per program and trace
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LtlDialect {
    /// With ¬, ∧, ∨, ⊤
    Standard,
    /// The syntax of Spot, for --from-ltlf
    Spot,
    /// The syntax of `LTLf2DFA`
    Ltlf2dfa,
}

impl From<LtlDialect> for LtlSyntax {
    fn from(ltl: LtlDialect) -> Self {
        match ltl {
            LtlDialect::Standard => Self::Standard,
            LtlDialect::Spot => Self::Spot,
            LtlDialect::Ltlf2dfa => Self::Ltlf2dfa,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoardImageFormat {
    /// The DOT language
    Dot,
    /// An SVG image
    Svg,
}

impl From<BoardImageFormat> for BoardFormat {
    fn from(format: BoardImageFormat) -> Self {
        match format {
            BoardImageFormat::Dot => Self::Dot,
            BoardImageFormat::Svg => Self::Svg,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum VerdictFormat {
    /// One human-readable line
    #[default]
    Text,
    /// One JSON object per line
    Json,
}

/// List the ground options of the goal of an activity
///
/// A ground option is a set of literals that together satisfy the goal. Options are counted without being enumerated, so counting is
/// fast even for goals with billions of options.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec options my.bddl                            the number of options, and the shortest ones
  goalspec options --limit 0 activities/              only the numbers of options, for all activities of a folder
  goalspec options --dialect compat-3.6 my.bddl       in the order of release 3.6.0 of the Python package
  goalspec options --format jsonl --limit 1000 my.bddl")]
pub(crate) struct OptionsArgs {
    /// Activities, folders or patterns
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Maximum number of options listed per activity
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) limit: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ListingFormat,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ListingFormat {
    /// Human-readable lines
    #[default]
    Text,
    /// One JSON document
    Json,
    /// One line with a JSON object per activity
    Jsonl,
}

/// Export an activity as a planning problem in PDDL
///
/// Writes the goal with expanded quantifiers and a derived predicate for each disjunction, the objects, the initial state, and the
/// domain. BDDL has no actions: add your own, or use those of --actions.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec export my.bddl                         the domain, followed by the problem
  goalspec export my.bddl --output plan/          plan/domain.pddl and plan/problem.pddl
  goalspec export --rooms my.bddl                 with rooms and their contents
  goalspec export --actions --knowledge bddl/ my.bddl
                                                  with actions, for any planner")]
pub(crate) struct ExportArgs {
    /// The activity, and its domain file if it is a custom domain
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Folder for `domain.pddl` and `problem.pddl`
    #[arg(long, short, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// Include rooms and their contents
    #[arg(long)]
    pub(crate) rooms: bool,
    /// Include the agent and its initial position
    #[arg(long)]
    pub(crate) agent: bool,
    /// Include actions of one agent with one hand, according to the abilities of objects, with the changes in FILE; requires
    /// --knowledge, except for LIBERO
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "the option may stand without its value")]
    pub(crate) actions: Option<Option<PathBuf>>,
    #[command(flatten)]
    pub(crate) activities: ProgramArgs,
}

/// Train agents on the reward of a program, with the Python package
///
/// Tells whether an agent learns the reward, and whether that raises the true reward of its environment. Training is written in Python:
/// this command exists in the `goalspec` that the Python package installs, where `goalspec train --help` lists its options.
#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    /// The arguments of the command of the Python package
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

/// Run the language server for editors
///
/// Speaks the Language Server Protocol on the standard input and output until the editor ends it: diagnostics, completion, hover, go to
/// definition, references, renaming, outlines, formatting and fixes for programs of all languages. It reads files and writes none.
#[derive(Debug, Args)]
#[command(after_help = "The page Editors of the book shows how to set up an editor.")]
pub(crate) struct LspArgs {
    /// Use the standard input and output, which is also the default: some editors set this option
    #[arg(long)]
    pub(crate) stdio: bool,
}

/// Explain a diagnostic code, or print a JSON Schema
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec explain game/unbound-variable
  goalspec explain --list
  goalspec explain --schema rgg > rgg.schema.json         the schema with which editors complete and check games
  goalspec explain --schema report > report.schema.json   the schema of all JSON output")]
pub(crate) struct ExplainArgs {
    /// The code, as printed in brackets after `error`, `warning` or `note`
    #[arg(required_unless_present_any = ["list", "schema"])]
    pub(crate) code: Option<String>,
    /// List all codes
    #[arg(long)]
    pub(crate) list: bool,
    /// Print a JSON Schema, for editors and other programs
    #[arg(long, value_enum, value_name = "SCHEMA", conflicts_with_all = ["code", "list"])]
    pub(crate) schema: Option<SchemaLanguage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaLanguage {
    /// Resource graph games
    Rgg,
    /// JSON output of all commands
    Report,
}
