//! Audits of reward functions.

use std::sync::Arc;

use goalspec::audit::{self, Audit, AuditOptions};
use goalspec::program::Program;
use goalspec::rewards::program::NamedRewardProgram;
use goalspec::syntax::Diagnostic;
use goalspec::trace::TraceInput;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::background;
use crate::diagnostics;
use crate::errors::{check_error, trace_error, value_error};
use crate::json;
use crate::library::Library;
use crate::scoring::TraceArgument;

/// The audits of reward functions.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct Audits {
    library: Arc<goalspec::library::Library>,
    list: Vec<Audit>,
    found: Vec<Diagnostic>,
}

#[pymethods]
impl Audits {
    /// Returns the audits as dictionaries.
    fn records<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        self.list.iter().try_for_each(|audit| list.append(json::to_python(py, &audit::json(audit))?))?;
        Ok(list)
    }

    /// Returns an audit as text.
    fn text(&self, index: usize) -> PyResult<String> {
        self.list.get(index).map(audit::text).ok_or_else(|| PyIndexError::new_err("there is no such audit"))
    }

    /// Returns all audits as a page of HTML.
    fn html(&self) -> String {
        audit::html(&self.list)
    }

    /// Returns the diagnostics of the recordings.
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        diagnostics::to_python(py, &self.found, self.library.sources())
    }
}

/// Audits reward functions over recordings.
#[pyfunction]
pub(crate) fn audit_rewards(
    py: Python<'_>,
    library: &Library,
    programs: Vec<usize>,
    recordings: Vec<TraceArgument>,
    score_column: Option<String>,
    any_world: bool,
    partial: bool,
) -> PyResult<Audits> {
    let shared = Arc::clone(library.shared());
    for &index in &programs {
        let program = library.program(index)?;
        if program.as_reward().is_none() {
            return Err(value_error(format!("`{}` is not a reward function", program.name)));
        }
    }
    if shared.diagnostics().iter().any(Diagnostic::is_error) {
        return Err(check_error(py, shared.diagnostics(), shared.sources()));
    }
    let inputs: Result<Vec<TraceInput>, _> = recordings.iter().map(TraceArgument::input).collect();
    let inputs = inputs.map_err(|error| trace_error(py, *error, None))?;
    let options = AuditOptions { score_column, any_world, partial, ..AuditOptions::default() };
    let audited = background::run(py, move |cancelled| {
        let selected = programs.iter().map(|&index| &shared.programs()[index]);
        let selected: Vec<NamedRewardProgram<'_>> = selected.filter_map(Program::as_named_reward).collect();
        audit::audit(&selected, &shared.all_worlds(), &inputs, &options, &|_| background::checkpoint(cancelled))
    })?;
    if let Some(error) = audited.diagnostics.iter().find(|found| found.is_error()) {
        return Err(trace_error(py, error.clone(), None));
    }
    Ok(Audits { library: Arc::clone(library.shared()), list: audited.audits, found: audited.diagnostics })
}
