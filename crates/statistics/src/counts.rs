//! Frequencies of values, and quantiles.

use rustc_hash::FxHashMap;

/// The default maximum number of cells; above it, neighboring values are counted together.
pub const MAX_DISTINCT: usize = 1 << 17;

/// The number of fraction bits of an `f64`.
const FRACTION: u32 = 52;

/// The frequencies of numbers, in cells of equal or neighboring values.
///
/// Up to a [limit](Self::with_limit) of distinct values, [`MAX_DISTINCT`] by default, each value has its own cell. Beyond that,
/// cells are identified by the leading bits of the values, with the largest number of bits that keeps the number of cells within
/// the limit. The cells depend on the multiset of values and not on their order. A value is then known up to a relative error of
/// at most `2^-b`, where `b` is [`ValueCounts::bits`].
#[derive(Debug, Clone)]
pub struct ValueCounts {
    /// The count of each cell, by the order-preserving bits of its values without the dropped ones.
    cells: FxHashMap<u64, u64>,
    /// The number of trailing bits dropped.
    dropped: u32,
    limit: usize,
    total: u64,
}

/// A cell: values that are counted together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountCell {
    /// The smallest value of the cell.
    pub low: f64,
    /// The largest value of the cell.
    pub high: f64,
    /// The number of values counted.
    pub count: u64,
}

impl CountCell {
    /// Returns the midpoint, which is the value itself in a cell of a single value.
    pub fn value(&self) -> f64 {
        self.low + (self.high - self.low) / 2.0
    }
}

impl Default for ValueCounts {
    fn default() -> Self {
        Self::with_limit(MAX_DISTINCT)
    }
}

impl ValueCounts {
    /// Creates counts with at most `limit` cells, raised to at least 2^13: twice the number of combinations of sign and exponent.
    pub fn with_limit(limit: usize) -> Self {
        Self { cells: FxHashMap::default(), dropped: 0, limit: limit.max(1 << 13), total: 0 }
    }

    /// Counts a finite number.
    #[inline]
    pub fn add(&mut self, number: f64) {
        self.count(ordered(number) >> self.dropped, 1);
    }

    fn count(&mut self, cell: u64, count: u64) {
        self.total += count;
        *self.cells.entry(cell).or_default() += count;
        while self.cells.len() > self.limit {
            self.drop_to(self.dropped + 1);
        }
    }

    /// Drops trailing bits up to the given number.
    fn drop_to(&mut self, bits: u32) {
        let by = bits - self.dropped;
        let mut cells = FxHashMap::default();
        for (cell, count) in self.cells.drain() {
            *cells.entry(cell >> by).or_default() += count;
        }
        self.cells = cells;
        self.dropped = bits;
    }

    /// Adds the counts of `other`, which must have the same limit.
    pub fn merge(&mut self, other: &Self) {
        if other.dropped > self.dropped {
            self.drop_to(other.dropped);
        }
        for (&cell, &count) in &other.cells {
            // Adding a cell may have dropped further bits.
            self.count(cell >> (self.dropped - other.dropped), count);
        }
    }

    /// Returns the number of values.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the number of cells, which is the number of distinct values if the counts are exact.
    pub fn distinct(&self) -> usize {
        self.cells.len()
    }

    /// Whether every distinct value has its own cell.
    pub fn is_exact(&self) -> bool {
        self.dropped == 0
    }

    /// Returns the number of leading fraction bits kept, at most 52.
    pub fn bits(&self) -> u32 {
        FRACTION - self.dropped
    }

    /// Returns the cells in ascending order.
    pub fn sorted(&self) -> Vec<CountCell> {
        let mut cells: Vec<(u64, u64)> = self.cells.iter().map(|(&cell, &count)| (cell, count)).collect();
        cells.sort_unstable();
        let ends = |cell: u64| {
            let low = cell << self.dropped;
            [low, low | ((1 << self.dropped) - 1)].map(number)
        };
        let cell = |(cell, count)| {
            let [low, high] = ends(cell);
            CountCell { low, high, count }
        };
        cells.into_iter().map(cell).collect()
    }

