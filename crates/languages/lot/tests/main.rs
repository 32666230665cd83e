//! The integration tests of the crate, in one binary: they are linked once.

mod generator;
mod prompts;
mod recordings;
mod replies;
mod translator;
