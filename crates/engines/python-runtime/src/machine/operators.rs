//! Arithmetic and bitwise operators: dispatch to the program's methods, numpy, numbers and sequences.

use num_bigint::BigInt;

use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::numbers::Number;
use super::quick_operators::{quick_binary, small_int_operator};
use super::value::{HeapObject, Value};
use super::{Machine, cost};
use crate::operators::{BinaryOperator, UnaryOperator};

/// The largest magnitude up to which every integer is exactly representable as a float.
pub(super) const MAX_EXACT_FLOAT_INT: u64 = 1 << 53;

/// The maximum size of an integer in bits. No reward needs more, and numbers of this size are still fast to compute with.
const MAX_INT_BITS: u64 = 1 << 20;

impl Machine {
    pub(super) fn unary(&mut self, operator: UnaryOperator, value: Value) -> ExecResult {
        if operator == UnaryOperator::Not {
            return Ok(Value::Bool(!self.truth(value)?));
        }
        if self.is_numpy(value)
            && let Some(result) = self.numpy_unary(operator, value)?
        {
            return Ok(result);
        }
        let (name, sign) = match operator {
            UnaryOperator::USub => ("__neg__", "-"),
            UnaryOperator::UAdd => ("__pos__", "+"),
            _ => ("__invert__", "~"),
        };
        if let Some(method) = self.special_method(value, name) {
            return self.call_value(method, &[], &[]);
        }
        let number = self.as_number(value);
        if let Some(Number::Big(number)) = &number {
            self.charge_big_int(number)?;
        }
        match (operator, number) {
            (UnaryOperator::USub, Some(Number::Int(number))) => match number.checked_neg() {
                Some(negative) => Ok(Value::Int(negative)),
                None => Ok(self.new_int(-BigInt::from(number))),
            },
            (UnaryOperator::USub, Some(Number::Big(number))) => Ok(self.new_int(-number)),
            (UnaryOperator::USub, Some(Number::Float(number))) => Ok(Value::Float(-number)),
            (UnaryOperator::UAdd, Some(Number::Int(number))) => Ok(Value::Int(number)),
            (UnaryOperator::UAdd, Some(_)) => Ok(self.base_value(value)),
            (UnaryOperator::Invert, Some(Number::Int(number))) => Ok(Value::Int(!number)),
            (UnaryOperator::Invert, Some(Number::Big(number))) => Ok(self.new_int(!number)),
            (UnaryOperator::UAdd | UnaryOperator::USub, None)
                if let Some(counter) = self.counter_unary(operator, value)? =>
            {
                Ok(counter)
            }
            _ => {
                let message = format!("bad operand type for unary {sign}: '{}'", self.class_name(value));
                Err(self.type_error(&message))
            }
        }
    }

    pub(super) fn binary(&mut self, operator: BinaryOperator, left: Value, right: Value) -> ExecResult {
        self.binary_operator(operator, left, right, false)
    }

