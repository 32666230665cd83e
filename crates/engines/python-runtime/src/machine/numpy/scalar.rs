//! Scalars: kinds of numbers, arithmetic, promotion.

use crate::operators::{BinaryOperator, ComparisonOperator};
use std::cmp::Ordering;

use super::integers::IntKind;

/// A kind of numbers; narrower kinds are less than wider ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Dtype {
    Bool,
    /// Integers other than signed ones of 64 bits.
    Sized(IntKind),
    /// Signed integers of 64 bits.
    Int,
    Float32,
    Float,
}

impl Dtype {
    /// Returns the name of the kind's scalar class.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool_",
            Self::Sized(kind) => kind.name(),
            Self::Int => "int64",
            Self::Float32 => "float32",
            Self::Float => "float64",
        }
    }

    /// Returns the kind to which both kinds promote.
    pub(crate) fn promote(self, other: Self) -> Self {
        match (self, other) {
            (Self::Float32, Self::Int) | (Self::Int, Self::Float32) => Self::Float,
            (Self::Float32, Self::Sized(kind)) | (Self::Sized(kind), Self::Float32) if kind.bits() > 16 => Self::Float,
            (Self::Sized(kind), Self::Int) | (Self::Int, Self::Sized(kind)) if kind == IntKind::UInt64 => Self::Float,
            (Self::Sized(one), Self::Sized(two)) => one.promote(two),
            _ => self.max(other),
        }
    }

    /// Returns the rank of the kind's class: booleans, integers, floats. A scalar operand changes the kind of an array only by
    /// a higher class.
    pub(crate) fn category_rank(self) -> u8 {
        match self {
            Self::Bool => 0,
            Self::Sized(_) | Self::Int => 1,
            Self::Float32 | Self::Float => 2,
        }
    }

    /// Returns the kind in which sums and products of numbers of this kind are computed.
    pub(crate) fn of_sum(self) -> Self {
        match self {
            Self::Bool => Self::Int,
            Self::Sized(kind) if kind.is_signed() => Self::Int,
            Self::Sized(_) => Self::Sized(IntKind::UInt64),
            _ => self,
        }
    }

    /// Returns the kind of the results of functions of floats; `None` for the floats of 16 bits of numpy, which are not supported.
    pub(crate) fn of_float_function(self) -> Option<Self> {
        match self {
            Self::Float32 | Self::Float => Some(self),
            Self::Sized(kind) if kind.bits() == 8 => None,
            Self::Sized(kind) if kind.bits() == 16 => Some(Self::Float32),
            Self::Bool | Self::Sized(_) | Self::Int => Some(Self::Float),
        }
    }

    pub(crate) fn is_integer(self) -> bool {
        self.category_rank() == 1
    }

    pub(crate) fn is_float(self) -> bool {
        self.category_rank() == 2
    }
}

/// A number: an element of an array, or a numpy scalar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Scalar {
    Bool(bool),
    /// An integer other than a signed one of 64 bits; `uint64` as its bits.
    Sized(IntKind, i64),
    Int(i64),
    Float32(f32),
    Float(f64),
}

/// A number in nine bytes without alignment, so that a value of the machine, which may be one, takes only sixteen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedScalar {
    dtype: Dtype,
    bits: [u8; 8],
}

impl PackedScalar {
    /// Returns the number.
    pub(crate) fn get(self) -> Scalar {
        let bits = u64::from_le_bytes(self.bits);
        match self.dtype {
            Dtype::Bool => Scalar::Bool(bits != 0),
            Dtype::Sized(kind) => Scalar::Sized(kind, bits as i64),
            Dtype::Int => Scalar::Int(bits as i64),
            Dtype::Float32 => Scalar::Float32(f32::from_bits(bits as u32)),
            Dtype::Float => Scalar::Float(f64::from_bits(bits)),
        }
    }
}

impl From<Scalar> for PackedScalar {
    fn from(scalar: Scalar) -> Self {
        let bits = match scalar {
            Scalar::Bool(truth) => truth.into(),
            Scalar::Sized(_, number) | Scalar::Int(number) => number as u64,
            Scalar::Float32(number) => number.to_bits().into(),
            Scalar::Float(number) => number.to_bits(),
        };
        Self { dtype: scalar.dtype(), bits: bits.to_le_bytes() }
    }
}

/// A runtime warning of numpy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuntimeWarning {
    DivideByZero,
    Invalid,
    Overflow,
}

impl RuntimeWarning {
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::DivideByZero => "divide by zero encountered in",
            Self::Invalid => "invalid value encountered in",
            Self::Overflow => "overflow encountered in",
        }
    }
}

