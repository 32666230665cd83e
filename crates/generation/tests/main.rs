//! Tests of the generation of goals.

mod cells;
mod common;
mod counts;
mod feature_suite;
mod features;
mod golden;
mod samples;
mod training;
mod untyped;
