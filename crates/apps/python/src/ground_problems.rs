//! Planning problems that an agent steps.

use goalspec::core::planning::task::Task;
use goalspec::core::state::ObjectArguments;
use goalspec::planner::ground::{GroundError, GroundLimits, GroundScope, ground_scope};
use goalspec::planner::transition_system::{SystemState, TransitionSystem};
use goalspec::planning::memory;
use goalspec::planning::problem::PlanningProblem;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use crate::background;
use crate::errors::value_error;
use crate::library::Library;
use crate::planning::{GoalArgument, problem};

/// A planning problem in one of its states.
#[pyclass(module = "goalspec._core")]
pub(crate) struct GroundProblem {
    system: TransitionSystem,
    state: SystemState,
    actions: Vec<String>,
    facts: Vec<String>,
    fluents: Vec<String>,
}

/// Grounds a planning problem or an activity.
#[pyfunction]
pub(crate) fn ground_problem(
    py: Python<'_>,
    library: &Library,
    index: usize,
    goal: Option<GoalArgument>,
    memory_limit: u64,
) -> PyResult<GroundProblem> {
    let (problem, ..) = problem(py, library, index, goal.as_ref(), false)?;
    let task = &problem.task;
    if !problem.extra_goals().is_empty() || !task.constraints.is_empty() || !task.preferences.is_empty() {
        return Err(value_error(format!(
            "`{}` has trajectory constraints, preferences, or the preference of a game as its goal: an environment needs a goal that one \
             state decides",
            task.name
        )));
    }
    let memory = memory::available(memory_limit).bytes;
    background::run(py, move |cancelled| {
        let limits = GroundLimits { memory, ..GroundLimits::default() };
        let mut observe = |_: &_| {
            if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        grounded(&problem, &limits, &mut observe)
    })?
}

/// Grounds a problem with all its steps.
fn grounded<'a>(
    problem: &PlanningProblem,
    limits: &'a GroundLimits,
    observe: &'a mut goalspec::planner::ground::GroundObserver<'a>,
) -> PyResult<GroundProblem> {
    let task = &*problem.task;
    let grounding = ground_scope(task, GroundScope::WithIrrelevant, limits, observe);
    let grounding = grounding.map_err(|error: GroundError| value_error(format!("`{}`: {error}", task.name)))?;
    if !grounding.is_goal_relaxed_reachable {
        return Err(value_error(format!("the goal of `{}` cannot be reached", task.name)));
    }
    let system = TransitionSystem::new(&grounding.task);
    let system =
        system.ok_or_else(|| value_error(format!("`{}` has conditions that need auxiliary steps", task.name)))?;
    let world = &task.world;
    let facts = system.atoms().map(|(id, arguments)| atom_text(task, &world.predicate(*id).name, arguments)).collect();
    let numbers = system.numeric_variables().iter();
    let fluents = numbers.map(|number| atom_text(task, &world.function(number.function).name, &number.arguments));
    Ok(GroundProblem {
        state: system.initial(),
        actions: system.actions().iter().map(|step| problem.step_text(step)).collect(),
        facts,
        fluents: fluents.collect(),
        system,
    })
}

/// Returns an atom in prefix notation.
fn atom_text(task: &Task, name: &str, arguments: &ObjectArguments) -> String {
    let objects = arguments.iter().map(|&object| &*task.world.object_decl(object).id);
    let words: Vec<&str> = std::iter::once(name).chain(objects).collect();
    format!("({})", words.join(" "))
}

#[pymethods]
impl GroundProblem {
    /// Returns the texts of the actions.
    fn actions(&self) -> Vec<String> {
        self.actions.clone()
    }

    /// Returns the costs of the actions, float64[actions].
    fn costs<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, (0..self.actions.len()).map(|action| self.system.cost(action)))
    }

    /// Returns the names of the facts that can change.
    fn fact_names(&self) -> Vec<String> {
        self.facts.clone()
    }

    /// Returns the names of the numbers.
    fn fluent_names(&self) -> Vec<String> {
        self.fluents.clone()
    }

    /// Returns to the initial state.
    fn reset(&mut self) {
        self.state = self.system.initial();
    }

    /// Applies an action; returns whether it was applicable.
    fn step(&mut self, action: usize) -> PyResult<bool> {
        if action >= self.actions.len() {
            return Err(value_error(format!("expected an action below {}, found {action}", self.actions.len())));
        }
        let successor = self.system.apply(&self.state, action);
        let is_applicable = successor.is_some();
        if let Some(state) = successor {
            self.state = state;
        }
        Ok(is_applicable)
    }

    /// Returns for each action whether it is applicable, int8[actions].
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        PyArray1::from_iter(py, self.system.applicable(&self.state).into_iter().map(i8::from))
    }

    /// Returns for each fact whether it holds, int8[facts].
    fn facts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        PyArray1::from_iter(py, self.system.truths(&self.state).map(i8::from))
    }

    /// Returns the numbers, float64[fluents]; NaN where undefined.
    fn fluents<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.system.numbers(&self.state))
    }

    /// Whether the goal holds.
    fn is_goal(&self) -> bool {
        self.system.is_goal(&self.state)
    }

    /// Returns the share of the facts of the goal that hold.
    fn progress(&self) -> f64 {
        self.system.goal_share(&self.state)
    }
}
