//! Arguments of `goalspec translate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ConstrainArg, ModelArgs};

/// Translate sentences to a program
///
/// A language model writes a planning problem, an activity, a game or a reward function. The program is parsed, checked, and planned for or
/// run; the findings go back to the model, up to --repairs times. In the output, a comment before each fact quotes the sentence that says it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec translate \"The red van is at the depot. Bring the books to the mill.\" --to pddl --domain domain.pddl \\
      --objects \"red - van, books - parcel, depot mill - place\" --model qwen3 --base-url http://127.0.0.1:11434/v1
  goalspec translate --to bddl --domain omnigibson \"Both plants are watered.\" --examples examples/ --model ..
  goalspec translate --to game --domain medium-objects-room-v1 \"Throw balls into the bin.\" play.jsonl --model ..
  goalspec translate --truth problem.pddl --json ..
                                               with the comparison with a true problem
  goalspec translate --format json ..          the program, its facts with their sentences, the plan, all findings

Exit codes:
  0  the translation is accepted, with or without warnings
  1  it is not accepted, or an input has errors
  2  the command line is invalid, or the output cannot be written
  3  a cap (--max-..) is reached
  4  the model cannot be reached, or refuses calls
  5  --llm replay or off forbids calls")]
pub(crate) struct TranslateArgs {
    /// The sentences; `-` for the standard input
    pub(crate) words: String,
    /// Recordings over which games and reward functions run
    pub(crate) traces: Vec<PathBuf>,
    /// Language of the program
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) to: TranslationLanguage,
    /// Domain: a PDDL or BDDL file, the name of a BDDL domain, or a world for games and reward functions
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) domain: String,
    /// Objects with their types, as in "red - van, books shoes - parcel" [default: the model declares them]
    #[arg(long, value_name = "OBJECTS")]
    pub(crate) objects: Vec<String>,
    /// File with lines `WORDS = NAME`, for words that stand for names
    #[arg(long, value_name = "FILE")]
    pub(crate) name_map: Option<PathBuf>,
    /// Folder with examples for the prompt: NAME.txt with sentences beside NAME.pddl, NAME.bddl or NAME.game
    #[arg(long, value_name = "FOLDER")]
    pub(crate) examples: Option<PathBuf>,
    /// True problem or activity, with which the translation is compared by meaning; `goalspec llm report` counts the results
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
    /// Maximum number of repairs
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=100))]
    pub(crate) repairs: u16,
    /// Time limit for a plan, in seconds
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    pub(crate) plan_time: u64,
    /// Record of the conversation, from which an interrupted run continues
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// File for the program [default: the standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: TranslationFormat,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
    /// Constrain replies to the texts of the language over the given vocabulary; each reply is checked again
    #[arg(long, value_enum, value_name = "NOTATION")]
    pub(crate) constrain: Option<ConstrainArg>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
}

/// The language of a translation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TranslationLanguage {
    /// A planning problem
    Pddl,
    /// A household activity
    Bddl,
    /// A game of the game language
    Game,
    /// A reward function in Python
    Reward,
}

/// The format of a translation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum TranslationFormat {
    /// The program, with the sentences as comments
    #[default]
    Text,
    /// A JSON document
    Json,
}
