//! Results for people.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use goalspec::core::ids::ObjectId;
use goalspec::core::monitor::{Attempt, Blame, PreferenceReport};
use goalspec::core::world::World;
use goalspec::library::Library;
use goalspec::run::Outcome;

use crate::args::ScoreArgs;

/// Satisfactions printed per preference by `--why`; the machine-readable formats have all of them.
const MAX_SHOWN_SATISFACTIONS: usize = 20;

pub(super) fn write(args: &ScoreArgs, library: &Library, outcomes: &[Outcome], out: &mut dyn Write) -> io::Result<()> {
    if outcomes.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", overview(outcomes))?;
    for outcome in outcomes {
        if args.per_step {
            rewards(outcome, out)?;
        }
        if args.why {
            explanation(library, outcome, out)?;
        }
    }
    Ok(())
}

fn overview(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["program", "trace", "states", "score", "satisfactions", "remarks"]);
    for outcome in outcomes {
        let report = &outcome.report;
        let score = report.score.as_ref().map_or_else(|_| "-".to_owned(), f64::to_string);
        let counts: Vec<String> =
            report.preferences.iter().map(|p| format!("{} {}", p.name, satisfactions(p))).collect();
        let mut remarks = report.remarks.clone();
        if let Err(error) = &report.score {
            remarks.insert(0, error.to_string());
        }
        if let Some(state) = report.terminal {
            remarks.insert(0, format!("ended by its terminal condition in state {state}"));
        }
        table.add_row([
            outcome.program.to_string(),
            outcome.trace.to_string(),
            report.states.to_string(),
            score,
            counts.join("\n"),
            remarks.join("\n"),
        ]);
    }
    for column in [2, 3] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn satisfactions(report: &PreferenceReport) -> u64 {
    report.satisfactions.len() as u64 + report.dropped
}

fn rewards(outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nrewards of {} over {}:", outcome.program, outcome.trace)?;
    let mut total = 0.0;
    for (step, &reward) in outcome.rewards.iter().enumerate().filter(|(_, reward)| **reward != 0.0) {
        total += reward;
        writeln!(out, "  state {:>6}  {reward:>+10}  total {total}", step + 1)?;
    }
    if outcome.rewards.iter().all(|reward| *reward == 0.0) {
        writeln!(out, "  0 in every state")?;
    }
    Ok(())
}

fn explanation(library: &Library, outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{} over {}:", outcome.program, outcome.trace)?;
    for report in &outcome.report.preferences {
        let number = satisfactions(report);
        let plural = if number == 1 { "" } else { "s" };
        writeln!(out, "  {}: {number} satisfaction{plural}", report.name)?;
        for satisfaction in report.satisfactions.iter().take(MAX_SHOWN_SATISFACTIONS) {
            write!(out, "    states {}-{}", satisfaction.start, satisfaction.end)?;
            write!(out, "{}", binding(&outcome.world, &satisfaction.binding))?;
            for (name, value) in &satisfaction.measures {
                write!(out, ", {name} = {value}")?;
            }
            writeln!(out)?;
        }
        if number > MAX_SHOWN_SATISFACTIONS as u64 {
            writeln!(out, "    and {} more", number - MAX_SHOWN_SATISFACTIONS as u64)?;
        }
        if let Some(best) = &report.attempt {
            attempt(library, &outcome.world, best, out)?;
        }
    }
    Ok(())
}

fn binding(world: &World, binding: &[(Arc<str>, ObjectId)]) -> String {
    if binding.is_empty() {
        return String::new();
    }
    let pairs: Vec<String> =
        binding.iter().map(|(name, object)| format!("{name} = {}", world.object_decl(*object).id)).collect();
    format!(" with {}", pairs.join(", "))
}

fn attempt(library: &Library, world: &World, best: &Attempt, out: &mut dyn Write) -> io::Result<()> {
    let objects = binding(world, &best.binding);
    if best.start == 0 {
        writeln!(out, "    never begun: the closest look{objects} is at state {}", best.failed_at)?;
    } else {
        let operator = best.phase + 1;
        writeln!(
            out,
            "    best attempt: from state {}{objects}, stuck at operator {operator} in state {}",
            best.start, best.failed_at
        )?;
    }
    for blame in &best.blame {
        writeln!(out, "      {}", because(library, blame))?;
    }
    Ok(())
}

fn because(library: &Library, blame: &Blame) -> String {
    let mut text = format!("{} was {}", blame.condition, blame.value);
    if !blame.numbers.is_empty() {
        let numbers: Vec<String> = blame.numbers.iter().map(f64::to_string).collect();
        let _ = write!(text, " ({})", numbers.join(" against "));
    }
    if let Some(span) = blame.origin.0 {
        let file = library.sources().get(span.source);
        let (line, column) = file.line_column(span.start);
        let _ = write!(text, "  [{}:{line}:{column}]", file.name());
    }
    text
}
