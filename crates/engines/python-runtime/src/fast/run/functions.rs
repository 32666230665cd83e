//! Functions of numbers, with the results of CPython; a call whose result would be an exception is handed over.

use super::{FallbackReason, OpResult};
use crate::fast::op::{BitOperator, MAX_EXACT_INT, NumberFunction};
use crate::machine::round_float;

/// Computes a bitwise operator.
pub(in crate::fast) fn bits(operator: BitOperator, left: i64, right: i64) -> OpResult<i64> {
    let shift = || u32::try_from(right).map_err(|_| FallbackReason::Overflow);
    Ok(match operator {
        BitOperator::And => left & right,
        BitOperator::Or => left | right,
        BitOperator::Xor => left ^ right,
        BitOperator::ShiftRight => left >> shift()?.min(63),
        BitOperator::ShiftLeft => {
            let shift = shift()?;
            let shifted = left.checked_shl(shift).filter(|shifted| shifted >> shift == left);
            shifted.ok_or(FallbackReason::Overflow)?
        }
    })
}

/// Computes a power of integers.
pub(in crate::fast) fn power_of_ints(base: i64, exponent: i64) -> OpResult<i64> {
    let power = u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent));
    power.ok_or(FallbackReason::Overflow)
}

/// Computes a power of floats.
pub(in crate::fast) fn power_of_floats(base: f64, exponent: f64) -> OpResult<f64> {
    if (base == 0.0 && exponent < 0.0) || (base < 0.0 && exponent.fract() != 0.0) {
        return Err(FallbackReason::DivisionByZero);
    }
    finite(base.powf(exponent))
}

fn finite(value: f64) -> OpResult<f64> {
    if value.is_finite() { Ok(value) } else { Err(FallbackReason::Overflow) }
}

fn whole(value: f64) -> OpResult<i64> {
    if value.abs() <= MAX_EXACT_INT as f64 { Ok(value as i64) } else { Err(FallbackReason::Overflow) }
}

/// Computes a function of one or two numbers, given as words.
pub(in crate::fast) fn compute(function: NumberFunction, a: u64, b: u64) -> OpResult<u64> {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    let float = |value: f64| finite(value).map(f64::to_bits);
    let truth = |value: bool| Ok(u64::from(value));
    let int = |value: f64| whole(value).map(i64::cast_unsigned);
    match function {
        NumberFunction::Floor => int(x.floor()),
        NumberFunction::Ceil => int(x.ceil()),
        NumberFunction::Round => int(x.round_ties_even()),
        NumberFunction::RoundTo => {
            let rounded = round_float(x, b.cast_signed()).ok_or(FallbackReason::Overflow)?;
            Ok(rounded.to_bits())
        }
        NumberFunction::Atan2 => float(x.atan2(y)),
        NumberFunction::Fmod => float(x % y),
        NumberFunction::CopySign => Ok(x.copysign(y).to_bits()),
        NumberFunction::Pow => power_of_floats(x, y).map(f64::to_bits),
        NumberFunction::Log if x > 0.0 => float(x.ln()),
        NumberFunction::Log => Err(FallbackReason::DivisionByZero),
        NumberFunction::BitLength => Ok(u64::from(u64::BITS - a.cast_signed().unsigned_abs().leading_zeros())),
        NumberFunction::BitCount => Ok(a.cast_signed().unsigned_abs().count_ones().into()),
        NumberFunction::IsInfinite => truth(x.is_infinite()),
        NumberFunction::IsNan => truth(x.is_nan()),
        NumberFunction::IsFinite => truth(x.is_finite()),
    }
}

/// Returns the index in a list before or behind the elements that equal a value, by the comparisons of Python's `bisect`.
pub(in crate::fast) fn bisect(list: &[u64], value: u64, is_right: bool, floats: bool) -> usize {
    let is_less = |one: u64, other: u64| {
        if floats { f64::from_bits(one) < f64::from_bits(other) } else { one.cast_signed() < other.cast_signed() }
    };
    let (mut start, mut end) = (0, list.len());
    while start < end {
        let middle = usize::midpoint(start, end);
        let goes_right = if is_right { !is_less(value, list[middle]) } else { is_less(list[middle], value) };
        if goes_right {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    start
}