    pub(super) fn binary_operator(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
        in_place: bool,
    ) -> ExecResult {
        self.charge(cost::OPERATION)?;
        if let Some(value) = quick_binary(operator, left, right) {
            return Ok(value);
        }
        if operator == BinaryOperator::Add
            && self.is_plain_sequence(left)
            && self.is_plain_sequence(right)
            && let Some(value) = self.concatenated(left, right)?
        {
            return Ok(value);
        }
        let originals = (left, right);
        if (self.is_numpy(left) || self.is_numpy(right))
            && let Some(value) = self.numpy_binary(operator, left, right)?
        {
            return Ok(value);
        }
        if self.is_program_instance(left) || self.is_program_instance(right) {
            match self.call_operator_methods(operator, left, right)? {
                Some(Value::NotImplemented) => return Err(self.unsupported_operands(operator, originals, in_place)),
                Some(value) => return Ok(value),
                None => {}
            }
        }
        let (left, right) = (self.base_value(left), self.base_value(right));
        if let (Some(one), Some(two)) = (self.as_number(left), self.as_number(right))
            && let Some(value) = self.number_operator(operator, &one, &two)?
        {
            return Ok(value);
        }
        if operator == BinaryOperator::BitOr
            && let Some(union) = self.new_union(left, right)?
        {
            return Ok(union);
        }
        // As in CPython, `*=` on a dict or set does not try to repeat a sequence on the right.
        let no_sequence = in_place
            && operator == BinaryOperator::Mult
            && matches!(left, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Dict(_) | HeapObject::Set(_)));
        if operator == BinaryOperator::Mod
            && matches!(left, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Bytes(_)))
        {
            return Err(self.type_error(
                "reward functions do not support the operator % of bytes: format a string, and \
                encode it",
            ));
        }
        if operator == BinaryOperator::Mod && self.as_text(left).is_some() {
            return self.printf(left, originals.1);
        }
        if !no_sequence && let Some(value) = self.sequence_operator(operator, left, right)? {
            return Ok(value);
        }
        Err(self.unsupported_operands(operator, originals, in_place))
    }

    fn unsupported_operands(
        &mut self,
        operator: BinaryOperator,
        (left, right): (Value, Value),
        in_place: bool,
    ) -> ExecError {
        let sign = match (operator, in_place) {
            (BinaryOperator::Pow, false) => "** or pow()".to_owned(),
            (_, true) => format!("{}=", operator_names(operator).sign),
            (_, false) => operator_names(operator).sign.to_owned(),
        };
        let (left, right) = (self.operand_class_name(left), self.operand_class_name(right));
        let message = format!("unsupported operand type(s) for {sign}: '{left}' and '{right}'");
        self.type_error(&message)
    }

    /// Returns the result of the program's methods for an operator; `None` if the built-in operator applies, and `NotImplemented` if none
    /// does.
    fn call_operator_methods(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
    ) -> ExecResult<Option<Value>> {
        let names = operator_names(operator);
        let is_reflected_first = self.overrides(right, left, names.reflected)?;
        let mut sides = [(left, right, names.method, false), (right, left, names.reflected, true)];
        if is_reflected_first {
            sides.reverse();
        }
        let is_same_class = self.is_same_class(left, right);
        for (one, other, method, is_right) in sides {
            if is_right && is_same_class {
                continue;
            }
            match self.special_method(one, method) {
                Some(method) => {
                    let value = self.call_value(method, &[other], &[])?;
                    if !matches!(value, Value::NotImplemented) {
                        return Ok(Some(value));
                    }
                }
                None if self.builtin_operator_applies(operator, left, right, is_right) => return Ok(None),
                None => {}
            }
        }
        if self.overrides_sequence_operator(operator, left, false)
            || self.overrides_sequence_operator(operator, right, true)
        {
            return Ok(Some(Value::NotImplemented));
        }
        let (left, right) = (self.base_value(left), self.base_value(right));
        Ok(Some(self.sequence_operator(operator, left, right)?.unwrap_or(Value::NotImplemented)))
    }

    /// Whether a class overrides the operator of its built-in base with sequences and sets. `+` depends on the left operand only, and `*`
    /// on the operand that is no number.
    fn overrides_sequence_operator(&mut self, operator: BinaryOperator, value: Value, is_right: bool) -> bool {
        let names = operator_names(operator);
        match operator {
            BinaryOperator::Add => !is_right && self.special_method(value, "__add__").is_some(),
            BinaryOperator::Mult if self.as_number(value).is_some() => false,
            BinaryOperator::Mult => {
                ["__mul__", "__rmul__"].into_iter().any(|name| self.special_method(value, name).is_some())
            }
            _ => self.special_method(value, if is_right { names.reflected } else { names.method }).is_some(),
        }
    }

    /// Returns the class name of an operand for messages. Scalars and arrays of numpy get the names of Python's numbers, which is what
    /// numpy computes with here.
    fn operand_class_name(&self, value: Value) -> std::sync::Arc<str> {
        let kind = match value {
            Value::Numpy(scalar) => Some(scalar.get().dtype()),
            _ => self.array(value).map(|array| array.dtype),
        };
        match kind {
            Some(kind) => ["bool", "int", "float"][usize::from(kind.category_rank())].into(),
            None => self.class_name(value),
        }
    }

    fn is_program_instance(&self, value: Value) -> bool {
        matches!(value, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Instance { .. } | HeapObject::Exception(_)))
    }

    /// Whether one operand is a built-in value, or has one as its base, whose operator accepts the other operand; the method of the other
    /// operand is not called then.
    fn builtin_operator_applies(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
        is_right: bool,
    ) -> bool {
        let (own, other) = if is_right { (right, left) } else { (left, right) };
        if let (Some(own), Some(other)) = (self.as_number(own), self.as_number(other)) {
            return own.is_compatible_with(&other) && supports_operator(&own, operator);
        }
        if operator == BinaryOperator::Mod && self.as_text(left).is_some() {
            return !is_right || self.as_text(right).is_some();
        }
        if self.sequence_operator_applies(operator, own, is_right) {
            return true;
        }
        let (Value::Ref(left), Value::Ref(right)) = (self.base_value(left), self.base_value(right)) else {
            return false;
        };
        match (self.heap.get(left), self.heap.get(right)) {
            (HeapObject::Dict(_), HeapObject::Dict(_)) => operator == BinaryOperator::BitOr,
            (HeapObject::Set(_), HeapObject::Set(_)) => {
                matches!(
                    operator,
                    BinaryOperator::BitOr | BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::Sub
                )
            }
            _ => false,
        }
    }

    /// Whether an operand is a sequence whose built-in operator applies before the method of the other operand: bytes are formatted, and a
    /// class that defines one of an operator's two methods inherits the other one from its base. Other sequences apply after both methods.
    fn sequence_operator_applies(&mut self, operator: BinaryOperator, own: Value, is_right: bool) -> bool {
        let Value::Ref(at) = self.base_value(own) else { return false };
        let is_bytes = matches!(self.heap.get(at), HeapObject::Bytes(_));
        if !is_bytes && !matches!(self.heap.get(at), HeapObject::Text(_) | HeapObject::List(_) | HeapObject::Tuple(_)) {
            return false;
        }
        match (operator, is_right) {
            (BinaryOperator::Mod, false) => is_bytes,
            (BinaryOperator::Add, false) => self.special_method(own, "__radd__").is_some(),
            (BinaryOperator::Mult, _) => {
                self.special_method(own, if is_right { "__mul__" } else { "__rmul__" }).is_some()
            }
            _ => false,
        }
    }

    /// Whether the class of `derived` derives from that of `base` and overrides its method.
    fn overrides(&mut self, derived: Value, base: Value, method: &str) -> ExecResult<bool> {
        let class = self.class_of(base);
        if !self.is_program_instance(derived) || !self.is_derived_class(self.class_of(derived), class)? {
            return Ok(false);
        }
        let symbol = self.intern(method);
        let field = |machine: &Self, class: Value| match class {
            Value::Ref(at) => machine.class_field(at, symbol),
            _ => None,
        };
        let (own, inherited) = (field(self, self.class_of(derived)), field(self, class));
        Ok(own.is_some_and(|own| inherited.is_none_or(|inherited| !super::compare::is_identical(own, inherited))))
    }

    pub(super) fn is_same_class(&self, left: Value, right: Value) -> bool {
        super::compare::is_identical(self.class_of(left), self.class_of(right))
    }

    /// Applies an operator to two numbers; `None` if they do not support it.
    fn number_operator(
        &mut self,
        operator: BinaryOperator,
        left: &Number,
        right: &Number,
    ) -> ExecResult<Option<Value>> {
        if let (Number::Int(left), Number::Int(right)) = (left, right)
            && let Some(value) = small_int_operator(operator, *left, *right)
        {
            return Ok(Some(Value::Int(value)));
        }
        if let (Some(left), Some(right)) = (left.to_big_int(), right.to_big_int())
            && operator != BinaryOperator::Div
        {
            return self.integer_operator(operator, &left, &right);
        }
        let is_whole = matches!((left, right), (Number::Int(_) | Number::Big(_), Number::Int(_) | Number::Big(_)));
        if is_whole {
            return self.true_division(left, right).map(Some);
        }
        let (left, right) = (self.number_to_float(left)?, self.number_to_float(right)?);
        self.float_operator(operator, left, right)
    }

    /// Divides two integers with a single rounding.
    fn true_division(&mut self, left: &Number, right: &Number) -> ExecResult {
        if matches!(right, Number::Int(0)) {
            return Err(self.raise(ExceptionKind::ZeroDivisionError, "division by zero"));
        }
        if let (Number::Int(left), Number::Int(right)) = (left, right)
            && left.unsigned_abs() <= MAX_EXACT_FLOAT_INT
            && right.unsigned_abs() <= MAX_EXACT_FLOAT_INT
        {
            return Ok(Value::Float(*left as f64 / *right as f64));
        }
        let (Some(left), Some(right)) = (left.to_big_int(), right.to_big_int()) else { return Ok(Value::None) };
        self.charge_big_int(&left)?;
        self.charge_big_int(&right)?;
        match rounded_quotient(&left, &right) {
            Some(quotient) => Ok(Value::Float(quotient)),
            None => Err(self.raise(ExceptionKind::OverflowError, "integer division result too large for a float")),
        }
    }

    fn integer_operator(
        &mut self,
        operator: BinaryOperator,
        left: &BigInt,
        right: &BigInt,
    ) -> ExecResult<Option<Value>> {
        let zero = BigInt::ZERO;
        self.charge_big_int(left)?;
        self.charge_big_int(right)?;
        let value = match operator {
            BinaryOperator::Add => {
                self.charge_int_bits(left.bits().max(right.bits()))?;
                left + right
            }
            BinaryOperator::Sub => {
                self.charge_int_bits(left.bits().max(right.bits()))?;
                left - right
            }
            BinaryOperator::Mult => {
                self.charge_int_bits(left.bits() + right.bits())?;
                left * right
            }
            BinaryOperator::FloorDiv | BinaryOperator::Mod if *right == zero => {
                let message = match operator {
                    BinaryOperator::Mod => "integer modulo by zero",
                    _ => "integer division or modulo by zero",
                };
                return Err(self.raise(ExceptionKind::ZeroDivisionError, message));
            }
            BinaryOperator::FloorDiv | BinaryOperator::Mod => {
                // Long division is quadratic: each digit of the divisor with each digit of the quotient.
                self.charge((left.bits() / 64) * (right.bits() / 64) / 4)?;
                let (quotient, rest) = floor_division(left, right);
                if operator == BinaryOperator::Mod { rest } else { quotient }
            }
            BinaryOperator::Pow => return self.power(left, right).map(Some),
            BinaryOperator::LShift | BinaryOperator::RShift => {
                if *right < zero {
                    return Err(self.raise(ExceptionKind::ValueError, "negative shift count"));
                }
                let places = u64::try_from(right).unwrap_or(u64::MAX);
                if operator == BinaryOperator::RShift {
                    if places > left.bits() {
                        if *left < zero { BigInt::from(-1) } else { zero }
                    } else {
                        left >> places
                    }
                } else {
                    if *left != zero {
                        self.charge_int_bits(left.bits().saturating_add(places))?;
                    }
                    if *left == zero { zero } else { left << places }
                }
            }
            BinaryOperator::BitAnd => left & right,
            BinaryOperator::BitOr => left | right,
            BinaryOperator::BitXor => left ^ right,
            BinaryOperator::Div | BinaryOperator::MatMult => return Ok(None),
        };
        Ok(Some(self.new_int(value)))
    }

    /// Pays for an integer of this size.
    ///
    /// # Errors
    /// If the integer exceeds [`MAX_INT_BITS`].
    pub(super) fn charge_int_bits(&mut self, bits: u64) -> ExecResult<()> {
        self.charge(bits / 64)?;
        if bits > MAX_INT_BITS { Err(super::ExecError::Exhausted(super::LimitedResource::Memory)) } else { Ok(()) }
    }

    fn power(&mut self, base: &BigInt, exponent: &BigInt) -> ExecResult {
        if *exponent < BigInt::ZERO {
            let (base, exponent) = (Number::Big(base.clone()), Number::Big(exponent.clone()));
            let (base, exponent) = (self.number_to_float(&base)?, self.number_to_float(&exponent)?);
            return Ok(self.float_operator(BinaryOperator::Pow, base, exponent)?.unwrap_or(Value::None));
        }
        let small = u64::try_from(exponent).unwrap_or(u64::MAX);
        if base.bits() > 1 {
            let bits = base.bits().saturating_mul(small);
            self.charge_int_bits(bits)?;
            // The last squaring multiplies two numbers of half the length.
            self.charge((bits / 64).saturating_mul(bits / 64) / 256)?;
        }
        let exponent = if base.bits() > 1 { small } else { small % 2 + 2 * u64::from(small > 1) };
        let value = base.pow(exponent as u32);
        Ok(self.new_int(value))
    }

    fn float_operator(&mut self, operator: BinaryOperator, left: f64, right: f64) -> ExecResult<Option<Value>> {
        let zero = |machine: &mut Self, message: &str| Err(machine.raise(ExceptionKind::ZeroDivisionError, message));
        let value = match operator {
            BinaryOperator::Add => left + right,
            BinaryOperator::Sub => left - right,
            BinaryOperator::Mult => left * right,
            BinaryOperator::Div if right == 0.0 => return zero(self, "float division by zero"),
            BinaryOperator::Div => left / right,
            BinaryOperator::FloorDiv if right == 0.0 => return zero(self, "float floor division by zero"),
            BinaryOperator::FloorDiv => float_floor_division(left, right).0,
            BinaryOperator::Mod if right == 0.0 => return zero(self, "float modulo"),
            BinaryOperator::Mod => float_floor_division(left, right).1,
            BinaryOperator::Pow => return self.float_power(left, right).map(|value| Some(Value::Float(value))),
            _ => return Ok(None),
        };
        Ok(Some(Value::Float(value)))
    }

    pub(super) fn float_power(&mut self, base: f64, exponent: f64) -> ExecResult<f64> {
        if base == 0.0 && exponent < 0.0 {
            let message = "0.0 cannot be raised to a negative power";
            return Err(self.raise(ExceptionKind::ZeroDivisionError, message));
        }
        if base < 0.0 && base.is_finite() && exponent.is_finite() && exponent.fract() != 0.0 {
            let message = "a negative number to a fractional power is a complex number, which reward functions do not \
                support";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let value = base.powf(exponent);
        if value.is_infinite() && base.is_finite() && exponent.is_finite() {
            let text = self.heap.text("Numerical result out of range");
            return Err(self.raise_with(ExceptionKind::OverflowError, vec![Value::Int(34), text]));
        }
        Ok(value)
    }

    /// Returns `abs(value)`.
    pub(super) fn absolute(&mut self, value: Value) -> ExecResult {
        if let Some(method) = self.special_method(value, "__abs__") {
            return self.call_value(method, &[], &[]);
        }
        if self.is_numpy(value) {
            return self.numpy_absolute(value);
        }
        match self.as_number(value) {
            Some(Number::Int(number)) => match number.checked_abs() {
                Some(number) => Ok(Value::Int(number)),
                None => Ok(self.new_int(-BigInt::from(number))),
            },
            Some(Number::Big(number)) => Ok(self.new_int(BigInt::from(number.magnitude().clone()))),
            Some(Number::Float(number)) => Ok(Value::Float(number.abs())),
            None => {
                let message = format!("bad operand type for abs(): '{}'", self.class_name(value));
                Err(self.type_error(&message))
            }
        }
    }
}

