//! The planner: finds plans for a [`Task`](goalspec_core::planning::task::Task) by compilation, grounding and heuristic search.
//!
//! ```text
//! Task ──compile──> Task without constraints ──ground──> GroundTask ──search, guided by a heuristic──> Plan
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`mod@compile`] | compilation of constraints, preferences and goals of other languages into plain tasks |
//! | [`ground`] | grounding: tasks with variables into tasks without |
//! | [`ground_task`] | [`GroundTask`](ground_task::GroundTask): variables of finite domain, operators, axioms |
//! | `search_task` | [`SearchTask`]: a ground task in flat arrays |
//! | `state` | packed states and the registry that stores each state once |
//! | `axioms`, `numbers` | evaluation of derived variables, comparisons and numeric effects |
//! | `successors` | the successor generator: the applicable operators of a state |
//! | `heuristics` | heuristics: delete relaxation, landmarks, LM-cut, cost partitioning over abstractions |
//! | `search` | [`search()`]: one search with a given configuration |
//! | `lane` | sequences of searches with a counter of work, and races between them |
//! | `portfolio` | [`plan()`]: a portfolio of searches in two lanes; [`plan_with`]: a single configuration |
//! | `partial` | [`plan_partially()`]: plans for tasks that are too large to be grounded in full |
//! | `lifted` | search without a ground task |
//! | `action_elimination` | plan improvement without search: action elimination |
//! | `mutex_pruning` | [`prune_operators`]: removal of operators that occur in no plan |
//! | [`transition_system`] | [`TransitionSystem`](transition_system::TransitionSystem): the states of a ground task, stepped by an agent |
//! | [`walk`] | walks through the states of a task, without a ground task |
//! | `symmetry` | symmetries of a task, and representatives of orbits of states |
//! | `control` | [`SearchControl`]: limits, cancellation, events and statistics of searches |
//!
//! # Supported features
//! Every search and every heuristic supports conditional effects, axioms and action costs; a configuration whose options are
//! incompatible is rejected as [`ConfigurationError`]. States hold exact numbers. Heuristics abstract numbers: an operator that can
//! move a comparison towards truth (or falsity) is assumed to make it true (or false) in one application. They therefore never
//! report a solvable state as a dead end, and admissible heuristics remain admissible.

mod action_elimination;
mod axioms;
pub mod compile;
mod control;
pub mod ground;
pub mod ground_task;
mod heuristics;
mod lane;
mod lifted;
mod mutex_pruning;
mod numbers;
mod partial;
mod portfolio;
mod random;
mod rows;
mod search;
mod search_task;
mod state;
mod successors;
mod symmetry;
pub mod transition_system;
pub mod walk;

pub use control::{
    MAX_STATES, OperatorPlan, SearchControl, SearchEvent, SearchLimits, SearchProgress, SearchStatistics, StopReason,
};
pub use heuristics::{HeuristicKind, initial_estimate};
pub use mutex_pruning::prune_operators;
pub use partial::{PartialMethod, PartialResult, plan_partially};
pub use portfolio::{Objective, Proof, SearchResult, plan, plan_with};
pub use search::{Algorithm, ConfigurationError, SearchConfiguration, SearchOutcome, SearchReport, search};
pub use search_task::{CostType, SearchTask};
