//! Monitors of programs, stepped state by state in one environment or in many.

use std::num::NonZeroU32;
use std::sync::Arc;

use goalspec::core::monitor::Satisfaction;
use goalspec::core::state::Delta;
use goalspec::core::world::World;
use goalspec::monitor::goal::{CompiledGoal, GoalAtom};
use goalspec::monitoring::batch::{self, BatchStep};
use goalspec::monitoring::{self, CompiledProgram};
use goalspec::report::ProgramVerdict;
use goalspec::scoring::{ProgramOutcome, ScoringOptions};
use goalspec::syntax::Diagnostic;
use goalspec::trace::{LineDecoder, StateColumns};
use goalspec::{codes, json as facade_json, library};
use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2,
};
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use rayon::ThreadPoolBuilder;

use crate::background;
use crate::errors::{refused_error, trace_error, value_error};
use crate::history::{BatchHistory, EpisodeInputs, History, Input, InputState, MAX_INPUTS, MAX_NUMBERS, StepInputs};
use crate::json;
use crate::library::Library;
use crate::scoring::{engine, semantics};
use crate::traces::resolve_columns;

/// The number of environments from which on a step releases the GIL.
const MIN_ENVIRONMENTS_WITHOUT_GIL: usize = 64;

/// A program compiled for monitoring, with its texts.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct Compiled {
    library: Arc<library::Library>,
    program: CompiledProgram,
}

/// Compiles a program for monitoring.
#[pyfunction]
pub(crate) fn compile(
    py: Python<'_>,
    library: &Library,
    index: usize,
    explain: bool,
    engine_name: &str,
    semantics_name: &str,
    horizon: Option<NonZeroU32>,
) -> PyResult<Compiled> {
    let options = ScoringOptions {
        explain,
        engine: engine(engine_name)?,
        semantics: semantics(semantics_name)?,
        ..ScoringOptions::default()
    };
    let program = library.program(index)?.clone();
    let compiled = background::run(py, move |_| CompiledProgram::new(&program, &options))?;
    let mut program = compiled.map_err(|error| refused_error(py, &error))?;
    if let Some(horizon) = horizon {
        program = program.with_feature_horizon(horizon);
    }
    Ok(Compiled { library: Arc::clone(library.shared()), program })
}

#[pymethods]
impl Compiled {
    /// Creates a monitor before its first state, whose states are rows of these columns or dictionaries.
    fn monitor(&self, columns: Option<Vec<String>>) -> PyResult<Monitor> {
        let world = self.program.world();
        let columns = columns.map(|names| resolve_columns(world, &names)).transpose()?;
        Ok(Monitor {
            library: Arc::clone(&self.library),
            inner: self.program.monitor(),
            input: MonitorInput::new(world, columns),
            delta: Delta::default(),
            history: History::default(),
        })
    }

    /// Creates the monitors of many environments, whose states are rows of these columns.
    fn batch(&self, count: usize, columns: Vec<String>, threads: usize) -> PyResult<MonitorBatch> {
        let columns = resolve_columns(self.program.world(), &columns)?.exact();
        let width = columns.count();
        let mut monitors = batch::MonitorBatch::new(&self.program, columns, count);
        if threads > 1 {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(|error| value_error(format!("cannot start {threads} threads: {error}")))?;
            monitors = monitors.with_pool(Arc::new(pool));
        }
        let (library, program) = (Arc::clone(&self.library), self.program.clone());
        let history = BatchHistory::new(count, width);
        Ok(MonitorBatch { library, program, monitors, history, step: BatchStep::default() })
    }

    /// Returns the facts on which the goal of an activity depends, each a predicate with the names of its objects.
    fn goal_facts(&self, py: Python<'_>) -> PyResult<Vec<(String, Vec<String>)>> {
        let program = self.program.program();
        let Some(goal) = program.goal().cloned() else {
            return Err(value_error(format!("`{}` is not an activity", program.name)));
        };
        let world = Arc::clone(self.program.world());
        let compiled = background::run(py, move |_| CompiledGoal::new(world, &goal))?;
        let compiled = compiled.map_err(|error| value_error(error.to_string()))?;
        let world = self.program.world();
        let facts = compiled.atoms().iter().map(|atom| match atom {
            GoalAtom::Fact(predicate, arguments) => {
                let names = arguments.iter().map(|&object| world.object_decl(object).id.to_string());
                Ok((world.predicate(*predicate).name.to_string(), names.collect()))
            }
            GoalAtom::Present(_) | GoalAtom::Condition(..) => {
                Err(value_error(format!("the goal of `{}` depends on more than facts", program.name)))
            }
        });
        facts.collect()
    }

