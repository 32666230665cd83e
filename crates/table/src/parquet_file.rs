//! Rows as a Parquet file.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use crate::{Cell, CellType, Column};

/// Returns the metadata of a Parquet file under a key; `None` if it has none under this key, or is no complete Parquet file.
///
/// # Errors
/// If the file cannot be opened.
pub fn read_parquet_metadata(path: &Path, key: &str) -> io::Result<Option<String>> {
    let file = File::open(path)?;
    let Ok(reader) = SerializedFileReader::new(file) else { return Ok(None) };
    let entries = reader.metadata().file_metadata().key_value_metadata();
    let entry = entries.into_iter().flatten().find(|entry| entry.key == key);
    Ok(entry.and_then(|entry| entry.value.clone()))
}

/// The minimum number of rows in a row group, except the last.
const MIN_ROW_GROUP_ROWS: usize = 1 << 16;

/// A writer of rows as a Parquet file, in one or more batches.
pub struct TableParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl<W: Write + Send> TableParquetWriter<W> {
    /// Begins a file with these columns.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn new(out: W, columns: &[Column]) -> io::Result<Self> {
        Self::with_metadata(out, columns, &[])
    }

    /// Begins a file with these columns, and with metadata by key.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn with_metadata(out: W, columns: &[Column], metadata: &[(&str, String)]) -> io::Result<Self> {
        let entries = metadata.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
        let entries: Vec<KeyValue> = entries.collect();
        let open = || {
            let fields = columns.iter().map(|column| field(column).map(Arc::new)).collect::<Result<_, _>>()?;
            let schema = Type::group_type_builder("scores").with_fields(fields).build()?;
            let compression = Compression::ZSTD(ZstdLevel::default());
            let properties = WriterProperties::builder()
                .set_compression(compression)
                .set_key_value_metadata((!entries.is_empty()).then_some(entries))
                .build();
            SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))
        };
        Ok(Self { file: open().map_err(io::Error::other)?, columns: columns.to_vec(), rows: Vec::new() })
    }

    /// Appends rows.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn append(&mut self, rows: &[Vec<Cell>]) -> io::Result<()> {
        self.rows.extend_from_slice(rows);
        if self.rows.len() >= MIN_ROW_GROUP_ROWS { self.write_row_group().map_err(io::Error::other) } else { Ok(()) }
    }

    /// Writes the remaining rows and the footer of the file.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.write_row_group().map_err(io::Error::other)?;
        self.file.close().map(drop).map_err(io::Error::other)
    }

    /// Writes the buffered rows as a row group.
    fn write_row_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        let mut at = 0;
        while let Some(mut writer) = group.next_column()? {
            column(self.columns[at].cell_type, &self.rows, at, &mut writer)?;
            writer.close()?;
            at += 1;
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }
}

fn field(column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.cell_type {
        CellType::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        CellType::Count => (PhysicalType::INT64, None),
        CellType::Float => (PhysicalType::DOUBLE, None),
        CellType::Bool => (PhysicalType::BOOLEAN, None),
    };
    Type::primitive_type_builder(&column.name, physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::OPTIONAL)
        .build()
}

fn column(
    kind: CellType,
    rows: &[Vec<Cell>],
    at: usize,
    writer: &mut SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    let cells = rows.iter().map(|row| &row[at]);
    match kind {
        CellType::Text => write_column::<ByteArrayType>(writer, cells, |cell| match cell {
            Cell::Text(text) => Some(ByteArray::from(text.as_str())),
            _ => None,
        }),
        CellType::Count => write_column::<Int64Type>(writer, cells, |cell| match cell {
            Cell::Count(count) => i64::try_from(*count).ok(),
            _ => None,
        }),
        CellType::Float => write_column::<DoubleType>(writer, cells, |cell| match cell {
            Cell::Float(number) => Some(*number),
            _ => None,
        }),
        CellType::Bool => write_column::<BoolType>(writer, cells, |cell| match cell {
            Cell::Bool(flag) => Some(*flag),
            _ => None,
        }),
    }
}

/// Writes a column of a row group; cells without a value are null.
fn write_column<'c, T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = &'c Cell> + Clone,
    value: impl Fn(&Cell) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = cells.clone().map(|cell| i16::from(value(cell).is_some())).collect();
    let values: Vec<T::T> = cells.filter_map(&value).collect();
    writer.typed::<T>().write_batch(&values, Some(&levels), None).map(|_| ())
}
