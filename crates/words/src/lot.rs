//! The LOT experiment: a language model translates descriptions of stacks for a planner, or plans itself.
//!
//! ```text
//! ProblemSet ── prompts ──▶ tasks ── pipeline (repairs) ──▶ candidates ── judge (planner, execution) ──▶ Cell
//!                                                                                          Cells ──▶ tables, CSV, JSON, HTML
//! ```
//!
//! A *cell* is the result of one method on one view of one problem. Everything that a table shows is computed from cells, so results of
//! several runs can be put together.
//!
//! | module | contents |
//! |---|---|
//! | [`problem_set`] | a problem set with its training plans |
//! | [`recorded_order`] | the order of stacks in recorded prompts |
//! | [`queries`] | the prompts of a problem set |
//! | [`planner`] | plans for arrangements |
//! | [`tasks`] | translations and plans as tasks of the pipeline |
//! | [`judge`] | verdicts on replies |
//! | [`cell`] | the result of a method on a view of a problem |
//! | [`experiment`] | a run of a method |
//! | [`summary`] | counts, intervals and tests over cells |
//! | [`output`] | tables as text, CSV, JSON and HTML |

pub mod cell;
pub mod experiment;
pub mod judge;
pub mod output;
pub mod planner;
pub mod problem_set;
pub mod queries;
pub mod recorded_order;
pub mod summary;
pub mod tasks;

pub use cell::{Cell, Method};
pub use experiment::{Experiment, ExperimentOptions};
pub use planner::Planner;
pub use problem_set::ProblemSet;
