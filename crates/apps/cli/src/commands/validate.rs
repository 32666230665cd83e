//! `goalspec validate`

use std::io::Write;

use goalspec::core::planning::validate::Validation;
use goalspec::files;
use goalspec::library::Reading;
use goalspec::pddl::{lower_plan, parse};
use goalspec::planning::judge;
use goalspec::program::Program;
use goalspec::syntax::render::OutputFormat;
use goalspec::syntax::{Diagnostic, Sources, Span};
use serde_json::json;

use super::plan::{Loaded, domain, load, prepare, write_states};
use crate::args::{PlanFormat, ValidateArgs};
use crate::output::{Failure, Outcome, Output, number, plural};

pub(crate) fn run(args: &ValidateArgs, output: &mut Output) -> Outcome {
    prepare(&args.paths, args.trace.as_deref(), None, output)?;
    let Some((plan_path, paths)) = args.paths.split_last() else { return Ok(false) };
    let is_posed = |program: &Program| program.as_planning().is_some() || program.as_activity().is_some();
    let (reading, wrong) = args.activities.reading()?;
    let reading = Reading { domain: domain(paths), ..reading };
    let Some(Loaded { library, posed }) = load(paths, None, reading, is_posed, wrong, output)? else {
        return Ok(false);
    };
    let task = posed.spelt();
    let text = match files::read_text(plan_path) {
        Ok(text) => text,
        Err(diagnostic) => {
            output.report(&[*diagnostic], &Sources::new());
            return Ok(false);
        }
    };
    let mut sources = library.sources().clone();
    let source = sources.add(plan_path.display().to_string(), text);
    let (written, mut found) = parse::plan(sources.get(source));
    let (plan, wrong) = lower_plan(&written, task);
    found.extend(wrong);
    output.report(&found, &sources);
    let Some(plan) = plan.filter(|_| !found.iter().any(Diagnostic::is_error)) else { return Ok(false) };
    let validation =
        posed.judge(&plan).map_err(|why| Failure::Usage(format!("`{}` cannot be judged: {why:?}", task.name)))?;
    if let Some(path) = &args.trace {
        write_states(&posed, &plan, path)?;
    }
    let verdict = posed.verdict(&plan);
    match args.format {
        PlanFormat::Json => {
            let mut record = judge::json(task, &plan, &validation, &sources);
            if let Some(verdict) = &verdict {
                record["verdict"] = json!({ "met": verdict.met, "text": verdict.text });
            }
            writeln!(output, "{record:#}")?;
        }
        PlanFormat::Text => {
            let mut places: Vec<(f64, Span)> =
                written.steps.iter().map(|step| (step.time.unwrap_or(0.0), step.span)).collect();
            places.sort_by(|one, other| one.0.total_cmp(&other.0));
            let places: Vec<Span> = places.into_iter().map(|(_, span)| span).collect();
            let wrong = judge::diagnostics(task, &plan, &places, &validation);
            output.findings(OutputFormat::Human, &wrong, &sources)?;
            let preferences = judge::preferences(task, &validation, &sources);
            summary(&validation, plan.steps.len(), &preferences, output)?;
            if let Some(verdict) = &verdict {
                writeln!(output, "{}", verdict.text)?;
            }
        }
    }
    Ok(validation.valid())
}

fn summary(
    validation: &Validation,
    steps: usize,
    preferences: &[(String, u64)],
    output: &mut Output,
) -> std::io::Result<()> {
    if !validation.valid() {
        return writeln!(output, "not valid: {} of {} can be taken", validation.taken, plural(steps, "step"));
    }
    let metric = validation.metric.map_or_else(|| "no value".to_owned(), number);
    writeln!(output, "valid: {}, metric {metric}", plural(steps, "step"))?;
    for (name, count) in preferences {
        writeln!(
            output,
            "  preference {name}: {}",
            if *count == 0 { "kept".to_owned() } else { format!("violated {}", plural(*count as usize, "time")) }
        )?;
    }
    Ok(())
}
