//! What is asked of whole runs, compiled into tasks: constraints, preferences and goals of other languages become facts, effects
//! and goals, so that a planner that knows nothing of them solves the task that has them.
//!
//! ```text
//! formula ──> automaton ──> facts, effects ──┐
//! sequence ──> positions ──> facts, effects ─┼──> Task without constraints, and without preferences if they can be counted
//! at the end ──> goal ───────────────────────┘
//! ```
//!
//! # States are read when they are left
//! An automaton follows a run by reading one state after the other. The effects of an action cannot ask what the state after it
//! will be like. There are ways around that: conditions put back through the effects, which grow with every derived predicate
//! and number in them; an action of its own that reads between any two others, which makes plans twice as long; derived
//! predicates that read the new state, which searches and estimates pay for in every state. None of them is needed. The facts
//! here stand for the automaton *before* the state at hand: every action reads, by conditional effects, the state in which it
//! is taken, and nobody reads the last state but the goal, which asks for a state of the automaton that accepts if the last
//! state is what it is. That is sound and complete, keeps plans as they are step by step, and makes no difference between a first state, a
//! last state and others. Its price is a conditional effect on every action for each way between two states of the automaton.
//!
//! A run that can no longer be accepted is given up: if all that matters is what must never hold in a single state, actions
//! require its opposite, and nothing is remembered; otherwise a fact that actions require and that nothing brings back is lost.
//! Conditions that are more than a literal get a derived predicate each, which is computed once per state rather than once per
//! action.
//!
//! | module | what lives there |
//! |---|---|
//! | `formula` | formulas in normal form, and what is left of them after a state |
//! | `diagram` | decision diagrams over conditions |
//! | `automaton` | from a formula to its smallest automaton |
//! | `rewrite` | conditions carried over into the compiled task |
//! | `builder` | the compiled task in the making |
//! | `trajectory` | patterns followed by facts |
//! | `metric`, `soft` | preferences that the metric counts, as costs |

mod automaton;
mod builder;
mod diagram;
mod formula;
mod metric;
pub(crate) mod rewrite;
mod soft;
mod trajectory;

use std::fmt;
use std::sync::Arc;

use goalspec_core::condition::{Condition, Origin, Term};
use goalspec_core::ids::{FunctionId, ObjectId, VarId};
use goalspec_core::pattern::Pattern;
use goalspec_core::planning::plan::{Plan, Step};
use goalspec_core::planning::task::{Action, ActionId, Effect, Requirement, Task};
use goalspec_core::program::{Goal, Preference, Quantifier};
use goalspec_core::world::{ProblemKind, World};

use builder::{Builder, conjunction};
use rewrite::Rewrite;
use soft::Soft;
use trajectory::{Instance, all_of, one_of};

pub use automaton::MAX_AUTOMATON_STATES;
pub use builder::MAX_FACTS;
pub use formula::{MAX_CONDITIONS, MAX_FORMULA_DEPTH};
pub use soft::MAX_ACTION_PREFERENCES;

/// Most assignments of outer variables for which one constraint or preference is followed.
pub const MAX_INSTANCES: usize = 1 << 14;

/// Something to reach besides what the task asks for, or instead of it. Its world is that of the task.
#[derive(Debug, Clone, Copy)]
pub enum Demand<'a> {
    /// The goal holds in the last state.
    Goal(&'a Goal),
    /// The preference is satisfied at least once. There is no setup: nothing has been settled on by one.
    Preference(&'a Preference),
}

/// What the compiled task leaves out: its metric is still that of the task, preferences and all, and counts them, but nothing
/// in it works towards them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ignored {
    /// All preferences: the metric is not a sum of violations and numbers with constant weights.
    NotLinear,
    /// All preferences: the metric gets better with every step.
    RewardedSteps,
    /// All preferences: the metric has a number that does more than grow, or that is better the more it grows.
    NotCounting(FunctionId),
    /// All preferences: this action has too many of them, some for every assignment of variables, or some that are better
    /// violated.
    ActionPreferences(ActionId),
}

