//! Functions of `math`, except the error function, the gamma function and the cube root,
//! whose results differ between implementations.

mod integer;

pub(crate) use integer::euclidean_norm;

use super::builtins::Builtin;
use super::call::KeywordArguments;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::numbers::Number;
use super::value::Value;
use super::{Machine, cost};

/// Declares the functions of `math` by their names.
macro_rules! math_functions {
    ($($name:literal => $function:ident,)*) => {
        /// A function of `math`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum MathFunction {
            $($function,)*
        }

        impl MathFunction {
            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Self::$function => $name,)*
                }
            }

            fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$function),)*
                    _ => None,
                }
            }
        }

        /// The names that `math` exports.
        pub(crate) const MATH_NAMES: &[&str] = &["pi", "e", "tau", "inf", "nan", $($name,)*];
    };
}

math_functions! {
    "acos" => Acos,
    "acosh" => Acosh,
    "asin" => Asin,
    "asinh" => Asinh,
    "atan" => Atan,
    "atan2" => Atan2,
    "atanh" => Atanh,
    "ceil" => Ceil,
    "comb" => Comb,
    "copysign" => Copysign,
    "cos" => Cos,
    "cosh" => Cosh,
    "degrees" => Degrees,
    "dist" => Dist,
    "exp" => Exp,
    "exp2" => Exp2,
    "expm1" => Expm1,
    "fabs" => Fabs,
    "factorial" => Factorial,
    "floor" => Floor,
    "fmod" => Fmod,
    "frexp" => Frexp,
    "fsum" => Fsum,
    "gcd" => Gcd,
    "hypot" => Hypot,
    "isclose" => Isclose,
    "isfinite" => Isfinite,
    "isinf" => Isinf,
    "isnan" => Isnan,
    "isqrt" => Isqrt,
    "lcm" => Lcm,
    "ldexp" => Ldexp,
    "log" => Log,
    "log10" => Log10,
    "log1p" => Log1p,
    "log2" => Log2,
    "modf" => Modf,
    "nextafter" => Nextafter,
    "perm" => Perm,
    "pow" => Pow,
    "prod" => Prod,
    "radians" => Radians,
    "remainder" => Remainder,
    "sin" => Sin,
    "sinh" => Sinh,
    "sqrt" => Sqrt,
    "tan" => Tan,
    "tanh" => Tanh,
    "trunc" => Trunc,
    "ulp" => Ulp,
}

/// Returns the value of a name of `math`.
pub(super) fn math_member(name: &str) -> Option<Value> {
    Some(match name {
        "pi" => Value::Float(std::f64::consts::PI),
        "e" => Value::Float(std::f64::consts::E),
        "tau" => Value::Float(std::f64::consts::TAU),
        "inf" => Value::Float(f64::INFINITY),
        "nan" => Value::Float(f64::NAN),
        _ => Value::Builtin(Builtin::Math(MathFunction::named(name)?)),
    })
}

impl Machine {
    pub(super) fn call_math(
        &mut self,
        function: MathFunction,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        use MathFunction as F;
        if matches!(function, F::Prod | F::Fsum | F::Dist | F::Isclose) {
            return self.call_aggregate_math(function, arguments, named);
        }
        self.reject_keywords(&format!("math.{}", function.name()), named)?;
        let (min, max) = match function {
            F::Atan2 | F::Copysign | F::Fmod | F::Pow | F::Comb | F::Ldexp | F::Nextafter | F::Remainder => (2, 2),
            F::Log | F::Perm => (1, 2),
            F::Hypot | F::Gcd | F::Lcm => (0, usize::MAX),
            _ => (1, 1),
        };
        if max == 1 {
            self.single_argument(&format!("math.{}", function.name()), arguments, &[])?;
        } else {
            self.check_arity(function.name(), arguments.len(), min, max)?;
        }
        let rounding = match function {
            F::Ceil => "__ceil__",
            F::Floor => "__floor__",
            F::Trunc => "__trunc__",
            _ => "",
        };
        if !rounding.is_empty()
            && let Some(method) = self.special_method(arguments[0], rounding)
        {
            return self.call_value(method, &[], &[]);
        }
        if !rounding.is_empty() && matches!(self.as_number(arguments[0]), Some(Number::Int(_) | Number::Big(_))) {
            return self.as_int(self.base_value(arguments[0]));
        }
        if function == F::Trunc && self.as_number(arguments[0]).is_none() {
            let message = format!("type {} doesn't define __trunc__ method", self.class_name(arguments[0]));
            return Err(self.type_error(&message));
        }
        match function {
            F::Gcd | F::Lcm | F::Factorial | F::Isqrt | F::Comb | F::Perm => {
                self.call_integer_math(function, arguments)
            }
            F::Frexp | F::Modf | F::Ldexp => self.call_float_decomposition(function, arguments),
            F::Log | F::Log2 | F::Log10 => self.logarithm(function, arguments),
            _ => self.call_float_math(function, arguments),
        }
    }

