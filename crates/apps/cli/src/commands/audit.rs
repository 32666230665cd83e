//! The `goalspec audit` command.

use std::io::Write;
use std::path::Path;

use goalspec::audit::{self, Audit, AuditOptions};
use goalspec::files;
use goalspec::library::LibraryOptions;
use goalspec::syntax::Diagnostic;
use serde_json::Value;

use crate::args::{AuditArgs, AuditFormat};
use crate::library::{DiscoveredFiles, load};
use crate::output::{CommandError, CommandResult, Output, ensure_not_input, write_file};
use crate::progress::Progress;

pub(crate) fn run(args: &AuditArgs, output: &mut Output) -> CommandResult {
    let DiscoveredFiles { inputs, mut diagnostics } = discover(args)?;
    let progress = Progress::programs(inputs.programs.len());
    let options = LibraryOptions { reward_world: args.world.clone(), ..LibraryOptions::default() };
    let library = load(&inputs, options, &progress)?;
    progress.finish();
    diagnostics.extend(library.diagnostics().iter().cloned());
    // Activities and games are loaded for the worlds of their traces.
    let programs = library.reward_programs();
    if let (Some(other), []) = (library.programs().first(), &programs[..]) {
        return Err(CommandError::Usage(format!(
            "`{}` is not a reward function; only reward functions can be audited",
            other.name
        )));
    }
    let mut recordings = Vec::new();
    for path in &inputs.traces {
        match files::trace_input(path) {
            Ok(input) => recordings.push(input),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    let mut audits = Vec::new();
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let options = AuditOptions {
            score_column: args.score_column.clone(),
            any_world: args.any_world,
            partial: args.partial,
            ..AuditOptions::default()
        };
        let progress = Progress::traces(recordings.len());
        let audited =
            audit::audit(&programs, &library.all_worlds(), &recordings, &options, &|bytes| progress.add_bytes(bytes));
        progress.finish();
        diagnostics.extend(audited.diagnostics);
        audits = audited.audits;
    }
    output.report(&diagnostics, library.sources());
    match &args.output {
        // Without a new report, the old one is kept.
        Some(_) if audits.is_empty() => {}
        Some(path) => write_file(path, &render(&audits, format(args)))?,
        None => output.write_all(render(&audits, format(args)).as_bytes())?,
    }
    let denied =
        args.deny_findings.is_some_and(|level| audits.iter().any(|audit| audit.has_finding_at_least(level.into())));
    let unrewarded = audits.iter().any(Audit::has_recording_without_rewards);
    Ok(!denied && !unrewarded && !diagnostics.iter().any(Diagnostic::is_error))
}

/// Discovers the files among the paths, and checks that there are programs and recordings, none of which is the output.
fn discover(args: &AuditArgs) -> Result<DiscoveredFiles, CommandError> {
    let found = DiscoveredFiles::new(&args.paths);
    let inputs = &found.inputs;
    if found.diagnostics.is_empty() {
        for (kind, is_missing) in [("recording", inputs.traces.is_empty()), ("program", inputs.programs.is_empty())] {
            if is_missing {
                let message = format!("no {kind} among the paths; see `goalspec audit --help`");
                return Err(CommandError::Usage(message));
            }
        }
    }
    if let Some(output) = &args.output {
        ensure_not_input(output, inputs.programs.iter().chain(&inputs.traces))?;
    }
    Ok(found)
}

fn render(audits: &[Audit], format: AuditFormat) -> String {
    match format {
        AuditFormat::Text => audits.iter().map(audit::text).collect::<Vec<_>>().join("\n"),
        AuditFormat::Json => format!("{:#}\n", audits.iter().map(audit::json).collect::<Value>()),
        AuditFormat::Html => audit::html(audits),
    }
}

/// Returns the output format: the requested one, or that of the extension of the output file.
fn format(args: &AuditArgs) -> AuditFormat {
    let extension = args.output.as_deref().and_then(Path::extension);
    let has_extension = |name: &str| extension.is_some_and(|extension| extension.eq_ignore_ascii_case(name));
    match args.format {
        Some(format) => format,
        None if has_extension("html") || has_extension("htm") => AuditFormat::Html,
        None if has_extension("json") => AuditFormat::Json,
        None => AuditFormat::Text,
    }
}
