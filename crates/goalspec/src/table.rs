//! Outcomes as tables with one row per preference or per state, for CSV and Parquet files.

use goalspec_core::goal::SatisfactionSummary;
use goalspec_core::monitor::PreferenceReport;
pub use goalspec_table::{Cell, CellType, Column, CsvWriter, Table, write_csv};
#[cfg(feature = "parquet")]
pub use goalspec_table::{TableParquetWriter, read_parquet_metadata, write_parquet};

use crate::report::ProgramReport;
use crate::scoring::ProgramOutcome;

pub mod rewards;

/// Returns a table with one row per outcome and preference, or per outcome and conjunct of a goal. An outcome with neither has
/// one row with an empty name.
///
/// For a conjunct, `count` is 1 if it holds in the last state and 0 otherwise, and `satisfactions` is the number of states in
/// which it held.
pub fn preferences(outcomes: &[ProgramOutcome]) -> Table {
    use CellType::{Bool, Count, Float, Text};
    let mut table = Table::new(&[
        ("program", Text),
        ("trace", Text),
        ("world", Text),
        ("states", Count),
        ("setup_met", Bool),
        ("terminal", Count),
        ("score", Float),
        ("score_error", Text),
        ("preference", Text),
        ("count", Count),
        ("satisfactions", Count),
        ("goal_satisfied", Bool),
        ("unsatisfied_literals", Count),
        ("challenge_score", Float),
    ]);
    for outcome in outcomes {
        let judgement = &outcome.report;
        let (setup_met, terminal) = match judgement {
            ProgramReport::Game(report) => (Some(report.setup_met), report.terminal),
            ProgramReport::Goal(_) => (None, None),
        };
        let shared = [
            Cell::Text(outcome.program.to_string()),
            Cell::Text(outcome.trace.to_string()),
            Cell::Text(outcome.world.name().to_owned()),
            Cell::Count(judgement.states()),
            setup_met.map_or(Cell::Empty, Cell::Bool),
            terminal.map_or(Cell::Empty, Cell::Count),
            judgement.score().map_or(Cell::Empty, Cell::Float),
            judgement.score().err().map_or(Cell::Empty, |error| Cell::Text(error.to_string())),
        ];
        let last = goal(judgement);
        let parts = parts(judgement);
        if parts.is_empty() {
            table.rows.push([&shared[..], &[Cell::Empty, Cell::Empty, Cell::Empty], &last].concat());
        }
        table.rows.extend(parts.iter().map(|own| [&shared[..], own, &last].concat()));
    }
    table
}

/// Returns for a goal whether it is met, the number of missing literals, and the score of the BEHAVIOR challenge.
fn goal(judgement: &ProgramReport) -> [Cell; 3] {
    match judgement {
        ProgramReport::Game(_) => [Cell::Empty, Cell::Empty, Cell::Empty],
        ProgramReport::Goal(goal) => [
            Cell::Bool(goal.report.last.satisfied),
            goal.progress.unsatisfied_literals.map_or(Cell::Empty, |missing| Cell::Count(missing.into())),
            goal.challenge_score.map_or(Cell::Empty, Cell::Float),
        ],
    }
}

/// Returns the name, count and number of satisfactions of each preference or conjunct.
fn parts(judgement: &ProgramReport) -> Vec<[Cell; 3]> {
    match judgement {
        ProgramReport::Game(report) => {
            let cells = |preference: &PreferenceReport| {
                let satisfactions = preference.satisfactions.len() as u64 + preference.unlisted;
                [Cell::Text(preference.name.to_string()), Cell::Count(preference.count), Cell::Count(satisfactions)]
            };
            report.preferences.iter().map(cells).collect()
        }
        ProgramReport::Goal(goal) => {
            let cells = |(place, span): (usize, &SatisfactionSummary)| {
                let holds = goal.report.last.conjuncts.contains(place);
                [Cell::Text(place.to_string()), Cell::Count(u64::from(holds)), Cell::Count(span.states)]
            };
            goal.report.conjuncts.iter().enumerate().map(cells).collect()
        }
    }
}

/// Returns a table with one row per outcome and state: the reward of the state and the score after it.
pub fn states(outcomes: &[ProgramOutcome]) -> Table {
    use CellType::{Count, Float, Text};
    let mut table =
        Table::new(&[("program", Text), ("trace", Text), ("state", Count), ("reward", Float), ("score", Float)]);
    for outcome in outcomes {
        let mut score = 0.0;
        for (step, &reward) in outcome.rewards.iter().enumerate() {
            score += reward;
            table.rows.push(vec![
                Cell::Text(outcome.program.to_string()),
                Cell::Text(outcome.trace.to_string()),
                Cell::Count(step as u64 + 1),
                Cell::Float(reward),
                Cell::Float(score),
            ]);
        }
    }
    table
}
