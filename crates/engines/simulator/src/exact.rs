//! Exact analysis of finite games.
//!
//! | module | contents |
//! |---|---|
//! | [`model`] | [`Model`]: the reachable states of a game and the transitions between them |
//! | [`team_policy`] | the policies of teams in a model |
//! | [`outcomes`] | the distributions of final rewards, metrics and lengths |
//! | [`best_response`] | best responses of one team to the policies of the others |
//! | [`prism`] | export to the PRISM model checker |
//! | [`error`] | the errors of an analysis |
//! | `draws` | random draws that a model cannot branch on |
//! | `key` | keys that identify states |
//!
//! A state consists of the values of all resources, the observers of the nodes, the odds after discounts, and the team to move.
//! The number of turns played is not part of it. Results are exact up to the rounding of 64-bit floating point, and reproducible.
//! The simulator compares odds with random numbers of 53 bits; the resulting difference is too small to be observable.
//!
//! A custom result is called once for each state and move that leads to it, so it must have equal effects on equal states.

pub mod best_response;
pub mod error;
pub mod model;
pub mod outcomes;
pub mod prism;
pub mod team_policy;

mod draws;
mod key;

pub use best_response::{FiniteHorizonPolicy, Optimization, StationaryPolicy};
pub use error::{AnalysisError, DrawLocation, ParameterDomain};
pub use model::{Model, ModelLimits};
pub use outcomes::{DecisionRule, FinalValue, OutcomeDistribution};
pub use prism::PrismFiles;
pub use team_policy::TeamPolicy;
