//! The `goalspec plan` command.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use goalspec::bddl::planning::ModelLimit;
use goalspec::core::planning::validate::Validation;
use goalspec::planner::ground::{Costs, GroundError};
use goalspec::planner::{Aim, Proof, Stop};
use goalspec::planning::choice::Search;
use goalspec::planning::fast_downward::{Failed, FastDownward};
use goalspec::planning::memory::{self, Grant};
use goalspec::planning::out_of_reach::OutOfReach;
use goalspec::planning::posed::{Posed, Verdict};
use goalspec::planning::solve::{News, Refused, Solved, Wish, solve};
use goalspec::planning::widening;
use goalspec::syntax::diagnostic::Severity;
use goalspec::syntax::{Diagnostic, Sources};
use serde_json::json;

use super::posing::{pose, prepare, write_states};
use crate::args::{PlanArgs, PlanEngine, PlanFormat};
use crate::interrupt::{self, INTERRUPTED};
use crate::output::{Failure, Outcome, Output, number, plural};
use crate::progress::Progress;

/// Exit codes for problems for which no plan is found.
const UNSOLVABLE: u8 = 3;
const OUT_OF_TIME: u8 = 4;
const OUT_OF_MEMORY: u8 = 5;
const GAVE_UP: u8 = 6;
const UNMODELLED: u8 = 7;

pub(crate) fn run(args: &PlanArgs, output: &mut Output) -> Outcome {
    check_usage(args)?;
    prepare(&args.paths, args.trace.as_deref(), &args.goal, output)?;
    let engine = match args.engine {
        PlanEngine::Goalspec => None,
        PlanEngine::FastDownward => Some(found(args.engine_path.as_deref(), output)?),
    };
    let begun = Instant::now();
    let Some((posed, sources)) = pose(&args.paths, &args.goal, &args.activities, output)? else { return Ok(false) };
    if !posed.unmodelled().is_empty() {
        not_traced(args, output);
        return unmodelled(&posed, &sources, args.format, output);
    }
    let interrupted = interrupt::flag().map_err(|error| Failure::Usage(format!("cannot handle Ctrl-C: {error}")))?;
    let mut look = |posed: &Posed, states| {
        let bounds = SearchBounds { begun, states, interrupted: &interrupted };
        search(args, engine.as_ref(), posed, &bounds, output)
    };
    let (posed, solved) = widening::search(posed, &mut look);
    let solved = match solved {
        Ok(solved) => solved,
        Err(refused) => return not_searched(&refused, args, &posed, &sources, output),
    };
    match (&args.trace, &solved.plan) {
        (Some(path), Some((plan, _))) => write_states(&posed, plan, path)?,
        _ => not_traced(args, output),
    }
    let verdict = solved.plan.as_ref().and_then(|(plan, _)| posed.verdict(plan));
    let unsolvable = solved.proof == Proof::Unsolvable;
    let left = args.time_limit.map(|limit| limit.saturating_sub(begun.elapsed()));
    let limits = if unsolvable { posed.limits() } else { &[] };
    let unreachable = if unsolvable { in_the_way(&posed, left, &interrupted, &sources, output) } else { None };
    match args.format {
        PlanFormat::Text => text(&solved, verdict.as_ref(), &posed, args, output)?,
        PlanFormat::Json => {
            writeln!(output, "{:#}", record(&solved, verdict.as_ref(), unreachable.as_deref(), &posed))?;
        }
    }
    if !limits.is_empty() {
        output.note(&no_proof(limits));
    }
    match (&solved.plan, solved.proof, solved.stopped) {
        (Some((_, validation)), ..) => Ok(validation.valid() && verdict.is_none_or(|verdict| verdict.met)),
        (None, Proof::Unsolvable, _) if !limits.is_empty() => Err(Failure::Code(UNMODELLED)),
        (None, Proof::Unsolvable, _) => Err(Failure::Code(UNSOLVABLE)),
        (None, _, Some(stop)) => Err(Failure::Code(ended(stop))),
        (None, _, None) => Err(Failure::Code(GAVE_UP)),
    }
}

/// Returns the exit code of a search that was stopped without a plan.
fn ended(stop: Stop) -> u8 {
    match stop {
        Stop::Time => OUT_OF_TIME,
        Stop::Memory | Stop::States => OUT_OF_MEMORY,
        Stop::Cancelled => INTERRUPTED,
    }
}

