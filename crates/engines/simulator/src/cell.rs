//! Values as a running game holds them: a tag and a word.

use goalspec_core::resource::value::Value;

use crate::program::Store;

/// A value that fits into a word; whatever does not is in a pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell {
    /// There is no value.
    Missing,
    /// A whole number.
    Int(i32),
    /// A real number.
    Real(f64),
    /// True or false.
    Bool(bool),
    /// A text, a set, a list or a map, by its place in the pool: that of the compiled game first, then that of the state.
    Pooled(u32),
}

const MISSING: u8 = 0;
const INT: u8 = 1;
const REAL: u8 = 2;
const BOOL: u8 = 3;
const POOLED: u8 = 4;
/// A whole number in a slot for numbers: its word is that of the real number.
const WHOLE: u8 = 5;

impl Cell {
    /// The cell of a tag and a word.
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

    /// Its tag.
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

    /// Its word.
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

    /// The tag and the word of a cell in a slot of this kind.
    #[inline]
    pub(crate) fn parts(self, store: Store) -> (u8, u64) {
        match (store, self) {
            (Store::Number, Self::Int(value)) => (WHOLE, f64::from(value).to_bits()),
            _ => (self.tag(), self.word()),
        }
    }

    /// The cell of a value that needs no pool.
    pub(crate) fn plain(value: Option<&Value>) -> Option<Self> {
        Some(match value {
            None => Self::Missing,
            Some(Value::Int(value)) => Self::Int(*value),
            Some(Value::Real(value)) => Self::Real(*value),
            Some(Value::Bool(value)) => Self::Bool(*value),
            Some(Value::Text(_) | Value::Set(_) | Value::List(_) | Value::Map(_)) => return None,
        })
    }

    /// The number of a whole or real number.
    #[inline]
    pub(crate) fn real(self) -> Option<f64> {
        match self {
            Self::Int(value) => Some(f64::from(value)),
            Self::Real(value) => Some(value),
            Self::Missing | Self::Bool(_) | Self::Pooled(_) => None,
        }
    }

    /// Whether the sum of two whole numbers leaves 32 bits.
    #[inline]
    pub(crate) fn plus_overflows(self, added: Self) -> bool {
        matches!((self, added), (Self::Int(one), Self::Int(other)) if one.checked_add(other).is_none())
    }

    /// The value after `added` is added to this one, as [`Value::add`] has it. Nothing is missing in what is added.
    #[inline]
    pub(crate) fn plus(self, added: Self) -> Self {
        match (self, added) {
            (Self::Int(one), Self::Int(other)) => Self::Int(one.wrapping_add(other)),
            (Self::Missing, _) | (_, Self::Missing | Self::Bool(_) | Self::Pooled(_)) => added,
            (_, Self::Int(other)) => Self::Real(self.real().map_or(f64::from(other), |one| one + f64::from(other))),
            (_, Self::Real(other)) => Self::Real(self.real().map_or(other, |one| one + other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Store, Value};

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
            for store in [Store::Tagged, Store::Number] {
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
