//! Reward functions: a subset of Python for rewards that language models write, with the results of CPython 3.11.
//!
//! ```text
//! text --parse--> tree --scopes, subset--> diagnostics
//!                   |
//!                   +--compile--> Program --machine--> values, exceptions, tracebacks
//! ```
//! | module | contents |
//! |---|---|
//! | [`limits`] | limits on the size of programs, and the budget of a run |
//! | `depth` | an upper bound on the nesting depth of a text, computed before parsing |
//! | [`parse`](mod@parse) | text to Python's syntax tree |
//! | `mangling` | name mangling of private names in classes |
//! | `scopes` | resolution of names to variables |
//! | `subset`, `special_names`, `library` | the supported subset of Python, its special methods, and its libraries |
//! | [`read`](mod@read) | text to program: parsing, checks and compilation |
//! | `code`, `compile` | bytecode, and the compiler to it |
//! | [`entry`] | the reward function of a program, and its arguments |
//! | [`outline`] | functions, imports and unbound names of a program |
//! | [`machine`] | the reference interpreter |
//! | [`fast`] | the fast engine |
//! | `inference` | type inference: the possible types of each value of a program |
//! | [`lint`](mod@lint) | static checks for probable mistakes |
//! | [`terms`] | the summands of a reward |
//! | [`observe`] | coverage and value statistics of runs: terms, branches, comparisons |
//! | [`scene`] | the arguments of a reward function: worlds and their objects |
//! | [`traceback`](fn@traceback) | formatting of exceptions as in CPython |
//! | [`codes`] | all diagnostic codes with their documentation |

mod base_classes;
mod code;
pub mod codes;
mod compile;
mod depth;
pub mod entry;
pub mod fast;
mod inference;
mod library;
pub mod limits;
pub mod lint;
mod literals;
pub mod machine;
mod mangling;
pub mod observe;
pub mod outline;
pub mod parse;
pub mod read;
pub mod scene;
mod scopes;
mod special_names;
mod subset;
pub mod terms;
mod traceback;

pub use code::Program;
pub use entry::Entry;
pub use machine::Machine;
pub use read::{ReadResult, read};
pub use traceback::traceback;
