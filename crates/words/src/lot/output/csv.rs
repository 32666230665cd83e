//! Results line by line as CSV.

use std::collections::BTreeMap;
use std::fmt;

use goalspec_lot::View;

use super::table::Table;
use crate::lot::cell::{Cell, Method};
use crate::lot::summary::GroupKey;

/// The columns, one row for each view of each problem.
const COLUMNS: [&str; 14] = [
    "id",
    "view",
    "optimal_length",
    "holds_initially",
    "translate_success",
    "translate_plan_length",
    "translate_init_exact",
    "translate_goal",
    "translate_finding",
    "direct_success",
    "direct_actions",
    "direct_ignored_actions",
    "direct_unparsed_lines",
    "direct_cut",
];

/// The error for two results that would share the columns of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvError {
    /// The labels of the groups of the two results.
    pub labels: [String; 2],
}

impl fmt::Display for CsvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = &self.labels;
        write!(f, "the results have two rows of {one} and {other}: print each run on its own")
    }
}

impl std::error::Error for CsvError {}

/// Returns cells as CSV with a row for each view of each problem. Columns of a method without a result are empty.
///
/// # Errors
/// If a method has results of several models, with the reason.
pub fn csv(cells: &[Cell]) -> Result<String, CsvError> {
    let mut rows: BTreeMap<(View, &str), [Option<&Cell>; 2]> = BTreeMap::new();
    for cell in cells {
        let row = rows.entry((cell.view, &cell.id)).or_default();
        let place = Method::ALL.iter().position(|&method| method == cell.method).unwrap_or_default();
        if let Some(other) = row[place].replace(cell) {
            return Err(CsvError { labels: [cell, other].map(|cell| GroupKey::of(cell).label()) });
        }
    }
    let mut table = Table::new("", &COLUMNS);
    for ((view, id), [translation, direct]) in rows {
        let Some(any) = translation.or(direct) else { continue };
        let number = |value: Option<usize>| value.map_or_else(String::new, |value| value.to_string());
        let mut row = vec![id.to_owned(), view.to_string(), number(any.optimal_length), flag(any.holds_initially)];
        row.extend(translation.map_or_else(Default::default, translation_columns));
        row.extend(direct.map_or_else(Default::default, direct_columns));
        table.push(row);
    }
    Ok(table.to_csv())
}

fn flag(value: bool) -> String {
    u8::from(value).to_string()
}

fn translation_columns(cell: &Cell) -> [String; 5] {
    let Some(verdict) = &cell.last else { return Default::default() };
    let length = verdict.plan.as_ref().map_or_else(String::new, |plan| plan.len().to_string());
    let measures = verdict.translation.as_ref().map_or_else(Default::default, |measures| {
        [flag(measures.initial_exact), measures.goal.sign().to_owned(), measures.finding.clone()]
    });
    let [exact, goal, finding]: [String; 3] = measures;
    [flag(verdict.solved), length, exact, goal, finding]
}

fn direct_columns(cell: &Cell) -> [String; 5] {
    let Some(verdict) = &cell.last else { return Default::default() };
    let lines = verdict.lines;
    let counts = [lines.actions(), lines.ignored(), lines.unparsed].map(|count| count.to_string());
    let [actions, ignored, unparsed] = counts;
    [flag(verdict.solved), actions, ignored, unparsed, flag(cell.cut > 0)]
}
