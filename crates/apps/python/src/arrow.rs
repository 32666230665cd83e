//! Arrow tables, which enter and leave through the Arrow C stream interface.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchReader, StringArray, StructArray,
};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use goalspec::core::state::Delta;
use goalspec::core::world::World;
use goalspec::syntax::suggest::did_you_mean;
use goalspec::table::{Cell, CellType, Table};
use goalspec::trace::rows::{METADATA_KEY, TraceRow, encode_state, metadata};
use goalspec::trace::{self, TraceError};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_stream_pycapsule};
use pyo3_arrow::input::AnyRecordBatch;

use crate::errors::value_error;

/// The column with the key of the trace of each row, in a table of many traces.
pub(crate) const KEY_COLUMN: &str = "trace";

/// A table of columns, exported as an Arrow C stream.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct ArrowTable {
    batches: Vec<RecordBatch>,
    schema: SchemaRef,
}

impl ArrowTable {
    /// Returns the table with its first column cast to this type.
    pub(crate) fn with_first_column_as(self, kind: &DataType) -> PyResult<Self> {
        let mut fields: Vec<Field> = self.schema.fields().iter().map(|field| Field::clone(field)).collect();
        let Some(first) = fields.first_mut() else { return Ok(self) };
        first.set_data_type(kind.clone());
        let schema = Arc::new(Schema::new_with_metadata(fields, self.schema.metadata().clone()));
        let cast_first = |batch: &RecordBatch| {
            let mut arrays = batch.columns().to_vec();
            arrays[0] = cast(&arrays[0], kind)?;
            RecordBatch::try_new(Arc::clone(&schema), arrays)
        };
        let batches = self.batches.iter().map(cast_first).collect::<Result<_, _>>();
        Ok(Self { batches: batches.map_err(|error| arrow_error(&error))?, schema })
    }
}

#[pymethods]
impl ArrowTable {
    /// Exports the table.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let field = Field::new_struct("", self.schema.fields().clone(), false);
        let field = field.with_metadata(self.schema.metadata().clone());
        let arrays = self.batches.clone().into_iter().map(|batch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef));
        to_stream_pycapsule(py, Box::new(ArrayIterator::new(arrays, field.into())), requested_schema)
    }
}

