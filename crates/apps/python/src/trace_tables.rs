//! Arrow tables of many traces, in the forms that `score_table` takes.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use goalspec::core::state::Delta;
use goalspec::core::world::World;
use goalspec::scoring::table::TableBatch;
use goalspec::syntax::{Diagnostic, Severity};
use goalspec::trace::rows::{METADATA_KEY, read_rows};
use goalspec::trace::{self, StateColumns, TraceBuilder, TraceError, TraceInput, codes};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;

use crate::arrow::{KEY_COLUMN, RowColumns, column, record_batches, text_at};
use crate::errors::value_error;

/// The column with the whole text of each trace.
const TEXT_COLUMN: &str = "states";

/// The columns with the times and the actions of the states.
const TIME_COLUMN: &str = "time";
const ACTION_COLUMN: &str = "action";

/// The components of a vector.
const COMPONENTS: [&str; 3] = ["x", "y", "z"];

/// A table of traces.
pub(crate) struct TraceTable {
    key_type: DataType,
    /// The header in the metadata.
    header: Option<String>,
    batches: Vec<TraceBatch>,
    /// For each trace, its batch and its place in it.
    traces: Vec<TracePlace>,
}

/// The place of a trace: its batch, and its rows in the batch.
struct TracePlace {
    key: Option<String>,
    parts: Vec<(usize, std::ops::Range<usize>)>,
}

/// The columns of a batch, by form of the table.
enum TraceBatch {
    /// One row per entry of a state.
    Entries(RowColumns),
    /// One row per trace: its text.
    Texts(ArrayRef),
    /// One row per trace: a list of the values of each column.
    Lists(ListColumns),
}

/// Columns of lists, one list for each trace.
struct ListColumns {
    /// The names of the columns of numbers, in the notation of [`StateColumns`].
    names: Vec<String>,
    /// The lists, and the number of columns that each stands for: 1, or 3 for a vector.
    numbers: Vec<(ArrayRef, usize)>,
    time: Option<ArrayRef>,
    action: Option<ArrayRef>,
    /// The columns in the world of the programs, once they are known.
    resolved: OnceLock<trace::Result<StateColumns>>,
}

impl TraceTable {
    /// Reads a table: an object with `__arrow_c_stream__` or `__arrow_c_array__`.
    ///
    /// # Errors
    /// A `KeyError` or `TypeError` if the columns are not those of a table of traces, a `ValueError` if the rows of a trace do not follow one
    /// another. What is wrong with single traces is found when they are opened.
    pub(crate) fn read(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (schema, batches) = record_batches(object)?;
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let Ok(key) = schema.field_with_name(KEY_COLUMN) else {
            let found = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            return Err(PyKeyError::new_err(format!(
                "the table has no column `{KEY_COLUMN}` with the keys of the traces; its columns are {found}"
            )));
        };
        let is_key =
            matches!(key.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null)
                || key.data_type().is_integer()
                || matches!(key.data_type(), DataType::Dictionary(_, values) if values.is_string());
        if !is_key {
            let message = format!("column `{KEY_COLUMN}`: expected texts or integers, found {}", key.data_type());
            return Err(PyTypeError::new_err(message));
        }
        let mut table = Self {
            key_type: key.data_type().clone(),
            header: schema.metadata().get(METADATA_KEY).cloned(),
            batches: Vec::with_capacity(batches.len()),
            traces: Vec::new(),
        };
        let has_entries = ["state", "kind"].iter().all(|name| names.contains(name));
        for batch in &batches {
            table.push(batch, has_entries)?;
        }
        if has_entries {
            table.check_contiguous()?;
        }
        if batches.is_empty() && !has_entries {
            // The columns are checked all the same.
            table.push(&RecordBatch::new_empty(schema), false)?;
        }
        Ok(table)
    }

    fn push(&mut self, batch: &RecordBatch, has_entries: bool) -> PyResult<()> {
        let keys = column(batch, KEY_COLUMN, &DataType::Utf8)?;
        let index = self.batches.len();
        if has_entries {
            self.batches.push(TraceBatch::Entries(RowColumns::new(batch)?));
            return self.push_entries(&keys, index);
        }
        self.batches.push(match batch.column_by_name(TEXT_COLUMN) {
            Some(_) => TraceBatch::Texts(column(batch, TEXT_COLUMN, &DataType::Binary)?),
            None => TraceBatch::Lists(ListColumns::new(batch)?),
        });
        let place =
            |row| TracePlace { key: text_at(&keys, row).map(str::to_owned), parts: vec![(index, row..row + 1)] };
        self.traces.extend((0..batch.num_rows()).map(place));
        Ok(())
    }

