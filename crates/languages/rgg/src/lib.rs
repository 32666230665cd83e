//! RGG (resource graph games) in YAML: games of teams that act on the resources of the nodes of a graph.
//!
//! ```text
//! text --yaml--> tree --parse--> ast::Game --lower--> core Game --(any engine)--> turns, rewards, metrics
//! ```
//!
//! The semantics of games is in [`goalspec_resource`].
//!
//! | module | contents |
//! |---|---|
//! | [`yaml`] | the YAML parser: text to a tree with the span of every key and value |
//! | [`parse`](mod@parse) | the parser: tree to AST, with error recovery |
//! | [`lower`](mod@lower) | name resolution and lowering: AST to the core |
//! | [`load`](mod@load) | parsing and lowering in one call |
//! | [`lint`] | lints: constructs that are allowed but probably unintended |
//! | [`mod@describe`] | the description of a game in plain English |
//! | [`completion`] | the keywords and names that may stand at a place, for editors |
//! | [`occurrences`](mod@occurrences) | the occurrences of names, for editors |
//! | `place` | the keywords and names that may stand in each place |
//! | [`template`] | games with some values replaced, for parameter sweeps |
//! | [`format`](mod@format) | the formatter, which keeps comments |
//! | [`ast`] | the AST: names unresolved, a span on every node |
//! | [`constraint`] | the parser of constraints (`int.range(0; 0,10)`): text to a space with an initial value |
//! | [`expression`] | the parser of expressions (`"-{a.capital} / 2"`): text to a numeric or Boolean expression |
//! | [`dialect`] | [`Dialect`]: the documented language, or that of the Cage engine |
//! | [`options`] | the options of a dialect by name |
//! | [`spelling`] | the spellings of operators and functions |
//! | [`fragment`] | the result of parsing a short text: a value, and faults with ranges in the text |
//! | `keywords` | the keywords of the language |
//! | [`reference`](mod@reference) | the keywords with their documentation |
//! | [`schema`](mod@schema) | a JSON Schema of games, for editors |
//! | [`codes`] | the diagnostic codes, with documentation |

pub mod ast;
pub mod codes;
pub mod completion;
pub mod constraint;
pub mod describe;
mod diagnostics;
pub mod dialect;
pub mod expression;
pub mod format;
pub mod fragment;
mod keywords;
pub mod lint;
pub mod load;
pub mod lower;
pub mod occurrences;
pub mod options;
pub mod parse;
mod place;
pub mod reference;
pub mod schema;
pub mod spelling;
pub mod template;
pub mod yaml;

pub use dialect::Dialect;
pub use lint::check;
pub use load::{ParsedGame, load};

/// Whether a word is the name of a built-in result, such as `Resources`.
pub fn is_result(word: &str) -> bool {
    keywords::contains(&keywords::RESULTS, word)
}

/// Whether a word is the name of a section of a game, such as `teams` or `board`.
pub fn is_section(word: &str) -> bool {
    keywords::contains(&keywords::SECTIONS, word)
}
