//! Functions of `math`.

use super::Machine;
use super::builtins::Builtin;
use super::exceptions::{ExceptionKind, Fault, Outcome};
use super::numbers::Number;
use super::value::Value;

/// Declares functions of `math` on floats.
macro_rules! math {
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

        /// Everything that `math` has.
        pub(crate) const MATH_NAMES: &[&str] = &["pi", "e", "tau", "inf", "nan", $($name,)*];
    };
}

math! {
    "acos" => Acos,
    "asin" => Asin,
    "atan" => Atan,
    "atan2" => Atan2,
    "ceil" => Ceil,
    "copysign" => Copysign,
    "cos" => Cos,
    "degrees" => Degrees,
    "exp" => Exp,
    "fabs" => Fabs,
    "floor" => Floor,
    "fmod" => Fmod,
    "hypot" => Hypot,
    "isclose" => Isclose,
    "isfinite" => Isfinite,
    "isinf" => Isinf,
    "isnan" => Isnan,
    "log" => Log,
    "log10" => Log10,
    "log2" => Log2,
    "pow" => Pow,
    "radians" => Radians,
    "sin" => Sin,
    "sqrt" => Sqrt,
    "tan" => Tan,
    "tanh" => Tanh,
    "trunc" => Trunc,
}

/// A name of `math`.
pub(super) fn math(name: &str) -> Option<Value> {
    Some(match name {
        "pi" => Value::Float(std::f64::consts::PI),
        "e" => Value::Float(std::f64::consts::E),
        "tau" => Value::Float(std::f64::consts::TAU),
        "inf" => Value::Float(f64::INFINITY),
        "nan" => Value::Float(f64::NAN),
        _ => Value::Builtin(Builtin::Math(MathFunction::named(name)?)),
    })
}

impl Machine<'_> {
    pub(super) fn math(&mut self, function: MathFunction, arguments: &[Value]) -> Outcome {
        use MathFunction as F;
        let (least, most) = match function {
            F::Atan2 | F::Copysign | F::Fmod | F::Pow | F::Isclose => (2, 2),
            F::Log => (1, 2),
            F::Hypot => (0, usize::MAX),
            _ => (1, 1),
        };
        if most == 1 {
            self.one(&format!("math.{}", function.name()), arguments, &[])?;
        } else {
            self.between(function.name(), arguments.len(), least, most)?;
        }
        if matches!(function, F::Ceil | F::Floor | F::Trunc)
            && matches!(self.number(arguments[0]), Some(Number::Int(_) | Number::Big(_)))
        {
            return self.as_int(arguments[0]);
        }
        let mut numbers = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            numbers.push(self.real(argument)?);
        }
        let first = numbers.first().copied().unwrap_or_default();
        let second = numbers.get(1).copied().unwrap_or_default();
        let value = match function {
            F::Ceil => return self.truncated(first.ceil()),
            F::Floor => return self.truncated(first.floor()),
            F::Trunc => return self.truncated(first),
            F::Isnan => return Ok(Value::Bool(first.is_nan())),
            F::Isinf => return Ok(Value::Bool(first.is_infinite())),
            F::Isfinite => return Ok(Value::Bool(first.is_finite())),
            F::Isclose => {
                let tolerance = 1e-9 * first.abs().max(second.abs());
                let close = first == second || ((first - second).abs() <= tolerance && (first - second).is_finite());
                return Ok(Value::Bool(close));
            }
            F::Fabs => first.abs(),
            F::Copysign => first.copysign(second),
            F::Degrees => first * (180.0 / std::f64::consts::PI),
            F::Radians => first * (std::f64::consts::PI / 180.0),
            F::Hypot => numbers.iter().fold(0.0f64, |length, number| length.hypot(*number)),
            F::Sqrt => first.sqrt(),
            F::Exp => first.exp(),
            F::Log if numbers.len() == 2 => self.logarithm(first)? / self.logarithm(second)?,
            F::Log => return self.logarithm(first).map(Value::Float),
            F::Log2 if first > 0.0 => first.log2(),
            F::Log10 if first > 0.0 => first.log10(),
            F::Log2 | F::Log10 => return Err(self.domain()),
            F::Pow => first.powf(second),
            F::Fmod => first % second,
            F::Sin => first.sin(),
            F::Cos => first.cos(),
            F::Tan => first.tan(),
            F::Tanh => first.tanh(),
            F::Asin => first.asin(),
            F::Acos => first.acos(),
            F::Atan => first.atan(),
            F::Atan2 => first.atan2(second),
        };
        if value.is_nan() && numbers.iter().all(|number| !number.is_nan()) {
            return Err(self.domain());
        }
        if value.is_infinite() && numbers.iter().all(|number| number.is_finite()) {
            return Err(self.raise(ExceptionKind::OverflowError, "math range error"));
        }
        Ok(Value::Float(value))
    }

    fn logarithm(&mut self, number: f64) -> Outcome<f64> {
        if number <= 0.0 { Err(self.domain()) } else { Ok(number.ln()) }
    }

    fn domain(&mut self) -> Fault {
        self.raise(ExceptionKind::ValueError, "math domain error")
    }

    /// An argument of a function on floats.
    fn real(&mut self, value: Value) -> Outcome<f64> {
        if let Some(number) = self.number(value) {
            return self.float_of(&number);
        }
        let message = format!("must be real number, not {}", self.class_name(value));
        Err(self.type_error(&message))
    }
}
