//! Diagnostics as objects of `goalspec._diagnostics`.

use goalspec::limits;
use goalspec::syntax::{Diagnostic, Sources, render};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::json;

/// Converts diagnostics to a list of Python objects, with the remedies of exceeded limits. `sources` are the texts of their places.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    diagnostics: &[Diagnostic],
    sources: &Sources,
) -> PyResult<Bound<'py, PyList>> {
    let create = py.import("goalspec._diagnostics")?.getattr("from_json")?;
    let list = PyList::empty(py);
    for diagnostic in diagnostics.iter().cloned().map(limits::add_remedy) {
        let record = json::to_python(py, &render::json::value(&diagnostic, sources))?;
        let text = render::human::render(std::slice::from_ref(&diagnostic), sources, false);
        list.append(create.call1((record, text.trim_end()))?)?;
    }
    Ok(list)
}
