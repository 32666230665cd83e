//! Compilation of constraints, preferences and goals of other languages into plain tasks. Conditions on whole runs become
//! facts, effects and goals, so that a planner without support for them solves the task.
//!
//! ```text
//! formula ──> automaton ──> facts, effects ──┐
//! sequence ──> positions ──> facts, effects ─┼──> Task without constraints, and without preferences if they can be counted
//! at the end ──> goal ───────────────────────┘
//! ```
//!
//! # Automata read a state when it is left
//! An automaton follows a run by reading its states in order, but the effects of an action cannot refer to the successor state.
//! Known solutions are to regress conditions through the effects, which blows up with derived predicates and numbers; to insert
//! an action that reads between any two others, which doubles the length of plans; and to read the successor state by derived
//! predicates, which searches and heuristics pay for in every state. This compilation needs none of them. Its facts encode the
//! state of the automaton *before* the current state: every action reads, by conditional effects, the state in which it is
//! applied, and the goal reads the last state by requiring an automaton state that accepts it. The compilation is sound and
//! complete, preserves plans step by step, and treats the first and the last state like all others. It costs one conditional
//! effect per action and transition of the automaton.
//!
//! Runs that can no longer be accepted are pruned. If the automaton only forbids conditions on single states, actions require
//! the opposite and no fact is added; otherwise actions require a fact that is deleted for good. Every condition other than a
//! literal is represented by a derived predicate, which is evaluated once per state instead of once per action.
//!
//! | module | contents |
//! |---|---|
//! | `formula` | formulas in normal form and their progression |
//! | `diagram` | decision diagrams over conditions |
//! | `automaton` | minimal automata of formulas |
//! | `rewrite` | translation of conditions into the compiled task |
//! | `builder` | the compiled task under construction |
//! | `trajectory` | compilation of patterns |
//! | `metric`, `preferences` | compilation of preferences in the metric into action costs |

mod automaton;
mod builder;
mod diagram;
mod formula;
mod metric;
mod preferences;
pub(crate) mod rewrite;
mod trajectory;

use std::fmt;
use std::sync::Arc;

use goalspec_core::condition::{Condition, Origin, Term};
use goalspec_core::ids::{FunctionId, ObjectId, VarId};
use goalspec_core::pattern::Pattern;
use goalspec_core::planning::plan::{Plan, PlanStep};
use goalspec_core::planning::task::{Action, ActionId, Effect, Task, TrajectoryConstraint};
use goalspec_core::program::{Goal, Preference, Quantifier};
use goalspec_core::world::{World, WorldErrorKind};

use builder::{Builder, conjunction};
use preferences::CompiledPreferences;
use rewrite::Rewrite;
use trajectory::{PatternInstance, all_of, one_of};

pub use automaton::MAX_AUTOMATON_STATES;
pub use builder::MAX_ADDITIONS;
pub use formula::{MAX_CONDITIONS, MAX_FORMULA_DEPTH};
pub use preferences::MAX_ACTION_PREFERENCES;

/// Maximum number of assignments of the outer variables of one constraint or preference.
pub const MAX_INSTANCES: usize = 1 << 14;

/// An objective in addition to the task's own goal, or instead of it, over the world of the task.
#[derive(Debug, Clone)]
pub enum ExtraGoal {
    /// The goal must hold in the last state.
    Goal(Arc<Goal>),
    /// The preference must be satisfied at least once. There is no setup phase, so conditions on the setup are false.
    Preference(Arc<Preference>),
}

/// The reason why the compiled task does not optimise preferences or the metric. The metric itself is unchanged, but no action
/// or goal of the compiled task accounts for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IgnoredMetricReason {
    /// The metric is not a linear combination of violations and numbers.
    NonlinearMetric,
    /// The metric improves with every step.
    RewardedSteps,
    /// The metric has a number that actions change other than by increases, or whose increase improves the metric.
    NonMonotoneFluent(FunctionId),
    /// The action has more than [`MAX_ACTION_PREFERENCES`] preferences, a preference with outer variables, or one whose
    /// violation improves the metric.
    ActionPreferences(ActionId),
}

