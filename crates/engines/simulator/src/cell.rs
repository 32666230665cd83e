//! Values in the representation of a running game: a tag and a word.

use goalspec_resource::value::Value;

use crate::program::slots::SlotStorage;

/// A value that fits into a word, or the index of a value in a pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell {
    /// A missing value.
    Missing,
    /// An integer.
    Int(i32),
    /// A real number.
    Real(f64),
    /// A Boolean.
    Bool(bool),
    /// The index of a string, set, list or map in the pool; indices of the compiled game's pool come first, followed by those of
    /// the state's pool.
    Pooled(u32),
}

const MISSING: u8 = 0;
const INT: u8 = 1;
const REAL: u8 = 2;
const BOOL: u8 = 3;
const POOLED: u8 = 4;
/// The tag of an integer in a [`SlotStorage::Number`] slot, whose word encodes it as a real number.
const WHOLE: u8 = 5;

impl Cell {
    /// Decodes a tag and a word.
    #[inline]
    pub(crate) fn from_parts(tag: u8, word: u64) -> Self {
        match tag {
            INT => Self::Int(word as i32),
            REAL => Self::Real(f64::from_bits(word)),
            BOOL => Self::Bool(word != 0),
            POOLED => Self::Pooled(word as u32),
            WHOLE => Self::Int(f64::from_bits(word) as i32),
            _ => Self::Missing,
        }
    }

    /// Returns the tag.
    #[inline]
    pub(crate) fn tag(self) -> u8 {
        match self {
            Self::Missing => MISSING,
            Self::Int(_) => INT,
            Self::Real(_) => REAL,
            Self::Bool(_) => BOOL,
            Self::Pooled(_) => POOLED,
        }
    }

    /// Returns the word.
    #[inline]
    pub(crate) fn word(self) -> u64 {
        match self {
            Self::Missing => 0,
            Self::Int(value) => u64::from(value.cast_unsigned()),
            Self::Real(value) => value.to_bits(),
            Self::Bool(value) => u64::from(value),
            Self::Pooled(place) => u64::from(place),
        }
    }

    /// Encodes the cell for a slot with this storage.
    #[inline]
    pub(crate) fn parts(self, store: SlotStorage) -> (u8, u64) {
        match (store, self) {
            (SlotStorage::Number, Self::Int(value)) => (WHOLE, f64::from(value).to_bits()),
            _ => (self.tag(), self.word()),
        }
    }

    /// Returns the cell of a value that needs no pool.
    pub(crate) fn plain(value: Option<&Value>) -> Option<Self> {
        Some(match value {
            None => Self::Missing,
            Some(Value::Int(value)) => Self::Int(*value),
            Some(Value::Real(value)) => Self::Real(*value),
            Some(Value::Bool(value)) => Self::Bool(*value),
            Some(Value::Text(_) | Value::Set(_) | Value::List(_) | Value::Map(_)) => return None,
        })
    }

    /// Returns the number of an integer or real cell.
    #[inline]
    pub(crate) fn as_f64(self) -> Option<f64> {
        match self {
            Self::Int(value) => Some(f64::from(value)),
            Self::Real(value) => Some(value),
            Self::Missing | Self::Bool(_) | Self::Pooled(_) => None,
        }
    }

    /// Whether the sum of two integers exceeds 32 bits.
    #[inline]
    pub(crate) fn plus_overflows(self, added: Self) -> bool {
        matches!((self, added), (Self::Int(one), Self::Int(other)) if one.checked_add(other).is_none())
    }

    /// Returns the value after adding `added`, as [`Value::add`] does; `added` is not missing.
    #[inline]
    pub(crate) fn plus(self, added: Self) -> Self {
        match (self, added) {
            (Self::Int(one), Self::Int(other)) => Self::Int(one.wrapping_add(other)),
            (Self::Missing, _) | (_, Self::Missing | Self::Bool(_) | Self::Pooled(_)) => added,
            (_, Self::Int(other)) => Self::Real(self.as_f64().map_or(f64::from(other), |one| one + f64::from(other))),
            (_, Self::Real(other)) => Self::Real(self.as_f64().map_or(other, |one| one + other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, SlotStorage, Value};

    const CELLS: [Cell; 8] = [
        Cell::Missing,
        Cell::Int(i32::MAX),
        Cell::Int(-3),
        Cell::Real(-0.0),
        Cell::Real(2.5),
        Cell::Bool(false),
        Cell::Bool(true),
        Cell::Pooled(0),
    ];

    fn value(cell: Cell) -> Option<Value> {
        match cell {
            Cell::Missing => None,
            Cell::Int(value) => Some(Value::Int(value)),
            Cell::Real(value) => Some(Value::Real(value)),
            Cell::Bool(value) => Some(Value::Bool(value)),
            Cell::Pooled(_) => Some(Value::text("a text")),
        }
    }

    #[test]
    fn sums_are_those_of_values() {
        for one in CELLS {
            for store in [SlotStorage::Tagged, SlotStorage::Number] {
                let (tag, word) = one.parts(store);
                assert_eq!(Cell::from_parts(tag, word), one);
            }
            for other in CELLS.into_iter().skip(1) {
                let sum = one.plus(other);
                let expected = Value::add(value(one).as_ref(), &value(other).unwrap());
                assert_eq!(value(sum), Some(expected), "{one:?} and {other:?}");
                let overflows = Value::add_overflows(value(one).as_ref(), &value(other).unwrap());
                assert_eq!(one.plus_overflows(other), overflows, "{one:?} and {other:?}");
            }
        }
    }
}
