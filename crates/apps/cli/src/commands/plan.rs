//! The `goalspec plan` command.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use goalspec::bddl::planning::ModelRestriction;
use goalspec::core::planning::validate::Validation;
use goalspec::planner::ground::{CostModel, GroundError};
use goalspec::planner::{Objective, Proof, StopReason};
use goalspec::planning::fallback;
use goalspec::planning::fast_downward::{FastDownward, FastDownwardError};
use goalspec::planning::json;
use goalspec::planning::memory::{self, MemoryLimit};
use goalspec::planning::problem::{PlanVerdict, PlanningProblem};
use goalspec::planning::reachability;
use goalspec::planning::search::Search;
use goalspec::planning::solve::{PlanError, PlanEvent, PlanRequest, PlanResult, solve};
use goalspec::planning::unreachable::UnreachableLiterals;
use goalspec::syntax::diagnostic::Severity;
use goalspec::syntax::{Diagnostic, Sources};

use super::problem::{LoadedProblem, check_files, load_problem, write_states};
use crate::args::{PlanArgs, PlanEngine, PlanFormat};
use crate::interrupt::{self, INTERRUPTED};
use crate::output::{CommandError, CommandResult, Output, number, plural};
use crate::progress::Progress;

/// Exit codes for problems for which no plan is found.
const UNSOLVABLE: u8 = 3;
const OUT_OF_TIME: u8 = 4;
const OUT_OF_MEMORY: u8 = 5;
const UNSOLVED_INCOMPLETE: u8 = 6;
const UNSUPPORTED: u8 = 7;

pub(crate) fn run(args: &PlanArgs, output: &mut Output) -> CommandResult {
    check_usage(args)?;
    check_files(&args.paths, args.trace.as_deref(), &args.goal, output)?;
    let engine = match args.engine {
        PlanEngine::Goalspec => None,
        PlanEngine::FastDownward => Some(find_fast_downward(args.engine_path.as_deref(), output)?),
    };
    let started_at = Instant::now();
    let Some(loaded) = load_problem(&args.paths, &args.goal, &args.activities, args.actions.as_deref(), output)? else {
        return Ok(false);
    };
    let sources = &loaded.sources;
    if !loaded.problem.unsupported_literals().is_empty() {
        loaded.report_findings(true, output);
        report_unwritten_trace(args, output);
        return unsupported(&loaded.problem, sources, args.format, output);
    }
    let interrupted =
        interrupt::flag().map_err(|error| CommandError::Usage(format!("cannot handle Ctrl-C: {error}")))?;
    let mut on_states = |problem: &PlanningProblem, states| {
        let bounds = SearchBounds { started_at, max_states: states, interrupted: &interrupted };
        search(args, engine.as_ref(), problem, &bounds, output)
    };
    let (problem, solved) = fallback::search_with_fallback(loaded.problem.clone(), &mut on_states);
    loaded.report_findings(solved.as_ref().map_or(true, |solved| solved.plan.is_none()), output);
    let solved = match solved {
        Ok(solved) => solved,
        Err(error) => return report_error(&error, args, &problem, sources, output),
    };
    output.report(&problem.diagnostics(&solved), sources);
    match (&args.trace, &solved.plan) {
        (Some(path), Some((plan, _))) => write_states(&problem, plan, path)?,
        _ => report_unwritten_trace(args, output),
    }
    let verdict = solved.plan.as_ref().and_then(|(plan, _)| problem.verdict(plan));
    let unsolvable = solved.proof == Proof::Unsolvable;
    let left = args.time_limit.map(|limit| limit.saturating_sub(started_at.elapsed()));
    let restrictions = if unsolvable { problem.model_restrictions() } else { &[] };
    let unreachable = if unsolvable { report_unreachable(&problem, left, &interrupted, &loaded, output) } else { None };
    match args.format {
        PlanFormat::Text => text(&solved, verdict.as_ref(), &problem, args, output)?,
        PlanFormat::Json => {
            writeln!(output, "{:#}", json::result(&problem, &solved, verdict.as_ref(), unreachable.as_deref()))?;
        }
    }
    if !restrictions.is_empty() {
        output.note(&model_restrictions_remark(restrictions));
    }
    match (&solved.plan, solved.proof, solved.stop_reason) {
        (Some((_, validation)), ..) => Ok(validation.is_valid() && verdict.is_none_or(|verdict| verdict.is_satisfied)),
        (None, Proof::Unsolvable, _) if !restrictions.is_empty() => Err(CommandError::ExitCode(UNSUPPORTED)),
        (None, Proof::Unsolvable, _) => Err(CommandError::ExitCode(UNSOLVABLE)),
        (None, _, Some(stop)) => Err(CommandError::ExitCode(stop_exit_code(stop))),
        (None, _, None) => Err(CommandError::ExitCode(UNSOLVED_INCOMPLETE)),
    }
}

