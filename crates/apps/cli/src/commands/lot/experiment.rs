//! Runs of the experiment, and their results.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum as _;
use goalspec::llm::RunBudget;
use goalspec::llm::dry_run::DryRun;
use goalspec::llm::import::collins2022;
use goalspec::llm::ledger::{self, LedgerCall};
use goalspec::syntax::{Diagnostic, Sources};
use goalspec::words::constraint::ConstraintMode;
use goalspec::words::lot::output::{self as tables, Table};
use goalspec::words::lot::summary::check_compatible;
use goalspec::words::lot::{Cell, Experiment, ExperimentOptions, Method};
use goalspec::words::program_report::{self, ProgramRun};
use goalspec::words::record::{CandidateEvent, Record};
use serde_json::json;

use super::super::model;
use super::{create_folder, fail, load_set, methods, views};
use crate::args::{LlmMode, LotResultsArgs, LotResultsFormat, LotRunArgs, ModelArgs, WireFormat};
use crate::output::{CommandError, CommandResult, Output, write_file};
use crate::progress::Progress;

/// The name of the file with the results in the folder of a run.
const RESULTS_FILE: &str = "results.json";

/// The name of the ledger in a folder of recorded replies.
const LEDGER_FILE: &str = "ledger.jsonl";

pub(super) fn run(args: &LotRunArgs, output: &mut Output) -> CommandResult {
    let mut sources = Sources::new();
    let (set, order) = match load_set(&args.set, &mut sources) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Ok(fail(&diagnostics, &sources, output)),
    };
    let earlier = args.output.as_deref().map_or(Ok(Vec::new()), earlier_cells)?;
    let (mut cells, mut interruption) = (Vec::new(), None);
    let (mut budget, mut planned): (Option<RunBudget>, DryRun) = (None, DryRun::default());
    for method in methods(&args.method) {
        if interruption.is_some() {
            break;
        }
        let options = ExperimentOptions {
            method,
            views: views(&args.view),
            rules: args.rules.into(),
            max_repairs: usize::from(args.repairs),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            constrain: args.constrain.map(Into::into),
        };
        let experiment = match Experiment::new(&set, &order, options) {
            Ok(experiment) => experiment,
            Err(error) => return Ok(fail(&[*error], &sources, output)),
        };
        if let Err(error) = experiment.check_problems(&earlier) {
            return Err(CommandError::Usage(format!("{error}, those of an earlier run; specify another folder")));
        }
        let progress = Arc::new(Progress::calls(experiment.conversations()));
        let model_args = with_recorded_model(&args.model, method);
        let mut client = model::open(&model_args, "lot run", &progress)?;
        if let Some(budget) = &budget {
            // The caps are those of the whole run.
            client = client.with_budget(budget);
        }
        if let Some(request) = experiment.first_request() {
            model::ensure_constrained(&client, &request)?;
        }
        if args.model.dry_run {
            planned.append(model::dry_run(&client, &experiment.planned_conversations())?);
            continue;
        }
        let Some(folder) = &args.output else { continue };
        create_folder(folder)?;
        let settings = json!({
            "model": client.base_url().to_owned() + " " + model_args.model.as_deref().unwrap_or_default(),
            "views": views(&args.view),
            "repairs": args.repairs,
            "rules": args.rules.to_possible_value().map(|value| value.get_name().to_owned()),
            "constrain": args.constrain.map(|mode| ConstraintMode::from(mode).name()),
            "temperature": args.model.temperature,
            "seed": args.model.seed,
            "max_output_tokens": args.model.max_output_tokens,
        });
        let path = folder.join(format!("{method}.jsonl"));
        let record = Record::open(&path, &format!("lot {method}"), &settings).map_err(|error| record_error(&error))?;
        let results = experiment.run(&client, &record, &|_, event| {
            if matches!(event, CandidateEvent::Finished { .. } | CandidateEvent::CallFailed { .. }) {
                progress.advance();
            }
        });
        progress.finish();
        let results = results.map_err(|error| record_error(&error))?;
        cells.extend(results.cells);
        interruption = results.interruption;
        budget = Some(client.budget());
    }
    if args.model.dry_run {
        let text = if args.json { format!("{}\n", json!(planned)) } else { planned.text() };
        write!(output, "{text}")?;
        return Ok(true);
    }
    let Some(folder) = args.output.as_deref() else { return Ok(true) };
    cells.extend(of_other_methods(earlier, &cells));
    write_results(folder, &cells, args.json, output)?;
    match interruption {
        Some(error) => Err(model::failure(&error)),
        None => Ok(report_failed_calls(&cells, output)),
    }
}

