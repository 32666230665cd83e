//! The fast engine: games compiled to bit vectors, goals compiled to circuits, run over states.
//!
//! It gives the same verdicts and reports as the [reference interpreter](goalspec_core::interpret), with the work of a state in
//! proportion to what changed in it:
//!
//! * A condition is the truth of all assignments of its variables at once, 64 to a word. Equal conditions are computed once,
//!   whichever preference they stand in (`graph`, made by `build`).
//! * Predicates are asked again only for tuples of objects of which something that they read has changed, and only when
//!   somebody needs the answer (`network`).
//! * A sequence of phases is a few vectors of bindings that are moved on with and, or and not ([`sequence`]).
//! * Satisfactions are counted as they come (`account`) and named only in reports.
//!
//! | module | what lives there |
//! |---|---|
//! | `bits`, `space` | vectors of bits; domains of variables and the spaces they span |
//! | `graph`, `network`, `matching` | conditions as data; being evaluated; the rules of pairings |
//! | `build`, `variables`, `reads` | from conditions to the graph |
//! | [`sequence`] | matching phases for many bindings at once; usable by itself on plain columns of truth values |
//! | `formula`, `setup` | formulas over finite traces; the setup and what it remembers |
//! | `compile`, `cost` | from games to what is run; what a run takes |
//! | [`goal`] | goals: one state, a state that changes, many states |
//! | `watch`, `account`, `engine` | one preference in a run; counting; the run |

mod account;
mod bits;
mod build;
mod compile;
mod cost;
mod engine;
mod formula;
pub mod goal;
mod graph;
mod matching;
mod network;
mod reads;
pub mod sequence;
mod setup;
mod space;
mod variables;
mod watch;

pub use compile::{Compiled, Limits};
pub use cost::{Cost, PreferenceCost};
pub use engine::{Engine, MAX_STATES, Options};
