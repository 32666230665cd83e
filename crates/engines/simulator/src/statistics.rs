//! Statistics of many games: summaries of metrics, totals, timelines and stopping rules.
//!
//! Like the accumulators of [`goalspec_statistics`] of which they consist, they depend neither on the order of the games nor on their
//! distribution among threads.
//!
//! | module | contents |
//! |---|---|
//! | [`summary`] | [`MetricSummary`](summary::MetricSummary): the statistics of a metric with values of any kind |
//! | [`stopping`] | [`StoppingRule`](stopping::StoppingRule): a rule for the number of games |
//! | [`totals`] | [`EpisodeStatistics`](totals::EpisodeStatistics): frequencies of game ends, and a summary of every final number |
//! | [`timeline`] | [`Timeline`](timeline::Timeline): distributions of resources after every turn |
//! | [`sweep`] | [`ParameterSweep`](sweep::ParameterSweep): parameter values sampled for each game |

pub mod stopping;
pub mod summary;
pub mod sweep;
pub mod timeline;
pub mod totals;
