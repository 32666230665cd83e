//! The integration tests of the crate, in one binary: they are linked once.

mod evaluate;
mod geometry;
mod goals;
mod operations;
mod sequences;
mod sketch;
mod trackers;
mod world_builder;
mod world_file;
