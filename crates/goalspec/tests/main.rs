//! The integration tests of the crate, in one binary: they are linked once.

mod activities_planned;
mod engines_on_recordings;
mod examples;
mod limits;
mod loading;
mod monitoring;
#[cfg(feature = "draw")]
mod pictures;
mod plans_judged;
mod recorded_relations;
#[cfg(feature = "rest")]
mod rest;
mod reward_corpus;
mod rewards;
mod searches;
mod suite;
mod trajectories;
