//! How often each value came, and quantiles.

use rustc_hash::FxHashMap;

/// How many different values are told apart; of more, neighbours are counted together.
pub const MAX_DISTINCT: usize = 1 << 17;

/// Bits of a real number that are not its sign nor its exponent.
const FRACTION: u32 = 52;

/// How often each value came.
///
/// Values are told apart exactly as long as there are at most [`MAX_DISTINCT`] different ones. From there on they are told apart by
/// their leading bits only: the most that leave no more cells than that. Which cells these are depends on all values together and not on
/// their order. A value is then known up to a relative error of at most `2^-b`, where `b` is [`Counts::bits`].
#[derive(Debug, Clone)]
pub struct Counts {
    /// By the bits of the value, such that greater values have greater bits, less those that no longer count.
    cells: FxHashMap<u64, u64>,
    /// How many bits of the values no longer count.
    dropped: u32,
    limit: usize,
    total: u64,
}

/// Values that are counted together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The least that there can be.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// How many came.
    pub count: u64,
}

impl Cell {
    /// The value, or the one in the middle.
    pub fn value(&self) -> f64 {
        self.low + (self.high - self.low) / 2.0
    }
}

impl Default for Counts {
    fn default() -> Self {
        Self::with_limit(MAX_DISTINCT)
    }
}

impl Counts {
    /// Tells at most so many cells apart, at least 2^13: as many as there are exponents and signs, twice.
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

    /// Lets no more bits count than these.
    fn drop_to(&mut self, dropped: u32) {
        let by = dropped - self.dropped;
        let mut cells = FxHashMap::default();
        for (cell, count) in self.cells.drain() {
            *cells.entry(cell >> by).or_default() += count;
        }
        self.cells = cells;
        self.dropped = dropped;
    }

    /// Adds what others have counted, who have the same limit.
    pub fn merge(&mut self, other: &Self) {
        if other.dropped > self.dropped {
            self.drop_to(other.dropped);
        }
        for (&cell, &count) in &other.cells {
            // The bits that count may have become fewer meanwhile.
            self.count(cell >> (self.dropped - other.dropped), count);
        }
    }

    /// How many values.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many cells: of different values if it is exact.
    pub fn distinct(&self) -> usize {
        self.cells.len()
    }

    /// Whether every value is told apart from all others.
    pub fn is_exact(&self) -> bool {
        self.dropped == 0
    }

    /// How many leading bits of the fraction count; 52 are all.
    pub fn bits(&self) -> u32 {
        FRACTION - self.dropped
    }

    /// The cells, least first.
    pub fn sorted(&self) -> Vec<Cell> {
        let mut cells: Vec<(u64, u64)> = self.cells.iter().map(|(&cell, &count)| (cell, count)).collect();
        cells.sort_unstable();
        let ends = |cell: u64| {
            let low = cell << self.dropped;
            [low, low | ((1 << self.dropped) - 1)].map(number)
        };
        let cell = |(cell, count)| {
            let [low, high] = ends(cell);
            Cell { low, high, count }
        };
        cells.into_iter().map(cell).collect()
    }

    /// Quantiles, each for a share from 0 to 1: the value below which so many of the values are, interpolated between the two nearest
    /// (type 7 of Hyndman and Fan, which R and `NumPy` use). `None` if there are no values, or the share is none.
    pub fn quantiles(&self, shares: &[f64]) -> Vec<Option<f64>> {
        let cells = self.sorted();
        let mut up_to = 0;
        let ends: Vec<u64> = cells
            .iter()
            .map(|cell| {
                up_to += cell.count;
                up_to
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
        shares.iter().map(quantile).collect()
    }
}

/// The bits of a number, such that greater numbers have greater bits. Both zeros are one.
#[inline]
fn ordered(number: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    let bits = (number + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The number of these bits.
fn number(ordered: u64) -> f64 {
    const SIGN: u64 = 1 << 63;
    f64::from_bits(if ordered & SIGN == 0 { !ordered } else { ordered ^ SIGN })
}

#[cfg(test)]
mod tests {
    use goalspec_core::resource::random::Stream;

    use super::Counts;

    fn of(numbers: &[f64]) -> Counts {
        let mut counts = Counts::with_limit(0);
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
        let mut stream = Stream::new(5, 0);
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
        let mut stream = Stream::new(6, 0);
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
