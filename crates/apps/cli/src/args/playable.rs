//! The options of `goalspec check --playable`.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use goalspec::playability::PlayabilityOptions;

use super::planning::seconds;

/// Options for judging whether programs can be achieved.
#[derive(Debug, Args)]
pub(crate) struct PlayableArgs {
    /// Judge whether each part of the programs can be achieved: by the recorded plays among the paths, by a plan, or by simulation; with
    /// --format json, next to the findings
    #[arg(long)]
    pub(crate) playable: bool,
    /// The time for each plan, in seconds; requires `--playable`
    #[arg(long, value_name = "SECONDS", requires = "playable", default_value = "10", value_parser = seconds)]
    pub(crate) plan_time: Duration,
    /// The number of simulated games of each resource graph game; requires `--playable`
    #[arg(long, value_name = "N", requires = "playable", default_value_t = PlayabilityOptions::default().simulations)]
    pub(crate) simulations: u64,
    /// The number of threads that judge programs [default: the number of cores]; requires `--playable`
    #[arg(long, value_name = "N", requires = "playable")]
    pub(crate) threads: Option<NonZeroUsize>,
}
