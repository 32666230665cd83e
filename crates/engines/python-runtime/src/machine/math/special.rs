//! The gamma and error functions of `math`.

use std::f64::consts::PI;

use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::value::Value;

/// The parameter of Lanczos' approximation of the gamma function.
const LANCZOS_G: f64 = 6.024_680_040_776_73;

/// The coefficients of the numerator and the denominator of Lanczos' sum, by ascending powers.
#[allow(clippy::excessive_precision, reason = "the coefficients are given with all of their digits")]
const LANCZOS_COEFFICIENTS: [(f64, f64); 13] = [
    (23_531_376_880.410_759_688_572, 0.0),
    (42_919_803_642.649_098_768_958, 39_916_800.0),
    (35_711_959_237.355_668_049_440, 120_543_840.0),
    (17_921_034_426.037_209_699_920, 150_917_976.0),
    (6_039_542_586.352_028_005_064, 105_258_076.0),
    (1_439_720_407.311_721_673_663, 45_995_730.0),
    (248_874_557.862_054_156_511, 13_339_535.0),
    (31_426_415.585_400_194_380_6, 2_637_558.0),
    (2_876_370.628_935_372_441_23, 357_423.0),
    (186_056.265_395_223_495_040, 32_670.0),
    (8_071.672_002_365_816_210_64, 1_925.0),
    (210.824_277_751_579_345_873, 66.0),
    (2.506_628_274_631_000_270_16, 1.0),
];

/// The largest integer whose gamma function is computed as a product.
const MAX_INTEGER: f64 = 23.0;

fn lanczos_sum(number: f64) -> f64 {
    let (mut above, mut below) = (0.0, 0.0);
    if number < 5.0 {
        for &(numerator, denominator) in LANCZOS_COEFFICIENTS.iter().rev() {
            above = above * number + numerator;
            below = below * number + denominator;
        }
    } else {
        for &(numerator, denominator) in &LANCZOS_COEFFICIENTS {
            above = above / number + numerator;
            below = below / number + denominator;
        }
    }
    above / below
}

/// Computes `sin(pi x)` of a number that is not negative.
fn sine_of_pi(number: f64) -> f64 {
    let rest = number % 2.0;
    match (2.0 * rest).round() as i64 {
        0 => (PI * rest).sin(),
        1 => (PI * (rest - 0.5)).cos(),
        2 => (PI * (1.0 - rest)).sin(),
        3 => -(PI * (rest - 1.5)).cos(),
        _ => (PI * (rest - 2.0)).sin(),
    }
}

/// Computes the gamma function of a number that is no pole.
fn gamma(number: f64) -> f64 {
    if number.fract() == 0.0 && number <= MAX_INTEGER {
        return (2..number as i64).fold(1.0, |product, factor| product * factor as f64);
    }
    let size = number.abs();
    if size < 1e-20 {
        return 1.0 / number;
    }
    if size > 200.0 {
        return if number < 0.0 { 0.0 / sine_of_pi(size) } else { f64::INFINITY };
    }
    let offset = LANCZOS_G - 0.5;
    let sum = size + offset;
    // The error of the sum is corrected below.
    let error = if size > offset { (sum - size) - offset } else { (sum - offset) - size };
    let correction = error * LANCZOS_G / sum;
    let power = |result: f64, divides: bool| {
        let apply = |result: f64, power: f64| if divides { result / power } else { result * power };
        if size < 140.0 {
            return apply(result, sum.powf(size - 0.5));
        }
        let root = sum.powf(size / 2.0 - 0.25);
        apply(apply(result, root), root)
    };
    if number < 0.0 {
        let result = -PI / sine_of_pi(size) / size * sum.exp() / lanczos_sum(size);
        power(result - correction * result, true)
    } else {
        let result = lanczos_sum(size) / sum.exp();
        power(result + correction * result, false)
    }
}

/// Computes the logarithm of the absolute value of the gamma function of a number that is no pole.
fn log_gamma(number: f64) -> f64 {
    if number.fract() == 0.0 && number <= 2.0 {
        return 0.0;
    }
    let size = number.abs();
    if size < 1e-20 {
        return -size.ln();
    }
    let mut result = lanczos_sum(size).ln() - LANCZOS_G;
    result += (size - 0.5) * ((size + LANCZOS_G - 0.5).ln() - 1.0);
    if number < 0.0 { PI.ln() - sine_of_pi(size).abs().ln() - size.ln() - result } else { result }
}

impl Machine {
    /// Implements `math.gamma`, and `math.lgamma` if `is_logarithm`.
    pub(super) fn gamma_function(&mut self, argument: Value, is_logarithm: bool) -> ExecResult {
        let number = self.float_argument(argument)?;
        if number.is_nan() || number == f64::INFINITY || is_logarithm && number.is_infinite() {
            return Ok(Value::Float(if number.is_nan() { number } else { f64::INFINITY }));
        }
        let is_pole = number <= 0.0 && number.fract() == 0.0;
        if is_pole || number.is_infinite() {
            return Err(self.domain_error());
        }
        let value = if is_logarithm { log_gamma(number) } else { gamma(number) };
        if value.is_infinite() {
            return Err(self.raise(ExceptionKind::OverflowError, "math range error"));
        }
        Ok(Value::Float(value))
    }
}
