//! Scores of programs over traces.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use goalspec::core::engine::Engine;
use goalspec::library;
use goalspec::program::Program;
use goalspec::rewards::score::ScoreOptions as RewardOptions;
use goalspec::rewards::score_json;
use goalspec::scoring::{LibraryScorer, LibraryScores, ScoringOptions, Semantics};
use goalspec::syntax::{Diagnostic, SourceId};
use goalspec::table::{self, Cell, CellType, Table, rewards};
use goalspec::trace::TraceInput;
use goalspec::{codes, files, json as facade_json};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde_json::Value;

use crate::arrow::{self, ArrowTable};
use crate::background;
use crate::diagnostics;
use crate::errors::{check_error, refused_error, trace_error, value_error};
use crate::json;
use crate::library::Library;
use crate::traces::Trace;

/// A trace to be scored.
#[derive(FromPyObject)]
pub(crate) enum TraceArgument {
    /// States in memory.
    Trace(Py<Trace>),
    /// The contents of a recording.
    Bytes(Py<PyBytes>),
    /// The path of a trace or a recording.
    Path(PathBuf),
}

impl TraceArgument {
    /// Returns the input of the facade.
    pub(crate) fn input(&self) -> Result<TraceInput, Box<Diagnostic>> {
        match self {
            Self::Trace(trace) => Ok(trace.get().input()),
            Self::Bytes(bytes) => {
                Python::attach(|py| Ok(TraceInput::Bytes("<frames>".into(), bytes.as_bytes(py).into())))
            }
            Self::Path(path) => files::trace_input(path),
        }
    }
}

/// The options of `score`.
#[expect(clippy::struct_excessive_bools, reason = "each is an option by itself")]
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ScoreArguments {
    why: bool,
    per_step: bool,
    semantics: String,
    engine: String,
    jobs: Option<usize>,
    partial: bool,
    any_world: bool,
    /// Whether errors raise exceptions.
    raises: bool,
}

/// Returns the engine of this name.
pub(crate) fn engine(name: &str) -> PyResult<Engine> {
    match name {
        "fast" => Ok(Engine::Fast),
        "reference" => Ok(Engine::Interpreter),
        _ => Err(value_error(format!("unknown engine `{name}`: expected `fast` or `reference`"))),
    }
}

/// Returns the semantics of this name.
pub(crate) fn semantics(name: &str) -> PyResult<Semantics> {
    match name {
        "spec" => Ok(Semantics::Spec),
        "reference" => Ok(Semantics::Reference),
        _ => Err(value_error(format!("unknown semantics `{name}`: expected `spec` or `reference`"))),
    }
}

/// The outcomes of programs over traces.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct Scores {
    library: Arc<library::Library>,
    scores: LibraryScores,
}

#[pymethods]
impl Scores {
    /// Returns the outcomes as dictionaries, games and activities first.
    fn records<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        self.values().try_for_each(|value| list.append(json::to_python(py, &value)?))?;
        Ok(list)
    }

    /// Returns the text that `goalspec score --format json` prints.
    fn json(&self) -> String {
        format!("{:#}\n", self.values().collect::<Value>())
    }

    /// Returns the diagnostics of the traces and of the programs that could not be run.
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        diagnostics::to_python(py, &self.scores.diagnostics, self.library.sources())
    }

    /// Returns a table as columns: for each, its name, its type and its values.
    fn table<'py>(&self, py: Python<'py>, by: &str) -> PyResult<Bound<'py, PyDict>> {
        columns(py, &self.rows_by(by)?)
    }

    /// Returns a table as an Arrow table.
    fn arrow_table(&self, by: &str) -> PyResult<ArrowTable> {
        arrow::table(&self.rows_by(by)?)
    }
}

impl Scores {
    /// Returns the table with rows of this kind.
    fn rows_by(&self, by: &str) -> PyResult<Table> {
        let LibraryScores { outcomes, rewards: reward_outcomes, .. } = &self.scores;
        match by {
            "preference" => Ok(table::preferences(outcomes)),
            "state" => Ok(table::states(outcomes)),
            "episode" => Ok(rewards::episodes(reward_outcomes)),
            "frame" => Ok(rewards::frames(reward_outcomes)),
            _ => {
                let names = "`preference`, `state`, `episode` or `frame`";
                Err(value_error(format!("unknown table `{by}`: expected {names}")))
            }
        }
    }

    fn values(&self) -> impl Iterator<Item = Value> {
        let sources = self.library.sources();
        let games = self.scores.outcomes.iter().map(|outcome| facade_json::outcome(outcome, sources));
        games.chain(self.scores.rewards.iter().map(score_json::outcome))
    }
}

