//! Confidence intervals.

use crate::distribution::{normal_quantile, student_two_sided};
use crate::moments::Moments;

/// A confidence level, strictly between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct ConfidenceLevel(f64);

impl ConfidenceLevel {
    /// The level 0.95.
    pub const DEFAULT: Self = Self(0.95);

    /// Creates a level; returns `None` unless it is strictly between 0 and 1.
    pub fn new(level: f64) -> Option<Self> {
        (level > 0.0 && level < 1.0).then_some(Self(level))
    }

    /// Returns the level as a probability.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl Default for ConfidenceLevel {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A closed interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConfidenceInterval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl ConfidenceInterval {
    /// Returns half of the width.
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether a number lies in the interval.
    pub fn contains(self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

/// Returns the confidence interval of a mean by Student's t; `None` for fewer than two numbers.
pub fn mean_interval(moments: &Moments, level: ConfidenceLevel) -> Option<ConfidenceInterval> {
    let (mean, error) = (moments.mean()?, moments.standard_error()?);
    let half = student_two_sided(level.0, moments.count() - 1) * error;
    Some(ConfidenceInterval { low: mean - half, high: mean + half })
}

/// Returns the confidence interval of a proportion of `hits` out of `count` by Wilson's score (Wilson: Probable inference; 1927);
/// `None` if `count` is 0.
pub fn proportion_interval(hits: u64, count: u64, level: ConfidenceLevel) -> Option<ConfidenceInterval> {
    if count == 0 {
        return None;
    }
    let (hits, count) = (hits as f64, count as f64);
    let square = normal_quantile(0.5 + level.0 / 2.0).powi(2);
    let middle = (hits + square / 2.0) / (count + square);
    let half = (square * (hits * (count - hits) / count + square / 4.0)).sqrt() / (count + square);
    Some(ConfidenceInterval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) })
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these results are exact")]
mod tests {
    use goalspec_resource::random::RandomStream;

    use super::{ConfidenceInterval, ConfidenceLevel, Moments, mean_interval, proportion_interval};

    #[track_caller]
    fn near(found: ConfidenceInterval, low: f64, high: f64) {
        assert!((found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5, "{found:?}");
    }

    #[test]
    fn means_by_hand() {
        // Mean 3, standard deviation sqrt(2.5), t with 4 degrees of freedom 2.776445: 3 -+ 2.776445 * sqrt(0.5).
        let moments: Moments = [1.0, 2.0, 3.0, 4.0, 5.0].into_iter().collect();
        near(mean_interval(&moments, ConfidenceLevel::DEFAULT).unwrap(), 1.03676, 4.96324);
        assert_eq!(mean_interval(&[1.0].into_iter().collect(), ConfidenceLevel::DEFAULT), None);
    }

    /// Newcombe (1998), table I: Wilson's score interval without continuity correction.
    #[test]
    fn proportions_as_published() {
        near(proportion_interval(81, 263, ConfidenceLevel::DEFAULT).unwrap(), 0.2553, 0.3662);
        near(proportion_interval(15, 148, ConfidenceLevel::DEFAULT).unwrap(), 0.0624, 0.1605);
        near(proportion_interval(0, 20, ConfidenceLevel::DEFAULT).unwrap(), 0.0, 0.1611);
        near(proportion_interval(1, 29, ConfidenceLevel::DEFAULT).unwrap(), 0.0061, 0.1718);
        assert_eq!(proportion_interval(0, 0, ConfidenceLevel::DEFAULT), None);
        assert_eq!(proportion_interval(7, 7, ConfidenceLevel::DEFAULT).unwrap().high, 1.0);
    }

    #[test]
    fn levels() {
        assert!([0.0, 1.0, -1.0, 95.0, f64::NAN].into_iter().all(|level| ConfidenceLevel::new(level).is_none()));
        assert_eq!(ConfidenceLevel::new(0.95), Some(ConfidenceLevel::DEFAULT));
    }

    /// The coverage of the interval for the mean of ten normal numbers equals the confidence level.
    #[test]
    fn means_are_covered_as_often_as_said() {
        let mut stream = RandomStream::new(17, 0);
        for level in [0.8, 0.95] {
            let trials = 4000;
            let covered = (0..trials).filter(|_| {
                let moments: Moments = (0..10).map(|_| 3.0 + 2.0 * stream.normal()).collect();
                mean_interval(&moments, ConfidenceLevel::new(level).unwrap()).unwrap().contains(3.0)
            });
            let (covered, trials) = (covered.count() as f64, f64::from(trials));
            let error = (trials * level * (1.0 - level)).sqrt();
            assert!((covered - trials * level).abs() < 5.0 * error, "{covered} at {level}");
        }
    }

    /// The coverage of Wilson's interval agrees with the exact value from the binomial distribution.
    #[test]
    fn proportions_are_covered_as_often_as_known() {
        let (count, share) = (40_i32, 0.3_f64);
        let level = ConfidenceLevel::DEFAULT;
        let holds = |hits: i32| {
            proportion_interval(hits.unsigned_abs().into(), count.unsigned_abs().into(), level).unwrap().contains(share)
        };
        let mut probability = (1.0 - share).powi(count);
        let mut expected = 0.0;
        for hits in 0..=count {
            expected += if holds(hits) { probability } else { 0.0 };
            probability *= f64::from(count - hits) / f64::from(hits + 1) * share / (1.0 - share);
        }
        assert!((expected - 0.95).abs() < 0.03, "{expected}");
        let mut stream = RandomStream::new(18, 0);
        let trials = 4000;
        let covered = (0..trials).filter(|_| holds((0..count).map(|_| i32::from(stream.uniform() < share)).sum()));
        let (covered, trials) = (covered.count() as f64, f64::from(trials));
        assert!((covered - trials * expected).abs() < 5.0 * (trials * expected * (1.0 - expected)).sqrt(), "{covered}");
    }
}
