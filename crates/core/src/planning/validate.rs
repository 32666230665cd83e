//! Validation of plans: whether a plan solves a task, and the reasons if it does not.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::execute::{Execution, StepError};
use super::plan::{Plan, PlanStep};
use super::remedy::remedies;
use super::task::{MetricExpression, Task, TrajectoryConstraint};
use crate::evaluate::{self, Bindings};
use crate::explain::{self, Notation};
use crate::ids::{ObjectId, PredicateId};
use crate::interpret::GameInterpreter;
use crate::monitor::{self, Evidence, GameMonitor, GameReport, MonitorError};
use crate::program::{Conjunct, Game, Preference, Quantifier, ScoreExpression};
use crate::state::{ChangeSet, Delta, ObjectArguments};

/// Maximum number of remedies to list for a missing fact.
const MAX_REMEDIES: usize = 3;

/// A condition that a step or the goal requires and that does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct UnmetCondition {
    /// The atom and its value.
    pub blame: Evidence,
    /// The number, counted from 1, of the latest step that gave it this value; `None` if it had the value in the initial state, or if it is
    /// not a single fact.
    pub since: Option<usize>,
    /// Steps that would be applicable in that state and give the atom the opposite value.
    pub remedies: Vec<PlanStep>,
}

/// A constraint or preference that is violated, for one assignment of its enclosing variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// The index in [`Task::constraints`] or [`Task::preferences`].
    pub index: usize,
    /// The enclosing variables and the objects bound to them.
    pub binding: Vec<(Arc<str>, ObjectId)>,
}

/// The result of validating a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    /// The number of steps that were applicable.
    pub applied_steps: usize,
    /// The reason why the next step was not applicable, if there is one.
    pub error: Option<StepError>,
    /// The unmet conditions of the inapplicable step or, if all steps were applicable, of the goal.
    pub unmet_conditions: Vec<UnmetCondition>,
    /// Whether the goal holds after the last applicable step.
    pub goal_holds: bool,
    /// The violated constraints.
    pub constraints: Vec<Violation>,
    /// The violated preferences, except those of actions.
    pub preferences: Vec<Violation>,
    /// The number of violations of each preference name, including preferences of actions. Names without violations are present with 0.
    pub violations: IndexMap<Arc<str>, u64, FxBuildHasher>,
    /// The value of the metric, or the number of steps if the task has none; `None` if the metric is undefined.
    pub metric: Option<f64>,
}

impl Validation {
    /// Whether the plan solves the task: all steps are applicable, the goal holds, and no constraint is violated.
    pub fn is_valid(&self) -> bool {
        self.error.is_none() && self.goal_holds && self.constraints.is_empty()
    }
}

/// A step that was skipped because it was not applicable.
#[derive(Debug, Clone, PartialEq)]
pub struct SkippedStep {
    /// The index of the step.
    pub index: usize,
    /// The reason why it was not applicable.
    pub error: StepError,
    /// The unmet conditions of its precondition.
    pub unmet_conditions: Vec<UnmetCondition>,
}

/// The applicable steps of a sequence, and those that were skipped.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ApplicableSteps {
    /// The applicable steps.
    pub plan: Plan,
    /// For each step of the plan its index in the sequence.
    pub indices: Vec<usize>,
    /// The steps that were not applicable.
    pub skipped: Vec<SkippedStep>,
}

/// The reason why a plan could not be validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValidationError {
    /// A derived predicate depends negatively on itself.
    NegativeCycle(PredicateId),
    /// A constraint or preference exceeds the limits of the monitor.
    Monitor(MonitorError),
    /// The validation was cancelled.
    Cancelled,
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NegativeCycle(predicate) => {
                write!(f, "the derived predicate with the index {} depends on its own negation", predicate.index())
            }
            Self::Monitor(error) => error.fmt(f),
            Self::Cancelled => f.write_str("validation was stopped"),
        }
    }
}

impl std::error::Error for ValidationError {}

/// Executes a plan and validates it.
///
/// # Errors
/// If the task cannot be validated.
///
/// # Panics
/// If the plan contains ids that are not in the task.
pub fn validate(task: &Task, plan: &Plan, notation: &dyn Notation) -> Result<Validation, ValidationError> {
    validate_with_cancellation(task, plan, notation, &|| false)
}

