//! The integration tests of the crate, in one binary: they are linked once.

mod commands;
mod common;
mod completion;
mod hints;
mod incremental;
mod navigation;
mod rename;
mod resource_game;
mod structure;
mod world;
