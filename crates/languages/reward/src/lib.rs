//! Reward functions: the part of Python that language models write rewards in, run as `CPython` runs it.
//!
//! ```text
//! text --parse--> tree --scopes, subset--> diagnostics
//!                   |
//!                   +--compile--> Code --machine--> values, exceptions, tracebacks
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | [`limits`] | how large programs may be, and what running one may take |
//! | `depth` | a bound on how deeply a text nests, before it is parsed |
//! | [`parse`](mod@parse) | text to Python's syntax tree |
//! | `private` | names of classes that are only theirs |
//! | `scopes` | which variable a name is |
//! | `subset`, `special`, `library` | what of Python is read, which special methods are run, and which libraries there are |
//! | [`read`](mod@read) | all of these together |
//! | `code`, `compile` | programs as instructions |
//! | [`entry`] | which function gives the reward, and what it is called with |
//! | [`outline`] | what a program offers and what it needs |
//! | [`machine`] | the reference machine |
//! | [`fast`] | the fast engine |
//! | `typed` | what every value of a program may be |
//! | [`lint`](mod@lint) | what is probably not meant |
//! | [`terms`] | what a reward is the sum of |
//! | [`observe`] | what happens in runs: terms, branches, comparisons |
//! | [`scene`] | what a reward function is called with |
//! | [`traceback`](fn@traceback) | exceptions as `CPython` prints them |
//! | [`codes`] | every diagnostic code, documented |

mod bases;
mod code;
pub mod codes;
mod compile;
mod depth;
pub mod entry;
pub mod fast;
mod library;
pub mod limits;
pub mod lint;
mod literals;
pub mod machine;
pub mod observe;
pub mod outline;
pub mod parse;
mod private;
pub mod read;
pub mod scene;
mod scopes;
mod special;
mod subset;
pub mod terms;
mod traceback;
mod typed;

pub use code::Program;
pub use entry::Entry;
pub use machine::Machine;
pub use read::{Read, read};
pub use traceback::traceback;
