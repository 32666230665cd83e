//! Rows, stored as the columns of a Parquet table.

use std::sync::Arc;

use glam::DVec3;
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::schema::types::{Type, TypePtr};

use super::damaged;
use crate::codes;
use crate::error::{Result, TraceError};
use crate::rows::TraceRow;

/// Maximum number of rows in a row group that is read; a group is in memory as a whole.
pub(super) const MAX_GROUP_ROWS: usize = 1 << 20;

/// Names and types of the columns.
const COLUMNS: [(&str, PhysicalType); 13] = [
    ("state", PhysicalType::INT64),
    ("index", PhysicalType::INT64),
    ("clock", PhysicalType::INT64),
    ("time", PhysicalType::DOUBLE),
    ("kind", PhysicalType::BYTE_ARRAY),
    ("object", PhysicalType::BYTE_ARRAY),
    ("name", PhysicalType::BYTE_ARRAY),
    ("number", PhysicalType::DOUBLE),
    ("int", PhysicalType::INT64),
    ("x", PhysicalType::DOUBLE),
    ("y", PhysicalType::DOUBLE),
    ("z", PhysicalType::DOUBLE),
    ("text", PhysicalType::BYTE_ARRAY),
];

/// One row.
pub(super) type Row = TraceRow<ByteArray>;

/// The column with the key of the trace of each row, in a table of many traces.
const KEY_COLUMN: &str = "trace";

/// One column: the values that are present, and for each row its definition level (1 if it has a value).
#[derive(Debug)]
pub(super) struct Column<T> {
    pub(super) values: Vec<T>,
    pub(super) levels: Vec<i16>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self { values: Vec::new(), levels: Vec::new() }
    }
}

impl<T> Column<T> {
    fn push(&mut self, value: Option<T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn clear(&mut self) {
        self.values.clear();
        self.levels.clear();
    }

    fn into_rows(self) -> std::vec::IntoIter<Option<T>> {
        let mut values = self.values.into_iter();
        let rows: Vec<_> = self.levels.iter().map(|&level| if level > 0 { values.next() } else { None }).collect();
        rows.into_iter()
    }
}

/// The columns by type, each in the order of [`COLUMNS`].
#[derive(Debug, Default)]
pub(super) struct Table {
    /// `state`, `index`, `clock`, `int`.
    pub(super) ints: [Column<i64>; 4],
    /// `time`, `number`, `x`, `y`, `z`.
    pub(super) reals: [Column<f64>; 5],
    /// `kind`, `object`, `name`, `text`.
    pub(super) texts: [Column<ByteArray>; 4],
}

impl Table {
    pub(super) fn rows(&self) -> usize {
        self.ints[0].levels.len()
    }

    pub(super) fn push(&mut self, row: Row) {
        let ints = [Some(row.state), Some(row.index), Some(row.clock), row.int];
        let vector = row.vector;
        let reals = [row.time, row.number, vector.map(|v| v.x), vector.map(|v| v.y), vector.map(|v| v.z)];
        let texts = [Some(row.kind), row.object, row.name, row.text];
        self.ints.iter_mut().zip(ints).for_each(|(column, value)| column.push(value));
        self.reals.iter_mut().zip(reals).for_each(|(column, value)| column.push(value));
        self.texts.iter_mut().zip(texts).for_each(|(column, value)| column.push(value));
    }

    pub(super) fn clear(&mut self) {
        self.ints.iter_mut().for_each(Column::clear);
        self.reals.iter_mut().for_each(Column::clear);
        self.texts.iter_mut().for_each(Column::clear);
    }

    /// Reads one row group.
    pub(super) fn read(reader: &dyn FileReader, group: usize) -> Result<Self> {
        let rows = group_rows(reader, group)?;
        let group = reader.get_row_group(group).map_err(|error| damaged(&error))?;
        let mut table = Self::default();
        let (mut ints, mut reals, mut texts) = (table.ints.iter_mut(), table.reals.iter_mut(), table.texts.iter_mut());
        for (name, _) in COLUMNS {
            match column_reader(&*group, name)? {
                ColumnReader::Int64ColumnReader(column) => fill(ints.next(), column, rows, name),
                ColumnReader::DoubleColumnReader(column) => fill(reals.next(), column, rows, name),
                ColumnReader::ByteArrayColumnReader(column) => fill(texts.next(), column, rows, name),
                _ => Err(not_a_trace(&format!("the type of its column `{name}` is wrong"))),
            }?;
        }
        Ok(table)
    }

