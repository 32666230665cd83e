//! Integers of numpy other than the signed ones of 64 bits.

use super::scalar::{Dtype, RuntimeWarning, Scalar, int_operation};
use crate::operators::BinaryOperator;

/// A kind of integers; narrower kinds are less than wider ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum IntKind {
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    UInt64,
}

impl IntKind {
    /// Returns the name of the scalar class.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Int8 => "int8",
            Self::UInt8 => "uint8",
            Self::Int16 => "int16",
            Self::UInt16 => "uint16",
            Self::Int32 => "int32",
            Self::UInt32 => "uint32",
            Self::UInt64 => "uint64",
        }
    }

    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Int8 | Self::UInt8 => 8,
            Self::Int16 | Self::UInt16 => 16,
            Self::Int32 | Self::UInt32 => 32,
            Self::UInt64 => 64,
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::Int8 | Self::Int16 | Self::Int32)
    }

    /// Returns the signed kind with a number of bits.
    fn signed(bits: u32) -> Dtype {
        match bits {
            8 => Dtype::Sized(Self::Int8),
            16 => Dtype::Sized(Self::Int16),
            32 => Dtype::Sized(Self::Int32),
            64 => Dtype::Int,
            _ => Dtype::Float,
        }
    }

    /// Returns the kind to which both kinds promote.
    pub(super) fn promote(self, other: Self) -> Dtype {
        if self.is_signed() == other.is_signed() {
            return Dtype::Sized(self.max(other));
        }
        let (signed, unsigned) = if self.is_signed() { (self, other) } else { (other, self) };
        if signed.bits() > unsigned.bits() { Dtype::Sized(signed) } else { Self::signed(2 * unsigned.bits()) }
    }

    /// Returns the kind in which an array of this kind and an integer are computed: the narrowest one that has both.
    pub(super) fn with_integer(self, number: i128) -> Dtype {
        let unsigned = [Self::UInt8, Self::UInt16, Self::UInt32, Self::UInt64];
        if number < 0 {
            let bits = [8, 16, 32].into_iter().find(|bits| number >= -(1i128 << (bits - 1)));
            return Dtype::Sized(self).promote(Self::signed(bits.unwrap_or(64)));
        }
        // A number that fits in the signed kind does not widen it.
        if self.is_signed() && number < 1 << (self.bits() - 1) {
            return Dtype::Sized(self);
        }
        let least = unsigned.into_iter().find(|kind| number < 1i128 << kind.bits());
        match least {
            // The sign takes a bit that the number may leave free.
            Some(kind) if self.is_signed() && number < 1 << (kind.bits() - 1) => {
                Dtype::Sized(self).promote(Self::signed(kind.bits()))
            }
            Some(kind) => self.promote(kind),
            None => Dtype::Float,
        }
    }

    /// Returns a number modulo 2 to the power of the bits, in the range of the kind.
    pub(super) fn wrap(self, number: i64) -> i64 {
        match self {
            Self::Int8 => (number as i8).into(),
            Self::UInt8 => (number as u8).into(),
            Self::Int16 => (number as i16).into(),
            Self::UInt16 => (number as u16).into(),
            Self::Int32 => (number as i32).into(),
            Self::UInt32 => (number as u32).into(),
            Self::UInt64 => number,
        }
    }
}

/// Applies an operator to integers of one kind; results wrap around on overflow.
pub(super) fn sized_operation(
    operator: BinaryOperator,
    kind: IntKind,
    a: i64,
    b: i64,
) -> Option<(Scalar, Option<RuntimeWarning>)> {
    if kind == IntKind::UInt64 {
        return unsigned_operation(operator, a as u64, b as u64);
    }
    let (value, warning) = match operator {
        BinaryOperator::LShift | BinaryOperator::RShift if !(0..i64::from(kind.bits())).contains(&b) => {
            (Scalar::Int(if operator == BinaryOperator::RShift && a < 0 { -1 } else { 0 }), None)
        }
        _ => int_operation(operator, a, b)?,
    };
    let Scalar::Int(number) = value else { return Some((value, warning)) };
    Some((Scalar::Sized(kind, kind.wrap(number)), warning))
}

/// Applies an operator to unsigned integers of 64 bits.
fn unsigned_operation(operator: BinaryOperator, a: u64, b: u64) -> Option<(Scalar, Option<RuntimeWarning>)> {
    let by_zero = (b == 0).then_some(RuntimeWarning::DivideByZero);
    let number = match operator {
        BinaryOperator::Div => {
            let quotient = Scalar::Float(a as f64).apply_operator(operator, Scalar::Float(b as f64));
            return quotient;
        }
        BinaryOperator::FloorDiv => return Some((unsigned(a.checked_div(b).unwrap_or(0)), by_zero)),
        BinaryOperator::Mod => return Some((unsigned(a.checked_rem(b).unwrap_or(0)), by_zero)),
        BinaryOperator::LShift => {
            if b < 64 {
                a << b
            } else {
                0
            }
        }
        BinaryOperator::RShift => {
            if b < 64 {
                a >> b
            } else {
                0
            }
        }
        _ => {
            let (Scalar::Int(number), warning) = int_operation(operator, a as i64, b as i64)? else { return None };
            return Some((unsigned(number as u64), warning));
        }
    };
    Some((unsigned(number), None))
}

fn unsigned(number: u64) -> Scalar {
    Scalar::Sized(IntKind::UInt64, number as i64)
}

impl From<IntKind> for Dtype {
    fn from(kind: IntKind) -> Self {
        Self::Sized(kind)
    }
}