/// Whether numbers of a kind support an operator.
fn supports_operator(number: &Number, operator: BinaryOperator) -> bool {
    match operator {
        BinaryOperator::MatMult => false,
        BinaryOperator::BitOr
        | BinaryOperator::BitAnd
        | BinaryOperator::BitXor
        | BinaryOperator::LShift
        | BinaryOperator::RShift => !matches!(number, Number::Float(_)),
        _ => true,
    }
}

/// Returns the floored quotient and the remainder, which has the sign of the divisor.
pub(super) fn floor_division(left: &BigInt, right: &BigInt) -> (BigInt, BigInt) {
    let (quotient, rest) = (left / right, left % right);
    if rest != BigInt::ZERO && (rest < BigInt::ZERO) != (*right < BigInt::ZERO) {
        (quotient - 1, rest + right)
    } else {
        (quotient, rest)
    }
}

/// Returns the floored quotient and the remainder, as CPython's `float_divmod` computes them: the quotient is derived from the exact
/// remainder.
pub(crate) fn float_floor_division(left: f64, right: f64) -> (f64, f64) {
    let mut rest = left % right;
    let mut quotient = (left - rest) / right;
    if rest == 0.0 {
        rest = 0.0f64.copysign(right);
    } else if (right < 0.0) != (rest < 0.0) {
        rest += right;
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return (0.0f64.copysign(left / right), rest);
    }
    let floor = quotient.floor();
    (if quotient - floor > 0.5 { floor + 1.0 } else { floor }, rest)
}