impl IgnoredMetricReason {
    /// Returns an explanation for users.
    pub fn message(self, task: &Task) -> String {
        let why = match self {
            Self::NonlinearMetric => "the metric is not a linear combination of violations and numbers".to_owned(),
            Self::RewardedSteps => "the metric improves with every step".to_owned(),
            Self::NonMonotoneFluent(function) => {
                let name = &task.world.function(function).name;
                format!("the metric contains `{name}`, which is not a cost that is minimized and only increases")
            }
            Self::ActionPreferences(action) => {
                let name = &task.action(action).name;
                format!(
                    "action `{name}` has more than {MAX_ACTION_PREFERENCES} preferences, a quantified preference, \
                     or one whose violation improves the metric"
                )
            }
        };
        let prefers = !task.preferences.is_empty() || task.actions.iter().any(|action| !action.preferences.is_empty());
        let what = if prefers { "preferences are" } else { "the metric is" };
        format!("{what} ignored by the search: {why}")
    }
}

/// The reason why a constraint, preference or goal cannot be compiled.
#[derive(Debug, Clone, PartialEq)]
pub enum CompileErrorKind {
    /// The formula is nested deeper than [`MAX_FORMULA_DEPTH`].
    TooDeep,
    /// The formula has more distinct conditions than the limit allows.
    TooManyConditions {
        /// The limit.
        limit: usize,
    },
    /// The automaton of the formula has more states than the limit allows.
    TooManyStates {
        /// The limit.
        limit: usize,
    },
    /// The progression of the formula, or a decision diagram over its conditions, becomes too large.
    TooComplex,
    /// The outer variables have more assignments than the limit allows.
    TooManyInstances {
        /// The limit.
        limit: usize,
    },
    /// The compilation adds more predicates, rules or effects than the limit allows.
    TooManyAdditions {
        /// The limit.
        limit: usize,
    },
    /// The world rejects the added predicates and functions.
    World(Vec<WorldErrorKind>),
    /// The caller stopped the compilation.
    Cancelled,
}

impl CompileErrorKind {
    /// Returns an error with this reason for a named item.
    fn of(self, name: &Arc<str>, origin: Origin) -> CompileError {
        CompileError { name: name.clone(), origin, kind: self }
    }
}

impl fmt::Display for CompileErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooDeep => write!(f, "the formula exceeds the nesting limit of {MAX_FORMULA_DEPTH}"),
            Self::TooManyConditions { limit } => {
                write!(f, "the formula exceeds the limit of {limit} distinct conditions")
            }
            Self::TooManyStates { limit } => {
                write!(f, "the automaton of the formula exceeds the limit of {limit} states")
            }
            Self::TooComplex => write!(f, "the formula is too complex for an automaton"),
            Self::TooManyInstances { limit } => write!(f, "the bindings of its variables exceed the limit of {limit}"),
            Self::TooManyAdditions { limit } => {
                write!(f, "it exceeds the limit of {limit} additional facts, rules or effects")
            }
            Self::Cancelled => write!(f, "compilation was stopped"),
            Self::World(problems) => {
                let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                write!(f, "the world rejects the additional declarations: {}", problems.join("; "))
            }
        }
    }
}

/// The error for a constraint, preference or goal that cannot be compiled.
#[derive(Debug, Clone, PartialEq)]
pub struct CompileError {
    /// The name of the item; empty if it has none.
    pub name: Arc<str>,
    /// The source location of the item.
    pub origin: Origin,
    /// The reason.
    pub kind: CompileErrorKind,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind: reason, .. } = self;
        if name.is_empty() {
            write!(f, "cannot compile a constraint: {reason}")
        } else {
            write!(f, "cannot compile `{name}`: {reason}")
        }
    }
}

impl std::error::Error for CompileError {}

/// The result of a compilation: a task without constraints.
#[derive(Debug, Clone)]
pub struct Compilation {
    /// The compiled task. Its plans, [mapped back](Self::original_plan), are exactly the plans of the original task that satisfy its
    /// constraints and the extra goals. If nothing is [ignored](Self::ignored), the cost of a plan is at least its metric value
    /// in the original task, and of the plans that map back to the same original plan the cheapest has exactly this value.
    pub task: Task,
    /// The preferences that the task does not optimise.
    pub ignored: Vec<IgnoredMetricReason>,
    /// For each action the original action; `None` for auxiliary actions, which plans omit.
    origins: Vec<Option<ActionId>>,
}

impl Compilation {
    /// Maps a plan of the compiled task to a plan of the original task.
    ///
    /// # Panics
    /// Panics if the plan has action ids that the compiled task lacks.
    pub fn original_plan(&self, plan: &Plan) -> Plan {
        let step = |step: &PlanStep| {
            let action = self.origins[step.action.index()]?;
            Some(PlanStep { action, arguments: step.arguments.clone() })
        };
        Plan { steps: plan.steps.iter().filter_map(step).collect() }
    }
}

