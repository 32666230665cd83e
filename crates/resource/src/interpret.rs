//! The reference interpreter of resource graph games: simple and complete rather than fast; the fast engines are compared with
//! it.
//!
//! | module | contents |
//! |---|---|
//! | [`play`] | [`Play`](play::Play): a game in progress, turn by turn |
//! | [`observation`] | observations, the true state, and rewards |
//! | [`mask`] | masks of valid choices |
//! | [`state`] | the state of a game |
//! | `execution` | the execution of actions |
//! | `vectors` | the selection of vectors for results |
//! | `context`, `state_access` | access to the state for tests and computations, and for custom results |
//! | [`lookup`] | the interface through which tests and computations read fields |
//! | [`filter`] | tests of values and of fields |
//! | [`compute`] | computations |
//! | [`step`] | steps of chains |
//! | [`arithmetic`] | arithmetic over several fields, and with a constant |
//!
//! Filters and computations are evaluated recursively. Code that builds them from untrusted text must limit their depth, as the
//! parsers of the languages do.

pub mod arithmetic;
pub mod compute;
mod context;
mod execution;
pub mod filter;
pub mod lookup;
pub mod mask;
pub mod observation;
pub mod play;
pub mod state;
mod state_access;
pub mod step;
mod vectors;

#[cfg(test)]
mod tests;
