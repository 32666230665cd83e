//! Built-in functions that compute or convert numbers, among them `round`, `pow` and `format`.

use num_bigint::{BigInt, Sign};

use super::Machine;
use super::exceptions::{ExceptionKind, ExecResult};
use super::numbers::Number;
use super::numpy::Scalar;
use super::parameters::BoundArguments;
use super::value::{HeapObject, Value};
use crate::operators::BinaryOperator;

/// The number of decimals from which on `round` returns a float unchanged (`NDIGITS_MAX` in CPython).
const NDIGITS_MAX: i64 = 323;
/// The largest number of integer digits that `round` can clear; beyond it, the result is zero (`NDIGITS_MIN` in CPython).
const MAX_CLEARED_DIGITS: i64 = 308;

impl Machine {
    pub(super) fn round(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let (value, digits) = (bound.required(0), bound.given(1));
        if let Some(method) = self.special_method(value, "__round__") {
            return match digits {
                Some(digits) => self.call_value(method, &[digits], &[]),
                None => self.call_value(method, &[], &[]),
            };
        }
        let Some(number) = self.as_number(value) else {
            let message = format!("type {} doesn't define __round__ method", self.class_name(value));
            return Err(self.type_error(&message));
        };
        let Some(digits) = digits else {
            return match number {
                Number::Float(number) => self.truncate_float(number.round_ties_even()),
                _ => self.as_int(value),
            };
        };
        let digits = self.as_index(digits)?;
        match (value, number) {
            (Value::Numpy(scalar), _) => Ok(round_numpy(scalar.get(), digits).into()),
            (_, Number::Float(number)) => match round_float(number, digits) {
                Some(rounded) => Ok(Value::Float(rounded)),
                None => Err(self.raise(ExceptionKind::OverflowError, "rounded value too large to represent")),
            },
            (_, number) => match number.to_big_int() {
                Some(big) if digits < 0 => {
                    self.charge_product(&big, &big)?;
                    Ok(self.new_int(round_int(&big, digits)))
                }
                _ => self.as_int(value),
            },
        }
    }

    pub(super) fn divmod(&mut self, left: Value, right: Value) -> ExecResult {
        for (one, other, method) in [(left, right, "__divmod__"), (right, left, "__rdivmod__")] {
            if let Some(method) = self.special_method(one, method) {
                let value = self.call_value(method, &[other], &[])?;
                if !matches!(value, Value::NotImplemented) {
                    return Ok(value);
                }
            }
        }
        let computes = |machine: &Self, value| machine.as_number(value).is_some() || machine.is_numpy(value);
        if !computes(self, left) || !computes(self, right) {
            let (left, right) = (self.class_name(left), self.class_name(right));
            let message = format!("unsupported operand type(s) for divmod(): '{left}' and '{right}'");
            return Err(self.type_error(&message));
        }
        let is_float = |machine: &Self, value| matches!(machine.as_number(value), Some(Number::Float(_)));
        if (is_float(self, left) || is_float(self, right))
            && !self.is_numpy(left)
            && !self.is_numpy(right)
            && !self.truth(right)?
        {
            return Err(self.raise(ExceptionKind::ZeroDivisionError, "float divmod()"));
        }
        let quotient = self.binary(BinaryOperator::FloorDiv, left, right)?;
        let rest = self.binary(BinaryOperator::Mod, left, right)?;
        Ok(self.heap.tuple([quotient, rest]))
    }

    /// Evaluates `pow(base, exp)`, and `pow(base, exp, mod)` for integers.
    pub(super) fn pow(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let (base, exponent) = (bound.required(0), bound.required(1));
        let Some(modulus) = bound.given(2) else {
            return self.binary(BinaryOperator::Pow, base, exponent);
        };
        if let Some(method) = self.special_method(base, "__pow__") {
            return self.call_value(method, &[exponent, modulus], &[]);
        }
        let values = [base, exponent, modulus];
        let numbers = values.map(|value| self.as_number(value));
        let whole = numbers.each_ref().map(|number| number.as_ref().and_then(Number::to_big_int));
        let [Some(base), Some(exponent), Some(modulus)] = whole else {
            let message = if numbers.iter().all(Option::is_some) {
                "pow() 3rd argument not allowed unless all arguments are integers".to_owned()
            } else {
                let classes = values.map(|value| self.class_name(value));
                let [base, exponent, modulus] = classes;
                format!("unsupported operand type(s) for ** or pow(): '{base}', '{exponent}', '{modulus}'")
            };
            return Err(self.type_error(&message));
        };
        if modulus.sign() == Sign::NoSign {
            return Err(self.raise(ExceptionKind::ValueError, "pow() 3rd argument cannot be 0"));
        }
        // Every bit of the exponent costs a product and a remainder.
        let digits = modulus.bits() / 64 + 1;
        self.charge(exponent.bits().saturating_mul(digits * digits + 1) / 2)?;
        let inverse = (exponent.sign() == Sign::Minus).then(|| base.modinv(&modulus));
        match inverse {
            Some(None) => Err(self.raise(ExceptionKind::ValueError, "base is not invertible for the given modulus")),
            Some(Some(inverse)) => Ok(self.new_int(inverse.modpow(&-exponent, &modulus))),
            None => Ok(self.new_int(base.modpow(&exponent, &modulus))),
        }
    }

