//! Tables of typed columns, written as CSV and Parquet. The rows of a table may be written in batches as they come.
//!
//! | type | contents |
//! |---|---|
//! | [`Table`] | columns and rows in memory |
//! | [`Column`], [`CellType`], [`Cell`] | the name and type of a column, and the value of a cell |
//! | [`CsvWriter`] | rows as CSV |
//! | `TableParquetWriter` | rows as a Parquet file (feature `parquet`) |
//! | `read_parquet_metadata` | the metadata of such a file (feature `parquet`) |

use std::borrow::Cow;
use std::io::{self, Write};

#[cfg(feature = "parquet")]
mod parquet_file;
#[cfg(feature = "parquet")]
pub use parquet_file::{TableParquetWriter, read_parquet_metadata};

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

impl Column {
    /// Creates a column.
    pub fn new(name: impl Into<Cow<'static, str>>, cell_type: CellType) -> Self {
        Self { name: name.into(), cell_type }
    }
}

impl Table {
    /// Creates a table of these columns, without rows.
    pub fn new(columns: &[(&'static str, CellType)]) -> Self {
        let columns = columns.iter().map(|&(name, cell_type)| Column::new(name, cell_type)).collect();
        Self { columns, rows: Vec::new() }
    }
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
    use super::{Cell, CellType, Table, write_csv};

    fn table() -> Table {
        let mut table = Table::new(&[("name", CellType::Text), ("value", CellType::Float), ("met", CellType::Bool)]);
        table.rows = vec![
            vec![Cell::Text("a, \"b\"".to_owned()), Cell::Float(0.1), Cell::Bool(true)],
            vec![Cell::Empty, Cell::Empty, Cell::Bool(false)],
        ];
        table
    }

    #[test]
    fn csv_quotes_only_fields_that_need_it() {
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