/// Returns the float nearest to a quotient of integers, ties to even; `None` if it overflows.
pub(crate) fn rounded_quotient(left: &BigInt, right: &BigInt) -> Option<f64> {
    let negative = (*left < BigInt::ZERO) != (*right < BigInt::ZERO);
    let (left, right) = (left.magnitude(), right.magnitude());
    // Floats are less than 2^1024.
    if left.bits() > right.bits() + 1025 {
        return None;
    }
    // The quotient gets at least 65 bits: those of a float, two more for rounding, and a sticky bit for the remainder.
    let shift = left.bits() as i64 - right.bits() as i64 - 66;
    let (left, right) = if shift >= 0 { (left.clone(), right << shift) } else { (left << -shift, right.clone()) };
    let (mut whole, rest) = (&left / &right, &left % &right);
    if rest.bits() > 0 {
        whole |= num_bigint::BigUint::from(1u32);
    }
    let exact = if shift >= 0 { (whole << shift).to_string() } else { binary_fraction_to_decimal(&whole, -shift) };
    let float: f64 = exact.parse().ok()?;
    if float.is_infinite() {
        return None;
    }
    Some(if negative { -float } else { float })
}

/// Returns `whole / 2^places` as an exact decimal number.
fn binary_fraction_to_decimal(whole: &num_bigint::BigUint, places: i64) -> String {
    // Multiplying by 5^places turns the binary point into a decimal one.
    let places = places.min(1_200);
    let digits = whole * num_bigint::BigUint::from(5u32).pow(places as u32);
    format!("{digits}e-{places}")
}

