//! Grounding: translation of a task with variables into a task without.
//!
//! ```text
//! Task ──normalise──> schemas ──reach──> atoms, instances ──instantiate──> operators, axioms over atoms
//!      ──invariants──> groups of atoms ──encode──> variables ──simplify──> GroundTask
//! ```
//!
//! The method is that of Helmert 2009, "Concise finite-domain representations for PDDL planning tasks", with two differences.
//! Universal quantifiers, counts and pairings are expanded object by object, which eliminates static parts before the remaining
//! formula is built. An atom that occurs negatively stays in the variable of its invariant group and gets an additional
//! variable of its own.
//!
//! | module | contents |
//! |---|---|
//! | `statics` | static facts and functions |
//! | `schema`, `normalise` | schemas: actions and rules with normalised conditions |
//! | `relation`, `datalog`, `reachability` | reachable atoms and schema instances |
//! | `formula`, `numbers`, `conditions` | ground conditions |
//! | `instantiate` | operators and axioms over propositions |
//! | `costs` | operator costs |
//! | `actions`, `invariants`, `cover` | mutex groups of atoms, and the selection of groups that become variables |
//! | `encode` | propositions as values of variables |
//! | `simplify` | removal of unreachable and irrelevant facts |
//! | `stratification`, `task_builder` | construction of the ground task |
//! | `relaxed_reachability` | relaxed reachability without a ground task |
//! | `applicable` | the steps that are applicable in a state, without a ground task |
//! | `budget` | limits, progress |

mod actions;
mod applicable;
mod budget;
mod conditions;
mod costs;
mod cover;
mod datalog;
mod encode;
mod formula;
mod instantiate;
mod invariants;
mod normalise;
mod numbers;
mod reachability;
mod relation;
mod relaxed_reachability;
mod schema;
mod simplify;
mod statics;
mod stratification;
mod task_builder;

use std::fmt;
use std::time::Duration;

use goalspec_core::ids::{FunctionId, ObjectId, PredicateId};
use goalspec_core::planning::task::{ActionId, Task};
use goalspec_core::state::ObjectArguments;

use crate::ground_task::GroundTask;
use actions::ActionBranches;
use budget::Budget;
use costs::CostFluent;
use instantiate::PropositionalOperator;
use schema::{Domains, Head, Schema};
use statics::{PredicateKind, TaskAnalysis};
use task_builder::GroundTaskBuilder;

pub(crate) use applicable::ApplicableSteps;
pub use budget::GroundObserver;
pub use costs::CostModel;
pub use relaxed_reachability::{RelaxedReachability, relaxed_reachability};

/// Limits on grounding.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundLimits {
    /// Maximum number of reached atoms, operators and axioms together.
    pub tuples: usize,
    /// Maximum memory, in estimated bytes.
    pub memory: u64,
    /// Maximum time; `None` means unlimited.
    pub time: Option<Duration>,
    /// Maximum work of invariant synthesis, in the units of [`goalspec_core::work`]. Invariants found by then are used.
    pub invariant_work: u64,
}

impl Default for GroundLimits {
    fn default() -> Self {
        Self { tuples: 1 << 26, memory: 3 << 30, time: None, invariant_work: 400_000_000 }
    }
}

/// The part of a task that is grounded.
#[derive(Debug, Clone, Copy)]
pub enum GroundScope<'s> {
    /// All steps that are relevant to the goal.
    Full,
    /// All steps and variables, also those that have no influence on the goal.
    WithIrrelevant,
    /// At most this number of instances of each disjunct of each action's precondition, those that reachability finds first.
    InstancesPerBranch(u32),
    /// These steps, as arguments by action.
    Steps(&'s [Vec<ObjectArguments>]),
}

/// A stage of grounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroundStage {
    /// The computation of reachable atoms and schema instances.
    Reachability,
    /// The instantiation of operators and axioms.
    Instantiation,
    /// Invariant synthesis and the encoding as variables.
    Encoding,
}