    /// Adds the traces of the rows of a batch, the first of which may continue the last trace of the batch before.
    fn push_entries(&mut self, keys: &ArrayRef, batch: usize) -> PyResult<()> {
        for row in 0..keys.len() {
            let Some(key) = text_at(keys, row) else {
                return Err(value_error(format!("column `{KEY_COLUMN}` has a row without a value")));
            };
            match self.traces.last_mut() {
                Some(last) if last.key.as_deref() == Some(key) => match last.parts.last_mut() {
                    Some((part, rows)) if *part == batch => rows.end = row + 1,
                    _ => last.parts.push((batch, row..row + 1)),
                },
                _ => self.traces.push(TracePlace { key: Some(key.to_owned()), parts: vec![(batch, row..row + 1)] }),
            }
        }
        Ok(())
    }

    /// Checks that the rows of each trace follow one another.
    fn check_contiguous(&self) -> PyResult<()> {
        let mut known = HashSet::new();
        match self.traces.iter().filter_map(|trace| trace.key.as_deref()).find(|key| !known.insert(*key)) {
            Some(key) => Err(value_error(format!("the rows of the trace `{key}` do not follow one another"))),
            None => Ok(()),
        }
    }

    /// Returns the type of the keys.
    pub(crate) fn key_type(&self) -> &DataType {
        &self.key_type
    }

    /// Returns the number of traces.
    pub(crate) fn len(&self) -> usize {
        self.traces.len()
    }

    /// Returns the key of a trace as text; `None` if it has none.
    pub(crate) fn key(&self, index: usize) -> Option<&str> {
        self.traces[index].key.as_deref()
    }

    /// Returns a trace, read in the world of the programs.
    ///
    /// # Errors
    /// If it is not a trace of the world, or has no key.
    pub(crate) fn open(&self, index: usize, scorer: &TableBatch<'_>) -> Result<TraceInput, Box<Diagnostic>> {
        let TracePlace { key, parts } = &self.traces[index];
        let Some(key) = key else { return Err(wrong("the trace has no key")) };
        let name: Arc<str> = key.as_str().into();
        let (batch, rows) = &parts[0];
        let trace = match &self.batches[*batch] {
            TraceBatch::Texts(texts) if texts.is_null(rows.start) => return Err(wrong("the trace has no text")),
            TraceBatch::Texts(texts) => {
                return Ok(TraceInput::Bytes(name, texts.as_binary::<i32>().value(rows.start).into()));
            }
            TraceBatch::Entries(_) => {
                let header = self.header.as_deref();
                let world = scorer.world_of_table(world_name(header)?.as_deref())?;
                let entries = parts.iter().flat_map(|(batch, rows)| rows.clone().map(move |row| (*batch, row)));
                let entries = entries.filter_map(|(batch, row)| match &self.batches[batch] {
                    TraceBatch::Entries(columns) => Some(Ok(columns.row(row))),
                    TraceBatch::Texts(_) | TraceBatch::Lists(_) => None,
                });
                read_rows(world, header.map(str::as_bytes), entries)?.1
            }
            TraceBatch::Lists(columns) => columns.trace(scorer.world_of_table(None)?, rows.start)?,
        };
        Ok(TraceInput::Trace(name, Arc::new(trace)))
    }
}

/// Returns the name of the world in the header of a table.
fn world_name(header: Option<&str>) -> Result<Option<String>, Box<Diagnostic>> {
    Ok(trace::rows::world_name(header)?)
}

fn wrong(message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(codes::WRONG_TYPE, Severity::Error, message))
}

impl ListColumns {
    fn new(batch: &RecordBatch) -> PyResult<Self> {
        let list = |values| DataType::List(Arc::new(Field::new_list_field(values, true)));
        let (names, numbers) = (Vec::new(), Vec::new());
        let mut columns = Self { names, numbers, time: None, action: None, resolved: OnceLock::new() };
        let schema: Arc<Schema> = batch.schema();
        for field in schema.fields() {
            let name = field.name().as_str();
            // A cast would make a list of one value of everything else.
            if name != KEY_COLUMN && element_type(field.data_type()).is_none() {
                let message = format!("column `{name}`: expected a list for each trace, found {}", field.data_type());
                return Err(PyTypeError::new_err(message));
            }
            match name {
                KEY_COLUMN => {}
                TIME_COLUMN => columns.time = Some(column(batch, name, &list(DataType::Float64))?),
                ACTION_COLUMN => columns.action = Some(column(batch, name, &list(DataType::Utf8))?),
                _ if element_type(field.data_type()).and_then(element_type).is_some() => {
                    columns.names.extend(COMPONENTS.map(|component| format!("{name}.{component}")));
                    let vectors = column(batch, name, &list(list(DataType::Float64)))?;
                    columns.numbers.push((vectors, COMPONENTS.len()));
                }
                _ => {
                    columns.names.push(prefix_notation(name));
                    columns.numbers.push((column(batch, name, &list(DataType::Float64))?, 1));
                }
            }
        }
        if columns.names.is_empty() {
            return Err(value_error(format!(
                "the table has no columns of states: expected `{TEXT_COLUMN}` with the text of each trace, a list for each column of numbers, or \
                 the columns of a Parquet trace"
            )));
        }
        Ok(columns)
    }