    fn call_float_math(&mut self, function: MathFunction, arguments: &[Value]) -> ExecResult {
        use MathFunction as F;
        let mut numbers = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            numbers.push(self.float_argument(argument)?);
        }
        let first = numbers.first().copied().unwrap_or_default();
        let second = numbers.get(1).copied().unwrap_or_default();
        let value = match function {
            F::Ceil => return self.truncate_float(first.ceil()),
            F::Floor => return self.truncate_float(first.floor()),
            F::Trunc => return self.truncate_float(first),
            F::Isnan => return Ok(Value::Bool(first.is_nan())),
            F::Isinf => return Ok(Value::Bool(first.is_infinite())),
            F::Isfinite => return Ok(Value::Bool(first.is_finite())),
            F::Fabs => first.abs(),
            F::Copysign => first.copysign(second),
            F::Degrees => first * (180.0 / std::f64::consts::PI),
            F::Radians => first * (std::f64::consts::PI / 180.0),
            F::Hypot => integer::euclidean_norm(&numbers),
            F::Sqrt => first.sqrt(),
            F::Exp => first.exp(),
            F::Pow if first == 0.0 && second < 0.0 && second.is_finite() => return Err(self.domain_error()),
            F::Pow => first.powf(second),
            F::Fmod => first % second,
            F::Remainder => remainder(first, second),
            F::Nextafter => next_after(first, second),
            F::Ulp => return Ok(Value::Float(next_after(first.abs(), f64::INFINITY) - first.abs())),
            F::Exp2 => first.exp2(),
            F::Expm1 => first.exp_m1(),
            F::Log1p if first <= -1.0 => return Err(self.domain_error()),
            F::Log1p => first.ln_1p(),
            F::Sinh => first.sinh(),
            F::Cosh => first.cosh(),
            F::Asinh => first.asinh(),
            F::Acosh => first.acosh(),
            F::Atanh if first.abs() >= 1.0 => return Err(self.domain_error()),
            F::Atanh => first.atanh(),
            F::Sin => first.sin(),
            F::Cos => first.cos(),
            F::Tan => first.tan(),
            F::Tanh => first.tanh(),
            F::Asin => first.asin(),
            F::Acos => first.acos(),
            F::Atan => first.atan(),
            F::Atan2 => first.atan2(second),
            _ => unreachable!("the others were computed before"),
        };
        if value.is_nan() && numbers.iter().all(|number| !number.is_nan()) {
            return Err(self.domain_error());
        }
        if value.is_infinite() && numbers.iter().all(|number| number.is_finite()) {
            return Err(self.raise(ExceptionKind::OverflowError, "math range error"));
        }
        Ok(Value::Float(value))
    }

    /// Computes a logarithm; integers may be of any size.
    fn logarithm(&mut self, function: MathFunction, arguments: &[Value]) -> ExecResult {
        let logarithm = match function {
            MathFunction::Log => f64::ln,
            MathFunction::Log2 => f64::log2,
            _ => f64::log10,
        };
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
            [number, base] => self.binary(ruff_python_ast::Operator::Div, Value::Float(number), Value::Float(base)),
            [number] => Ok(Value::Float(number)),
            _ => Ok(Value::None),
        }
    }

    fn domain_error(&mut self) -> ExecError {
        self.raise(ExceptionKind::ValueError, "math domain error")
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

fn next_after(from: f64, to: f64) -> f64 {
    if from.is_nan() || to.is_nan() {
        return f64::NAN;
    }
    match from.partial_cmp(&to) {
        Some(std::cmp::Ordering::Less) => from.next_up(),
        Some(std::cmp::Ordering::Greater) => from.next_down(),
        _ => to,
    }
}
