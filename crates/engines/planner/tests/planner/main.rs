//! The planner, tried from outside.

mod agreement;
mod common;
mod limits;
mod tasks;