    /// Returns the names of the features, in order.
    fn feature_names(&self) -> Vec<String> {
        self.program.feature_names().to_vec()
    }

    /// Returns the names of the preferences or the indices of the conjuncts, in order.
    fn part_names(&self) -> Vec<String> {
        self.program.part_names()
    }

    /// Whether the features and the state of the world determine all future rewards.
    fn has_exact_features(&self) -> bool {
        self.program.has_exact_features()
    }
}

/// The form in which a monitor takes states.
enum MonitorInput {
    Fields(LineDecoder<Arc<World>>),
    Columns { columns: StateColumns, previous: Option<Vec<f64>> },
}

impl MonitorInput {
    fn new(world: &Arc<World>, columns: Option<StateColumns>) -> Self {
        match columns {
            Some(columns) => Self::Columns { columns: columns.exact(), previous: None },
            None => Self::Fields(LineDecoder::new(Arc::clone(world))),
        }
    }

    /// Returns the input before the first state.
    fn restarted(&self, world: &Arc<World>) -> Self {
        match self {
            Self::Fields(_) => Self::new(world, None),
            Self::Columns { columns, .. } => Self::new(world, Some(columns.clone())),
        }
    }
}

/// A monitor of a program in one environment.
#[pyclass(module = "goalspec._core")]
pub(crate) struct Monitor {
    library: Arc<library::Library>,
    inner: monitoring::Monitor,
    input: MonitorInput,
    delta: Delta,
    history: History,
}

/// The inputs of a monitor as plain values, the first one first: each a row or a text, the time, the action, and whether it is the last state.
type PlainInputs<'py> = Vec<(Bound<'py, PyAny>, Option<f64>, Option<String>, bool)>;

/// The result of a step: reward, score, whether the setup holds, whether the game is over, and the satisfactions or conjuncts.
type StepResult<'py> = (f64, f64, bool, bool, Bound<'py, PyAny>);

#[pymethods]
impl Monitor {
    /// Processes the next state.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        state: &Bound<'py, PyAny>,
        time: Option<f64>,
        action: Option<&str>,
        last: bool,
    ) -> PyResult<StepResult<'py>> {
        let read = self.read(py, state)?;
        let verdict = self.advance(py, read, time, action, last)?;
        let program = self.inner.program();
        let (ready, parts) = match &verdict {
            ProgramVerdict::Game(verdict) => {
                let satisfactions = PyList::empty(py);
                for (preference, found) in &verdict.satisfied {
                    let record = satisfaction(py, program.world(), found)?;
                    record.set_item(intern!(py, "preference"), program.program().preference_name(*preference))?;
                    satisfactions.append(record)?;
                }
                (verdict.setup_holds, satisfactions)
            }
            ProgramVerdict::Goal { verdict, .. } => (true, PyList::new(py, verdict.split().0)?),
        };
        Ok((verdict.reward(), verdict.score(), ready, verdict.done() || last, parts.into_any()))
    }

    /// Ends the episode and returns its outcome as a dictionary.
    fn finish<'py>(&mut self, py: Python<'py>, trace: &str) -> PyResult<Bound<'py, PyAny>> {
        let report = self.inner.finish();
        outcome(py, &self.library, self.inner.program(), report, trace)
    }

    /// Processes inputs that `inputs` returned.
    fn replay(&mut self, py: Python<'_>, inputs: PlainInputs<'_>) -> PyResult<()> {
        for (state, time, action, last) in inputs {
            let read = match state.cast::<PyBytes>() {
                Ok(line) => self.read_state(py, InputState::Line(line.as_bytes().into()))?,
                Err(_) => self.read(py, &state)?,
            };
            self.advance(py, read, time, action.as_deref(), last)?;
        }
        Ok(())
    }

    /// Restarts the monitor before the first state of a new episode.
    fn reset(&mut self) {
        self.inner.reset();
        self.input = self.input.restarted(self.inner.program().world());
        self.history = History::default();
    }

    /// Returns the inputs since the start of the episode, from which a new monitor reaches the same state.
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<PlainInputs<'py>> {
        let mut inputs = Vec::new();
        let is_complete = self.history.visit(&mut |Input { state, time, action, last }| {
            let state = match state {
                InputState::Row(row) => PyArray1::from_slice(py, row).into_any(),
                InputState::Line(line) => PyBytes::new(py, line).into_any(),
            };
            inputs.push((state, *time, action.as_deref().map(str::to_owned), *last));
        });
        if !is_complete {
            let message = format!("a monitor after more than {MAX_INPUTS} states cannot be pickled");
            return Err(PyRuntimeError::new_err(message));
        }
        inputs.reverse();
        Ok(inputs)
    }

    /// Returns an independent copy in the same state.
    fn copy(&self) -> Self {
        let input = match &self.input {
            MonitorInput::Columns { columns, previous } => {
                MonitorInput::Columns { columns: columns.clone(), previous: previous.clone() }
            }
            MonitorInput::Fields(decoder) => MonitorInput::Fields(decoder.clone()),
        };
        Self {
            library: Arc::clone(&self.library),
            inner: self.inner.clone(),
            input,
            delta: Delta::default(),
            history: self.history.clone(),
        }
    }

    /// Writes the features into an array.
    fn features(&self, mut out: PyReadwriteArray1<'_, f32>) -> PyResult<()> {
        let count = self.inner.program().feature_names().len();
        if out.len()? != count {
            return Err(value_error(format!("expected an array of {count} numbers for out, found {}", out.len()?)));
        }
        let out = out.as_slice_mut().map_err(|_| value_error("expected a contiguous array for out"))?;
        self.inner.features(out);
        Ok(())
    }

    /// The number of states since the start or the last reset.
    #[getter]
    fn steps(&self) -> u64 {
        self.inner.steps()
    }
}

