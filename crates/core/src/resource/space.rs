//! What a resource or a parameter of an action is declared to range over.

use std::sync::Arc;

use super::value::{Labels, Value};

/// A declared space and the value to begin with. The value need not be in the space: ranges whose resource begins outside
/// are in use.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    /// What it ranges over.
    pub space: Space,
    /// The value that a resource begins with.
    pub initial: Value,
}

/// The values that a resource or a parameter may take.
///
/// Play does not hold values to their spaces of its own accord; [`Space::contains`] is for whoever checks or counts.
#[derive(Debug, Clone, PartialEq)]
pub enum Space {
    /// True and false.
    Bool,
    /// Any text.
    FreeText,
    /// Any whole number of 32 bits.
    FreeInt,
    /// Any real number.
    FreeReal,
    /// The whole numbers from `min` to `max`, both included; none when `min` is more than `max`.
    IntRange {
        /// The least.
        min: i32,
        /// The greatest.
        max: i32,
    },
    /// The real numbers from `min` to `max`, both included; drawn at random, `max` is not.
    RealRange {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
    },
    /// Real numbers, drawn from the normal distribution; every number is a member.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        deviation: f64,
    },
    /// One of these whole numbers.
    IntEnum(Vec<i32>),
    /// One of these real numbers.
    RealEnum(Vec<f64>),
    /// One of these texts.
    TextEnum(Vec<Arc<str>>),
    /// The sets of some of these labels.
    Set(Labels),
}

impl Space {
    /// Whether a value is in the space.
    ///
    /// A real number without a fraction is a whole number here, since every computed number is real; whole numbers are real ones.
    /// Text that looks like a number is not one.
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bool, Value::Bool(_)) | (Self::FreeText, Value::Text(_)) => true,
            (Self::TextEnum(members), Value::Text(text)) => members.contains(text),
            (Self::Set(allowed), Value::Set(labels)) => labels.is_subset(allowed),
            (Self::FreeReal | Self::Normal { .. }, value) => value.real().is_some(),
            (Self::RealRange { min, max }, value) => {
                value.real().is_some_and(|number| *min <= number && number <= *max)
            }
            (Self::RealEnum(members), value) => {
                value.real().is_some_and(|number| members.iter().any(|&member| same(member, number)))
            }
            (Self::FreeInt, value) => whole(value).is_some(),
            (Self::IntRange { min, max }, value) => whole(value).is_some_and(|number| (*min..=*max).contains(&number)),
            (Self::IntEnum(members), value) => whole(value).is_some_and(|number| members.contains(&number)),
            (Self::Bool | Self::FreeText | Self::TextEnum(_) | Self::Set(_), _) => false,
        }
    }
}

/// Whether two real numbers are the same member: NaN, which may be declared, is the same as itself.
fn same(one: f64, other: f64) -> bool {
    one.partial_cmp(&other).map_or(one.is_nan() && other.is_nan(), std::cmp::Ordering::is_eq)
}

fn whole(value: &Value) -> Option<i32> {
    match *value {
        Value::Int(number) => Some(number),
        Value::Real(number) => {
            let nearest = number as i32;
            same(f64::from(nearest), number).then_some(nearest)
        }
        Value::Bool(_) | Value::Text(_) | Value::Set(_) | Value::List(_) | Value::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Value::{Bool, Int, Real};
    use super::{Space, Value};

    #[test]
    fn whole_numbers_may_be_real() {
        let space = Space::IntRange { min: 0, max: 5 };
        assert!(space.contains(&Int(5)) && space.contains(&Real(5.0)));
        for outside in [Int(6), Int(-1), Real(0.5), Real(f64::NAN), Real(1e20), Bool(true), Value::text("3")] {
            assert!(!space.contains(&outside), "{outside}");
        }
        assert!(!Space::IntRange { min: 3, max: 1 }.contains(&Int(2)));
    }

    #[test]
    fn real_spaces() {
        let space = Space::RealRange { min: 0.0, max: 1.0 };
        assert!(space.contains(&Int(1)) && space.contains(&Real(0.5)) && !space.contains(&Real(f64::NAN)));
        assert!(Space::FreeReal.contains(&Real(f64::NAN)) && !Space::FreeReal.contains(&Bool(false)));
        assert!(Space::RealEnum(vec![2.0]).contains(&Int(2)));
    }

    #[test]
    fn sets_of_allowed_labels() {
        let space = Space::Set(["red", "blue"].into_iter().map(Into::into).collect());
        assert!(space.contains(&Value::set(["blue"])) && space.contains(&Value::set([])));
        assert!(!space.contains(&Value::set(["blue", "green"])) && !space.contains(&Value::text("blue")));
    }
}
