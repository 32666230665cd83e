//! Validation of plans: whether a plan solves a task, and the reasons if it does not.

use std::ops::ControlFlow;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::execute::{Execution, Fault};
use super::mend::remedies;
use super::plan::{Plan, Step};
use super::task::{MetricValue, Requirement, Task};
use crate::evaluate::{self, Bindings};
use crate::explain::{self, Notation};
use crate::ids::{ObjectId, PredicateId};
use crate::interpret::Interpreter;
use crate::monitor::{self, Blame, Monitor, Refusal, Report};
use crate::program::{Conjunct, Game, Preference, Quantifier, Score};
use crate::state::{Arguments, ChangeSet, Delta};

/// Maximum number of remedies to list for a missing fact.
const MOST_REMEDIES: usize = 3;

/// A condition that a step or the goal requires and that does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Lack {
    /// The atom and its value.
    pub blame: Blame,
    /// The number, counted from 1, of the latest step that gave it this value; `None` if it had the value in the initial state, or if it is
    /// not a single fact.
    pub since: Option<usize>,
    /// Steps that would be applicable in that state and give the atom the opposite value.
    pub remedies: Vec<Step>,
}

/// A constraint or preference that is violated, for one assignment of its enclosing variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// The index in [`Task::constraints`] or [`Task::preferences`].
    pub place: usize,
    /// The enclosing variables and the objects bound to them.
    pub binding: Vec<(Arc<str>, ObjectId)>,
}

/// The result of validating a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    /// The number of steps that were applicable.
    pub taken: usize,
    /// The reason why the next step was not applicable, if there is one.
    pub fault: Option<Fault>,
    /// The unmet conditions of the inapplicable step or, if all steps were applicable, of the goal.
    pub lacks: Vec<Lack>,
    /// Whether the goal holds after the last applicable step.
    pub goal: bool,
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
    pub fn valid(&self) -> bool {
        self.fault.is_none() && self.goal && self.constraints.is_empty()
    }
}

/// The reason why a plan could not be validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unjudged {
    /// A derived predicate depends negatively on itself.
    Cycle(PredicateId),
    /// A constraint or preference exceeds the limits of the monitor.
    Refused(Refusal),
    /// The validation was cancelled.
    Halted,
}

/// Executes a plan and validates it.
///
/// # Errors
/// If the task cannot be validated.
///
/// # Panics
/// If the plan contains ids that are not in the task.
pub fn validate(task: &Task, plan: &Plan, notation: &dyn Notation) -> Result<Validation, Unjudged> {
    validate_unless(task, plan, notation, &|| false)
}

/// Like [`validate`], but cancellable: `halted` is called before each step, and cancels the validation by returning true.
///
/// # Errors
/// If the task cannot be validated, or the validation was cancelled.
///
/// # Panics
/// If the plan contains ids that are not in the task.
pub fn validate_unless(
    task: &Task,
    plan: &Plan,
    notation: &dyn Notation,
    halted: &dyn Fn() -> bool,
) -> Result<Validation, Unjudged> {
    let mut execution = Execution::new(task).map_err(Unjudged::Cycle)?;
    let game = requirements(task);
    let mut watch = Interpreter::new(&task.world, &game).map_err(Unjudged::Refused)?;
    let mut since: FxHashMap<(PredicateId, Arguments), usize> = FxHashMap::default();
    observe(&mut watch, &execution, execution.beginning().clone(), true);
    let (mut taken, mut fault) = (0, None);
    for step in &plan.steps {
        if halted() {
            return Err(Unjudged::Halted);
        }
        match execution.take(step, notation) {
            Ok(delta) => {
                taken += 1;
                since.extend(delta.facts.iter().map(|fact| ((fact.predicate, fact.arguments.clone()), taken)));
                observe(&mut watch, &execution, delta, false);
            }
            Err(found) => {
                fault = Some(found);
                break;
            }
        }
    }
    let report = watch.finish(execution.state());
    let nothing = FixedBitSet::new();
    let ctx = execution.context(&nothing);
    let (goal, missing) = judge_goal(&ctx, task, notation);
    let blamed = match &fault {
        Some(Fault::Precondition(lacking)) => lacking.clone(),
        Some(_) => Vec::new(),
        None => missing,
    };
    let lack = |blame: Blame| {
        let fact = blame.fact.as_ref();
        let remedies = fact.map_or_else(Vec::new, |fact| remedies(&execution, fact, !blame.value, MOST_REMEDIES));
        Lack { since: fact.and_then(|fact| since.get(fact).copied()), remedies, blame }
    };
    let violated = violated(task, &report, &execution);
    let (constraints, preferences): (Vec<_>, Vec<_>) =
        violated.into_iter().partition(|violation| violation.place < task.constraints.len());
    let shifted = |violation: Violation| Violation { place: violation.place - task.constraints.len(), ..violation };
    let preferences: Vec<Violation> = preferences.into_iter().map(shifted).collect();
    let mut violations = counts(task, &execution);
    for violation in &preferences {
        *violations.entry(task.preferences[violation.place].name.clone()).or_default() += 1;
    }
    let metric =
        task.metric.as_ref().map_or(Some(taken as f64), |metric| value(&metric.value, &execution, &violations));
    let lacks = blamed.into_iter().map(lack).collect();
    Ok(Validation { taken, fault, lacks, goal, constraints, preferences, violations, metric })
}

