//! Functions of `math`, except the error function and the cube root, whose results differ between implementations.

mod integer;
mod special;

pub(crate) use integer::{accurate_sum, euclidean_norm};

use std::f64::consts::PI;

use super::exceptions::ExecResult;
use super::library_function::Implementation::{Floats, Predicate, Values};
use super::library_function::{Accuracy, FastForm, LibraryFunction as Function, ResultType, float_call};
use super::numbers::Number;
use super::value::Value;
use super::{Machine, cost};

/// The constants of `math`.
pub(super) static VALUES: [(&str, Value); 5] = [
    ("pi", Value::Float(std::f64::consts::PI)),
    ("e", Value::Float(std::f64::consts::E)),
    ("tau", Value::Float(std::f64::consts::TAU)),
    ("inf", Value::Float(f64::INFINITY)),
    ("nan", Value::Float(f64::NAN)),
];

/// Degrees per radian.
pub(super) const DEGREES: f64 = 180.0 / PI;

/// Radians per degree.
pub(super) const RADIANS: f64 = PI / 180.0;

/// Returns a function of one float, which is a method of `f64`, for the interpreter and for machine code.
macro_rules! float {
    ($name:literal, $method:ident) => {
        Function::of_float($name, f64::$method).with_fast(float_call!($method))
    };
}

/// The functions of `math`, in the order of their names.
pub(crate) static MATH_FUNCTIONS: [Function; 55] = [
    Function::of_float("math.acos", f64::acos),
    Function::of_float("math.acosh", f64::acosh),
    Function::of_float("math.asin", f64::asin),
    Function::of_float("math.asinh", f64::asinh),
    float!("math.atan", atan),
    Function::of_floats("math.atan2", f64::atan2),
    Function::of_float("math.atanh", inverse_hyperbolic_tangent),
    Function::of_float("math.cbrt", f64::cbrt).with_accuracy(Accuracy::Ulps(1)),
    Function::new("math.ceil", 1, 1, Values(|m, a, _| m.round_to_int(a[0], "__ceil__", f64::ceil)))
        .with_result(ResultType::Int),
    Function::new("math.comb", 2, 2, Values(|m, a, _| m.combinations(a))),
    Function::of_floats("math.copysign", f64::copysign),
    float!("math.cos", cos).with_range(-1.0, 1.0),
    Function::of_float("math.cosh", f64::cosh),
    Function::of_float("math.degrees", |x| x * DEGREES).with_fast(FastForm::Factor(DEGREES)),
    Function::new("math.dist", 2, 2, Values(|m, a, _| m.distance(a))).with_range(0.0, f64::INFINITY),
    Function::of_float("math.erf", libm::erf).with_range(-1.0, 1.0).with_accuracy(Accuracy::Ulps(1)),
    Function::of_float("math.erfc", libm::erfc).with_range(0.0, 2.0).with_accuracy(Accuracy::Ulps(1)),
    float!("math.exp", exp).with_range(0.0, f64::INFINITY),
    Function::of_float("math.exp2", f64::exp2),
    Function::of_float("math.expm1", f64::exp_m1),
    Function::of_float("math.fabs", f64::abs).with_range(0.0, f64::INFINITY).with_fast(FastForm::Abs),
    Function::new("math.factorial", 1, 1, Values(|m, a, _| m.factorial(a[0]))),
    Function::new("math.floor", 1, 1, Values(|m, a, _| m.round_to_int(a[0], "__floor__", f64::floor)))
        .with_result(ResultType::Int),
    Function::of_floats("math.fmod", |a, b| a % b),
    Function::new("math.frexp", 1, 1, Values(|m, a, _| m.fraction_and_exponent(a[0]))),
    Function::new("math.fsum", 1, 1, Values(|m, a, _| m.exact_sum(a[0]))),
    Function::unary("math.gamma", |m, a, _| m.gamma_function(a[0], false)),
    Function::new("math.gcd", 0, usize::MAX, Values(|m, a, _| m.greatest_common_divisor(a))),
    Function::new("math.hypot", 0, usize::MAX, Floats(euclidean_norm))
        .with_range(0.0, f64::INFINITY)
        .with_fast(FastForm::Hypot),
    Function::new("math.isclose", 2, 2, Values(Machine::is_close)).with_keywords(),
    Function::new("math.isfinite", 1, 1, Predicate(f64::is_finite)),
    Function::new("math.isinf", 1, 1, Predicate(f64::is_infinite)),
    Function::new("math.isnan", 1, 1, Predicate(f64::is_nan)),
    Function::new("math.isqrt", 1, 1, Values(|m, a, _| m.integer_root(a[0]))),
    Function::new("math.lcm", 0, usize::MAX, Values(|m, a, _| m.least_common_multiple(a))),
    Function::new("math.ldexp", 2, 2, Values(|m, a, _| m.load_exponent(a))),
    Function::unary("math.lgamma", |m, a, _| m.gamma_function(a[0], true)),
    Function::new("math.log", 1, 2, Values(|m, a, _| m.logarithm(f64::ln, a))),
    Function::new("math.log10", 1, 1, Values(|m, a, _| m.logarithm(f64::log10, a))),
    Function::of_float("math.log1p", |x| if x <= -1.0 { f64::NAN } else { x.ln_1p() }),
    Function::new("math.log2", 1, 1, Values(|m, a, _| m.logarithm(f64::log2, a))),
    Function::new("math.modf", 1, 1, Values(|m, a, _| m.fraction_and_whole(a[0]))),
    Function::of_floats("math.nextafter", next_after),
    Function::new("math.perm", 1, 2, Values(|m, a, _| m.permutations(a))),
    Function::of_floats("math.pow", power),
    Function::new("math.prod", 1, 1, Values(|m, a, named| m.product(a[0], named))).with_keywords(),
    Function::of_float("math.radians", |x| x * RADIANS).with_fast(FastForm::Factor(RADIANS)),
    Function::of_floats("math.remainder", remainder),
    float!("math.sin", sin).with_range(-1.0, 1.0),
    Function::of_float("math.sinh", f64::sinh),
    Function::of_float("math.sqrt", f64::sqrt).with_range(0.0, f64::INFINITY).with_fast(FastForm::Sqrt),
    Function::of_float("math.tan", f64::tan),
    float!("math.tanh", tanh).with_range(-1.0, 1.0),
    Function::new("math.trunc", 1, 1, Values(|m, a, _| m.truncate(a[0]))),
    Function::new(
        "math.ulp",
        1,
        1,
        Values(|m, a, _| m.float_argument(a[0]).map(|x| Value::Float(unit_in_last_place(x)))),
    ),
];

