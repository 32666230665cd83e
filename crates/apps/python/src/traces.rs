//! Traces in memory, and the worlds of their states.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use goalspec::core::state::Delta;
use goalspec::core::world;
use goalspec::files;
use goalspec::rewards::shipped_worlds;
use goalspec::syntax::Diagnostic;
use goalspec::trace::{
    self, CheckedReader, Header, LineDecoder, LinesWriter, ReadOptions, StateColumns, TraceBuilder, TraceInput,
    TraceReader, create,
};
use goalspec::traces::choose_world;
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

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

/// States as rows of numbers, with their times and actions.
struct Rows {
    columns: StateColumns,
    states: Vec<Vec<f64>>,
    time: Option<Vec<f64>>,
    action: Option<Vec<Option<String>>>,
}

impl Rows {
    /// Returns the states as a trace.
    fn trace(&self, world: &Arc<world::World>) -> Result<trace::Trace, StateError> {
        let mut builder = TraceBuilder::new(Arc::clone(world));
        let mut delta = Delta::default();
        for (index, row) in self.states.iter().enumerate() {
            let previous = index.checked_sub(1).map(|before| &self.states[before][..]);
            let filled = self.columns.fill(row, previous, index as u64, &mut delta);
            delta.time = self.time.as_ref().map(|times| times[index]);
            delta.action = self.action.as_ref().and_then(|actions| actions[index].as_deref()).map(Arc::from);
            let pushed = filled.and_then(|()| builder.push(&delta));
            pushed.map_err(|error| StateError { diagnostic: error.into(), state: Some(index as u64 + 1) })?;
        }
        Ok(builder.finish())
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

    /// Creates a trace whose states are the rows of a matrix. A cell that is NaN is as before.
    #[staticmethod]
    fn from_columns(
        py: Python<'_>,
        world: &World,
        names: Vec<String>,
        rows: PyReadonlyArray2<'_, f64>,
        time: Option<Vec<f64>>,
        action: Option<Vec<Option<String>>>,
        name: String,
    ) -> PyResult<Self> {
        let world = Arc::clone(&world.0);
        let columns = resolve_columns(&world, &names)?.exact().with_missing();
        let rows = rows.as_array();
        if rows.ncols() != columns.count() {
            return Err(value_error(format!("expected {} columns, found {}", columns.count(), rows.ncols())));
        }
        let lengths = [time.as_ref().map(Vec::len), action.as_ref().map(Vec::len)];
        if lengths.into_iter().flatten().any(|length| length != rows.nrows()) {
            return Err(value_error(format!("expected {} times and actions, one for each row", rows.nrows())));
        }
        let states: Vec<Vec<f64>> = rows.rows().into_iter().map(|row| row.to_vec()).collect();
        let rows = Rows { columns, states, time, action };
        let built = background::run(py, move |_| rows.trace(&world).map(|trace| Self::new(world, trace, name)))?;
        built.map_err(|error| error.into_exception(py))
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
