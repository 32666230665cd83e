//! From a task with variables to one without.
//!
//! ```text
//! Task ──normalise──> schemas ──reach──> atoms, instances ──instantiate──> operators, axioms over atoms
//!      ──invariants──> groups of atoms ──encode──> variables ──simplify──> GroundTask
//! ```
//!
//! In the manner of Helmert 2009, "Concise finite-domain representations for PDDL planning tasks", with two differences:
//! conditions with universal quantifiers, counts and pairings are taken apart object by object, so that what of them never
//! changes is gone before anything is made of the rest; and an atom that is asked for negatively stays in the variable of its
//! group and gets a variable of its own beside it.
//!
//! | module | what lives there |
//! |---|---|
//! | `statics` | what never changes |
//! | `schema`, `normalise` | actions and rules, their conditions taken apart |
//! | `relation`, `datalog`, `reach` | which atoms and instances of schemas can be reached |
//! | `formula`, `numbers`, `conditions` | conditions without variables |
//! | `instantiate` | operators and axioms over propositions |
//! | `costs` | what steps cost |
//! | `actions`, `invariants`, `cover` | which atoms never hold together, and which of them become variables |
//! | `encode` | propositions as values of variables |
//! | `simplify` | what can ever happen and makes a difference |
//! | `layers`, `finish` | the ground task |
//! | `relaxed` | what can be reached if nothing ever stops holding, without making a ground task |
//! | `budget` | limits, progress |

mod actions;
mod budget;
mod conditions;
mod costs;
mod cover;
mod datalog;
mod encode;
mod finish;
mod formula;
mod instantiate;
mod invariants;
mod layers;
mod normalise;
mod numbers;
mod reach;
mod relation;
mod relaxed;
mod schema;
mod simplify;
mod statics;

use std::fmt;
use std::time::Duration;

use goalspec_core::ids::PredicateId;
use goalspec_core::planning::task::Task;

use crate::ground_task::GroundTask;
use actions::Acts;
use budget::Budget;
use costs::Counter;
use finish::Finish;
use schema::Domains;
use statics::{Kind, Statics};

pub use budget::Observer;
pub use costs::Costs;
pub use relaxed::{Relaxed, relaxed};

/// How much grounding may take.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Most atoms, operators and axioms that are reached, taken together.
    pub tuples: usize,
    /// Most bytes, by estimate.
    pub memory: u64,
    /// Most time; `None`: as much as it takes.
    pub time: Option<Duration>,
    /// Most time for the search for invariants. What has been found by then is used.
    pub invariant_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { tuples: 1 << 26, memory: 3 << 30, time: None, invariant_time: Duration::from_secs(2) }
    }
}

/// What grounding is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It finds out what can be reached.
    Reaching,
    /// It makes operators.
    Instantiating,
    /// It looks for invariants and makes variables.
    Encoding,
}

/// How far grounding is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// What it is at.
    pub stage: Stage,
    /// How many atoms, operators and axioms have been reached.
    pub tuples: usize,
    /// How long it has taken.
    pub time: Duration,
}

/// Why there is no ground task.
#[derive(Debug, Clone, PartialEq)]
pub enum GroundError {
    /// More atoms and operators than the limit allows.
    Size {
        /// The limit.
        most: usize,
    },
    /// More memory than the limit allows.
    Memory {
        /// What would be needed, by estimate, for what is known so far.
        needed: u64,
        /// The limit.
        most: u64,
    },
    /// More time than the limit allows.
    Time {
        /// The limit.
        most: Duration,
    },
    /// Somebody wanted it to stop.
    Cancelled,
    /// Something in the task that planning does not know.
    Unsupported(String),
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { most } => write!(f, "the task has more than {most} reachable atoms and operators"),
            Self::Memory { needed, most } => {
                let (needed, most) = (needed >> 20, most >> 20);
                write!(
                    f,
                    "the task without variables would take at least {needed} MiB of memory; the limit is {most} MiB"
                )
            }
            Self::Time { most } => write!(f, "grounding took longer than {} s", most.as_secs_f64()),
            Self::Cancelled => write!(f, "grounding was stopped"),
            Self::Unsupported(what) => write!(f, "{what}"),
        }
    }
}