impl Scalar {
    pub(crate) fn dtype(self) -> Dtype {
        match self {
            Self::Bool(_) => Dtype::Bool,
            Self::Sized(kind, _) => Dtype::Sized(kind),
            Self::Int(_) => Dtype::Int,
            Self::Float32(_) => Dtype::Float32,
            Self::Float(_) => Dtype::Float,
        }
    }

    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Self::Bool(truth) => f64::from(u8::from(truth)),
            Self::Sized(IntKind::UInt64, bits) => bits as u64 as f64,
            Self::Sized(_, number) | Self::Int(number) => number as f64,
            Self::Float32(number) => number.into(),
            Self::Float(number) => number,
        }
    }

    /// Converts the number to an integer; floats are truncated toward zero.
    pub(crate) fn to_i64(self) -> i64 {
        match self {
            Self::Bool(truth) => truth.into(),
            Self::Sized(_, number) | Self::Int(number) => number,
            Self::Float32(_) | Self::Float(_) => {
                let number = self.to_f64();
                // Values out of range become the smallest integer, as on x86-64 processors.
                if number.is_nan() || number.abs() >= 9_223_372_036_854_775_808.0 { i64::MIN } else { number as i64 }
            }
        }
    }

    /// Converts an integer or a truth value to a wider integer.
    pub(crate) fn to_i128(self) -> i128 {
        match self {
            Self::Sized(IntKind::UInt64, bits) => (bits as u64).into(),
            _ => self.to_i64().into(),
        }
    }

    pub(crate) fn to_bool(self) -> bool {
        match self {
            Self::Bool(truth) => truth,
            Self::Sized(_, number) | Self::Int(number) => number != 0,
            Self::Float32(number) => number != 0.0,
            Self::Float(number) => number != 0.0,
        }
    }

    /// Converts the number to an integer of a kind, in which it wraps around.
    fn to_sized(self, kind: IntKind) -> i64 {
        match self {
            // Floats from 2^63 on are converted to `uint64` without loss of the sign.
            Self::Float32(_) | Self::Float(_)
                if kind == IntKind::UInt64 && self.to_f64() >= 9_223_372_036_854_775_808.0 =>
            {
                self.to_f64() as u64 as i64
            }
            // Floats out of the range of 32 bits are converted as on x86-64 processors.
            Self::Float32(_) | Self::Float(_) if kind.bits() <= 32 && kind != IntKind::UInt32 => {
                let number = self.to_f64();
                let fits = number > -2_147_483_649.0 && number < 2_147_483_648.0;
                kind.wrap(if fits { number as i64 } else { i64::from(i32::MIN) })
            }
            _ => kind.wrap(self.to_i64()),
        }
    }

    pub(crate) fn is_nan(self) -> bool {
        self.to_f64().is_nan()
    }

    pub(crate) fn cast(self, kind: Dtype) -> Self {
        match kind {
            Dtype::Bool => Self::Bool(self.to_bool()),
            Dtype::Sized(kind) => Self::Sized(kind, self.to_sized(kind)),
            Dtype::Int => Self::Int(self.to_i64()),
            Dtype::Float32 => match self {
                Self::Float32(_) => self,
                Self::Sized(IntKind::UInt64, bits) => Self::Float32(bits as u64 as f32),
                Self::Sized(_, number) | Self::Int(number) => Self::Float32(number as f32),
                _ => Self::Float32(self.to_f64() as f32),
            },
            Dtype::Float => Self::Float(self.to_f64()),
        }
    }

    /// Creates a number of the given float kind.
    pub(crate) fn from_f64(number: f64, kind: Dtype) -> Self {
        if kind == Dtype::Float32 { Self::Float32(number as f32) } else { Self::Float(number) }
    }

    pub(crate) fn ordering(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Float(_) | Self::Float32(_), _) | (_, Self::Float(_) | Self::Float32(_)) => {
                self.to_f64().partial_cmp(&other.to_f64())
            }
            _ => Some(self.to_i128().cmp(&other.to_i128())),
        }
    }

    pub(crate) fn compare(self, operator: ComparisonOperator, other: Self) -> bool {
        let order = self.ordering(other);
        match operator {
            ComparisonOperator::Eq => order == Some(Ordering::Equal),
            ComparisonOperator::NotEq => order != Some(Ordering::Equal),
            ComparisonOperator::Lt => order == Some(Ordering::Less),
            ComparisonOperator::LtE => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            ComparisonOperator::Gt => order == Some(Ordering::Greater),
            _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }

    /// Applies an operator to two numbers of one kind; `None` if the kind does not support it.
    pub(crate) fn apply_operator(
        self,
        operator: BinaryOperator,
        other: Self,
    ) -> Option<(Self, Option<RuntimeWarning>)> {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => bool_operation(operator, a, b),
            (Self::Int(a), Self::Int(b)) => int_operation(operator, a, b),
            (Self::Sized(kind, a), Self::Sized(other, b)) if kind == other => {
                super::integers::sized_operation(operator, kind, a, b)
            }
            _ => {
                let kind = self.dtype().promote(other.dtype());
                let (value, warning) = float_operation(operator, self.to_f64(), other.to_f64())?;
                let value = Self::from_f64(value, kind);
                let finite = self.to_f64().is_finite() && other.to_f64().is_finite();
                let overflows = finite && warning.is_none() && value.to_f64().is_infinite();
                Some((value, if overflows { Some(RuntimeWarning::Overflow) } else { warning }))
            }
        }
    }
}