/// Converts a table of the facade.
pub(crate) fn table(table: &Table) -> PyResult<ArrowTable> {
    let types = table.columns.iter().map(|column| match column.cell_type {
        CellType::Text => DataType::Utf8,
        CellType::Count => DataType::Int64,
        CellType::Float => DataType::Float64,
        CellType::Bool => DataType::Boolean,
    });
    let fields = table.columns.iter().zip(types).map(|(column, kind)| Field::new(&*column.name, kind, true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let array = |(place, column): (usize, &goalspec::table::Column)| -> ArrayRef {
        let cells = table.rows.iter().map(|row| &row[place]);
        match column.cell_type {
            CellType::Text => Arc::new(cells.map(text).collect::<StringArray>()),
            CellType::Count => Arc::new(cells.map(count).collect::<Int64Array>()),
            CellType::Float => Arc::new(cells.map(float).collect::<Float64Array>()),
            CellType::Bool => Arc::new(cells.map(truth).collect::<BooleanArray>()),
        }
    };
    let arrays = table.columns.iter().enumerate().map(array).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(|error| arrow_error(&error))?;
    Ok(ArrowTable { batches: vec![batch], schema })
}

fn text(cell: &Cell) -> Option<&str> {
    if let Cell::Text(text) = cell { Some(text) } else { None }
}

fn count(cell: &Cell) -> Option<i64> {
    if let Cell::Count(count) = cell { i64::try_from(*count).ok() } else { None }
}

fn float(cell: &Cell) -> Option<f64> {
    if let Cell::Float(number) = cell { Some(*number) } else { None }
}

fn truth(cell: &Cell) -> Option<bool> {
    if let Cell::Bool(flag) = cell { Some(*flag) } else { None }
}

pub(crate) fn arrow_error(error: &ArrowError) -> PyErr {
    value_error(format!("the Arrow table cannot be read: {error}"))
}

/// A row with its texts as bytes.
type Row = TraceRow<Vec<u8>>;

/// Converts traces to a table in the layout of Parquet traces, with a column of keys if there are any.
pub(crate) fn trace_table(traces: &[(Option<String>, Arc<World>, Arc<trace::Trace>)]) -> trace::Result<ArrowTable> {
    let mut rows: Vec<Row> = Vec::new();
    let mut keys: Vec<&str> = Vec::new();
    for (key, world, trace) in traces {
        let (mut cursor, mut delta) = (trace.cursor(), Delta::default());
        let mut number = 0;
        while trace::TraceReader::next(&mut cursor, &mut delta)? {
            number += 1;
            encode_state(world, number, &delta, &mut |row| {
                rows.push(row);
                Ok(())
            })?;
        }
        keys.resize(rows.len(), key.as_deref().unwrap_or_default());
    }
    let mut fields = Vec::new();
    let mut arrays: Vec<ArrayRef> = Vec::new();
    if traces.iter().any(|(key, ..)| key.is_some()) {
        fields.push(Field::new(KEY_COLUMN, DataType::Utf8, false));
        arrays.push(Arc::new(keys.into_iter().map(Some).collect::<StringArray>()));
    }
    let ints =
        |value: fn(&Row) -> Option<i64>| -> ArrayRef { Arc::new(rows.iter().map(value).collect::<Int64Array>()) };
    let reals =
        |value: fn(&Row) -> Option<f64>| -> ArrayRef { Arc::new(rows.iter().map(value).collect::<Float64Array>()) };
    let texts = |value: fn(&Row) -> Option<&Vec<u8>>| -> ArrayRef {
        let text = |row| value(row).map(|text| String::from_utf8_lossy(text));
        Arc::new(rows.iter().map(text).collect::<StringArray>())
    };
    let columns: [(&str, ArrayRef); 13] = [
        ("state", ints(|row| Some(row.state))),
        ("index", ints(|row| Some(row.index))),
        ("clock", ints(|row| Some(row.clock))),
        ("time", reals(|row| row.time)),
        ("kind", texts(|row| Some(&row.kind))),
        ("object", texts(|row| row.object.as_ref())),
        ("name", texts(|row| row.name.as_ref())),
        ("number", reals(|row| row.number)),
        ("int", ints(|row| row.int)),
        ("x", reals(|row| row.vector.map(|vector| vector.x))),
        ("y", reals(|row| row.vector.map(|vector| vector.y))),
        ("z", reals(|row| row.vector.map(|vector| vector.z))),
        ("text", texts(|row| row.text.as_ref())),
    ];
    for (name, array) in columns {
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let header = traces.first().map(|(_, world, trace)| metadata(world, trace.header())).transpose()?;
    let entries = header.map(|header| (METADATA_KEY.to_owned(), header)).into_iter().collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, entries));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays);
    let batch = batch.map_err(|error| TraceError::new(trace::codes::WRONG_TYPE, error.to_string()))?;
    Ok(ArrowTable { batches: vec![batch], schema })
}

/// Reads an object with `__arrow_c_stream__` or `__arrow_c_array__`.
pub(crate) fn record_batches(object: &Bound<'_, PyAny>) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    if !object.hasattr("__arrow_c_stream__")? && !object.hasattr("__arrow_c_array__")? {
        let name = object.get_type().fully_qualified_name()?;
        return Err(PyTypeError::new_err(format!(
            "expected an Arrow table, an object with `__arrow_c_stream__`, found an object of type `{name}`"
        )));
    }
    let reader = object.extract::<AnyRecordBatch>()?.into_reader()?;
    let schema = reader.schema();
    let batches = reader.collect::<Result<Vec<_>, _>>().map_err(|error| arrow_error(&error))?;
    Ok((schema, batches))
}

/// The rows of a table of traces, read from an Arrow stream.
pub(crate) struct TraceRows {
    /// The header in the metadata.
    pub(crate) header: Option<String>,
    /// The key of each trace, if the table has keys, and its rows.
    pub(crate) traces: Vec<(Option<String>, Vec<Row>)>,
}

impl TraceRows {
    /// Reads all rows of an object with `__arrow_c_stream__` or `__arrow_c_array__`.
    pub(crate) fn read(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (schema, batches) = record_batches(object)?;
        let mut rows = Self { header: schema.metadata().get(METADATA_KEY).cloned(), traces: Vec::new() };
        let mut keys = HashSet::new();
        batches.iter().try_for_each(|batch| rows.push(batch, &mut keys))?;
        Ok(rows)
    }

