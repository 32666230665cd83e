//! Traces in memory, and the worlds of their states.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use goalspec::core::state::Delta;
use goalspec::core::world;
use goalspec::files;
use goalspec::rewards::shipped_worlds;
use goalspec::syntax::Diagnostic;
use goalspec::trace::rows::{TraceRow, read_rows};
use goalspec::trace::{
    self, CheckedReader, Header, KeyedTrace, LineDecoder, LinesWriter, ReadOptions, StateColumns, TraceBuilder,
    TraceError, TraceInput, TraceReader, TraceTableReader, create,
};
use goalspec::traces::choose_world;
use numpy::PyReadonlyArray2;
use numpy::ndarray::ArrayView2;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::arrow::{self, ArrowTable, TraceRows};
use crate::background;
use crate::errors::{trace_error, value_error};
use crate::json;

/// A world: the vocabulary of states.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct World(pub(crate) Arc<world::World>);

#[pymethods]
impl World {
    /// The name of the world.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }
}

/// Returns the built-in world of this name; `None` if there is none.
#[pyfunction]
pub(crate) fn built_in_world(name: &str) -> Option<World> {
    shipped_worlds::find(name).map(World)
}

/// The states of a trace in memory.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct Trace {
    world: Arc<world::World>,
    states: Arc<trace::Trace>,
    name: Arc<str>,
    /// The states as lines of JSON, written when one is first asked for.
    lines: OnceLock<StateLines>,
}

/// States as lines of JSON.
struct StateLines {
    text: Vec<u8>,
    /// The start of each line, then the end of the text.
    starts: Vec<usize>,
}

impl StateLines {
    fn new(trace: &trace::Trace, world: &world::World) -> trace::Result<Self> {
        let mut writer = LinesWriter::new(CountedLines::default(), world, trace.header())?;
        let (mut cursor, mut delta) = (trace.cursor(), Delta::default());
        while cursor.next(&mut delta)? {
            trace::TraceWriter::write(&mut writer, &delta)?;
        }
        let CountedLines { text, starts } = writer.into_output();
        Ok(Self { text, starts })
    }

    fn line(&self, index: usize) -> Option<&[u8]> {
        // The first line is the header.
        let (start, end) = (*self.starts.get(index + 1)?, *self.starts.get(index + 2)?);
        self.text.get(start..end)
    }
}

/// An output that records where lines start.
struct CountedLines {
    text: Vec<u8>,
    starts: Vec<usize>,
}

impl Default for CountedLines {
    fn default() -> Self {
        Self { text: Vec::new(), starts: vec![0] }
    }
}

impl std::io::Write for CountedLines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let offset = self.text.len();
        let line_ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        self.starts.extend(line_ends.map(|(place, _)| offset + place + 1));
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// An error in a trace, with the number of its state.
pub(crate) struct StateError {
    pub(crate) diagnostic: Box<Diagnostic>,
    pub(crate) state: Option<u64>,
}

impl StateError {
    /// The error as an exception.
    pub(crate) fn into_exception(self, py: Python<'_>) -> PyErr {
        trace_error(py, *self.diagnostic, self.state)
    }
}

impl From<Box<Diagnostic>> for StateError {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self { diagnostic, state: None }
    }
}

/// A reader that counts the states, so that an error names the one that it is in.
struct CountingReader<'r> {
    reader: CheckedReader<'r>,
    states: u64,
}

impl TraceReader for CountingReader<'_> {
    fn header(&self) -> &Header {
        self.reader.header()
    }

    fn next(&mut self, delta: &mut Delta) -> trace::Result<bool> {
        let has_state = self.reader.next(delta)?;
        self.states += u64::from(has_state);
        Ok(has_state)
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.reader.diagnostics()
    }
}

/// Reads a trace of a world, or of the world that fits it.
fn read(input: &TraceInput, world: Option<Arc<world::World>>) -> Result<Trace, StateError> {
    let world = match world {
        None => choose_world(input, None)?.world,
        Some(world) => extended_world(input, &world)?,
    };
    let source = input.open().map_err(Box::<Diagnostic>::from)?;
    let reader = source.read(&world, &ReadOptions::default()).map_err(Box::<Diagnostic>::from)?;
    let mut reader = CountingReader { reader, states: 0 };
    let trace = match trace::Trace::read(&mut reader, &world) {
        Ok(trace) => trace,
        Err(error) => return Err(StateError { diagnostic: error.into(), state: Some(reader.states + 1) }),
    };
    Ok(Trace::new(Arc::clone(&world), trace, input.name()))
}

