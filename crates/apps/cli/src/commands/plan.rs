//! `goalspec plan`

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goalspec::core::planning::plan::Plan;
use goalspec::core::planning::task::Task;
use goalspec::core::planning::validate::Validation;
use goalspec::files;
use goalspec::library::{Library, Reading};
use goalspec::planner::ground::{Costs, GroundError};
use goalspec::planner::{Aim, Proof, Stop};
use goalspec::planning::solve::{News, Refused, Solved, Wish, solve};
use goalspec::planning::{judge, states};
use goalspec::syntax::diagnostic::Severity;
use goalspec::syntax::{Diagnostic, Sources};
use serde_json::json;

use crate::args::{PlanArgs, PlanFormat};
use crate::output::{Failure, Outcome, Output, number, spare};
use crate::progress::Progress;

/// Exit codes for problems without a plan.
const UNSOLVABLE: u8 = 3;
const OUT_OF_TIME: u8 = 4;
const OUT_OF_MEMORY: u8 = 5;

pub(crate) fn run(args: &PlanArgs, output: &mut Output) -> Outcome {
    if let Some(trace) = &args.trace {
        spare(trace, args.paths.iter())?;
    }
    let Some((_, task)) = load(&args.paths, output)? else { return Ok(false) };
    let aim = match (args.optimal, args.improve) {
        (true, _) => Aim::Optimal,
        (_, true) => Aim::Good,
        _ => Aim::Any,
    };
    let wish = Wish { aim, time: args.time_limit, memory: args.memory_limit << 20 };
    let progress = Progress::analysis();
    let news = |news: News<'_>| match news {
        News::Grounding(grounding) => progress.say(|| format!("grounding: {} atoms and steps", grounding.tuples)),
        News::Searching(statistics) => progress.say(|| format!("searching: {} states expanded", statistics.expanded)),
        News::Plan { steps, cost, after } if aim == Aim::Good => {
            progress.aside(&format!(
                "a plan of {steps} steps and cost {} after {:.2} s",
                number(cost),
                after.as_secs_f64()
            ));
        }
        News::Plan { .. } => {}
    };
    let solved = solve(&task, &wish, &AtomicBool::new(false), &news);
    progress.finish();
    let solved = match solved {
        Ok(solved) => solved,
        Err(error) => {
            let message = format!("`{}` cannot be planned for: {error}", task.name);
            output.report(&[Diagnostic::new(goalspec::codes::NOT_PLANNED, Severity::Error, message)], &Sources::new());
            return Err(Failure::Code(refused(&error)));
        }
    };
    if let (Some(path), Some((plan, _))) = (&args.trace, &solved.plan) {
        write_states(&task, plan, path)?;
    }
    match args.format {
        PlanFormat::Text => text(&solved, &task, aim, args.statistics, output)?,
        PlanFormat::Json => writeln!(output, "{:#}", record(&solved, &task))?,
    }
    match (&solved.plan, solved.proof, solved.stopped) {
        (Some((_, validation)), ..) => Ok(validation.valid()),
        (None, Proof::Unsolvable, _) => Err(Failure::Code(UNSOLVABLE)),
        (None, _, Some(Stop::Time)) => Err(Failure::Code(OUT_OF_TIME)),
        (None, ..) => Err(Failure::Code(OUT_OF_MEMORY)),
    }
}

/// The exit code where there is no ground task.
fn refused(refused: &Refused) -> u8 {
    match refused {
        Refused::Ground(GroundError::Time { .. }) => OUT_OF_TIME,
        Refused::Ground(GroundError::Size { .. } | GroundError::Memory { .. }) => OUT_OF_MEMORY,
        Refused::Ground(GroundError::Cancelled | GroundError::Unsupported(_)) | Refused::Compile(_) => 1,
    }
}

/// The one problem among the files, with everything that was read; `None` if something in them is wrong, which has been reported.
pub(super) fn load(paths: &[PathBuf], output: &Output) -> Result<Option<(Library, Arc<Task>)>, Failure> {
    let (problem, domain) = paths.split_last().map(|(problem, others)| (problem, others.first())).unzip();
    let (inputs, mut found) = files::discover(problem.map(std::slice::from_ref).unwrap_or_default(), &|| {});
    let reading = Reading { domain: domain.flatten().cloned(), ..Reading::default() };
    let library = Library::load(&inputs, reading, &|| {});
    found.extend(library.diagnostics().iter().cloned());
    let problems: Vec<_> = library.programs().iter().filter_map(|program| program.as_planning()).collect();
    let [problem] = problems[..] else {
        let any_error = found.iter().any(Diagnostic::is_error);
        output.report(&found, library.sources());
        let message = format!("one planning problem is expected, and the file holds {}", problems.len());
        return if any_error { Ok(None) } else { Err(Failure::Usage(message)) };
    };
    found.extend(problem.unplanned.iter().cloned());
    output.report(&found, library.sources());
    let task = problem.task.clone().filter(|_| !found.iter().any(Diagnostic::is_error));
    Ok(task.map(|task| (library, task)))
}

