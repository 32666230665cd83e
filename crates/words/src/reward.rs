//! Reward functions from the instructions of a game.
//!
//! ```text
//! world + sample traces --classes--> prompts --pipeline--> candidates --ranking--> best
//!                                       ^                                          |
//!                                       +-- next round: the best and its feedback -+
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`samples`] | statistics of the objects in the sample traces |
//! | [`classes`] | descriptions of the classes |
//! | [`prompts`] | the texts of the prompts, and templates that replace them |
//! | [`task`] | the task: extraction, check, run, audit |
//! | `statistics` | statistics of a reward for report and feedback |
//! | `frame_text` | the objects of a frame as text |
//! | [`curves`] | training curves of candidates |
//! | [`ranking`] | the order of candidates, and the traces on which they disagree |
//! | [`generation`] | rounds of candidates |
//! | [`report`] | the report of a generation |
//! | [`sources`] | the terms of a program with the sentences of its instructions |
//! | [`adjustment`] | rescaled and clamped programs, as diffs |

pub mod adjustment;
pub mod classes;
pub mod curves;
mod frame_text;
pub mod generation;
pub mod prompts;
pub mod ranking;
pub mod report;
pub mod samples;
pub mod sources;
mod statistics;
pub mod task;