/// Returns a world with the objects that a trace declares.
fn extended_world(input: &TraceInput, world: &Arc<world::World>) -> Result<Arc<world::World>, Box<Diagnostic>> {
    let source = input.open()?;
    Ok(match source.extend_world(world)? {
        Cow::Borrowed(_) => Arc::clone(world),
        Cow::Owned(extended) => Arc::new(extended),
    })
}

/// The number of numbers that are read between two checks for signals.
const NUMBERS_PER_CHUNK: usize = 1 << 16;

/// States as columns of numbers, with their times and actions.
struct ColumnReader<'a> {
    columns: StateColumns,
    /// The numbers, one matrix with a row for each state for each entry of columns.
    numbers: Vec<ArrayView2<'a, f64>>,
    time: Option<Vec<f64>>,
    action: Option<Vec<Option<String>>>,
    /// The latest row, if there is one.
    previous: Option<Vec<f64>>,
    delta: Delta,
}

impl ColumnReader<'_> {
    /// Adds the states in a range of rows to a trace.
    fn read(&mut self, rows: Range<usize>, builder: &mut TraceBuilder) -> Result<(), StateError> {
        for index in rows {
            let row: Vec<f64> = self.numbers.iter().flat_map(|numbers| numbers.row(index)).copied().collect();
            let filled = self.columns.fill(&row, self.previous.as_deref(), index as u64, &mut self.delta);
            self.delta.time = self.time.as_ref().map(|times| times[index]);
            self.delta.action = self.action.as_ref().and_then(|actions| actions[index].as_deref()).map(Arc::from);
            let pushed = filled.and_then(|()| builder.push(&self.delta));
            pushed.map_err(|error| StateError { diagnostic: error.into(), state: Some(index as u64 + 1) })?;
            self.previous = Some(row);
        }
        Ok(())
    }
}

/// The input of a function that reads a trace: a path, or the contents of a file.
#[derive(FromPyObject)]
enum TraceSource<'py> {
    Bytes(Bound<'py, PyBytes>),
    Path(PathBuf),
}

impl Trace {
    fn new(world: Arc<world::World>, trace: trace::Trace, name: impl Into<Arc<str>>) -> Self {
        Self { world, states: Arc::new(trace), name: name.into(), lines: OnceLock::new() }
    }

    /// Returns the trace as an input of scoring.
    pub(crate) fn input(&self) -> TraceInput {
        TraceInput::Trace(Arc::clone(&self.name), Arc::clone(&self.states))
    }
}

#[pymethods]
impl Trace {
    /// Reads a trace of this world, or of the built-in world that fits.
    #[staticmethod]
    fn read(py: Python<'_>, source: TraceSource<'_>, world: Option<&World>) -> PyResult<Self> {
        let input = match source {
            TraceSource::Bytes(bytes) => TraceInput::Bytes("<bytes>".into(), bytes.as_bytes().into()),
            TraceSource::Path(path) => files::trace_input(&path).map_err(|error| trace_error(py, *error, None))?,
        };
        let world = world.map(|world| Arc::clone(&world.0));
        background::run(py, move |_| read(&input, world))?.map_err(|error| error.into_exception(py))
    }

