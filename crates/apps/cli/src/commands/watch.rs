//! The `goalspec watch` command.

use std::fmt::Write as _;
use std::io::{self, Write};

use goalspec::json;
use goalspec::program::Program;
use goalspec::report::{ProgramReport, ProgramVerdict};
use goalspec::scoring::ScoringOptions;
use goalspec::stream::{self, LiveStep, StreamEnd};
use goalspec::syntax::Diagnostic;

use crate::args::{WatchArgs, WatchFormat};
use crate::library::DiscoveredFiles;
use crate::output::{CommandError, CommandResult, Output, plural};

pub(crate) fn run(args: &WatchArgs, output: &mut Output) -> CommandResult {
    let found = DiscoveredFiles::with_activities(&args.paths, &args.activities);
    // Folders may contain traces; a trace named on the command line was meant to be watched.
    if let Some(trace) = found.inputs.traces.iter().find(|trace| args.paths.contains(trace) && trace.as_os_str() != "-")
    {
        let trace = trace.display();
        return Err(CommandError::Usage(format!(
            "`{trace}` is a trace, but watch reads states from the standard input: use `goalspec score`, or redirect it with `<`"
        )));
    }
    let loaded = found.load(&args.activities)?;
    if !loaded.report(output) {
        return Ok(false);
    }
    let library = loaded.library;
    let [program] = library.programs() else {
        let number = library.programs().len();
        return Err(CommandError::Usage(format!("expected 1 program, found {number}")));
    };
    let mut failed = None;
    let options = ScoringOptions { any_world: args.any_world, ..ScoringOptions::default() };
    let result = stream::watch(program, "<stdin>", io::stdin(), &options, &mut |step| {
        let line = match args.format {
            WatchFormat::Text => text(step),
            WatchFormat::Jsonl => json::live_state(step).to_string(),
        };
        // Flush each line for readers of the stream.
        failed = writeln!(output, "{line}").and_then(|()| Write::flush(output)).err();
        failed.is_none()
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    output.report(&result.diagnostics, library.sources());
    if let (Some(end), Some(outcome)) = (&result.ending, &result.outcome) {
        let line = match args.format {
            WatchFormat::Text => ending_text(end, program),
            WatchFormat::Jsonl => json::stream_end(end, program, &outcome.world).to_string(),
        };
        writeln!(output, "{line}")?;
    }
    if let Some(outcome) = &result.outcome {
        match args.format {
            WatchFormat::Text => writeln!(output, "{}", goal_end_text(&outcome.report))?,
            WatchFormat::Jsonl => {
                let record = json::outcome(outcome, library.sources());
                writeln!(output, "{record}")?;
            }
        }
    }
    let stopped = result.diagnostics.iter().any(Diagnostic::is_error);
    Ok(!stopped && result.outcome.is_some_and(|outcome| !outcome.is_failure()))
}

/// Returns the record of the end of the stream, whose reward completes the sum of rewards to the score.
fn ending_text(end: &StreamEnd, program: &Program) -> String {
    let mut line = format!("end of stream: reward {}, score {}", end.reward, end.score);
    for (preference, satisfaction) in &end.satisfied {
        let name = program.preference_name(*preference);
        let _ = write!(line, ", {name} {}-{}", satisfaction.start, satisfaction.end);
    }
    line
}

fn goal_end_text(report: &ProgramReport) -> String {
    let states = plural(report.states() as usize, "state");
    match (report, report.score()) {
        (ProgramReport::Goal(goal), Ok(score)) => {
            let verdict_text = if goal.report.last.satisfied { "goal satisfied" } else { "goal not satisfied" };
            format!("total: {states}, {verdict_text}, progress {score}")
        }
        (_, Ok(score)) => format!("total: {states}, score {score}"),
        (_, Err(error)) => format!("total: {states}, no score: {error}"),
    }
}

fn text(step: &LiveStep<'_>) -> String {
    let mut line = format!("state {}: ", step.state);
    match step.verdict {
        ProgramVerdict::Game(verdict) => {
            let _ = write!(line, "reward {}, score {}", verdict.reward, verdict.score);
            if !verdict.setup_holds {
                line += ", setup not satisfied";
            }
            for (preference, satisfaction) in &verdict.satisfied {
                let _ = write!(
                    line,
                    ", {} {}-{}",
                    step.program.preference_name(*preference),
                    satisfaction.start,
                    satisfaction.end
                );
            }
            if verdict.done {
                line += ", game over";
            }
        }
        ProgramVerdict::Goal { verdict, progress, .. } => {
            let (satisfied, unsatisfied) = verdict.split();
            let _ = write!(
                line,
                "{} of {} conjuncts, progress {progress}",
                satisfied.len(),
                satisfied.len() + unsatisfied.len()
            );
            if verdict.satisfied {
                line += ", goal satisfied";
            }
        }
    }
    line
}
