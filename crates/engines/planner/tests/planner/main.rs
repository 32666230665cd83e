//! Integration tests of the planner.

mod agreement;
mod common;
mod determinism;
mod limits;
mod tasks;