/// Converts a table to a dictionary from the names of its columns to their types and lists of values.
pub(crate) fn columns<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (index, column) in table.columns.iter().enumerate() {
        let values = PyList::empty(py);
        for row in &table.rows {
            match &row[index] {
                Cell::Empty => values.append(py.None())?,
                Cell::Text(text) => values.append(text)?,
                Cell::Count(count) => values.append(count)?,
                Cell::Float(number) => values.append(number)?,
                Cell::Bool(truth) => values.append(truth)?,
            }
        }
        let cell_type = match column.cell_type {
            CellType::Text => "text",
            CellType::Count => "count",
            CellType::Float => "float",
            CellType::Bool => "bool",
        };
        dict.set_item(&*column.name, PyTuple::new(py, [cell_type.into_pyobject(py)?.into_any(), values.into_any()])?)?;
    }
    Ok(dict)
}

/// Scores traces by programs of a library. `progress` is called with the numbers of traces done and of all traces.
#[pyfunction]
pub(crate) fn score(
    py: Python<'_>,
    library: &Library,
    programs: Vec<usize>,
    traces: Vec<TraceArgument>,
    arguments: ScoreArguments,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Scores> {
    let semantics = semantics(&arguments.semantics)?;
    let engine = engine(&arguments.engine)?;
    let shared = Arc::clone(library.shared());
    if programs.iter().any(|&index| index >= shared.programs().len()) {
        return Err(PyIndexError::new_err("the library has no such program"));
    }
    check_semantics(&shared, &programs, semantics)?;
    let sources: Vec<SourceId> = programs.iter().map(|&index| shared.programs()[index].source).collect();
    let mut found = shared.diagnostics_under(semantics);
    found.retain(|found| found.span.is_none_or(|span| sources.contains(&span.source)));
    if arguments.raises && found.iter().any(Diagnostic::is_error) {
        return Err(check_error(py, &found, shared.sources()));
    }
    let (total, done) = (traces.len(), Arc::new(AtomicUsize::new(0)));
    let inputs: Vec<_> = traces.iter().map(TraceArgument::input).collect();
    let (counter, raises) = (Arc::clone(&done), arguments.raises);
    let mut report = |_: Python<'_>| match &progress {
        Some(progress) => progress.call1((done.load(Ordering::Relaxed), total)).map(|_| ()),
        None => Ok(()),
    };
    let scores = background::run_polled(py, &mut report, &|| background::GRACE_PERIOD, move |cancelled| {
        let pool = (total > 1 || arguments.jobs.is_some()).then(|| {
            let pool = ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0)).build();
            pool.map(Arc::new).map_err(|error| format!("cannot start the threads: {error}"))
        });
        let pool = pool.transpose()?;
        let options = ScoringOptions {
            semantics,
            engine,
            explain: arguments.why,
            per_step: arguments.per_step,
            partial: arguments.partial,
            any_world: arguments.any_world,
            pool: pool.clone(),
            cancelled: Some(Arc::clone(cancelled)),
            ..ScoringOptions::default()
        };
        let reward_options = RewardOptions {
            keep_frames: arguments.per_step,
            partial: arguments.partial,
            any_world: arguments.any_world,
            engine,
            pool: pool.clone(),
            ..RewardOptions::default()
        };
        let selected = programs.iter().map(|&index| &shared.programs()[index]);
        let scorer = LibraryScorer::of_programs(&shared, selected, &options, reward_options);
        let score_one = |input: &Result<TraceInput, Box<Diagnostic>>| {
            if cancelled.load(Ordering::Relaxed) {
                return LibraryScores::default();
            }
            let result = match input {
                Ok(input) => scorer.score(input, &|_| background::checkpoint(cancelled)),
                Err(error) => LibraryScores::from((**error).clone()),
            };
            counter.fetch_add(1, Ordering::Relaxed);
            result
        };
        let results: Vec<LibraryScores> = match &pool {
            None => inputs.iter().map(score_one).collect(),
            Some(pool) => pool.install(|| inputs.par_iter().map(score_one).collect()),
        };
        Ok(results.into_iter().fold(LibraryScores::default(), LibraryScores::merge))
    })?;
    report(py)?;
    let scores = scores.map_err(|error: String| pyo3::exceptions::PyRuntimeError::new_err(error))?;
    if let (true, Some(error)) = (raises, first_error(&scores)) {
        return Err(match error.code {
            codes::NOT_SUPPORTED => refused_error(py, error),
            _ => trace_error(py, error.clone(), None),
        });
    }
    Ok(Scores { library: Arc::clone(library.shared()), scores })
}

/// Returns the first error that is not about the outcome of a program.
fn first_error(scores: &LibraryScores) -> Option<&Diagnostic> {
    scores.diagnostics.iter().find(|found| found.is_error() && found.code != codes::OVER_BUDGET)
}

/// Checks that the semantics applies to the programs.
fn check_semantics(library: &library::Library, programs: &[usize], semantics: Semantics) -> PyResult<()> {
    let other = programs.iter().map(|&index| &library.programs()[index]).find(|program| program.as_game().is_none());
    match other {
        Some(Program { name, .. }) if semantics == Semantics::Reference => {
            Err(value_error(format!("`{name}` is not a game: the semantics `reference` applies to games")))
        }
        _ => Ok(()),
    }
}