/// Writes the states that a plan goes through.
pub(super) fn write_states(task: &Task, plan: &Plan, path: &Path) -> Result<(), Failure> {
    let wrong = |error| Failure::File(path.to_owned(), error);
    let file = File::create(path).map_err(wrong)?;
    states::write(task, plan, BufWriter::new(file)).map_err(|error| wrong(std::io::Error::other(error)))
}

fn text(solved: &Solved, task: &Task, aim: Aim, statistics: bool, output: &mut Output) -> Result<(), Failure> {
    if let Some((plan, validation)) = &solved.plan {
        for step in &plan.steps {
            writeln!(output, "{}", step.text(task))?;
        }
        writeln!(output, "; {}", worth(solved, validation, aim))?;
    } else {
        let why = match (solved.proof, solved.stopped) {
            (Proof::Unsolvable, _) => "there is no plan",
            (_, Some(Stop::Time)) => "no plan was found within the time",
            _ => "no plan was found within the memory",
        };
        writeln!(output, "; {why}")?;
    }
    if statistics {
        numbers(solved, output)?;
    }
    if solved.costs == Costs::NotTheMetric {
        output.note("the search counted steps: the metric is no sum of what steps cost");
    }
    for ignored in &solved.ignored {
        output.note(ignored);
    }
    Ok(())
}

/// How large the task was and what the search did.
fn numbers(solved: &Solved, output: &mut Output) -> std::io::Result<()> {
    let (size, statistics) = (&solved.size, &solved.statistics);
    let (grounding, searching) = (solved.grounding.as_secs_f64(), solved.searching.as_secs_f64());
    writeln!(
        output,
        "; grounded in {grounding:.3} s: {} variables with {} values, {} operators, {} axioms",
        size.variables, size.facts, size.operators, size.axioms,
    )?;
    writeln!(
        output,
        "; searched for {searching:.3} s: {} states expanded, {} evaluated, {} kept, {:.1} MB at most",
        statistics.expanded,
        statistics.evaluated,
        statistics.registered,
        statistics.peak_memory as f64 / 1e6,
    )
}

/// What a plan is worth, in words.
fn worth(solved: &Solved, validation: &Validation, aim: Aim) -> String {
    let what = if solved.costs == Costs::Steps { "cost (steps)" } else { "metric" };
    let value = validation.metric.map_or_else(|| "has no value".to_owned(), |metric| format!("= {}", number(metric)));
    let compared = matches!(solved.costs, Costs::Steps | Costs::Metric { exact: true });
    let how_good = match solved.proof {
        Proof::Optimal if compared => ", the least there is",
        Proof::Optimal => ", the least number of steps",
        _ if aim == Aim::Optimal => ", perhaps not the least: a limit was reached",
        _ => "",
    };
    let wrong = if validation.valid() { "" } else { ": NOT VALID, which is a defect of the planner" };
    format!("{what} {value}{how_good}{wrong}")
}

fn record(solved: &Solved, task: &Task) -> serde_json::Value {
    let (size, statistics) = (&solved.size, &solved.statistics);
    let (plan, validation) = solved.plan.as_ref().map(|(plan, validation)| (plan, validation)).unzip();
    json!({
        "problem": &*task.name,
        "plan": plan.map(|plan| judge::plan_json(task, plan)),
        "metric": validation.and_then(|validation| validation.metric),
        "valid": validation.map(Validation::valid),
        "proof": match solved.proof {
            Proof::None => None,
            Proof::Optimal => Some("optimal"),
            Proof::Unsolvable => Some("unsolvable"),
        },
        "stopped": solved.stopped.map(|stop| match stop {
            Stop::Time => "time",
            Stop::Memory => "memory",
            Stop::States => "states",
            Stop::Cancelled => "cancelled",
        }),
        "compared_by": match solved.costs {
            Costs::Metric { exact: true } => "metric",
            Costs::Metric { exact: false } => "metric, rounded",
            Costs::Steps | Costs::NotTheMetric => "steps",
        },
        "ignored": solved.ignored,
        "task": {
            "variables": size.variables,
            "values": size.facts,
            "operators": size.operators,
            "axioms": size.axioms,
        },
        "statistics": {
            "grounding_seconds": solved.grounding.as_secs_f64(),
            "search_seconds": solved.searching.as_secs_f64(),
            "expanded": statistics.expanded,
            "evaluated": statistics.evaluated,
            "generated": statistics.generated,
            "registered": statistics.registered,
            "reopened": statistics.reopened,
            "dead_ends": statistics.dead_ends,
            "peak_bytes": statistics.peak_memory,
        },
    })
}
