//! Integration tests of the planner.

mod agreement;
mod common;
mod competition;
mod determinism;
mod landmark_cut;
mod limits;
mod optimal;
mod partial;
mod tasks;
