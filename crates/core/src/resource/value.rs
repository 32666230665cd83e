//! Values of resources.

use std::fmt;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::number;

/// A set of labels, in the order in which they came; two sets are equal when they have the same members in whatever order.
pub type Labels = IndexSet<Arc<str>, FxBuildHasher>;

/// A value of a resource. That there is none is `None` of `Option<Value>`.
///
/// Equality is that of kind and content: `Int(1)` is not `Real(1.0)`. What a game takes for equal is in [`super::compare`].
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number. One that does not fit is a [`Value::Real`] from the start.
    Int(i32),
    /// A real number; infinities and NaN are kept.
    Real(f64),
    /// True or false.
    Bool(bool),
    /// Text.
    Text(Arc<str>),
    /// A set of labels.
    Set(Arc<Labels>),
    /// A list; members may be missing.
    List(Arc<[Option<Value>]>),
    /// A map from names to values, which may be missing.
    Map(Arc<Entries>),
}

/// The entries of a map, in the order in which they came.
pub type Entries = IndexMap<Arc<str>, Option<Value>, FxBuildHasher>;

impl Value {
    /// A text.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// A set of labels; repeated ones count once.
    pub fn set<'a>(labels: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Set(Arc::new(labels.into_iter().map(Arc::from).collect()))
    }

    /// The number of a whole or real number; `None` for everything else, texts that look like numbers included.
    pub fn real(&self) -> Option<f64> {
        match *self {
            Self::Int(value) => Some(f64::from(value)),
            Self::Real(value) => Some(value),
            Self::Bool(_) | Self::Text(_) | Self::Set(_) | Self::List(_) | Self::Map(_) => None,
        }
    }

    /// What the value stands for in a numeric expression: a number itself, a text as [`number::in_expression`] reads it.
    /// Everything else stands for nothing.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Text(text) => number::in_expression(text),
            _ => self.real(),
        }
    }

    /// What the value stands for in a boolean expression: a truth value itself, a whole number whether it is other than 0,
    /// the texts `true` and `false` (also all in capitals or with a first capital, blanks around them aside).
    /// Everything else stands for nothing, real numbers included, even whole ones.
    pub fn as_truth(&self) -> Option<bool> {
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

    /// Whether the sum of two whole numbers leaves 32 bits; [`add`](Self::add) wraps it around.
    pub fn add_overflows(existing: Option<&Self>, added: &Self) -> bool {
        match (existing, added) {
            (Some(Self::Int(existing)), Self::Int(added)) => existing.checked_add(*added).is_none(),
            _ => false,
        }
    }

    /// The value after `added` is added to what there is.
    ///
    /// * Two whole numbers give a whole number, which wraps around at 32 bits.
    /// * Two numbers of which one is real give a real one.
    /// * A number added to nothing is that number, whole if it was whole.
    /// * A number added to anything else takes its place, as a real number.
    /// * What is no number takes the place of whatever there is.
    ///
    /// Replacing needs no rule: the new value stands, and replacing by nothing removes the resource.
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

/// The sum, or `added` alone where `existing` is no number.
fn sum(existing: &Value, added: f64) -> f64 {
    existing.real().map_or(added, |existing| existing + added)
}

/// The text form, which tests of text see: `5`, `5.0`, `3.0E9`, `true`, the text itself, `[red, blue]`, `{f=s, r=null}`.
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

/// The text form of a value that may be missing: then it is `null`.
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
    fn adding_to_what_is_no_number_replaces_it() {
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
        assert_eq!(Int(5).as_truth(), Some(true));
        assert_eq!(Real(1.0).as_truth(), None);
        assert_eq!(Value::text("TRUE").as_truth(), Some(true));
        assert_eq!(Value::text("tRUE").as_truth(), None);
    }
}