/// Returns the JSON name of the reason why a search was stopped.
fn stop_name(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "time",
        Stop::Memory => "memory",
        Stop::States => "states",
        Stop::Cancelled => "cancelled",
    }
}

/// Reports that the file of states was not written and is unchanged, since there is no plan.
fn not_traced(args: &PlanArgs, output: &Output) {
    if let Some(path) = args.trace.as_deref().filter(|path| *path != Path::new("-")) {
        output.note(&format!("`{}` was not written: no plan was found", path.display()));
    }
}

/// Reports the predicates of the goal that no action of the model affects.
fn unmodelled(posed: &Posed, sources: &Sources, format: PlanFormat, output: &mut Output) -> Outcome {
    let found: Vec<Diagnostic> = posed.unmodelled().iter().map(OutOfReach::unmodelled).collect();
    output.report(&found, sources);
    match format {
        PlanFormat::Text => {
            writeln!(output, "; no search: the goal requires effects that no action of the model has")?;
        }
        PlanFormat::Json => {
            let all: Vec<_> = posed.unmodelled().iter().map(OutOfReach::json).collect();
            let record =
                json!({ "problem": &*posed.task.name, "plan": null, "proof": null, "unsupported_literals": all });
            writeln!(output, "{record:#}")?;
        }
    }
    Err(Failure::Code(UNMODELLED))
}

/// The maximum number of restrictions of the action model that are listed.
const NAMED_LIMITS: usize = 5;

/// Returns a remark that the activity may still be possible despite having no plan, with the restrictions of the action model.
fn no_proof(limits: &[ModelLimit]) -> String {
    let named: Vec<String> = limits.iter().take(NAMED_LIMITS).map(ModelLimit::to_string).collect();
    let more = limits.len().saturating_sub(NAMED_LIMITS);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("the activity may still be solvable: {}{more}", named.join("; "))
}

/// Reports and returns the unreachable parts of the goal of an activity without a plan; returns `None` if they are unknown.
fn in_the_way(
    posed: &Posed,
    left: Option<Duration>,
    interrupted: &AtomicBool,
    sources: &Sources,
    output: &Output,
) -> Option<Vec<OutOfReach>> {
    match posed.unreachable(left, interrupted)? {
        Ok(found) if found.is_empty() => {
            output.note("each condition of the goal may be reachable separately, but not all of them together");
            Some(found)
        }
        Ok(found) => {
            output.report(&found.iter().map(OutOfReach::unreachable).collect::<Vec<_>>(), sources);
            Some(found)
        }
        Err(error) => {
            let why = match error {
                GroundError::Time { .. } if left.is_some() => "time limit reached".to_owned(),
                GroundError::Cancelled => "interrupted".to_owned(),
                error => error.to_string(),
            };
            output.note(&format!("the unreachable conditions of the goal were not determined: {why}"));
            None
        }
    }
}

/// Checks for contradictory options that clap cannot detect.
fn check_usage(args: &PlanArgs) -> Result<(), Failure> {
    let refuse = |message: &str| Err(Failure::Usage(message.to_owned()));
    match args.engine {
        PlanEngine::Goalspec if args.engine_path.is_some() => refuse("--engine-path requires --engine fast-downward"),
        PlanEngine::FastDownward if args.search != Search::Portfolio || args.state_limit.is_some() => {
            refuse("--search and --state-limit are not supported with --engine fast-downward")
        }
        _ => Ok(()),
    }
}

/// Finds Fast Downward; reports an error with instructions for its installation otherwise.
fn found(path: Option<&Path>, output: &Output) -> Result<FastDownward, Failure> {
    FastDownward::find(path).map_err(|missing| {
        let mut error = Diagnostic::new(goalspec::codes::NO_ENGINE, Severity::Error, missing.to_string());
        if path.is_none() {
            error = error
                .with_help("install it with `pip install up-fast-downward`, or pass its path with --engine-path FILE");
        }
        output.report(&[error], &Sources::new());
        Failure::Code(1)
    })
}

/// The bounds of one search, in addition to the options.
struct SearchBounds<'c> {
    /// The start of the command.
    begun: Instant,
    /// The maximum number of stored states.
    states: Option<usize>,
    interrupted: &'c AtomicBool,
}