/// Writes the results of a run and of earlier runs in the folder, and prints them.
fn write_results(folder: &Path, cells: &[Cell], is_json: bool, output: &mut Output) -> Result<(), CommandError> {
    let results = tables::results_json(cells);
    write_file(&folder.join(RESULTS_FILE), &results.to_string())?;
    if is_json {
        writeln!(output, "{results}")?;
        Ok(())
    } else {
        print(&tables::tables(cells, false), output)
    }
}

/// Returns the cells of an earlier run in the folder; none without a file of results. One that cannot be read is not replaced.
fn earlier_cells(folder: &Path) -> Result<Vec<Cell>, CommandError> {
    let path = folder.join(RESULTS_FILE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(CommandError::Usage(format!("cannot read `{}`: {error}", path.display()))),
    };
    tables::read_results(&text).map_err(|error| {
        CommandError::Usage(format!(
            "`{}` contains no results of the experiment: {error}; specify another folder",
            path.display()
        ))
    })
}

/// Returns the cells of an earlier run with methods that this run did not have.
fn of_other_methods(earlier: Vec<Cell>, cells: &[Cell]) -> Vec<Cell> {
    earlier.into_iter().filter(|cell| cells.iter().all(|new| new.method != cell.method)).collect()
}

/// Returns the options with the model of the published experiment, if a replay names none.
fn with_recorded_model(args: &ModelArgs, method: Method) -> ModelArgs {
    let mut args = args.clone();
    if args.model.is_none() && args.llm == LlmMode::Replay {
        let model = match method {
            Method::Translate => collins2022::TRANSLATION_MODEL,
            Method::Direct => collins2022::PLAN_MODEL,
        };
        args.model = Some(model.to_owned());
        args.base_url.get_or_insert_with(|| collins2022::BASE_URL.to_owned());
        args.wire_format = args.wire_format.or(Some(WireFormat::Completions));
    }
    args
}

fn record_error(error: &goalspec::words::record::RecordError) -> CommandError {
    CommandError::Usage(error.to_string())
}

/// Prints an example of the errors of failed calls. Returns whether there are none.
fn report_failed_calls(cells: &[Cell], output: &Output) -> bool {
    let failed: Vec<&Cell> = cells.iter().filter(|cell| cell.last.is_none()).collect();
    let Some(first) = failed.first() else { return true };
    let error = first.error.as_deref().unwrap_or("no reply");
    let (method, view, id) = (first.method, first.view, &first.id);
    output.note(&format!(
        "goalspec: {} of {} cells have no result; {method} {view}/{id}: {error}",
        failed.len(),
        cells.len()
    ));
    false
}

fn print(tables: &[Table], output: &mut Output) -> Result<(), CommandError> {
    for (index, table) in tables.iter().enumerate() {
        let separator = if index == 0 { "" } else { "\n" };
        write!(output, "{separator}{}", table.to_text())?;
    }
    Ok(())
}

/// The results of runs: cells of the experiment, counts of other programs, and the calls of ledgers.
#[derive(Default)]
pub(crate) struct RunResults {
    pub(crate) cells: Vec<Cell>,
    pub(crate) programs: Vec<ProgramRun>,
    pub(crate) calls: Vec<LedgerCall>,
}

