//! goalspec for Rust programs: load any file, check it, score it over traces, explain the score.
//!
//! ```text
//! paths --files--> programs, traces, worlds
//! programs --library--> checked programs with their diagnostics
//! programs + a trace --run--> outcomes, one pass over the trace for all programs
//! outcomes --record, rows--> JSON, CSV, Parquet
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | [`examples`] | programs and traces that are bundled, by name |
//! | [`files`] | which files are meant, and what each of them is |
//! | `languages` | what a text is written in |
//! | [`library`] | [`Library`](library::Library): sources, worlds, checked programs |
//! | [`releases`] | releases of the package `bddl` on this machine, and their activities by name |
//! | [`fetch`] | such releases, fetched from the Python package index |
//! | [`domains`] | which domain a planning problem is of |
//! | [`program`] | [`Program`](program::Program): what was written and what it means, by language |
//! | [`run`] | [`score`](run::score): programs over a trace, by any engine, under either semantics |
//! | [`runner`] | one program being run: [`Verdict`](runner::Verdict) and [`Judgement`](runner::Judgement) |
//! | [`options`] | the ways in which the goal of an activity can be met |
//! | [`progress`] | how much of a goal is reached |
//! | [`live`] | [`watch`](live::watch): a program over a stream that is still being written |
//! | [`simulate`] | resource graph games being played |
//! | [`planning`] | planning problems being solved, plans being judged |
//! | [`rewards`] | reward functions over recorded screens |
//! | [`traces`] | traces by themselves: which world they are of |
//! | [`results`] | custom results of resource graph games, as users name them |
//! | `rest` | results of resource graph games that a service decides (feature `rest`) |
//! | [`why`] | what made unsatisfied preferences fail |
//! | [`record`] | outcomes as JSON |
//! | [`rows`] | outcomes as CSV and Parquet tables |
//! | [`codes`] | the documentation of every diagnostic code |
//!
//! The crates underneath are re-exported for those who need more.

pub mod budget;
pub mod codes;
pub mod domains;
pub mod examples;
pub mod fetch;
pub mod files;
mod languages;
pub mod library;
pub mod limits;
pub mod live;
pub mod options;
pub mod planning;
pub mod program;
pub mod progress;
pub mod record;
pub mod releases;
#[cfg(feature = "rest")]
pub mod rest;
pub mod results;
pub mod rewards;
pub mod rows;
pub mod run;
pub mod runner;
pub mod simulate;
pub mod traces;
pub mod why;

pub use goalspec_atari as atari;
pub use goalspec_bddl as bddl;
pub use goalspec_core as core;
pub use goalspec_game as game;
pub use goalspec_monitor as monitor;
pub use goalspec_pddl as pddl;
pub use goalspec_planner as planner;
pub use goalspec_reward as reward;
pub use goalspec_rgg as rgg;
pub use goalspec_simulator as simulator;
pub use goalspec_syntax as syntax;
pub use goalspec_trace as trace;