impl Machine {
    /// Rounds a number to an integer, with the special method if its class defines it.
    fn round_to_int(&mut self, argument: Value, method: &str, round: fn(f64) -> f64) -> ExecResult {
        if let Some(result) = self.round_without_float(argument, method)? {
            return Ok(result);
        }
        let number = self.float_argument(argument)?;
        self.truncate_float(round(number))
    }

    fn truncate(&mut self, argument: Value) -> ExecResult {
        if let Some(result) = self.round_without_float(argument, "__trunc__")? {
            return Ok(result);
        }
        if self.as_number(argument).is_none() {
            let message = format!("type {} doesn't define __trunc__ method", self.class_name(argument));
            return Err(self.type_error(&message));
        }
        let number = self.float_argument(argument)?;
        self.truncate_float(number)
    }

    /// Rounds a number with the special method of its class, or an integer; `None` for other numbers.
    fn round_without_float(&mut self, argument: Value, method: &str) -> ExecResult<Option<Value>> {
        if let Some(method) = self.special_method(argument, method) {
            return self.call_value(method, &[], &[]).map(Some);
        }
        if matches!(self.as_number(argument), Some(Number::Int(_) | Number::Big(_))) {
            return self.as_int(self.base_value(argument)).map(Some);
        }
        Ok(None)
    }

