//! The `goalspec validate` command.

use std::io::Write;

use goalspec::core::planning::validate::Validation;
use goalspec::files;
use goalspec::pddl::{lower_plan, parse};
use goalspec::planning::validation;
use goalspec::planning_problems;
use goalspec::syntax::render::OutputFormat;
use goalspec::syntax::{Diagnostic, Sources, Span};
use serde_json::json;

use super::problem::{check_files, load_problem, write_states};
use crate::args::{PlanFormat, ValidateArgs};
use crate::output::{CommandResult, Output, number, plural};

pub(crate) fn run(args: &ValidateArgs, output: &mut Output) -> CommandResult {
    check_files(&args.paths, args.trace.as_deref(), &args.goal, output)?;
    let Some((plan_path, paths)) = args.paths.split_last() else { return Ok(false) };
    let Some(loaded) = load_problem(paths, &args.goal, &args.activities, args.actions.as_deref(), output)? else {
        return Ok(false);
    };
    loaded.report_findings(false, output);
    let (problem, mut sources) = (loaded.problem, loaded.sources);
    let task = problem.authored_task();
    let text = match files::read_text(plan_path) {
        Ok(text) => text,
        Err(diagnostic) => {
            output.report(&[*diagnostic], &Sources::new());
            return Ok(false);
        }
    };
    let source = sources.add(plan_path.display().to_string(), text);
    let (parsed, mut found) = parse::plan(sources.file(source));
    let (plan, diagnostics) = lower_plan(&parsed, task);
    found.extend(diagnostics);
    output.report(&found, &sources);
    let Some(plan) = plan.filter(|_| !found.iter().any(Diagnostic::is_error)) else { return Ok(false) };
    let validation = match problem.validate(&plan) {
        Ok(validation) => validation,
        Err(error) => {
            output.report(&[planning_problems::validation_error(task, &error)], &sources);
            return Ok(false);
        }
    };
    if let Some(path) = &args.trace {
        write_states(&problem, &plan, path)?;
    }
    let verdict = problem.verdict(&plan);
    let valid = validation.is_valid() && verdict.as_ref().is_none_or(|verdict| verdict.is_satisfied);
    match args.format {
        PlanFormat::Json => {
            let mut record = validation::validation_json(task, &plan, &validation, &sources);
            if let Some(verdict) = &verdict {
                record["valid"] = json!(valid);
                record["verdict"] = planning_problems::verdict_json(&task.world, verdict, &sources);
            }
            writeln!(output, "{record:#}")?;
        }
        PlanFormat::Text => {
            let mut spans: Vec<(f64, Span)> =
                parsed.steps.iter().map(|step| (step.time.unwrap_or(0.0), step.span)).collect();
            spans.sort_by(|left, right| left.0.total_cmp(&right.0));
            let spans: Vec<Span> = spans.into_iter().map(|(_, span)| span).collect();
            let mut diagnostics = validation::diagnostics(task, &plan, &spans, &validation);
            if validation.error.is_none() {
                diagnostics.extend(verdict.as_ref().and_then(|verdict| problem.preference_diagnostic(verdict)));
            }
            output.print_diagnostics(OutputFormat::Human, false, &diagnostics, &sources)?;
            let preferences = validation::preference_violations(task, &validation, &sources);
            summary(valid, &validation, plan.steps.len(), &preferences, output)?;
            if let Some(verdict) = &verdict {
                writeln!(output, "{}", verdict.text)?;
            }
        }
    }
    Ok(valid)
}

fn summary(
    valid: bool,
    validation: &Validation,
    steps: usize,
    preferences: &[(String, u64)],
    output: &mut Output,
) -> std::io::Result<()> {
    if !valid {
        return writeln!(output, "invalid: {} of {} applicable", validation.applied_steps, plural(steps, "step"));
    }
    let metric = validation.metric.map_or_else(|| "undefined".to_owned(), number);
    writeln!(output, "valid: {}, metric {metric}", plural(steps, "step"))?;
    for (name, count) in preferences {
        writeln!(
            output,
            "  preference {name}: {}",
            if *count == 0 { "satisfied".to_owned() } else { format!("violated {}", plural(*count as usize, "time")) }
        )?;
    }
    Ok(())
}