/// Returns the exit code of a search that was stopped without a plan.
fn stop_exit_code(stop: StopReason) -> u8 {
    match stop {
        StopReason::Time => OUT_OF_TIME,
        StopReason::Memory | StopReason::States => OUT_OF_MEMORY,
        StopReason::Cancelled => INTERRUPTED,
    }
}

/// Reports that the file of states was not written and is unchanged, since there is no plan.
fn report_unwritten_trace(args: &PlanArgs, output: &Output) {
    if let Some(path) = args.trace.as_deref().filter(|path| *path != Path::new("-")) {
        output.note(&format!("`{}` was not written: no plan was found", path.display()));
    }
}

/// Reports the predicates of the goal that no action of the model affects.
fn unsupported(problem: &PlanningProblem, sources: &Sources, format: PlanFormat, output: &mut Output) -> CommandResult {
    let found: Vec<Diagnostic> =
        problem.unsupported_literals().iter().map(UnreachableLiterals::unsupported_error).collect();
    output.report(&found, sources);
    let missing = problem.model_restrictions().iter().filter(|restriction| restriction.is_missing_object());
    missing.for_each(|restriction| output.note(&restriction.to_string()));
    match format {
        PlanFormat::Text => {
            writeln!(output, "; no search: the goal requires effects that no action of the model has")?;
        }
        PlanFormat::Json => {
            writeln!(output, "{:#}", json::unsupported(problem))?;
        }
    }
    Err(CommandError::ExitCode(UNSUPPORTED))
}

/// The maximum number of restrictions of the action model that are listed.
const MAX_LISTED_RESTRICTIONS: usize = 5;

/// Returns a remark that the activity may still be possible despite having no plan, with the restrictions of the action model.
fn model_restrictions_remark(restrictions: &[ModelRestriction]) -> String {
    let names: Vec<String> =
        restrictions.iter().take(MAX_LISTED_RESTRICTIONS).map(ModelRestriction::to_string).collect();
    let more = restrictions.len().saturating_sub(MAX_LISTED_RESTRICTIONS);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("the activity may still be solvable: {}{more}", names.join("; "))
}

/// Reports the unreachable parts of the goal of a problem without a plan. Returns those of an activity, if they are known.
fn report_unreachable(
    problem: &PlanningProblem,
    left: Option<Duration>,
    interrupted: &AtomicBool,
    loaded: &LoadedProblem,
    output: &Output,
) -> Option<Vec<UnreachableLiterals>> {
    let literals = problem.unreachable_literals(left, interrupted);
    let found = match &literals {
        Some(Ok(literals)) => Ok(literals.iter().map(UnreachableLiterals::unreachable_error).collect()),
        Some(Err(error)) => Err(error.clone()),
        None => reachability::unreachable_goals(&problem.task, left, interrupted),
    };
    match found {
        Ok(found) if found.is_empty() => {
            if !problem.task.goal.conjuncts.is_empty() {
                output.note("each condition of the goal may be reachable separately, but not all of them together");
            }
        }
        Ok(found) => loaded.report_new(&found, output),
        Err(error) => {
            let reason = match error {
                GroundError::Time { .. } if left.is_some() => "time limit reached".to_owned(),
                GroundError::Cancelled => "interrupted".to_owned(),
                error => error.to_string(),
            };
            output.note(&format!("the unreachable conditions of the goal were not determined: {reason}"));
        }
    }
    literals?.ok()
}

/// Checks for contradictory options that clap cannot detect.
fn check_usage(args: &PlanArgs) -> Result<(), CommandError> {
    let refuse = |message: &str| Err(CommandError::Usage(message.to_owned()));
    match args.engine {
        PlanEngine::Goalspec if args.engine_path.is_some() => refuse("--engine-path requires --engine fast-downward"),
        PlanEngine::FastDownward if args.search != Search::Portfolio || args.state_limit.is_some() => {
            refuse("--search and --state-limit are not supported with --engine fast-downward")
        }
        PlanEngine::FastDownward if args.seed != 0 || args.jobs.is_some() => {
            refuse("--seed and --jobs are not supported with --engine fast-downward")
        }
        _ => Ok(()),
    }
}

