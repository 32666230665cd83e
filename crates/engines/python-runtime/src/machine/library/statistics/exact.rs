//! Exact sums of integers and floats, as binary fractions.

use num_bigint::{BigInt, Sign};

use crate::machine::Machine;
use crate::machine::convert::decompose_float;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::numbers::Number;
use crate::machine::numpy::{Dtype, Scalar};
use crate::machine::operators::rounded_quotient;
use crate::machine::value::Value;

/// The class of a result, which follows from those of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultClass {
    Int,
    Float,
    /// A scalar class of numpy.
    Numpy(Dtype),
}

impl ResultClass {
    /// Converts a float to the class.
    pub(super) fn of_float(self, number: f64) -> Value {
        match self {
            Self::Numpy(dtype) => Value::from(Scalar::Float(number).cast(dtype)),
            Self::Int | Self::Float => Value::Float(number),
        }
    }
}

/// A binary fraction: `mantissa * 2^exponent`.
#[derive(Debug, Clone)]
pub(crate) struct BinaryFraction {
    mantissa: BigInt,
    exponent: i64,
}

impl BinaryFraction {
    pub(crate) const fn zero() -> Self {
        Self { mantissa: BigInt::ZERO, exponent: 0 }
    }

    /// Returns the value of a float; `None` if it is not finite.
    pub(crate) fn of(number: f64) -> Option<Self> {
        if !number.is_finite() {
            return None;
        }
        let (mantissa, exponent) = decompose_float(number.abs());
        let zeros = if mantissa == 0 { 0 } else { mantissa.trailing_zeros() };
        let sign = if number < 0.0 { Sign::Minus } else { Sign::Plus };
        let mantissa = BigInt::from_biguint(sign, (mantissa >> zeros).into());
        Some(Self { mantissa, exponent: exponent + i64::from(zeros) })
    }

    pub(crate) fn squared(&self) -> Self {
        Self { mantissa: &self.mantissa * &self.mantissa, exponent: 2 * self.exponent }
    }

    pub(crate) fn times(&self, factor: &BigInt) -> Self {
        Self { mantissa: &self.mantissa * factor, exponent: self.exponent }
    }

    pub(crate) fn add_fraction(&mut self, other: &Self) {
        self.add(other.mantissa.clone(), other.exponent);
    }

    pub(crate) fn subtract(&mut self, other: &Self) {
        self.add(-&other.mantissa, other.exponent);
    }

    /// Adds `mantissa * 2^exponent`.
    pub(crate) fn add(&mut self, mantissa: BigInt, exponent: i64) {
        if exponent < self.exponent {
            self.mantissa <<= (self.exponent - exponent).unsigned_abs();
            self.exponent = exponent;
        }
        self.mantissa += mantissa << (exponent - self.exponent).unsigned_abs();
    }

    pub(crate) fn numerator(&self) -> BigInt {
        &self.mantissa << self.exponent.max(0).unsigned_abs()
    }

    pub(crate) fn denominator(&self) -> BigInt {
        BigInt::from(1) << self.exponent.min(0).unsigned_abs()
    }
}

/// The sum of the values of a sample.
#[derive(Debug, Clone)]
pub(super) enum Total {
    Exact(BinaryFraction),
    /// The sum of the values that are not finite.
    NotFinite(f64),
}

/// A sum of values, with the class that results have.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) total: Total,
    pub(super) result: ResultClass,
}

/// A number as a binary fraction, or a float that is not finite.
type ExactNumber = Result<(BigInt, i64), f64>;

/// A fraction, or a sum that is not finite.
type Fraction = Result<(BigInt, BigInt), f64>;

impl Machine {
    /// Returns the exact sum of values.
    pub(super) fn exact_sample(&mut self, values: &[Value]) -> ExecResult<Sample> {
        let (mut sum, mut not_finite) = (BinaryFraction::zero(), None);
        let result = self.result_class(values)?;
        for &value in values {
            match self.exact_number(value)? {
                Ok((mantissa, exponent)) => sum.add(mantissa, exponent),
                Err(number) => not_finite = Some(not_finite.unwrap_or(0.0) + number),
            }
            self.charge(1 + sum.mantissa.bits() / 256)?;
        }
        Ok(Sample { total: not_finite.map_or(Total::Exact(sum), Total::NotFinite), result })
    }

    /// Returns the sum of the squared distances of values from their mean, and the class of results.
    pub(super) fn squares_around_mean(&mut self, values: &[Value]) -> ExecResult<(Fraction, ResultClass)> {
        let (mut sum, mut squares, mut not_finite) = (BinaryFraction::zero(), BinaryFraction::zero(), None);
        let result = self.result_class(values)?;
        for &value in values {
            match self.exact_number(value)? {
                Ok((mantissa, exponent)) => {
                    self.charge_product(&mantissa, &mantissa)?;
                    squares.add(&mantissa * &mantissa, 2 * exponent);
                    sum.add(mantissa, exponent);
                }
                Err(number) => not_finite = Some(not_finite.unwrap_or(0.0) + number),
            }
            self.charge(2 + squares.mantissa.bits() / 128)?;
        }
        if let Some(sum) = not_finite {
            return Ok((Err(sum), result));
        }
        if values.is_empty() {
            return Ok((Ok((BigInt::ZERO, BigInt::from(1))), result));
        }
        // n times the sum of squares minus the square of the sum, over n.
        let count = BigInt::from(values.len());
        let mut numerator = squares.times(&count);
        numerator.subtract(&sum.squared());
        Ok((Ok((numerator.numerator(), numerator.denominator() * count)), result))
    }