    /// Reads a trace of this world from the text that `to_bytes` returned.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8], world: &World, name: String) -> PyResult<Self> {
        let input = TraceInput::Bytes(name.into(), bytes.into());
        let world = Arc::clone(&world.0);
        background::run(py, move |_| read(&input, Some(world)))?.map_err(|error| error.into_exception(py))
    }

    /// Returns the trace as JSON Lines.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let lines = py.detach(|| StateLines::new(&self.states, &self.world));
        let lines = lines.map_err(|error| trace_error(py, error.into_diagnostic(), None))?;
        Ok(PyBytes::new(py, &lines.text))
    }

    /// Creates a trace of states given as dictionaries with the fields of the trace format.
    #[staticmethod]
    fn from_states(py: Python<'_>, world: &World, states: &Bound<'_, PyAny>, name: String) -> PyResult<Self> {
        let world = Arc::clone(&world.0);
        let (mut decoder, mut builder) = (LineDecoder::new(Arc::clone(&world)), TraceBuilder::new(Arc::clone(&world)));
        let (mut delta, mut line) = (Delta::default(), Vec::new());
        for (index, state) in states.try_iter()?.enumerate() {
            line.clear();
            json::write(&state?, &mut line)?;
            let pushed = decoder.decode(&line, &mut delta).and_then(|_| builder.push(&delta));
            pushed.map_err(|error| trace_error(py, error.into_diagnostic(), Some(index as u64 + 1)))?;
        }
        Ok(Self::new(world, builder.finish(), name))
    }

    /// Creates a trace of a table in the layout of Parquet traces: an object with `__arrow_c_stream__`.
    #[staticmethod]
    fn from_arrow(py: Python<'_>, world: &World, table: &Bound<'_, PyAny>, name: String) -> PyResult<Self> {
        let mut traces = TraceRows::read(table)?;
        if traces.traces.len() > 1 {
            return Err(value_error("the table has several traces: read it as a batch of traces"));
        }
        let (_, rows) = traces.traces.pop().unwrap_or_default();
        let (world, header) = (Arc::clone(&world.0), traces.header);
        let read = background::run(py, move |_| trace_of_rows(&world, header.as_deref(), rows, name))?;
        read.map_err(|error| error.into_exception(py))
    }

    /// Returns the trace as a table in the layout of Parquet traces.
    fn table(&self, py: Python<'_>) -> PyResult<ArrowTable> {
        let trace = (None, Arc::clone(&self.world), Arc::clone(&self.states));
        let table = background::run(py, move |_| arrow::trace_table(&[trace]))?;
        table.map_err(|error| trace_error(py, error.into_diagnostic(), None))
    }

    /// Creates a trace whose states are the rows of matrices that stand side by side. A cell that is NaN is as before. The numbers are read
    /// where they are.
    #[staticmethod]
    fn from_columns(
        py: Python<'_>,
        world: &World,
        names: Vec<String>,
        numbers: Vec<PyReadonlyArray2<'_, f64>>,
        time: Option<Vec<f64>>,
        action: Option<Vec<Option<String>>>,
        name: String,
    ) -> PyResult<Self> {
        let world = Arc::clone(&world.0);
        let columns = resolve_columns(&world, &names)?.exact().with_missing();
        let numbers: Vec<ArrayView2<'_, f64>> = numbers.iter().map(PyReadonlyArray2::as_array).collect();
        let count = numbers.first().map_or(0, ArrayView2::nrows);
        let width: usize = numbers.iter().map(ArrayView2::ncols).sum();
        if width != columns.count() || numbers.iter().any(|numbers| numbers.nrows() != count) {
            return Err(value_error(format!("expected {} columns of {count} numbers", columns.count())));
        }
        let lengths = [time.as_ref().map(Vec::len), action.as_ref().map(Vec::len)];
        if lengths.into_iter().flatten().any(|length| length != count) {
            return Err(value_error(format!("expected {count} times and actions, one for each row")));
        }
        let mut reader = ColumnReader { columns, numbers, time, action, previous: None, delta: Delta::default() };
        let mut builder = TraceBuilder::new(Arc::clone(&world));
        for start in (0..count).step_by((NUMBERS_PER_CHUNK / width).max(1)) {
            let end = count.min(start + (NUMBERS_PER_CHUNK / width).max(1));
            let read = py.detach(|| reader.read(start..end, &mut builder));
            read.map_err(|error| error.into_exception(py))?;
            py.check_signals()?;
        }
        Ok(Self::new(world, builder.finish(), name))
    }

    /// Writes the trace to a file, whose extension selects the format.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let (trace, world) = (Arc::clone(&self.states), Arc::clone(&self.world));
        let saved = background::run(py, move |_| save(&trace, &world, &path))?;
        saved.map_err(|error| trace_error(py, error.into_diagnostic(), None))
    }

    /// Returns a state as a dictionary.
    fn state<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let lines = if let Some(lines) = self.lines.get() {
            lines
        } else {
            let lines = py.detach(|| StateLines::new(&self.states, &self.world));
            let lines = lines.map_err(|error| trace_error(py, error.into_diagnostic(), None))?;
            self.lines.get_or_init(|| lines)
        };
        let line = lines.line(index).ok_or_else(|| PyIndexError::new_err("the trace has no such state"))?;
        let value = serde_json::from_slice(line).map_err(|error| value_error(error.to_string()))?;
        json::to_python(py, &value)
    }

    /// Returns the diagnostics of reading the trace.
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let sources = goalspec::syntax::Sources::new();
        crate::diagnostics::to_python(py, &self.states.cursor().diagnostics(), &sources)
    }

    /// The world, with the objects that the trace declares.
    #[getter]
    fn world(&self) -> World {
        World(Arc::clone(&self.world))
    }

    /// The name of the trace in messages.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    fn __len__(&self) -> usize {
        self.states.len()
    }
}

/// Reads the rows of one trace.
fn trace_of_rows(
    world: &Arc<world::World>,
    header: Option<&str>,
    rows: Vec<TraceRow<Vec<u8>>>,
    name: impl Into<Arc<str>>,
) -> Result<Trace, StateError> {
    let rows = rows.into_iter().map(|row| Ok(Some(row)));
    let (world, trace) = read_rows(world, header.map(str::as_bytes), rows).map_err(Box::<Diagnostic>::from)?;
    Ok(Trace::new(world, trace, name))
}