impl std::error::Error for GroundError {}

/// A ground task and what is to be known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Grounded {
    /// The task.
    pub task: GroundTask,
    /// What its costs are.
    pub costs: Costs,
    /// Whether the metric counts violated preferences, which the task leaves out.
    pub leaves_preferences_out: bool,
    /// Whether the goal can be reached if nothing ever stops holding. If not, the task has no solution; it is one that says
    /// nothing but that.
    pub may_be_solvable: bool,
    /// How many atoms were reached.
    pub atoms: usize,
    /// How many steps were reached: actions with objects.
    pub steps: usize,
}

/// Makes a task without variables that has the same solutions.
///
/// Preferences of the task play no part in it, only in [`Grounded::leaves_preferences_out`].
///
/// # Errors
/// See [`GroundError`].
pub fn ground<'a>(task: &Task, limits: &'a Limits, observer: &'a mut Observer<'a>) -> Result<Grounded, GroundError> {
    let mut budget = Budget::new(limits, observer);
    let statics = Statics::new(task)?;
    let mut domains = Domains::default();
    let schemas = normalise::schemas(&statics, &mut domains);
    budget.begin(Stage::Reaching)?;
    let reached = reach::reach(&statics, &domains, &schemas, &mut budget)?;
    let counter = Counter::of(&statics, &schemas);
    let made = instantiate::instantiate(&statics, &mut domains, &schemas, &reached, counter.as_ref(), &mut budget)?;
    let (costs, values, unit) = price(&statics, counter.is_some(), &made.costs);
    budget.begin(Stage::Encoding)?;
    let mut acts = Acts::new(&statics, &schemas, &reached, &domains);
    let groups = invariants::groups(&statics, &reached, &mut acts, budget.invariants_end());
    let atoms: Vec<bool> = fluent_atoms(&statics, &reached);
    let chosen = cover::cover(&groups, &atoms);
    budget.begin(Stage::Encoding)?;
    let encoding = encode::encode(&statics, &reached, &made, &groups, chosen);
    let kept = simplify::simplify(&encoding, &made.numbers, made.is_rough);
    budget.begin(Stage::Encoding)?;
    let may_be_solvable = kept.is_some();
    let task = match &kept {
        Some(kept) => {
            let (schemas, reached, made, encoding) = (&schemas[..], &reached, &made, &encoding);
            let finish = Finish { schemas, reached, made, encoding, kept, costs: &values };
            GroundTask { cost_unit: unit, ..finish.run(&groups)? }
        }
        None => finish::unsolvable(),
    };
    let leaves_preferences_out = statics.metric_counts_preferences();
    let (atoms, steps) = (reached.atoms() as usize, made.steps);
    Ok(Grounded { task, costs, leaves_preferences_out, may_be_solvable, atoms, steps })
}

/// What the costs of operators are, each of them, and the unit.
fn price(statics: &Statics<'_>, has_counter: bool, costs: &[f64]) -> (Costs, Vec<u32>, f64) {
    let steps = vec![1; costs.len()];
    if has_counter && let Some((values, unit, exact)) = costs::scale(costs) {
        return (Costs::Metric { exact }, values, unit);
    }
    let costs = if costs::counts_steps(statics.task) { Costs::Steps } else { Costs::NotTheMetric };
    (costs, steps, 1.0)
}

/// Per atom, whether effects change it.
fn fluent_atoms(statics: &Statics<'_>, reached: &reach::Reached) -> Vec<bool> {
    let mut fluent = vec![false; reached.atoms() as usize];
    for predicate in (0..statics.task.world.predicates().len()).map(PredicateId::from) {
        if statics.kind(predicate) == Kind::Fluent {
            let atoms = reached.atoms_of(predicate);
            fluent[atoms.start as usize..atoms.end as usize].fill(true);
        }
    }
    fluent
}
