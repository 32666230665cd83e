//! The integration tests of the crate, in one binary: they are linked once.

mod book;
mod columns;
mod common;
mod damage;
mod lines;
mod parquet;
mod recorded;
mod recorded_play;
