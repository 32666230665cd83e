//! The integration tests of the crate, in one binary: they are linked once.

mod common;
mod describe;
mod diagnostics;
mod documented;
mod evaluating;
mod examples;
mod format;
mod growth;
mod hostile;
mod lint;
mod loading;
mod occurrences;
mod patch;
mod playing;
mod recorded;
mod recorded_outcomes;
mod sample_games;
mod schema;
mod statistics;