impl Ignored {
    /// In words.
    pub fn text(self, task: &Task) -> String {
        let why = match self {
            Self::NotLinear => {
                "the metric is not a sum of violations and numbers, each multiplied by a constant".to_owned()
            }
            Self::RewardedSteps => "the metric gets better with every step".to_owned(),
            Self::NotCounting(function) => {
                let name = &task.world.function(function).name;
                format!("the metric has `{name}`, of which plans do not only want less while actions add to it")
            }
            Self::ActionPreferences(action) => {
                let name = &task.action(action).name;
                format!(
                    "the action `{name}` has more than {MAX_ACTION_PREFERENCES} preferences, one with quantifiers around it, \
                     or one that is better violated"
                )
            }
        };
        let prefers = !task.preferences.is_empty() || task.actions.iter().any(|action| !action.preferences.is_empty());
        let what = if prefers { "preferences are" } else { "the metric is" };
        format!("{what} not planned for: {why}")
    }
}

/// Why something cannot be compiled.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// A formula nests deeper than [`MAX_FORMULA_DEPTH`].
    TooDeep,
    /// More different conditions in a formula than the limit allows.
    TooManyConditions {
        /// The limit.
        most: usize,
    },
    /// More states of its automaton than the limit allows.
    TooManyStates {
        /// The limit.
        most: usize,
    },
    /// Too much is left of the formula after some states, or it depends on their conditions in too many ways.
    TooComplex,
    /// More assignments of its outer variables than the limit allows.
    TooManyInstances {
        /// The limit.
        most: usize,
    },
    /// More facts, rules and effects would have to be made up than the limit allows.
    TooManyFacts {
        /// The limit.
        most: usize,
    },
    /// The world does not take what is made up.
    World(Vec<ProblemKind>),
    /// Somebody wanted it to stop.
    Halted,
}

impl Reason {
    /// As an error, of something with this name that was written there.
    fn of(self, name: &Arc<str>, origin: Origin) -> CompileError {
        CompileError { name: name.clone(), origin, reason: self }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooDeep => write!(f, "the formula is nested more than {MAX_FORMULA_DEPTH} deep"),
            Self::TooManyConditions { most } => write!(f, "the formula has more than {most} different conditions"),
            Self::TooManyStates { most } => write!(f, "the formula's automaton has more than {most} states"),
            Self::TooComplex => write!(f, "the formula is too complex for an automaton"),
            Self::TooManyInstances { most } => write!(f, "its variables can be bound in more than {most} ways"),
            Self::TooManyFacts { most } => {
                write!(f, "to follow it takes more than {most} facts, rules or effects")
            }
            Self::Halted => write!(f, "its compilation was stopped"),
            Self::World(problems) => {
                let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                write!(f, "the world does not take what is made up: {}", problems.join("; "))
            }
        }
    }
}

/// A constraint, preference or goal that cannot be compiled.
#[derive(Debug, Clone, PartialEq)]
pub struct CompileError {
    /// Its name; empty if it has none.
    pub name: Arc<str>,
    /// Where it was written.
    pub origin: Origin,
    /// Why.
    pub reason: Reason,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, reason, .. } = self;
        if name.is_empty() {
            write!(f, "a constraint cannot be compiled: {reason}")
        } else {
            write!(f, "`{name}` cannot be compiled: {reason}")
        }
    }
}

impl std::error::Error for CompileError {}

/// A task without constraints.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The task. Its plans, [mapped back](Self::original), are those of the original that meet its constraints and what was
    /// demanded. If nothing is [ignored](Self::ignored), what a plan costs by the metric is at least what it costs in the
    /// original, and of the plans that map back to the same one the cheapest costs just that.
    pub task: Task,
    /// What it leaves out.
    pub ignored: Vec<Ignored>,
    /// Per action, the action of the original that it is; nothing: one that was made up, which plans leave out.
    origins: Vec<Option<ActionId>>,
}

impl Compiled {
    /// The plan of the original task that a plan of the compiled one is.
    ///
    /// # Panics
    /// If the plan has ids that the compiled task lacks.
    pub fn original(&self, plan: &Plan) -> Plan {
        let step = |step: &Step| {
            let action = self.origins[step.action.index()]?;
            Some(Step { action, arguments: step.arguments.clone() })
        };
        Plan { steps: plan.steps.iter().filter_map(step).collect() }
    }
}

/// Whether a task asks for something that only its [compiled](compile) form says: constraints, preferences, a metric that is a sum.
pub fn is_compiled(task: &Task) -> bool {
    !task.constraints.is_empty()
        || !task.preferences.is_empty()
        || task.actions.iter().any(|action| !action.preferences.is_empty())
        || task.metric.as_ref().is_some_and(|metric| soft::is_sum(&metric.value))
}

