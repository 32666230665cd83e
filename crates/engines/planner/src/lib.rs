//! The planner: from a [`Task`](goalspec_core::planning::task::Task) to a plan that is proved to solve it.
//!
//! ```text
//! Task ──ground──> GroundTask ──search, guided by a heuristic──> Plan
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | [`ground`] | from tasks with variables to tasks without |
//! | [`ground_task`] | [`GroundTask`](ground_task::GroundTask): variables of finite domain, operators, axioms |

pub mod ground;
pub mod ground_task;