/// Searches for a plan and reports progress.
fn search(
    args: &PlanArgs,
    engine: Option<&FastDownward>,
    posed: &Posed,
    bounds: &SearchBounds<'_>,
    output: &Output,
) -> Result<Solved, Refused> {
    let SearchBounds { begun, states, interrupted } = *bounds;
    let (demands, grant) = (posed.demands(), memory::granted(args.memory_limit << 20));
    let wish = Wish {
        aim: aim(args),
        demands: &demands,
        search: args.search,
        time: args.time_limit,
        begun: Some(begun),
        memory: grant.bytes,
        states: args.state_limit.map(|states| states as usize).into_iter().chain(states).min(),
    };
    let progress = Progress::analysis();
    let news = |news: News<'_>| match news {
        News::Grounding(grounding) => progress.say(|| format!("grounding: {} atoms and operators", grounding.tuples)),
        News::Searching(statistics) => progress.say(|| format!("searching: {} states expanded", statistics.expanded)),
        News::Plan { steps, metric, after } if wish.aim == Aim::Good => {
            let steps = plural(steps, "step");
            let metric = metric.map_or_else(String::new, |metric| format!(" and metric {}", number(metric)));
            progress.aside(&format!("found a plan of {steps}{metric} after {:.2} s", after.as_secs_f64()));
        }
        News::Plan { .. } => {}
    };
    let solved = match engine {
        None => solve(&posed.task, &wish, interrupted, &news),
        Some(engine) => match posed.texts() {
            Ok(texts) => engine.solve(&posed.task, texts, &wish, interrupted, &news),
            Err(error) => Err(Failed::Unwritable(error.to_string()).into()),
        },
    };
    progress.finish();
    let out_of_memory = match &solved {
        Ok(solved) => solved.stopped == Some(Stop::Memory),
        Err(refused) => matches!(refused, Refused::Ground(GroundError::Memory { .. })),
    };
    if let (true, Grant { bytes, bound: Some(bound) }) = (out_of_memory, grant) {
        output.note(&format!("--memory-limit of {} MB reduced to {} MB: {bound}", args.memory_limit, bytes >> 20));
    }
    solved
}

/// Reports the reason why there was no search, with its span if known.
fn not_searched(refused: &Refused, args: &PlanArgs, posed: &Posed, sources: &Sources, output: &mut Output) -> Outcome {
    if matches!(refused, Refused::Search(_)) {
        return Err(Failure::Usage(refused.to_string()));
    }
    let stopped = refused.stopped();
    match refused {
        Refused::Ground(GroundError::Cancelled) => {
            output.note("interrupted while grounding, before a plan was found");
        }
        Refused::Halted(None) => {
            output.note("interrupted while compiling constraints and goals, before a plan was found");
        }
        _ => {
            let span = if let Refused::Compile(error) = refused { error.origin.0 } else { None };
            let message = format!("cannot plan `{}`: {refused}", posed.task.name);
            let error = Diagnostic::new(goalspec::codes::NOT_PLANNED, Severity::Error, message);
            let error = match refused.remedy() {
                Some(remedy) => error.with_help(remedy),
                None => error,
            };
            output.report(&[Diagnostic { span, ..error }], sources);
        }
    }
    not_traced(args, output);
    if let (Some(stop), PlanFormat::Json) = (stopped, args.format) {
        let record = json!({
            "problem": &*posed.task.name,
            "plan": null,
            "proof": null,
            "stop_reason": stop_name(stop),
            "stage": refused.stage(),
        });
        writeln!(output, "{record:#}")?;
    }
    stopped.map_or(Ok(false), |stop| Err(Failure::Code(ended(stop))))
}

/// Returns the objective of the search.
fn aim(args: &PlanArgs) -> Aim {
    match (args.optimal, args.improve) {
        (true, _) => Aim::Optimal,
        (_, true) => Aim::Good,
        _ => Aim::Any,
    }
}

/// Returns the reason why there is no plan.
fn why_not(solved: &Solved, is_proof: bool) -> &'static str {
    match (solved.proof, solved.stopped) {
        (Proof::Unsolvable, _) if !is_proof => "unsolvable in the action model",
        (Proof::Unsolvable, _) => "unsolvable (proved)",
        (_, Some(Stop::Time)) => "time limit reached without a plan",
        (_, Some(Stop::Memory)) => "memory limit reached without a plan",
        (_, Some(Stop::States)) => "state limit reached without a plan",
        (_, Some(Stop::Cancelled)) => "interrupted before a plan was found",
        (_, None) => "no plan found by an incomplete search; unsolvability not proved",
    }
}

