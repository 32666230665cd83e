//! Scores of reward functions as tables: a row per episode, or per frame.

use super::score::RewardOutcome;
use crate::rows::{Cell, CellKind, Column, Table};

fn table(columns: &[(&'static str, CellKind)]) -> Table {
    let columns = columns.iter().map(|&(name, kind)| Column { name: name.into(), kind }).collect();
    Table { columns, rows: Vec::new() }
}

fn names(outcome: &RewardOutcome) -> [Cell; 3] {
    [
        Cell::Text(outcome.program.to_string()),
        Cell::Text(outcome.trace.to_string()),
        Cell::Text(outcome.world.name().to_owned()),
    ]
}

fn points(points: Option<f64>) -> Cell {
    points.map_or(Cell::Empty, Cell::Number)
}

/// A row per episode.
pub fn episodes(outcomes: &[RewardOutcome]) -> Table {
    use CellKind::{Count, Number, Text};
    let mut table = table(&[
        ("program", Text),
        ("trace", Text),
        ("world", Text),
        ("episode", Count),
        ("frames", Count),
        ("rewarded", Count),
        ("total", Number),
        ("points", Number),
    ]);
    for outcome in outcomes {
        for episode in &outcome.episodes {
            let mut row = names(outcome).to_vec();
            row.extend([episode.number, episode.frames, episode.rewarded].map(Cell::Count));
            row.extend([Cell::Number(episode.total), points(episode.points)]);
            table.rows.push(row);
        }
    }
    table
}

/// A row per frame; one without a reward says why.
pub fn frames(outcomes: &[RewardOutcome]) -> Table {
    use CellKind::{Count, Number, Text};
    let mut table = table(&[
        ("program", Text),
        ("trace", Text),
        ("world", Text),
        ("episode", Count),
        ("frame", Count),
        ("reward", Number),
        ("points", Number),
        ("error", Text),
        ("line", Count),
    ]);
    for outcome in outcomes {
        for step in &outcome.steps {
            let failure = step.reward.err().map(|place| outcome.failures.get(place));
            let error = match failure {
                None => Cell::Empty,
                Some(Some(failure)) => Cell::Text(format!("{}: {}", failure.kind, failure.message)),
                Some(None) => Cell::Text("one more kind of failure".to_owned()),
            };
            let line = failure.flatten().and_then(|failure| failure.line);
            let mut row = names(outcome).to_vec();
            row.extend([step.episode, step.frame].map(Cell::Count));
            row.extend([step.reward.map_or(Cell::Empty, Cell::Number), points(step.points), error]);
            row.push(line.map_or(Cell::Empty, |line| Cell::Count(line.into())));
            table.rows.push(row);
        }
    }
    table
}
