//! The integration tests of the crate, in one binary: they are linked once.

mod client;
mod commands;
mod property;
mod stdio;
