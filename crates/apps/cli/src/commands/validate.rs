//! The `goalspec validate` command.

use std::io::Write;
use std::path::Path;

use goalspec::core::planning::plan::{Plan, PlanStep};
use goalspec::core::planning::validate::{ApplicableSteps, SkippedStep, Validation};
use goalspec::files;
use goalspec::pddl::{lower_plan, lower_plan_steps, parse};
use goalspec::planning::problem::{PlanVerdict, PlanningProblem};
use goalspec::planning::validation;
use goalspec::planning_problems;
use goalspec::syntax::render::OutputFormat;
use goalspec::syntax::{Diagnostic, Sources, Span};
use serde_json::{Value, json};

use super::problem::{check_files, load_problem, write_states};
use crate::args::{PlanFormat, ValidateArgs};
use crate::output::{CommandResult, Output, number, plural};

/// A plan as written, and what is left of it to be judged.
struct JudgedPlan {
    /// The steps as written, in their order in time; `None` for a step with unknown names.
    steps: Vec<Option<PlanStep>>,
    /// The source locations of the steps.
    spans: Vec<Span>,
    /// The steps that are executed: all of them, or the applicable ones.
    plan: Plan,
    /// The steps that were skipped because they are not applicable.
    skipped: Vec<SkippedStep>,
    /// The validation of the executed steps.
    validation: Validation,
}

impl JudgedPlan {
    /// Returns the number of steps that were skipped, those with unknown names included.
    fn skipped_count(&self) -> usize {
        self.skipped.len() + self.steps.iter().filter(|step| step.is_none()).count()
    }
}

pub(crate) fn run(args: &ValidateArgs, output: &mut Output) -> CommandResult {
    check_files(&args.paths, args.trace.as_deref(), &args.goal, output)?;
    let Some((plan_path, paths)) = args.paths.split_last() else { return Ok(false) };
    let Some(loaded) = load_problem(paths, &args.goal, &args.activities, args.actions.as_deref(), output)? else {
        return Ok(false);
    };
    loaded.report_findings(false, output);
    let (problem, mut sources) = (loaded.problem, loaded.sources);
    let Some(judged) = judge(&problem, plan_path, args.skip_inapplicable, &mut sources, output) else {
        return Ok(false);
    };
    if let Some(path) = &args.trace {
        write_states(&problem, &judged.plan, path)?;
    }
    let verdict = problem.verdict(&judged.plan);
    let valid = judged.validation.is_valid() && verdict.as_ref().is_none_or(|verdict| verdict.is_satisfied);
    match args.format {
        PlanFormat::Json => {
            let record = record(&problem, &judged, valid, verdict.as_ref(), &sources);
            writeln!(output, "{record:#}")?;
        }
        PlanFormat::Text => report(&problem, &judged, valid, verdict.as_ref(), &sources, output)?,
    }
    Ok(valid)
}

/// Reads a plan and validates it; returns `None` if there are errors, which are reported.
fn judge(
    problem: &PlanningProblem,
    path: &Path,
    skips_inapplicable: bool,
    sources: &mut Sources,
    output: &Output,
) -> Option<JudgedPlan> {
    let task = problem.authored_task();
    let text = match files::read_text(path) {
        Ok(text) => text,
        Err(diagnostic) => {
            output.report(&[*diagnostic], &Sources::new());
            return None;
        }
    };
    let source = sources.add(path.display().to_string(), text);
    let (parsed, mut found) = parse::plan(sources.file(source));
    let (steps, diagnostics) = if skips_inapplicable {
        lower_plan_steps(&parsed, task)
    } else {
        let (plan, diagnostics) = lower_plan(&parsed, task);
        (plan.map(|plan| plan.steps.into_iter().map(Some).collect()), diagnostics)
    };
    found.extend(diagnostics);
    output.report(&found, sources);
    let steps = steps.filter(|_| !found.iter().any(Diagnostic::is_error))?;
    let mut spans: Vec<(f64, Span)> = parsed.steps.iter().map(|step| (step.time.unwrap_or(0.0), step.span)).collect();
    spans.sort_by(|left, right| left.0.total_cmp(&right.0));
    let spans = spans.into_iter().map(|(_, span)| span).collect();
    let judged = if skips_inapplicable {
        problem.validate_applicable(&steps)
    } else {
        let plan = Plan { steps: steps.iter().flatten().cloned().collect() };
        problem.validate(&plan).map(|validation| (ApplicableSteps { plan, ..ApplicableSteps::default() }, validation))
    };
    match judged {
        Ok((ApplicableSteps { plan, skipped, .. }, validation)) => {
            Some(JudgedPlan { steps, spans, plan, skipped, validation })
        }
        Err(error) => {
            output.report(&[planning_problems::validation_error(task, &error)], sources);
            None
        }
    }
}

/// Returns the result as JSON.
fn record(
    problem: &PlanningProblem,
    judged: &JudgedPlan,
    valid: bool,
    verdict: Option<&PlanVerdict>,
    sources: &Sources,
) -> Value {
    let task = problem.authored_task();
    let JudgedPlan { steps, spans, plan, skipped, validation } = judged;
    let mut record = validation::validation_json(task, plan, validation, sources);
    record["steps"] = json!(steps.len());
    record["skipped_steps"] = validation::skipped_steps_json(task, steps, spans, skipped, sources);
    if let Some(verdict) = verdict {
        record["valid"] = json!(valid);
        record["verdict"] = planning_problems::verdict_json(&task.world, verdict, sources);
    }
    record
}

/// Prints the result as text.
fn report(
    problem: &PlanningProblem,
    judged: &JudgedPlan,
    valid: bool,
    verdict: Option<&PlanVerdict>,
    sources: &Sources,
    output: &mut Output,
) -> std::io::Result<()> {
    let task = problem.authored_task();
    let JudgedPlan { steps, spans, plan, skipped, validation } = judged;
    let mut diagnostics = validation::skipped_step_warnings(task, steps, spans, skipped);
    diagnostics.extend(validation::diagnostics(task, plan, spans, validation));
    if validation.error.is_none() {
        diagnostics.extend(verdict.and_then(|verdict| problem.preference_diagnostic(verdict)));
    }
    output.print_diagnostics(OutputFormat::Human, false, &diagnostics, sources)?;
    let preferences = validation::preference_violations(task, validation, sources);
    summary(valid, judged, &preferences, output)?;
    if let Some(verdict) = verdict {
        writeln!(output, "{}", verdict.text)?;
    }
    Ok(())
}

fn summary(
    valid: bool,
    judged: &JudgedPlan,
    preferences: &[(String, u64)],
    output: &mut Output,
) -> std::io::Result<()> {
    let steps = plural(judged.steps.len(), "step");
    let skipped = match judged.skipped_count() {
        0 => String::new(),
        count => format!(", {count} skipped"),
    };
    let validation = &judged.validation;
    if !valid {
        return writeln!(output, "invalid: {} of {steps} applicable{skipped}", validation.applied_steps);
    }
    let metric = validation.metric.map_or_else(|| "undefined".to_owned(), number);
    writeln!(output, "valid: {steps}{skipped}, metric {metric}")?;
    for (name, count) in preferences {
        writeln!(
            output,
            "  preference {name}: {}",
            if *count == 0 { "satisfied".to_owned() } else { format!("violated {}", plural(*count as usize, "time")) }
        )?;
    }
    Ok(())
}