/// The progress of grounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundProgress {
    /// The current stage.
    pub stage: GroundStage,
    /// Number of reached atoms, operators and axioms.
    pub tuples: usize,
    /// The elapsed time.
    pub time: Duration,
}

/// An error of grounding.
#[derive(Debug, Clone, PartialEq)]
pub enum GroundError {
    /// The task has more reachable atoms and operators than the limit allows.
    TaskTooLarge {
        /// The limit.
        limit: usize,
    },
    /// Grounding needs more memory than the limit allows.
    Memory {
        /// The estimated memory needed for the part grounded so far, in bytes.
        needed: u64,
        /// The limit, in bytes.
        limit: u64,
    },
    /// Grounding takes longer than the limit allows.
    Time {
        /// The limit.
        limit: Duration,
    },
    /// The caller cancelled grounding.
    Cancelled,
    /// The task has a feature that grounding does not support, described by the text.
    Unsupported(String),
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TaskTooLarge { limit } => {
                write!(f, "the task exceeds the limit of {limit} reachable atoms and operators")
            }
            Self::Memory { needed, limit } => {
                let (needed, limit) = (needed >> 20, limit >> 20);
                write!(
                    f,
                    "the ground task requires at least {needed} MiB of memory, which exceeds the limit of {limit} MiB"
                )
            }
            Self::Time { limit } => write!(f, "grounding exceeds the time limit of {} s", limit.as_secs_f64()),
            Self::Cancelled => write!(f, "grounding was stopped"),
            Self::Unsupported(what) => write!(f, "{what}"),
        }
    }
}

impl std::error::Error for GroundError {}

/// The result of grounding.
#[derive(Debug, Clone, PartialEq)]
pub struct Grounding {
    /// The ground task.
    pub task: GroundTask,
    /// The meaning of operator costs.
    pub costs: CostModel,
    /// Whether the metric counts preference violations, which the ground task ignores.
    pub ignores_preferences: bool,
    /// Whether the goal is relaxed reachable. If not, the task is unsolvable and [`task`](Self::task) is a minimal unsolvable
    /// task.
    pub is_goal_relaxed_reachable: bool,
    /// Whether the scope left out steps that may be reachable. Plans of the ground task are plans of the task, but it may have fewer.
    pub is_partial: bool,
    /// Number of reached atoms.
    pub atom_count: usize,
    /// Number of reached steps: actions with arguments.
    pub step_count: usize,
    /// Properties of the task that are probably mistakes.
    pub anomalies: TaskAnomalies,
}

/// Properties of a task that are probably mistakes and that only grounding reveals.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaskAnomalies {
    /// The first fluents without a value that steps read or change; these steps are never applicable.
    pub undefined_fluents: Vec<(FunctionId, ObjectArguments)>,
    /// The first step with a negative cost, due to which the metric is not minimised, and its cost.
    pub negative_cost: Option<(ActionId, ObjectArguments, f64)>,
}

/// Grounds a task. The ground task has the same solutions.
///
/// Preferences are ignored; see [`Grounding::ignores_preferences`].
///
/// # Errors
/// Returns a [`GroundError`] if a limit is exceeded, the observer cancels grounding, or the task has an unsupported feature.
pub fn ground<'a>(
    task: &Task,
    limits: &'a GroundLimits,
    observer: &'a mut GroundObserver<'a>,
) -> Result<Grounding, GroundError> {
    ground_scope(task, GroundScope::Full, limits, observer)
}

