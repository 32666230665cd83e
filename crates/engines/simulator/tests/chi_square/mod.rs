//! The two-sample chi-square test for histograms.

use std::collections::BTreeMap;

/// The minimum count of a cell over both samples; smaller cells are merged with their neighbors.
const LEAST: f64 = 10.0;

/// The frequencies of values in two samples. Values are in ascending order, and -0 equals 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts(BTreeMap<i64, [f64; 2]>);

/// The result of a test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Verdict {
    /// The statistic.
    pub(crate) statistic: f64,
    /// The degrees of freedom.
    pub(crate) freedom: u32,
    /// The p value: the probability of a statistic at least this large for samples of the same distribution.
    pub(crate) p: f64,
}

impl Counts {
    /// Adds occurrences of a value in one of the samples.
    pub(crate) fn add(&mut self, sample: usize, value: f64, count: f64) {
        let bits = (value + 0.0).to_bits().cast_signed();
        // The bits of real numbers are in ascending order, those of negative numbers after inversion.
        let key = if bits < 0 { bits ^ i64::MAX } else { bits };
        self.0.entry(key).or_default()[sample] += count;
    }

    /// Performs the test.
    pub(crate) fn test(&self) -> Verdict {
        let mut cells: Vec<[f64; 2]> = Vec::new();
        let mut open = [0.0; 2];
        for count in self.0.values() {
            open = [open[0] + count[0], open[1] + count[1]];
            if open[0] + open[1] >= LEAST {
                cells.push(std::mem::take(&mut open));
            }
        }
        match cells.last_mut() {
            Some(last) => *last = [last[0] + open[0], last[1] + open[1]],
            None => cells.push(open),
        }
        let total = cells.iter().fold([0.0; 2], |sum, cell| [sum[0] + cell[0], sum[1] + cell[1]]);
        let scale = (total[1] / total[0]).sqrt();
        let terms = cells.iter().map(|[one, other]| (one * scale - other / scale).powi(2) / (one + other));
        let (statistic, freedom) = (terms.sum(), cells.len() as u32 - 1);
        Verdict { statistic, freedom, p: beyond(statistic, freedom) }
    }
}

/// Returns the probability that a chi-square variable exceeds the statistic.
pub(crate) fn beyond(statistic: f64, freedom: u32) -> f64 {
    if freedom == 0 {
        return 1.0;
    }
    let half = statistic / 2.0;
    // The regularized upper incomplete gamma function at half the degrees of freedom, by recurrence in steps of 1 from 1 or 1/2.
    let (mut degrees, mut tail, mut term) = if freedom.is_multiple_of(2) {
        (1.0, (-half).exp(), half * (-half).exp())
    } else {
        (0.5, complementary_error(half.sqrt()), (half / std::f64::consts::PI).sqrt() * 2.0 * (-half).exp())
    };
    while degrees < f64::from(freedom) / 2.0 {
        tail += term;
        degrees += 1.0;
        term *= half / degrees;
    }
    tail.min(1.0)
}

/// Returns the complementary error function of a nonnegative number with a relative error below 1.2e-7 (Chebyshev fit).
fn complementary_error(at: f64) -> f64 {
    const FIT: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + at / 2.0);
    t * (FIT.iter().rev().fold(0.0, |sum, fit| sum * t + fit) - at * at).exp()
}
