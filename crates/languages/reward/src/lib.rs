//! Reward functions: a subset of Python for rewards that language models write, with the results of CPython 3.11.
//!
//! ```text
//! text --parse--> tree --scopes, subset--> diagnostics
//!                   |
//!                   +--compile--> Program
//! ```
//! The [runtime](goalspec_python_runtime) executes programs and defines what they may import.
//!
//! | module | contents |
//! |---|---|
//! | [`limits`] | limits on the size of programs |
//! | `depth` | an upper bound on the nesting depth of a text, computed before parsing |
//! | [`parse`](mod@parse) | text to Python's syntax tree |
//! | `mangling` | name mangling of private names in classes |
//! | `patterns` | the names that patterns bind, and errors in patterns |
//! | `scopes` | resolution of names to variables |
//! | `subset`, `special_names`, `literals`, `base_classes` | the supported subset of Python |
//! | `alternatives` | suggested alternatives to what is not supported |
//! | [`read`](mod@read) | text to program: parsing, checks and compilation |
//! | `compile` | the compiler to the runtime's instructions |
//! | [`entry`] | the reward function of a program |
//! | [`outline`] | functions, imports and unbound names of a program |
//! | [`lint`](mod@lint) | static checks for probable mistakes |
//! | [`terms`] | the summands of a reward |
//! | [`traceback`](fn@traceback) | formatting of exceptions as in CPython |
//! | [`codes`] | all diagnostic codes with their documentation |

mod alternatives;
mod base_classes;
pub mod codes;
mod compile;
mod depth;
pub mod entry;
mod imports;
pub mod limits;
pub mod lint;
mod literals;
mod mangling;
pub mod outline;
pub mod parse;
mod patterns;
pub mod read;
mod scopes;
mod special_names;
mod subset;
pub mod terms;
mod traceback;

pub use read::{ReadResult, read};
pub use traceback::traceback;
