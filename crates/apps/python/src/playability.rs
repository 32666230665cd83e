//! Whether programs can be achieved.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goalspec::files;
use goalspec::playability::{PlayabilityOptions, judge, report};
use goalspec::scoring::ScoringOptions;
use goalspec::syntax::Diagnostic;
use goalspec::trace::TraceInput;
use goalspec::trace::input::with_trace_name;
use pyo3::prelude::*;

use crate::background;
use crate::errors::{check_error, value_error};
use crate::json;
use crate::library::Library;

/// The options of a judgement.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PlayabilityArguments {
    plan_time: Option<f64>,
    simulations: Option<u64>,
}

/// Judges whether the programs of a library can be achieved, with the traces among its paths and further ones. Returns the records of `goalspec
/// check --playable --format json`.
#[pyfunction]
pub(crate) fn playability<'py>(
    py: Python<'py>,
    library: &Library,
    traces: Vec<PathBuf>,
    options: PlayabilityArguments,
) -> PyResult<Bound<'py, PyAny>> {
    let default = PlayabilityOptions::default();
    let plan_time = match options.plan_time {
        None => default.plan_time,
        Some(seconds) => Duration::try_from_secs_f64(seconds)
            .map_err(|_| value_error(format!("plan_time={seconds}: expected a number of seconds of at least 0")))?,
    };
    let simulations = options.simulations.unwrap_or(default.simulations);
    let mut plays: Vec<TraceInput> = Vec::new();
    let refuse = |error: Diagnostic| check_error(py, &[error], library.shared().sources());
    for path in library.traces().iter().chain(&traces) {
        let play = files::trace_input(path).map_err(|error| refuse(*error))?;
        let opened = play.open().err().map(|error| with_trace_name(&play.name(), error.into_diagnostic()));
        opened.map_or(Ok(()), |error| Err(refuse(error)))?;
        plays.push(play);
    }
    let shared = Arc::clone(library.shared());
    let judged = background::run(py, move |cancelled: &Arc<AtomicBool>| {
        let scoring = ScoringOptions { cancelled: Some(Arc::clone(cancelled)), ..default.scoring.clone() };
        let options =
            PlayabilityOptions { scoring, plan_time, simulations, cancelled: Arc::clone(cancelled), ..default };
        report(&judge(&shared, &plays, &options, &|_| background::checkpoint(cancelled)))
    })?;
    json::to_python(py, &judged)
}
