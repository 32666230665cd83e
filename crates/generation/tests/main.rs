//! Tests of the generation of goals.

mod cells;
mod common;
mod counts;
mod features;
mod samples;
