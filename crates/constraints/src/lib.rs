//! Grammars and JSON schemas of goalspec's languages, for replies of language models.
//!
//! ```text
//! language + vocabulary --lot, pddl, bddl, game, reward, rgg--> OutputConstraint --> GBNF, Lark, JSON schema
//! reply --OutputConstraint::check--> accepted | mismatch
//! ```
//!
//! An [`OutputConstraint`] is generated for one vocabulary: it derives declared names only, with the right number of arguments. It knows the
//! canonical layout of its texts, a single blank between the words, and converts between texts and the values of its schema.
//! The languages themselves do not depend on this crate.
//!
//! | module | contents |
//! |---|---|
//! | [`constraint`] | [`OutputConstraint`]: a grammar and a schema with their checks |
//! | [`lot`] | facts, sentences and plans of the LOT experiment |
//! | [`pddl`] | initial states, goals and problems of a PDDL domain |
//! | [`bddl`] | goals, initial literals and problems of a BDDL domain |
//! | [`game`] | games over a world |
//! | [`reward`] | reward functions |
//! | [`rgg`] | resource graph games |
//! | [`layout`] | canonical layout of texts |
//! | `tree` | conditions as JSON, and back |
//! | `header` | the comments at the head of exports |

pub mod bddl;
pub mod constraint;
pub mod game;
mod header;
pub mod layout;
pub mod lot;
pub mod pddl;
pub mod reward;
pub mod rgg;
mod tree;

pub use constraint::{CheckedNotation, ExportError, OutputConstraint, ReplyMismatch};

/// A part of a program that an export covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Part {
    /// The section `(:goal ..)`.
    Goal,
    /// The section `(:init ..)`.
    Init,
    /// The sections `(:init ..)` and `(:goal ..)`, each on a line of its own.
    #[default]
    InitAndGoal,
    /// A complete program.
    Program,
}
