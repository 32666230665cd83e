//! Finite games analysed exactly.
//!
//! | module | what lives there |
//! |---|---|
//! | [`model`] | [`Model`]: the reachable states of a game and what leads from one to another |
//! | [`plan`] | what is known of how teams play |
//! | [`outcomes`] | how games end: distributions of rewards, metrics and lengths |
//! | [`best`] | the best that one team can do while the others play as they are said to |
//! | [`prism`] | models for the PRISM model checker |
//! | [`refusal`] | why a game has no such model |
//! | `draws` | where a game draws numbers that are not branched on |
//! | `key` | what tells two states apart |
//!
//! A state is the values of all resources, who sees what, the odds that discounts have left, and whose turn it is. How many turns are
//! over is no part of it. What is computed is exact up to the rounding of numbers of 64 bits, and the same on every run. Where the
//! odds that are drawn against have 53 bits, the simulator differs from it by less than any number of games can show.
//!
//! Custom results are asked once for every state and move that leads to them; they have to do the same in equal states.

pub mod best;
pub mod model;
pub mod outcomes;
pub mod plan;
pub mod prism;
pub mod refusal;

mod draws;
mod key;

pub use best::{Best, Goal, Stationary};
pub use model::{Limits, Model};
pub use outcomes::{Decisions, Final, Outcomes};
pub use plan::Plan;
pub use prism::Explicit;
pub use refusal::{Draw, Refusal, Values};
