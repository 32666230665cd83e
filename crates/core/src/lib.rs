//! The typed core of goalspec, shared by all languages: worlds, states, conditions, patterns, preferences, scores, and
//! the reference interpreter that defines their semantics.
//!
//! ```text
//! world        the vocabulary of a domain: types, objects, attributes, predicates, functions
//! state        one snapshot (State) and the changes between snapshots (Delta)
//! playback     the current state while deltas arrive (Playback)
//! value        values of attributes and their kinds
//! condition    truth over one state: terms, numeric expressions, conditions
//! evaluate     the reference evaluator of conditions over one state
//! pattern      truth over an interval of states: sequences of phases, at-end conditions, finite-trace formulas
//! program      programs: goals, and games of preferences, a setup, a terminal condition and a score
//! automaton    the Glushkov automaton of a sequence of phases
//! monitor      the interface of monitoring engines: GameMonitor, Verdict, Report
//! score        arithmetic over counts of satisfactions, independent of the engine that counts
//! movement     the positions of objects over time, for scores by position
//! interpret    the reference interpreter of games: slow, obvious, complete
//! goal         the interface of engines that monitor goals, and the reference engine
//! planning     planning tasks: actions, derived predicates, plans
//! work         counters of evaluation work, with limits
//! budget       the work limit of a program over one trace
//! codes        the diagnostic codes of runs of programs in any language
//! engine       the choice between a fast engine and the reference interpreter
//! evaluation_cost  upper bounds on the cost of evaluating a condition
//! explain      the atoms that made an attempt fail, or that decide a goal
//! truth        the truth of the conditions of chosen bindings in every state
//! limits       named size limits
//! ids          typed indices of types, objects, attributes, predicates, functions, variables, preferences
//! ```
//!
//! The core does no I/O, starts no threads and knows no surface syntax.

pub mod automaton;
pub mod budget;
pub mod codes;
pub mod condition;
pub mod engine;
pub mod evaluate;
pub mod evaluation_cost;
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
pub mod score;
pub mod state;
pub mod state_part;
pub mod truth;
pub mod value;
pub mod work;
pub mod world;
