//! The integration tests of the crate, in one binary: they are linked once.

mod activities_planned;
mod activity_generation;
mod differences;
mod engines_on_recordings;
mod examples;
mod generated_games;
mod grading;
#[cfg(feature = "rest")]
mod http_results;
mod limits;
mod loading;
mod monitor_features;
mod monitoring;
#[cfg(feature = "draw")]
mod pictures;
mod plan_validation;
mod playability;
mod problem_generation;
mod recorded_evidence;
mod recorded_relations;
mod resource_game_generation;
mod reward_corpus;
mod rewards;
mod searches;
mod side_by_side;
mod suite;
mod trajectories;
