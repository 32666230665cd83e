//! Exact rational numbers of bounded size.

use std::cmp::Ordering;

/// The largest absolute value of a numerator, and of a denominator.
const BOUND: i128 = 1 << 62;

/// A rational number in lowest terms, with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    pub(crate) const ZERO: Self = Self { numerator: 0, denominator: 1 };
    pub(crate) const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// Returns a quotient; `None` if the denominator is zero, or a part is too large.
    fn new(numerator: i128, denominator: i128) -> Option<Self> {
        let (mut divisor, mut rest) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let divisor = i128::try_from(divisor).ok().filter(|_| denominator != 0)? * denominator.signum();
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        (numerator.abs() <= BOUND && denominator <= BOUND).then_some(Self { numerator, denominator })
    }

    /// Returns the number that a program states: the shortest decimal number whose nearest float is this one. `None` if it is too large or
    /// has too many digits.
    pub(crate) fn from_f64(number: f64) -> Option<Self> {
        let text = number.to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let numerator = format!("{whole}{fraction}").parse().ok()?;
        Self::new(numerator, 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?)
    }

    pub(crate) fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        Self::new(
            self.numerator * other.denominator + other.numerator * self.denominator,
            self.denominator * other.denominator,
        )
    }

    pub(crate) fn times(self, other: Self) -> Option<Self> {
        Self::new(self.numerator * other.numerator, self.denominator * other.denominator)
    }

    /// Returns the quotient; `None` if the divisor is zero.
    pub(crate) fn over(self, other: Self) -> Option<Self> {
        Self::new(self.numerator * other.denominator, self.denominator * other.numerator)
    }

    pub(crate) fn negated(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }

    pub(crate) fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// Returns the number between this and another.
    pub(crate) fn midpoint(self, other: Self) -> f64 {
        f64::midpoint(self.to_f64(), other.to_f64())
    }

    /// Returns the number with an integer added.
    pub(crate) fn offset(self, by: i32) -> f64 {
        self.to_f64() + f64::from(by)
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_text() {
        let of = |number| Ratio::from_f64(number).unwrap();
        assert_eq!(of(0.1).plus(of(0.2)), Some(of(0.3)));
        assert_eq!(of(1.0).over(of(3.0)).unwrap().times(of(3.0)), Some(Ratio::ONE));
        assert_eq!(of(-2.5).negated().over(of(-5.0)), Some(of(-0.5)));
        assert!(of(-0.5) < Ratio::ZERO && of(0.3) < of(1.0).over(of(3.0)).unwrap());
        assert_eq!(of(1.0).over(Ratio::ZERO), None);
        assert_eq!([1e300, 1e-300, f64::NAN, f64::INFINITY].map(Ratio::from_f64), [None; 4]);
        assert_eq!(of(4e18).plus(of(4e18)), None);
    }
}
