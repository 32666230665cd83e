//! The planner: from a [`Task`](goalspec_core::planning::task::Task) to a plan that is proved to solve it.
//!
//! ```text
//! Task ──compile──> Task without constraints ──ground──> GroundTask ──search, guided by a heuristic──> Plan
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | [`mod@compile`] | tasks with constraints, preferences and goals of other languages as tasks without |
//! | [`ground`] | from tasks with variables to tasks without |
//! | [`ground_task`] | [`GroundTask`](ground_task::GroundTask): variables of finite domain, operators, axioms |
//! | `compiled` | [`CompiledTask`]: the same in flat arrays |
//! | `state` | packed states, each kept once |
//! | `axioms`, `numbers` | derived variables, comparisons and numeric effects of a state |
//! | `successors` | which operators can be applied |
//! | `heuristics` | estimates: by the task without deletes, by landmarks, by LM-cut |
//! | `search` | [`search()`]: one search with all its choices |
//! | `portfolio` | [`plan()`]: searches that fit what is wanted, on two threads; [`plan_by`]: one of them alone |
//! | `improve` | plans made cheaper without a search |
//! | `control` | [`Control`]: limits, how to stop, what is told meanwhile |
//!
//! # What supports what
//! Conditional effects, axioms and costs are supported by every search and every estimate; what choices do not go together is an
//! [`Unsupported`]. Numbers are exact in states. Estimates see of them only which operators can move a comparison towards truth
//! or untruth, and take one such operator for enough; so they never call a solvable state a dead end, and the admissible ones
//! stay admissible.

mod axioms;
pub mod compile;
mod compiled;
mod control;
pub mod ground;
pub mod ground_task;
mod heuristics;
mod improve;
mod numbers;
mod portfolio;
mod rows;
mod search;
mod state;
mod successors;

pub use compiled::{CompiledTask, CostType};
pub use control::{Control, Event, Limits, MAX_STATES, Solution, Statistics, Stop};
pub use heuristics::{HeuristicKind, estimate};
pub use portfolio::{Aim, Answer, Proof, plan, plan_by};
pub use search::{Algorithm, Configuration, Outcome, Report, Unsupported, search};
