//! Stopping rules of experiments.

use super::accumulator::SampleAccumulator;
use super::quantity::EpisodeQuantity;
use goalspec_statistics::interval::{ConfidenceInterval, ConfidenceLevel};

/// A stopping rule: the experiment ends when no confidence interval of these numbers is wider than allowed. If policies are compared,
/// the intervals are those of the differences.
#[derive(Debug, Clone, PartialEq)]
pub struct PrecisionTarget {
    /// The numbers, which are numbers of the game; without any, the rule never ends the experiment.
    pub numbers: Vec<EpisodeQuantity>,
    /// The maximum half-width of the intervals.
    pub half_width: f64,
    /// The confidence level of the intervals.
    pub level: ConfidenceLevel,
}

/// The result of a stopping rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrecisionResult {
    /// Whether all intervals exist and none has a half-width above the maximum.
    pub reached: bool,
    /// The half-width of the widest interval; `None` if one of the numbers has no interval.
    pub half_width: Option<f64>,
}

impl PrecisionTarget {
    /// Returns the half-width of the widest interval; `None` if one of the numbers has no interval.
    pub(super) fn max_half_width(&self, all: &SampleAccumulator) -> Option<f64> {
        let half_width = |interval: Option<ConfidenceInterval>| interval.map(ConfidenceInterval::half_width);
        let of_number = |number: &EpisodeQuantity| -> Option<f64> {
            if all.totals.differences.is_empty() {
                let summary = number.summary(&all.totals.summaries[0].totals);
                let interval = summary.mean_interval(self.level);
                return half_width(interval.or_else(|| summary.proportion(self.level).map(|(_, interval)| interval)));
            }
            let own = all.totals.differences.iter().flatten().filter(|(other, _)| other == number);
            widest(own.map(|(_, comparison)| half_width(comparison.interval(self.level))))
        };
        widest(self.numbers.iter().map(of_number))
    }
}

/// Returns the largest half-width; `None` if there is none, or one of them is missing.
fn widest(mut half_widths: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let first = half_widths.next()??;
    half_widths.try_fold(first, |widest, half_width| Some(widest.max(half_width?)))
}
