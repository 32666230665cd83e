//! Statistics of many games: distributions of metrics, their uncertainty, and stopping rules.
//!
//! All accumulators are updated value by value and can be merged. **Results depend neither on the order of the values nor on how
//! they are split**: sums are exact until they are rounded on request, and everything else is counted. The same games therefore
//! give identical results on any number of threads.
//!
//! | module | contents |
//! |---|---|
//! | [`sum`] | [`ExactSum`](sum::ExactSum): sums of real numbers, rounded once |
//! | [`moments`] | [`Moments`](moments::Moments): count, mean, standard deviation, minimum, maximum |
//! | [`counts`] | [`ValueCounts`](counts::ValueCounts): frequencies of values, and quantiles |
//! | [`histogram`] | [`Histogram`](histogram::Histogram): counts by value, or by interval |
//! | [`distribution`] | quantiles of Student's t and of the normal distribution |
//! | [`interval`] | confidence intervals of means and proportions |
//! | [`summary`] | [`MetricSummary`](summary::MetricSummary): the statistics of a metric with values of any kind |
//! | [`stopping`] | [`StoppingRule`](stopping::StoppingRule): a rule for the number of games |
//! | [`paired`] | [`PairedComparison`](paired::PairedComparison): paired comparison of two policies on the same seeds |
//! | [`totals`] | [`EpisodeStatistics`](totals::EpisodeStatistics): frequencies of game ends, and a summary of every final number |
//! | [`timeline`] | [`Timeline`](timeline::Timeline): distributions of resources after every turn |
//! | [`sweep`] | [`ParameterSweep`](sweep::ParameterSweep): parameter values sampled for each game |

pub mod counts;
pub mod distribution;
pub mod histogram;
pub mod interval;
pub mod moments;
pub mod paired;
pub mod stopping;
pub mod sum;
pub mod summary;
pub mod sweep;
pub mod timeline;
pub mod totals;
