//! The functions of numeric expressions over IEEE 754 numbers: total functions whose undefined results are NaN.

use std::cmp::Ordering;

/// A numeric function of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the functions of mathematics, under their usual names; the odd ones are documented")]
pub enum UnaryFunction {
    Negate,
    Absolute,
    Acos,
    Asin,
    Atan,
    CubeRoot,
    Ceiling,
    Cos,
    Cosh,
    Exp,
    /// e^x - 1, accurate for small x.
    ExpMinusOne,
    /// The product x (x-1) (x-2) .. over all factors greater than 1: 1 for arguments up to 1 and for NaN, 3.75 for 2.5.
    Factorial,
    Floor,
    /// The argument minus its [`UnaryFunction::Floor`].
    Fraction,
    /// The natural logarithm.
    Ln,
    Log10,
    /// ln(1 + x), accurate for small x.
    LnOnePlus,
    Log2,
    /// The nearest integer, ties to even.
    Round,
    /// -1, 0 or 1; signed zeros are returned unchanged.
    Sign,
    Sin,
    Sinh,
    SquareRoot,
    Tan,
    /// Conversion from radians to degrees.
    Degrees,
    /// Conversion from degrees to radians.
    Radians,
    /// The distance from the absolute value to the next larger number.
    Ulp,
}

impl UnaryFunction {
    /// Applies the function.
    pub fn apply(self, x: f64) -> f64 {
        match self {
            Self::Negate => -x,
            Self::Absolute => x.abs(),
            Self::Acos => x.acos(),
            Self::Asin => x.asin(),
            Self::Atan => x.atan(),
            Self::CubeRoot => x.cbrt(),
            Self::Ceiling => x.ceil(),
            Self::Cos => x.cos(),
            Self::Cosh => x.cosh(),
            Self::Exp => x.exp(),
            Self::ExpMinusOne => x.exp_m1(),
            Self::Factorial => factorial(x),
            Self::Floor => x.floor(),
            Self::Fraction => x - x.floor(),
            Self::Ln => x.ln(),
            Self::Log10 => x.log10(),
            Self::LnOnePlus => x.ln_1p(),
            Self::Log2 => x.log2(),
            Self::Round => x.round_ties_even(),
            Self::Sign => sign(x),
            Self::Sin => x.sin(),
            Self::Sinh => x.sinh(),
            Self::SquareRoot => x.sqrt(),
            Self::Tan => x.tan(),
            Self::Degrees => x.to_degrees(),
            Self::Radians => x.to_radians(),
            Self::Ulp => ulp(x),
        }
    }
}

/// A numeric function or comparison of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryFunction {
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient; infinite or NaN if the divisor is 0.
    Divide,
    /// The remainder of a division truncated towards 0; it has the sign of the dividend.
    Remainder,
    /// The first operand to the power of the second: 1 if the exponent is 0, NaN if the exponent is NaN, or infinite with base 1
    /// or -1.
    Power,
    /// The angle of the point (second, first) in radians.
    Atan2,
    /// The Euclidean norm of the pair.
    Hypotenuse,
    /// 1 if the first is greater than the second, and 0 otherwise. Like all comparisons except [`BinaryFunction::NotEqual`], it is 0 if
    /// an operand is NaN.
    Greater,
    /// 1 if the first is greater than or equal to the second.
    GreaterOrEqual,
    /// 1 if the first is less than the second.
    Less,
    /// 1 if the first is less than or equal to the second.
    LessOrEqual,
    /// 1 if the operands are equal.
    Equal,
    /// 1 if the operands are not equal.
    NotEqual,
}

impl BinaryFunction {
    /// Whether the function is a comparison, whose value is 1 or 0.
    pub fn is_comparison(self) -> bool {
        use BinaryFunction::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        matches!(self, Greater | GreaterOrEqual | Less | LessOrEqual | Equal | NotEqual)
    }
}

impl BinaryFunction {
    /// Applies the function.
    pub fn apply(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Add => x + y,
            Self::Subtract => x - y,
            Self::Multiply => x * y,
            Self::Divide => x / y,
            Self::Remainder => x % y,
            Self::Power => power(x, y),
            Self::Atan2 => x.atan2(y),
            Self::Hypotenuse => x.hypot(y),
            Self::Greater => truth(x > y),
            Self::GreaterOrEqual => truth(x >= y),
            Self::Less => truth(x < y),
            Self::LessOrEqual => truth(x <= y),
            Self::Equal => truth(equal(x, y)),
            Self::NotEqual => truth(!equal(x, y)),
        }
    }
}