    /// Returns the quantile of each probability in `shares`, interpolated linearly between the two nearest values (type 7 of
    /// Hyndman and Fan, the default of R and `NumPy`). A quantile is `None` if there are no values, or if its probability is
    /// outside 0 to 1.
    pub fn quantiles(&self, probabilities: &[f64]) -> Vec<Option<f64>> {
        let cells = self.sorted();
        let mut cumulative = 0;
        let ends: Vec<u64> = cells
            .iter()
            .map(|cell| {
                cumulative += cell.count;
                cumulative
            })
            .collect();
        let nth = |rank: u64| cells[ends.partition_point(|&end| end <= rank)].value();
        let quantile = |&share: &f64| {
            if self.total == 0 || !(0.0..=1.0).contains(&share) {
                return None;
            }
            let place = (self.total - 1) as f64 * share;
            let below = place.floor();
            #[expect(clippy::cast_sign_loss, reason = "a place is not negative")]
            let rank = (below as u64).min(self.total - 1);
            let [low, high] = [rank, (rank + 1).min(self.total - 1)].map(nth);
            Some(low + (high - low) * (place - below))
        };
        probabilities.iter().map(quantile).collect()
    }
}

/// Returns the bits of a number in an order-preserving encoding; the two zeros are the same.
#[inline]
fn ordered(number: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    let bits = (number + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// Decodes an order-preserving encoding.
fn number(ordered: u64) -> f64 {
    const SIGN: u64 = 1 << 63;
    f64::from_bits(if ordered & SIGN == 0 { !ordered } else { ordered ^ SIGN })
}

#[cfg(test)]
mod tests {
    use goalspec_resource::random::RandomStream;

    use super::ValueCounts;

    fn of(numbers: &[f64]) -> ValueCounts {
        let mut counts = ValueCounts::with_limit(0);
        for &number in numbers {
            counts.add(number);
        }
        counts
    }

    #[test]
    fn quantiles_by_hand() {
        let counts = of(&[15.0, 20.0, 35.0, 40.0, 50.0]);
        // (n - 1) q is 1.6 for q = 0.4: 20 + 0.6 (35 - 20).
        assert_eq!(counts.quantiles(&[0.0, 0.4, 0.5, 1.0]), [Some(15.0), Some(29.0), Some(35.0), Some(50.0)]);
        assert_eq!(counts.quantiles(&[-0.1, 1.1, f64::NAN]), [None; 3]);
        assert_eq!(of(&[]).quantiles(&[0.5]), [None]);
        assert_eq!(of(&[-1.0, 0.0, -0.0, 3.0]).distinct(), 3);
        assert_eq!(of(&[-2.0, -1.0, 1.0]).quantiles(&[0.25]), [Some(-1.5)]);
    }

    #[test]
    fn many_values_are_counted_by_their_leading_bits() {
        let mut stream = RandomStream::new(5, 0);
        let mut numbers: Vec<f64> = (0..60_000).map(|_| 2.0 * stream.uniform() - 1.0).collect();
        let counts = of(&numbers);
        assert!(!counts.is_exact() && counts.distinct() <= 1 << 13 && counts.bits() >= 8, "{}", counts.bits());
        assert_eq!(counts.sorted().iter().map(|cell| cell.count).sum::<u64>(), 60_000);
        numbers.sort_unstable_by(f64::total_cmp);
        for rank in [600, 15_000, 30_000, 54_000] {
            let (share, exact) = (rank as f64 / 59_999.0, numbers[rank]);
            let found = counts.quantiles(&[share])[0].unwrap();
            let error = exact.abs() / f64::from(1_u32 << counts.bits()) + 1e-12;
            assert!((found - exact).abs() <= error, "{share}: {found} for {exact}");
        }
    }

    #[test]
    fn the_order_of_the_values_and_the_split_do_not_matter() {
        let mut stream = RandomStream::new(6, 0);
        let mut numbers: Vec<f64> = (0..30_000).map(|_| stream.normal()).collect();
        numbers.extend((0..30_000).map(|_| 1e6 + stream.normal()));
        let whole = of(&numbers);
        let mut merged = of(&numbers[40_000..]);
        merged.merge(&of(&numbers[..5]));
        merged.merge(&of(&numbers[5..40_000]));
        numbers.reverse();
        for other in [merged, of(&numbers)] {
            assert_eq!((other.bits(), other.total()), (whole.bits(), whole.total()));
            assert_eq!(other.sorted(), whole.sorted());
        }
    }
}
