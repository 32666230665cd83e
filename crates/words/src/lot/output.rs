//! Tables of results as text, CSV, JSON and HTML.

mod csv;
mod table;

use std::fmt;

use goalspec_lot::View;
use serde_json::{Value, json};

use super::cell::{Cell, Method};
use super::summary::{Group, GroupKey, comparisons, groups, repair_effects};

pub use csv::{CsvError, csv};
pub use table::Table;

/// The format of result files.
pub const FORMAT: &str = "goalspec-lot-results-1";

/// Returns results as a file, which [`read_results`] reads.
pub fn results_json(cells: &[Cell]) -> Value {
    json!({
        "format": FORMAT,
        "groups": groups(cells),
        "comparisons": comparisons(cells),
        "repairs": repair_effects(cells),
        "cells": cells,
    })
}

/// The error for a text that is not a result file.
#[derive(Debug)]
pub enum ResultsFileError {
    /// The text is not JSON, or has a malformed cell.
    Malformed(serde_json::Error),
    /// The text has another format.
    OtherFormat(String),
    /// The text names no format.
    NoFormat,
}

impl fmt::Display for ResultsFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => error.fmt(f),
            Self::OtherFormat(other) => write!(f, "its format is `{other}`, expected `{FORMAT}`"),
            Self::NoFormat => f.write_str("it has no `format`"),
        }
    }
}

impl std::error::Error for ResultsFileError {}

/// Reads the cells of a result file.
///
/// # Errors
/// If the text is not such a file, with the reason.
pub fn read_results(text: &str) -> Result<Vec<Cell>, ResultsFileError> {
    let mut value: Value = serde_json::from_str(text).map_err(ResultsFileError::Malformed)?;
    match value.get("format").and_then(Value::as_str) {
        Some(FORMAT) => serde_json::from_value(value["cells"].take()).map_err(ResultsFileError::Malformed),
        Some(other) => Err(ResultsFileError::OtherFormat(other.to_owned())),
        None => Err(ResultsFileError::NoFormat),
    }
}

/// Returns all tables of results: overall, by group, comparisons, repairs, and with `line_by_line` a row for each problem.
pub fn tables(cells: &[Cell], line_by_line: bool) -> Vec<Table> {
    let groups = groups(cells);
    let mut tables = vec![overall(&groups), solving(&groups)];
    if groups.iter().any(|group| group.exact.count > 0) {
        tables.push(translations(&groups));
    }
    if groups.iter().any(|group| group.key.method == Method::Direct) {
        tables.push(plans(&groups));
    }
    tables.push(costs(&groups));
    let compared = comparisons(cells);
    if !compared.is_empty() {
        let mut table = Table::new(
            "Comparison (McNemar's exact test)",
            &["view", "first", "second", "both", "first only", "second only", "neither", "p"],
        );
        for found in compared {
            let counts =
                [found.both, found.first_only, found.second_only, found.neither].map(|count| count.to_string());
            let p = if found.p_value < 0.0001 { "<0.0001".to_owned() } else { format!("{:.4}", found.p_value) };
            table.push([found.view.to_string(), found.first, found.second].into_iter().chain(counts).chain([p]));
        }
        tables.push(table);
    }
    if groups.iter().any(|group| group.repairs > 0) {
        tables.push(repairs(cells));
    }
    if line_by_line {
        tables.push(lines(cells));
    }
    tables
}

/// Returns the report over models: exactness and success with their confidence intervals, repairs and costs.
pub fn report(cells: &[Cell]) -> Table {
    let mut table = Table::new(
        "Language models",
        &[
            "domain",
            "view",
            "method",
            "model",
            "constrained",
            "repairs allowed",
            "problems",
            "exact",
            "95% CI",
            "equivalent",
            "95% CI",
            "solved",
            "95% CI",
            "by luck",
            "repairs",
            "input tokens",
            "output tokens",
            "cost",
        ],
    );
    for group in groups(cells) {
        let key = &group.key;
        let has_translations = group.exact.count > 0;
        let of = |proportion: super::summary::Proportion| {
            if has_translations {
                [proportion.hits.to_string(), proportion.interval_text()]
            } else {
                Default::default()
            }
        };
        let lucky = if has_translations { group.lucky.to_string() } else { String::new() };
        let constrained = if key.constrained { "yes" } else { "no" };
        let mut row = vec![
            DOMAIN.to_owned(),
            key.view.to_string(),
            key.method.to_string(),
            key.model.clone(),
            constrained.to_owned(),
        ];
        row.extend([key.max_repairs.to_string(), group.solved.count.to_string()]);
        row.extend(of(group.exact).into_iter().chain(of(group.equivalent)));
        row.extend([group.solved.hits.to_string(), group.solved.interval_text(), lucky]);
        row.extend([group.repairs, group.input_tokens, group.output_tokens].map(|count| count.to_string()));
        row.push(group.cost.map_or_else(String::new, |cost| format!("{cost:.4}")));
        table.push(row);
    }
    table
}

