//! Statistics of samples: moments, frequencies, confidence intervals and paired comparisons.
//!
//! All accumulators are updated value by value and can be merged. **Results depend neither on the order of the values nor on how
//! they are split**: sums are exact until they are rounded on request, and everything else is counted. The same values therefore
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
//! | [`mcnemar`] | [`PairedOutcomes`](mcnemar::PairedOutcomes): comparison of two proportions on the same items |
//! | [`paired`] | [`PairedComparison`](paired::PairedComparison): paired comparison of two samples |

pub mod counts;
pub mod distribution;
pub mod histogram;
pub mod interval;
pub mod mcnemar;
pub mod moments;
pub mod paired;
pub mod sum;
