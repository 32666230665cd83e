//! Floats in as few digits as read back as the same float, of those the nearest.
//!
//! Where two are equally near, the standard library takes the greater one, and `CPython` and numpy the one whose last digit is even:
//! 999.99981689453125 is 999.9998168945312.

use super::convert::parts;

/// The digits of a float that is finite, as a whole number, and the power of ten that it is multiplied with.
struct Digits {
    is_negative: bool,
    whole: u64,
    power: i32,
}

/// A float as `{:e}` writes it.
pub(super) fn scientific(number: f64) -> String {
    even(number, &format!("{number:e}"), |text| text.parse() == Ok(number)).scientific()
}

/// A float without an exponent, as `{}` writes it.
pub(super) fn plain(number: f64) -> String {
    even(number, &format!("{number:e}"), |text| text.parse() == Ok(number)).plain()
}

/// The same of a float of 32 bits.
pub(super) fn scientific_single(number: f32) -> String {
    even(number.into(), &format!("{number:e}"), |text| text.parse() == Ok(number)).scientific()
}

/// The same without an exponent.
pub(super) fn plain_single(number: f32) -> String {
    even(number.into(), &format!("{number:e}"), |text| text.parse() == Ok(number)).plain()
}

/// The digits of the standard library, or those beside them that are as near, read back as well and are even.
fn even(number: f64, written: &str, reads_back: impl Fn(&str) -> bool) -> Digits {
    let found = Digits::read(written);
    if found.whole.is_multiple_of(2) {
        return found;
    }
    for other in [found.whole - 1, found.whole + 1] {
        // Half a step between them, in tenths.
        let middle = 5 * (found.whole + other);
        if is_exactly(number.abs(), middle, found.power - 1) {
            let other = Digits { whole: other, ..found };
            return if reads_back(&other.scientific()) { other } else { found };
        }
    }
    found
}

/// Whether a float that is not negative is a whole number of less than 19 digits times a power of ten.
fn is_exactly(number: f64, digits: u64, power: i32) -> bool {
    // Whole floats with a digit more than the shortest text do not exist, and more fives than that do not divide so few digits.
    if !(-26..0).contains(&power) {
        return false;
    }
    let (whole, exponent) = parts(number);
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
        Self { is_negative, whole: digits, power: exponent - fraction.len() as i32 }
    }

    fn sign(&self) -> &'static str {
        if self.is_negative { "-" } else { "" }
    }

    fn scientific(&self) -> String {
        let digits = self.whole.to_string();
        let exponent = self.power + digits.len() as i32 - 1;
        let (first, rest) = digits.split_at(1);
        let rest = rest.trim_end_matches('0');
        let point = if rest.is_empty() { "" } else { "." };
        format!("{}{first}{point}{rest}e{exponent}", self.sign())
    }

    fn plain(&self) -> String {
        let digits = self.whole.to_string();
        let behind = -self.power;
        if behind <= 0 {
            let zeros = if self.whole == 0 { 0 } else { self.power as usize };
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
