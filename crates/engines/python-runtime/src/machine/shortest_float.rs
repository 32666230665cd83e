//! Shortest decimal representations of floats that read back as the same float, and the nearest of these.
//!
//! On a tie, the standard library rounds up, whereas CPython and numpy choose the even last digit: 999.99981689453125 is
//! 999.9998168945312.
//! 999.99981689453125 is 999.9998168945312.

use super::convert::decompose_float;

/// The decimal digits of a finite float, as an integer, and the power of ten that scales it.
struct Digits {
    is_negative: bool,
    significand: u64,
    exponent: i32,
}

/// Returns a float in scientific notation, as `{:e}` writes it.
pub(super) fn scientific(number: f64) -> String {
    round_half_even(number, &format!("{number:e}"), |text| text.parse() == Ok(number)).scientific()
}

/// Returns a float without an exponent, as `{}` writes it.
pub(super) fn positional(number: f64) -> String {
    round_half_even(number, &format!("{number:e}"), |text| text.parse() == Ok(number)).plain()
}

/// Returns a 32-bit float in scientific notation, as `{:e}` writes it.
pub(super) fn scientific_f32(number: f32) -> String {
    round_half_even(number.into(), &format!("{number:e}"), |text| text.parse() == Ok(number)).scientific()
}

/// Returns a 32-bit float without an exponent, as `{}` writes it.
pub(super) fn positional_f32(number: f32) -> String {
    round_half_even(number.into(), &format!("{number:e}"), |text| text.parse() == Ok(number)).plain()
}

/// Returns the digits that the standard library wrote, or on a tie their even neighbor, if it reads back as the same float.
fn round_half_even(number: f64, written: &str, reads_back: impl Fn(&str) -> bool) -> Digits {
    let found = Digits::read(written);
    if found.significand.is_multiple_of(2) {
        return found;
    }
    for other in [found.significand - 1, found.significand + 1] {
        // The midpoint of the two candidates, in tenths of the last digit.
        let middle = 5 * (found.significand + other);
        if equals_decimal(number.abs(), middle, found.exponent - 1) {
            let other = Digits { significand: other, ..found };
            return if reads_back(&other.scientific()) { other } else { found };
        }
    }
    found
}

/// Whether a non-negative float equals an integer of less than 19 digits times a power of ten.
fn equals_decimal(number: f64, digits: u64, power: i32) -> bool {
    // A midpoint has one digit more than the shortest text, so that it is no integral float; and an integer of less than 19 digits is not
    // divisible by more than 26 fives.
    if !(-26..0).contains(&power) {
        return false;
    }
    let (whole, exponent) = decompose_float(number);
    let odd = |number: u128, twos: i64| {
        let zeros = number.trailing_zeros();
        (number.checked_shr(zeros).unwrap_or(0), twos + i64::from(zeros))
    };
    odd(u128::from(whole) * 5u128.pow(power.unsigned_abs()), exponent) == odd(digits.into(), power.into())
}

impl Digits {
    fn read(written: &str) -> Self {
        let (mantissa, exponent) = written.split_once('e').unwrap_or((written, "0"));
        let (is_negative, mantissa) = match mantissa.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, mantissa),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent: i32 = exponent.parse().unwrap_or_default();
        let digits = format!("{whole}{fraction}").parse().unwrap_or_default();
        Self { is_negative, significand: digits, exponent: exponent - fraction.len() as i32 }
    }

    fn sign(&self) -> &'static str {
        if self.is_negative { "-" } else { "" }
    }

    fn scientific(&self) -> String {
        let digits = self.significand.to_string();
        let exponent = self.exponent + digits.len() as i32 - 1;
        let (first, rest) = digits.split_at(1);
        let rest = rest.trim_end_matches('0');
        let point = if rest.is_empty() { "" } else { "." };
        format!("{}{first}{point}{rest}e{exponent}", self.sign())
    }

    fn plain(&self) -> String {
        let digits = self.significand.to_string();
        let behind = -self.exponent;
        if behind <= 0 {
            let zeros = if self.significand == 0 { 0 } else { self.exponent as usize };
            return format!("{}{digits}{}", self.sign(), "0".repeat(zeros));
        }
        let behind = behind as usize;
        let padded = format!("{digits:0>width$}", width = behind + 1);
        let (whole, fraction) = padded.split_at(padded.len() - behind);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{}{whole}{point}{fraction}", self.sign())
    }
}