    /// Adds the rows of a batch; `known` are the keys so far.
    fn push(&mut self, batch: &RecordBatch, known: &mut HashSet<String>) -> PyResult<()> {
        let keys = batch.column_by_name(KEY_COLUMN).map(|_| column(batch, KEY_COLUMN, &DataType::Utf8)).transpose()?;
        let columns = RowColumns::new(batch)?;
        for place in 0..batch.num_rows() {
            let key = keys.as_ref().and_then(|keys| text_at(keys, place));
            if keys.is_some() && key.is_none() {
                return Err(value_error(format!("column `{KEY_COLUMN}` has a row without a value")));
            }
            if self.traces.last().is_none_or(|(last, _)| last.as_deref() != key) {
                if let Some(key) = key.filter(|key| !known.insert((*key).to_owned())) {
                    return Err(value_error(format!("the rows of the trace `{key}` do not follow one another")));
                }
                self.traces.push((key.map(str::to_owned), Vec::new()));
            }
            if let Some((_, rows)) = self.traces.last_mut() {
                let row = columns.row(place);
                let incomplete = || value_error("a row has no value in `state`, `index`, `clock` or `kind`");
                rows.push(row.ok_or_else(incomplete)?);
            }
        }
        Ok(())
    }
}

/// The columns of a batch, cast to the types of the layout.
pub(crate) struct RowColumns {
    ints: [ArrayRef; 4],
    reals: [ArrayRef; 5],
    texts: [ArrayRef; 4],
}

impl RowColumns {
    /// Returns the columns of a batch.
    ///
    /// # Errors
    /// If one is missing or of another type.
    pub(crate) fn new(batch: &RecordBatch) -> PyResult<Self> {
        let int = |name| column(batch, name, &DataType::Int64);
        let real = |name| column(batch, name, &DataType::Float64);
        let text = |name| column(batch, name, &DataType::Utf8);
        Ok(Self {
            ints: [int("state")?, int("index")?, int("clock")?, int("int")?],
            reals: [real("time")?, real("number")?, real("x")?, real("y")?, real("z")?],
            texts: [text("kind")?, text("object")?, text("name")?, text("text")?],
        })
    }

    /// Returns a row; `None` if it lacks a column that every row has.
    pub(crate) fn row(&self, place: usize) -> Option<Row> {
        let [state, index, clock, int] = self.ints.each_ref().map(|ints| {
            let ints = ints.as_primitive::<Int64Type>();
            ints.is_valid(place).then(|| ints.value(place))
        });
        let [time, number, x, y, z] = self.reals.each_ref().map(|reals| {
            let reals = reals.as_primitive::<Float64Type>();
            reals.is_valid(place).then(|| reals.value(place))
        });
        let texts = self.texts.each_ref().map(|texts| text_at(texts, place).map(|text| text.as_bytes().to_vec()));
        let [kind, object, name, text] = texts;
        let (Some(state), Some(index), Some(clock), Some(kind)) = (state, index, clock, kind) else {
            return None;
        };
        let vector = x.zip(y).zip(z).map(|((x, y), z)| [x, y, z].into());
        Some(Row { state, index, clock, time, kind, object, name, number, int, vector, text })
    }
}

/// Returns the text of a row of a column of texts.
pub(crate) fn text_at(texts: &ArrayRef, place: usize) -> Option<&str> {
    let texts = texts.as_string::<i32>();
    texts.is_valid(place).then(|| texts.value(place))
}

/// Returns a column of a batch as this type.
///
/// # Errors
/// A `KeyError` with the nearest name if there is none, a `TypeError` if it is of another type.
pub(crate) fn column(batch: &RecordBatch, name: &str, kind: &DataType) -> PyResult<ArrayRef> {
    let Some(found) = batch.column_by_name(name) else {
        let schema = batch.schema();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let help = did_you_mean(name, names);
        let help = help.map_or(String::new(), |help| format!("; {help}"));
        return Err(PyKeyError::new_err(format!("the table has no column `{name}`{help}")));
    };
    cast(found, kind).map_err(|_| {
        PyTypeError::new_err(format!(
            "column `{name}`: expected values of the type {kind}, found {}",
            found.data_type()
        ))
    })
}