    /// Returns the trace of a row.
    fn trace(&self, world: &Arc<World>, row: usize) -> trace::Result<trace::Trace> {
        let resolve = || {
            let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
            Ok(StateColumns::new(world, &names)?.exact().with_missing())
        };
        // All traces of a batch are of the only world of the programs.
        let columns = self.resolved.get_or_init(resolve).as_ref().map_err(Clone::clone)?;
        let length = self.length(row)?;
        let mut values = vec![f64::NAN; length * columns.count()];
        let mut first = 0;
        for (lists, width) in &self.numbers {
            fill(lists, row, first, *width, columns.count(), &mut values)?;
            first += width;
        }
        let time = self.time.as_ref().map(|lists| numbers(lists, row));
        let action =
            self.action.as_ref().filter(|lists| lists.is_valid(row)).map(|lists| lists.as_list::<i32>().value(row));
        let (mut builder, mut delta) = (TraceBuilder::new(Arc::clone(world)), Delta::default());
        let mut previous = None;
        for (index, state) in values.chunks_exact(columns.count()).enumerate() {
            columns.fill(state, previous, index as u64, &mut delta)?;
            delta.time = time.as_ref().and_then(|time| time.get(index).copied()).filter(|time| !time.is_nan());
            delta.action = action.as_ref().and_then(|action| text_at(action, index)).map(Arc::from);
            builder.push(&delta)?;
            previous = Some(state);
        }
        Ok(builder.finish())
    }

    /// Returns the number of states of a row, which is that of all its lists.
    fn length(&self, row: usize) -> trace::Result<usize> {
        let all = self.numbers.iter().map(|(lists, _)| lists).chain(&self.time).chain(&self.action);
        let mut lengths = all.filter(|lists| lists.is_valid(row)).map(|lists| lists.as_list::<i32>().value_length(row));
        let Some(first) = lengths.next() else {
            return Err(TraceError::new(codes::EMPTY, "all lists of the trace are empty cells"));
        };
        match lengths.find(|length| *length != first) {
            Some(other) => {
                let message = format!("the lists of the trace have {first} and {other} values");
                Err(TraceError::new(codes::WRONG_TYPE, message))
            }
            None => Ok(usize::try_from(first).unwrap_or_default()),
        }
    }
}

/// Returns the numbers of a list; those that are missing are NaN.
fn numbers(lists: &ArrayRef, row: usize) -> Vec<f64> {
    if lists.is_null(row) {
        return Vec::new();
    }
    let list = lists.as_list::<i32>().value(row);
    let list = list.as_primitive::<Float64Type>();
    list.iter().map(|number| number.unwrap_or(f64::NAN)).collect()
}

/// Writes the values of a list to the columns from `first` on of a matrix with `count` columns.
fn fill(
    lists: &ArrayRef,
    row: usize,
    first: usize,
    width: usize,
    count: usize,
    values: &mut [f64],
) -> trace::Result<()> {
    if lists.is_null(row) {
        return Ok(());
    }
    if width == 1 {
        let list = lists.as_list::<i32>().value(row);
        let list = list.as_primitive::<Float64Type>();
        for (state, number) in list.iter().enumerate() {
            values[state * count + first] = number.unwrap_or(f64::NAN);
        }
        return Ok(());
    }
    let vectors = lists.as_list::<i32>().value(row);
    for state in 0..vectors.len() {
        let vector = numbers(&vectors, state);
        if !vector.is_empty() && vector.len() != width {
            let message =
                format!("expected vectors of {width} numbers, found one of {} in state {}", vector.len(), state + 1);
            return Err(TraceError::new(codes::WRONG_TYPE, message));
        }
        values[state * count + first..][..vector.len()].copy_from_slice(&vector);
    }
    Ok(())
}

/// Returns the type of the elements of a type of lists; `None` for other types.
fn element_type(kind: &DataType) -> Option<&DataType> {
    match kind {
        DataType::List(field) | DataType::LargeList(field) | DataType::FixedSizeList(field, _) => {
            Some(field.data_type())
        }
        _ => None,
    }
}

/// Returns the name of a column in prefix notation: `(on tray cup_1)` for `on(tray, cup_1)`.
fn prefix_notation(name: &str) -> String {
    let call = name.trim().strip_suffix(')').and_then(|call| call.split_once('('));
    match call {
        Some((callee, arguments)) if !callee.is_empty() && !callee.contains(char::is_whitespace) => {
            let words: Vec<&str> = arguments.split([',', ' ']).filter(|word| !word.is_empty()).collect();
            format!("({})", [&[callee], &words[..]].concat().join(" "))
        }
        _ => name.to_owned(),
    }
}
