//! Whether two histograms can be of the same distribution: the chi-square test of two samples.

use std::collections::BTreeMap;

/// Fewest counts of both samples together in a cell; smaller ones join their neighbours.
const LEAST: f64 = 10.0;

/// How often each value was seen in two samples. Values are in order of size, and -0 is 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts(BTreeMap<i64, [f64; 2]>);

/// What a test says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Verdict {
    /// The statistic.
    pub(crate) statistic: f64,
    /// Its degrees of freedom.
    pub(crate) freedom: u32,
    /// How likely samples of one distribution are at least as far apart.
    pub(crate) p: f64,
}

impl Counts {
    /// Notes that a value was seen in one of the samples.
    pub(crate) fn add(&mut self, sample: usize, value: f64, count: f64) {
        let bits = (value + 0.0).to_bits().cast_signed();
        // Real numbers are ordered as their bits are, negative ones the other way round.
        let key = if bits < 0 { bits ^ i64::MAX } else { bits };
        self.0.entry(key).or_default()[sample] += count;
    }

    /// The test.
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

/// The probability that a chi-square of so many degrees of freedom is greater.
pub(crate) fn beyond(statistic: f64, freedom: u32) -> f64 {
    if freedom == 0 {
        return 1.0;
    }
    let half = statistic / 2.0;
    // The regularized upper incomplete gamma function at half the degrees, from that at 1 or 1/2 on, in steps of 1.
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

/// The complementary error function of a number that is not negative, with a relative error below 1.2e-7 (Chebyshev fit).
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