/// Reads the traces of a table with a column of keys: an object with `__arrow_c_stream__`. Returns the traces, named after their keys.
#[pyfunction]
pub(crate) fn traces_from_arrow(py: Python<'_>, world: &World, table: &Bound<'_, PyAny>) -> PyResult<Vec<Trace>> {
    let TraceRows { header, traces } = TraceRows::read(table)?;
    let world = Arc::clone(&world.0);
    let read = background::run(py, move |cancelled| {
        let mut found = Vec::with_capacity(traces.len());
        for (key, rows) in traces {
            if cancelled.load(Ordering::Relaxed) {
                break;
            }
            let key = key.unwrap_or_default();
            let in_trace = |mut error: StateError| {
                error.diagnostic.help.push(format!("the trace is `{key}`"));
                error
            };
            found.push(trace_of_rows(&world, header.as_deref(), rows, &*key).map_err(in_trace)?);
        }
        Ok::<_, StateError>(found)
    })?;
    read.map_err(|error| error.into_exception(py))
}

/// Returns traces as one table in the layout of Parquet traces, with a column of their names as keys.
#[pyfunction]
pub(crate) fn trace_table(py: Python<'_>, traces: Vec<Py<Trace>>) -> PyResult<ArrowTable> {
    let keyed = |trace: &Py<Trace>| {
        let trace = trace.get();
        (Some(trace.name.to_string()), Arc::clone(&trace.world), Arc::clone(&trace.states))
    };
    let traces: Vec<_> = traces.iter().map(keyed).collect();
    let table = background::run(py, move |_| arrow::trace_table(&traces))?;
    table.map_err(|error| trace_error(py, error.into_diagnostic(), None))
}

/// A Parquet table of traces, read trace by trace.
#[pyclass(module = "goalspec._core")]
pub(crate) struct TraceFile {
    /// The reader; `None` once a call with it was abandoned or failed.
    reader: Mutex<Option<TraceTableReader>>,
    world: Arc<world::World>,
    name: Arc<str>,
}

#[pymethods]
impl TraceFile {
    /// Opens a file with traces of this world, or of the built-in world that its metadata name.
    #[new]
    fn new(py: Python<'_>, path: PathBuf, world: Option<&World>) -> PyResult<Self> {
        let reader = TraceTableReader::open(&path).map_err(|error| trace_error(py, error.into_diagnostic(), None))?;
        let world = if let Some(world) = world {
            Arc::clone(&world.0)
        } else {
            let name = reader.world_name().map_err(|error| trace_error(py, error.into_diagnostic(), None))?;
            let found = name.as_deref().and_then(shipped_worlds::find);
            found.ok_or_else(|| {
                value_error(format!("`{}` names no built-in world: pass the world of its traces", path.display()))
            })?
        };
        Ok(Self { reader: Mutex::new(Some(reader)), world, name: path.display().to_string().into() })
    }

    /// Reads the next traces, at most `count` of them, named after their keys.
    fn read(&mut self, py: Python<'_>, count: usize) -> PyResult<Vec<Trace>> {
        let reader = self.reader.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(mut reader) = reader.take() else { return Ok(Vec::new()) };
        let (world, name) = (Arc::clone(&self.world), Arc::clone(&self.name));
        let read = background::run(py, move |cancelled| {
            let mut traces = Vec::new();
            while traces.len() < count && !cancelled.load(Ordering::Relaxed) {
                let Some(KeyedTrace { key, world, trace }) = reader.next_trace(&world)? else { break };
                let key = key.map_or_else(|| Arc::clone(&name), Arc::from);
                traces.push(Trace::new(world, trace, key));
            }
            Ok::<_, TraceError>((traces, reader))
        })?;
        let (traces, reader) = read.map_err(|error| trace_error(py, error.into_diagnostic(), None))?;
        self.reader = Mutex::new(Some(reader));
        Ok(traces)
    }
}

fn save(trace: &trace::Trace, world: &world::World, path: &Path) -> trace::Result<()> {
    let mut writer = create(path, world, trace.header())?;
    let (mut cursor, mut delta) = (trace.cursor(), Delta::default());
    while cursor.next(&mut delta)? {
        writer.write(&delta)?;
    }
    writer.finish()
}

/// Resolves the names of the columns of a matrix of states.
///
/// # Errors
/// A `KeyError` with the nearest name for the first column that is not one of the world.
pub(crate) fn resolve_columns(world: &world::World, names: &[String]) -> PyResult<StateColumns> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    StateColumns::new(world, &names)
        .map_err(|error| pyo3::exceptions::PyKeyError::new_err(error.diagnostic().message.clone()))
}
