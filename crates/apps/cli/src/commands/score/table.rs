//! Scores of games and goals as tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use goalspec::core::ids::ObjectId;
use goalspec::core::monitor::{Attempt, Evidence, PreferenceReport};
use goalspec::core::world::World;
use goalspec::explanation;
use goalspec::library::Library;
use goalspec::program::Program;
use goalspec::report::{GoalScoreReport, ProgramReport};
use goalspec::scoring::ProgramOutcome;

use crate::args::ScoreArgs;
use crate::output::{number, plural, table_width};

/// The maximum number of satisfactions per preference that `--why` prints; the machine-readable formats have all of them.
const MAX_SHOWN_SATISFACTIONS: usize = 20;

pub(super) fn write(
    args: &ScoreArgs,
    library: &Library,
    outcomes: &[ProgramOutcome],
    out: &mut dyn Write,
) -> io::Result<()> {
    if outcomes.is_empty() {
        return Ok(());
    }
    // The explanation of a single result contains all columns of the table.
    let explained_alone = args.why.is_some() && outcomes.len() == 1;
    if !explained_alone {
        writeln!(out, "{}", overview(outcomes))?;
        write_remarks(outcomes, out)?;
    }
    for outcome in outcomes {
        if args.why.is_some() {
            if !explained_alone {
                writeln!(out)?;
            }
            explanation(library, outcome, out)?;
        }
        if args.per_step {
            writeln!(out)?;
            rewards(outcome, out)?;
        }
    }
    Ok(())
}

fn overview(outcomes: &[ProgramOutcome]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(table_width());
    table.set_header(["program", "trace", "states", "score", achievement(outcomes)]);
    let programs = common_folder(outcomes.iter().map(|outcome| &*outcome.program));
    let traces = common_folder(outcomes.iter().map(|outcome| &*outcome.trace));
    for outcome in outcomes {
        let achieved = match &outcome.report {
            ProgramReport::Game(report) => {
                let counts = report.preferences.iter().map(|p| format!("{} {}", p.name, satisfactions(p)));
                counts.collect::<Vec<_>>().join("\n")
            }
            ProgramReport::Goal(goal) => conjuncts(goal),
        };
        table.add_row([
            outcome.program[programs..].to_owned(),
            outcome.trace[traces..].to_owned(),
            outcome.report.states().to_string(),
            score(outcome),
            achieved,
        ]);
    }
    for column in [2, 3] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Returns the header of the last column: the satisfactions of preferences, or the progress of a goal.
fn achievement(outcomes: &[ProgramOutcome]) -> &'static str {
    let goals = outcomes.iter().filter(|outcome| matches!(outcome.report, ProgramReport::Goal(_))).count();
    match goals {
        0 => "satisfactions",
        all if all == outcomes.len() => "goal",
        _ => "satisfactions or goal",
    }
}

/// Returns the length in bytes of the folder that all paths have in common.
fn common_folder<'p>(mut paths: impl Iterator<Item = &'p str>) -> usize {
    let folder = |path: &str| path.rfind('/').map_or(0, |slash| slash + 1);
    let Some(first) = paths.next() else { return 0 };
    let mut length = folder(first);
    for path in paths {
        let same = first.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
        // `same` may be inside a character that the two paths do not share.
        let same = (0..=same.min(length)).rev().find(|&index| first.is_char_boundary(index)).unwrap_or(0);
        length = folder(&first[..same]);
    }
    length
}

fn score(outcome: &ProgramOutcome) -> String {
    outcome.report.score().map_or_else(|_| "-".to_owned(), number)
}

/// Returns the remarks on a result beyond its numbers.
fn remarks(outcome: &ProgramOutcome) -> Vec<String> {
    let report = &outcome.report;
    let terminal = match report {
        ProgramReport::Game(report) => report.terminal,
        ProgramReport::Goal(_) => None,
    };
    let ended = terminal.map(|state| format!("terminated in state {state} by the terminal condition"));
    let error = report.score().err().map(|error| format!("no score: {error}"));
    ended.into_iter().chain(error).chain(report.remarks().iter().cloned()).collect()
}