    pub(super) fn ascii(&mut self, value: Value) -> ExecResult {
        let text = super::text::ascii(&self.repr(value)?);
        Ok(self.heap.text(&text))
    }

    pub(super) fn representation(&mut self, value: Value) -> ExecResult {
        let text = self.repr(value)?;
        Ok(self.heap.text(&text))
    }

    /// Implements `chr`.
    pub(super) fn character(&mut self, value: Value) -> ExecResult {
        let whole = match value {
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::BigInt(_)) => i64::MAX,
            _ => self.as_index(value)?,
        };
        let Ok(number) = i32::try_from(whole) else {
            let message = "Python int too large to convert to C int";
            return Err(self.raise(ExceptionKind::OverflowError, message));
        };
        let Some(number) = u32::try_from(number).ok().filter(|&number| number < 0x11_0000) else {
            return Err(self.raise(ExceptionKind::ValueError, "chr() arg not in range(0x110000)"));
        };
        match char::from_u32(number) {
            Some(character) => Ok(self.heap.text(character.encode_utf8(&mut [0; 4]))),
            None => Err(self.raise(ExceptionKind::ValueError, "surrogates are not supported")),
        }
    }

    /// Implements `bin`, `oct` and `hex`.
    pub(super) fn digits(&mut self, value: Value, prefix: &str, radix: u32) -> ExecResult {
        let whole = match self.as_number(value) {
            Some(number @ (Number::Int(_) | Number::Big(_))) => number.to_big_int().unwrap_or_default(),
            _ => self.as_index(value)?.into(),
        };
        let sign = if whole.sign() == Sign::Minus { "-" } else { "" };
        self.reserve_values(whole.bits() as usize / size_of::<Value>())?;
        let text = format!("{sign}{prefix}{}", whole.magnitude().to_str_radix(radix));
        Ok(self.heap.text(&text))
    }

    pub(super) fn ord(&mut self, value: Value) -> ExecResult {
        let message = if let Some(text) = self.as_text(value) {
            let mut characters = text.chars();
            if let (Some(one), None) = (characters.next(), characters.next()) {
                return Ok(Value::Int(u32::from(one).into()));
            }
            format!("ord() expected a character, but string of length {} found", text.chars().count())
        } else if let Some(bytes) = self.as_bytes(value) {
            if let [byte] = *bytes {
                return Ok(Value::Int(byte.into()));
            }
            format!("ord() expected a character, but string of length {} found", bytes.len())
        } else {
            format!("ord() expected string of length 1, but {} found", self.class_name(value))
        };
        Err(self.type_error(&message))
    }

    /// Returns a float as a fraction in lowest terms.
    pub(super) fn float_ratio(&mut self, number: f64) -> ExecResult {
        if number.is_nan() {
            return Err(self.raise(ExceptionKind::ValueError, "cannot convert NaN to integer ratio"));
        }
        if number.is_infinite() {
            return Err(self.raise(ExceptionKind::OverflowError, "cannot convert Infinity to integer ratio"));
        }
        let (whole, power) = decompose_float(number.abs());
        let zeros = if whole == 0 { 0 } else { whole.trailing_zeros() };
        let (whole, power) = (BigInt::from(whole >> zeros), if whole == 0 { 0 } else { power + i64::from(zeros) });
        let whole = if number < 0.0 { -whole } else { whole };
        let (above, below) = if power < 0 {
            (whole, BigInt::from(1) << power.unsigned_abs())
        } else {
            (whole << power.unsigned_abs(), BigInt::from(1))
        };
        let fraction = [self.new_int(above), self.new_int(below)];
        Ok(self.heap.tuple(fraction))
    }

    /// Evaluates `format(value, spec)`.
    pub(super) fn format_by_text(&mut self, value: Value, spec: Option<Value>) -> ExecResult {
        let spec = match spec {
            None => "".into(),
            Some(spec) => {
                if let Some(text) = self.as_text(spec) {
                    text
                } else {
                    let message = format!("format() argument 2 must be str, not {}", self.class_name(spec));
                    return Err(self.type_error(&message));
                }
            }
        };
        let text = self.format(value, &spec)?;
        Ok(self.heap.text(&text))
    }

    /// Evaluates `iter(values)` and `iter(function, sentinel)`.
    pub(super) fn iterator_over(&mut self, arguments: &[Value]) -> ExecResult {
        match *arguments {
            [function, last] if self.is_callable(function) => {
                Ok(self.new_iterator(super::iterators::IteratorState::CallableSentinel(function, last)))
            }
            [values] => self.iterator(values),
            _ => Err(self.type_error("iter(v, w): v must be callable")),
        }
    }
}

