//! Pipelines from words to programs: a language model writes, goalspec extracts, checks, runs and audits, and every finding goes back to
//! the model as a turn of the same conversation.
//!
//! ```text
//!                +----------------------- feedback ------------------------+
//!                v                                                         |
//! task --> conversation --> reply --> extraction --> parse, check, run, audit --> accepted | rejected
//!                |            |            |                    |
//!                +------------+---- record (one file, every event) ----+
//! ```
//!
//! A [`Task`] says what is asked and how a program is evaluated; [`run`](pipeline::run) is the one loop for all kinds of
//! tasks. Calls are made by a [`Model`](goalspec_llm::Model), whose client caps and caches them. The text of a model is never executed
//! outside of the interpreters of the languages, and never becomes a path, a command or a template.
//!
//! | module | contents |
//! |---|---|
//! | [`call_report`] | the report over the calls of ledgers |
//! | [`constraint`] | constraints on replies, and their check |
//! | [`extraction`] | programs in replies: fences, JSON, several blocks, several turns |
//! | [`codes`] | the codes of findings, with documentation |
//! | [`finding`] | findings of all stages in one form |
//! | [`candidate`] | candidates with their attempts, stages and status |
//! | [`pipeline`] | the loop of candidates and repairs |
//! | [`record`] | the record of a run, from which it resumes |
//! | [`stand_ins`] | models without a network |
//! | [`feedback`] | findings as a turn of a conversation |
//! | [`lot`] | the LOT experiment: translations of descriptions of stacks, and plans |
//! | [`program_report`] | the report over runs that wrote programs |
//! | [`reward`](mod@reward) | reward functions from the instructions of a game |
//! | [`translation`] | planning problems, activities and games from words |

pub mod call_report;
pub mod candidate;
pub mod codes;
pub mod constraint;
pub mod extraction;
pub mod feedback;
pub mod finding;
pub mod lot;
pub mod pipeline;
pub mod program_report;
pub mod record;
pub mod reward;
pub mod stand_ins;
pub mod translation;

pub use candidate::{Attempt, Candidate, RepairEnd, Stage, Status};
pub use finding::{Finding, Place, Weight};
pub use pipeline::{Job, RunOptions, Task};