    /// Iterates over the rows; `None` if a row lacks a required column.
    pub(super) fn into_rows(self) -> impl Iterator<Item = Option<Row>> + Send {
        let [mut state, mut index, mut clock, mut int] = self.ints.map(Column::into_rows);
        let [mut time, mut number, mut x, mut y, mut z] = self.reals.map(Column::into_rows);
        let [kind, mut object, mut name, mut text] = self.texts.map(Column::into_rows);
        kind.map(move |kind| {
            let vector = (x.next()?, y.next()?, z.next()?);
            let row = (state.next()?, index.next()?, clock.next()?);
            let optional = (time.next()?, number.next()?, int.next()?);
            let texts = (object.next()?, name.next()?, text.next()?);
            Some(Row {
                state: row.0?,
                index: row.1?,
                clock: row.2?,
                time: optional.0,
                kind: kind?,
                object: texts.0,
                name: texts.1,
                number: optional.1,
                int: optional.2,
                vector: match vector {
                    (Some(x), Some(y), Some(z)) => Some(DVec3::new(x, y, z)),
                    _ => None,
                },
                text: texts.2,
            })
        })
    }
}

/// Returns the schema of the file: every column is optional, so that all are written alike.
pub(super) fn schema() -> std::result::Result<TypePtr, ParquetError> {
    let fields = COLUMNS.iter().map(|&(name, physical)| {
        let text = (physical == PhysicalType::BYTE_ARRAY).then_some(LogicalType::String);
        let column = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(text)
            .build()?;
        Ok(Arc::new(column))
    });
    let fields = fields.collect::<std::result::Result<Vec<_>, ParquetError>>()?;
    Ok(Arc::new(Type::group_type_builder("trace").with_fields(fields).build()?))
}

/// Returns the error for a Parquet file that is not a trace.
pub(super) fn not_a_trace(reason: &str) -> TraceError {
    TraceError::new(codes::UNKNOWN_FORMAT, format!("the Parquet file is not a trace: {reason}"))
}

/// Returns the number of rows of a row group.
///
/// # Errors
/// If there are more than [`MAX_GROUP_ROWS`].
pub(super) fn group_rows(reader: &dyn FileReader, group: usize) -> Result<usize> {
    let rows = usize::try_from(reader.metadata().row_group(group).num_rows()).unwrap_or(usize::MAX);
    if rows > MAX_GROUP_ROWS {
        let message =
            format!("a row group of the Parquet file has {rows} rows, which exceeds the limit of {MAX_GROUP_ROWS}");
        return Err(TraceError::new(codes::STATE_TOO_LARGE, message));
    }
    Ok(rows)
}

/// Whether a table has a column with the key of the trace of each row.
pub(super) fn has_keys(reader: &dyn FileReader) -> bool {
    let schema = reader.metadata().file_metadata().schema_descr();
    schema.columns().iter().any(|column| column.path().string() == KEY_COLUMN)
}

/// Returns the keys of the traces of the rows of a row group as texts; `None` if the table has no such column.
pub(super) fn read_keys(reader: &dyn FileReader, group: usize, rows: usize) -> Result<Option<Vec<String>>> {
    if !has_keys(reader) {
        return Ok(None);
    }
    let group = reader.get_row_group(group).map_err(|error| damaged(&error))?;
    let keys: Vec<Option<String>> = match column_reader(&*group, KEY_COLUMN)? {
        ColumnReader::Int64ColumnReader(reader) => {
            let mut column = Column::default();
            fill(Some(&mut column), reader, rows, KEY_COLUMN)?;
            column.into_rows().map(|key| key.map(|key: i64| key.to_string())).collect()
        }
        ColumnReader::ByteArrayColumnReader(reader) => {
            let mut column = Column::default();
            fill(Some(&mut column), reader, rows, KEY_COLUMN)?;
            let text = |key: ByteArray| key.as_utf8().ok().map(str::to_owned);
            column.into_rows().map(|key| key.and_then(text)).collect()
        }
        _ => return Err(not_a_trace(&format!("the type of its column `{KEY_COLUMN}` is wrong"))),
    };
    let keys: Option<Vec<String>> = keys.into_iter().collect();
    keys.map(Some).ok_or_else(|| not_a_trace(&format!("its column `{KEY_COLUMN}` has a row without a text")))
}

fn column_reader(group: &dyn RowGroupReader, name: &str) -> Result<ColumnReader> {
    let schema = group.metadata().schema_descr();
    let Some(at) = schema.columns().iter().position(|column| column.path().string() == name) else {
        return Err(not_a_trace(&format!("it has no column `{name}`")));
    };
    let column = schema.column(at);
    if column.max_rep_level() > 0 || column.max_def_level() > 1 {
        return Err(not_a_trace(&format!("its column `{name}` is nested")));
    }
    group.get_column_reader(at).map_err(|error| damaged(&error))
}

fn fill<T: DataType>(
    column: Option<&mut Column<T::T>>,
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    name: &str,
) -> Result<()> {
    let Some(column) = column else {
        return Err(not_a_trace(&format!("the type of its column `{name}` is wrong")));
    };
    let mut read = 0;
    while read < rows {
        let (records, ..) = reader
            .read_records(rows - read, Some(&mut column.levels), None, &mut column.values)
            .map_err(|error| damaged(&error))?;
        if records == 0 {
            return Err(not_a_trace(&format!("its column `{name}` is shorter than the others")));
        }
        read += records;
    }
    // A required column has no definition levels.
    if column.levels.is_empty() {
        column.levels.resize(column.values.len(), 1);
    }
    Ok(())
}
