//! Paired comparison of two samples, such as results of two policies on the same seeds. It cancels the variance that both share.

use crate::interval::{ConfidenceInterval, ConfidenceLevel, mean_interval};
use crate::moments::Moments;

/// The statistics of pairs of numbers.
#[derive(Debug, Clone, Default)]
pub struct PairedComparison {
    differences: Moments,
    greater: u64,
    equal: u64,
    less: u64,
    incomplete: u64,
}

impl PairedComparison {
    /// Adds a pair. A pair with a missing or unusable number counts as incomplete.
    pub fn add(&mut self, first: Option<f64>, second: Option<f64>) {
        let (Some(first), Some(second)) = (first, second) else {
            self.incomplete += 1;
            return;
        };
        if !self.differences.add(first - second) {
            self.incomplete += 1;
        } else if first > second {
            self.greater += 1;
        } else if first < second {
            self.less += 1;
        } else {
            self.equal += 1;
        }
    }

    /// Adds the pairs of another accumulator.
    pub fn merge(&mut self, other: &Self) {
        self.differences.merge(&other.differences);
        self.greater += other.greater;
        self.equal += other.equal;
        self.less += other.less;
        self.incomplete += other.incomplete;
    }

    /// Returns the moments of the differences, first minus second.
    pub fn differences(&self) -> &Moments {
        &self.differences
    }

    /// Returns the confidence interval of the mean difference. If it excludes 0, the means differ significantly at this level.
    pub fn interval(&self, level: ConfidenceLevel) -> Option<ConfidenceInterval> {
        mean_interval(&self.differences, level)
    }

    /// Returns the number of pairs in which the first number is greater.
    pub fn greater(&self) -> u64 {
        self.greater
    }

    /// Returns the number of pairs of equal numbers.
    pub fn equal(&self) -> u64 {
        self.equal
    }

    /// Returns the number of pairs in which the second result is greater.
    pub fn less(&self) -> u64 {
        self.less
    }

    /// Returns the number of pairs excluded because a number is missing, not finite or too large: see
    /// [`MAX_MAGNITUDE`](crate::moments::MAX_MAGNITUDE).
    pub fn incomplete(&self) -> u64 {
        self.incomplete
    }
}

#[cfg(test)]
mod tests {
    use super::{ConfidenceLevel, PairedComparison};

    #[test]
    fn by_hand() {
        let mut paired = PairedComparison::default();
        for (first, second) in [(5.0, 4.0), (7.0, 4.0), (3.0, 3.0), (2.0, 4.0), (9.0, 6.0)] {
            paired.add(Some(first), Some(second));
        }
        paired.add(None, Some(1.0));
        paired.add(Some(f64::INFINITY), Some(f64::INFINITY));
        assert_eq!((paired.greater(), paired.equal(), paired.less(), paired.incomplete()), (3, 1, 1, 2));
        // Differences 1, 3, 0, -2, 3: mean 1, variance (0 + 4 + 1 + 9 + 4) / 4 = 4.5.
        assert_eq!((paired.differences().mean(), paired.differences().variance()), (Some(1.0), Some(4.5)));
        // t with 4 degrees of freedom is 2.776445.
        let interval = paired.interval(ConfidenceLevel::DEFAULT).unwrap();
        assert!((interval.half_width() - 2.776_445 * 0.9_f64.sqrt()).abs() < 1e-6);
        let mut twice = paired.clone();
        twice.merge(&paired);
        assert_eq!((twice.greater(), twice.incomplete(), twice.differences().count()), (6, 4, 10));
    }
}
