//! Tests of the generation of goals.

mod cells;
mod common;
mod counts;
mod feature_page;
mod feature_suite;
mod features;
mod golden;
mod operators;
mod regrowths;
mod samples;
mod training;
mod untyped;
