//! Integration tests of the planner.

mod agreement;
mod common;
mod determinism;
mod landmark_cut;
mod limits;
mod partial;
mod tasks;
