//! Integers of arbitrary size, floats, and conversions between them.

use num_bigint::{BigInt, Sign};

use super::Machine;
use super::exceptions::{ExceptionKind, ExecResult};
use super::numpy::Scalar;
use super::text::{DIGIT_LIMIT_HINT, MAX_STR_DIGITS};
use super::value::{HeapObject, Value};

/// An operand of arithmetic.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Number {
    Int(i64),
    Big(BigInt),
    Float(f64),
}

impl Number {
    pub(super) fn to_big_int(&self) -> Option<BigInt> {
        match self {
            Self::Int(number) => Some((*number).into()),
            Self::Big(number) => Some(number.clone()),
            Self::Float(_) => None,
        }
    }

    /// Returns whether the operators of this number's type accept the other operand: integers do not accept floats.
    pub(super) fn is_compatible_with(&self, other: &Self) -> bool {
        matches!(self, Self::Float(_)) || !matches!(other, Self::Float(_))
    }
}

/// Bits per digit of a big integer, the unit in which its arithmetic is charged.
const BITS_PER_DIGIT: u64 = 64;

impl Machine {
    /// Returns the number of a numeric value; booleans, numpy scalars and instances of numeric subclasses count.
    pub(super) fn as_number(&self, value: Value) -> Option<Number> {
        match value {
            Value::Bool(truth) => Some(Number::Int(truth.into())),
            Value::Int(number) => Some(Number::Int(number)),
            Value::Float(number) => Some(Number::Float(number)),
            Value::Numpy(scalar) => Some(match scalar.get() {
                Scalar::Bool(truth) => Number::Int(truth.into()),
                scalar @ Scalar::Sized(..) => match i64::try_from(scalar.to_i128()) {
                    Ok(number) => Number::Int(number),
                    Err(_) => Number::Big(scalar.to_i128().into()),
                },
                Scalar::Int(number) => Number::Int(number),
                scalar @ (Scalar::Float(_) | Scalar::Float32(_)) => Number::Float(scalar.to_f64()),
            }),
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::BigInt(number) => Some(Number::Big(number.clone())),
                HeapObject::Instance { base_value: Some(base), .. } => self.as_number(*base),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the built-in value of an instance whose class derives from a built-in type, and any other value unchanged.
    pub(super) fn base_value(&self, value: Value) -> Value {
        if let Value::Ref(at) = value
            && let HeapObject::Instance { base_value: Some(base), .. } = self.heap.get(at)
        {
            return *base;
        }
        value
    }

    /// Returns the number in an array of size 1; `None` if the value is not an array.
    fn single_array_element(&mut self, value: Value) -> ExecResult<Option<Value>> {
        let Some(array) = self.array(value) else { return Ok(None) };
        if array.size() != 1 {
            return Err(self.type_error("only length-1 arrays can be converted to Python scalars"));
        }
        self.array_element(value, &[]).map(Some)
    }

    /// Converts an integer to a value, in the smallest representation that holds it.
    pub(super) fn new_int(&mut self, number: BigInt) -> Value {
        match i64::try_from(&number) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::Ref(self.heap.add(HeapObject::BigInt(number))),
        }
    }

    /// Converts a number to the nearest float, ties to even.
    pub(super) fn number_to_float(&mut self, number: &Number) -> ExecResult<f64> {
        match number {
            Number::Int(number) => Ok(*number as f64),
            Number::Float(number) => Ok(*number),
            Number::Big(number) => {
                self.charge_big_int(number)?;
                let float = nearest_float(number);
                if float.is_infinite() {
                    return Err(self.raise(ExceptionKind::OverflowError, "int too large to convert to float"));
                }
                Ok(float)
            }
        }
    }

    /// Charges the budget for one pass over the digits of an integer.
    pub(super) fn charge_big_int(&mut self, number: &BigInt) -> ExecResult<()> {
        self.charge(number.bits() / BITS_PER_DIGIT)
    }

    /// Charges the budget for writing an integer of a number of bits with decimal digits.
    pub(super) fn charge_digits(&mut self, bits: u64) -> ExecResult<()> {
        let digits = bits / BITS_PER_DIGIT;
        self.charge(digits + digits.saturating_mul(digits) / 4)
    }

    /// Charges the budget for multiplying two integers digit by digit.
    pub(super) fn charge_product(&mut self, one: &BigInt, two: &BigInt) -> ExecResult<()> {
        self.charge((one.bits() / BITS_PER_DIGIT).saturating_mul(two.bits() / BITS_PER_DIGIT) / 4)
    }

    /// Returns the result of `float(value)`.
    pub(super) fn as_float(&mut self, value: Value) -> ExecResult<f64> {
        if let Some(method) = self.special_method(value, "__float__") {
            let result = self.call_value(method, &[], &[])?;
            if let Some(Number::Float(number)) = self.as_number(result) {
                return Ok(number);
            }
            let (owner, class) = (self.class_name(value), self.class_name(result));
            return Err(self.type_error(&format!("{owner}.__float__ returned non-float (type {class})")));
        }
        if let Some(number) = self.as_number(value) {
            return self.number_to_float(&number);
        }
        if let Some(only) = self.single_array_element(value)? {
            return self.as_float(only);
        }
        if let Some(text) = self.as_digits(value) {
            return if let Some(number) = super::text::parse_float(&text) {
                Ok(number)
            } else {
                let repr = self.repr(value)?;
                let message = format!("could not convert string to float: {repr}");
                Err(self.raise(ExceptionKind::ValueError, &message))
            };
        }
        if let Some(method) = self.special_method(value, "__index__") {
            let number = self.call_integer_conversion(method, "__index__")?;
            return self.number_to_float(&number);
        }
        let message = format!("float() argument must be a string or a real number, not '{}'", self.class_name(value));
        Err(self.type_error(&message))
    }

    /// Returns the result of `int(value)`.
    pub(super) fn as_int(&mut self, value: Value) -> ExecResult {
        for name in ["__int__", "__index__"] {
            if let Some(method) = self.special_method(value, name) {
                return match self.call_integer_conversion(method, name)? {
                    Number::Big(number) => Ok(self.new_int(number)),
                    Number::Int(number) => Ok(Value::Int(number)),
                    Number::Float(number) => self.truncate_float(number),
                };
            }
            // Instances of `int` subclasses keep their value unless they define `__int__`.
            if matches!(self.as_number(value), Some(Number::Int(_) | Number::Big(_))) {
                break;
            }
        }
        match self.as_number(value) {
            Some(Number::Int(number)) => return Ok(Value::Int(number)),
            Some(Number::Big(_)) => return Ok(self.base_value(value)),
            Some(Number::Float(number)) => return self.truncate_float(number),
            None => {}
        }
        if let Some(method) = self.special_method(value, "__trunc__") {
            let number = self.call_value(method, &[], &[])?;
            return self.as_index(number).map(Value::Int);
        }
        if let Some(only) = self.single_array_element(value)? {
            return self.as_int(only);
        }
        if let Some(text) = self.as_digits(value) {
            return self.int_from_text(value, &text, 10);
        }
        let message = format!(
            "int() argument must be a string, a bytes-like object or a real number, not '{}'",
            self.class_name(value)
        );
        Err(self.type_error(&message))
    }

    /// Calls `__int__` or `__index__`; raises `TypeError` if the result is neither an integer nor a boolean.
    fn call_integer_conversion(&mut self, method: Value, name: &str) -> ExecResult<Number> {
        let result = self.call_value(method, &[], &[])?;
        if let Some(number @ (Number::Int(_) | Number::Big(_))) =
            self.as_number(result).filter(|_| !self.is_numpy(result))
        {
            return Ok(number);
        }
        let message = format!("{name} returned non-int (type {})", self.class_name(result));
        Err(self.type_error(&message))
    }

    /// Parses a text as an integer in the given base.
    pub(super) fn int_from_text(&mut self, value: Value, text: &str, base: u32) -> ExecResult {
        let digits = text.chars().filter(char::is_ascii_alphanumeric).count();
        if !base.is_power_of_two() && digits > MAX_STR_DIGITS {
            let message = format!(
                "Exceeds the limit ({MAX_STR_DIGITS} digits) for integer string conversion: value has {digits} digits; {DIGIT_LIMIT_HINT}"
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        self.charge_text(text.len())?;
        self.charge((digits as u64).saturating_mul(digits as u64) >> 14)?;
        if base.is_power_of_two() {
            self.charge_int_bits(digits as u64 * u64::from(base.ilog2()))?;
        }
        if let Some(number) = super::text::parse_int(text, base) {
            Ok(self.new_int(number))
        } else {
            let repr = self.repr(value)?;
            let message = format!("invalid literal for int() with base {base}: {repr}");
            Err(self.raise(ExceptionKind::ValueError, &message))
        }
    }

    /// Converts a float to an integer, truncating toward zero.
    pub(super) fn truncate_float(&mut self, number: f64) -> ExecResult {
        if number.is_nan() {
            return Err(self.raise(ExceptionKind::ValueError, "cannot convert float NaN to integer"));
        }
        if number.is_infinite() {
            return Err(self.raise(ExceptionKind::OverflowError, "cannot convert float infinity to integer"));
        }
        let whole = number.trunc();
        // Every integral float below 2^63 in magnitude fits an `i64`.
        if whole.abs() < 9_223_372_036_854_775_808.0 {
            return Ok(Value::Int(whole as i64));
        }
        let big = BigInt::parse_bytes(format!("{whole:.0}").as_bytes(), 10).unwrap_or_default();
        Ok(self.new_int(big))
    }

    /// Converts a value to an index: an integer, or an object with `__index__`.
    pub(super) fn as_index(&mut self, value: Value) -> ExecResult<i64> {
        match value {
            Value::Int(number) => Ok(number),
            Value::Numpy(scalar) if let Scalar::Int(number) = scalar.get() => Ok(number),
            Value::Bool(truth) => Ok(truth.into()),
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::BigInt(_)) => {
                Err(self.raise(ExceptionKind::OverflowError, "Python int too large to convert to C ssize_t"))
            }
            _ => match self.as_integer(value)? {
                Some(Number::Int(number)) => Ok(number),
                Some(_) => {
                    let message = format!("cannot fit '{}' into an index-sized integer", self.class_name(value));
                    Err(self.raise(ExceptionKind::IndexError, &message))
                }
                None => {
                    let message = format!("'{}' object cannot be interpreted as an integer", self.class_name(value));
                    Err(self.type_error(&message))
                }
            },
        }
    }

    /// Returns the integer that a value is or that its `__index__` returns; `None` if it is neither.
    pub(super) fn as_integer(&mut self, value: Value) -> ExecResult<Option<Number>> {
        match self.as_number(value) {
            Some(Number::Float(_)) | None => {}
            _ if matches!(value, Value::Numpy(scalar) if matches!(scalar.get(), Scalar::Bool(_))) => {}
            whole => return Ok(whole),
        }
        match self.special_method(value, "__index__") {
            Some(method) => self.call_integer_conversion(method, "__index__").map(Some),
            None => Ok(None),
        }
    }

    /// Returns the truth value of a value, as `bool(value)` does.
    pub(super) fn truth(&mut self, value: Value) -> ExecResult<bool> {
        Ok(match value {
            Value::None => false,
            Value::Bool(truth) => truth,
            Value::Int(number) => number != 0,
            Value::Float(number) => number != 0.0,
            Value::Numpy(scalar) => scalar.get().to_bool(),
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Array(_) => return self.array_truth(value),
                HeapObject::Text(text) => !text.is_empty(),
                HeapObject::Bytes(bytes) => !bytes.is_empty(),
                HeapObject::List(values) => !values.is_empty(),
                HeapObject::Tuple(values) => !values.is_empty(),
                HeapObject::Dict(dict) | HeapObject::Set(dict) => dict.len() > 0,
                HeapObject::Deque(deque) => !deque.values.is_empty(),
                HeapObject::DictView(..) => return Ok(self.length(value)? > 0),
                HeapObject::Library(object) if object.is_mapping() => return Ok(self.length(value)? > 0),
                HeapObject::Range { .. } => self.range_length(at) > 0,
                HeapObject::Screen(_) => match self.quick_truth(value) {
                    Some(truth) => truth,
                    None => return self.screen_truth(value, at),
                },
                HeapObject::Instance { .. } | HeapObject::Exception(_) => return self.instance_truth(value),
                _ => true,
            },
            _ => true,
        })
    }

    fn instance_truth(&mut self, value: Value) -> ExecResult<bool> {
        if let Some(method) = self.special_method(value, "__bool__") {
            return match self.call_value(method, &[], &[])? {
                Value::Bool(truth) => Ok(truth),
                other => {
                    let message = format!("__bool__ should return bool, returned {}", self.class_name(other));
                    Err(self.type_error(&message))
                }
            };
        }
        if self.special_method(value, "__len__").is_some() {
            return Ok(self.length(value)? != 0);
        }
        match self.base_value(value) {
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Instance { .. } | HeapObject::Exception(_)) => {
                Ok(true)
            }
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Screen(_)) => self.screen_truth(value, at),
            base => self.truth(base),
        }
    }
}

/// Returns the float nearest to an integer, ties to even; infinity on overflow.
fn nearest_float(number: &BigInt) -> f64 {
    let magnitude = number.magnitude();
    // Finite floats have at most 1024 integer bits.
    if magnitude.bits() > 1024 {
        return if number.sign() == Sign::Minus { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let shift = magnitude.bits().saturating_sub(64);
    let first = (magnitude >> shift).iter_u64_digits().next().unwrap_or_default();
    // The bits below the first 64 affect rounding only by being zero or not (sticky bit).
    let rest = u64::from(magnitude.trailing_zeros().is_some_and(|zeros| zeros < shift));
    let float = (first | rest) as f64 * 2f64.powi(shift as i32);
    if number.sign() == Sign::Minus { -float } else { float }
}
