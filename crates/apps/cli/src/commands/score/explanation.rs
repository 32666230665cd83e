//! Explanations of reward functions in one frame.

use std::io::{self, Write};
use std::path::PathBuf;

use goalspec::files;
use goalspec::library::Library;
use goalspec::python_runtime::observe::Range;
use goalspec::rewards::explanation::{Comparison, Condition, Explanation, explain};
use goalspec::rewards::score_json;
use goalspec::syntax::Diagnostic;
use goalspec::trace::input::with_trace_name;
use serde_json::Value;

use crate::args::{ScoreArgs, ScoreFormat};
use crate::output::{CommandError, number, plural};

/// Explains a frame of every trace for every reward function; appends diagnostics to `diagnostics`.
pub(super) fn write(
    args: &ScoreArgs,
    library: &Library,
    traces: &[PathBuf],
    frame: u64,
    diagnostics: &mut Vec<Diagnostic>,
    out: &mut (dyn Write + Send),
) -> Result<(), CommandError> {
    let mut explanations = Vec::new();
    let known = library.all_worlds();
    for path in traces {
        for program in library.reward_programs() {
            let explained = files::trace_input(path).and_then(|input| {
                explain(program, &known, &input, frame)
                    .map_err(|error| Box::new(with_trace_name(&input.name(), *error)))
            });
            match explained {
                Ok(explanation) => explanations.push(explanation),
                Err(error) => diagnostics.push(*error),
            }
        }
    }
    if args.format() == ScoreFormat::Table {
        for (place, explanation) in explanations.iter().enumerate() {
            if place > 0 {
                writeln!(out)?;
            }
            text(explanation, out)?;
        }
        return Ok(());
    }
    let records: Vec<Value> = explanations.iter().map(score_json::explanation).collect();
    if args.format() == ScoreFormat::Jsonl {
        records.iter().try_for_each(|record| writeln!(out, "{record}"))?;
    } else {
        writeln!(out, "{:#}", Value::from(records))?;
    }
    Ok(())
}

fn text(explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
    let Explanation { program, trace, frame, episode, .. } = explanation;
    writeln!(out, "{program} over {trace}")?;
    match &explanation.reward {
        Ok(reward) => writeln!(out, "frame {frame} of episode {episode}: reward {}", number(*reward))?,
        Err(error) => writeln!(out, "frame {frame} of episode {episode}: no reward, {error}")?,
    }
    for place in &explanation.traceback {
        writeln!(out, "  line {}, in {}", place.line, place.function)?;
    }
    section("terms", &explanation.terms, out, |(term, value), out| {
        writeln!(out, "    line {:>3}  {:>10}  {}", term.line, number(*value), term.name)
    })?;
    section("components, as returned by the program", &explanation.components, out, |(name, value), out| {
        writeln!(out, "    {:>10}  {name}", number(*value))
    })?;
    section("conditions", &conditions(explanation), out, |(one, values), out| condition(one, values, out))?;
    if !explanation.printed.is_empty() {
        writeln!(out, "  printed")?;
        explanation.printed.lines().try_for_each(|line| writeln!(out, "    {line}"))?;
    }
    Ok(())
}

/// Returns branches and comparisons in the order of the lines, with the compared values; a branch that is a comparison occurs once.
fn conditions(explanation: &Explanation) -> Vec<(&Condition, String)> {
    let comparison = |comparison: &Comparison| match (comparison.left, comparison.right) {
        (Some(left), Some(right)) => format!(" (left {}, right {})", range(left), range(right)),
        _ => String::new(),
    };
    let mut all: Vec<(&Condition, String)> =
        explanation.comparisons.iter().map(|entry| (&entry.condition, comparison(entry))).collect();
    let is_unlisted = |branch: &&Condition| explanation.comparisons.iter().all(|entry| entry.condition != **branch);
    all.extend(explanation.branches.iter().filter(is_unlisted).map(|branch| (branch, String::new())));
    all.sort_by_key(|(condition, _)| condition.line);
    all
}

/// Prints a list with a heading, unless it is empty.
fn section<T>(
    heading: &str,
    items: &[T],
    out: &mut dyn Write,
    item: impl Fn(&T, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if !items.is_empty() {
        writeln!(out, "  {heading}")?;
    }
    items.iter().try_for_each(|one| item(one, out))
}

fn condition(condition: &Condition, values: &str, out: &mut dyn Write) -> io::Result<()> {
    let Condition { line, text, held, failed } = condition;
    let status = match (held, failed) {
        (1, 0) => "true".to_owned(),
        (0, 1) => "false".to_owned(),
        _ => format!("true {}, false {}", plural(*held as usize, "time"), plural(*failed as usize, "time")),
    };
    writeln!(out, "    line {line:>3}  {text}: {status}{values}")
}

fn range(range: Range) -> String {
    let (min, max) = (number(range.min), number(range.max));
    if range.is_single() { min } else { format!("{min} to {max}") }
}
