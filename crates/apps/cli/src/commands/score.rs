//! The `goalspec score` command.

use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use goalspec::codes;
use goalspec::library::Library;
use goalspec::program::Program;
use goalspec::rewards;
use goalspec::rewards::ready::Budget as CallBudget;
use goalspec::rewards::score::RewardOutcome;
use goalspec::rows;
use goalspec::run::{self, Input, Options, Outcome as Scored};
use goalspec::simulate::recorded;
use goalspec::syntax::Diagnostic;
use rayon::prelude::*;
use serde_json::Value;

use crate::args::{PlanningArgs, Results as Format, Rules, ScoreArgs, Why};
use crate::loading::{Found, Loaded};
use crate::output::{Failure, Outcome, Output, spare};
use crate::progress::Progress;

use lines::Lines;

mod explained;
mod lines;
mod rewards_table;
mod table;

pub(crate) fn run(args: &ScoreArgs, output: &mut Output) -> Outcome {
    check_usage(args)?;
    let found = Found::among(&args.paths, &args.activities);
    let inputs = &found.inputs;
    if found.diagnostics.is_empty() {
        need("trace", &inputs.traces, "program", &inputs.programs)?;
        need("program", &inputs.programs, "trace", &inputs.traces)?;
    }
    if let Some(output) = &args.output {
        spare(output, [&inputs.programs, &inputs.traces, &inputs.worlds].into_iter().flatten())?;
    }
    let loaded = found.load_in(args.world.as_deref(), &args.activities, &PlanningArgs::default())?;
    something_to_score(&loaded)?;
    if args.semantics == Rules::Reference {
        loaded.refuse_activities("--semantics applies to games; use --dialect")?;
    }
    check_kinds(args, &loaded.library)?;
    let Loaded { library, mut diagnostics } = loaded;
    diagnostics.extend(library.diagnostics_under(args.semantics.into()));
    if args.world.is_some()
        && diagnostics.iter().any(|finding| finding.is_error() && finding.code == codes::UNKNOWN_DOMAIN)
    {
        // Nothing can be scored in a world other than the requested one.
        output.report(&diagnostics, library.sources());
        return Ok(false);
    }
    if let Some(Why::Frame(frame)) = args.why {
        let mut text = Vec::new();
        explained::write(args, &library, &inputs.traces, frame, &mut diagnostics, &mut text)?;
        output.report(&diagnostics, library.sources());
        match &args.output {
            Some(path) => std::fs::write(path, text).map_err(|error| Failure::File(path.clone(), error))?,
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
            let lines = Lines::new(out, &library);
            let results = score(args, &library, &inputs.traces, Some(&lines))?;
            lines.finish().map_err(|error| failed(args, error))?;
            results
        }
        _ => score(args, &library, &inputs.traces, None)?,
    };
    diagnostics.extend(results.diagnostics.iter().cloned());
    if args.format().is_rows() && !results.outcomes.is_empty() && !results.rewards.is_empty() {
        let message = "the rows of reward functions and of games have different columns: score them separately";
        return Err(Failure::Usage(message.to_owned()));
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

fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    File::create(path).map(BufWriter::new).map_err(|error| Failure::File(path.to_owned(), error))
}

fn failed(args: &ScoreArgs, error: std::io::Error) -> Failure {
    match &args.output {
        Some(path) => Failure::File(path.clone(), error),
        None => Failure::Output(error),
    }
}

/// Returns an error if a kind of file is missing, naming a file of the other kind if there is one.
fn need(what: &str, paths: &[PathBuf], other: &str, others: &[PathBuf]) -> Result<(), Failure> {
    if !paths.is_empty() {
        return Ok(());
    }
    let taken = others.first().map_or(String::new(), |path| format!("; `{}` is a {other}", path.display()));
    Err(Failure::Usage(format!("no {what} among the paths{taken}; see `goalspec score --help`")))
}

/// Returns an error if all programs are correct and none is of a kind that is scored.
fn something_to_score(loaded: &Loaded) -> Result<(), Failure> {
    let wrong = loaded.diagnostics.iter().chain(loaded.library.diagnostics()).any(Diagnostic::is_error);
    let programs = loaded.library.programs();
    let why = programs.first().and_then(|program| Some((&program.name, program.unscored()?)));
    match why {
        Some((name, why)) if !wrong && programs.iter().all(|program| program.unscored().is_some()) => {
            Err(Failure::Usage(format!("nothing to score: `{name}` {why}")))
        }
        _ => Ok(()),
    }
}

/// Checks for options that do not apply to a program.
fn check_kinds(args: &ScoreArgs, library: &Library) -> Result<(), Failure> {
    let refuse = |program: &Program, why: &str| Err(Failure::Usage(format!("`{}` is {why}", program.name)));
    for program in library.programs() {
        match (program.as_reward(), args.why) {
            (Some(_), _) if args.semantics == Rules::Reference => {
                return refuse(program, "a reward function: --semantics applies to games");
            }
            (Some(_), Some(Why::All)) => {
                return refuse(program, "a reward function: specify the frame to explain, as in --why=120");
            }
            (None, _) if args.terms => return refuse(program, "not a reward function: --terms does not apply"),
            (None, Some(Why::Frame(_))) => {
                return refuse(program, "not a reward function: use --why without a frame");
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks for contradictory options that clap cannot detect.
fn check_usage(args: &ScoreArgs) -> Result<(), Failure> {
    let refuse = |message: &str| Err(Failure::Usage(message.to_owned()));
    if args.semantics == Rules::Reference
        && let Some(option) = args.activities.games.given()
    {
        return refuse(&format!(
            "{option} requires --semantics spec: the authors' reward machine has only one dialect"
        ));
    }
    if args.semantics == Rules::Reference && args.engine.is_some() {
        return refuse("--engine requires --semantics spec: the authors' reward machine is a separate engine");
    }
    if args.why.is_some() && args.format().is_rows() {
        return refuse("--why requires --format table, json or jsonl");
    }
    #[cfg(feature = "parquet")]
    if args.format() == Format::Parquet && args.output.is_none() && std::io::stdout().is_terminal() {
        return refuse("cannot write a Parquet file to a terminal; specify a file with --output");
    }
    Ok(())
}

/// The results of all programs on all traces.
#[derive(Default)]
struct Results {
    /// The results of games and goals.
    outcomes: Vec<Scored>,
    /// The results of reward functions.
    rewards: Vec<RewardOutcome>,
    diagnostics: Vec<Diagnostic>,
    /// Whether a program could not be scored.
    failed: bool,
}

impl Results {
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

impl From<run::Scored> for Results {
    fn from(scored: run::Scored) -> Self {
        let failed = scored.outcomes.iter().any(Scored::failed);
        Self { outcomes: scored.outcomes, diagnostics: scored.diagnostics, failed, ..Self::default() }
    }
}

impl From<rewards::score::Scored> for Results {
    fn from(scored: rewards::score::Scored) -> Self {
        let failed = scored.outcomes.iter().any(RewardOutcome::failed);
        Self { rewards: scored.outcomes, diagnostics: scored.diagnostics, failed, ..Self::default() }
    }
}

/// Scores all traces in parallel; the results are in the order of the traces and programs. With `lines`, each result is written there as
/// soon as it is available, and only the rest is returned.
fn score(
    args: &ScoreArgs,
    library: &Library,
    traces: &[PathBuf],
    lines: Option<&Lines<'_>>,
) -> Result<Results, Failure> {
    let options = Options {
        semantics: args.semantics.into(),
        engine: args.engine.unwrap_or_default().into(),
        explain: args.why.is_some(),
        per_step: args.per_step,
        partial: args.partial,
        any_world: args.any_world,
        budget: args.budget,
    };
    let of_rewards = rewards::score::Options {
        per_step: args.per_step,
        terms: args.terms,
        partial: args.partial,
        any_world: args.any_world,
        engine: options.engine,
        budget: args.budget,
        call: args.call_budget.map_or_else(CallBudget::default, CallBudget::of_work),
    };
    let known = library.known_worlds();
    let (functions, programs): (Vec<&Program>, Vec<&Program>) =
        library.programs().iter().partition(|program| program.as_reward().is_some());
    let progress = Progress::traces(traces.len());
    let read = |bytes| progress.read(bytes);
    let score = |input: &Input| match lines {
        Some(lines) => lines.scored(|observer| run::score_each(&programs, input, &options, &read, observer)),
        None => Results::from(run::score(&programs, input, &options, &read)),
    };
    let all = |inputs: &[Input]| inputs.iter().map(score).fold(Results::default(), Results::and);
    let recorded = |input: &Input| {
        let mut results = Results::default();
        let played = recorded::each(input, library, &mut |game| {
            results = std::mem::take(&mut results).and(score(game));
        })?;
        Some(match played {
            Ok(()) => results,
            Err(diagnostic) => results.and(Results::failed(*diagnostic)),
        })
    };
    let play = |input: &Input| match recorded(input) {
        Some(results) => results,
        None => match rewards::frames::episodes(input) {
            Ok(Some(episodes)) => all(&episodes),
            // The reader of the trace reports its errors.
            Ok(None) | Err(_) => score(input),
        },
    };
    let reward = |input: &Input| {
        // Traces for games may be of other worlds than the reward functions.
        if functions.is_empty() || !programs.is_empty() && !rewards::score::fits(&functions, &known, input) {
            return Results::default();
        }
        let score_each = |observer: rewards::score::ScoreObserver<'_>| {
            rewards::score::score_each(&functions, &known, input, &of_rewards, &read, observer);
        };
        match lines {
            Some(lines) => lines.rewarded(score_each),
            None => Results::from(rewards::score::score(&functions, &known, input, &of_rewards, &read)),
        }
    };
    let one = |path: &PathBuf| {
        if lines.is_some_and(|lines| !lines.is_intact()) {
            return Results::default();
        }
        let scored = match Input::of_path(path) {
            Ok(input) if programs.is_empty() => reward(&input),
            Ok(input) => reward(&input).and(play(&input)),
            Err(diagnostic) => Results::failed(*diagnostic),
        };
        progress.advance();
        scored
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::Usage(format!("cannot start threads: {error}")))?;
    let scored: Vec<Results> = pool.install(|| traces.par_iter().map(one).collect());
    progress.finish();
    Ok(scored.into_iter().fold(Results::default(), Results::and))
}

fn write(args: &ScoreArgs, library: &Library, results: &Results, out: &mut (dyn Write + Send)) -> Result<(), Failure> {
    let Results { outcomes, rewards, .. } = results;
    let records = || {
        let games = outcomes.iter().map(|outcome| goalspec::record::outcome(outcome, library.sources()));
        games.chain(rewards.iter().map(rewards::record::outcome))
    };
    // Without results, the columns are those of the loaded programs.
    let programs = library.programs();
    let only_rewards = !programs.is_empty() && programs.iter().all(|program| program.as_reward().is_some());
    let of_games = rewards.is_empty() && !only_rewards;
    let rows = || match (args.per_step, of_games) {
        (true, true) => rows::states(outcomes),
        (false, true) => rows::preferences(outcomes),
        (true, false) if args.terms => rewards::rows::parts_by_frame(rewards),
        (false, false) if args.terms => rewards::rows::parts(rewards),
        (true, false) => rewards::rows::frames(rewards),
        (false, false) => rewards::rows::episodes(rewards),
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
        Format::Csv => rows::write_csv(&rows(), out)?,
        #[cfg(feature = "parquet")]
        Format::Parquet => rows::write_parquet(&rows(), out)?,
    }
    Ok(())
}
