//! Arguments of `goalspec llm`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{LlmGrammarArgs, ModelArgs};

/// Probe servers of language models, export grammars for their replies, import recorded replies, and report results
#[derive(Debug, Args)]
pub(crate) struct LlmArgs {
    #[command(subcommand)]
    pub(crate) command: LlmCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LlmCommand {
    Probe(Box<LlmProbeArgs>),
    Grammar(Box<LlmGrammarArgs>),
    Import(LlmImportArgs),
    Report(LlmReportArgs),
}

/// Output format of `goalspec llm`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum LlmFormat {
    /// Text
    #[default]
    Text,
    /// JSON
    Json,
}

/// Check which constraints on replies a server honours
///
/// Sends one small request per notation (GBNF, Lark, JSON schema), with a grammar that allows only a random word. Servers drop options that
/// they do not know and answer nevertheless, so the documentation of a server does not tell. Recorded replies are not used.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  at least one notation is honoured
  1  none is honoured
  2  the command line is invalid, or the output cannot be written
  3  a cap (--max-..) is reached
  4  the model cannot be reached, or refuses calls
  5  --llm replay or off forbids calls

Examples:
  goalspec llm probe --base-url http://127.0.0.1:8080 --model qwen3
  goalspec llm probe --profile openai --model gpt-4.1-mini --json
  goalspec llm probe --profile ollama --model llama3 --dry-run
                                                          print what would be sent")]
pub(crate) struct LlmProbeArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: LlmFormat,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
}

/// Turn recorded replies into recorded exchanges
///
/// Reads the files *.jsonl and *.jsonl.gz of a folder: the published translations and plans of Collins et al. (2022), and rows with
/// `model`, `base_url`, `format`, `request` and `text`. Runs over the same requests then need no network.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  success
  1  a file cannot be imported, or there is none
  2  the command line is invalid, or the output cannot be written

Examples:
  goalspec llm import recordings/ --cache recorded
  goalspec llm import recordings/ --json")]
pub(crate) struct LlmImportArgs {
    /// Folder of the recordings
    pub(crate) folder: PathBuf,
    /// Folder of recorded exchanges
    #[arg(long, value_name = "FOLDER", default_value = ".goalspec/llm")]
    pub(crate) cache: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: LlmFormat,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
}

/// Output format of `goalspec llm report`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum LlmReportFormat {
    /// Text
    #[default]
    Text,
    /// CSV
    Csv,
    /// JSON
    Json,
}

/// Compare models by the results of their runs
///
/// Prints a row for each model, method, view and domain: exact and equivalent translations, solved problems, those solved by luck although
/// the translation is not exact, repairs, tokens and cost. Intervals are at 95 %, by Wilson's score. Runs with constrained replies have rows of
/// their own. Reports of `goalspec reward generate --report FILE.json` and documents of `goalspec translate --json` have a table of their own:
/// accepted candidates for each domain, program and model, and the results of `translate --truth`. Ledgers have one of calls, with those that
/// a server may have charged without a reply.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  success
  1  a file contains no results
  2  the command line is invalid, or the output cannot be written

Examples:
  goalspec llm report run
  goalspec llm report run report.json translation-*.json
  goalspec llm report .goalspec/llm                       the calls of all runs
  goalspec llm report run-a run-b --format csv > models.csv")]
pub(crate) struct LlmReportArgs {
    /// Folders of runs of the experiment or their files results.json, reports of generations, documents of translations, folders of recorded
    /// replies or their files ledger.jsonl
    #[arg(required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: LlmReportFormat,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
}
