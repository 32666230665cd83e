//! Quantiles of the distributions used by confidence intervals.

use std::f64::consts::FRAC_2_PI;

/// The degrees of freedom from which Student's t is computed by its expansion around the normal distribution; the next term is
/// then below 1e-11.
const EXPANSION_THRESHOLD: u64 = 1000;

/// Returns the quantile of the standard normal distribution for a probability, to 15 digits (Wichura: Algorithm AS 241; 1988).
/// Infinite for 0 and 1, `NaN` outside this range.
pub fn normal_quantile(probability: f64) -> f64 {
    let from_middle = probability - 0.5;
    if from_middle.abs() <= 0.425 {
        let square = 0.180_625 - from_middle * from_middle;
        return from_middle * ratio(&MIDDLE, square);
    }
    let tail = if from_middle < 0.0 { probability } else { 1.0 - probability };
    let root = (-tail.ln()).sqrt();
    let size = if tail == 0.0 {
        f64::INFINITY
    } else if root <= 5.0 {
        ratio(&NEAR, root - 1.6)
    } else {
        ratio(&FAR, root - 5.0)
    };
    size.copysign(from_middle)
}

/// Returns the two-sided quantile of Student's t: the number `x` such that the interval from `-x` to `x` has probability `level`.
/// `freedom` is at least 1.
pub fn student_two_sided(level: f64, degrees_of_freedom: u64) -> f64 {
    let z = normal_quantile(0.5 + level / 2.0);
    if degrees_of_freedom >= EXPANSION_THRESHOLD {
        return expanded(z, degrees_of_freedom as f64);
    }
    // The normal quantile is a lower bound; an upper bound is found by doubling, and the quantile by bisection.
    let (mut low, mut high) = (z.max(0.0), z.max(1.0));
    while student_two_sided_probability(high, degrees_of_freedom) < level && high < 1e300 {
        (low, high) = (high, high * 2.0);
    }
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if student_two_sided_probability(middle, degrees_of_freedom) < level {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Returns the probability of Student's t between `-number` and `number` (Abramowitz and Stegun, 26.7.3 and 26.7.4).
fn student_two_sided_probability(number: f64, freedom: u64) -> f64 {
    let root = (freedom as f64).sqrt();
    let angle = (number / root).atan();
    let (sine, cosine) = (number / number.hypot(root), root / number.hypot(root));
    let square = cosine * cosine;
    let is_odd = freedom % 2 == 1;
    // Each term of the sum multiplies the previous one by the next two factors and the squared cosine.
    let mut term = if is_odd { cosine } else { 1.0 };
    let mut sum = if freedom == 1 { 0.0 } else { term };
    let mut factor = if is_odd { 2.0 } else { 1.0 };
    while factor + 2.0 < freedom as f64 {
        term *= square * factor / (factor + 1.0);
        sum += term;
        factor += 2.0;
    }
    if is_odd { FRAC_2_PI * (angle + sine * sum) } else { sine * sum }
}

/// Returns the two-sided quantile of Student's t by its expansion around the normal quantile `z` (Abramowitz and Stegun, 26.7.5).
fn expanded(z: f64, freedom: f64) -> f64 {
    let square = z * z;
    let terms = [
        z,
        z * (square + 1.0) / 4.0,
        z * ((5.0 * square + 16.0) * square + 3.0) / 96.0,
        z * (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0,
        z * ((((79.0 * square + 776.0) * square + 1482.0) * square - 1920.0) * square - 945.0) / 92_160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| sum / freedom + term)
}

/// The numerator and denominator of a rational function, highest power first.
type Ratio = [[f64; 8]; 2];

fn ratio(polynomials: &Ratio, at: f64) -> f64 {
    let [above, below] = polynomials.map(|terms| terms.iter().fold(0.0, |sum, term| sum * at + term));
    above / below
}

/// The approximation for probabilities from 0.075 to 0.925, in 0.425^2 minus the squared distance from 0.5.
const MIDDLE: Ratio = [
    [
        2.509_080_928_730_122_7e3,
        3.343_057_558_358_813e4,
        6.726_577_092_700_87e4,
        4.592_195_393_154_987e4,
        1.373_169_376_550_946e4,
        1.971_590_950_306_551_3e3,
        1.331_416_678_917_843_8e2,
        3.387_132_872_796_366_5,
    ],
    [
        5.226_495_278_852_854e3,
        2.872_908_573_572_194_3e4,
        3.930_789_580_009_271e4,
        2.121_379_430_158_659_7e4,
        5.394_196_021_424_751e3,
        6.871_870_074_920_579e2,
        4.231_333_070_160_091e1,
        1.0,
    ],
];

/// The approximation for tail probabilities down to e^-25, in the square root of the negative logarithm.
const NEAR: Ratio = [
    [
        7.745_450_142_783_414e-4,
        2.272_384_498_926_918_4e-2,
        2.417_807_251_774_506e-1,
        1.270_458_252_452_368_4,
        3.647_848_324_763_204_5,
        5.769_497_221_460_691,
        4.630_337_846_156_546,
        1.423_437_110_749_683_5,
    ],
    [
        1.050_750_071_644_416_9e-9,
        5.475_938_084_995_345e-4,
        1.519_866_656_361_645_7e-2,
        1.481_039_764_274_800_8e-1,
        6.897_673_349_851e-1,
        1.676_384_830_183_803_8,
        2.053_191_626_637_759,
        1.0,
    ],
];

/// The approximation for smaller tail probabilities.
const FAR: Ratio = [
    [
        2.010_334_399_292_288_1e-7,
        2.711_555_568_743_487_6e-5,
        1.242_660_947_388_078_4e-3,
        2.653_218_952_657_612_4e-2,
        2.965_605_718_285_048_7e-1,
        1.784_826_539_917_291_3,
        5.463_784_911_164_114,
        6.657_904_643_501_103,
    ],
    [
        2.044_263_103_389_939_8e-15,
        1.421_511_758_316_446e-7,
        1.846_318_317_510_054_8e-5,
        7.868_691_311_456_133e-4,
        1.487_536_129_085_061_5e-2,
        1.369_298_809_227_358e-1,
        5.998_322_065_558_879e-1,
        1.0,
    ],
];

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these results are exact")]
mod tests {
    use super::{EXPANSION_THRESHOLD, normal_quantile, student_two_sided, student_two_sided_probability};

    #[track_caller]
    fn near(found: f64, expected: f64, error: f64) {
        assert!((found - expected).abs() <= error, "{found} for {expected}");
    }

    /// Published values, including those of the algorithm's own test.
    #[test]
    fn normal_table() {
        near(normal_quantile(0.25), -0.674_489_750_196_081_7, 1e-15);
        near(normal_quantile(0.001), -3.090_232_306_167_814, 1e-14);
        near(normal_quantile(1e-20), -9.262_340_089_798_409, 1e-14);
        near(normal_quantile(0.975), 1.959_963_984_540_054, 1e-14);
        near(normal_quantile(0.995), 2.575_829_303_548_901, 1e-14);
        assert_eq!(normal_quantile(0.5), 0.0);
        assert_eq!((normal_quantile(0.0), normal_quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(normal_quantile(1.5).is_nan() && normal_quantile(-0.5).is_nan());
    }

    /// Printed tables of Student's t.
    #[test]
    fn student_table() {
        for (freedom, [at_90, at_95, at_99]) in [
            (1, [6.314, 12.706, 63.657]),
            (2, [2.920, 4.303, 9.925]),
            (3, [2.353, 3.182, 5.841]),
            (4, [2.132, 2.776, 4.604]),
            (5, [2.015, 2.571, 4.032]),
            (9, [1.833, 2.262, 3.250]),
            (10, [1.812, 2.228, 3.169]),
            (29, [1.699, 2.045, 2.756]),
            (30, [1.697, 2.042, 2.750]),
            (60, [1.671, 2.000, 2.660]),
            (120, [1.658, 1.980, 2.617]),
        ] {
            near(student_two_sided(0.9, freedom), at_90, 5.001e-4);
            near(student_two_sided(0.95, freedom), at_95, 5.001e-4);
            near(student_two_sided(0.99, freedom), at_99, 5.001e-4);
        }
    }

    #[test]
    fn closed_forms() {
        // One degree of freedom: tan(level * pi / 2). Two degrees: 2 p / sqrt(2 (1 - p^2)) for the probability p.
        for level in [0.5_f64, 0.8, 0.95, 0.999] {
            let one = (level * std::f64::consts::FRAC_PI_2).tan();
            near(student_two_sided(level, 1), one, one * 1e-12);
            let two = 2.0 * level / (2.0 * (1.0 - level * level)).sqrt();
            near(student_two_sided(level, 2), two, two * 1e-12);
        }
    }

    #[test]
    fn both_ways_to_compute_it_meet() {
        for level in [0.5, 0.9, 0.95, 0.99, 0.999] {
            let expanded = student_two_sided(level, EXPANSION_THRESHOLD);
            near(student_two_sided_probability(expanded, EXPANSION_THRESHOLD), level, 1e-12);
            let before = student_two_sided(level, EXPANSION_THRESHOLD - 1);
            assert!(before > expanded && before - expanded < 1e-4);
        }
        near(student_two_sided(0.95, u64::MAX), 1.959_963_984_540_054, 1e-14);
    }
}
