//! The `goalspec check` command.

mod playable;

use std::io::Write;
use std::path::{Path, PathBuf};

use goalspec::bddl::check::{Check, CheckStatus, CheckStatuses};
use goalspec::library::Library;
use goalspec::playability::{Playability, Possibility};
use goalspec::recordings;
use goalspec::reward_lints;
use goalspec::syntax::diagnostic::Applicability;
use goalspec::syntax::{Diagnostic, Severity, SourceFile, fix, render};
use goalspec::trace::TraceInput;
use goalspec::{files, json};

use crate::args::{CheckArgs, DiagnosticFormat};
use crate::interrupt::INTERRUPTED;
use crate::library::{DiscoveredFiles, LoadedLibrary};
use crate::output::{CommandError, CommandResult, Output, plural, write_file};
use crate::progress::Progress;

pub(crate) fn run(args: &CheckArgs, output: &mut Output) -> CommandResult {
    check_usage(args)?;
    let (LoadedLibrary { mut library, mut diagnostics }, traces) = load(args)?;
    if library.sources().iter().next().is_none() && library.diagnostics().is_empty() && diagnostics.is_empty() {
        return Err(CommandError::Usage(
            "no program or world among the paths; use `goalspec trace info` for traces".to_owned(),
        ));
    }
    if args.fix && apply_fixes(args, &library, output)? {
        (LoadedLibrary { library, diagnostics }, _) = load(args)?;
    }
    reject_unused(args, &library)?;
    diagnostics.extend(library.diagnostics().iter().cloned());
    diagnostics.extend(goalspec::planning_problems::unreachable_parts(&library));
    diagnostics.extend(reward_lints::diagnostics(&library));
    let worlds = library.program_worlds();
    // If no world is known, the programs have diagnostics about that.
    let rewards = library.programs().iter().any(|program| program.as_reward().is_some());
    let traces = if worlds.is_empty() && !rewards { Vec::new() } else { traces };
    let progress = Progress::traces(traces.len());
    let mut inputs: Vec<TraceInput> = Vec::new();
    for path in &traces {
        match files::trace_input(path) {
            Ok(input) => inputs.push(input),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    let observed = reward_lints::recording_diagnostics(&library, &inputs, None, &|bytes| progress.add_bytes(bytes));
    diagnostics.extend(observed);
    for input in inputs.iter().filter(|_| !worlds.is_empty()) {
        if let Some(result) = recordings::for_each_game(input, &library, &mut |_| {}) {
            diagnostics.extend(result.err().map(|diagnostic| *diagnostic));
        } else {
            let read = |bytes| progress.add_bytes(bytes);
            diagnostics.extend(goalspec::traces::check(input, &worlds, args.any_world, &read));
        }
        progress.advance();
    }
    progress.finish();
    let judgements = args.playable.playable.then(|| playable::judge(&args.playable, &library, &inputs)).transpose()?;
    let is_interrupted = judgements.as_ref().is_some_and(|judgements| judgements.is_interrupted);
    let judged = judgements.map(|judgements| judgements.programs);
    if (args.verdicts || judged.is_some()) && args.diagnostics.format == DiagnosticFormat::Json {
        writeln!(output, "{:#}", json::check_report(&diagnostics, &library, judged.as_deref()))?;
    } else {
        output.print_diagnostics(args.diagnostics.format.into(), args.notes, &diagnostics, library.sources())?;
    }
    if args.cost {
        cost(&library, output)?;
    }
    if args.diagnostics.format == DiagnosticFormat::Human {
        if args.verdicts {
            activities(&library).try_for_each(|(name, verdicts)| verdict_lines(name, verdicts, output))?;
        }
        judged.iter().flatten().try_for_each(|program| playable::print(program, output))?;
        summary(&library, traces.len(), &diagnostics, args.notes, output)?;
    }
    let limit = if args.deny_warnings { Severity::Warning } else { Severity::Error };
    if is_interrupted {
        output.flush()?;
        return Err(CommandError::ExitCode(INTERRUPTED));
    }
    let is_impossible = |program: &Playability| program.possibility() == Possibility::Impossible;
    Ok(diagnostics.iter().all(|diagnostic| diagnostic.severity < limit) && !judged.iter().flatten().any(is_impossible))
}

/// Checks for contradictory options that clap cannot detect.
fn check_usage(args: &CheckArgs) -> Result<(), CommandError> {
    let usage_error = |message: &str| Err(CommandError::Usage(message.to_owned()));
    if args.cost && args.diagnostics.format != DiagnosticFormat::Human {
        return usage_error("--cost requires the format `human`");
    }
    if args.verdicts && !matches!(args.diagnostics.format, DiagnosticFormat::Human | DiagnosticFormat::Json) {
        return usage_error("--verdicts requires the format `human` or `json`");
    }
    if args.playable.playable && !matches!(args.diagnostics.format, DiagnosticFormat::Human | DiagnosticFormat::Json) {
        return usage_error("--playable requires the format `human` or `json`");
    }
    if args.fix && args.paths.iter().any(|path| path.as_os_str() == "-") {
        return usage_error("--fix cannot rewrite the standard input");
    }
    Ok(())
}

/// Checks for options that apply to none of the programs.
fn reject_unused(args: &CheckArgs, library: &Library) -> Result<(), CommandError> {
    let programs = library.programs();
    let only_rewards = !programs.is_empty() && programs.iter().all(|program| program.as_reward().is_some());
    let options = [("--cost", args.cost), ("--verdicts", args.verdicts), ("--playable", args.playable.playable)];
    let unused = options.into_iter().find(|(_, is_given)| *is_given);
    match unused.filter(|_| only_rewards) {
        Some((option, _)) => Err(CommandError::Usage(format!("{option} does not apply to reward functions"))),
        None => Ok(()),
    }
}

/// Loads the programs and worlds of the paths, and returns them with the paths of traces.
fn load(args: &CheckArgs) -> Result<(LoadedLibrary, Vec<PathBuf>), CommandError> {
    // For checking, standard input holds a program.
    let (stdin, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        args.paths.iter().cloned().partition(|path| path.as_os_str() == "-");
    let mut found = DiscoveredFiles::with_activities(&paths, &args.activities);
    found.inputs.programs.extend(stdin);
    Ok((found.load_with_world(args.world.as_deref(), &args.activities, &args.planning)?, found.inputs.traces))
}

/// Applies fixes; returns whether a file was rewritten.
fn apply_fixes(args: &CheckArgs, library: &Library, output: &Output) -> Result<bool, CommandError> {
    let limit = if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
    let mut has_fixes = false;
    // A built-in world that others extend has a name without a folder; another file here may have that name.
    let is_in_file =
        |source: &&SourceFile| files::read_text(Path::new(source.name())).is_ok_and(|text| text == source.text());
    let mut diagnostics = library.diagnostics().to_vec();
    diagnostics.extend(reward_lints::diagnostics(library));
    for source in library.sources().iter().filter(is_in_file) {
        let fixed = fix::apply(source, &diagnostics, limit);
        if fixed.text != source.text() {
            write_file(Path::new(source.name()), &fixed.text)?;
            output.note(&format!("fixed {} ({})", source.name(), plural(fixed.applied, "change")));
            has_fixes = true;
        }
    }
    Ok(has_fixes)
}

fn cost(library: &Library, output: &mut Output) -> std::io::Result<()> {
    for program in library.programs() {
        let Some(world) = &program.world else { continue };
        let cost = if let Some(game) = program.game() {
            goalspec::monitor::CompiledGame::new(world.clone(), game.clone())
                .map(|compiled| format!("\n{}", compiled.memory_requirements()))
        } else if let Some(goal) = program.goal() {
            goalspec::monitor::goal::CompiledGoal::new(world.clone(), goal).map(|compiled| {
                let (gates, _) = compiled.gate_and_connection_counts();
                format!(" {}, {}", plural(compiled.atoms().len(), "atom"), plural(gates, "gate"))
            })
        } else {
            continue;
        };
        match cost {
            Ok(cost) => writeln!(output, "{}:{cost}", program.name)?,
            Err(error) => writeln!(output, "{}: {error}", program.name)?,
        }
    }
    Ok(())
}

/// Iterates over the activities by name, with the verdicts of the checks.
fn activities(library: &Library) -> impl Iterator<Item = (&str, &CheckStatuses)> {
    library.programs().iter().filter_map(|program| Some((&*program.name, &program.as_activity()?.check_statuses)))
}

/// Prints the number of checks that an activity passes, and the other checks.
fn verdict_lines(name: &str, verdicts: &CheckStatuses, output: &mut Output) -> std::io::Result<()> {
    let passed = verdicts.iter().filter(|(_, verdict)| *verdict == CheckStatus::Passed).count();
    writeln!(output, "{name}: passes {passed} of {} checks", Check::ALL.len())?;
    for (kind, label) in [(CheckStatus::Failed, "fails  "), (CheckStatus::Skipped, "skipped")] {
        for (check, _) in verdicts.iter().filter(|(_, verdict)| *verdict == kind) {
            writeln!(output, "  {label} {}", check.name())?;
        }
    }
    Ok(())
}

fn summary(
    library: &Library,
    traces: usize,
    diagnostics: &[Diagnostic],
    all_notes: bool,
    output: &mut Output,
) -> std::io::Result<()> {
    let counts = [
        (library.programs().len(), "program"),
        (library.bddl_domains().len() + library.planning_domains().len(), "domain"),
        (library.worlds().len(), "world"),
        (traces, "trace"),
    ];
    let mut parts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|&(count, label)| plural(count, label)).collect();
    let checked = match (parts.pop(), &parts[..]) {
        (None, _) => "nothing checked".to_owned(),
        (Some(last), []) => format!("{last} checked"),
        (Some(last), parts) => format!("{} and {last} checked", parts.join(", ")),
    };
    if diagnostics.is_empty() {
        return writeln!(output, "{checked}, no diagnostics");
    }
    let all_shown = all_notes || render::condense(diagnostics).len() == diagnostics.len();
    let rest = if all_shown { "" } else { " (use --notes to show all notes)" };
    writeln!(output, "{checked}, {}{rest}", render::summary(diagnostics))
}