/// Returns the report over models as JSON: one record for each group, with the ends of its confidence intervals.
pub fn report_json(cells: &[Cell]) -> Value {
    let proportion = |of: super::summary::Proportion| {
        let interval = of.interval();
        json!({
            "hits": of.hits,
            "count": of.count,
            "low": interval.map(|interval| interval.low),
            "high": interval.map(|interval| interval.high),
        })
    };
    let records = groups(cells).into_iter().map(|group| {
        json!({
            "domain": DOMAIN,
            "view": group.key.view,
            "method": group.key.method,
            "model": group.key.model,
            "constrained": group.key.constrained,
            "max_repairs": group.key.max_repairs,
            "problems": group.solved.count,
            "failed_calls": group.failed_calls,
            "exact": proportion(group.exact),
            "equivalent": proportion(group.equivalent),
            "solved": proportion(group.solved),
            "solved_by_luck": group.lucky,
            "repairs": group.repairs,
            "input_tokens": group.input_tokens,
            "output_tokens": group.output_tokens,
            "cost": group.cost,
        })
    });
    records.collect()
}

/// The domain of the cells in reports.
const DOMAIN: &str = "lot";

/// Returns the labels of the groups, each once, with the group of each view.
fn by_label(groups: &[Group]) -> Vec<(String, [Option<&Group>; 3])> {
    let mut rows: Vec<(String, [Option<&Group>; 3])> = Vec::new();
    for group in groups {
        let label = group.key.label();
        let place = rows.iter().position(|(of_row, _)| *of_row == label).unwrap_or_else(|| {
            rows.push((label, [None; 3]));
            rows.len() - 1
        });
        let view = View::ALL.iter().position(|&view| view == group.key.view).unwrap_or_default();
        rows[place].1[view] = Some(group);
    }
    rows
}

fn overall(groups: &[Group]) -> Table {
    let mut table =
        Table::new("Solved problems, with 95% confidence intervals in percent", &["method", "one", "two", "all"]);
    let mut nothing: [Option<&Group>; 3] = [None; 3];
    for (label, of_views) in by_label(groups) {
        let cells = of_views.map(|group| group.map_or_else(String::new, |group| with_interval(group.solved)));
        table.push(std::iter::once(label).chain(cells));
        for (known, group) in nothing.iter_mut().zip(of_views) {
            *known = known.or(group);
        }
    }
    let cells = nothing.map(|group| group.map_or_else(String::new, |group| with_interval(group.holds_initially)));
    table.push(std::iter::once("doing nothing".to_owned()).chain(cells));
    table
}

fn with_interval(proportion: super::summary::Proportion) -> String {
    format!("{} of {} ({})", proportion.hits, proportion.count, proportion.interval_text())
}

fn fraction(proportion: super::summary::Proportion) -> String {
    format!("{} of {}", proportion.hits, proportion.count)
}

/// The first columns of a table with a row for each group.
fn key_columns(key: &GroupKey) -> [String; 2] {
    [key.label(), key.view.to_string()]
}

fn solving(groups: &[Group]) -> Table {
    let header = [
        "method",
        "view",
        "solved",
        "goal holds at start",
        "solved where a plan is needed",
        "solved strictly",
        "cut",
        "failed calls",
    ];
    let mut table = Table::new("Success beside what needs no plan", &header);
    for group in groups {
        let proportions =
            [group.solved, group.holds_initially, group.solved_with_plan, group.solved_strictly].map(fraction);
        let counts = [group.cut.to_string(), group.failed_calls.to_string()];
        table.push(key_columns(&group.key).into_iter().chain(proportions).chain(counts));
    }
    table
}