fn bool_operation(operator: BinaryOperator, a: bool, b: bool) -> Option<(Scalar, Option<RuntimeWarning>)> {
    let truth = match operator {
        BinaryOperator::Add | BinaryOperator::BitOr => a | b,
        BinaryOperator::Mult | BinaryOperator::BitAnd => a & b,
        BinaryOperator::BitXor => a ^ b,
        BinaryOperator::Div => {
            let (value, warning) = float_operation(operator, f64::from(u8::from(a)), f64::from(u8::from(b)))?;
            return Some((Scalar::Float(value), warning));
        }
        // numpy computes these in eight bits, which 0 and 1 as operands cannot overflow.
        BinaryOperator::FloorDiv
        | BinaryOperator::Mod
        | BinaryOperator::Pow
        | BinaryOperator::LShift
        | BinaryOperator::RShift => {
            return int_operation(operator, a.into(), b.into());
        }
        BinaryOperator::Sub | BinaryOperator::MatMult => return None,
    };
    Some((Scalar::Bool(truth), None))
}

/// Applies an operator to integers; results wrap around on overflow.
pub(super) fn int_operation(operator: BinaryOperator, a: i64, b: i64) -> Option<(Scalar, Option<RuntimeWarning>)> {
    let zero = (b == 0).then_some(RuntimeWarning::DivideByZero);
    let places = u32::try_from(b).ok().filter(|&places| places < 64);
    let number = match operator {
        BinaryOperator::Add => a.wrapping_add(b),
        BinaryOperator::Sub => a.wrapping_sub(b),
        BinaryOperator::Mult => a.wrapping_mul(b),
        BinaryOperator::Div => {
            let (value, warning) = float_operation(operator, a as f64, b as f64)?;
            return Some((Scalar::Float(value), warning));
        }
        BinaryOperator::FloorDiv | BinaryOperator::Mod if b == 0 => return Some((Scalar::Int(0), zero)),
        BinaryOperator::FloorDiv => {
            let quotient = a.wrapping_div(b);
            quotient - i64::from(a.wrapping_rem(b) != 0 && (a < 0) != (b < 0))
        }
        BinaryOperator::Mod => {
            let rest = a.wrapping_rem(b);
            if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
        }
        // Negative exponents are rejected by the caller.
        BinaryOperator::Pow => wrapping_power(a, b.unsigned_abs()),
        BinaryOperator::BitAnd => a & b,
        BinaryOperator::BitOr => a | b,
        BinaryOperator::BitXor => a ^ b,
        BinaryOperator::LShift => places.map_or(0, |places| a.wrapping_shl(places)),
        BinaryOperator::RShift => places.map_or(if a < 0 { -1 } else { 0 }, |places| a >> places),
        BinaryOperator::MatMult => return None,
    };
    Some((Scalar::Int(number), None))
}

fn wrapping_power(mut base: i64, mut exponent: u64) -> i64 {
    let mut power = 1i64;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent /= 2;
    }
    power
}

fn float_operation(operator: BinaryOperator, a: f64, b: f64) -> Option<(f64, Option<RuntimeWarning>)> {
    let by_zero = |of: f64| {
        if b != 0.0 || of.is_nan() {
            None
        } else if of == 0.0 {
            Some(RuntimeWarning::Invalid)
        } else {
            Some(RuntimeWarning::DivideByZero)
        }
    };
    Some(match operator {
        BinaryOperator::Add => (a + b, invalid_value_warning(a + b, a, b)),
        BinaryOperator::Sub => (a - b, invalid_value_warning(a - b, a, b)),
        BinaryOperator::Mult => (a * b, invalid_value_warning(a * b, a, b)),
        BinaryOperator::Div => (a / b, by_zero(a).or_else(|| invalid_value_warning(a / b, a, b))),
        BinaryOperator::FloorDiv if b == 0.0 => (a / b, by_zero(a)),
        BinaryOperator::FloorDiv => {
            let (quotient, _) = crate::machine::operators::float_floor_division(a, b);
            (quotient, invalid_value_warning(quotient, a, b))
        }
        BinaryOperator::Mod if b == 0.0 => (f64::NAN, (!a.is_nan()).then_some(RuntimeWarning::Invalid)),
        BinaryOperator::Mod => {
            let (_, rest) = crate::machine::operators::float_floor_division(a, b);
            (rest, invalid_value_warning(rest, a, b))
        }
        BinaryOperator::Pow => {
            let power = a.powf(b);
            let zero = a == 0.0 && b < 0.0;
            (power, if zero { Some(RuntimeWarning::DivideByZero) } else { invalid_value_warning(power, a, b) })
        }
        _ => return None,
    })
}

/// Returns the warning for a NaN that results from numbers.
fn invalid_value_warning(value: f64, a: f64, b: f64) -> Option<RuntimeWarning> {
    (value.is_nan() && !a.is_nan() && !b.is_nan()).then_some(RuntimeWarning::Invalid)
}