/// A function of any number of operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AggregateFunction {
    /// The sum; 0 if there are no operands.
    Sum,
    /// The product; 1 if there are no operands.
    Product,
    /// The arithmetic mean; NaN if there are no operands.
    Average,
    /// The maximum; NaN if an operand is NaN, and the largest finite number if there are no operands.
    Maximum,
    /// The minimum; NaN if an operand is NaN, and the lowest finite number if there are no operands.
    Minimum,
}

impl AggregateFunction {
    /// Applies the function.
    pub fn apply(self, numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
        let count = numbers.len();
        match self {
            Self::Sum => numbers.fold(0.0, |sum, number| sum + number),
            Self::Product => numbers.fold(1.0, |product, number| product * number),
            Self::Average => numbers.fold(0.0, |sum, number| sum + number) / count as f64,
            Self::Maximum => numbers.reduce(|one, other| choose(one, other, one > other)).unwrap_or(f64::MAX),
            Self::Minimum => numbers.reduce(|one, other| choose(one, other, one < other)).unwrap_or(f64::MIN),
        }
    }
}

fn equal(x: f64, y: f64) -> bool {
    x.partial_cmp(&y).is_some_and(Ordering::is_eq)
}

fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// Returns `one` if `first` is true and `other` otherwise, but NaN if either is NaN.
fn choose(one: f64, other: f64, first: bool) -> f64 {
    if first || one.is_nan() { one } else { other }
}

fn factorial(x: f64) -> f64 {
    let (mut product, mut factor) = (1.0, x);
    // An infinite product ends the loop for large numbers, from which subtracting 1 has no effect.
    while factor > 1.0 && f64::is_finite(product) {
        product *= factor;
        factor -= 1.0;
    }
    product
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { x } else { x.signum() }
}

fn ulp(x: f64) -> f64 {
    let x = x.abs();
    // The largest finite number uses the distance to its predecessor, which is the same as that of its neighbours.
    if x >= f64::MAX { x - x.next_down() } else { x.next_up() - x }
}

fn power(x: f64, y: f64) -> f64 {
    if y.is_nan() || (y.is_infinite() && x.abs().total_cmp(&1.0).is_eq()) { f64::NAN } else { x.powf(y) }
}

#[cfg(test)]
mod tests {
    use super::{AggregateFunction, BinaryFunction, UnaryFunction};

    /// Compares bit patterns, so that signed zeros differ; any NaN equals any other.
    fn check(found: f64, expected: f64) {
        assert!(
            found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
            "{found}, not {expected}"
        );
    }

    #[test]
    fn factorials() {
        check(UnaryFunction::Factorial.apply(4.0), 24.0);
        check(UnaryFunction::Factorial.apply(2.5), 3.75);
        check(UnaryFunction::Factorial.apply(-3.0), 1.0);
        check(UnaryFunction::Factorial.apply(1e300), f64::INFINITY);
        check(UnaryFunction::Factorial.apply(f64::NAN), 1.0);
    }

    #[test]
    fn edges() {
        check(UnaryFunction::Sign.apply(-0.0), -0.0);
        check(UnaryFunction::Round.apply(2.5), 2.0);
        check(UnaryFunction::Ulp.apply(f64::MAX), 2f64.powi(971));
        check(UnaryFunction::Ulp.apply(f64::INFINITY), f64::INFINITY);
        check(UnaryFunction::Ulp.apply(0.0), f64::from_bits(1));
        check(BinaryFunction::Remainder.apply(-7.0, 4.0), -3.0);
        check(BinaryFunction::Power.apply(-1.0, f64::INFINITY), f64::NAN);
        check(BinaryFunction::Power.apply(f64::NAN, 0.0), 1.0);
        check(BinaryFunction::GreaterOrEqual.apply(f64::INFINITY, f64::INFINITY), 1.0);
        check(BinaryFunction::Equal.apply(-0.0, 0.0), 1.0);
        check(BinaryFunction::NotEqual.apply(f64::NAN, f64::NAN), 1.0);
        check(BinaryFunction::Less.apply(f64::NAN, 1.0), 0.0);
    }

    #[test]
    fn aggregates() {
        check(AggregateFunction::Maximum.apply([].into_iter()), f64::MAX);
        check(AggregateFunction::Minimum.apply([].into_iter()), f64::MIN);
        check(AggregateFunction::Maximum.apply([1.0, f64::NAN, 2.0].into_iter()), f64::NAN);
        check(AggregateFunction::Minimum.apply([2.0, 1.0].into_iter()), 1.0);
        check(AggregateFunction::Average.apply([1.0, 2.0].into_iter()), 1.5);
    }
}
