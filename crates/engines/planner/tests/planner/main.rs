//! Integration tests of the planner.

mod agreement;
mod common;
mod limits;
mod tasks;
