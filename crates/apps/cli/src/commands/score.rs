//! `goalspec score`

use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write};
use std::path::PathBuf;

use goalspec::library::Library;
use goalspec::program::Program;
use goalspec::rows;
use goalspec::run::{self, Input, Options, Outcome as Scored};
use goalspec::simulate::recorded;
use goalspec::syntax::Diagnostic;
use rayon::prelude::*;
use serde_json::Value;

use crate::args::{Results, Rules, ScoreArgs};
use crate::loading::{Found, Loaded};
use crate::output::{Failure, Outcome, Output, spare};
use crate::progress::Progress;

mod table;

pub(crate) fn run(args: &ScoreArgs, output: &mut Output) -> Outcome {
    check_usage(args)?;
    let found = Found::new(&args.paths);
    let inputs = &found.inputs;
    if found.diagnostics.is_empty() {
        need("trace", &inputs.traces, "program", &inputs.programs)?;
        need("program", &inputs.programs, "trace", &inputs.traces)?;
    }
    if let Some(output) = &args.output {
        spare(output, [&inputs.programs, &inputs.traces, &inputs.worlds].into_iter().flatten())?;
    }
    let loaded = found.load(&args.activities)?;
    something_to_score(&loaded)?;
    if args.semantics == Rules::Reference {
        loaded.refuse_activities("--semantics is about games; see --dialect")?;
    }
    let Loaded { library, mut diagnostics } = loaded;
    diagnostics.extend(library.diagnostics_under(args.semantics.into()));
    let (outcomes, found) = score(args, &library, &inputs.traces)?;
    diagnostics.extend(found);
    output.report(&diagnostics, library.sources());
    match &args.output {
        Some(path) => {
            let mut file = BufWriter::new(File::create(path).map_err(|error| Failure::File(path.clone(), error))?);
            write(args, &library, &outcomes, &mut file)?;
            file.flush()?;
        }
        None => write(args, &library, &outcomes, output)?,
    }
    let failed = outcomes.iter().any(Scored::failed);
    Ok(!failed && !diagnostics.iter().any(Diagnostic::is_error))
}

/// Refuses where one kind of file is missing; says what a file of the other kind was taken for.
fn need(what: &str, paths: &[PathBuf], other: &str, others: &[PathBuf]) -> Result<(), Failure> {
    if !paths.is_empty() {
        return Ok(());
    }
    let taken = others.first().map_or(String::new(), |path| format!("; `{}` is a {other}", path.display()));
    Err(Failure::Usage(format!("there is no {what} among the paths{taken}; see `goalspec score --help`")))
}

/// Refuses where all programs are right and none of them is one that is scored.
fn something_to_score(loaded: &Loaded) -> Result<(), Failure> {
    let wrong = loaded.diagnostics.iter().chain(loaded.library.diagnostics()).any(Diagnostic::is_error);
    let programs = loaded.library.programs();
    let why = programs.first().and_then(|program| Some((&program.name, program.unscored()?)));
    match why {
        Some((name, why)) if !wrong && programs.iter().all(|program| program.unscored().is_some()) => {
            Err(Failure::Usage(format!("nothing is scored: `{name}` {why}")))
        }
        _ => Ok(()),
    }
}

/// Refuses what clap cannot tell to be contradictory.
fn check_usage(args: &ScoreArgs) -> Result<(), Failure> {
    let refuse = |message: &str| Err(Failure::Usage(message.to_owned()));
    if args.semantics == Rules::Reference && args.engine.is_some() {
        return refuse("--engine is for --semantics spec; the authors' reward machine is an engine of its own");
    }
    if args.why && args.format().is_rows() {
        return refuse("--why has more to say than rows can hold; use --format table, json or jsonl");
    }
    #[cfg(feature = "parquet")]
    if args.format() == Results::Parquet && args.output.is_none() && std::io::stdout().is_terminal() {
        return refuse("a Parquet file is not for a terminal; name a file with --output");
    }
    Ok(())
}

/// Scores all traces, several at a time; results come in the order of the traces.
fn score(args: &ScoreArgs, library: &Library, traces: &[PathBuf]) -> Result<(Vec<Scored>, Vec<Diagnostic>), Failure> {
    let options = Options {
        semantics: args.semantics.into(),
        engine: args.engine.unwrap_or_default().into(),
        explain: args.why,
        per_step: args.per_step,
        partial: args.partial,
        any_world: args.any_world,
    };
    let programs: Vec<&Program> = library.programs().iter().collect();
    let progress = Progress::traces(traces.len());
    let one = |path: &PathBuf| {
        let failed =
            |diagnostic: Box<Diagnostic>| run::Scored { diagnostics: vec![*diagnostic], ..run::Scored::default() };
        let score = |input: &Input| run::score(&programs, input, &options, &|bytes| progress.read(bytes));
        let scored = match Input::of_path(path) {
            Ok(input) => match recorded::traces(&input, library) {
                None => score(&input),
                Some(Ok(games)) => games.iter().map(score).fold(run::Scored::default(), run::Scored::and),
                Some(Err(diagnostic)) => failed(diagnostic),
            },
            Err(diagnostic) => failed(diagnostic),
        };
        progress.advance();
        scored
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::Usage(format!("the threads cannot be started: {error}")))?;
    let scored: Vec<run::Scored> = pool.install(|| traces.par_iter().map(one).collect());
    progress.finish();
    let (mut outcomes, mut diagnostics) = (Vec::new(), Vec::new());
    for part in scored {
        outcomes.extend(part.outcomes);
        diagnostics.extend(part.diagnostics);
    }
    Ok((outcomes, diagnostics))
}

fn write(
    args: &ScoreArgs,
    library: &Library,
    outcomes: &[Scored],
    out: &mut (dyn Write + Send),
) -> Result<(), Failure> {
    let records = || outcomes.iter().map(|outcome| goalspec::record::outcome(outcome, library.sources()));
    let rows = || if args.per_step { rows::states(outcomes) } else { rows::preferences(outcomes) };
    match args.format() {
        Results::Table => table::write(args, library, outcomes, out)?,
        Results::Json => {
            serde_json::to_writer_pretty(&mut *out, &records().collect::<Value>()).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
        Results::Jsonl => {
            for record in records() {
                writeln!(out, "{record}")?;
            }
        }
        Results::Csv => rows::write_csv(&rows(), out)?,
        #[cfg(feature = "parquet")]
        Results::Parquet => rows::write_parquet(&rows(), out)?,
    }
    Ok(())
}
