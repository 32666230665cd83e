//! The `goalspec generate grade` command.

use std::io::Write;

use goalspec::files;
use goalspec::grading::{Difficulty, GradedGoal, document, grade};
use goalspec::library::LibraryOptions;
use goalspec::playability::PlayabilityOptions;
use goalspec::scoring::ScoringOptions;
use goalspec::syntax::{Diagnostic, Sources};
use goalspec::trace::TraceInput;
use goalspec::trace::input::with_trace_name;

use super::{fail, refuse};
use crate::args::GradeArgs;
use crate::library::{DiscoveredFiles, load, settings};
use crate::output::{CommandResult, Output, plural};
use crate::progress::Progress;
use crate::threads::thread_pool;

pub(crate) fn run(args: &GradeArgs, output: &mut Output) -> CommandResult {
    let found = DiscoveredFiles::new(&args.paths);
    let inputs = found.inputs_with(&settings()?);
    let progress = Progress::programs(inputs.worlds.len() + inputs.programs.len());
    let library = load(&inputs, LibraryOptions::default(), &progress)?;
    progress.finish();
    let all = found.diagnostics.iter().chain(library.diagnostics());
    let errors: Vec<Diagnostic> = all.filter(|diagnostic| diagnostic.is_error()).cloned().collect();
    if !errors.is_empty() {
        return Err(fail(&errors, library.sources(), output));
    }
    let mut plays: Vec<TraceInput> = Vec::new();
    for path in &inputs.traces {
        let play = files::trace_input(path).map_err(|error| fail(&[*error], &Sources::new(), output))?;
        if let Some(error) = play.open().err() {
            let error = with_trace_name(&play.name(), error.into_diagnostic());
            return Err(fail(&[error], &Sources::new(), output));
        }
        plays.push(play);
    }
    let options = PlayabilityOptions {
        scoring: ScoringOptions { pool: Some(thread_pool(args.threads)?), ..ScoringOptions::default() },
        plan_time: args.plan_time,
        simulations: args.simulations,
        ..PlayabilityOptions::default()
    };
    let progress = Progress::games(library.programs().len() as u64);
    let grading = grade(&library, &plays, &options, &|count| progress.add(count));
    progress.finish();
    if grading.goals.is_empty() {
        return Err(refuse(&"there is no goal among the programs"));
    }
    if args.report.is_json() {
        writeln!(output, "{:#}", document(&grading))?;
    } else {
        grading.unscored.iter().for_each(|reason| output.note(&format!("goalspec: {reason}")));
        grading.goals.iter().try_for_each(|goal| text(goal, output))?;
    }
    Ok(true)
}

fn text(goal: &GradedGoal, output: &mut Output) -> std::io::Result<()> {
    let difficulty = match goal.difficulty {
        None => goal.possibility.name().to_owned(),
        Some(Difficulty::Plays(value)) => format!("{value:.2}"),
        Some(Difficulty::Plan(steps)) => plural(steps, "step"),
        Some(Difficulty::Simulation(turns)) => format!("{turns:.1} turns"),
    };
    write!(output, "{difficulty:>10}  {}", goal.program)?;
    match &goal.nearest {
        Some(nearest) => writeln!(output, ", {} from {}", plural(nearest.edits as usize, "edit"), nearest.program),
        None => writeln!(output),
    }
}