/// Whether a task has features that require [compilation](compile): constraints, preferences, or a metric that is a sum.
pub fn needs_compilation(task: &Task) -> bool {
    !task.constraints.is_empty()
        || !task.preferences.is_empty()
        || task.actions.iter().any(|action| !action.preferences.is_empty())
        || task.metric.as_ref().is_some_and(|metric| preferences::is_sum(&metric.expression))
}

/// Compiles constraints, preferences and extra goals into a task.
///
/// `keeps_goal` determines whether the task's own goal is kept.
///
/// # Errors
/// Returns a [`CompileError`] if a constraint, preference or goal exceeds a limit.
///
/// # Panics
/// Panics if an argument has ids that the task's world lacks.
pub fn compile(task: &Task, extra_goals: &[ExtraGoal], keeps_goal: bool) -> Result<Compilation, CompileError> {
    compile_with_cancellation(task, extra_goals, keeps_goal, &|| false)
}

/// Compiles as [`compile()`] does, but polls `is_cancelled` for every state of an automaton, and stops once it returns `true`.
///
/// # Errors
/// Returns a [`CompileError`] if a constraint, preference or goal exceeds a limit, or if `is_cancelled` returns `true`.
///
/// # Panics
/// Panics if an argument has ids that the task's world lacks.
pub fn compile_with_cancellation(
    task: &Task,
    extra_goals: &[ExtraGoal],
    keeps_goal: bool,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Compilation, CompileError> {
    let mut builder = Builder::new(task, keeps_goal, is_cancelled);
    for constraint in &task.constraints {
        require(&mut builder, constraint)?;
    }
    for extra_goal in extra_goals {
        match extra_goal {
            ExtraGoal::Goal(goal) => {
                for conjunct in &goal.conjuncts {
                    builder.require_at_end(&goal.scope, &conjunct.condition, conjunct.origin);
                }
            }
            ExtraGoal::Preference(preference) => require_preference(&mut builder, preference)?,
        }
    }
    let mut ignored = Vec::new();
    let soft = CompiledPreferences::new(&mut builder, &mut ignored)?;
    let (effects, preconditions) = (std::mem::take(&mut builder.effects), std::mem::take(&mut builder.preconditions));
    let mut compiled = builder.finish().map_err(|reason| reason.of(&task.name, Origin::default()))?;
    let (mut actions, mut origins) = (Vec::new(), Vec::new());
    for (place, action) in task.actions.iter().enumerate() {
        let copies = soft.as_ref().map_or_else(|| vec![action.clone()], |soft| soft.copies(action));
        origins.extend(copies.iter().map(|_| Some(ActionId::from(place))));
        actions.extend(copies.into_iter().map(|copy| extended(copy, &preconditions, &effects)));
    }
    compiled.actions = actions;
    compiled.constraints.clear();
    if let Some(soft) = soft {
        soft.finish(&mut compiled);
    }
    origins.resize(compiled.actions.len(), None);
    Ok(Compilation { task: compiled, ignored, origins })
}

/// Adds preconditions and effects to an action.
fn extended(action: Action, preconditions: &[Condition], effects: &[Effect]) -> Action {
    let Action { precondition, effect, .. } = action;
    let precondition = match preconditions {
        [] => precondition,
        more => conjunction(std::iter::once(precondition).chain(more.iter().cloned()).collect()),
    };
    let effect = match effects {
        [] => effect,
        more => Effect::And(std::iter::once(effect).chain(more.iter().cloned()).collect()),
    };
    Action { precondition, effect, ..action }
}

/// Adds a constraint to the goal.
fn require(builder: &mut Builder<'_>, constraint: &TrajectoryConstraint) -> Result<(), CompileError> {
    let TrajectoryConstraint { name, scope, external, pattern, origin } = constraint;
    if let Pattern::AtEnd(condition) = pattern {
        let condition = Condition::Forall(external.clone(), Box::new(condition.clone()));
        builder.require_at_end(scope, &condition, *origin);
        return Ok(());
    }
    for instance in instances(&builder.task.world, constraint)? {
        let satisfied = PatternInstance { is_hard: true, ..instance }.follow(builder);
        builder.require(satisfied.map_err(|reason| reason.of(name, *origin))?);
    }
    Ok(())
}

/// Returns the instances of a requirement, one per assignment of its outer variables.
fn instances<'p>(
    world: &World,
    requirement: &'p TrajectoryConstraint,
) -> Result<Vec<PatternInstance<'p>>, CompileError> {
    let TrajectoryConstraint { name, scope, external, pattern, origin } = requirement;
    let domains: Vec<_> = external.iter().map(|&variable| world.domain(&scope.get(variable).types)).collect();
    let objects = assignments(&domains).map_err(|reason| reason.of(name, *origin))?;
    let instance = |objects: Vec<ObjectId>| {
        let rewrite = Rewrite::bound(external, &objects);
        PatternInstance { scope, pattern, rewrite, is_hard: false }
    };
    Ok(objects.into_iter().map(instance).collect())
}

