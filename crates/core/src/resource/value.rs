//! Values of resources.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexSet;
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
}

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
            Self::Bool(_) | Self::Text(_) | Self::Set(_) => None,
        }
    }

    /// What the value stands for in a numeric expression: a number itself, a text as [`number::in_expression`] reads it.
    /// Truth values and sets stand for nothing.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Text(text) => number::in_expression(text),
            _ => self.real(),
        }
    }

    /// What the value stands for in a boolean expression: a truth value itself, a whole number whether it is other than 0,
    /// the texts `true` and `false` (also all in capitals or with a first capital, blanks around them aside).
    /// Real numbers, even whole ones, other texts and sets stand for nothing.
    pub fn as_truth(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            Self::Int(value) => Some(*value != 0),
            Self::Text(text) => match text.trim() {
                "true" | "True" | "TRUE" => Some(true),
                "false" | "False" | "FALSE" => Some(false),
                _ => None,
            },
            Self::Real(_) | Self::Set(_) => None,
        }
    }

    /// The value after `added` is added to what there is.
    ///
    /// * Two whole numbers give a whole number, which wraps around at 32 bits.
    /// * Two numbers of which one is real give a real one.
    /// * A number added to nothing is that number, whole if it was whole.
    /// * A number added to a truth value, a text or a set takes its place, as a real number.
    /// * A truth value, a text or a set takes the place of whatever there is.
    ///
    /// Replacing needs no rule: the new value stands, and replacing by nothing removes the resource.
    #[must_use]
    pub fn add(existing: Option<&Self>, added: &Self) -> Self {
        match (existing, added) {
            (None, _) | (_, Self::Bool(_) | Self::Text(_) | Self::Set(_)) => added.clone(),
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

/// The text form, which tests of text see: `5`, `5.0`, `3.0E9`, `true`, the text itself, `[red, blue]`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Real(value) => number::write_real(f, *value),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(text),
            Self::Set(labels) => {
                f.write_str("[")?;
                for (index, label) in labels.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    f.write_str(label)?;
                }
                f.write_str("]")
            }
        }
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
