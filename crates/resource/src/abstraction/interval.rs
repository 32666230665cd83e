//! Interval arithmetic.

use crate::function::{AggregateFunction, BinaryFunction, UnaryFunction};
use crate::kinds::KindSet;

/// A closed interval of numbers; it never contains NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower bound, or negative infinity if there is none.
    pub low: f64,
    /// The upper bound, or infinity if there is none.
    pub high: f64,
    /// The kinds of the numbers: integers, real numbers, or both.
    pub kinds: KindSet,
}

/// The largest increment of an integer assumed not to reach 32-bit overflow by repeated addition.
const MAX_INCREMENT: f64 = 65_536.0;

impl Interval {
    /// All real numbers.
    pub const REALS: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, kinds: KindSet::REAL };

    /// Returns the real numbers between two bounds, or all if a bound is NaN.
    pub(super) fn real(low: f64, high: f64) -> Self {
        if low.is_nan() || high.is_nan() { Self::REALS } else { Self { low, high, kinds: KindSet::REAL } }
    }

    /// Returns the interval of one real number.
    pub(super) fn point(number: f64) -> Self {
        Self::real(number, number)
    }

    /// Whether a number lies within the bounds.
    pub fn contains(&self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }

    /// Returns the smallest interval that contains both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high), kinds: self.kinds | other.kinds }
    }

    /// Returns the sums of a number of this interval and a number of `added`, with the kinds of
    /// [`Value::add`](crate::value::Value::add).
    pub(super) fn plus(self, added: Self) -> Self {
        let whole = self.kinds.intersects(KindSet::INT) && added.kinds.intersects(KindSet::INT);
        let mut kinds = if whole { KindSet::INT } else { KindSet::EMPTY };
        if self.kinds.intersects(KindSet::REAL) || added.kinds.intersects(KindSet::REAL) {
            kinds |= KindSet::REAL;
        }
        if whole && added.low.abs().max(added.high.abs()) > MAX_INCREMENT {
            return Self { kinds, ..Self::REALS };
        }
        Self { kinds, ..Self::real(self.low + added.low, self.high + added.high) }
    }

    /// Returns the range of a unary function on this interval, and whether its value can be NaN.
    pub(super) fn unary(self, function: UnaryFunction) -> (Self, bool) {
        let ends = || {
            let [one, other] = [function.apply(self.low), function.apply(self.high)];
            Self::real(one.min(other), one.max(other))
        };
        match function {
            UnaryFunction::Absolute if self.contains(0.0) => (Self::real(0.0, self.high.max(-self.low)), false),
            UnaryFunction::Negate
            | UnaryFunction::Absolute
            | UnaryFunction::Floor
            | UnaryFunction::Ceiling
            | UnaryFunction::Round
            | UnaryFunction::CubeRoot
            | UnaryFunction::Sign
            | UnaryFunction::Exp
            | UnaryFunction::ExpMinusOne
            | UnaryFunction::Degrees
            | UnaryFunction::Radians
            | UnaryFunction::Atan => (ends(), false),
            UnaryFunction::SquareRoot if self.low >= 0.0 => (ends(), false),
            UnaryFunction::Sin | UnaryFunction::Cos => (Self::real(-1.0, 1.0), true),
            _ => (Self::REALS, true),
        }
    }

    /// Returns the range of a binary function on two intervals, and whether its value can be NaN.
    pub(super) fn binary(self, function: BinaryFunction, other: Self) -> (Self, bool) {
        match function {
            BinaryFunction::Add => (Self::real(self.low + other.low, self.high + other.high), false),
            BinaryFunction::Subtract => (Self::real(self.low - other.high, self.high - other.low), false),
            // An unknown bound is not an infinite number: 0 times it is 0.
            BinaryFunction::Multiply => {
                (self.corners(other, |x, y| if x == 0.0 || y == 0.0 { 0.0 } else { x * y }), false)
            }
            // Intervals exclude NaN, for which a comparison may have the other value, so both values are possible.
            comparison if comparison.is_comparison() => (Self::real(0.0, 1.0), false),
            BinaryFunction::Divide if !other.contains(0.0) => (self.corners(other, |x, y| x / y), false),
            _ => (Self::REALS, true),
        }
    }

    fn corners(self, other: Self, function: impl Fn(f64, f64) -> f64) -> Self {
        let corners = [self.low, self.high].into_iter().flat_map(|x| [function(x, other.low), function(x, other.high)]);
        let corners: Vec<f64> = corners.collect();
        if corners.iter().any(|corner| corner.is_nan()) {
            return Self::REALS;
        }
        let low = corners.iter().copied().fold(f64::INFINITY, f64::min);
        let high = corners.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self::real(low, high)
    }

    /// Returns the range of an aggregate function on these operands.
    pub(super) fn aggregate(function: AggregateFunction, operands: &[Self]) -> Self {
        let ends = |end: fn(&Self) -> f64| function.apply(operands.iter().map(end).collect::<Vec<_>>().into_iter());
        match function {
            AggregateFunction::Product => operands
                .iter()
                .fold(Self::point(1.0), |product, factor| product.binary(BinaryFunction::Multiply, *factor).0),
            AggregateFunction::Sum
            | AggregateFunction::Average
            | AggregateFunction::Maximum
            | AggregateFunction::Minimum => Self::real(ends(|operand| operand.low), ends(|operand| operand.high)),
        }
    }
}
