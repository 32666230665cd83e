//! Scores of reward functions as tables.

use std::io::{self, Write};
use std::path::Path;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use goalspec::rewards::score::{Failure, RewardOutcome};

use crate::args::ScoreArgs;
use crate::output::{number, plural, table_width};

/// The maximum number of episodes of an outcome that are printed; the machine-readable formats have all of them.
const MAX_SHOWN_EPISODES: usize = 20;

pub(super) fn write(args: &ScoreArgs, outcomes: &[RewardOutcome], out: &mut dyn Write) -> io::Result<()> {
    if outcomes.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", overview(outcomes))?;
    for outcome in outcomes {
        remarks(outcome, out)?;
        components(outcome, out)?;
        // With an explicit engine, the number of frames that it ran is of interest.
        if args.engine.is_some() {
            engine(outcome, out)?;
        }
    }
    for outcome in outcomes.iter().filter(|_| args.per_step) {
        writeln!(out)?;
        steps(outcome, out)?;
    }
    Ok(())
}

fn overview(outcomes: &[RewardOutcome]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(table_width());
    let mut header = vec!["program", "trace", "episodes", "frames", "frames without reward", "total reward"];
    // Only games have points.
    let has_games = outcomes.iter().any(|outcome| outcome.score().is_some());
    header.extend(has_games.then_some("score"));
    table.set_header(header);
    for outcome in outcomes {
        let mut row = vec![
            file(&outcome.program),
            file(&outcome.trace),
            outcome.episodes.len().to_string(),
            outcome.frames().to_string(),
            (outcome.frames() - outcome.rewarded_frames()).to_string(),
            if outcome.rewarded_frames() == 0 { "-".to_owned() } else { number(outcome.total()) },
        ];
        row.extend(has_games.then(|| outcome.score().map_or_else(|| "-".to_owned(), number)));
        table.add_row(row);
    }
    for column in 2..7 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Prints the episodes, and the reasons why frames have no reward.
fn remarks(outcome: &RewardOutcome, out: &mut dyn Write) -> io::Result<()> {
    let title = format!("{} over {}", file(&outcome.program), file(&outcome.trace));
    if outcome.episodes.len() > 1 {
        writeln!(out, "{title}:")?;
        for episode in outcome.episodes.iter().take(MAX_SHOWN_EPISODES) {
            let points = episode.score.map_or_else(String::new, |points| format!(", score {}", number(points)));
            let total = if episode.rewarded_frames == 0 { "-".to_owned() } else { number(episode.total) };
            let frames = plural(episode.frames as usize, "frame");
            writeln!(out, "  episode {}: reward {total}{points}, {frames}", episode.number)?;
        }
        if let Some(more) = outcome.episodes.len().checked_sub(MAX_SHOWN_EPISODES).filter(|more| *more > 0) {
            writeln!(out, "  .. and {more} more")?;
        }
    }
    let unrewarded = outcome.frames() - outcome.rewarded_frames();
    if unrewarded > 0 {
        let frames = plural(outcome.frames() as usize, "frame");
        writeln!(out, "{title}: {unrewarded} of {frames} without a reward (excluded from the total)")?;
    }
    for failure in &outcome.failures {
        let frames = plural(failure.frames as usize, "frame");
        writeln!(out, "  {frames}, first {}: {}", failure.first_frame, reason(failure))?;
    }
    if outcome.other_failures > 0 {
        writeln!(out, "  {} for other reasons", plural(outcome.other_failures as usize, "frame"))?;
    }
    if !outcome.warnings.is_empty() {
        writeln!(out, "{title}: warnings")?;
    }
    for warning in &outcome.warnings {
        let frames = plural(warning.frames as usize, "frame");
        writeln!(out, "  {frames}, first {}: {}", warning.first_frame, reason(warning))?;
    }
    Ok(())
}

/// Prints the components that the program returns, and the terms if requested.
fn components(outcome: &RewardOutcome, out: &mut dyn Write) -> io::Result<()> {
    let title = format!("{} over {}", file(&outcome.program), file(&outcome.trace));
    let components = outcome.components.iter().map(|(name, totals)| ("", &**name, totals));
    let terms = outcome.terms.iter().map(|(term, totals)| (&*term.id, &*term.name, totals));
    for (heading, parts) in [("components", components.collect::<Vec<_>>()), ("terms", terms.collect())] {
        if parts.is_empty() {
            continue;
        }
        writeln!(out, "{title}: {heading}")?;
        let widest = parts.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or(0);
        for (id, name, totals) in parts {
            let id = if id.is_empty() { String::new() } else { format!("{id:<6} ") };
            let range = match totals.range {
                Some(range) if range.min < range.max => {
                    format!(", {} to {} per frame", number(range.min), number(range.max))
                }
                Some(range) => format!(", {} per frame", number(range.min)),
                None => String::new(),
            };
            let (sum, frames) = (number(totals.sum), plural(totals.nonzero_calls as usize, "frame"));
            writeln!(out, "  {id}{name:<widest$}  {sum:>12} in {frames}{range}")?;
        }
    }
    Ok(())
}

/// Prints the number of frames that the fast engine handed over, with the reasons.
fn engine(outcome: &RewardOutcome, out: &mut dyn Write) -> io::Result<()> {
    let calls = &outcome.engine_calls;
    if calls.interpreted_frames == 0 {
        return Ok(());
    }
    let frames = plural(outcome.frames() as usize, "frame");
    let (program, trace) = (file(&outcome.program), file(&outcome.trace));
    writeln!(out, "{program} over {trace}: {} of {frames} run by the interpreter", calls.interpreted_frames)?;
    for (reason, count) in &calls.fallback_reasons {
        writeln!(out, "  {}: {reason}", plural(*count as usize, "frame"))?;
    }
    Ok(())
}

fn reason(failure: &Failure) -> String {
    let place = failure.line.map_or_else(String::new, |line| format!(" (line {line})"));
    if failure.message.is_empty() {
        return format!("{}{place}", failure.kind);
    }
    format!("{}: {}{place}", failure.kind, failure.message)
}

fn steps(outcome: &RewardOutcome, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{} over {}", file(&outcome.program), file(&outcome.trace))?;
    for step in &outcome.frame_results {
        let reward = match step.reward {
            Ok(reward) => number(reward),
            Err(place) => outcome.failures.get(place).map_or_else(|| "no reward".to_owned(), reason),
        };
        let components = step.components.iter().map(|(name, part)| format!("{name} {}", number(*part)));
        let terms = outcome.terms.iter().zip(&step.terms);
        let terms = terms.filter_map(|((term, _), added)| Some(format!("{} {}", term.id, number((*added)?))));
        let parts: Vec<String> = components.chain(terms).collect();
        let parts = if parts.is_empty() { String::new() } else { format!("  ({})", parts.join(", ")) };
        writeln!(out, "  frame {}: {reward}{parts}", step.frame)?;
    }
    Ok(())
}

/// Returns the file name of a path.
fn file(path: &str) -> String {
    Path::new(path).file_name().map_or(path.to_owned(), |name| name.to_string_lossy().into())
}
