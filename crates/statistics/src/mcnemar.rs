//! Comparison of two proportions on the same items.

/// Paired outcomes of two methods on the same items, each a success or a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairedOutcomes {
    /// The number of items on which both succeed.
    pub both: u64,
    /// The number of items on which only the first succeeds.
    pub first_only: u64,
    /// The number of items on which only the second succeeds.
    pub second_only: u64,
    /// The number of items on which neither succeeds.
    pub neither: u64,
}

impl PairedOutcomes {
    /// Adds an item.
    pub fn add(&mut self, first: bool, second: bool) {
        *match (first, second) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.first_only,
            (false, true) => &mut self.second_only,
            (false, false) => &mut self.neither,
        } += 1;
    }

    /// Returns the number of items.
    pub fn count(&self) -> u64 {
        self.both + self.first_only + self.second_only + self.neither
    }

    /// Returns the two-sided p-value of McNemar's exact test (McNemar: Note on the sampling error of the difference between correlated
    /// proportions; 1947): under the hypothesis that both methods succeed equally often, an item on which they differ favours either with
    /// probability 1/2. The work is proportional to the number of such items.
    ///
    /// ```
    /// use goalspec_statistics::mcnemar::PairedOutcomes;
    ///
    /// let outcomes = PairedOutcomes { first_only: 5, second_only: 0, ..PairedOutcomes::default() };
    /// assert_eq!(outcomes.p_value(), 0.0625);
    /// ```
    pub fn p_value(&self) -> f64 {
        let (fewer, count) = (self.first_only.min(self.second_only), (self.first_only + self.second_only) as f64);
        // The probability of exactly `fewer`, and its ratio to the sum of those of smaller numbers.
        let logarithm: f64 = (0..fewer).map(|k| ((count - k as f64) / (k as f64 + 1.0)).ln()).sum();
        let mut term = 1.0;
        let mut sum = 1.0;
        for k in (1..=fewer).rev() {
            term *= k as f64 / (count - k as f64 + 1.0);
            sum += term;
            if term < f64::EPSILON * sum / 4.0 {
                break;
            }
        }
        (2.0 * sum * (logarithm - count * std::f64::consts::LN_2).exp()).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::PairedOutcomes;

    fn p_value(first_only: u64, second_only: u64) -> f64 {
        PairedOutcomes { first_only, second_only, ..PairedOutcomes::default() }.p_value()
    }

    /// Compared with sums of binomial coefficients.
    #[test]
    fn p_values_are_tails_of_the_binomial_distribution() {
        for count in 0..60_u64 {
            let mut coefficient = 1.0;
            let mut tail = 0.0;
            for fewer in 0..=count / 2 {
                tail += coefficient;
                coefficient *= (count - fewer) as f64 / (fewer + 1) as f64;
                let expected = (2.0 * tail / 2.0_f64.powi(count as i32)).min(1.0);
                let found = p_value(fewer, count - fewer);
                assert!((found - expected).abs() <= 1e-12 * expected, "{fewer} of {count}: {found} {expected}");
                assert!((found - p_value(count - fewer, fewer)).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn extreme_counts_have_finite_p_values() {
        assert!((p_value(0, 0) - 1.0).abs() < 1e-15);
        assert!((p_value(50_000, 50_000) - 1.0).abs() < 1e-9);
        assert!(p_value(0, 100_000) < 1e-300);
        let small = p_value(1_000, 1_500);
        assert!((1e-24..1e-22).contains(&small), "{small}");
    }

    #[test]
    fn outcomes_are_counted() {
        let mut outcomes = PairedOutcomes::default();
        for (first, second) in [(true, true), (true, false), (false, true), (true, false), (false, false)] {
            outcomes.add(first, second);
        }
        let PairedOutcomes { both, first_only, second_only, neither } = outcomes;
        assert_eq!([both, first_only, second_only, neither, outcomes.count()], [1, 2, 1, 1, 5]);
    }
}
