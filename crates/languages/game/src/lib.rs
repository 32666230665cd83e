//! The game language of "Goals as Reward-Generating Programs": setup, temporal preferences, terminal conditions and scoring over the
//! states of a world.
//!
//! ```text
//! text --syntax--> tree --parse--> ast::Game --resolve--> core Game --(any engine)--> report
//!                             |                    |
//!                             +-- format, describe +-- lint
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`ast`] | the abstract syntax tree: names unresolved, a source span for each node |
//! | [`parse`] | the parser: s-expression tree to AST, with error recovery |
//! | [`resolve`] | name resolution, type checks and lowering of an AST to the typed core |
//! | [`lint`] | lints: valid programs that are probably mistakes |
//! | [`mod@format`] | the formatter: canonical layout, comments preserved |
//! | [`dialect`] | the two interpretations of `hold` |
//! | [`describe`] | translations to English, temporal logic and automata |
//! | [`name_syntax`] | the lexical rules for the names of a world |
//! | [`worlds`] | the built-in rooms of the language |
//! | [`mod@reference`] | the authors' reward machine, reproduced with all its deviations |
//! | `check` | the whole front end: source text to executable games ([`check()`], [`check_game`]) |
//! | [`keywords`] | the keywords of the language |
//! | [`occurrences`] | occurrences of names, for editors |
//! | [`codes`] | the diagnostic codes of the language, with their documentation |

pub mod ast;
mod check;
pub mod codes;
pub mod describe;
pub mod dialect;
pub mod format;
pub mod keywords;
pub mod lint;
pub mod name_syntax;
pub mod occurrences;
pub mod parse;
pub mod reference;
pub mod resolve;
pub mod worlds;

pub use check::{CheckResult, CheckedGame, check, check_game};
pub use dialect::Dialect;