    /// Computes a logarithm; integers may be of any size.
    fn logarithm(&mut self, logarithm: fn(f64) -> f64, arguments: &[Value]) -> ExecResult {
        let mut results = Vec::with_capacity(2);
        for &argument in arguments {
            let number = match self.as_number(argument) {
                Some(Number::Big(number)) if number > num_bigint::BigInt::ZERO => {
                    // An integer beyond the float range is split into its leading 64 bits and a power of two.
                    let shift = number.bits().saturating_sub(64);
                    let fraction = self.number_to_float(&Number::Big(&number >> shift))?;
                    let float = self.number_to_float(&Number::Big(number.clone()));
                    results.push(if let Ok(float) = float {
                        logarithm(float)
                    } else {
                        let (fraction, exponent) = integer::frexp(fraction);
                        logarithm(fraction) + logarithm(2.0) * (exponent as f64 + shift as f64)
                    });
                    continue;
                }
                Some(Number::Big(_)) => return Err(self.domain_error()),
                // Integers use their own value, even if their class defines `__float__`.
                Some(whole @ Number::Int(_)) => self.number_to_float(&whole)?,
                _ => self.float_argument(argument)?,
            };
            if number <= 0.0 {
                return Err(self.domain_error());
            }
            results.push(logarithm(number));
        }
        match *results.as_slice() {
            [number, base] => {
                self.binary(crate::operators::BinaryOperator::Div, Value::Float(number), Value::Float(base))
            }
            [number] => Ok(Value::Float(number)),
            _ => Ok(Value::None),
        }
    }

    /// Converts an argument of a function on floats.
    pub(super) fn float_argument(&mut self, value: Value) -> ExecResult<f64> {
        self.charge(cost::OPERATION)?;
        // Instances of float subclasses keep their value, while other numbers use `__float__` if they define it.
        if let Some(number) = self.as_number(value)
            && (matches!(number, Number::Float(_)) || self.special_method(value, "__float__").is_none())
        {
            return self.number_to_float(&number);
        }
        for method in ["__float__", "__index__"] {
            if let Some(method) = self.special_method(value, method) {
                let number = self.call_value(method, &[], &[])?;
                return self.as_float(number);
            }
        }
        let message = format!("must be real number, not {}", self.class_name(value));
        Err(self.type_error(&message))
    }
}

/// Computes the inverse hyperbolic tangent; NaN where CPython raises an exception.
fn inverse_hyperbolic_tangent(number: f64) -> f64 {
    if number.abs() >= 1.0 { f64::NAN } else { number.atanh() }
}

/// Computes a power; NaN where CPython raises an exception.
fn power(base: f64, exponent: f64) -> f64 {
    if base == 0.0 && exponent < 0.0 && exponent.is_finite() { f64::NAN } else { base.powf(exponent) }
}

/// Computes the IEEE 754 remainder: the distance from the nearest multiple of `by`, ties to the even multiple.
fn remainder(number: f64, by: f64) -> f64 {
    if number.is_nan() || by.is_nan() || number.is_infinite() || by == 0.0 {
        return f64::NAN;
    }
    if by.is_infinite() {
        return number;
    }
    let (size, by) = (number.abs(), by.abs());
    let rest = size % by;
    let other = by - rest;
    let nearest = if rest < other {
        rest
    } else if rest > other {
        -other
    } else {
        rest - 2.0 * ((0.5 * (size - rest)) % by)
    };
    1f64.copysign(number) * nearest
}

/// Computes the distance to the next float away from zero, or, for the largest float, to the next one towards zero.
fn unit_in_last_place(number: f64) -> f64 {
    let size = number.abs();
    match size.next_up() {
        _ if !size.is_finite() => size,
        f64::INFINITY => size - size.next_down(),
        next => next - size,
    }
}

pub(super) fn next_after(from: f64, to: f64) -> f64 {
    if from.is_nan() || to.is_nan() {
        return f64::NAN;
    }
    match from.partial_cmp(&to) {
        Some(std::cmp::Ordering::Less) => from.next_up(),
        Some(std::cmp::Ordering::Greater) => from.next_down(),
        _ => to,
    }
}
