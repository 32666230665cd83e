//! Plans, their validation, and the options of goals.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use goalspec::core::planning::plan::Plan as PlanSteps;
use goalspec::goal_options::{self, OptionsRecord};
use goalspec::planner::Objective;
use goalspec::planner::ground::GroundError;
use goalspec::planning::problem::PlanningProblem;
use goalspec::planning::search::Search;
use goalspec::planning::solve::{PlanError, PlanEvent, PlanRequest, solve};
use goalspec::planning::{fallback, json as planning_json, memory};
use goalspec::planning_problems::{self, JudgedPlan};
use goalspec::syntax::suggest::did_you_mean;
use goalspec::syntax::{Diagnostic, Sources};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde_json::Value;

use crate::background;
use crate::diagnostics;
use crate::errors::{check_error, refused_error, value_error};
use crate::json;
use crate::library::Library;

/// The time that a cancelled search has to return a plan that it found: a plan is worth more than a prompt end, and searches stop far sooner
/// unless the machine is busy.
const PLAN_GRACE_PERIOD: Duration = Duration::from_secs(5);

/// The options of `plan`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PlanArguments {
    search: String,
    optimal: bool,
    improve: bool,
    /// In seconds.
    time_limit: Option<f64>,
    /// In bytes.
    memory_limit: u64,
    seed: u64,
    jobs: Option<usize>,
}

/// The goal that replaces or extends that of a problem.
#[derive(FromPyObject)]
pub(crate) enum GoalArgument {
    /// A preference of a game of the library.
    Preference(usize, Option<String>),
    /// A PDDL condition.
    Condition(String),
}

/// The result of planning: the record that `goalspec plan --format json` prints, and the plan.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct Plan {
    problem: PlanningProblem,
    steps: Option<PlanSteps>,
    record: Value,
    found: Vec<Diagnostic>,
    sources: Sources,
}

#[pymethods]
impl Plan {
    /// Returns the record as a dictionary.
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.record)
    }

    /// Returns the diagnostics of the problem and of planning.
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        diagnostics::to_python(py, &self.found, &self.sources)
    }

    /// Returns the states of the plan in the trace format; `None` without a plan.
    fn states(&self) -> PyResult<Option<Vec<u8>>> {
        let Some(plan) = &self.steps else { return Ok(None) };
        let mut states = Vec::new();
        self.problem.write_states(plan, &mut states).map_err(|error| value_error(error.to_string()))?;
        Ok(Some(states))
    }

    /// Returns the world of the states.
    fn world(&self) -> crate::traces::World {
        crate::traces::World(Arc::clone(&self.problem.task.world))
    }
}

/// Returns the planning problem of a program with the requested goal, the texts, and the findings about the goal.
pub(crate) fn problem(
    py: Python<'_>,
    library: &Library,
    index: usize,
    goal: Option<&GoalArgument>,
    keep_goal: bool,
) -> PyResult<(PlanningProblem, Sources, Vec<Diagnostic>)> {
    let program = library.program(index)?;
    let mut sources = library.shared().sources().clone();
    let invalid = |error: Box<Diagnostic>| value_error(error.message);
    let problem = planning_problems::planning_problem(library.shared(), program).map_err(invalid)?;
    let Some(problem) = problem else {
        let unsupported = program.as_planning().map_or(&[][..], |problem| &problem.unsupported);
        let found: Vec<Diagnostic> = library.shared().diagnostics().iter().chain(unsupported).cloned().collect();
        if found.iter().any(Diagnostic::is_error) {
            return Err(check_error(py, &found, &sources));
        }
        return Err(value_error(format!("`{}` is not a planning problem or an activity", program.name)));
    };
    match goal {
        None => Ok((problem, sources, Vec::new())),
        Some(GoalArgument::Preference(game, preference)) => {
            let game = library.program(*game)?;
            let problem = planning_problems::with_preference(problem, game, preference.as_deref(), keep_goal);
            Ok((problem.map_err(invalid)?, sources, Vec::new()))
        }
        Some(GoalArgument::Condition(text)) => {
            let source = sources.add("<goal>", text.as_str());
            let (problem, found) = problem.with_condition(sources.file(source), keep_goal).map_err(invalid)?;
            match problem {
                Some(problem) => Ok((problem, sources, found)),
                None => Err(check_error(py, &found, &sources)),
            }
        }
    }
}

