//! The integration tests of the crate, in one binary: they are linked once.

mod alternatives;
mod class_names;
mod common;
mod constructions;
mod containers;
mod cpython;
mod documentation;
mod fast;
mod generators;
mod notes;
mod recorded;
mod statistics;
mod texts;
mod worlds;