/// Returns a satisfaction as the dictionary of [its JSON object](facade_json::satisfaction). Steps return many, so that none is made of that.
fn satisfaction<'py>(py: Python<'py>, world: &World, satisfaction: &Satisfaction) -> PyResult<Bound<'py, PyDict>> {
    let (record, binding) = (PyDict::new(py), PyDict::new(py));
    for (variable, object) in &satisfaction.binding {
        binding.set_item(&**variable, &*world.object_decl(*object).id)?;
    }
    record.set_item(intern!(py, "binding"), binding)?;
    record.set_item(intern!(py, "start"), satisfaction.start)?;
    record.set_item(intern!(py, "end"), satisfaction.end)?;
    if !satisfaction.measures.is_empty() {
        let object = facade_json::satisfaction(world, satisfaction);
        record.set_item(intern!(py, "measures"), json::to_python(py, &object["measures"])?)?;
    }
    Ok(record)
}

impl Monitor {
    /// Reads a state into `delta`, and returns it for the history.
    fn read(&mut self, py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<InputState> {
        match &self.input {
            MonitorInput::Fields(_) => {
                let mut line = Vec::new();
                json::write(state, &mut line)?;
                self.read_state(py, InputState::Line(line.into()))
            }
            MonitorInput::Columns { .. } => {
                let row = match state.cast::<PyArray1<f32>>() {
                    Ok(row) => row.readonly().as_array().iter().copied().map(f64::from).collect(),
                    Err(_) => state.extract::<PyReadonlyArray1<'_, f64>>()?.as_array().iter().copied().collect(),
                };
                self.read_state(py, InputState::Row(row))
            }
        }
    }

    /// Reads a state into `delta`, and returns it for the history.
    fn read_state(&mut self, py: Python<'_>, state: InputState) -> PyResult<InputState> {
        let number = self.inner.steps() + 1;
        let result = match (&mut self.input, &state) {
            (MonitorInput::Fields(decoder), InputState::Line(line)) => {
                decoder.decode(line, &mut self.delta).map(|_| ())
            }
            (MonitorInput::Columns { columns, previous }, InputState::Row(row)) => {
                if row.len() != columns.count() {
                    return Err(value_error(format!(
                        "expected a state of {} numbers, one for each column, found {}",
                        columns.count(),
                        row.len()
                    )));
                }
                let filled = columns.fill(row, previous.as_deref(), number - 1, &mut self.delta);
                if filled.is_ok() {
                    let previous = previous.get_or_insert_default();
                    previous.clear();
                    previous.extend_from_slice(row);
                }
                filled
            }
            _ => return Err(value_error("the state is of another kind than those of the monitor")),
        };
        result.map_err(|error| trace_error(py, error.into_diagnostic(), Some(number)))?;
        Ok(state)
    }

    /// Processes the state in `delta`.
    fn advance(
        &mut self,
        py: Python<'_>,
        state: InputState,
        time: Option<f64>,
        action: Option<&str>,
        last: bool,
    ) -> PyResult<ProgramVerdict> {
        if time.is_some() {
            self.delta.time = time;
        }
        if let Some(action) = action {
            self.delta.action = Some(action.into());
        }
        let verdict = self.inner.step(&self.delta, last).map_err(|error| step_error(py, *error, self.inner.steps()))?;
        self.history.push(|| Input { state, time, action: action.map(Box::from), last });
        Ok(verdict)
    }
}

/// Returns the exception for a step that failed.
fn step_error(py: Python<'_>, error: Diagnostic, states: u64) -> PyErr {
    if error.code == codes::OVER_BUDGET { refused_error(py, &error) } else { trace_error(py, error, Some(states)) }
}

/// Returns the outcome of an episode as a dictionary, as `goalspec score` prints it.
fn outcome<'py>(
    py: Python<'py>,
    library: &library::Library,
    program: &CompiledProgram,
    report: goalspec::report::ProgramReport,
    trace: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let outcome = ProgramOutcome {
        program: Arc::clone(&program.program().name),
        trace: trace.into(),
        world: Arc::clone(program.world()),
        report,
        rewards: Vec::new(),
        lanes: None,
        budget_exceeded: None,
    };
    json::to_python(py, &facade_json::outcome(&outcome, library.sources()))
}