/// Reads the results of runs; reports a run without results.
pub(crate) fn read_results(runs: &[PathBuf], output: &Output) -> Option<RunResults> {
    let mut results = RunResults::default();
    let mut known = HashSet::new();
    for run in runs {
        let programs = results.programs.len();
        if let Err(reason) = read_run(run, &mut results) {
            let message = format!("`{}` contains no results: {reason}", run.display());
            output.report(&[*Diagnostic::invalid_argument(message)], &Sources::new());
            return None;
        }
        // Cells have names by which repetitions are found below.
        let is_repeated = run.canonicalize().is_ok_and(|path| !known.insert(path));
        if is_repeated && results.programs.len() > programs {
            let message = format!("`{}` is given twice", run.display());
            output.report(&[*Diagnostic::invalid_argument(message)], &Sources::new());
            return None;
        }
    }
    if let Err(error) = check_compatible(&results.cells) {
        let error = Diagnostic::invalid_argument(error.to_string()).with_help(error.help());
        output.report(&[error], &Sources::new());
        return None;
    }
    Some(results)
}

fn read_run(run: &Path, results: &mut RunResults) -> Result<(), String> {
    let is_ledger = |path: &Path| path.file_name().is_some_and(|name| name == LEDGER_FILE) && path.is_file();
    let in_folder = run.join(LEDGER_FILE);
    if let Some(ledger) = [run, &in_folder].into_iter().find(|path| is_ledger(path)) {
        results.calls.extend(ledger::read(ledger).map_err(|error| error.to_string())?);
        return Ok(());
    }
    let path = if run.is_dir() { run.join(RESULTS_FILE) } else { run.to_owned() };
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    match program_report::read(&text).map_err(|error| error.to_string())? {
        Some(programs) => results.programs.push(programs),
        None => results.cells.extend(tables::read_results(&text).map_err(|error| error.to_string())?),
    }
    Ok(())
}

/// Reads the cells of runs of the experiment; reports a run without cells.
fn read_cells(runs: &[PathBuf], output: &Output) -> Option<Vec<Cell>> {
    let results = read_results(runs, output)?;
    let other = results.programs.first().map(|(key, _)| format!("the run on `{}`", key.domain));
    if let Some(other) = other.or_else(|| results.calls.first().map(|_| "a ledger".to_owned())) {
        let message = format!("{other} is not one of the experiment");
        let error = Diagnostic::invalid_argument(message).with_help("`goalspec llm report` reports it");
        output.report(&[error], &Sources::new());
        return None;
    }
    Some(results.cells)
}

pub(super) fn results(args: &LotResultsArgs, output: &mut Output) -> CommandResult {
    let Some(mut cells) = read_cells(&args.runs, output) else { return Ok(false) };
    if args.strict {
        cells = cells.into_iter().map(Cell::strictly).collect();
    }
    let format = if args.json { LotResultsFormat::Json } else { args.format };
    let text = match format {
        LotResultsFormat::Json => format!("{}\n", tables::results_json(&cells)),
        LotResultsFormat::Html => tables::html("LOT experiment", &tables::tables(&cells, true)),
        LotResultsFormat::Csv => match tables::csv(&cells) {
            Ok(text) => text,
            Err(error) => {
                let error = Diagnostic::invalid_argument(error.to_string());
                return Ok(fail(&[*error], &Sources::new(), output));
            }
        },
        LotResultsFormat::Text if args.output.is_none() => {
            print(&tables::tables(&cells, args.lines), output)?;
            return Ok(true);
        }
        LotResultsFormat::Text => {
            tables::tables(&cells, args.lines).iter().map(|table| table.to_text() + "\n").collect()
        }
    };
    match &args.output {
        Some(path) => write_file(path, &text)?,
        None => write!(output, "{text}")?,
    }
    Ok(true)
}
