//! `goalspec watch`

use std::fmt::Write as _;
use std::io::{self, Write};

use goalspec::files;
use goalspec::library::Library;
use goalspec::live::{self, Seen};
use goalspec::run::Options;
use goalspec::syntax::Diagnostic;
use serde_json::{Value, json};

use crate::args::{Verdicts, WatchArgs};
use crate::output::{Failure, Outcome, Output};

pub(crate) fn run(args: &WatchArgs, output: &mut Output) -> Outcome {
    let (inputs, mut diagnostics) = files::discover(&args.paths);
    let library = Library::load(&inputs);
    diagnostics.extend(library.diagnostics().iter().cloned());
    output.report(&diagnostics, library.sources());
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(false);
    }
    let [program] = library.programs() else {
        let number = library.programs().len();
        return Err(Failure::Usage(format!("watch takes one program, and the paths hold {number}")));
    };
    let options = Options { partial: true, ..Options::default() };
    let mut failed = None;
    let watched = live::watch(program, "<stdin>", io::stdin(), &options, &mut |seen| {
        let line = match args.format {
            Verdicts::Text => text(seen),
            Verdicts::Json => verdict(seen).to_string(),
        };
        // Whoever listens wants to know now.
        failed = writeln!(output, "{line}").and_then(|()| Write::flush(output)).err();
        failed.is_none()
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    output.report(&watched.diagnostics, library.sources());
    if let Some(outcome) = &watched.outcome {
        match args.format {
            Verdicts::Text => match &outcome.report.score {
                Ok(score) => writeln!(output, "end: {} states, score {score}", outcome.report.states)?,
                Err(error) => writeln!(output, "end: {} states, no score: {error}", outcome.report.states)?,
            },
            Verdicts::Json => {
                let record = goalspec::record::outcome(outcome, library.sources());
                writeln!(output, "{}", json!({"report": record}))?;
            }
        }
    }
    let stopped = watched.diagnostics.iter().any(Diagnostic::is_error);
    Ok(!stopped && watched.outcome.is_some_and(|outcome| !outcome.failed()))
}

fn text(seen: &Seen<'_>) -> String {
    let verdict = seen.verdict;
    let mut line = format!("state {}: reward {}, score {}", seen.state, verdict.reward, verdict.score);
    if !verdict.ready {
        line += ", setup does not hold";
    }
    for (preference, satisfaction) in &verdict.satisfied {
        let _ = write!(line, ", {} {}-{}", name(seen, *preference), satisfaction.start, satisfaction.end);
    }
    if verdict.done {
        line += ", game over";
    }
    line
}

fn verdict(seen: &Seen<'_>) -> Value {
    let verdict = seen.verdict;
    let satisfied = verdict.satisfied.iter().map(|(preference, satisfaction)| {
        let mut value = goalspec::record::satisfaction(seen.world, satisfaction);
        value["preference"] = json!(name(seen, *preference));
        value
    });
    json!({
        "state": seen.state,
        "reward": verdict.reward,
        "score": verdict.score,
        "ready": verdict.ready,
        "done": verdict.done,
        "satisfied": satisfied.collect::<Vec<_>>(),
    })
}

fn name<'a>(seen: &Seen<'a>, preference: usize) -> &'a str {
    seen.program.game.as_ref().map_or("", |game| &game.preferences[preference].name)
}