/// The names of an operator.
#[derive(Debug, Clone, Copy)]
pub(super) struct OperatorNames {
    /// The operator in a program, such as `+`.
    pub(super) sign: &'static str,
    /// The method of the left operand, such as `__add__`.
    pub(super) method: &'static str,
    /// The method of the right operand, such as `__radd__`.
    pub(super) reflected: &'static str,
    /// The method of the left operand of the augmented assignment, such as `__iadd__`.
    pub(super) in_place: &'static str,
}

/// Returns the names of an operator.
pub(super) fn operator_names(operator: BinaryOperator) -> OperatorNames {
    let [sign, method, reflected, in_place] = match operator {
        BinaryOperator::Add => ["+", "__add__", "__radd__", "__iadd__"],
        BinaryOperator::Sub => ["-", "__sub__", "__rsub__", "__isub__"],
        BinaryOperator::Mult => ["*", "__mul__", "__rmul__", "__imul__"],
        BinaryOperator::MatMult => ["@", "__matmul__", "__rmatmul__", "__imatmul__"],
        BinaryOperator::Div => ["/", "__truediv__", "__rtruediv__", "__itruediv__"],
        BinaryOperator::Mod => ["%", "__mod__", "__rmod__", "__imod__"],
        BinaryOperator::Pow => ["**", "__pow__", "__rpow__", "__ipow__"],
        BinaryOperator::LShift => ["<<", "__lshift__", "__rlshift__", "__ilshift__"],
        BinaryOperator::RShift => [">>", "__rshift__", "__rrshift__", "__irshift__"],
        BinaryOperator::BitOr => ["|", "__or__", "__ror__", "__ior__"],
        BinaryOperator::BitXor => ["^", "__xor__", "__rxor__", "__ixor__"],
        BinaryOperator::BitAnd => ["&", "__and__", "__rand__", "__iand__"],
        BinaryOperator::FloorDiv => ["//", "__floordiv__", "__rfloordiv__", "__ifloordiv__"],
    };
    OperatorNames { sign, method, reflected, in_place }
}
