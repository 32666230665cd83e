//! Exact sums of floating-point numbers.
//!
//! A sum is represented as a short list of non-overlapping floating-point numbers (Shewchuk: Adaptive precision floating-point
//! arithmetic; 1997).

use smallvec::SmallVec;

/// A sum that is exact until it is rounded by [`value`](Self::value).
///
/// ```
/// use goalspec_statistics::sum::ExactSum;
///
/// let sum: ExactSum = [1e16, 1.0, -1e16].into_iter().collect();
/// assert_eq!(sum.value(), 1.0);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ExactSum {
    /// The components in increasing magnitude; no two have bits of the same significance.
    parts: SmallVec<[f64; 4]>,
}

impl ExactSum {
    /// Adds a number. The sum must remain finite.
    #[inline]
    pub fn add(&mut self, mut number: f64) {
        let mut kept = 0;
        for at in 0..self.parts.len() {
            let (sum, error) = two_sum(number, self.parts[at]);
            if error != 0.0 {
                self.parts[kept] = error;
                kept += 1;
            }
            number = sum;
        }
        self.parts.truncate(kept);
        self.parts.push(number);
    }

    /// Adds the product of two numbers, exactly unless its last bits underflow.
    #[inline]
    pub fn add_product(&mut self, one: f64, other: f64) {
        let (product, error) = two_product(one, other);
        self.add(product);
        if error != 0.0 {
            self.add(error);
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        for &part in &other.parts {
            self.add(part);
        }
    }

    /// Returns the components.
    pub(crate) fn parts(&self) -> &[f64] {
        &self.parts
    }

    /// Returns the floating-point number nearest to the sum, ties to even.
    pub fn value(&self) -> f64 {
        let mut parts = self.parts.iter().rev().copied();
        let mut sum = parts.next().unwrap_or(0.0);
        let mut error = 0.0;
        for part in parts.by_ref() {
            (sum, error) = two_sum(sum, part);
            if error != 0.0 {
                break;
            }
        }
        // A tie was rounded to even, but the remaining components lie beyond the tie.
        if parts.next().is_some_and(|rest| (rest < 0.0) == (error < 0.0) && rest != 0.0) {
            let twice = 2.0 * error;
            let (away, lost_digits) = two_sum(sum, twice);
            if lost_digits == 0.0 {
                sum = away;
            }
        }
        sum
    }
}

impl FromIterator<f64> for ExactSum {
    fn from_iter<T: IntoIterator<Item = f64>>(numbers: T) -> Self {
        let mut sum = Self::default();
        for number in numbers {
            sum.add(number);
        }
        sum
    }
}

/// Returns the rounded sum and its rounding error.
#[inline]
fn two_sum(one: f64, other: f64) -> (f64, f64) {
    let sum = one + other;
    let from_other = sum - one;
    (sum, (one - (sum - from_other)) + (other - from_other))
}

/// Returns the rounded product and its rounding error (Dekker: A floating-point technique for extending the available precision;
/// 1971).
#[inline]
fn two_product(one: f64, other: f64) -> (f64, f64) {
    let product = one * other;
    let ([one, one_low], [other, other_low]) = (halves(one), halves(other));
    (product, ((one * other - product) + one * other_low + one_low * other) + one_low * other_low)
}

/// Splits a number into the sum of two numbers with half as many bits.
#[inline]
fn halves(number: f64) -> [f64; 2] {
    const SPLIT: f64 = ((1_u32 << 27) + 1) as f64;
    let scaled = SPLIT * number;
    let high = scaled - (scaled - number);
    [high, number - high]
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these results are exact")]
mod tests {
    use super::ExactSum;

    fn sum(numbers: &[f64]) -> f64 {
        numbers.iter().copied().collect::<ExactSum>().value()
    }

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(sum(&[0.1; 10]), 1.0);
        assert_eq!(sum(&[1e100, 1.0, -1e100, 1e-50]), 1.0);
        // 2^53 + 1 is a tie, which rounds to even; any further positive component rounds it up.
        let tie = 9_007_199_254_740_992.0;
        assert_eq!(sum(&[tie, 1.0]), tie);
        assert_eq!(sum(&[tie, 1.0, 1e-30]), tie + 2.0);
        assert_eq!(sum(&[1e-30, 1.0, tie]), tie + 2.0);
        assert_eq!(sum(&[-tie, -1.0, 1e-30]), -tie);
    }

    #[test]
    fn products_are_exact() {
        let third = 1.0 / 3.0;
        let mut error = ExactSum::default();
        error.add_product(third, third);
        error.add(-(third * third));
        // The rounding error of the square, from 106 bits: (2^54 - 1)^2 / (9 * 2^108) minus its rounding.
        assert!(error.value() != 0.0 && error.value().abs() < f64::EPSILON / 9.0);
        error.add(third * third);
        error.add_product(-third, third);
        assert_eq!(error.value(), 0.0);
    }
}
