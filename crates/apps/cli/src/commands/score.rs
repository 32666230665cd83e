//! The `goalspec score` command.

use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec::codes;
use goalspec::files;
use goalspec::library::Library;
use goalspec::program::Program;
use goalspec::rewards;
use goalspec::rewards::compiled::CallBudget;
use goalspec::scoring::{LibraryScorer, LibraryScores, ScoringOptions};
use goalspec::syntax::Diagnostic;
use goalspec::table as results;
use rayon::ThreadPool;
use rayon::prelude::*;
use serde_json::Value;

use crate::args::{EngineName, ExplanationScope, GameSemantics, PlanningArgs, ScoreArgs, ScoreFormat as Format};
use crate::library::{DiscoveredFiles, LoadedLibrary};
use crate::output::{CommandError, CommandResult, Output, ensure_not_input};
use crate::progress::Progress;
use crate::threads::thread_pool;

use json_lines::JsonLinesWriter;

mod explanation;
mod json_lines;
mod rewards_table;
#[cfg(feature = "parquet")]
mod shard;
mod table;

pub(crate) fn run(args: &ScoreArgs, output: &mut Output) -> CommandResult {
    check_usage(args)?;
    let (loaded, traces) = load(args)?;
    #[cfg(feature = "parquet")]
    if let Some(shard) = args.shards.shard {
        return shard::run(args, shard, loaded, &traces, output);
    }
    let LoadedLibrary { library, mut diagnostics } = loaded;
    diagnostics.extend(library.diagnostics_under(args.semantics.into()));
    if args.world.is_some()
        && diagnostics.iter().any(|finding| finding.is_error() && finding.code == codes::UNKNOWN_DOMAIN)
    {
        // Nothing can be scored in a world other than the requested one.
        output.report(&diagnostics, library.sources());
        return Ok(false);
    }
    if let Some(ExplanationScope::Frame(frame)) = args.why {
        let mut text = Vec::new();
        explanation::write(args, &library, &traces, frame, &mut diagnostics, &mut text)?;
        output.report(&diagnostics, library.sources());
        match &args.output {
            Some(path) => std::fs::write(path, text).map_err(|error| CommandError::File(path.clone(), error))?,
            None => output.write_all(&text)?,
        }
        return Ok(!diagnostics.iter().any(Diagnostic::is_error));
    }
    let ScoreResults { scores, failed } = match args.format() {
        Format::Jsonl => score_to_lines(args, &library, &traces, output)?,
        _ => score(args, &library, &traces, None)?,
    };
    if args.format().is_tabular() && !scores.outcomes.is_empty() && !scores.rewards.is_empty() {
        let message = "the rows of reward functions and of games have different columns: score them separately";
        return Err(CommandError::Usage(message.to_owned()));
    }
    diagnostics.extend(scores.diagnostics.iter().cloned());
    output.report(&diagnostics, library.sources());
    match &args.output {
        _ if args.format() == Format::Jsonl => {}
        Some(path) => {
            let mut file = create(path)?;
            write(args, &library, &scores, &mut file)?;
            file.flush()?;
        }
        None => write(args, &library, &scores, output)?,
    }
    Ok(!failed && !diagnostics.iter().any(Diagnostic::is_error))
}

/// Loads the programs and worlds among the paths, and returns them with the paths of the traces.
fn load(args: &ScoreArgs) -> Result<(LoadedLibrary, Vec<PathBuf>), CommandError> {
    let found = DiscoveredFiles::with_activities(&args.paths, &args.activities);
    let inputs = &found.inputs;
    if found.diagnostics.is_empty() {
        require_files("trace", &inputs.traces, "program", &inputs.programs)?;
        require_files("program", &inputs.programs, "trace", &inputs.traces)?;
    }
    if let Some(output) = &args.output {
        ensure_not_input(output, [&inputs.programs, &inputs.traces, &inputs.worlds].into_iter().flatten())?;
    }
    let loaded = found.load_with_world(args.world.as_deref(), &args.activities, &PlanningArgs::default())?;
    require_scored_program(&loaded)?;
    if args.semantics == GameSemantics::Reference {
        loaded.refuse_activities("--semantics applies to games; use --dialect")?;
    }
    check_kinds(args, &loaded.library)?;
    Ok((loaded, found.inputs.traces))
}