/// Finds Fast Downward; reports an error with instructions for its installation otherwise.
fn find_fast_downward(path: Option<&Path>, output: &Output) -> Result<FastDownward, CommandError> {
    FastDownward::find(path).map_err(|missing| {
        let mut error = Diagnostic::new(goalspec::planning::codes::NO_ENGINE, Severity::Error, missing.to_string());
        if path.is_none() {
            error = error
                .with_help("install it with `pip install up-fast-downward`, or pass its path with --engine-path FILE");
        }
        output.report(&[error], &Sources::new());
        CommandError::ExitCode(1)
    })
}

/// The bounds of one search, in addition to the options.
struct SearchBounds<'c> {
    /// The start of the command.
    started_at: Instant,
    /// The maximum number of stored states.
    max_states: Option<usize>,
    interrupted: &'c AtomicBool,
}

/// Searches for a plan and reports progress.
fn search(
    args: &PlanArgs,
    engine: Option<&FastDownward>,
    problem: &PlanningProblem,
    bounds: &SearchBounds<'_>,
    output: &Output,
) -> Result<PlanResult, PlanError> {
    let SearchBounds { started_at, max_states: states, interrupted } = *bounds;
    let memory_limit = memory::available(args.memory_limit << 20);
    let request = PlanRequest {
        objective: objective(args),
        extra_goals: problem.extra_goals(),
        search: args.search,
        time_limit: args.time_limit,
        started_at: Some(started_at),
        memory_limit: memory_limit.bytes,
        max_states: args.state_limit.map(|states| states as usize).into_iter().chain(states).min(),
        threads: args.jobs,
        seed: args.seed,
    };
    let progress = Progress::analysis();
    let report_event = |event: PlanEvent<'_>| match event {
        PlanEvent::GroundingProgress(grounding) => {
            progress.set_message(|| format!("grounding: {} atoms and operators", grounding.tuples));
        }
        PlanEvent::SearchProgress(search) => {
            progress.set_message(|| format!("searching: {} states expanded", search.statistics.expanded));
        }
        PlanEvent::Plan { steps, metric, elapsed: after } if request.objective == Objective::Anytime => {
            let steps = plural(steps, "step");
            let metric = metric.map_or_else(String::new, |metric| format!(" and metric {}", number(metric)));
            progress.println(&format!("found a plan of {steps}{metric} after {:.2} s", after.as_secs_f64()));
        }
        PlanEvent::Plan { .. } => {}
    };
    let solved = match engine {
        None => solve(&problem.task, &request, interrupted, &report_event),
        Some(engine) => match problem.pddl() {
            Ok(texts) => engine.solve(&problem.task, texts, &request, interrupted, &report_event),
            Err(error) => Err(FastDownwardError::UnsupportedTask(error.to_string()).into()),
        },
    };
    progress.finish();
    let out_of_memory = match &solved {
        Ok(solved) => solved.stop_reason == Some(StopReason::Memory),
        Err(error) => matches!(error, PlanError::Ground(GroundError::Memory { .. })),
    };
    if let (true, MemoryLimit { bytes, source: Some(bound) }) = (out_of_memory, memory_limit) {
        output.note(&format!("--memory-limit of {} MB reduced to {} MB: {bound}", args.memory_limit, bytes >> 20));
    }
    solved
}

/// Reports the reason why there was no search, with its span if known.
fn report_error(
    plan_error: &PlanError,
    args: &PlanArgs,
    problem: &PlanningProblem,
    sources: &Sources,
    output: &mut Output,
) -> CommandResult {
    if matches!(plan_error, PlanError::Search(_)) {
        return Err(CommandError::Usage(plan_error.to_string()));
    }
    let stopped = plan_error.stop_reason();
    match plan_error {
        PlanError::Ground(GroundError::Cancelled) => {
            output.note("interrupted while grounding, before a plan was found");
        }
        PlanError::CompilationStopped(None) => {
            output.note("interrupted while compiling constraints and goals, before a plan was found");
        }
        _ => output.report(&[plan_error.diagnostic(&problem.task)], sources),
    }
    report_unwritten_trace(args, output);
    if let (Some(record), PlanFormat::Json) = (json::stopped(problem, plan_error), args.format) {
        writeln!(output, "{record:#}")?;
    }
    stopped.map_or(Ok(false), |stop| Err(CommandError::ExitCode(stop_exit_code(stop))))
}

/// Returns the objective of the search.
fn objective(args: &PlanArgs) -> Objective {
    match (args.optimal, args.improve) {
        (true, _) => Objective::Optimal,
        (_, true) => Objective::Anytime,
        _ => Objective::Satisficing,
    }
}

