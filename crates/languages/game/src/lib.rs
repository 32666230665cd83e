//! The game language: "goals as reward-generating programs", with setup, temporal preferences, terminal conditions and scoring
//! over the states of a world.
//!
//! ```text
//! text --syntax--> tree --parse--> ast::Game --resolve--> core Game --(any engine)--> report
//!                             |                    |
//!                             +-- format, describe +-- lint
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | [`ast`] | the program as written: names are still names, every piece has its span |
//! | [`parse`] | s-expression tree to AST, reporting every error |
//! | [`resolve`] | AST and world to the typed core: names, types, arities |
//! | [`lint`] | what is allowed but probably not meant |
//! | [`mod@format`] | canonical layout, comments kept |
//! | [`dialect`] | the two readings of `hold` |
//! | [`describe`] | plain English, temporal logic, automata |
//! | [`spelling`] | how the names of a world are spelt |
//! | [`worlds`] | the rooms the language was made for |
//! | [`mod@reference`] | the authors' reward machine, reproduced with all its deviations |
//! | `check` | all of it: a text to games that can run ([`check()`]) |
//! | [`keywords`] | the words of the language itself |
//! | [`codes`] | every diagnostic code of the language, documented |

pub mod ast;
mod check;
pub mod codes;
pub mod describe;
pub mod dialect;
pub mod format;
pub mod keywords;
pub mod lint;
pub mod parse;
pub mod reference;
pub mod resolve;
pub mod spelling;
pub mod worlds;

pub use check::{Checked, CheckedGame, check};
pub use dialect::Dialect;
