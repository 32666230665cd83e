//! Rows as a Parquet file.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::{Cell, CellKind, Column};

/// The minimum number of rows in a row group, except the last.
const GROUP: usize = 1 << 16;

/// A writer of rows as a Parquet file, in one or more batches.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file with these columns.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn new(out: W, columns: &[Column]) -> io::Result<Self> {
        let open = || {
            let fields = columns.iter().map(|column| field(column).map(Arc::new)).collect::<Result<_, _>>()?;
            let schema = Type::group_type_builder("scores").with_fields(fields).build()?;
            let compression = Compression::ZSTD(ZstdLevel::default());
            let properties = WriterProperties::builder().set_compression(compression).build();
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
        if self.rows.len() >= GROUP { self.group().map_err(io::Error::other) } else { Ok(()) }
    }

    /// Writes the remaining rows and the footer of the file.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.group().map_err(io::Error::other)?;
        self.file.close().map(drop).map_err(io::Error::other)
    }

    /// Writes the buffered rows as a row group.
    fn group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        let mut at = 0;
        while let Some(mut writer) = group.next_column()? {
            column(self.columns[at].kind, &self.rows, at, &mut writer)?;
            writer.close()?;
            at += 1;
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }
}

fn field(column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.kind {
        CellKind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        CellKind::Count => (PhysicalType::INT64, None),
        CellKind::Number => (PhysicalType::DOUBLE, None),
        CellKind::Flag => (PhysicalType::BOOLEAN, None),
    };
    Type::primitive_type_builder(&column.name, physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::OPTIONAL)
        .build()
}

fn column(
    kind: CellKind,
    rows: &[Vec<Cell>],
    at: usize,
    writer: &mut SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    let cells = rows.iter().map(|row| &row[at]);
    match kind {
        CellKind::Text => fill::<ByteArrayType>(writer, cells, |cell| match cell {
            Cell::Text(text) => Some(ByteArray::from(text.as_str())),
            _ => None,
        }),
        CellKind::Count => fill::<Int64Type>(writer, cells, |cell| match cell {
            Cell::Count(count) => i64::try_from(*count).ok(),
            _ => None,
        }),
        CellKind::Number => fill::<DoubleType>(writer, cells, |cell| match cell {
            Cell::Number(number) => Some(*number),
            _ => None,
        }),
        CellKind::Flag => fill::<BoolType>(writer, cells, |cell| match cell {
            Cell::Flag(flag) => Some(*flag),
            _ => None,
        }),
    }
}

/// Writes a column of a row group; cells without a value are null.
fn fill<'c, T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = &'c Cell> + Clone,
    value: impl Fn(&Cell) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = cells.clone().map(|cell| i16::from(value(cell).is_some())).collect();
    let values: Vec<T::T> = cells.filter_map(&value).collect();
    writer.typed::<T>().write_batch(&values, Some(&levels), None).map(|_| ())
}