/// Returns the reason why there is no plan.
fn no_plan_reason(solved: &PlanResult, proves_optimality: bool) -> &'static str {
    match (solved.proof, solved.stop_reason) {
        (Proof::Unsolvable, _) if !proves_optimality => "unsolvable in the action model",
        (Proof::Unsolvable, _) => "unsolvable (proved)",
        (_, Some(StopReason::Time)) => "time limit reached without a plan",
        (_, Some(StopReason::Memory)) => "memory limit reached without a plan",
        (_, Some(StopReason::States)) => "state limit reached without a plan",
        (_, Some(StopReason::Cancelled)) => "interrupted before a plan was found",
        (_, None) => "no plan found by an incomplete search; unsolvability not proved",
    }
}

/// Returns a remark on a plan whose search was stopped by a limit, if the user can lift it.
fn limit_remark(limit: StopReason, args: &PlanArgs) -> Option<&'static str> {
    match limit {
        StopReason::Time => Some("time limit reached: another run can find a different plan"),
        StopReason::Memory => Some("memory limit reached: a higher limit can lead to a different plan"),
        StopReason::States => {
            args.state_limit.map(|_| "state limit reached: a higher limit can lead to a different plan")
        }
        StopReason::Cancelled => None,
    }
}

fn text(
    solved: &PlanResult,
    verdict: Option<&PlanVerdict>,
    problem: &PlanningProblem,
    args: &PlanArgs,
    output: &mut Output,
) -> Result<(), CommandError> {
    if let Some((plan, validation)) = &solved.plan {
        for step in &plan.steps {
            writeln!(output, "{}", problem.step_text(step))?;
        }
        writeln!(output, "; {}", plan_quality(solved, validation, objective(args)))?;
        if let Some(verdict) = verdict {
            writeln!(output, "; {}", verdict.text)?;
        }
        if let Some(partial) = &solved.partial {
            writeln!(output, "; {partial}")?;
        }
        for limit in &solved.limits_reached {
            if let Some(remark) = limit_remark(*limit, args) {
                writeln!(output, "; {remark}")?;
            }
        }
        if solved.stop_reason == Some(StopReason::Cancelled) {
            output.note("interrupted: the plan is the best one found so far");
        }
    } else {
        writeln!(output, "; {}", no_plan_reason(solved, problem.model_restrictions().is_empty()))?;
        if let Some(partial) = &solved.partial {
            writeln!(output, "; {partial}")?;
        }
    }
    if args.statistics {
        print_statistics(solved, output)?;
    }
    if solved.costs == CostModel::UnrelatedToMetric && solved.anomalies.negative_cost.is_none() {
        output.note("the search minimized the number of steps: the metric is not a sum of action costs");
    }
    for ignored in &solved.ignored_preferences {
        output.note(ignored);
    }
    Ok(())
}

/// Prints the size of the task and the statistics of the search.
fn print_statistics(solved: &PlanResult, output: &mut Output) -> std::io::Result<()> {
    let (size, statistics) = (&solved.size, &solved.statistics);
    let (grounding, search) = (solved.grounding_time.as_secs_f64(), solved.search_time.as_secs_f64());
    writeln!(
        output,
        "; grounding: {grounding:.3} s, {} variables with {} values, {} operators, {} axioms",
        size.variables, size.facts, size.operators, size.axioms,
    )?;
    writeln!(
        output,
        "; search {}: {search:.3} s, {} states expanded, {} evaluated, {} stored, peak memory {:.1} MB",
        solved.search,
        statistics.expanded,
        statistics.evaluated,
        statistics.registered,
        statistics.peak_memory as f64 / 1e6,
    )
}

/// Returns the cost or metric value of a plan, with its guarantee.
fn plan_quality(solved: &PlanResult, validation: &Validation, objective: Objective) -> String {
    let label = if solved.costs == CostModel::PlanLength { "cost (steps)" } else { "metric" };
    let value = validation.metric.map_or_else(|| "undefined".to_owned(), |metric| format!("= {}", number(metric)));
    let quality = match (solved.proof, solved.costs) {
        (Proof::Optimal, CostModel::PlanLength | CostModel::Metric { exact: true }) => " (optimal)",
        (Proof::Optimal, CostModel::Metric { exact: false }) => " (optimal for rounded costs)",
        (Proof::Optimal, CostModel::UnrelatedToMetric) => " (fewest steps; the metric was not minimized)",
        _ if objective == Objective::Optimal => " (optimality not proved: a limit was reached)",
        _ => "",
    };
    let warning = if validation.is_valid() { "" } else { ": INVALID PLAN, a bug in the planner" };
    format!("{label} {value}{quality}{warning}")
}