/// Evaluates the goal, and returns whether it holds and the atoms that prevent it from holding.
fn judge_goal(ctx: &evaluate::Context<'_>, task: &Task, notation: &dyn Notation) -> (bool, Vec<Blame>) {
    let mut bindings = Bindings::new(&task.goal.scope);
    let conjuncts = &task.goal.conjuncts;
    let holds = conjuncts.iter().all(|part| evaluate::condition(ctx, &part.condition, &mut bindings));
    let lacking = |part: &Conjunct| explain::lacking(ctx, &part.condition, part.origin, &mut bindings, notation);
    (holds, conjuncts.iter().flat_map(lacking).collect())
}

fn observe(watch: &mut Interpreter<'_>, execution: &Execution<'_>, delta: Delta, first: bool) {
    let changes = ChangeSet {
        all: first,
        facts: delta.facts.into_iter().map(|fact| (fact.predicate, fact.arguments)).collect(),
        fluents: delta.fluents.into_iter().map(|fluent| (fluent.function, fluent.arguments)).collect(),
        ..ChangeSet::default()
    };
    let (state, clock) = (execution.state(), execution.steps());
    watch.step(&monitor::Step { state, changes: &changes, mentioned: &[], foreign: 0, clock, time: None, last: false });
}

/// Converts the constraints and preferences to a game without a score, whose preferences they are.
fn requirements(task: &Task) -> Game {
    let preference = |requirement: &Requirement| Preference {
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
        preferences: task.constraints.iter().chain(&task.preferences).map(preference).collect(),
        terminal: None,
        score: Score::Number(0.0),
    }
}

/// Returns the violations: the assignments of enclosing variables that have no satisfaction.
fn violated(task: &Task, report: &Report, execution: &Execution<'_>) -> Vec<Violation> {
    let nothing = FixedBitSet::new();
    let ctx = execution.context(&nothing);
    let mut violated = Vec::new();
    let requirements = task.constraints.iter().chain(&task.preferences).zip(&report.preferences);
    for (place, (requirement, report)) in requirements.enumerate() {
        let satisfied: FxHashSet<Vec<ObjectId>> = report
            .satisfactions
            .iter()
            .map(|satisfaction| satisfaction.binding.iter().map(|(_, object)| *object).collect())
            .collect();
        let mut bindings = Bindings::new(&requirement.scope);
        let mut look = |bindings: &mut Bindings<'_>| {
            let bound = requirement.external.iter().filter_map(|&variable| {
                let name = requirement.scope.get(variable).name.clone();
                super::execute::object(bindings, variable).map(|object| (name, object))
            });
            let binding: Vec<(Arc<str>, ObjectId)> = bound.collect();
            if !satisfied.contains(&binding.iter().map(|(_, object)| *object).collect::<Vec<_>>()) {
                violated.push(Violation { place, binding });
            }
            ControlFlow::<()>::Continue(())
        };
        let _ = evaluate::each_assignment(&ctx, &requirement.external, &mut bindings, &mut look);
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
    metric: &MetricValue,
    execution: &Execution<'_>,
    violations: &IndexMap<Arc<str>, u64, FxBuildHasher>,
) -> Option<f64> {
    let part = |metric: &MetricValue| value(metric, execution, violations);
    let pair = |parts: &[MetricValue; 2]| Some((part(&parts[0])?, part(&parts[1])?));
    match metric {
        MetricValue::Number(number) => Some(*number),
        MetricValue::Call(function, terms, _) => {
            let objects = terms.iter().map(|term| match term {
                crate::condition::Term::Object(object) => Some(*object),
                _ => None,
            });
            execution.state().fluent(*function, &objects.collect::<Option<Arguments>>()?)
        }
        MetricValue::TotalTime => Some(execution.steps() as f64),
        MetricValue::Violations(name) => Some(violations.get(name).copied().unwrap_or(0) as f64),
        MetricValue::Add(parts) => parts.iter().map(part).sum(),
        MetricValue::Multiply(parts) => parts.iter().map(part).product(),
        MetricValue::Subtract(parts) => pair(parts).map(|(left, right)| left - right),
        MetricValue::Divide(parts) => pair(parts).filter(|&(_, right)| right != 0.0).map(|(left, right)| left / right),
    }
}
