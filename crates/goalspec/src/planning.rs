//! Planning problems: solved by the planner, plans judged by the reference interpreter.
//!
//! | module | what lives there |
//! |---|---|
//! | [`posed`] | what is to be planned for, whatever language it was posed in |
//! | [`solve`](mod@solve) | a task grounded and searched, its plan proved |
//! | [`choice`] | searches by name |
//! | [`fast_downward`] | another planner as an engine |
//! | [`household`] | activities as planning tasks |
//! | `housework` | plans for activities judged in their own words |
//! | [`memory`] | how much memory there is to plan with |
//! | [`judge`] | what a validation says, as diagnostics and as JSON |
//! | [`out_of_reach`] | what an activity's goal needs and no action leads to |
//! | [`pick`] | the one problem that a command is about |
//! | [`reach`] | what can never be reached |
//! | [`states`] | the states that a plan goes through, as a trace |
//! | [`widening`] | a second search with things put anywhere |

pub mod choice;
pub mod fast_downward;
pub mod household;
mod housework;
pub mod judge;
pub mod memory;
pub mod out_of_reach;
pub mod pick;
pub mod posed;
pub mod reach;
pub mod solve;
pub mod states;
pub mod widening;