/// Like [`validate`], but cancellable: `is_cancelled` is called before each step, and cancels the validation by returning true.
///
/// # Errors
/// If the task cannot be validated, or the validation was cancelled.
///
/// # Panics
/// If the plan contains ids that are not in the task.
pub fn validate_with_cancellation(
    task: &Task,
    plan: &Plan,
    notation: &dyn Notation,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Validation, ValidationError> {
    let mut execution = Execution::new(task).map_err(ValidationError::NegativeCycle)?;
    let mut monitor =
        GameInterpreter::new(task.world.clone(), constraint_game(task)).map_err(ValidationError::Monitor)?;
    let mut since = LastChanges::default();
    observe(&mut monitor, &execution, execution.initial_delta().clone(), true);
    let (mut applied, mut fault) = (0, None);
    for step in &plan.steps {
        if is_cancelled() {
            return Err(ValidationError::Cancelled);
        }
        match execution.apply(step, notation) {
            Ok(delta) => {
                applied += 1;
                since.extend(delta.facts.iter().map(|fact| ((fact.predicate, fact.arguments.clone()), applied)));
                observe(&mut monitor, &execution, delta, false);
            }
            Err(found) => {
                fault = Some(found);
                break;
            }
        }
    }
    let report = monitor.finish(execution.state());
    let no_objects = FixedBitSet::new();
    let ctx = execution.context(&no_objects);
    let (goal, missing) = evaluate_goal(&ctx, task, notation);
    let evidence = match &fault {
        Some(StepError::Precondition(unmet)) => unmet.clone(),
        Some(_) => Vec::new(),
        None => missing,
    };
    let violated = violated(task, &report, &execution);
    let (constraints, preferences): (Vec<_>, Vec<_>) =
        violated.into_iter().partition(|violation| violation.index < task.constraints.len());
    let shifted = |violation: Violation| Violation { index: violation.index - task.constraints.len(), ..violation };
    let preferences: Vec<Violation> = preferences.into_iter().map(shifted).collect();
    let mut violations = counts(task, &execution);
    for violation in &preferences {
        *violations.entry(task.preferences[violation.index].name.clone()).or_default() += 1;
    }
    let metric =
        task.metric.as_ref().map_or(Some(applied as f64), |metric| value(&metric.expression, &execution, &violations));
    let unmet_conditions = unmet_conditions(evidence, &execution, &since);
    Ok(Validation {
        applied_steps: applied,
        error: fault,
        unmet_conditions,
        goal_holds: goal,
        constraints,
        preferences,
        violations,
        metric,
    })
}

/// Executes a sequence of steps and skips those that are not applicable in the state in which they come, or `None`. The steps that remain form
/// an executable plan.
///
/// # Errors
/// If derived predicates of the task depend on their own negation.
///
/// # Panics
/// If the steps contain ids that are not in the task.
pub fn applicable_steps(
    task: &Task,
    steps: &[Option<PlanStep>],
    notation: &dyn Notation,
) -> Result<ApplicableSteps, ValidationError> {
    let mut execution = Execution::new(task).map_err(ValidationError::NegativeCycle)?;
    let mut since = LastChanges::default();
    let mut found = ApplicableSteps::default();
    for (index, step) in steps.iter().enumerate().filter_map(|(index, step)| Some((index, step.as_ref()?))) {
        match execution.apply(step, notation) {
            Ok(delta) => {
                since.extend(delta.facts.into_iter().map(|fact| ((fact.predicate, fact.arguments), index + 1)));
                found.plan.steps.push(step.clone());
                found.indices.push(index);
            }
            Err(error) => {
                let evidence = if let StepError::Precondition(unmet) = &error { unmet.clone() } else { Vec::new() };
                let unmet_conditions = unmet_conditions(evidence, &execution, &since);
                found.skipped.push(SkippedStep { index, error, unmet_conditions });
            }
        }
    }
    Ok(found)
}

/// For each fact the number of the latest step that changed it.
type LastChanges = FxHashMap<(PredicateId, ObjectArguments), usize>;

/// Adds to unmet conditions the steps since which they are unmet, and remedies.
fn unmet_conditions(evidence: Vec<Evidence>, execution: &Execution<'_>, since: &LastChanges) -> Vec<UnmetCondition> {
    let unmet_condition = |evidence: Evidence| {
        let fact = evidence.fact.as_ref();
        let remedies = fact.map_or_else(Vec::new, |fact| remedies(execution, fact, !evidence.value, MAX_REMEDIES));
        UnmetCondition { since: fact.and_then(|fact| since.get(fact).copied()), remedies, blame: evidence }
    };
    evidence.into_iter().map(unmet_condition).collect()
}

/// Evaluates the goal, and returns whether it holds and the atoms that prevent it from holding.
fn evaluate_goal(ctx: &evaluate::Context<'_>, task: &Task, notation: &dyn Notation) -> (bool, Vec<Evidence>) {
    let mut bindings = Bindings::new(&task.goal.scope);
    let conjuncts = &task.goal.conjuncts;
    let holds = conjuncts.iter().all(|part| evaluate::condition(ctx, &part.condition, &mut bindings));
    let unmet = |part: &Conjunct| explain::explain_unmet(ctx, &part.condition, part.origin, &mut bindings, notation);
    (holds, conjuncts.iter().flat_map(unmet).collect())
}

fn observe(monitor: &mut GameInterpreter, execution: &Execution<'_>, delta: Delta, first: bool) {
    let changes = ChangeSet {
        all: first,
        facts: delta.facts.into_iter().map(|fact| (fact.predicate, fact.arguments)).collect(),
        fluents: delta.fluents.into_iter().map(|fluent| (fluent.function, fluent.arguments)).collect(),
        ..ChangeSet::default()
    };
    let (state, clock) = (execution.state(), execution.steps());
    monitor.step(&monitor::StateUpdate {
        state,
        changes: &changes,
        listed_objects: &[],
        unknown_objects: 0,
        clock,
        time: None,
        last: false,
    });
}

/// Converts the constraints and preferences to a game without a score, whose preferences they are.
fn constraint_game(task: &Task) -> Game {
    let preference = |requirement: &TrajectoryConstraint| Preference {
        name: requirement.name.clone(),
        scope: requirement.scope.clone(),
        external: requirement.external.clone(),
        inner: Vec::new(),
        quantifier: Quantifier::Exists,
        distinct: Vec::new(),
        pattern: requirement.pattern.clone(),
        origin: requirement.origin,
    };
    Game {
        name: task.name.clone(),
        setup: None,
        preferences: task.constraints.iter().chain(&task.preferences).map(preference).map(Arc::new).collect(),
        terminal: None,
        score: ScoreExpression::Number(0.0),
    }
}

/// Returns the violations: the assignments of enclosing variables that have no satisfaction.
fn violated(task: &Task, report: &GameReport, execution: &Execution<'_>) -> Vec<Violation> {
    let no_objects = FixedBitSet::new();
    let ctx = execution.context(&no_objects);
    let mut violated = Vec::new();
    let requirements = task.constraints.iter().chain(&task.preferences).zip(&report.preferences);
    for (place, (requirement, report)) in requirements.enumerate() {
        let satisfied: FxHashSet<Vec<ObjectId>> = report
            .satisfactions
            .iter()
            .map(|satisfaction| satisfaction.binding.iter().map(|(_, object)| *object).collect())
            .collect();
        let mut bindings = Bindings::new(&requirement.scope);
        let mut visit = |bindings: &mut Bindings<'_>| {
            let bound = requirement.external.iter().filter_map(|&variable| {
                let name = requirement.scope.get(variable).name.clone();
                super::execute::object(bindings, variable).map(|object| (name, object))
            });
            let binding: Vec<(Arc<str>, ObjectId)> = bound.collect();
            if !satisfied.contains(&binding.iter().map(|(_, object)| *object).collect::<Vec<_>>()) {
                violated.push(Violation { index: place, binding });
            }
            ControlFlow::<()>::Continue(())
        };
        let _ = evaluate::for_each_assignment(&ctx, &requirement.external, &mut bindings, &mut visit);
    }
    violated
}