/// The monitors of many environments.
#[pyclass(module = "goalspec._core")]
pub(crate) struct MonitorBatch {
    library: Arc<library::Library>,
    program: CompiledProgram,
    monitors: batch::MonitorBatch,
    history: BatchHistory,
    step: BatchStep,
}

/// The inputs of an environment: its rows one after the other, whether each was known to be the last one, and whether the episode was finished.
type PlainEpisode<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>, bool);

/// As [`PlainEpisode`], from Python.
type GivenEpisode<'py> = (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, bool>, bool);

/// The results of a step: rewards, scores, whether each environment is done, and the satisfactions of each preference.
type BatchResults<'py> =
    (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray2<i32>>);

#[pymethods]
impl MonitorBatch {
    /// Steps the environments, or those of `selected`, with the rows of a matrix of states.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        states: PyReadonlyArray2<'py, f64>,
        selected: Option<PyReadonlyArray1<'py, bool>>,
        last: Option<PyReadonlyArray1<'py, bool>>,
    ) -> PyResult<BatchResults<'py>> {
        let count = self.monitors.count();
        let shape = states.as_array().dim();
        if shape != (count, self.history.width()) {
            return Err(value_error(format!(
                "expected states of the shape ({count}, {}), one row for each environment, found {shape:?}",
                self.history.width()
            )));
        }
        let states = states.as_slice().map_or_else(|_| states.as_array().iter().copied().collect(), <[f64]>::to_vec);
        let mask = |name: &str, mask: Option<PyReadonlyArray1<'py, bool>>, default: bool| {
            let values = mask.map_or_else(|| vec![default; count], |mask| mask.as_array().to_vec());
            if values.len() == count {
                Ok(values)
            } else {
                Err(value_error(format!("expected {count} truth values for {name}, found {}", values.len())))
            }
        };
        let (selected, last) = (mask("where", selected, true)?, mask("last", last, false)?);
        self.advance(py, StepInputs { states, last, selected })?;
        let parts = self.monitors.parts();
        let satisfied = PyArray1::from_iter(
            py,
            self.step.satisfied.iter().map(|&number| i32::try_from(number).unwrap_or(i32::MAX)),
        );
        Ok((
            PyArray1::from_slice(py, &self.step.rewards),
            PyArray1::from_slice(py, &self.step.scores),
            PyArray1::from_slice(py, &self.step.done),
            satisfied.reshape([count, parts])?,
        ))
    }

    /// Returns the reward of an environment for its next state if that were not known to be the last one, and whether its game would be
    /// over.
    fn peek(&self, py: Python<'_>, environment: usize, row: PyReadonlyArray1<'_, f64>) -> PyResult<(f64, bool)> {
        let (row, width) = (row.as_array().to_vec(), self.history.width());
        if environment >= self.monitors.count() || row.len() != width {
            return Err(value_error(format!("expected an environment, and a state of {width} numbers")));
        }
        let steps = self.monitors.states(environment);
        self.monitors.peek(environment, &row).map_err(|error| step_error(py, *error, steps))
    }

    /// Restarts the selected environments.
    fn reset(&mut self, selected: PyReadonlyArray1<'_, bool>) -> PyResult<()> {
        let (count, selected) = (self.monitors.count(), selected.as_array());
        if selected.len() != count {
            return Err(value_error(format!("expected {count} truth values for where, found {}", selected.len())));
        }
        selected.iter().enumerate().filter(|(_, is_selected)| **is_selected).for_each(|(environment, _)| {
            self.monitors.reset(environment);
            self.history.reset(environment);
        });
        Ok(())
    }

    /// Ends the episode of an environment and returns its outcome as a dictionary.
    fn finish<'py>(&mut self, py: Python<'py>, environment: usize, trace: &str) -> PyResult<Bound<'py, PyAny>> {
        if environment >= self.monitors.count() {
            return Err(PyIndexError::new_err("there is no such environment"));
        }
        let report = self.monitors.finish(environment);
        self.history.finish(environment, self.monitors.states(environment) > 0);
        outcome(py, &self.library, &self.program, report, trace)
    }

    /// Returns the inputs of each environment since the start of its episode, from which new monitors reach the same states.
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Vec<PlainEpisode<'py>>> {
        let Some(episodes) = self.history.episodes() else {
            let message = format!(
                "monitors whose states since the start of the episodes have more than {MAX_NUMBERS} numbers cannot be pickled: reset them first"
            );
            return Err(PyRuntimeError::new_err(message));
        };
        let plain = |episode: &EpisodeInputs| {
            let (rows, last) = (PyArray1::from_slice(py, &episode.rows), PyArray1::from_slice(py, &episode.last));
            (rows, last, episode.finished)
        };
        Ok(episodes.iter().map(plain).collect())
    }

    /// Processes inputs that `inputs` returned, before the first step.
    fn replay(&mut self, py: Python<'_>, inputs: Vec<GivenEpisode<'_>>) -> PyResult<()> {
        let (count, width) = (self.monitors.count(), self.history.width());
        let read =
            |(rows, last, finished): &GivenEpisode<'_>| (rows.as_array().to_vec(), last.as_array().to_vec(), *finished);
        let episodes: Vec<(Vec<f64>, Vec<bool>, bool)> = inputs.iter().map(read).collect();
        if episodes.len() != count || episodes.iter().any(|(rows, last, _)| rows.len() != last.len() * width) {
            return Err(value_error(format!("expected the inputs of {count} environments")));
        }
        let longest = episodes.iter().map(|(_, last, _)| last.len()).max().unwrap_or_default();
        for step in 0..longest {
            let selected: Vec<bool> = episodes.iter().map(|(_, last, _)| step < last.len()).collect();
            let lasts: Vec<bool> =
                episodes.iter().map(|(_, last, _)| last.get(step).copied().unwrap_or_default()).collect();
            let mut states = vec![0.0; count * width];
            for (environment, (rows, ..)) in
                episodes.iter().enumerate().filter(|(environment, _)| selected[*environment])
            {
                states[environment * width..][..width].copy_from_slice(&rows[step * width..][..width]);
            }
            self.advance(py, StepInputs { states, last: lasts, selected })?;
        }
        for (environment, _) in episodes.iter().enumerate().filter(|(_, (.., finished))| *finished) {
            self.monitors.finish(environment);
            self.history.finish(environment, self.monitors.states(environment) > 0);
        }
        Ok(())
    }

    /// Writes the features of all environments into an array.
    fn features(&self, mut out: PyReadwriteArray2<'_, f32>) -> PyResult<()> {
        let (count, width) = (self.monitors.count(), self.program.feature_names().len());
        let shape = out.as_array().dim();
        if shape != (count, width) {
            return Err(value_error(format!(
                "expected an array of the shape ({count}, {width}) for out, found {shape:?}"
            )));
        }
        let out = out.as_slice_mut().map_err(|_| value_error("expected a contiguous array for out"))?;
        let rows = out.chunks_exact_mut(width).enumerate();
        rows.for_each(|(environment, row)| self.monitors.features(environment, row));
        Ok(())
    }
}

impl MonitorBatch {
    /// Steps the selected environments with the rows of a matrix of states.
    fn advance(&mut self, py: Python<'_>, inputs: StepInputs) -> PyResult<()> {
        let (monitors, step) = (&mut self.monitors, &mut self.step);
        let count = inputs.selected.len();
        let mut advance = || monitors.step_selected(&inputs.states, &inputs.last, &inputs.selected, step);
        let stepped = if count < MIN_ENVIRONMENTS_WITHOUT_GIL { advance() } else { py.detach(advance) };
        // If a program exceeds its budget, all environments are stepped nevertheless.
        if stepped.as_ref().err().is_none_or(|error| error.code == codes::OVER_BUDGET) {
            self.history.push(inputs, &self.step.done);
        }
        stepped.map_err(|error| step_error(py, *error, 0))
    }
}