/// Scores all traces, and writes each outcome as a line of JSON to the output file or the standard output.
fn score_to_lines(
    args: &ScoreArgs,
    library: &Library,
    traces: &[PathBuf],
    output: &mut Output,
) -> Result<ScoreResults, CommandError> {
    let mut file = args.output.as_deref().map(create).transpose()?;
    let out: &mut (dyn Write + Send) = match &mut file {
        Some(file) => file,
        None => output,
    };
    let lines = JsonLinesWriter::new(out, library);
    let results = score(args, library, traces, Some(&lines))?;
    lines.finish().map_err(|error| failed(args, error))?;
    Ok(results)
}

fn create(path: &Path) -> Result<BufWriter<File>, CommandError> {
    File::create(path).map(BufWriter::new).map_err(|error| CommandError::File(path.to_owned(), error))
}

fn failed(args: &ScoreArgs, error: std::io::Error) -> CommandError {
    match &args.output {
        Some(path) => CommandError::File(path.clone(), error),
        None => CommandError::Output(error),
    }
}

/// Returns an error if a kind of file is missing, naming a file of the other kind if there is one.
fn require_files(what: &str, paths: &[PathBuf], other: &str, others: &[PathBuf]) -> Result<(), CommandError> {
    if !paths.is_empty() {
        return Ok(());
    }
    let hint = others.first().map_or(String::new(), |path| format!("; `{}` is a {other}", path.display()));
    Err(CommandError::Usage(format!("no {what} among the paths{hint}; see `goalspec score --help`")))
}

/// Returns an error if all programs are correct and none is of a kind that is scored.
fn require_scored_program(loaded: &LoadedLibrary) -> Result<(), CommandError> {
    let has_errors = loaded.diagnostics.iter().chain(loaded.library.diagnostics()).any(Diagnostic::is_error);
    let programs = loaded.library.programs();
    let reason = programs.first().and_then(|program| Some((&program.name, program.not_scored_reason()?)));
    match reason {
        Some((name, reason)) if !has_errors && programs.iter().all(|program| program.not_scored_reason().is_some()) => {
            Err(CommandError::Usage(format!("nothing to score: `{name}` {reason}")))
        }
        _ => Ok(()),
    }
}

