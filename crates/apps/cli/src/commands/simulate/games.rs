//! The output of individual games.

use std::io::{self, Write};

use goalspec::rows::{Cell, CellKind, Column, CsvWriter};
use goalspec::simulate::collected::Played;
use goalspec::simulate::study::Study;
use goalspec::simulate::{report, rows};

use crate::args::Simulations;

/// A writer of games in the requested format.
pub(super) enum GamesWriter<'o> {
    /// No output of individual games.
    Nothing,
    Lines(&'o mut (dyn Write + Send)),
    Csv(Box<CsvWriter<&'o mut (dyn Write + Send)>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<goalspec::rows::ParquetWriter<&'o mut (dyn Write + Send)>>, Vec<Column>),
}

impl<'o> GamesWriter<'o> {
    pub(super) fn new(format: Simulations, study: &Study<'_>, out: &'o mut (dyn Write + Send)) -> io::Result<Self> {
        Ok(match format {
            Simulations::Text | Simulations::Json => Self::Nothing,
            Simulations::Jsonl => Self::Lines(out),
            Simulations::Csv => Self::Csv(Box::new(CsvWriter::new(out, &rows::columns(study))?)),
            #[cfg(feature = "parquet")]
            Simulations::Parquet => {
                let columns = rows::columns(study);
                let writer = goalspec::rows::ParquetWriter::new(out, &columns)?;
                Self::Parquet(Box::new(writer), columns)
            }
        })
    }

    pub(super) fn write(&mut self, study: &Study<'_>, played: &Played) -> io::Result<()> {
        match self {
            Self::Nothing => Ok(()),
            Self::Lines(out) => report::records(study, played).iter().try_for_each(|record| writeln!(out, "{record}")),
            Self::Csv(writer) => writer.append(&rows::rows(study, played)),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer, columns) => {
                let rows = rows::rows(study, played);
                match rows.iter().find_map(|row| rows::misfit(columns, row)) {
                    Some((column, cell)) => Err(misfit(played.index, column, cell)),
                    None => writer.append(&rows),
                }
            }
        }
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Nothing | Self::Lines(_) => Ok(()),
            Self::Csv(writer) => writer.finish(),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer, _) => writer.finish(),
        }
    }
}

/// Returns the error of a value that does not have the type of its Parquet column.
#[cfg(feature = "parquet")]
fn misfit(index: u64, column: &Column, cell: &Cell) -> io::Error {
    let kind = match column.kind {
        CellKind::Text => "string",
        CellKind::Count | CellKind::Number => "number",
        CellKind::Flag => "boolean",
    };
    let value = match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
    };
    let name = &column.name;
    io::Error::other(format!(
        "`{name}` of game {index} must be a {kind}, found `{value}`; other formats accept any value"
    ))
}