/// Returns the request of the planner.
fn request(arguments: &PlanArguments) -> PyResult<PlanRequest> {
    let Some(search) = Search::named(&arguments.search) else {
        let names = Search::ALL.map(Search::name);
        let suggestion = did_you_mean(&arguments.search, names).map_or(String::new(), |text| format!("; {text}"));
        let message =
            format!("unknown search `{}`: expected one of {}{suggestion}", arguments.search, names.join(", "));
        return Err(value_error(message));
    };
    let time_limit = arguments.time_limit.map(|seconds| {
        let duration = Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero());
        duration.ok_or_else(|| value_error(format!("expected a time limit of more than 0 seconds, found {seconds}")))
    });
    Ok(PlanRequest {
        objective: match (arguments.optimal, arguments.improve) {
            (true, true) => return Err(value_error("optimal and improve exclude each other")),
            (true, false) => Objective::Optimal,
            (false, true) => Objective::Anytime,
            (false, false) => Objective::Satisficing,
        },
        search,
        time_limit: time_limit.transpose()?,
        started_at: Some(Instant::now()),
        memory_limit: memory::available(arguments.memory_limit).bytes,
        threads: arguments.jobs.and_then(NonZeroUsize::new),
        seed: arguments.seed,
        ..PlanRequest::default()
    })
}

/// The plans that were found since the last call of the observer: the number of steps, the metric and the time in seconds.
type FoundPlans = Mutex<Vec<(usize, Option<f64>, f64)>>;

/// Searches for a plan. `on_plan` is called with the number of steps, the metric and the time of every plan that is found. If the call is
/// interrupted, the exception has the best plan so far as `partial`.
#[pyfunction]
pub(crate) fn plan(
    py: Python<'_>,
    library: &Library,
    index: usize,
    goal: Option<GoalArgument>,
    keep_goal: bool,
    arguments: PlanArguments,
    on_plan: Option<Bound<'_, PyAny>>,
) -> PyResult<Plan> {
    let (problem, sources, found) = problem(py, library, index, goal.as_ref(), keep_goal)?;
    let request = request(&arguments)?;
    if !problem.unsupported_literals().is_empty() {
        let record = planning_json::unsupported(&problem);
        return Ok(Plan { problem, steps: None, record, found, sources });
    }
    let events = Arc::new(FoundPlans::default());
    let seen = Arc::clone(&events);
    let mut report = |_: Python<'_>| {
        let plans = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
        let Some(on_plan) = &on_plan else { return Ok(()) };
        plans.into_iter().try_for_each(|plan| on_plan.call1(plan).map(|_| ()))
    };
    let has_plan = Arc::new(AtomicBool::new(false));
    let found_plan = Arc::clone(&has_plan);
    let grace_period = || if found_plan.load(Ordering::Relaxed) { PLAN_GRACE_PERIOD } else { background::GRACE_PERIOD };
    let result = background::run_polled(py, &mut report, &grace_period, move |cancelled| {
        let observe = |event: PlanEvent<'_>| {
            if let PlanEvent::Plan { steps, metric, elapsed } = event {
                has_plan.store(true, Ordering::Relaxed);
                let mut plans = events.lock().unwrap_or_else(PoisonError::into_inner);
                plans.push((steps, metric, elapsed.as_secs_f64()));
            }
        };
        let mut search = |problem: &PlanningProblem, states: Option<usize>| {
            let request = PlanRequest { extra_goals: problem.extra_goals(), max_states: states, ..request.clone() };
            solve(&problem.task, &request, cancelled, &observe)
        };
        let (problem, solved) = fallback::search_with_fallback(problem, &mut search);
        let solved = solved.map_err(|error| Box::new((problem.clone(), error)))?;
        let plan = solved.plan.as_ref().map(|(plan, _)| plan.clone());
        let verdict = plan.as_ref().and_then(|plan| problem.verdict(plan));
        let record = planning_json::result(&problem, &solved, verdict.as_ref(), None);
        let mut found = found;
        found.extend(problem.diagnostics(&solved));
        Ok::<_, Box<(PlanningProblem, PlanError)>>(Plan { problem, steps: plan, record, found, sources })
    });
    match background::after_report(report(py), result) {
        Ok(Ok(plan)) => Ok(plan),
        Ok(Err(failed)) => Err(plan_error(py, &failed.0, &failed.1)),
        Err(interrupted) => {
            if let Some(Ok(plan)) = interrupted.partial {
                interrupted.error.value(py).setattr("partial", plan)?;
            }
            Err(interrupted.error)
        }
    }
}

