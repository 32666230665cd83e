//! Histograms: counts by value, or by interval.

use crate::counts::{CountCell, ValueCounts};

/// The maximum number of distinct values with a bin each.
pub const MAX_VALUES: usize = 32;

/// The maximum number of intervals.
pub const MAX_BINS: u32 = 100;

/// A histogram: counts of numbers by value, or by interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// The bins in ascending order. A bin includes its lower end and excludes its upper end, which is the lower end of the next
    /// bin; the last bin includes both. A bin for a single value has it as both ends.
    pub bins: Vec<Bin>,
    /// Whether the bins are values or intervals.
    pub kind: BinKind,
}

/// A bin of a histogram.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The number of values in the bin.
    pub count: u64,
}

/// The kind of the bins of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinKind {
    /// One bin for each value.
    Values,
    /// Intervals of equal width.
    Intervals,
}

impl Histogram {
    /// Creates a histogram with one bin for each value if there are at most [`MAX_VALUES`] distinct values, and with intervals of
    /// equal width otherwise.
    ///
    /// The width follows the rule of Freedman and Diaconis: twice the interquartile range divided by the cube root of the count.
    /// If the quartiles are equal, the number of bins follows Sturges: the binary logarithm of the count, rounded up, plus one.
    /// The ends of intervals of integers lie halfway between two integers. There are at most [`MAX_BINS`] bins.
    pub fn new(counts: &ValueCounts) -> Self {
        let cells = counts.sorted();
        if counts.is_exact() && cells.len() <= MAX_VALUES {
            let bin = |cell: &CountCell| Bin { low: cell.low, high: cell.high, count: cell.count };
            return Self { bins: cells.iter().map(bin).collect(), kind: BinKind::Values };
        }
        let (Some(low), Some(high)) = (cells.first(), cells.last()) else {
            return Self { bins: Vec::new(), kind: BinKind::Values };
        };
        let (min, max) = (low.value(), high.value());
        let width = width(counts, max - min);
        let is_integral = counts.is_exact() && cells.iter().all(|cell| cell.low.fract() == 0.0);
        let ends = if is_integral { whole_ends(min, max, width) } else { real_ends(min, max, width) };
        Self { bins: fill(&ends, &cells), kind: BinKind::Intervals }
    }

    /// Returns the number of values.
    pub fn total(&self) -> u64 {
        self.bins.iter().map(|bin| bin.count).sum()
    }
}

/// Returns the target width of an interval; `range` is positive.
fn width(counts: &ValueCounts, range: f64) -> f64 {
    let total = counts.total() as f64;
    let width = match counts.quantiles(&[0.25, 0.75])[..] {
        [Some(low), Some(high)] if high > low => 2.0 * (high - low) / total.cbrt(),
        _ => range / (total.log2().ceil() + 1.0),
    };
    width.max(range / f64::from(MAX_BINS))
}

/// Returns the ends of intervals halfway between integers.
fn whole_ends(min: f64, max: f64, width: f64) -> Vec<f64> {
    let values = max - min + 1.0;
    // Rounding the width to an integer must not exceed the maximum number of bins.
    let width = width.round().max((values / f64::from(MAX_BINS)).ceil()).max(1.0);
    let bins = up(values / width);
    (0..=bins).map(|bin| min - 0.5 + f64::from(bin) * width).collect()
}

fn real_ends(min: f64, max: f64, width: f64) -> Vec<f64> {
    let range = max - min;
    let bins = up(range / width).clamp(1, MAX_BINS);
    let end = |bin| if bin == bins { max } else { min + range * (f64::from(bin) / f64::from(bins)) };
    (0..=bins).map(end).collect()
}

/// Rounds up a nonnegative number to an integer.
#[expect(clippy::cast_sign_loss, reason = "counts are not negative")]
fn up(number: f64) -> u32 {
    number.ceil() as u32
}

fn fill(ends: &[f64], cells: &[CountCell]) -> Vec<Bin> {
    let mut bins: Vec<Bin> = ends.windows(2).map(|ends| Bin { low: ends[0], high: ends[1], count: 0 }).collect();
    for cell in cells {
        let value = cell.value();
        let at = ends.partition_point(|&end| end <= value).saturating_sub(1).min(bins.len() - 1);
        bins[at].count += cell.count;
    }
    bins
}

#[cfg(test)]
mod tests {
    use goalspec_resource::random::RandomStream;

    use super::{Bin, BinKind, Histogram, MAX_BINS, ValueCounts};

    fn of(numbers: impl IntoIterator<Item = f64>) -> Histogram {
        let mut counts = ValueCounts::default();
        for number in numbers {
            counts.add(number);
        }
        Histogram::new(&counts)
    }

    #[test]
    fn few_values_are_counted_one_by_one() {
        let histogram = of([3.0, 1.0, 3.0]);
        let bins = [Bin { low: 1.0, high: 1.0, count: 1 }, Bin { low: 3.0, high: 3.0, count: 2 }];
        assert_eq!(histogram, Histogram { bins: bins.to_vec(), kind: BinKind::Values });
        assert_eq!(of([]).bins, []);
    }

    #[test]
    fn freedman_and_diaconis() {
        // 0, 1, .. 999 by tenths: quartiles 24.975 and 74.925, width 2 * 49.95 / 10 = 9.99; 99.9 / 9.99 = 10 bins.
        let histogram = of((0..1000).map(|number| f64::from(number) / 10.0 + 0.03));
        assert_eq!((histogram.kind, histogram.bins.len(), histogram.total()), (BinKind::Intervals, 10, 1000));
        assert!(histogram.bins.iter().all(|bin| bin.count == 100), "{histogram:?}");
        assert_eq!((histogram.bins[0].low, histogram.bins[9].high), (0.03, 99.93));
    }

    #[test]
    fn whole_numbers_are_not_split() {
        // 0 to 99, ten times each: quartiles 24.75 and 74.25, width 9.9, so 10; ends between 9 and 10, and so on.
        let histogram = of((0..1000).map(|number| f64::from(number % 100)));
        assert_eq!(
            histogram.bins[..2].iter().map(|bin| (bin.low, bin.count)).collect::<Vec<_>>(),
            [(-0.5, 100), (9.5, 100)]
        );
        assert_eq!(histogram.bins.len(), 10);
        let wide = of((0..1000).map(|number| if number < 900 { 0.0 } else { f64::from(number * 1_000_003) }));
        assert!(wide.bins.len() <= MAX_BINS as usize && wide.total() == 1000);
    }

    #[test]
    fn numbers_far_apart_leave_few_bins() {
        let mut stream = RandomStream::new(1, 1);
        let histogram = of((0..1000).map(|number| stream.normal() * if number == 0 { 1e90 } else { 1.0 }));
        assert!(histogram.bins.len() <= MAX_BINS as usize);
        assert_eq!(histogram.total(), 1000);
    }
}
