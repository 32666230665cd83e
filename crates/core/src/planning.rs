//! Planning tasks: initial state, goal, actions, derived predicates, constraints, preferences and plan metric.
//!
//! A [`Task`](task::Task) is the meaning of a domain and a problem after name resolution; the planner solves it. A [`Plan`](plan::Plan) is
//! a sequence of ground actions. Executing a plan yields a sequence of states of the task's world, which programs of the other languages
//! can monitor.
//!
//!  module | contents |
//! |---|---|
//! | [`task`] | [`Task`](task::Task): actions and their effects, derived predicates, goal, constraints, preferences, metric |
//!  [`plan`] | [`Plan`](plan::Plan): a sequence of steps |
//!  [`stratification`] | stratification of derived predicates |
//!  [`execute`] | the reference interpreter: execution of plans |
//!  [`validate`](mod@validate) | validation of plans, with the reasons of failure |
//!  [`remedy`] | steps that would achieve a missing fact |
//!  `query` | enumeration of the objects for which a condition holds |

pub mod execute;
pub mod plan;
mod query;
pub mod remedy;
pub mod stratification;
pub mod task;
pub mod validate;
