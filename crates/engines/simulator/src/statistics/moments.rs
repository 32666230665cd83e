//! Count, mean, standard deviation, least and greatest of numbers.

use super::sum::ExactSum;

/// The largest number, by size, that mean and deviation are computed of: sums of squares stay finite.
pub const LARGEST: f64 = 1e100;

/// Count, mean, standard deviation, least and greatest of numbers up to [`LARGEST`].
///
/// Sums of values and of squares are exact (of squares, unless numbers are below 1e-140), and each result is rounded from them;
/// nothing cancels.
#[derive(Debug, Clone)]
pub struct Moments {
    count: u64,
    sum: ExactSum,
    squares: ExactSum,
    least: f64,
    greatest: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self {
            count: 0,
            sum: ExactSum::default(),
            squares: ExactSum::default(),
            least: f64::INFINITY,
            greatest: f64::NEG_INFINITY,
        }
    }
}

impl Moments {
    /// Adds a number; false if it is none that counts: not finite, or larger than [`LARGEST`].
    #[inline]
    pub fn add(&mut self, number: f64) -> bool {
        let counts = number.abs() <= LARGEST;
        if counts {
            self.count += 1;
            self.sum.add(number);
            self.squares.add_product(number, number);
            self.least = self.least.min(number);
            self.greatest = self.greatest.max(number);
        }
        counts
    }

    /// Adds what others have counted.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum.merge(&other.sum);
        self.squares.merge(&other.squares);
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
    }

    /// How many numbers.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their sum.
    pub fn sum(&self) -> f64 {
        self.sum.value()
    }

    /// Their mean; `None` of no numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum() / self.count as f64)
    }

    /// The unbiased variance: squared deviations from the mean by the count less one. `None` of fewer than two numbers.
    pub fn variance(&self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        let count = self.count as f64;
        // Count times the sum of squares, less the square of the sum, exactly.
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

    /// The standard deviation: the root of [`Moments::variance`].
    pub fn deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.count as f64).sqrt())
    }

    /// The least.
    pub fn least(&self) -> Option<f64> {
        (self.count > 0).then_some(self.least)
    }

    /// The greatest.
    pub fn greatest(&self) -> Option<f64> {
        (self.count > 0).then_some(self.greatest)
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
        assert_eq!((moments.least(), moments.greatest()), (Some(2.0), Some(9.0)));
        assert_eq!(moments.standard_error(), Some((4.0_f64 / 7.0).sqrt()));
        let one = of(&[3.0]);
        assert_eq!((one.mean(), one.deviation()), (Some(3.0), None));
        assert_eq!((of(&[]).mean(), of(&[]).least()), (None, None));
    }

    #[test]
    fn a_large_offset_does_not_cancel() {
        // 1e15 + {1, 2, 3}: the variance is 1; with sums in double precision it would be anything.
        let moments = of(&[1e15 + 1.0, 1e15 + 2.0, 1e15 + 3.0]);
        assert_eq!((moments.mean(), moments.variance()), (Some(1e15 + 2.0), Some(1.0)));
        assert_eq!(of(&[0.1; 1000]).variance(), Some(0.0));
    }

    #[test]
    fn what_cannot_be_summed_is_refused() {
        let mut moments = of(&[1.0]);
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e101, f64::MAX] {
            assert!(!moments.add(number));
        }
        assert_eq!((moments.count(), moments.greatest()), (1, Some(1.0)));
        assert!(moments.add(-1e100) && moments.add(1e100));
        assert_eq!(moments.sum(), 1.0);
        assert!(moments.variance().is_some_and(f64::is_finite));
    }
}