/// Splits a nonnegative float into an integer mantissa and an exponent of two.
pub(super) fn decompose_float(number: f64) -> (u64, i64) {
    let bits = number.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i64);
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) }
}

/// Returns the result of `float.hex`.
pub(super) fn hexadecimal(number: f64) -> String {
    if !number.is_finite() {
        return super::text::float_repr(number);
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number == 0.0 {
        return format!("{sign}0x0.0p+0");
    }
    let (whole, power) = decompose_float(number.abs());
    format!("{sign}0x{}.{:013x}p{:+}", whole >> 52, whole & ((1 << 52) - 1), power + 52)
}

/// Rounds a `numpy` number: scales, rounds and scales back.
pub(super) fn round_numpy(scalar: Scalar, digits: i64) -> Scalar {
    let scale = 10f64.powi(digits.unsigned_abs().min(308) as i32);
    match scalar {
        Scalar::Float(_) | Scalar::Float32(_) => {
            let number = scalar.to_f64();
            let rounded = match digits {
                0 => number.round_ties_even(),
                1.. => (number * scale).round_ties_even() / scale,
                _ => (number / scale).round_ties_even() * scale,
            };
            Scalar::from_f64(rounded, scalar.dtype())
        }
        Scalar::Int(number) if digits < 0 => {
            Scalar::Int(i64::try_from(round_int(&number.into(), digits)).unwrap_or_default())
        }
        Scalar::Sized(..) if digits < 0 => {
            let rounded = i64::try_from(round_int(&scalar.to_i128().into(), digits)).unwrap_or_default();
            Scalar::Int(rounded).cast(scalar.dtype())
        }
        _ => scalar,
    }
}

/// Rounds the exact value of a float to a number of decimals, ties to even; `None` if the result overflows.
pub(crate) fn round_float(number: f64, digits: i64) -> Option<f64> {
    if !number.is_finite() || digits > NDIGITS_MAX {
        return Some(number);
    }
    if digits >= 0 {
        // Formatting rounds the exact value, ties to even.
        return format!("{number:.*}", digits as usize).parse().ok();
    }
    if digits < -MAX_CLEARED_DIGITS {
        return Some(0.0f64.copysign(number));
    }
    let whole = BigInt::parse_bytes(format!("{:.0}", number.trunc()).as_bytes(), 10)?;
    // The fractional part breaks ties.
    let doubled = (whole * 2u32) + BigInt::from(i8::from(number.fract() > 0.0) - i8::from(number.fract() < 0.0));
    let scale = BigInt::from(10u32).pow(digits.unsigned_abs() as u32);
    let value: f64 = nearest_multiple(&doubled, &(&scale * 2u32), &scale).to_string().parse().ok()?;
    value.is_finite().then_some(value.copysign(number))
}

/// Rounds an integer to a multiple of `10^-digits` (`digits` is negative), ties to even.
fn round_int(number: &BigInt, digits: i64) -> BigInt {
    // A decimal digit has more than three bits.
    let zeros = digits.unsigned_abs();
    if zeros > number.bits() / 3 + 1 {
        return BigInt::ZERO;
    }
    let scale = BigInt::from(10u32).pow(zeros as u32);
    nearest_multiple(number, &scale, &scale)
}

/// Returns the multiple of `scale` nearest to `scale * number / parts`, ties to even.
fn nearest_multiple(number: &BigInt, parts: &BigInt, scale: &BigInt) -> BigInt {
    let (quotient, rest) = super::operators::floor_division(number, parts);
    let up = match (&rest * 2u32).cmp(parts) {
        std::cmp::Ordering::Equal => quotient.bit(0),
        order => order.is_gt(),
    };
    (quotient + u32::from(up)) * scale
}
