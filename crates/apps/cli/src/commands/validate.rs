//! The `goalspec validate` command.

use std::io::Write;

use goalspec::core::planning::validate::Validation;
use goalspec::files;
use goalspec::pddl::{lower_plan, parse};
use goalspec::planning::validation;
use goalspec::syntax::render::OutputFormat;
use goalspec::syntax::{Diagnostic, Sources, Span};
use serde_json::json;

use super::problem::{check_files, load_problem, write_states};
use crate::args::{PlanFormat, ValidateArgs};
use crate::output::{CommandResult, Output, number, plural};

pub(crate) fn run(args: &ValidateArgs, output: &mut Output) -> CommandResult {
    check_files(&args.paths, args.trace.as_deref(), &args.goal, output)?;
    let Some((plan_path, paths)) = args.paths.split_last() else { return Ok(false) };
    let Some((posed, mut sources)) = load_problem(paths, &args.goal, &args.activities, output)? else {
        return Ok(false);
    };
    let task = posed.authored_task();
    let text = match files::read_text(plan_path) {
        Ok(text) => text,
        Err(diagnostic) => {
            output.report(&[*diagnostic], &Sources::new());
            return Ok(false);
        }
    };
    let source = sources.add(plan_path.display().to_string(), text);
    let (written, mut found) = parse::plan(sources.file(source));
    let (plan, wrong) = lower_plan(&written, task);
    found.extend(wrong);
    output.report(&found, &sources);
    let Some(plan) = plan.filter(|_| !found.iter().any(Diagnostic::is_error)) else { return Ok(false) };
    let validation = match posed.validate(&plan) {
        Ok(validation) => validation,
        Err(why) => {
            output.report(&[validation::validation_error(task, &why)], &sources);
            return Ok(false);
        }
    };
    if let Some(path) = &args.trace {
        write_states(&posed, &plan, path)?;
    }
    let verdict = posed.verdict(&plan);
    let valid = validation.is_valid() && verdict.as_ref().is_none_or(|verdict| verdict.is_satisfied);
    match args.format {
        PlanFormat::Json => {
            let mut record = validation::validation_json(task, &plan, &validation, &sources);
            if let Some(verdict) = &verdict {
                record["valid"] = json!(valid);
                record["verdict"] = validation::verdict_json(&task.world, verdict, &sources);
            }
            writeln!(output, "{record:#}")?;
        }
        PlanFormat::Text => {
            let mut places: Vec<(f64, Span)> =
                written.steps.iter().map(|step| (step.time.unwrap_or(0.0), step.span)).collect();
            places.sort_by(|one, other| one.0.total_cmp(&other.0));
            let places: Vec<Span> = places.into_iter().map(|(_, span)| span).collect();
            let mut wrong = validation::diagnostics(task, &plan, &places, &validation);
            if validation.error.is_none() {
                wrong.extend(verdict.as_ref().and_then(|verdict| posed.preference_diagnostic(verdict)));
            }
            output.print_diagnostics(OutputFormat::Human, false, &wrong, &sources)?;
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
