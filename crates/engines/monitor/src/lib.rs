//! The fast engine: games compiled to bit vectors and goals compiled to circuits, evaluated over states.
//!
//! It gives the same verdicts and reports as the [reference interpreter](goalspec_core::interpret), with work per state in
//! proportion to the changes in it:
//!
//! * A condition is evaluated for all assignments of its variables at once, 64 to a word. Equal conditions are computed once,
//!   whichever preference they occur in (`graph`, built by `graph_builder`).
//! * Predicates are evaluated again only for tuples of objects of which an input has changed, and only when the result is
//!   needed (`graph_evaluator`).
//! * A sequence of phases is a few vectors of bindings that advance by and, or and not ([`sequence`]).
//! * Satisfactions are counted as they occur (`satisfaction_counter`) and converted to names only in reports.
//!
//! | module | contents |
//! |---|---|
//! | `bits`, `space` | bit vectors; domains of variables and the spaces they span |
//! | `graph`, `graph_evaluator`, `matching` | compiled conditions; their evaluation in a run; the rules of pairings |
//! | `graph_builder`, `renaming`, `reads` | compilation of conditions to the graph |
//! | [`sequence`] | matching of phases for many bindings at once; usable by itself on plain columns of truth values |
//! | `formula`, `setup` | formulas over finite traces; the setup and its memory |
//! | `compiled_game`, `memory` | compilation of games; memory requirements of a run |
//! | [`goal`] | compiled goals: in one state, in a changing state, in many states |
//! | `lanes` | the progress of every binding in every state, recorded by an observer |
//! | `preference_matcher`, `satisfaction_counter`, `tally` | one preference in a run; the counts and the list of its satisfactions |
//! | `results`, `run` | the score and the end of a game; the run and its state as features |
//! | `batch` | runs in many environments, evaluated side by side |

mod batch;
mod bits;
mod compiled_game;
mod formula;
pub mod goal;
mod graph;
mod graph_builder;
mod graph_evaluator;
mod lanes;
mod matching;
mod memory;
mod preference_matcher;
mod reads;
mod renaming;
mod results;
mod run;
mod satisfaction_counter;
pub mod sequence;
mod setup;
mod space;
mod tally;

pub use batch::{GameBatch, StepResult};
pub use compiled_game::{CompileLimits, CompiledGame};
pub use lanes::{Lane, LaneRecorder, MAX_LANE_EVENTS};
pub use memory::{MemoryRequirements, PreferenceMemory};
pub use run::{GameFeatures, GameRun, MAX_BINDING_FEATURES, MAX_STATES, RunOptions};
