//! The integration tests of the crate, in one binary: they are linked once.

mod corpora;
mod layout;
mod rendering;
mod trees;
