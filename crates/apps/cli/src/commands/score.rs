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
use goalspec::rewards::compiled::Budget as CallBudget;
use goalspec::rewards::score::RewardOutcome;
use goalspec::scoring::{self, ProgramOutcome as Scored, ScoringOptions};
use goalspec::simulation::replay;
use goalspec::syntax::Diagnostic;
use goalspec::table as results;
use goalspec::trace::TraceInput;
use rayon::prelude::*;
use serde_json::Value;

use crate::args::{ExplanationScope, GameSemantics, PlanningArgs, ScoreArgs, ScoreFormat as Format};
use crate::library::{DiscoveredFiles, LoadedLibrary};
use crate::output::{CommandError, CommandResult, Output, ensure_not_input};
use crate::progress::Progress;
use crate::threads::thread_pool;

use json_lines::JsonLinesWriter;

mod explanation;
mod json_lines;
mod rewards_table;
mod table;

pub(crate) fn run(args: &ScoreArgs, output: &mut Output) -> CommandResult {
    check_usage(args)?;
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
        explanation::write(args, &library, &inputs.traces, frame, &mut diagnostics, &mut text)?;
        output.report(&diagnostics, library.sources());
        match &args.output {
            Some(path) => std::fs::write(path, text).map_err(|error| CommandError::File(path.clone(), error))?,
            None => output.write_all(&text)?,
        }
        return Ok(!diagnostics.iter().any(Diagnostic::is_error));
    }
    let mut file = match &args.output {
        Some(path) if args.format() == Format::Jsonl => Some(create(path)?),
        _ => None,
    };
    let out: &mut (dyn Write + Send) = match &mut file {
        Some(file) => file,
        None => &mut *output,
    };
    let results = match args.format() {
        Format::Jsonl => {
            let lines = JsonLinesWriter::new(out, &library);
            let results = score(args, &library, &inputs.traces, Some(&lines))?;
            lines.finish().map_err(|error| failed(args, error))?;
            results
        }
        _ => score(args, &library, &inputs.traces, None)?,
    };
    diagnostics.extend(results.diagnostics.iter().cloned());
    if args.format().is_tabular() && !results.outcomes.is_empty() && !results.rewards.is_empty() {
        let message = "the rows of reward functions and of games have different columns: score them separately";
        return Err(CommandError::Usage(message.to_owned()));
    }
    output.report(&diagnostics, library.sources());
    match &args.output {
        _ if args.format() == Format::Jsonl => {}
        Some(path) => {
            let mut file = create(path)?;
            write(args, &library, &results, &mut file)?;
            file.flush()?;
        }
        None => write(args, &library, &results, output)?,
    }
    Ok(!results.failed && !diagnostics.iter().any(Diagnostic::is_error))
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
    #[cfg(feature = "parquet")]
    if args.format() == Format::Parquet && args.output.is_none() && std::io::stdout().is_terminal() {
        return usage_error("cannot write a Parquet file to a terminal; specify a file with --output");
    }
    Ok(())
}

/// The results of all programs on all traces.
#[derive(Default)]
struct ScoreResults {
    /// The results of games and goals.
    outcomes: Vec<Scored>,
    /// The results of reward functions.
    rewards: Vec<RewardOutcome>,
    diagnostics: Vec<Diagnostic>,
    /// Whether a program could not be scored.
    failed: bool,
}

impl ScoreResults {
    fn failed(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic], ..Self::default() }
    }

    fn and(mut self, other: Self) -> Self {
        self.outcomes.extend(other.outcomes);
        self.rewards.extend(other.rewards);
        self.diagnostics.extend(other.diagnostics);
        self.failed |= other.failed;
        self
    }
}

impl From<scoring::ScoringResult> for ScoreResults {
    fn from(result: scoring::ScoringResult) -> Self {
        let failed = result.outcomes.iter().any(Scored::is_failure);
        Self { outcomes: result.outcomes, diagnostics: result.diagnostics, failed, ..Self::default() }
    }
}

