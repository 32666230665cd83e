//! Grammars and JSON schemas that constrain the output of language models.
//!
//! ```text
//! language + vocabulary --> Grammar ----> GBNF, Lark         (and back)
//!                             |--> Network --> matcher: is a reply derivable, and where does it stop?
//!                             +--> sampler: random derivations
//! language + vocabulary --> JsonSchema --> validation, random values
//! ```
//!
//! A [`Grammar`] is context free. Its terminals are single words, so that engines that match lexemes longest-first accept the same
//! texts as engines that match single characters; [`Grammar::new`] rejects grammars for which the two would differ. Texts are
//! matched with Earley's algorithm over a recursive transition network, whose cost is bounded.
//!
//! | module | contents |
//! |---|---|
//! | [`expression`] | rule bodies, and functions that build them |
//! | [`pattern`] | regular terminals, such as identifiers and numbers |
//! | [`grammar`] | [`Grammar`]: named rules and terminals, checked |
//! | `rules` | the rules that every grammar follows |
//! | `lexemes` | the check that longest-first matching loses nothing |
//! | [`gbnf`], [`lark`] | writers and readers |
//! | `network` | compilation to a recursive transition network |
//! | [`matcher`] | membership of texts, with the expected terminals at a mismatch |
//! | [`sampler`] | random derivations |
//! | [`schema`] | JSON schemas: validation, bounded depth, random values |
//! | [`random`] | the generator of pseudo-random numbers |

pub mod expression;
pub mod gbnf;
pub mod grammar;
pub mod lark;
mod lexemes;
pub mod matcher;
mod network;
mod notation;
pub mod pattern;
pub mod random;
mod regex;
mod rules;
pub mod sampler;
pub mod schema;

pub use expression::Expression;
pub use grammar::{Definition, Grammar, GrammarError};
pub use matcher::{Matcher, Mismatch, MismatchKind};
pub use pattern::Pattern;
pub use sampler::SampleOptions;
pub use schema::JsonSchema;
