//! Planning problems: solved by the planner, plans judged by the reference interpreter.
//!
//! | module | what lives there |
//! |---|---|
//! | [`solve`](mod@solve) | a task grounded and searched, its plan proved |
//! | [`household`] | activities as planning tasks |
//! | [`judge`] | what a validation says, as diagnostics and as JSON |
//! | [`states`] | the states that a plan goes through, as a trace |

pub mod household;
pub mod judge;
pub mod solve;
pub mod states;