/// Returns the exception for planning that ended without a result.
fn plan_error(py: Python<'_>, problem: &PlanningProblem, error: &PlanError) -> PyErr {
    match error {
        PlanError::Search(_) => PyValueError::new_err(error.to_string()),
        PlanError::Ground(GroundError::Cancelled) => py.check_signals().err().unwrap_or_else(|| {
            pyo3::exceptions::PyKeyboardInterrupt::new_err("interrupted while grounding, before a plan was found")
        }),
        _ => refused_error(py, &error.diagnostic(&problem.task)),
    }
}

/// Validates a plan, one step per line, and returns the record that `goalspec validate --format json` prints, with diagnostics.
#[pyfunction]
pub(crate) fn validate<'py>(
    py: Python<'py>,
    library: &Library,
    index: usize,
    goal: Option<GoalArgument>,
    keep_goal: bool,
    plan: String,
    skips_inapplicable: bool,
) -> PyResult<(Bound<'py, PyAny>, bool, Bound<'py, PyList>)> {
    let (problem, mut sources, mut found) = problem(py, library, index, goal.as_ref(), keep_goal)?;
    let source = sources.add("<plan>", plan);
    let judged = background::run(py, move |_| {
        let judged = JudgedPlan::new(&problem, sources.file(source), skips_inapplicable);
        let judged = judged.map(|judged| {
            let verdict = problem.verdict(&judged.plan);
            let record = judged.record(&problem, verdict.as_ref(), &sources);
            (record, judged.is_valid(verdict.as_ref()), judged.diagnostics(&problem, verdict.as_ref()))
        });
        (judged, sources)
    })?;
    match judged {
        (Ok((record, is_valid, diagnostics)), sources) => {
            found.extend(diagnostics);
            Ok((json::to_python(py, &record)?, is_valid, diagnostics::to_python(py, &found, &sources)?))
        }
        (Err(errors), sources) => Err(check_error(py, &errors, &sources)),
    }
}

/// Returns the ground options of an activity's goal as `goalspec options --format json` prints them, at most `limit` of them listed.
#[pyfunction]
pub(crate) fn options<'py>(
    py: Python<'py>,
    library: &Library,
    index: usize,
    limit: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let program = library.program(index)?;
    let Some(activity) = program.as_activity().filter(|activity| activity.goal.is_some()).cloned() else {
        return Err(value_error(format!("`{}` is not an activity without errors", program.name)));
    };
    let name = Arc::clone(&program.name);
    let record = background::run(py, move |_| {
        let is_complete = Cell::new(true);
        let listing = goal_options::list(&activity, limit);
        serde_json::to_value(OptionsRecord { program: &name, listing, is_complete: &is_complete })
    })?;
    json::to_python(py, &record.map_err(|error| value_error(error.to_string()))?)
}