    fn exact_number(&mut self, value: Value) -> ExecResult<ExactNumber> {
        match self.as_number(value) {
            Some(Number::Int(number)) => Ok(Ok((number.into(), 0))),
            Some(Number::Big(number)) => Ok(Ok((number, 0))),
            Some(Number::Float(number)) => Ok(match BinaryFraction::of(number) {
                Some(exact) => Ok((exact.mantissa, exact.exponent)),
                None => Err(number),
            }),
            None => {
                let message = format!("can't convert type '{}' to numerator/denominator", self.class_name(value));
                Err(self.type_error(&message))
            }
        }
    }

    /// Returns the class of results for values of these classes.
    fn result_class(&mut self, values: &[Value]) -> ExecResult<ResultClass> {
        let mut result = ResultClass::Int;
        for &value in values {
            let class = match value {
                Value::Numpy(scalar) if matches!(scalar.get(), Scalar::Bool(_)) => {
                    let message = "can't convert type 'bool_' to numerator/denominator";
                    return Err(self.type_error(message));
                }
                Value::Numpy(scalar) => ResultClass::Numpy(scalar.get().dtype()),
                _ => match self.as_number(value) {
                    Some(Number::Float(_)) => ResultClass::Float,
                    _ => ResultClass::Int,
                },
            };
            result = match (result, class) {
                (one, other) if one == other || other == ResultClass::Int => one,
                (ResultClass::Int, other) => other,
                // `numpy.float64` is derived from `float`.
                (ResultClass::Float, ResultClass::Numpy(Dtype::Float))
                | (ResultClass::Numpy(Dtype::Float), ResultClass::Float) => ResultClass::Numpy(Dtype::Float),
                (one, other) => {
                    let message = format!("don't know how to coerce {} and {}", class_name(one), class_name(other));
                    return Err(self.type_error(&message));
                }
            };
        }
        Ok(result)
    }

    /// Converts a quotient of integers to the class of results.
    pub(super) fn convert_ratio(
        &mut self,
        numerator: &BigInt,
        denominator: &BigInt,
        result: ResultClass,
    ) -> ExecResult {
        self.charge((numerator.bits() + denominator.bits()) / 64)?;
        if matches!(result, ResultClass::Int | ResultClass::Numpy(Dtype::Int)) {
            let (quotient, rest) = (numerator / denominator, numerator % denominator);
            if let ResultClass::Numpy(_) = result {
                // The conversion to a numpy integer truncates.
                return Ok(Value::from(Scalar::Int(i64::try_from(&quotient).unwrap_or_default())));
            }
            if rest == BigInt::ZERO {
                return Ok(self.new_int(quotient));
            }
        }
        let number = self.rounded_ratio(numerator, denominator)?;
        Ok(result.of_float(number))
    }

    /// Returns the float nearest to a quotient of integers.
    pub(super) fn rounded_ratio(&mut self, numerator: &BigInt, denominator: &BigInt) -> ExecResult<f64> {
        match rounded_quotient(numerator, denominator) {
            Some(number) => Ok(number),
            None => Err(self.raise(ExceptionKind::OverflowError, "integer division result too large for a float")),
        }
    }
}

fn class_name(class: ResultClass) -> &'static str {
    match class {
        ResultClass::Int => "int",
        ResultClass::Float => "float",
        ResultClass::Numpy(dtype) => dtype.name(),
    }
}

/// Returns the float nearest to the square root of a fraction that is not negative.
pub(crate) fn square_root(numerator: &BigInt, denominator: &BigInt) -> f64 {
    // The root gets twice the precision of a float and a sticky last bit, so that rounding it once more is exact.
    let shift = (numerator.bits() as i64 - denominator.bits() as i64 - 109).div_euclid(2);
    let (numerator, denominator) = if shift >= 0 {
        (numerator.clone(), denominator << (2 * shift).unsigned_abs())
    } else {
        (numerator << (2 * shift).unsigned_abs(), denominator.clone())
    };
    let root = (&numerator / &denominator).sqrt();
    let is_exact = &root * &root * &denominator == numerator;
    let root = if is_exact { root } else { root | BigInt::from(1) };
    let (numerator, denominator) = if shift >= 0 {
        (root << shift.unsigned_abs(), BigInt::from(1))
    } else {
        (root, BigInt::from(1) << shift.unsigned_abs())
    };
    rounded_quotient(&numerator, &denominator).unwrap_or(f64::INFINITY)
}
