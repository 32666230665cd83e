//! Scores of a table of traces as a table, for batches of any size.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use goalspec::core::budget::Budget;
use goalspec::rewards::compiled::CallBudget;
use goalspec::scoring::table::{self, TableBatch, TableOptions, TraceLimits};
use goalspec::syntax::{Diagnostic, Severity};
use goalspec::table::{Cell, Table};
use goalspec::trace::{self, ReadLimits};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::arrow::{self, ArrowTable};
use crate::background;
use crate::errors::{check_error, refused_error, trace_error};
use crate::library::Library;
use crate::scoring::{engine, semantics};
use crate::trace_tables::TraceTable;

/// The options of `score_table`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct TableArguments {
    semantics: String,
    engine: String,
    any_world: bool,
    states: u64,
    bytes: u64,
    bindings: u64,
    memory: u64,
    seconds: f64,
    /// The work budget of each program; `None` for no limit.
    work: Option<u64>,
    call_work: u64,
}

impl TableArguments {
    fn options(&self) -> PyResult<TableOptions> {
        let time = Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX);
        let read = ReadLimits { states: Some(self.states), bytes: Some(self.bytes), time: Some(time) };
        Ok(TableOptions {
            semantics: semantics(&self.semantics)?,
            engine: engine(&self.engine)?,
            any_world: self.any_world,
            limits: TraceLimits {
                read,
                bindings: self.bindings,
                memory_bytes: self.memory,
                budget: self.work.map_or(Budget::UNLIMITED, Budget::new),
                call_budget: CallBudget::with_work(self.call_work),
            },
        })
    }
}

/// Programs that score tables of traces.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct TableScorer {
    scorer: Arc<table::TableScorer>,
}

#[pymethods]
impl TableScorer {
    /// Prepares programs of a library.
    #[new]
    fn new(py: Python<'_>, library: &Library, programs: Vec<usize>, options: TableArguments) -> PyResult<Self> {
        programs.iter().try_for_each(|&index| library.program(index).map(|_| ()))?;
        let options = options.options()?;
        let shared = library.shared();
        let mut found = shared.diagnostics_under(options.semantics);
        let sources: Vec<_> = programs.iter().map(|&index| shared.programs()[index].source).collect();
        found.retain(|found| found.span.is_none_or(|span| sources.contains(&span.source)));
        if found.iter().any(Diagnostic::is_error) {
            return Err(check_error(py, &found, shared.sources()));
        }
        let scorer = table::TableScorer::new(Arc::clone(shared), &programs, options);
        Ok(Self { scorer: Arc::new(scorer.map_err(|error| refused_error(py, &error))?) })
    }

    /// Returns the names of the columns.
    fn columns(&self) -> Vec<String> {
        self.scorer.columns().iter().map(|column| column.name.to_string()).collect()
    }

    /// Returns the number of rows of each trace.
    fn rows_per_trace(&self) -> usize {
        self.scorer.rows_per_trace()
    }

    /// Scores the traces of a table: an object with `__arrow_c_stream__`. With `raises`, the first row with an error is an exception.
    fn score(
        &self,
        py: Python<'_>,
        traces: &Bound<'_, PyAny>,
        jobs: NonZeroUsize,
        raises: bool,
    ) -> PyResult<ArrowTable> {
        let traces = TraceTable::read(traces)?;
        let key_type = traces.key_type().clone();
        let scorer = Arc::clone(&self.scorer);
        let rows = background::run(py, move |cancelled| score(&scorer, &traces, jobs, cancelled))?;
        let rows = rows.map_err(PyRuntimeError::new_err)?;
        if let (true, Some(Cell::Text(error))) =
            (raises, rows.iter().filter_map(|row| row.last()).find(|cell| **cell != Cell::Empty))
        {
            return Err(trace_error(py, Diagnostic::new(trace::codes::NOT_OF_WORLD, Severity::Error, error), None));
        }
        let table = arrow::table(&Table { columns: self.scorer.columns().to_vec(), rows })?;
        table.with_first_column_as(&key_type)
    }
}

/// Returns the rows of all traces, in their order.
fn score(
    scorer: &table::TableScorer,
    traces: &TraceTable,
    jobs: NonZeroUsize,
    cancelled: &AtomicBool,
) -> Result<Vec<Vec<Cell>>, String> {
    let batch = scorer.batch();
    let score_one = |index: usize| {
        if cancelled.load(Ordering::Relaxed) {
            return Vec::new();
        }
        score_trace(&batch, traces, index, cancelled)
    };
    let rows: Vec<Vec<Vec<Cell>>> = if jobs.get() == 1 {
        (0..traces.len()).map(score_one).collect()
    } else {
        let pool = ThreadPoolBuilder::new().num_threads(jobs.get()).build();
        let pool = pool.map_err(|error| format!("cannot start the threads: {error}"))?;
        pool.install(|| (0..traces.len()).into_par_iter().map(score_one).collect())
    };
    Ok(rows.into_iter().flatten().collect())
}

fn score_trace(batch: &TableBatch<'_>, traces: &TraceTable, index: usize, cancelled: &AtomicBool) -> Vec<Vec<Cell>> {
    let key = traces.key(index);
    let name = key.unwrap_or_default();
    // A checkpoint in a cancelled call unwinds to the batch, whose rows are then not used.
    let mut rows = batch.score(name, || traces.open(index, batch), &|_| background::checkpoint(cancelled));
    if key.is_none() {
        for row in &mut rows {
            row[0] = Cell::Empty;
        }
    }
    rows
}
