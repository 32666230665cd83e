//! Outcomes as tables with one row per preference or per state, for CSV and Parquet files.

use std::borrow::Cow;
use std::io::{self, Write};

use goalspec_core::goal::SatisfactionSummary;
use goalspec_core::monitor::PreferenceReport;

use crate::report::ProgramReport;
use crate::scoring::ProgramOutcome;

#[cfg(feature = "parquet")]
mod parquet_file;
pub mod rewards;
#[cfg(feature = "parquet")]
pub use parquet_file::TableParquetWriter;

/// The name of a column and the type of its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name.
    pub name: Cow<'static, str>,
    /// The type of its cells.
    pub cell_type: CellType,
}

/// The type of the cells of a column. A cell of any column may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellType {
    /// Text.
    Text,
    /// A non-negative integer.
    Count,
    /// A 64-bit floating-point number.
    Float,
    /// A truth value.
    Bool,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// No value.
    Empty,
    /// A value of type [`CellType::Text`].
    Text(String),
    /// A value of type [`CellType::Count`].
    Count(u64),
    /// A value of type [`CellType::Float`].
    Float(f64),
    /// A value of type [`CellType::Bool`].
    Bool(bool),
}

/// A table of typed columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with one cell per column.
    pub rows: Vec<Vec<Cell>>,
}

fn columns(list: &[(&'static str, CellType)]) -> Vec<Column> {
    list.iter().map(|&(name, kind)| Column { name: name.into(), cell_type: kind }).collect()
}

/// Returns a table with one row per outcome and preference, or per outcome and conjunct of a goal. An outcome with neither has
/// one row with an empty name.
///
/// For a conjunct, `count` is 1 if it holds in the last state and 0 otherwise, and `satisfactions` is the number of states in
/// which it held.
pub fn preferences(outcomes: &[ProgramOutcome]) -> Table {
    use CellType::{Bool, Count, Float, Text};
    let mut table = Table {
        columns: columns(&[
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
        ]),
        rows: Vec::new(),
    };
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
    let mut table = Table {
        columns: columns(&[("program", Text), ("trace", Text), ("state", Count), ("reward", Float), ("score", Float)]),
        rows: Vec::new(),
    };
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

/// Writes a table as CSV (RFC 4180) with a header. An empty cell becomes an empty field, and numbers round-trip exactly.
///
/// # Errors
/// If the output cannot be written.
pub fn write_csv(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = CsvWriter::new(out, &table.columns)?;
    writer.append(&table.rows)?;
    writer.finish()
}

/// Writes a table as a Parquet file with optional columns of UTF-8 text, 64-bit integers, doubles and booleans.
///
/// # Errors
/// If the output cannot be written.
#[cfg(feature = "parquet")]
pub fn write_parquet(table: &Table, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let mut writer = TableParquetWriter::new(out, &table.columns)?;
    writer.append(&table.rows)?;
    writer.finish()
}

/// A writer of rows as CSV, in one or more batches.
pub struct CsvWriter<W: Write> {
    writer: csv::Writer<W>,
}

impl<W: Write> CsvWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn new(out: W, columns: &[Column]) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(columns.iter().map(|column| &*column.name)).map_err(io_error)?;
        Ok(Self { writer })
    }

    /// Appends rows.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn append(&mut self, rows: &[Vec<Cell>]) -> io::Result<()> {
        for row in rows {
            self.writer
                .write_record(row.iter().map(|cell| match cell {
                    Cell::Empty => String::new(),
                    Cell::Text(text) => text.clone(),
                    Cell::Count(count) => count.to_string(),
                    Cell::Float(number) => number.to_string(),
                    Cell::Bool(flag) => flag.to_string(),
                }))
                .map_err(io_error)?;
        }
        Ok(())
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Returns the underlying error of the output, so that a closed pipe can be recognised.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, CellType, Table, columns, write_csv};

    fn table() -> Table {
        Table {
            columns: columns(&[("name", CellType::Text), ("value", CellType::Float), ("met", CellType::Bool)]),
            rows: vec![
                vec![Cell::Text("a, \"b\"".to_owned()), Cell::Float(0.1), Cell::Bool(true)],
                vec![Cell::Empty, Cell::Empty, Cell::Bool(false)],
            ],
        }
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        let mut out = Vec::new();
        write_csv(&table(), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "name,value,met\n\"a, \"\"b\"\"\",0.1,true\n,,false\n");
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn parquet_reads_back() {
        use parquet::file::reader::{FileReader, SerializedFileReader};
        let mut out = Vec::new();
        super::write_parquet(&table(), &mut out).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(out)).unwrap();
        let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        assert_eq!(rows, ["{name: \"a, \"b\"\", value: 0.1, met: true}", "{name: null, value: null, met: false}"]);
    }
}
