//! Resource graph games: Monte Carlo experiments and exact analysis.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use goalspec::resource_games::{self, read_policy_file};
use goalspec::rgg::template::PatchError;
use goalspec::simulation::analysis::{AnalysisRequest, analysis_error_diagnostic};
use goalspec::simulation::experiment::LoadedExperiment;
use goalspec::simulation::policies::{TeamPolicies, open_team};
use goalspec::simulation::summary::SummaryOptions;
use goalspec::simulation::{LoadedGame, quantity, report, tracked_resources};
use goalspec::simulator::episode::MAX_TURNS;
use goalspec::simulator::exact::ModelLimits;
use goalspec::simulator::experiment::{
    EpisodeQuantity, ExperimentError, ExperimentObservers, ExperimentOptions, PrecisionTarget,
};
use goalspec::simulator::statistics::sweep::SamplingFrequency;
use goalspec::syntax::{Diagnostic, Sources};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use serde_json::Value;

use crate::background;
use crate::errors::{check_error, refused_error, value_error};
use crate::json;
use crate::library::Library;

/// The options of `simulate`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SimulationArguments {
    policies: Vec<String>,
    games: u64,
    seed: u64,
    first: u64,
    max_turns: Option<u32>,
    vary: Vec<String>,
    /// The half-width of the confidence intervals at which games stop.
    stop: Option<f64>,
    /// The numbers to which `stop` applies.
    stop_of: Vec<String>,
    /// The resources that are tracked over time.
    follow: Vec<String>,
    compare: Vec<String>,
    discount: Option<f64>,
    jobs: Option<usize>,
}

/// Returns an invalid argument as an exception.
#[expect(clippy::boxed_local, reason = "an argument of `map_err`, to which errors are given in boxes")]
pub(crate) fn invalid(error: Box<Diagnostic>) -> PyErr {
    value_error(error.message)
}

/// Compiles a resource graph game for simulation.
pub(crate) fn loaded_game(py: Python<'_>, library: &Library, index: usize) -> PyResult<LoadedGame> {
    let program = library.program(index)?;
    let shared = library.shared();
    let game = resource_games::loaded_game(program, shared.custom_results());
    if let Some(game) = game.map_err(|error| refused_error(py, &error))? {
        return Ok(game);
    }
    if program.as_resource().is_some() {
        return Err(check_error(py, shared.diagnostics(), shared.sources()));
    }
    Err(value_error(format!("`{}` is not a resource graph game", program.name)))
}

/// Plays games and returns the report that `goalspec simulate --format json` prints. `progress` is called with the numbers of games
/// played and of all games.
#[pyfunction]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    library: &Library,
    index: usize,
    arguments: SimulationArguments,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let game = loaded_game(py, library, index)?;
    let experiment = experiment(py, library, index, game, &arguments)?;
    let total = arguments.games.saturating_mul(experiment.policies.len() as u64);
    let done = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&done);
    let mut report_progress = |_: Python<'_>| match &progress {
        Some(progress) => progress.call1((done.load(Ordering::Relaxed), total)).map(|_| ()),
        None => Ok(()),
    };
    let jobs = arguments.jobs.unwrap_or(0);
    let result = background::run_polled(py, &mut report_progress, &|| background::GRACE_PERIOD, move |cancelled| {
        let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
        let pool = pool.map_err(|error| SimulationError::Threads(error.to_string()))?;
        let mut experiment = experiment;
        experiment.options.pool = Some(Arc::new(pool));
        experiment.options.cancelled = Some(Arc::clone(cancelled));
        let observers = ExperimentObservers {
            progress: &|count| {
                counter.fetch_add(count, Ordering::Relaxed);
            },
            ..ExperimentObservers::default()
        };
        let result = experiment.play(observers).map_err(SimulationError::Experiment)?;
        Ok::<Value, SimulationError>(report::report(&experiment, &result, &SummaryOptions::default()))
    });
    match background::after_report(report_progress(py), result) {
        Ok(Ok(record)) => json::to_python(py, &record),
        Ok(Err(error)) => Err(error.into_exception(py)),
        Err(interrupted) => {
            if let Some(Ok(record)) = interrupted.partial {
                interrupted.error.value(py).setattr("partial", json::to_python(py, &record)?)?;
            }
            Err(interrupted.error)
        }
    }
}

/// The reason why games could not be played.
enum SimulationError {
    Threads(String),
    Experiment(ExperimentError<Box<PatchError>>),
}

