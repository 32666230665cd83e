//! The `goalspec validate` command.

use std::io::Write;
use std::path::Path;

use goalspec::files;
use goalspec::planning::problem::{PlanVerdict, PlanningProblem};
use goalspec::planning::validation;
use goalspec::planning_problems::JudgedPlan;
use goalspec::syntax::Sources;
use goalspec::syntax::render::OutputFormat;

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
    let Some(judged) = judge(&problem, plan_path, args.skip_inapplicable, &mut sources, output) else {
        return Ok(false);
    };
    if let Some(path) = &args.trace {
        write_states(&problem, &judged.plan, path)?;
    }
    let verdict = problem.verdict(&judged.plan);
    let valid = judged.is_valid(verdict.as_ref());
    match args.format {
        PlanFormat::Json => {
            writeln!(output, "{:#}", judged.record(&problem, verdict.as_ref(), &sources))?;
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
    let text = match files::read_text(path) {
        Ok(text) => text,
        Err(diagnostic) => {
            output.report(&[*diagnostic], &Sources::new());
            return None;
        }
    };
    let source = sources.add(path.display().to_string(), text);
    match JudgedPlan::new(problem, sources.file(source), skips_inapplicable) {
        Ok(judged) => {
            output.report(&judged.findings, sources);
            Some(judged)
        }
        Err(errors) => {
            output.report(&errors, sources);
            None
        }
    }
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
    let diagnostics = judged.diagnostics(problem, verdict);
    output.print_diagnostics(OutputFormat::Human, false, &diagnostics, sources)?;
    let preferences = validation::preference_violations(problem.authored_task(), &judged.validation, sources);
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