/// Grounds the part of a task in a scope. The solutions of the ground task are those of the task that consist of grounded steps.
///
/// # Errors
/// As [`ground`].
pub fn ground_scope<'a>(
    task: &Task,
    scope: GroundScope<'_>,
    limits: &'a GroundLimits,
    observer: &'a mut GroundObserver<'a>,
) -> Result<Grounding, GroundError> {
    let mut budget = Budget::new(limits, observer);
    let statics = TaskAnalysis::new(task)?;
    let mut domains = Domains::default();
    let schemas = normalise::schemas(&statics, &mut domains);
    budget.begin(GroundStage::Reachability)?;
    let reached = reachability::reach(&statics, &domains, &schemas, scope, &mut budget)?;
    let counter = CostFluent::of(&statics, &schemas);
    let made = instantiate::instantiate(&statics, &mut domains, &schemas, &reached, counter.as_ref(), &mut budget)?;
    let (costs, values, unit) = price(&statics, counter.is_some(), &made.costs);
    budget.begin(GroundStage::Encoding)?;
    let mut acts = ActionBranches::new(&statics, &schemas, &reached, &domains);
    let groups = invariants::groups(&statics, &reached, &mut acts, limits.invariant_work);
    let atoms: Vec<bool> = fluent_atoms(&statics, &reached);
    let chosen = cover::cover(&groups, &atoms);
    budget.begin(GroundStage::Encoding)?;
    let encoding = encode::encode(&statics, &reached, &made, &groups, chosen);
    let keeps_irrelevant = matches!(scope, GroundScope::WithIrrelevant);
    let kept = simplify::simplify(&encoding, &made.numbers, made.is_overapproximate, keeps_irrelevant);
    budget.begin(GroundStage::Encoding)?;
    let may_be_solvable = kept.is_some();
    let task = match &kept {
        Some(kept) => {
            let (schemas, reached, made, encoding) = (&schemas[..], &reached, &made, &encoding);
            let finish = GroundTaskBuilder { schemas, reached, made, encoding, kept, costs: &values };
            GroundTask { cost_unit: unit, ..finish.run(&groups)? }
        }
        None => task_builder::unsolvable(),
    };
    let anomalies = TaskAnomalies {
        undefined_fluents: made.undefined_fluents,
        negative_cost: counter.and_then(|_| first_negative(&schemas, &reached, &made.operators, &made.costs)),
    };
    let leaves_preferences_out = statics.metric_counts_preferences();
    let (atoms, steps) = (reached.atoms() as usize, made.steps);
    Ok(Grounding {
        task,
        costs,
        ignores_preferences: leaves_preferences_out,
        is_goal_relaxed_reachable: may_be_solvable,
        is_partial: reached.is_cut || matches!(scope, GroundScope::Steps(_)),
        atom_count: atoms,
        step_count: steps,
        anomalies,
    })
}

/// Returns the first step with a negative cost.
fn first_negative(
    schemas: &[Schema<'_>],
    reached: &reachability::ReachableAtoms,
    operators: &[PropositionalOperator],
    costs: &[f64],
) -> Option<(ActionId, ObjectArguments, f64)> {
    let (operator, &cost) = operators.iter().zip(costs).find(|(_, cost)| **cost < 0.0)?;
    let schema = &schemas[operator.schema as usize];
    let Head::Action(action) = schema.head else { return None };
    let binding = reached.instances(operator.schema as usize, operator.branch as usize).tuple(operator.row);
    let arguments = binding[..schema.parameters].iter().map(|&object| ObjectId(object)).collect();
    Some((action, arguments, cost))
}

/// Returns the meaning of operator costs, the cost of each operator, and the cost unit.
fn price(statics: &TaskAnalysis<'_>, has_counter: bool, costs: &[f64]) -> (CostModel, Vec<u32>, f64) {
    let steps = vec![1; costs.len()];
    if has_counter && let Some((values, unit, exact)) = costs::scale(costs) {
        return (CostModel::Metric { exact }, values, unit);
    }
    let costs = if costs::counts_steps(statics.task) { CostModel::PlanLength } else { CostModel::UnrelatedToMetric };
    (costs, steps, 1.0)
}

/// For each atom, whether effects change it.
fn fluent_atoms(statics: &TaskAnalysis<'_>, reached: &reachability::ReachableAtoms) -> Vec<bool> {
    let mut fluent = vec![false; reached.atoms() as usize];
    for predicate in (0..statics.task.world.predicates().len()).map(PredicateId::from) {
        if statics.kind(predicate) == PredicateKind::Fluent {
            let atoms = reached.atoms_of(predicate);
            fluent[atoms.start as usize..atoms.end as usize].fill(true);
        }
    }
    fluent
}
