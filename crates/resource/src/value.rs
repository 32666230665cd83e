//! Values of resources.

use std::fmt;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::number;

/// A set of labels in insertion order; equality ignores the order.
pub type Labels = IndexSet<Arc<str>, FxBuildHasher>;

/// A value of a resource; a missing value is `None` of `Option<Value>`.
///
/// Equality compares kind and content: `Int(1)` differs from `Real(1.0)`. The equality of games is in [`super::compare`].
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A 32-bit integer; a literal outside this range is read as [`Value::Real`].
    Int(i32),
    /// A real number; infinities and NaN are kept.
    Real(f64),
    /// A Boolean.
    Bool(bool),
    /// A string.
    Text(Arc<str>),
    /// A set of labels.
    Set(Arc<Labels>),
    /// A list; members may be missing.
    List(Arc<[Option<Value>]>),
    /// A map from names to values; values may be missing.
    Map(Arc<MapEntries>),
}

/// The entries of a map in insertion order.
pub type MapEntries = IndexMap<Arc<str>, Option<Value>, FxBuildHasher>;

impl Value {
    /// Returns a string value.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// Returns a set of labels without duplicates.
    pub fn set<'a>(labels: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Set(Arc::new(labels.into_iter().map(Arc::from).collect()))
    }

    /// Returns the number of an integer or real value; `None` for every other value, including strings that look like numbers.
    pub fn as_f64(&self) -> Option<f64> {
        match *self {
            Self::Int(value) => Some(f64::from(value)),
            Self::Real(value) => Some(value),
            Self::Bool(_) | Self::Text(_) | Self::Set(_) | Self::List(_) | Self::Map(_) => None,
        }
    }

    /// Converts the value to an operand of a numeric expression: a number to itself, a string as [`number::parse_operand`] parses
    /// it. Returns `None` for every other value.
    pub fn to_number(&self) -> Option<f64> {
        match self {
            Self::Text(text) => number::parse_operand(text),
            _ => self.as_f64(),
        }
    }

    /// Converts the value to an operand of a Boolean expression: a Boolean to itself, an integer to whether it differs from 0,
    /// and the strings `true`, `True`, `TRUE`, `false`, `False` and `FALSE`, with optional surrounding whitespace. Returns `None`
    /// for every other value, including all real numbers.
    pub fn to_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            Self::Int(value) => Some(*value != 0),
            Self::Text(text) => match text.trim() {
                "true" | "True" | "TRUE" => Some(true),
                "false" | "False" | "FALSE" => Some(false),
                _ => None,
            },
            Self::Real(_) | Self::Set(_) | Self::List(_) | Self::Map(_) => None,
        }
    }

    /// Whether the sum of two integers exceeds 32 bits, in which case [`add`](Self::add) wraps around.
    pub fn add_overflows(existing: Option<&Self>, added: &Self) -> bool {
        match (existing, added) {
            (Some(Self::Int(existing)), Self::Int(added)) => existing.checked_add(*added).is_none(),
            _ => false,
        }
    }

    /// Returns the value after adding `added` to `existing`.
    ///
    /// * Two integers give an integer, which wraps around at 32 bits.
    /// * An integer and a real number, or two real numbers, give a real number.
    /// * A number added to a missing value is that number, of the same kind.
    /// * A number added to a value of another kind replaces it, as a real number.
    /// * A value that is not a number replaces the existing value.
    ///
    /// Replacement has no such rules: the new value is stored as it is, and a missing value removes the resource.
    #[must_use]
    pub fn add(existing: Option<&Self>, added: &Self) -> Self {
        match (existing, added) {
            (None, _) | (_, Self::Bool(_) | Self::Text(_) | Self::Set(_) | Self::List(_) | Self::Map(_)) => {
                added.clone()
            }
            (Some(Self::Int(existing)), Self::Int(added)) => Self::Int(existing.wrapping_add(*added)),
            (Some(existing), Self::Int(added)) => Self::Real(sum(existing, f64::from(*added))),
            (Some(existing), Self::Real(added)) => Self::Real(sum(existing, *added)),
        }
    }
}

/// Returns the sum, or `added` alone where `existing` is not a number.
fn sum(existing: &Value, added: f64) -> f64 {
    existing.as_f64().map_or(added, |existing| existing + added)
}

/// The text form, which string tests see: `5`, `5.0`, `3.0E9`, `true`, the string itself, `[red, blue]`, `{f=s, r=null}`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Real(value) => number::write_real(f, *value),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(text),
            Self::Set(labels) => {
                f.write_str("[")?;
                separated(f, labels.iter(), |f, label| f.write_str(label))?;
                f.write_str("]")
            }
            Self::List(members) => {
                f.write_str("[")?;
                separated(f, members.iter(), |f, member| write_optional(f, member.as_ref()))?;
                f.write_str("]")
            }
            Self::Map(entries) => {
                f.write_str("{")?;
                separated(f, entries.iter(), |f, (name, value)| {
                    write!(f, "{name}=")?;
                    write_optional(f, value.as_ref())
                })?;
                f.write_str("}")
            }
        }
    }
}

fn separated<T>(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        write(f, item)?;
    }
    Ok(())
}

/// Writes the text form of a value, or `null` for a missing one.
fn write_optional(f: &mut fmt::Formatter<'_>, value: Option<&Value>) -> fmt::Result {
    match value {
        Some(value) => write!(f, "{value}"),
        None => f.write_str("null"),
    }
}

#[cfg(test)]
mod tests {
    use super::Value::{self, Bool, Int, Real};

    #[test]
    fn adding_keeps_whole_numbers_whole_and_wraps() {
        assert_eq!(Value::add(Some(&Int(2)), &Int(3)), Int(5));
        assert_eq!(Value::add(Some(&Int(i32::MAX)), &Int(1)), Int(i32::MIN));
        assert_eq!(Value::add(Some(&Int(2)), &Real(0.5)), Real(2.5));
        assert_eq!(Value::add(Some(&Real(0.5)), &Int(2)), Real(2.5));
        assert_eq!(Value::add(None, &Int(2)), Int(2));
    }

    #[test]
    fn adding_to_a_value_other_than_a_number_replaces_it() {
        assert_eq!(Value::add(Some(&Bool(true)), &Int(2)), Real(2.0));
        assert_eq!(Value::add(Some(&Value::text("7")), &Real(-0.0)), Real(-0.0));
        assert_eq!(Value::add(Some(&Int(2)), &Bool(false)), Bool(false));
        assert_eq!(Value::add(Some(&Int(2)), &Value::set(["red"])), Value::set(["red"]));
    }

    #[test]
    fn text_forms() {
        let cases = [
            (Real(5.0), "5.0"),
            (Real(3e9), "3.0E9"),
            (Real(1.5e-7), "1.5E-7"),
            (Real(9_999_999.0), "9999999.0"),
            (Real(1e7), "1.0E7"),
            (Real(0.001), "0.001"),
            (Real(-0.0), "-0.0"),
            (Real(f64::NEG_INFINITY), "-Infinity"),
            (Real(f64::NAN), "NaN"),
            (Value::set(["red", "blue", "red"]), "[red, blue]"),
        ];
        for (value, text) in cases {
            assert_eq!(value.to_string(), text);
        }
    }

    #[test]
    fn truths() {
        assert_eq!(Int(5).to_bool(), Some(true));
        assert_eq!(Real(1.0).to_bool(), None);
        assert_eq!(Value::text("TRUE").to_bool(), Some(true));
        assert_eq!(Value::text("tRUE").to_bool(), None);
    }
}
