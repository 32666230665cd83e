//! The language of the LOT experiment: arrangements of household objects in stacks, described in controlled English and in PDDL.
//!
//! ```text
//! specs (YAML), vocabularies --generate--> Problem (JSON) --view--> StackingProblem
//! StackingProblem --english, pddl, prompts--> texts for a language model
//! reply: translation --translation--> facts --checks--> findings, pddl::problem for a planner
//! reply: plan --plan--> actions --execution--> verdict on the true problem
//! ```
//!
//! The experiment asks a language model either to translate a text into PDDL, for which a planner then finds a plan, or to write the
//! plan itself (Collins, Wong, Feng, Wei, Tenenbaum: Structured, flexible, and robust; 2022). This crate contains the parts
//! that need neither a model nor a planner, and performs no I/O.
//!
//! | module | contents |
//! |---|---|
//! | [`names`] | names of objects in English and in PDDL; tables of declared objects |
//! | [`vocabulary`] | lists of names to draw from; the bundled ones |
//! | [`specs`] | problem specs in YAML |
//! | [`relation`] | relations between objects, the sentences of both languages |
//! | [`arrangement`] | arrangements of objects in stacks |
//! | [`problem`] | problems with their three views, in JSON |
//! | [`random`] | the pseudo-random generator of numpy |
//! | [`mod@generate`] | generation of problems |
//! | [`english`] | controlled English: rendering, and parsing without a model |
//! | [`pddl`] | facts, problems and the domain in PDDL |
//! | [`prompts`] | few-shot prompts and queries for both methods |
//! | [`translation`] | reading of the facts in a model's reply, by default rules and by those of the published program |
//! | [`checks`] | checks of a translation before planning |
//! | [`equivalence`] | goals that the same arrangements satisfy |
//! | [`plan`] | reading of plans in a model's reply |
//! | [`execution`] | execution of a plan on the true problem, and its verdict |
//! | `json_text` | places in JSON texts |
//! | [`codes`] | the diagnostic codes, with documentation |

pub mod arrangement;
pub mod checks;
pub mod codes;
pub mod english;
pub mod equivalence;
pub mod execution;
pub mod generate;
mod json_text;
pub mod names;
pub mod pddl;
pub mod plan;
pub mod problem;
pub mod prompts;
pub mod random;
pub mod relation;
pub mod specs;
pub mod translation;
pub mod vocabulary;

pub use arrangement::Arrangement;
pub use problem::{Problem, StackingProblem, View};
pub use relation::{Fact, Relation};
pub use vocabulary::{Vocabularies, Vocabulary};