/// Returns the number of violations of preferences of actions, by name, together with 0 for the other names.
fn counts(task: &Task, execution: &Execution<'_>) -> IndexMap<Arc<str>, u64, FxBuildHasher> {
    let of_actions = task.actions.iter().flat_map(|action| &action.preferences).map(|preference| &preference.name);
    let names = task.preferences.iter().map(|preference| &preference.name).chain(of_actions);
    names.map(|name| (name.clone(), execution.violations(name))).collect()
}

fn value(
    metric: &MetricExpression,
    execution: &Execution<'_>,
    violations: &IndexMap<Arc<str>, u64, FxBuildHasher>,
) -> Option<f64> {
    let part = |metric: &MetricExpression| value(metric, execution, violations);
    let pair = |parts: &[MetricExpression; 2]| Some((part(&parts[0])?, part(&parts[1])?));
    match metric {
        MetricExpression::Number(number) => Some(*number),
        MetricExpression::Call(function, terms, _) => {
            let objects = terms.iter().map(|term| match term {
                crate::condition::Term::Object(object) => Some(*object),
                _ => None,
            });
            execution.state().fluent(*function, &objects.collect::<Option<ObjectArguments>>()?)
        }
        MetricExpression::TotalTime => Some(execution.steps() as f64),
        MetricExpression::Violations(name) => Some(violations.get(name).copied().unwrap_or(0) as f64),
        MetricExpression::Add(parts) => parts.iter().map(part).sum(),
        MetricExpression::Multiply(parts) => parts.iter().map(part).product(),
        MetricExpression::Subtract(parts) => pair(parts).map(|(left, right)| left - right),
        MetricExpression::Divide(parts) => {
            pair(parts).filter(|&(_, right)| right != 0.0).map(|(left, right)| left / right)
        }
    }
}
