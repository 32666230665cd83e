//! RGG, resource graph games in YAML: teams that act on the resources of a graph's nodes.
//!
//! ```text
//! text --yaml--> tree --parse--> ast::Game --lower--> core Game --(any engine)--> turns, rewards, metrics
//! ```
//!
//! What a game means is in [`goalspec_core::resource`].
//!
//! | module | what lives there |
//! |---|---|
//! | [`yaml`] | text to a tree of which every key and value has its place |
//! | [`parse`](mod@parse) | tree to AST, reporting every defect |
//! | [`lower`](mod@lower) | AST to the core: names become ids |
//! | [`read`](mod@read) | all of these together |
//! | [`lint`] | what is allowed and probably not meant |
//! | [`mod@describe`] | a game in plain English |
//! | [`patch`] | games with some values replaced, for parameter sweeps |
//! | [`format`](mod@format) | the layout of a text; comments are kept |
//! | [`ast`] | games as written: names are still names, every piece has its place |
//! | [`constraint`] | what a resource ranges over (`int.range(0; 0,10)`): text to a declared space with its initial value |
//! | [`expression`] | what is computed (`"-{a.capital} / 2"`): text to a numeric or boolean expression |
//! | [`dialect`] | [`Dialect`]: the documented language, or the one of the Cage engine |
//! | [`switch`] | the switches of a dialect by name |
//! | [`reading`] | what comes of reading a short text: a value, and faults with their places in the text |
//! | `keys` | the words of the language |
//! | [`schema`](mod@schema) | a JSON Schema of games, for editors |
//! | [`codes`] | every diagnostic code, documented |

pub mod ast;
pub mod codes;
pub mod constraint;
pub mod describe;
pub mod dialect;
pub mod expression;
mod findings;
pub mod format;
mod keys;
pub mod lint;
pub mod lower;
pub mod parse;
pub mod patch;
pub mod read;
pub mod reading;
pub mod schema;
pub mod switch;
pub mod yaml;

pub use dialect::Dialect;
pub use lint::check;
pub use read::{Read, read};

/// Whether a word is the name of a result that the language has, such as `Resources`.
pub fn is_result(word: &str) -> bool {
    keys::has(&keys::RESULTS, word)
}

/// Whether a word is the name of a section of a game, such as `teams` or `board`.
pub fn is_section(word: &str) -> bool {
    keys::has(&keys::SECTIONS, word)
}
