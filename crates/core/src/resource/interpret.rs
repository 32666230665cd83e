//! The reference interpreter of resource graph games: slow, obvious, complete. Faster engines are checked against it.
//!
//! | module | what lives there |
//! |---|---|
//! | [`play`] | [`Play`](play::Play): a game that is being played, turn by turn |
//! | [`view`] | what teams see, and what they earn |
//! | [`mask`] | masks: which choices are valid |
//! | [`state`] | the state of a game |
//! | `execution` | what an action does |
//! | `vectors` | which vectors a result is for |
//! | `environment`, `ground` | the state as tests and computations read it, and as custom results do |
//! | [`lookup`] | what the fields of tests and computations stand for |
//! | [`filter`] | tests of values and of fields |
//! | [`compute`] | computations |
//! | [`step`] | the steps of chains |
//! | [`arithmetic`] | arithmetic over several fields, and with a fixed number |
//!
//! Filters and computations are evaluated by recursion over how they are nested. Whoever builds them from untrusted text
//! limits that depth, as the readers of languages do.

pub mod arithmetic;
pub mod compute;
mod environment;
mod execution;
pub mod filter;
mod ground;
pub mod lookup;
pub mod mask;
pub mod play;
pub mod state;
pub mod step;
mod vectors;
pub mod view;

#[cfg(test)]
mod tests;
