//! Planning: search for plans, and validation of plans by the reference interpreter.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | planning problems from any language: the task and its goal |
//! | [`solve`](mod@solve) | grounding and search of a task, with validation of the plan |
//! | [`search`] | the searches, by name |
//! | [`fast_downward`] | Fast Downward as an engine |
//! | [`activity`] | activities as planning tasks |
//! | `activity_validation` | validation of plans for activities, under the names of the activity |
//! | [`memory`] | the memory that is available for planning |
//! | [`validation`] | validations as diagnostics and as JSON |
//! | [`unreachable`](mod@unreachable) | literals of an activity's goal that no action leads to |
//! | [`problem_selection`] | the choice of the planning problem of a command |
//! | [`reachability`] | unreachable actions and goals of planning problems |
//! | [`states`] | the states of a plan as a trace |
//! | [`fallback`] | a second search with more places for objects |

pub mod activity;
mod activity_validation;
pub mod fallback;
pub mod fast_downward;
pub mod memory;
pub mod problem;
pub mod problem_selection;
pub mod reachability;
pub mod search;
pub mod solve;
pub mod states;
pub mod unreachable;
pub mod validation;
