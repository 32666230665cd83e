//! Kinds of values, and sets of kinds.

use std::ops::{BitOr, BitOrAssign};

use crate::value::Value;

/// A set of kinds of values. Absence of a value counts as a kind, [`KindSet::MISSING`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct KindSet(u8);

impl KindSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// The absence of a value.
    pub const MISSING: Self = Self(1);
    /// Integers.
    pub const INT: Self = Self(1 << 1);
    /// Real numbers.
    pub const REAL: Self = Self(1 << 2);
    /// Booleans.
    pub const BOOL: Self = Self(1 << 3);
    /// Strings.
    pub const TEXT: Self = Self(1 << 4);
    /// Sets of labels.
    pub const SET: Self = Self(1 << 5);
    /// Lists of values.
    pub const LIST: Self = Self(1 << 6);
    /// Maps from names to values.
    pub const MAP: Self = Self(1 << 7);
    /// Integers and real numbers.
    pub const NUMBER: Self = Self(Self::INT.0 | Self::REAL.0);
    /// All kinds.
    pub const ALL: Self = Self(u8::MAX);

    /// Returns the kind of a value.
    pub fn of(value: Option<&Value>) -> Self {
        match value {
            None => Self::MISSING,
            Some(Value::Int(_)) => Self::INT,
            Some(Value::Real(_)) => Self::REAL,
            Some(Value::Bool(_)) => Self::BOOL,
            Some(Value::Text(_)) => Self::TEXT,
            Some(Value::Set(_)) => Self::SET,
            Some(Value::List(_)) => Self::LIST,
            Some(Value::Map(_)) => Self::MAP,
        }
    }

    /// Whether this set is a subset of `other`.
    pub fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether the sets intersect.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the kinds of this set that are not in `other`.
    #[must_use]
    pub fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOr for KindSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for KindSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
