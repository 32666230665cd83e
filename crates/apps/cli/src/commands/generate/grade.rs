//! The `goalspec generate grade` command.

use std::io::Write;

use goalspec::files;
use goalspec::grading::{Difficulty, GradedGoal, document, grade};
use goalspec::library::LibraryOptions;
use goalspec::playability::PlayabilityOptions;
use goalspec::scoring::ScoringOptions;
use goalspec::syntax::{Diagnostic, Sources};
use goalspec::trace::TraceInput;

use super::{fail, refuse, refuse_generation};
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
    let plays: Result<Vec<TraceInput>, _> = inputs.traces.iter().map(|path| files::trace_input(path)).collect();
    let plays = plays.map_err(|error| fail(&[*error], &Sources::new(), output))?;
    let options = PlayabilityOptions {
        scoring: ScoringOptions { pool: Some(thread_pool(args.threads)?), ..ScoringOptions::default() },
        plan_time: args.plan_time,
        simulations: args.simulations,
        ..PlayabilityOptions::default()
    };
    let progress = Progress::games(library.programs().len() as u64);
    let goals = grade(&library, &plays, &options, &|count| progress.add(count));
    progress.finish();
    let goals = goals.map_err(|error| refuse_generation(&error))?;
    if goals.is_empty() {
        return Err(refuse(&"there is no goal among the programs"));
    }
    if args.report.is_json() {
        writeln!(output, "{:#}", document(&goals))?;
    } else {
        goals.iter().try_for_each(|goal| text(goal, output))?;
    }
    Ok(true)
}

fn text(goal: &GradedGoal, output: &mut Output) -> std::io::Result<()> {
    let difficulty = match goal.difficulty {
        None => "not shown".to_owned(),
        Some(Difficulty::Plays(value)) => format!("{value:.2}"),
        Some(Difficulty::Plan(steps)) => plural(steps, "step"),
        Some(Difficulty::Simulation(turns)) => plural(turns as usize, "turn"),
    };
    write!(output, "{difficulty:>9}  {}", goal.program)?;
    match &goal.nearest {
        Some(nearest) => writeln!(output, ", {} from {}", plural(nearest.edits as usize, "edit"), nearest.program),
        None => writeln!(output),
    }
}
