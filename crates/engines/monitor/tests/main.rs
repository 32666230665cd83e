//! The integration tests of the crate, in one binary: they are linked once.

mod goals;
mod limits;
