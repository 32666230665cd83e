//! Count, mean, standard deviation, minimum and maximum of numbers.

use crate::sum::ExactSum;

/// The maximum absolute value of a number that enters the moments, which keeps sums of squares finite.
pub const MAX_MAGNITUDE: f64 = 1e100;

/// Count, mean, standard deviation, minimum and maximum of numbers with absolute values up to [`MAX_MAGNITUDE`].
///
/// Sums of values and of squares are exact (of squares, unless numbers are below 1e-140). Results are rounded once from these
/// sums, without cancellation.
#[derive(Debug, Clone)]
pub struct Moments {
    count: u64,
    sum: ExactSum,
    squares: ExactSum,
    min: f64,
    max: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self {
            count: 0,
            sum: ExactSum::default(),
            squares: ExactSum::default(),
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
        }
    }
}

impl Moments {
    /// Adds a number; returns `false` and ignores it if it is not finite or exceeds [`MAX_MAGNITUDE`] in absolute value.
    #[inline]
    pub fn add(&mut self, number: f64) -> bool {
        let counts = number.abs() <= MAX_MAGNITUDE;
        if counts {
            self.count += 1;
            self.sum.add(number);
            self.squares.add_product(number, number);
            self.min = self.min.min(number);
            self.max = self.max.max(number);
        }
        counts
    }

    /// Adds the numbers of another accumulator.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum.merge(&other.sum);
        self.squares.merge(&other.squares);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Returns the count.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the sum.
    pub fn sum(&self) -> f64 {
        self.sum.value()
    }

    /// Returns the mean; `None` if there are no numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum() / self.count as f64)
    }

    /// Returns the unbiased sample variance, with the count minus one as divisor; `None` for fewer than two numbers.
    pub fn variance(&self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        let count = self.count as f64;
        // The exact value of the count times the sum of squares minus the squared sum.
        let mut squared = ExactSum::default();
        for &part in self.squares.parts() {
            squared.add_product(count, part);
        }
        for &one in self.sum.parts() {
            for &other in self.sum.parts() {
                squared.add_product(-one, other);
            }
        }
        Some(squared.value().max(0.0) / count / (count - 1.0))
    }

    /// Returns the sample standard deviation; `None` for fewer than two numbers.
    pub fn standard_deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Returns the standard error of the mean; `None` for fewer than two numbers.
    pub fn standard_error(&self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.count as f64).sqrt())
    }

    /// Returns the minimum; `None` if there are no numbers.
    pub fn min(&self) -> Option<f64> {
        (self.count > 0).then_some(self.min)
    }

    /// Returns the maximum; `None` if there are no numbers.
    pub fn max(&self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<T: IntoIterator<Item = f64>>(numbers: T) -> Self {
        let mut moments = Self::default();
        for number in numbers {
            moments.add(number);
        }
        moments
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these results are exact")]
mod tests {
    use super::Moments;

    fn of(numbers: &[f64]) -> Moments {
        numbers.iter().copied().collect()
    }

    #[test]
    fn by_hand() {
        let moments = of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        // Mean 5, squared deviations 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32.
        assert_eq!((moments.count(), moments.mean(), moments.variance()), (8, Some(5.0), Some(32.0 / 7.0)));
        assert_eq!((moments.min(), moments.max()), (Some(2.0), Some(9.0)));
        assert_eq!(moments.standard_error(), Some((4.0_f64 / 7.0).sqrt()));
        let one = of(&[3.0]);
        assert_eq!((one.mean(), one.standard_deviation()), (Some(3.0), None));
        assert_eq!((of(&[]).mean(), of(&[]).min()), (None, None));
    }

    #[test]
    fn a_large_offset_does_not_cancel() {
        // 1e15 + {1, 2, 3}: the variance is 1; sums in double precision would lose it to cancellation.
        let moments = of(&[1e15 + 1.0, 1e15 + 2.0, 1e15 + 3.0]);
        assert_eq!((moments.mean(), moments.variance()), (Some(1e15 + 2.0), Some(1.0)));
        assert_eq!(of(&[0.1; 1000]).variance(), Some(0.0));
    }

    #[test]
    fn infinite_and_overflowing_numbers_are_excluded() {
        let mut moments = of(&[1.0]);
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e101, f64::MAX] {
            assert!(!moments.add(number));
        }
        assert_eq!((moments.count(), moments.max()), (1, Some(1.0)));
        assert!(moments.add(-1e100) && moments.add(1e100));
        assert_eq!(moments.sum(), 1.0);
        assert!(moments.variance().is_some_and(f64::is_finite));
    }
}
