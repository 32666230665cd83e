//! Operators and comparisons of numbers, without the dispatch of the general code.
//!
//! A function that returns `None` leaves the operation to the general code.

use super::compare::is_identical;
use super::operators::{MAX_EXACT_FLOAT_INT, float_floor_division};
use super::value::Value;
use crate::operators::{BinaryOperator, ComparisonOperator};

/// Returns the result of an operator on two numbers.
#[inline]
pub(super) fn quick_binary(operator: BinaryOperator, left: Value, right: Value) -> Option<Value> {
    quick_binary_of(operator, &left, &right)
}

/// Returns the result of an operator on two numbers, which are read in place.
#[allow(clippy::inline_always, reason = "a call would pass the result through memory")]
#[inline(always)]
pub(super) fn quick_binary_of(operator: BinaryOperator, left: &Value, right: &Value) -> Option<Value> {
    let (left, right) = match (left, right) {
        (&Value::Int(left), &Value::Int(right)) => {
            let whole = match operator {
                BinaryOperator::Add => left.checked_add(right)?,
                BinaryOperator::Sub => left.checked_sub(right)?,
                BinaryOperator::Mult => left.checked_mul(right)?,
                BinaryOperator::Div => {
                    let is_exact = |number: i64| number.unsigned_abs() <= MAX_EXACT_FLOAT_INT;
                    let is_quick = is_exact(left) && is_exact(right) && right != 0;
                    return is_quick.then(|| Value::Float(left as f64 / right as f64));
                }
                _ => small_int_operator(operator, left, right)?,
            };
            return Some(Value::Int(whole));
        }
        (&Value::Float(left), &Value::Float(right)) => (left, right),
        (&Value::Float(left), &Value::Int(right)) => (left, right as f64),
        (&Value::Int(left), &Value::Float(right)) => (left as f64, right),
        _ => return truth_operator(operator, left, right),
    };
    let value = match operator {
        BinaryOperator::Add => left + right,
        BinaryOperator::Sub => left - right,
        BinaryOperator::Mult => left * right,
        BinaryOperator::Div if right != 0.0 => left / right,
        _ => return uncommon_float_operator(operator, left, right),
    };
    Some(Value::Float(value))
}

/// Applies an operator to floats; `None` for operators and operands that need the general code.
#[inline(never)]
fn uncommon_float_operator(operator: BinaryOperator, left: f64, right: f64) -> Option<Value> {
    let value = match operator {
        BinaryOperator::FloorDiv if right != 0.0 => float_floor_division(left, right).0,
        BinaryOperator::Mod if right != 0.0 => float_floor_division(left, right).1,
        BinaryOperator::Pow if left > 0.0 => Some(left.powf(right)).filter(|value| value.is_finite())?,
        _ => return None,
    };
    Some(Value::Float(value))
}

/// Applies an operator to a truth value and another truth value or number; `None` for operators and operands that need the general code.
#[inline(never)]
fn truth_operator(operator: BinaryOperator, left: &Value, right: &Value) -> Option<Value> {
    let number = |value: &Value| match *value {
        Value::Bool(truth) => Some(Value::Int(truth.into())),
        Value::Int(_) | Value::Float(_) => Some(*value),
        _ => None,
    };
    match (operator, number(left)?, number(right)?) {
        (BinaryOperator::Add | BinaryOperator::Sub | BinaryOperator::Mult, Value::Int(left), Value::Int(right)) => {
            small_int_operator(operator, left, right).map(Value::Int)
        }
        (BinaryOperator::Add, Value::Float(left), Value::Int(right)) => Some(Value::Float(left + right as f64)),
        (BinaryOperator::Sub, Value::Float(left), Value::Int(right)) => Some(Value::Float(left - right as f64)),
        (BinaryOperator::Mult, Value::Float(left), Value::Int(right)) => Some(Value::Float(left * right as f64)),
        (BinaryOperator::Add, Value::Int(left), Value::Float(right)) => Some(Value::Float(left as f64 + right)),
        (BinaryOperator::Sub, Value::Int(left), Value::Float(right)) => Some(Value::Float(left as f64 - right)),
        (BinaryOperator::Mult, Value::Int(left), Value::Float(right)) => Some(Value::Float(left as f64 * right)),
        _ => None,
    }
}

/// Applies an operator to small integers; `None` on overflow, and for operators and operands that need the general code.
#[inline(never)]
pub(super) fn small_int_operator(operator: BinaryOperator, left: i64, right: i64) -> Option<i64> {
    match operator {
        BinaryOperator::Add => left.checked_add(right),
        BinaryOperator::Sub => left.checked_sub(right),
        BinaryOperator::Mult => left.checked_mul(right),
        BinaryOperator::FloorDiv => {
            let quotient = left.checked_div(right)?;
            Some(quotient - i64::from(left % right != 0 && (left < 0) != (right < 0)))
        }
        BinaryOperator::Mod => {
            let rest = left.checked_rem(right)?;
            Some(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
        }
        BinaryOperator::Pow => left.checked_pow(u32::try_from(right).ok()?),
        BinaryOperator::BitAnd => Some(left & right),
        BinaryOperator::BitOr => Some(left | right),
        BinaryOperator::BitXor => Some(left ^ right),
        BinaryOperator::LShift => {
            let shift = u32::try_from(right).ok().filter(|&shift| shift < 63)?;
            Some(left << shift).filter(|shifted| shifted >> shift == left)
        }
        BinaryOperator::RShift => (right >= 0).then(|| left >> right.min(63)),
        _ => None,
    }
}

/// Returns the result of a comparison of two numbers, or of two identities.
#[inline]
pub(super) fn quick_compare(operator: ComparisonOperator, left: Value, right: Value) -> Option<bool> {
    quick_compare_of(operator, &left, &right)
}

/// Returns the result of a comparison of two numbers, or of two identities, which are read in place.
#[allow(clippy::inline_always, reason = "a call would copy the operands")]
#[inline(always)]
pub(super) fn quick_compare_of(operator: ComparisonOperator, left: &Value, right: &Value) -> Option<bool> {
    let is_exact = |number: i64| number.unsigned_abs() <= MAX_EXACT_FLOAT_INT;
    match operator {
        ComparisonOperator::Is => return Some(is_identical(*left, *right)),
        ComparisonOperator::IsNot => return Some(!is_identical(*left, *right)),
        _ => {}
    }
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => holds(operator, left, right),
        (Value::Float(left), Value::Float(right)) => holds(operator, left, right),
        (&Value::Float(left), &Value::Int(right)) if is_exact(right) => holds(operator, &left, &(right as f64)),
        (&Value::Int(left), &Value::Float(right)) if is_exact(left) => holds(operator, &(left as f64), &right),
        _ => None,
    }
}

#[inline]
fn holds<T: PartialOrd>(operator: ComparisonOperator, left: &T, right: &T) -> Option<bool> {
    match operator {
        ComparisonOperator::Eq => Some(left == right),
        ComparisonOperator::NotEq => Some(left != right),
        ComparisonOperator::Lt => Some(left < right),
        ComparisonOperator::LtE => Some(left <= right),
        ComparisonOperator::Gt => Some(left > right),
        ComparisonOperator::GtE => Some(left >= right),
        _ => None,
    }
}
