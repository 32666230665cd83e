//! Arguments of `goalspec llm grammar`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use goalspec::constraints::Part;

/// Export a grammar or JSON schema for replies
///
/// The export is generated for a vocabulary: it derives declared names only, with the right number of arguments, in canonical layout. Its
/// first lines say what it does not guarantee. Equal vocabularies give equal bytes.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  success
  1  an input has errors
  2  the command line is invalid, or the output cannot be written

Examples:
  goalspec llm grammar pddl --domain domain.pddl --problem problem.pddl
  goalspec llm grammar pddl --domain domain.pddl --problem problem.pddl --part goal --format json-schema --depth 5
  goalspec llm grammar bddl --problem activity.bddl --format lark
  goalspec llm grammar game --world few-objects-room-v1
  goalspec llm grammar lot-facts --objects \"tea pot, tray, cup\" --sentences 5
  goalspec llm grammar rgg --format json-schema")]
pub(crate) struct LlmGrammarArgs {
    /// Language of the replies
    #[arg(value_enum)]
    pub(crate) language: GrammarLanguage,
    /// World of games, or of reward functions, such as atari/pong
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Domain: a PDDL or BDDL file, or the name of a BDDL domain
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) domain: Option<String>,
    /// Problem or activity whose objects replies use [default: replies declare the objects]
    #[arg(long, value_name = "FILE")]
    pub(crate) problem: Option<PathBuf>,
    /// Names of the objects of the LOT experiment, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) objects: Vec<String>,
    /// Number of sentences of a text of the LOT experiment, and so of facts [default: any]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=2000))]
    pub(crate) sentences: Option<u32>,
    /// Part of a problem or activity [default: init-and-goal for PDDL, goal for BDDL]
    #[arg(long, value_enum, value_name = "PART")]
    pub(crate) part: Option<GrammarPart>,
    /// Predicates of PDDL that are not asked for; may be repeated
    #[arg(long, value_name = "PREDICATE")]
    pub(crate) exclude: Vec<String>,
    /// Restrict arguments in PDDL to objects of the types of the parameters
    #[arg(long)]
    pub(crate) typed: bool,
    /// Custom result of resource graph games; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) plugin: Vec<String>,
    /// Nesting depth to which a JSON schema is unrolled, for servers without recursion [default: recursive]
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u16).range(1..=20))]
    pub(crate) depth: Option<u16>,
    /// Notation
    #[arg(long, value_enum, default_value_t, value_name = "NOTATION")]
    pub(crate) format: GrammarNotation,
}

/// A language of replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GrammarLanguage {
    /// Facts of the LOT experiment
    LotFacts,
    /// Sentences of the LOT experiment
    LotEnglish,
    /// Plans of the LOT experiment
    LotPlan,
    /// Planning problems
    Pddl,
    /// Household activities
    Bddl,
    /// Games of the game language
    Game,
    /// Reward functions
    Reward,
    /// Resource graph games
    Rgg,
}

/// A part of a problem or an activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GrammarPart {
    /// The goal
    Goal,
    /// The initial state
    Init,
    /// The initial state and the goal
    InitAndGoal,
    /// The complete problem
    Program,
}

impl From<GrammarPart> for Part {
    fn from(part: GrammarPart) -> Self {
        match part {
            GrammarPart::Goal => Self::Goal,
            GrammarPart::Init => Self::Init,
            GrammarPart::InitAndGoal => Self::InitAndGoal,
            GrammarPart::Program => Self::Program,
        }
    }
}

/// A notation of grammars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum GrammarNotation {
    /// GBNF, as llama.cpp reads it
    #[default]
    Gbnf,
    /// Lark, as llguidance reads it
    Lark,
    /// JSON schema
    JsonSchema,
}