fn translations(groups: &[Group]) -> Table {
    let mut table = Table::new("Translations", &["method", "view", "exact", "equivalent", "solved", "solved by luck"]);
    for group in groups.iter().filter(|group| group.exact.count > 0) {
        let proportions = [group.exact, group.equivalent, group.solved].map(fraction);
        table.push(key_columns(&group.key).into_iter().chain(proportions).chain([group.lucky.to_string()]));
    }
    table
}

fn plans(groups: &[Group]) -> Table {
    let mut table = Table::new("Direct plans", &["method", "view", "actions", "skipped actions", "unparsed lines"]);
    for group in groups.iter().filter(|group| group.key.method == Method::Direct) {
        let counts = [group.actions, group.ignored_actions, group.unparsed_lines].map(|count| count.to_string());
        table.push(key_columns(&group.key).into_iter().chain(counts));
    }
    table
}

fn costs(groups: &[Group]) -> Table {
    let mut table = Table::new(
        "Costs",
        &["method", "view", "repairs", "input tokens", "output tokens", "cost", "shortest plans 0, 1, 2, .."],
    );
    for group in groups {
        let counts = [group.repairs, group.input_tokens, group.output_tokens].map(|count| count.to_string());
        let cost = group.cost.map_or_else(String::new, |cost| format!("{cost:.4}"));
        let longest = group.optimal_lengths.keys().max().copied().unwrap_or(0);
        let lengths = (0..=longest).map(|length| group.optimal_lengths.get(&length).copied().unwrap_or(0).to_string());
        let lengths = lengths.collect::<Vec<_>>().join("/");
        table.push(key_columns(&group.key).into_iter().chain(counts).chain([cost, lengths]));
    }
    table
}

fn repairs(cells: &[Cell]) -> Table {
    let header = ["method", "first fault", "cells", "repaired", "solved at first", "solved at last", "repairs"];
    let mut table = Table::new("Repairs by the fault of the first replies", &header);
    for effect in repair_effects(cells) {
        let counts = [effect.cells, effect.repaired, effect.solved_at_first, effect.solved, effect.repairs];
        let counts = counts.map(|count| count.to_string());
        table.push([effect.label, effect.fault.description().to_owned()].into_iter().chain(counts));
    }
    table
}

/// Returns a row for each problem: whether each method solves each view.
fn lines(cells: &[Cell]) -> Table {
    let mut columns: Vec<(View, GroupKey)> = cells.iter().map(|cell| (cell.view, GroupKey::of(cell))).collect();
    columns.sort();
    columns.dedup();
    let names: Vec<String> = columns.iter().map(|(view, key)| format!("{view}: {}", key.label())).collect();
    let header: Vec<&str> = std::iter::once("id").chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new("Line by line", &header);
    let mut by_id: std::collections::BTreeMap<&str, Vec<String>> = std::collections::BTreeMap::new();
    for cell in cells {
        let row = by_id.entry(&cell.id).or_insert_with(|| vec![String::new(); columns.len()]);
        let key = (cell.view, GroupKey::of(cell));
        if let Ok(place) = columns.binary_search(&key) {
            row[place] = match &cell.last {
                Some(verdict) => verdict.solved.to_string(),
                None => "failed".to_owned(),
            };
        }
    }
    for (id, row) in by_id {
        table.push(std::iter::once(id.to_owned()).chain(row));
    }
    table
}

/// Returns tables as a page of HTML.
pub fn html(title: &str, tables: &[Table]) -> String {
    const STYLE: &str = "body{font:15px system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}\
        table{border-collapse:collapse;margin:.5em 0 2em}th,td{padding:.2em .7em;border-bottom:1px solid #ccc;text-align:left}\
        td+td{font-variant-numeric:tabular-nums}th{border-bottom:2px solid #888}";
    let tables: String = tables.iter().map(Table::to_html).collect();
    let title = table::escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style></head>\n\
         <body>\n<h1>{title}</h1>\n{tables}</body>\n</html>\n"
    )
}
