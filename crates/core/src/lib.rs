//! The typed core under every goalspec language: worlds, states, conditions, patterns, preferences, scores,
//! and the reference interpreter that says what they mean.
//!
//! ```text
//! world      what there is to speak of: types, objects, attributes, predicates, functions
//! state      one snapshot (State), what changed to reach it (Delta), and the walk over a recording (Playback)
//! condition  truth over one state: terms, numeric expressions, conditions
//! evaluate   the evaluator of conditions over one state, for every engine that has no faster way
//! pattern    truth over a stretch of states: phases in sequence, at-end, finite-trace formulas
//! program    goals; preferences, setup, terminal, score: what a file means
//! automaton  a sequence of phases as positions in a line: how engines and explanations read it
//! monitor    the interface of every engine: Monitor, Verdict, Report
//! score      arithmetic over counts, whichever engine counted
//! movement   where objects were when, for scores by position
//! interpret  the reference interpreter: slow, obvious, complete
//! goal       goals: the interface of their engines, and the reference engine
//! planning   planning tasks: actions, derived predicates, plans
//! resource   resource graph games: dynamic values, their spaces, arithmetic
//! work       what engines do, counted and bounded
//! assignments  how much evaluating a condition takes at most
//! explain    which atoms made an attempt fail, or a goal hold or not
//! ```
//!
//! The core does no I/O, starts no threads and knows no surface syntax.

pub mod assignments;
pub mod automaton;
pub mod condition;
pub mod evaluate;
pub mod explain;
pub mod goal;
pub mod ids;
pub mod interpret;
pub mod limits;
pub mod monitor;
pub mod movement;
pub mod pattern;
pub mod planning;
pub mod playback;
pub mod program;
pub mod resource;
pub mod score;
pub mod state;
pub mod value;
pub mod work;
pub mod world;