impl SimulationError {
    fn into_exception(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Threads(error) => PyRuntimeError::new_err(format!("cannot start the threads: {error}")),
            Self::Experiment(ExperimentError::Variant(error)) => check_error(py, &error.diagnostics, &error.sources),
            Self::Experiment(ExperimentError::Output(error)) => PyRuntimeError::new_err(error.to_string()),
        }
    }
}

/// Returns the experiment that the arguments describe, without threads.
fn experiment(
    py: Python<'_>,
    library: &Library,
    index: usize,
    game: LoadedGame,
    arguments: &SimulationArguments,
) -> PyResult<LoadedExperiment> {
    if arguments.games == 0 || arguments.first.checked_add(arguments.games).is_none() {
        return Err(value_error(format!(
            "expected at least one game, and indices of games below 2**64, found {} games from index {} on",
            arguments.games, arguments.first
        )));
    }
    let rules = game.simulator.game();
    let first = TeamPolicies::with_files(rules, &arguments.policies, &read_policy_file).map_err(invalid)?;
    let others = arguments.compare.iter().map(|other| first.clone().with(rules, other, &read_policy_file));
    let policies: Result<Vec<_>, _> = std::iter::once(Ok(first.clone())).chain(others).collect();
    let quantities = |names: &[String]| -> PyResult<Vec<EpisodeQuantity>> {
        names.iter().map(|name| quantity::parse(rules, name).map_err(invalid)).collect()
    };
    let precision_target = match arguments.stop {
        None => None,
        Some(half_width) if half_width > 0.0 && half_width.is_finite() => Some(PrecisionTarget {
            numbers: if arguments.stop_of.is_empty() {
                EpisodeQuantity::rewards(rules)
            } else {
                quantities(&arguments.stop_of)?
            },
            half_width,
            level: SummaryOptions::default().level,
        }),
        Some(half_width) => {
            return Err(value_error(format!("expected a half-width greater than 0, found {half_width}")));
        }
    };
    let variation = if arguments.vary.is_empty() {
        None
    } else {
        let program = library.program(index)?;
        resource_games::variation(library.shared(), program, &arguments.vary, SamplingFrequency::Game)
            .map_err(|error| check_error(py, &error.diagnostics, &error.sources))?
    };
    let options = ExperimentOptions {
        seed: arguments.seed,
        first_index: arguments.first,
        max_games: arguments.games,
        max_turns: arguments.max_turns.unwrap_or(MAX_TURNS),
        precision_target,
        tracked_resources: tracked_resources::find_resources(rules, &arguments.follow).map_err(invalid)?,
        discount: arguments.discount,
        ..ExperimentOptions::default()
    };
    let policies = policies.map_err(invalid)?;
    Ok(LoadedExperiment { game, policies, variation: variation.map(Arc::new), options })
}

/// Analyses a game exactly and returns the report that `goalspec analyse --format json` prints.
#[pyfunction]
pub(crate) fn analyse<'py>(
    py: Python<'py>,
    library: &Library,
    index: usize,
    policies: Vec<String>,
    best: Option<String>,
    horizon: Option<u32>,
    max_states: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let game = loaded_game(py, library, index)?;
    let players = TeamPolicies::with_files(game.simulator.game(), &policies, &read_policy_file).map_err(invalid)?;
    let rules = game.simulator.game();
    let best = best.map(|name| open_team(rules, &name, &policies)).transpose().map_err(invalid)?;
    let limits = ModelLimits::default();
    let limits = ModelLimits { states: max_states.unwrap_or(limits.states), turns: horizon, ..limits };
    let plans = players.plans(rules, best).map_err(invalid)?;
    let request = AnalysisRequest { plans, best_response_for: best, horizon, limits };
    let record: Result<Value, Box<Diagnostic>> = background::run(py, move |cancelled| {
        let analysis = request.analyse(&game.simulator, &mut |_| background::checkpoint(cancelled));
        match analysis {
            Ok(analysis) => Ok(analysis.json(&analysis.heading(&game, &players))),
            Err(error) => Err(Box::new(analysis_error_diagnostic(&error, game.simulator.game()))),
        }
    })?;
    match record {
        Ok(record) => json::to_python(py, &record),
        Err(error) if error.span.is_some() => Err(check_error(py, &[*error], &Sources::new())),
        Err(error) => Err(refused_error(py, &error)),
    }
}
