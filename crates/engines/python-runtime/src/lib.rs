//! The runtime of reward functions: programs in the instructions of a stack machine, executed with the results of CPython 3.11.
//!
//! ```text
//! Program --machine--> values, exceptions, tracebacks, statistics
//!    |
//!    +--inference--> types --fast--> the same results, sooner
//! ```
//! | module | contents |
//! |---|---|
//! | [`code`], [`operators`] | programs: functions, instructions, operators |
//! | [`library`] | the libraries that programs may import, and built-in names |
//! | [`scene`] | the arguments of a reward function: worlds and their objects |
//! | [`entry`] | the function that computes the reward, and the arguments of its parameters |
//! | [`machine`] | the reference interpreter |
//! | [`inference`] | type inference: the possible types of each value of a program |
//! | [`fast`] | the fast engine |
//! | [`limits`] | the budget of a run, and limits on values |
//! | [`observe`] | coverage and value statistics of runs: terms, branches, comparisons |
//!
//! A program comes from a compiler, as that of `goalspec-reward`; positions are byte offsets into a source text that the crate does not
//! hold.

pub mod code;
pub mod entry;
pub mod fast;
pub mod inference;
pub mod library;
pub mod limits;
pub mod machine;
pub mod observe;
pub mod operators;
pub mod scene;

pub use code::Program;
pub use entry::Entry;
pub use machine::Machine;
