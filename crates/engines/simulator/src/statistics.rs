//! Statistics of many games: what is known of a metric, how sure it is, when to stop playing.
//!
//! Everything here grows value by value and can be merged. **The result does not depend on the order of the values, nor on how they
//! were split**: sums are exact until they are asked for, and everything else is counted. So the same games give the same bytes on any
//! number of threads.
//!
//! | module | what lives there |
//! |---|---|
//! | [`sum`] | [`ExactSum`](sum::ExactSum): sums of real numbers, rounded once |
//! | [`moments`] | [`Moments`](moments::Moments): count, mean, standard deviation, least, greatest |
//! | [`counts`] | [`Counts`](counts::Counts): how often each value came, and quantiles |
//! | [`histogram`] | [`Histogram`](histogram::Histogram): counts by value, or by interval |
//! | [`distribution`] | quantiles of Student's t and of the normal distribution |
//! | [`interval`] | confidence intervals of means and proportions |
//! | [`summary`] | [`Summary`](summary::Summary): all that is known of a metric, whatever its values are |
//! | [`stopping`] | [`Stopping`](stopping::Stopping): how many games are enough |
//! | [`paired`] | [`Paired`](paired::Paired): two policies on the same seeds |
//! | [`totals`] | [`Totals`](totals::Totals): how games ended, and a summary of every number that one has then |
//! | [`timeline`] | [`Timeline`](timeline::Timeline): resources after every turn |
//! | [`sweep`] | [`Sweep`](sweep::Sweep): values that vary from game to game |

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