/// Returns the Cartesian product of domains in lexicographic order.
fn assignments(domains: &[Vec<ObjectId>]) -> Result<Vec<Vec<ObjectId>>, CompileErrorKind> {
    let size = domains.iter().fold(1, |size: usize, domain| size.saturating_mul(domain.len()));
    if size > MAX_INSTANCES {
        return Err(CompileErrorKind::TooManyInstances { limit: MAX_INSTANCES });
    }
    Ok(domains.iter().fold(vec![Vec::new()], |chosen, domain| {
        let extended = |start: Vec<ObjectId>| {
            domain.iter().map(move |&object| start.iter().copied().chain([object]).collect::<Vec<_>>())
        };
        chosen.into_iter().flat_map(extended).collect()
    }))
}

/// Adds to the goal that the preference is satisfied at least once.
fn require_preference(builder: &mut Builder<'_>, preference: &Preference) -> Result<(), CompileError> {
    let Preference { scope, external, inner, quantifier, distinct, pattern, .. } = preference;
    let differ = |&(left, right): &(VarId, VarId)| Condition::Distinct(Term::Variable(left), Term::Variable(right));
    let differ = Condition::And(distinct.iter().map(differ).collect());
    if let Pattern::AtEnd(condition) = pattern {
        let condition = match quantifier {
            Quantifier::Exists => {
                let both = Condition::And(vec![differ, condition.clone()]);
                Condition::Exists(inner.clone(), Box::new(both))
            }
            Quantifier::Forall => {
                let each = Condition::Imply(Box::new([differ.clone(), condition.clone()]));
                let each = Condition::Forall(inner.clone(), Box::new(each));
                Condition::And(vec![Condition::Exists(inner.clone(), Box::new(differ)), each])
            }
        };
        let condition = Condition::Exists(external.clone(), Box::new(condition));
        builder.require_at_end(scope, &condition, preference.origin);
        return Ok(());
    }
    follow_one(builder, preference).map_err(|reason| reason.of(&preference.name, preference.origin))
}

/// Compiles the pattern for every assignment of the variables and requires that one assignment, or one group of them, satisfies
/// it.
fn follow_one(builder: &mut Builder<'_>, preference: &Preference) -> Result<(), CompileErrorKind> {
    let Preference { scope, external, inner, quantifier, distinct, pattern, .. } = preference;
    let variables = [&external[..], &inner[..]].concat();
    let domains: Vec<_> =
        variables.iter().map(|&variable| builder.task.world.domain(&scope.get(variable).types)).collect();
    let mut objects = assignments(&domains)?;
    let place = |variable: VarId| variables.iter().position(|&other| other == variable);
    let pairs: Vec<_> = distinct.iter().filter_map(|&(left, right)| Some((place(left)?, place(right)?))).collect();
    objects.retain(|objects| pairs.iter().all(|&(left, right)| objects[left] != objects[right]));
    let own = match quantifier {
        Quantifier::Exists => variables.len(),
        Quantifier::Forall => external.len(),
    };
    let groups: Vec<&[Vec<ObjectId>]> = objects.chunk_by(|one, other| one[..own] == other[..own]).collect();
    let is_hard = groups.len() == 1;
    let mut satisfied = Vec::new();
    for group in groups {
        let mut parts = Vec::new();
        for objects in group {
            let rewrite = Rewrite::bound(&variables, objects);
            parts.push(PatternInstance { scope, pattern, rewrite, is_hard }.follow(builder)?);
        }
        satisfied.push(all_of(parts));
    }
    let satisfied = one_of(builder, satisfied);
    builder.require(satisfied);
    Ok(())
}
