//! The integration tests of the crate, in one binary: they are linked once.

mod common;
mod decoder;
mod facts;
mod recorded;
