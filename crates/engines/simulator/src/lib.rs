//! Resource graph games, played fast: the simulator.
//!
//! A [`Game`](goalspec_core::resource::game::Game) is compiled once into flat tables; a game in flight is a few hundred bytes.
//! What is played is what the reference interpreter of the core plays, number for number, from the same seed.
//!
//! | module | what lives there |
//! |---|---|
//! | [`simulator`] | [`Simulator`]: a compiled game, and what is done with it |
//! | [`episode`] | whole games, one or many |
//! | [`batch`] | many games side by side, a turn of each at a time |
//! | [`frequencies`] | how often actions are chosen and consequences occur |
//! | [`exact`] | finite games analysed: states, distributions, best responses, PRISM |
//! | [`returns`] | rewards step by step, and their discounted sums |
//! | [`trace`] | games as JSON Lines, played again, compared |
//! | [`statistics`] | what is known of a metric after many games, how sure it is, when to stop |
//! | `compile` | from a game to tables |
//! | `program` | these tables |
//! | `cell` | values in registers and words, and kinds of values |
//! | `state` | [`State`]: one game in flight |
//! | `eval` | tests and computations over a state |
//! | `step` | a turn |
//! | `plain` | effects that need nothing but numbers |
//! | `futures` | whether moves are valid, and everything that may come of them |
//! | `observed` | the state that a team has to expect from what it observes |
//! | [`policy`] | what decides on moves |
//! | `json` | values as JSON |
//! | `sight` | who sees what |
//! | `custom` | results in code |
//! | `walk` | every field that a filter or a computation reads |
//!
//! # How it gets fast
//! * A slot that can be shown to hold values of one kind only is kept and compared as that, without a tag.
//! * Who sees a node is a word of bits, unless something asks for the order of labels, or labels are only known in play.
//! * Filters become graphs of decisions, expressions a list of operations over registers.
//! * The filters of vectors are never asked when a consequence needs a vector: each end of each filter has a bit for each vector,
//!   and a write to a slot asks again just the tests of nodes that read it. Picking a vector is counting bits.
//! * Whatever has no fast form is evaluated as the reference interpreter does, by its own functions.

pub mod batch;
pub mod episode;
pub mod exact;
pub mod frequencies;
pub mod json;
pub mod policy;
pub mod returns;
pub mod simulator;
pub mod statistics;
pub mod trace;

mod cell;
mod compile;
mod custom;
mod eval;
mod futures;
mod observed;
mod plain;
mod program;
mod sight;
mod state;
mod step;
mod walk;

pub use compile::{MAX_DEPTH, MAX_NODE_TESTS, Refusal};
pub use simulator::Simulator;
pub use state::State;