impl From<rewards::score::RewardScores> for ScoreResults {
    fn from(result: rewards::score::RewardScores) -> Self {
        let failed = result.outcomes.iter().any(RewardOutcome::has_failed);
        Self { rewards: result.outcomes, diagnostics: result.diagnostics, failed, ..Self::default() }
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
    let options = ScoringOptions {
        semantics: args.semantics.into(),
        engine: args.engine.unwrap_or_default().into(),
        explain: args.why.is_some(),
        per_step: args.per_step,
        partial: args.partial,
        any_world: args.any_world,
        budget: args.budget,
        pool: Some(Arc::clone(&pool)),
    };
    let of_rewards = rewards::score::ScoreOptions {
        keep_frames: args.per_step,
        terms: args.terms,
        partial: args.partial,
        any_world: args.any_world,
        engine: options.engine,
        budget: args.budget,
        call_budget: args.call_budget.map_or_else(CallBudget::default, CallBudget::with_work),
        pool: Some(Arc::clone(&pool)),
    };
    let worlds = library.all_worlds();
    let functions = library.reward_programs();
    let programs: Vec<&Program> = library.programs().iter().filter(|program| program.as_reward().is_none()).collect();
    let progress = Progress::traces(traces.len());
    let read = |bytes| progress.add_bytes(bytes);
    let score = |input: &TraceInput| match lines {
        Some(lines) => lines.score_games(|observer| scoring::score_each(&programs, input, &options, &read, observer)),
        None => ScoreResults::from(scoring::score(&programs, input, &options, &read)),
    };
    let all = |inputs: &[TraceInput]| inputs.iter().map(score).fold(ScoreResults::default(), ScoreResults::and);
    let recorded = |input: &TraceInput| {
        let mut results = ScoreResults::default();
        let result = replay::for_each_game(input, library, &mut |game| {
            results = std::mem::take(&mut results).and(score(game));
        })?;
        Some(match result {
            Ok(()) => results,
            Err(diagnostic) => results.and(ScoreResults::failed(*diagnostic)),
        })
    };
    let play = |input: &TraceInput| match recorded(input) {
        Some(results) => results,
        None => match rewards::frames::split_episodes(input) {
            Ok(Some(episodes)) => all(&episodes),
            // The reader of the trace reports its errors.
            Ok(None) | Err(_) => score(input),
        },
    };
    let reward = |input: &TraceInput| {
        // Traces for games may be of other worlds than the reward functions.
        if functions.is_empty()
            || !programs.is_empty() && !rewards::score::has_applicable_program(&functions, &worlds, input)
        {
            return ScoreResults::default();
        }
        let score_each = |observer: rewards::score::ScoreObserver<'_>| {
            rewards::score::score_each(&functions, &worlds, input, &of_rewards, &read, observer);
        };
        match lines {
            Some(lines) => lines.score_rewards(score_each),
            None => ScoreResults::from(rewards::score::score(&functions, &worlds, input, &of_rewards, &read)),
        }
    };
    let score_file = |path: &PathBuf| {
        if lines.is_some_and(|lines| !lines.can_write()) {
            return ScoreResults::default();
        }
        let scored = match files::trace_input(path) {
            Ok(input) if programs.is_empty() => reward(&input),
            Ok(input) => reward(&input).and(play(&input)),
            Err(diagnostic) => ScoreResults::failed(*diagnostic),
        };
        progress.advance();
        scored
    };
    let scored: Vec<ScoreResults> = pool.install(|| traces.par_iter().map(score_file).collect());
    progress.finish();
    Ok(scored.into_iter().fold(ScoreResults::default(), ScoreResults::and))
}

fn write(
    args: &ScoreArgs,
    library: &Library,
    results: &ScoreResults,
    out: &mut (dyn Write + Send),
) -> Result<(), CommandError> {
    let ScoreResults { outcomes, rewards, .. } = results;
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
