//! The `goalspec llm` command.

mod grammar;

use std::io::Write;
use std::sync::Arc;

use goalspec::llm::constraint_probe::{ConstraintProbe, ProbeResult, probe_constraints, probe_requests};
use goalspec::llm::dry_run::PlannedConversation;
use goalspec::llm::import::import_folder;
use goalspec::llm::store::Store;
use goalspec::llm::{Client, ErrorKind, Model, Request};
use goalspec::syntax::{Diagnostic, Sources};
use goalspec::words::lot::output::{self as results, Table};
use goalspec::words::{call_report, program_report};
use serde_json::{Value, json};

use super::lot::RunResults;
use super::{lot, model};
use crate::args::{
    LlmArgs, LlmCommand, LlmFormat, LlmImportArgs, LlmMode, LlmProbeArgs, LlmReportArgs, LlmReportFormat,
};
use crate::output::{CommandResult, Output, plural};
use crate::progress::Progress;

pub(crate) fn run(args: &LlmArgs, output: &mut Output) -> CommandResult {
    match &args.command {
        LlmCommand::Probe(args) => probe(args, output),
        LlmCommand::Grammar(args) => grammar::run(args, output),
        LlmCommand::Import(args) => import(args, output),
        LlmCommand::Report(args) => report(args, output),
    }
}

fn probe(args: &LlmProbeArgs, output: &mut Output) -> CommandResult {
    let mut options = args.model.clone();
    if options.llm == LlmMode::Live {
        // A recorded reply says nothing about the server of today.
        options.llm = LlmMode::Record;
    }
    let progress = Arc::new(Progress::calls(3));
    let client = model::open(&options, "llm probe", &progress)?;
    let is_json = args.json || args.format == LlmFormat::Json;
    // A word that has been seen in a log could be repeated, so it differs each time unless a seed is given.
    let seed = args.model.seed.unwrap_or_else(|| u64::from(std::process::id()) ^ elapsed_nanoseconds());
    if args.model.dry_run {
        // Notations that the profile has no option for are not sent.
        let is_sent = |request: &Request| client.preview(request).is_ok_and(|(wire, _)| wire.constraint.is_some());
        let planned = |request| PlannedConversation { request, follow_ups: 0, follow_up_bytes: 0 };
        let conversations: Vec<_> = probe_requests(seed).into_iter().filter(is_sent).map(planned).collect();
        let plan = model::dry_run(&client, &conversations)?;
        if is_json {
            writeln!(output, "{}", json!(plan))?;
        } else {
            write!(output, "{}", plan.text())?;
        }
        return Ok(true);
    }
    let probes = probe_constraints(&client, seed, &|| progress.advance());
    progress.finish();
    let probes = probes.map_err(|error| model::failure(&error))?;
    if is_json {
        let result = json!({"model": client.name(), "base_url": client.base_url(), "profile": client.profile().name, "constraints": probes});
        writeln!(output, "{result:#}")?;
    } else {
        print_probes(&client, &probes, output)?;
    }
    if let Some(error) = probes.iter().find_map(|probe| probe.error.as_ref()) {
        // A server that refuses one notation may honour another; one that cannot be reached honours none.
        let is_reached =
            probes.iter().any(|probe| !matches!(probe.result, ProbeResult::Failed(_) | ProbeResult::NotSupported));
        if !is_reached && error.kind != ErrorKind::Rejected {
            return Err(model::failure(error));
        }
    }
    Ok(probes.iter().any(|probe| probe.result == ProbeResult::Honoured))
}

/// The nanoseconds of the clock, which differ from run to run.
fn elapsed_nanoseconds() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) << 32
}

fn print_probes(client: &Client, probes: &[ConstraintProbe], output: &mut Output) -> std::io::Result<()> {
    writeln!(output, "{} at {}, profile {}", client.name(), client.base_url(), client.profile().name)?;
    for probe in probes {
        let kind = probe.kind;
        let (word, detail) = match &probe.result {
            ProbeResult::Honoured => ("honoured", String::new()),
            ProbeResult::Ignored(reason) => ("accepted and ignored", format!(": {reason}")),
            ProbeResult::NotSupported => ("not supported", ": the profile has no option for it".to_owned()),
            ProbeResult::NoAnswer(reason) => ("no answer", format!(": {reason}")),
            ProbeResult::Failed(reason) => ("failed", format!(": {reason}")),
        };
        writeln!(output, "  {:<12} {word}{detail}", kind.name())?;
    }
    let spent = client.spent();
    writeln!(output, "{} calls, {} tokens", spent.calls, spent.tokens)
}

fn import(args: &LlmImportArgs, output: &mut Output) -> CommandResult {
    let progress = Progress::analysis();
    let store = Store::new(&args.cache);
    let imported = import_folder(&args.folder, &store, &mut |path| {
        progress.set_message(|| format!("importing {}", path.display()));
    });
    progress.finish();
    let imported = match imported {
        Ok(imported) => imported,
        Err(error) => {
            anstream::eprintln!("goalspec: {error}");
            return Ok(false);
        }
    };
    if args.json || args.format == LlmFormat::Json {
        writeln!(output, "{:#}", json!(imported))?;
    } else {
        for (path, count) in &imported.files {
            writeln!(output, "{}: {}", path.display(), plural(*count, "request"))?;
        }
        for (path, reason) in &imported.skipped {
            writeln!(output, "{}: skipped, {reason}", path.display())?;
        }
        writeln!(output, "{} in {}", plural(imported.exchanges, "exchange"), args.cache.display())?;
    }
    if imported.files.is_empty() {
        anstream::eprintln!("goalspec: no recorded replies in `{}`", args.folder.display());
    }
    Ok(!imported.files.is_empty())
}

fn report(args: &LlmReportArgs, output: &mut Output) -> CommandResult {
    let Some(RunResults { cells, programs, calls }) = lot::read_results(&args.runs, output) else { return Ok(false) };
    let format = if args.json { LlmReportFormat::Json } else { args.format };
    let tables: Vec<Table> = [
        (!cells.is_empty() || (programs.is_empty() && calls.is_empty())).then(|| results::report(&cells)),
        (!programs.is_empty()).then(|| program_report::table(&programs)),
        (!calls.is_empty()).then(|| call_report::table(&calls)),
    ]
    .into_iter()
    .flatten()
    .collect();
    match (format, tables.as_slice()) {
        (LlmReportFormat::Text, tables) => {
            let texts: Vec<String> = tables.iter().map(Table::to_text).collect();
            write!(output, "{}", texts.join("\n"))?;
        }
        (LlmReportFormat::Csv, [table]) => write!(output, "{}", table.to_csv())?,
        (LlmReportFormat::Csv, _) => {
            let message =
                "runs of the experiment, other programs and calls have different columns: print each kind on its own";
            output.report(&[*Diagnostic::invalid_argument(message)], &Sources::new());
            return Ok(false);
        }
        (LlmReportFormat::Json, _) => {
            let mut records = results::report_json(&cells);
            if let Value::Array(records) = &mut records {
                records.extend(program_report::json(&programs));
                records.extend(call_report::json(&calls));
            }
            writeln!(output, "{records:#}")?;
        }
    }
    Ok(true)
}
