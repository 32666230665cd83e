//! The integration tests of the crate, in one binary: they are linked once.

mod browser;
mod common;
mod export;
mod follow;
mod plans;
mod results;
mod rewards;
mod server;
mod simulations;
mod tiles;
