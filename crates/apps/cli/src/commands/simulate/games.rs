//! The output of individual games.

use std::io::{self, Write};

use goalspec::simulation::experiment::LoadedExperiment;
use goalspec::simulation::{report, rows};
use goalspec::simulator::experiment::GameRecord;
use goalspec::table::{Cell, CellType, Column, CsvWriter};

use crate::args::SimulationFormat;

/// A writer of games in the requested format.
pub(super) enum GamesWriter<'o> {
    /// No output of individual games.
    SummaryOnly,
    Lines(&'o mut (dyn Write + Send)),
    Csv(Box<CsvWriter<&'o mut (dyn Write + Send)>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<goalspec::table::TableParquetWriter<&'o mut (dyn Write + Send)>>, Vec<Column>),
}

impl<'o> GamesWriter<'o> {
    pub(super) fn new(
        format: SimulationFormat,
        experiment: &LoadedExperiment,
        out: &'o mut (dyn Write + Send),
    ) -> io::Result<Self> {
        Ok(match format {
            SimulationFormat::Text | SimulationFormat::Json => Self::SummaryOnly,
            SimulationFormat::Jsonl => Self::Lines(out),
            SimulationFormat::Csv => Self::Csv(Box::new(CsvWriter::new(out, &rows::columns(experiment))?)),
            #[cfg(feature = "parquet")]
            SimulationFormat::Parquet => {
                let columns = rows::columns(experiment);
                let writer = goalspec::table::TableParquetWriter::new(out, &columns)?;
                Self::Parquet(Box::new(writer), columns)
            }
        })
    }

    pub(super) fn write(&mut self, experiment: &LoadedExperiment, record: &GameRecord) -> io::Result<()> {
        match self {
            Self::SummaryOnly => Ok(()),
            Self::Lines(out) => {
                report::records(experiment, record).iter().try_for_each(|record| writeln!(out, "{record}"))
            }
            Self::Csv(writer) => writer.append(&rows::rows(experiment, record)),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer, columns) => {
                let rows = rows::rows(experiment, record);
                match rows.iter().find_map(|row| rows::mistyped_cell(columns, row)) {
                    Some((column, cell)) => Err(column_type_error(record.index, column, cell)),
                    None => writer.append(&rows),
                }
            }
        }
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::SummaryOnly | Self::Lines(_) => Ok(()),
            Self::Csv(writer) => writer.finish(),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer, _) => writer.finish(),
        }
    }
}

/// Returns the error of a value that does not have the type of its Parquet column.
#[cfg(feature = "parquet")]
fn column_type_error(index: u64, column: &Column, cell: &Cell) -> io::Error {
    let kind = match column.cell_type {
        CellType::Text => "string",
        CellType::Count | CellType::Float => "number",
        CellType::Bool => "boolean",
    };
    let value = match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Float(number) => number.to_string(),
        Cell::Bool(flag) => flag.to_string(),
    };
    let name = &column.name;
    io::Error::other(format!(
        "`{name}` of game {index} must be a {kind}, found `{value}`; other formats accept any value"
    ))
}