/// Compiles constraints, preferences and demands into a task.
///
/// `keeps_goal` says whether the task's own goal has to be reached as well.
///
/// # Errors
/// If something would be too large.
///
/// # Panics
/// If something has ids that the task's world lacks.
pub fn compile(task: &Task, demands: &[Demand<'_>], keeps_goal: bool) -> Result<Compiled, CompileError> {
    compile_unless(task, demands, keeps_goal, &|| false)
}

/// As [`compile()`], unless it is to halt, which is asked for every state of an automaton.
///
/// # Errors
/// If something would be too large, or it is to halt.
///
/// # Panics
/// If something has ids that the task's world lacks.
pub fn compile_unless(
    task: &Task,
    demands: &[Demand<'_>],
    keeps_goal: bool,
    halt: &dyn Fn() -> bool,
) -> Result<Compiled, CompileError> {
    let mut builder = Builder::new(task, keeps_goal, halt);
    for constraint in &task.constraints {
        require(&mut builder, constraint)?;
    }
    for demand in demands {
        match demand {
            Demand::Goal(goal) => {
                for conjunct in &goal.conjuncts {
                    builder.require_at_end(&goal.scope, &conjunct.condition, conjunct.origin);
                }
            }
            Demand::Preference(preference) => satisfy(&mut builder, preference)?,
        }
    }
    let mut ignored = Vec::new();
    let soft = Soft::new(&mut builder, &mut ignored)?;
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
    Ok(Compiled { task: compiled, ignored, origins })
}

/// An action that also requires and does this.
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

/// Makes a constraint part of the goal.
fn require(builder: &mut Builder<'_>, constraint: &Requirement) -> Result<(), CompileError> {
    let Requirement { name, scope, external, pattern, origin } = constraint;
    if let Pattern::AtEnd(condition) = pattern {
        let condition = Condition::Forall(external.clone(), Box::new(condition.clone()));
        builder.require_at_end(scope, &condition, *origin);
        return Ok(());
    }
    for instance in instances(&builder.task.world, constraint)? {
        let satisfied = Instance { is_hard: true, ..instance }.follow(builder);
        builder.require(satisfied.map_err(|reason| reason.of(name, *origin))?);
    }
    Ok(())
}

/// The requirement for each assignment of its outer variables.
fn instances<'p>(world: &World, requirement: &'p Requirement) -> Result<Vec<Instance<'p>>, CompileError> {
    let Requirement { name, scope, external, pattern, origin } = requirement;
    let domains: Vec<_> = external.iter().map(|&variable| world.domain(&scope.get(variable).types)).collect();
    let objects = assignments(&domains).map_err(|reason| reason.of(name, *origin))?;
    let instance = |objects: Vec<ObjectId>| {
        let rewrite = Rewrite::bound(external, &objects);
        Instance { scope, pattern, rewrite, is_hard: false }
    };
    Ok(objects.into_iter().map(instance).collect())
}

/// Every choice of an object from each domain, the last one moving fastest.
fn assignments(domains: &[Vec<ObjectId>]) -> Result<Vec<Vec<ObjectId>>, Reason> {
    let size = domains.iter().fold(1, |size: usize, domain| size.saturating_mul(domain.len()));
    if size > MAX_INSTANCES {
        return Err(Reason::TooManyInstances { most: MAX_INSTANCES });
    }
    Ok(domains.iter().fold(vec![Vec::new()], |chosen, domain| {
        let extended = |start: Vec<ObjectId>| {
            domain.iter().map(move |&object| start.iter().copied().chain([object]).collect::<Vec<_>>())
        };
        chosen.into_iter().flat_map(extended).collect()
    }))
}

/// Makes it part of the goal that the preference is satisfied at least once.
fn satisfy(builder: &mut Builder<'_>, preference: &Preference) -> Result<(), CompileError> {
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

/// Follows the pattern for every assignment of the variables; one of them, or one group, has to be satisfied.
fn follow_one(builder: &mut Builder<'_>, preference: &Preference) -> Result<(), Reason> {
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
            parts.push(Instance { scope, pattern, rewrite, is_hard }.follow(builder)?);
        }
        satisfied.push(all_of(parts));
    }
    let satisfied = one_of(builder, satisfied);
    builder.require(satisfied);
    Ok(())
}
