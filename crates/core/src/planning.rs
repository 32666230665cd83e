//! Planning tasks: actions that change states, what is to be reached, and what getting there costs.
//!
//! A [`Task`](task::Task) is what a domain and a problem mean when everything in them is resolved; the planner solves it. A
//! [`Plan`](plan::Plan) is a sequence of its actions with their objects. Carrying one out makes a run of states of the task's
//! world, so that programs of every other language can be asked of it.
//!
//! | module | what lives there |
//! |---|---|
//! | [`task`] | [`Task`](task::Task): actions and their effects, derived predicates, goal, constraints, preferences, metric |
//! | [`plan`] | [`Plan`](plan::Plan): steps |
//! | [`layers`] | in which order derived predicates are computed |
//! | [`execute`] | the reference interpreter: plans being carried out |
//! | [`validate`](mod@validate) | whether a plan solves a task, and if not, why |
//! | [`mend`] | steps that would help |
//! | `answers` | for which objects a condition holds |

mod answers;
pub mod execute;
pub mod layers;
pub mod mend;
pub mod plan;
pub mod task;
pub mod validate;