/// Prints the remarks below the table, each once.
fn write_remarks(outcomes: &[ProgramOutcome], out: &mut dyn Write) -> io::Result<()> {
    let mut all: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    for (place, outcome) in outcomes.iter().enumerate() {
        for remark in remarks(outcome) {
            all.entry(remark).or_insert((place, 0)).1 += 1;
        }
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(|(_, (place, _))| *place);
    for (remark, (place, times)) in all {
        let ProgramOutcome { program, trace, .. } = &outcomes[place];
        write!(out, "{}: {remark}", about(program, trace))?;
        match times {
            1 => writeln!(out)?,
            _ => writeln!(out, " (and {} more)", times - 1)?,
        }
    }
    Ok(())
}

/// Returns the file names of a program and a trace.
fn about(program: &str, trace: &str) -> String {
    let file = |path: &str| Path::new(path).file_name().map_or(path.to_owned(), |name| name.to_string_lossy().into());
    format!("{} over {}", file(program), file(trace))
}

fn satisfactions(report: &PreferenceReport) -> u64 {
    report.satisfactions.len() as u64 + report.unlisted
}

fn rewards(outcome: &ProgramOutcome, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: rewards other than 0", about(&outcome.program, &outcome.trace))?;
    let mut total = 0.0;
    for (step, &reward) in outcome.rewards.iter().enumerate().filter(|(_, reward)| **reward != 0.0) {
        total += reward;
        let sign = if reward > 0.0 { "+" } else { "" };
        let reward = format!("{sign}{}", number(reward));
        writeln!(out, "  state {:>6}  {reward:>8}  score {:>8}", step + 1, number(total))?;
    }
    if outcome.rewards.iter().all(|reward| *reward == 0.0) {
        writeln!(out, "  none")?;
    }
    Ok(())
}

fn explanation(library: &Library, outcome: &ProgramOutcome, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{} over {}", outcome.program, outcome.trace)?;
    let states = plural(outcome.report.states() as usize, "state");
    match &outcome.report {
        ProgramReport::Game(report) => {
            writeln!(out, "score {} after {states}", score(outcome))?;
            for remark in remarks(outcome) {
                writeln!(out, "{remark}")?;
            }
            report.preferences.iter().try_for_each(|report| preference(library, &outcome.world, report, out))
        }
        ProgramReport::Goal(goal_report) => {
            writeln!(out, "{} after {states}", conjuncts(goal_report))?;
            for remark in remarks(outcome) {
                writeln!(out, "{remark}")?;
            }
            goal(library, outcome, goal_report, out)
        }
    }
}

/// Returns the progress of a goal: the number of satisfied conjuncts.
fn conjuncts(goal: &GoalScoreReport) -> String {
    let last = &goal.report.last;
    if last.satisfied {
        return "goal satisfied".to_owned();
    }
    let (satisfied, unsatisfied) = last.split();
    let all = satisfied.len() + unsatisfied.len();
    let mut text = format!("goal not satisfied: {} of {}", satisfied.len(), plural(all, "conjunct"));
    if let Some(missing) = goal.progress.unsatisfied_literals {
        let _ = write!(text, ", {} unsatisfied", plural(missing as usize, "literal"));
    }
    text
}

fn goal(
    library: &Library,
    outcome: &ProgramOutcome,
    program_report: &GoalScoreReport,
    out: &mut dyn Write,
) -> io::Result<()> {
    let program = library.programs().iter().find(|program| program.name == outcome.program);
    let Some(goal) = program.and_then(Program::goal) else { return Ok(()) };
    let report = &program_report.report;
    for (place, (conjunct, span)) in goal.conjuncts.iter().zip(&report.conjuncts).enumerate() {
        let text = explanation::conjunct_text(&outcome.world, goal, conjunct);
        let status = if report.last.conjuncts.contains(place) { "satisfied" } else { "unsatisfied" };
        writeln!(out, "\n  {place}: {status}: {text}")?;
        if let Some(first) = span.first.filter(|_| span.states != report.states) {
            writeln!(
                out,
                "    true in {} of {}, first in state {first}",
                span.states,
                plural(report.states as usize, "state")
            )?;
        }
        for reason in program_report.evidence.get(place).into_iter().flatten() {
            writeln!(out, "    {}", because(library, reason))?;
        }
    }
    Ok(())
}

fn preference(library: &Library, world: &World, report: &PreferenceReport, out: &mut dyn Write) -> io::Result<()> {
    let found = satisfactions(report);
    write!(out, "\n  {}: {}", report.name, plural(found as usize, "satisfaction"))?;
    match report.count {
        count if count == found => writeln!(out)?,
        count => writeln!(out, ", {count} without overlap")?,
    }
    for satisfaction in report.satisfactions.iter().take(MAX_SHOWN_SATISFACTIONS) {
        write!(out, "    {}", states(satisfaction.start, satisfaction.end))?;
        write!(out, "{}", binding(world, &satisfaction.binding))?;
        for (name, value) in &satisfaction.measures {
            write!(out, "; {name} {}", number(*value))?;
        }
        writeln!(out)?;
    }
    if found > MAX_SHOWN_SATISFACTIONS as u64 {
        writeln!(out, "    .. and {} more", found - MAX_SHOWN_SATISFACTIONS as u64)?;
    }
    match &report.attempt {
        Some(best) => attempt(library, world, best, out),
        None => Ok(()),
    }
}

fn states(start: u64, end: u64) -> String {
    if start == end { format!("state {start}") } else { format!("states {start}-{end}") }
}

fn binding(world: &World, binding: &[(Arc<str>, ObjectId)]) -> String {
    if binding.is_empty() {
        return String::new();
    }
    let pairs: Vec<String> =
        binding.iter().map(|(name, object)| format!("{name} = {}", world.label(*object))).collect();
    format!(" with {}", pairs.join(", "))
}

fn attempt(library: &Library, world: &World, best: &Attempt, out: &mut dyn Write) -> io::Result<()> {
    let objects = binding(world, &best.binding);
    if best.start == 0 {
        writeln!(out, "    best attempt: state {}{objects}; not started:", best.failed_at)?;
    } else {
        let reached = best.phase + 1;
        let span = states(best.start, best.failed_at);
        writeln!(out, "    best attempt: {span}{objects}; failed in operator {reached}:")?;
    }
    for evidence in &best.evidence {
        // A sequence that has not started failed at its first operator, or has none.
        let operator = if best.start == 0 { String::new() } else { format!("operator {}: ", evidence.phase + 1) };
        writeln!(out, "      {operator}{}", because(library, evidence))?;
    }
    Ok(())
}

fn because(library: &Library, evidence: &Evidence) -> String {
    let mut text = format!("{} was {}", evidence.condition, evidence.value);
    if !evidence.numbers.is_empty() {
        let mut numbers: Vec<String> = evidence.numbers.iter().copied().map(number).collect();
        if numbers.iter().all(|number| *number == numbers[0]) {
            // Rounding would hide the difference.
            numbers = evidence.numbers.iter().map(f64::to_string).collect();
        }
        let _ = write!(text, " ({})", numbers.join(" against "));
    }
    if let Some(span) = evidence.origin.0 {
        let (line, column) = library.sources().file(span.source).line_column(span.start);
        let _ = write!(text, "  [{line}:{column}]");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_in_common_are_whole_folders() {
        let common = |paths: &[&str]| common_folder(paths.iter().copied());
        assert_eq!(common(&["a/b/one", "a/b/other"]), "a/b/".len());
        assert_eq!(common(&["a/bee/one", "a/beer/one"]), "a/".len());
        assert_eq!(common(&["one", "a/one"]), 0);
        assert_eq!(common(&["a/ä/one", "a/ö/one"]), "a/".len());
        assert_eq!(common(&["a/b/one"]), "a/b/".len());
        assert_eq!(common(&["a/b", "a/b/c"]), "a/".len());
    }
}