fn text(
    solved: &Solved,
    verdict: Option<&Verdict>,
    posed: &Posed,
    args: &PlanArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    if let Some((plan, validation)) = &solved.plan {
        for step in &plan.steps {
            writeln!(output, "{}", posed.step_text(step))?;
        }
        writeln!(output, "; {}", worth(solved, validation, aim(args)))?;
        if let Some(verdict) = verdict {
            writeln!(output, "; {}", verdict.text)?;
        }
        if solved.stopped == Some(Stop::Cancelled) {
            output.note("interrupted: the plan is the best one found so far");
        }
    } else {
        writeln!(output, "; {}", why_not(solved, posed.limits().is_empty()))?;
    }
    if args.statistics {
        numbers(solved, output)?;
    }
    if solved.costs == Costs::NotTheMetric {
        output.note("the search minimized the number of steps: the metric is not a sum of action costs");
    }
    for ignored in &solved.ignored {
        output.note(ignored);
    }
    Ok(())
}

/// Prints the size of the task and the statistics of the search.
fn numbers(solved: &Solved, output: &mut Output) -> std::io::Result<()> {
    let (size, statistics) = (&solved.size, &solved.statistics);
    let (grounding, searching) = (solved.grounding.as_secs_f64(), solved.searching.as_secs_f64());
    writeln!(
        output,
        "; grounding: {grounding:.3} s, {} variables with {} values, {} operators, {} axioms",
        size.variables, size.facts, size.operators, size.axioms,
    )?;
    writeln!(
        output,
        "; search {}: {searching:.3} s, {} states expanded, {} evaluated, {} stored, peak memory {:.1} MB",
        solved.search,
        statistics.expanded,
        statistics.evaluated,
        statistics.registered,
        statistics.peak_memory as f64 / 1e6,
    )
}

/// Returns the cost or metric value of a plan, with its guarantee.
fn worth(solved: &Solved, validation: &Validation, aim: Aim) -> String {
    let what = if solved.costs == Costs::Steps { "cost (steps)" } else { "metric" };
    let value = validation.metric.map_or_else(|| "undefined".to_owned(), |metric| format!("= {}", number(metric)));
    let how_good = match (solved.proof, solved.costs) {
        (Proof::Optimal, Costs::Steps | Costs::Metric { exact: true }) => " (optimal)",
        (Proof::Optimal, Costs::Metric { exact: false }) => " (optimal for rounded costs)",
        (Proof::Optimal, Costs::NotTheMetric) => " (fewest steps; the metric was not minimized)",
        _ if aim == Aim::Optimal => " (optimality not proved: a limit was reached)",
        _ => "",
    };
    let wrong = if validation.valid() { "" } else { ": INVALID PLAN, a bug in the planner" };
    format!("{what} {value}{how_good}{wrong}")
}

fn record(
    solved: &Solved,
    verdict: Option<&Verdict>,
    unreachable: Option<&[OutOfReach]>,
    posed: &Posed,
) -> serde_json::Value {
    let (size, statistics) = (&solved.size, &solved.statistics);
    let (plan, validation) = solved.plan.as_ref().map(|(plan, validation)| (plan, validation)).unzip();
    json!({
        "problem": &*posed.task.name,
        "plan": plan.map(|plan| plan.steps.iter().map(|step| posed.step_text(step)).collect::<Vec<_>>()),
        "metric": validation.and_then(|validation| validation.metric),
        "valid": validation.map(Validation::valid),
        "verdict": verdict.map(|verdict| json!({ "satisfied": verdict.met, "text": verdict.text })),
        "proof": match (solved.proof, solved.costs) {
            (Proof::None, _) | (Proof::Optimal, Costs::Metric { exact: false }) => None,
            (Proof::Optimal, Costs::Steps | Costs::Metric { exact: true }) => Some("optimal"),
            (Proof::Optimal, Costs::NotTheMetric) => Some("fewest-steps"),
            (Proof::Unsolvable, _) if !posed.limits().is_empty() => None,
            (Proof::Unsolvable, _) => Some("unsolvable"),
        },
        "model_restrictions": (solved.proof == Proof::Unsolvable)
            .then(|| posed.limits().iter().map(ModelLimit::to_string).collect::<Vec<_>>()),
        "unreachable": unreachable.map(|found| found.iter().map(OutOfReach::json).collect::<Vec<_>>()),
        "stop_reason": solved.stopped.map(stop_name),
        "objective": match solved.costs {
            Costs::Metric { exact: true } => "metric",
            Costs::Metric { exact: false } => "rounded-metric",
            Costs::Steps | Costs::NotTheMetric => "steps",
        },
        "ignored": solved.ignored,
        "search": solved.search,
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