/// Checks for options that do not apply to a program.
fn check_kinds(args: &ScoreArgs, library: &Library) -> Result<(), CommandError> {
    let usage_error =
        |program: &Program, reason: &str| Err(CommandError::Usage(format!("`{}` is {reason}", program.name)));
    for program in library.programs() {
        match (program.as_reward(), args.why) {
            (Some(_), _) if args.semantics == GameSemantics::Reference => {
                return usage_error(program, "a reward function: --semantics applies to games");
            }
            (Some(_), Some(ExplanationScope::All)) => {
                return usage_error(program, "a reward function: specify the frame to explain, as in --why=120");
            }
            (None, _) if args.terms => return usage_error(program, "not a reward function: --terms does not apply"),
            (None, Some(ExplanationScope::Frame(_))) => {
                return usage_error(program, "not a reward function: use --why without a frame");
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks for contradictory options that clap cannot detect.
fn check_usage(args: &ScoreArgs) -> Result<(), CommandError> {
    let usage_error = |message: &str| Err(CommandError::Usage(message.to_owned()));
    if args.semantics == GameSemantics::Reference
        && let Some(option) = args.activities.games.first_set_option()
    {
        return usage_error(&format!(
            "{option} requires --semantics spec: the authors' reward machine has only one dialect"
        ));
    }
    if args.semantics == GameSemantics::Reference && args.engine.is_some() {
        return usage_error("--engine requires --semantics spec: the authors' reward machine is a separate engine");
    }
    if args.why.is_some() && args.format().is_tabular() {
        return usage_error("--why requires --format table, json or jsonl");
    }
    if args.lanes.is_some() {
        if !matches!(args.format(), Format::Json | Format::Jsonl) {
            return usage_error("--lanes requires --format json or jsonl");
        }
        if args.semantics == GameSemantics::Reference || args.engine == Some(EngineName::Interpreter) {
            return usage_error("--lanes requires the fast engine and --semantics spec");
        }
    }
    #[cfg(feature = "parquet")]
    if args.format() == Format::Parquet && args.output.is_none() && std::io::stdout().is_terminal() {
        return usage_error("cannot write a Parquet file to a terminal; specify a file with --output");
    }
    Ok(())
}

/// The results of all programs on all traces.
#[derive(Default)]
struct ScoreResults {
    scores: LibraryScores,
    /// Whether a program could not be scored.
    failed: bool,
}

impl ScoreResults {
    fn merge(self, other: Self) -> Self {
        Self { scores: self.scores.merge(other.scores), failed: self.failed | other.failed }
    }
}

impl From<LibraryScores> for ScoreResults {
    fn from(scores: LibraryScores) -> Self {
        Self { failed: scores.has_failures(), scores }
    }
}

/// Scores all traces in parallel; the results are in the order of the traces and programs. With `lines`, each result is written there as
/// soon as it is available, and only the rest is returned.
fn score(
    args: &ScoreArgs,
    library: &Library,
    traces: &[PathBuf],
    lines: Option<&JsonLinesWriter<'_>>,
) -> Result<ScoreResults, CommandError> {
    let pool = thread_pool(args.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into())))?;
    // With fewer traces than threads, the others may decompress.
    let read_ahead = traces.len() < pool.current_num_threads();
    let options = ScoringOptions { read_ahead, ..scoring_options(args, &pool) };
    let library_scorer = LibraryScorer::new(library, &options, reward_options(args, &pool));
    let progress = Progress::traces(traces.len());
    let read = |bytes| progress.add_bytes(bytes);
    let score_file = |path: &PathBuf| {
        if lines.is_some_and(|lines| !lines.can_write()) {
            return ScoreResults::default();
        }
        let scored = match (files::trace_input(path), lines) {
            (Ok(input), Some(lines)) => lines.collect(|observer| library_scorer.score_each(&input, &read, observer)),
            (Ok(input), None) => library_scorer.score(&input, &read).into(),
            (Err(diagnostic), _) => LibraryScores::from(*diagnostic).into(),
        };
        progress.advance();
        scored
    };
    let scored: Vec<ScoreResults> = pool.install(|| traces.par_iter().map(score_file).collect());
    progress.finish();
    Ok(scored.into_iter().fold(ScoreResults::default(), ScoreResults::merge))
}

/// Returns the options of games and activities.
fn scoring_options(args: &ScoreArgs, pool: &Arc<ThreadPool>) -> ScoringOptions {
    ScoringOptions {
        semantics: args.semantics.into(),
        engine: args.engine.unwrap_or_default().into(),
        explain: args.why.is_some(),
        per_step: args.per_step,
        lanes: args.lanes.map(|lanes| lanes as usize),
        partial: args.partial,
        any_world: args.any_world,
        budget: args.budget,
        pool: Some(Arc::clone(pool)),
        ..ScoringOptions::default()
    }
}

/// Returns the options of reward functions.
fn reward_options(args: &ScoreArgs, pool: &Arc<ThreadPool>) -> rewards::score::ScoreOptions {
    rewards::score::ScoreOptions {
        keep_frames: args.per_step,
        terms: args.terms,
        partial: args.partial,
        any_world: args.any_world,
        engine: args.engine.unwrap_or_default().into(),
        budget: args.budget,
        call_budget: args.call_budget.map_or_else(CallBudget::default, CallBudget::with_work),
        pool: Some(Arc::clone(pool)),
    }
}

fn write(
    args: &ScoreArgs,
    library: &Library,
    scores: &LibraryScores,
    out: &mut (dyn Write + Send),
) -> Result<(), CommandError> {
    let LibraryScores { outcomes, rewards, .. } = scores;
    let records = || {
        let games = outcomes.iter().map(|outcome| goalspec::json::outcome(outcome, library.sources()));
        games.chain(rewards.iter().map(rewards::score_json::outcome))
    };
    // Without results, the columns are those of the loaded programs.
    let programs = library.programs();
    let only_rewards = !programs.is_empty() && programs.iter().all(|program| program.as_reward().is_some());
    let has_games = rewards.is_empty() && !only_rewards;
    let rows = || match (args.per_step, has_games) {
        (true, true) => results::states(outcomes),
        (false, true) => results::preferences(outcomes),
        (true, false) if args.terms => results::rewards::contributions_by_frame(rewards),
        (false, false) if args.terms => results::rewards::contributions(rewards),
        (true, false) => results::rewards::frames(rewards),
        (false, false) => results::rewards::episodes(rewards),
    };
    match args.format() {
        Format::Table => {
            table::write(args, library, outcomes, out)?;
            rewards_table::write(args, rewards, out)?;
        }
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &records().collect::<Value>()).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
        // The lines have been written already.
        Format::Jsonl => {}
        Format::Csv => results::write_csv(&rows(), out)?,
        #[cfg(feature = "parquet")]
        Format::Parquet => results::write_parquet(&rows(), out)?,
    }
    Ok(())
}
