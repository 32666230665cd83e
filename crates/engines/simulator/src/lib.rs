//! A fast simulator of resource graph games.
//!
//! A [`Game`](goalspec_resource::game::Game) is compiled once into flat tables; the state of a running game takes a few
//! hundred bytes. Games are bit-identical to those of the core's reference interpreter with the same seed.
//!
//! | module | contents |
//! |---|---|
//! | [`simulator`] | [`Simulator`]: a compiled game and its operations |
//! | [`episode`] | whole games, one or many |
//! | [`actions`] | the moves of teams as finite lists of actions |
//! | [`action_mask`] | masks of valid actions written into arrays |
//! | [`observation`] | observations written into arrays of a fixed layout |
//! | [`environments`] | games stepped with actions by learning agents |
//! | [`batch`] | many games in parallel, advanced turn by turn |
//! | [`frequencies`] | frequencies of choices and consequences |
//! | [`game_tree`] | games as trees of positions and outcomes |
//! | [`exact`] | exact analysis of finite games: states, distributions, best responses, PRISM |
//! | [`experiment`] | Monte Carlo experiments: compared policies, varied values, stopping rules |
//! | [`returns`] | step rewards and discounted returns |
//! | [`trace`] | recordings of games as JSON Lines: writing, replay, comparison |
//! | [`statistics`] | summary statistics, confidence intervals and stopping rules |
//! | `compile` | the compiler from games to tables |
//! | `program` | the compiled tables |
//! | `cell` | values as tagged words |
//! | `state` | [`State`]: the state of one running game |
//! | `eval` | evaluation of tests and computations |
//! | `resolved_move` | resolution of moves to actions |
//! | `step` | execution of a turn |
//! | `vector_selection` | selection of the vectors that a consequence applies to |
//! | `writes` | writes of consequences |
//! | `register_effects` | effects compiled to arithmetic on registers |
//! | `lookahead` | validity of moves, and enumeration of their outcomes |
//! | `inferred_state` | the state that a team infers from its observation |
//! | [`policy`] | policies |
//! | [`json`] | values as JSON |
//! | `observers` | writes to the observers of nodes |
//! | `custom` | access to the state for custom results |
//! | `draws` | the random numbers that filters, computations and effects draw |
//! | `field_visitor` | enumeration of the fields that filters and computations read |
//!
//! # Performance
//! * A slot whose values are inferred to have a single kind is stored and compared without a tag.
//! * The observers of a node are a bit mask, unless the order of labels matters or some labels are known only at run time.
//! * Filters are compiled to decision graphs, and expressions to register code.
//! * The filters of vectors are evaluated incrementally: for each end of each filter there is a bit per vector, and a write to a
//!   slot re-evaluates only the node tests that read it. Picking a vector is a population count.
//! * Everything without a fast form is evaluated by the functions of the reference interpreter.

pub mod action_mask;
pub mod actions;
pub mod batch;
pub mod environments;
pub mod episode;
pub mod exact;
pub mod experiment;
pub mod frequencies;
pub mod game_tree;
pub mod json;
pub mod observation;
pub mod policy;
pub mod returns;
pub mod simulator;
pub mod statistics;
pub mod trace;

mod cell;
mod compile;
mod custom;
mod draws;
mod eval;
mod field_visitor;
mod inferred_state;
mod lookahead;
mod observers;
mod program;
mod register_effects;
mod resolved_move;
mod state;
mod step;
mod vector_selection;
mod writes;

pub use compile::{GameCompileError, MAX_DEPTH, MAX_NODE_TESTS};
pub use simulator::Simulator;
pub use state::State;
