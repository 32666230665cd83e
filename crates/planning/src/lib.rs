//! Planning problems from any language, searches for plans, and the validation of plans by the reference interpreter.
//!
//! ```text
//! PDDL task, activity ──PlanningProblem── solve: ground, search ──plan── validate, verdict
//!          goal: own, preference of a game, condition in PDDL
//! ```
//!
//! A [`PlanningProblem`](problem::PlanningProblem) is a task of the core and the goal to be reached. It is built from checked
//! programs and needs no files. [`solve`](solve::solve) searches with goalspec's planner or with Fast Downward, reports events, and
//! can be cancelled. Each plan is validated by the reference interpreter, and goals of other languages by their own evaluators.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | planning problems: the task and its goal |
//! | [`anomalies`] | properties of a task that are probably mistakes |
//! | [`solve`](mod@solve) | grounding and search of a task, with validation of the plan |
//! | [`search`] | the searches, by name |
//! | [`fast_downward`] | Fast Downward as an engine |
//! | [`activity`] | activities as planning tasks |
//! | `activity_validation` | validation of plans for activities, under the names of the activity |
//! | `preference` | the evaluation of a preference of a game on a plan |
//! | [`memory`] | the memory that is available for planning |
//! | [`validation`] | validations as diagnostics and as JSON |
//! | [`unreachable`](mod@unreachable) | literals of an activity's goal that no action leads to |
//! | [`reachability`] | unreachable actions and goals of planning problems |
//! | [`states`] | the states of a plan as a trace |
//! | [`fallback`] | a second search with more places for objects |
//! | [`json`] | results of planning as JSON |
//! | [`codes`] | the diagnostic codes, with documentation |

pub mod activity;
mod activity_validation;
pub mod anomalies;
pub mod codes;
pub mod fallback;
pub mod fast_downward;
pub mod json;
pub mod memory;
mod preference;
pub mod problem;
pub mod reachability;
pub mod search;
pub mod solve;
pub mod states;
pub mod unreachable;
pub mod validation;
