//! Declared spaces of resources and of action parameters.

use std::fmt;
use std::sync::Arc;

use crate::random::RandomStream;
use crate::value::{Labels, Value};

/// The declaration of a resource: its space and its initial value, which need not be in the space; published games contain ranges
/// whose resource begins outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    /// The space of its values.
    pub space: Space,
    /// The initial value.
    pub initial: Value,
}

/// A set of values that a resource or a parameter may take.
///
/// Games enforce spaces only as [`SpaceBoundsRule`](super::rules::SpaceBoundsRule) prescribes; [`Space::contains`] tests membership.
#[derive(Debug, Clone, PartialEq)]
pub enum Space {
    /// The Booleans.
    Bool,
    /// All strings.
    FreeText,
    /// All 32-bit integers.
    FreeInt,
    /// All real numbers.
    FreeReal,
    /// The integers from `min` to `max`, both inclusive; empty if `min` exceeds `max`.
    IntRange {
        /// The minimum.
        min: i32,
        /// The maximum.
        max: i32,
    },
    /// The real numbers from `min` to `max`, both inclusive; samples exclude `max`.
    RealRange {
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
    },
    /// All real numbers, sampled from a normal distribution.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        standard_deviation: f64,
    },
    /// A finite set of integers.
    IntEnum(Vec<i32>),
    /// A finite set of real numbers.
    RealEnum(Vec<f64>),
    /// A finite set of strings.
    TextEnum(Vec<Arc<str>>),
    /// All subsets of these labels.
    Set(Labels),
}

impl Space {
    /// Whether a value is in the space.
    ///
    /// A real number without a fractional part counts as an integer, since every computed number is real; integers count as real
    /// numbers. A string that looks like a number does not count as one.
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bool, Value::Bool(_)) | (Self::FreeText, Value::Text(_)) => true,
            (Self::TextEnum(members), Value::Text(text)) => members.contains(text),
            (Self::Set(allowed), Value::Set(labels)) => labels.is_subset(allowed),
            (Self::FreeReal | Self::Normal { .. }, value) => value.as_f64().is_some(),
            (Self::RealRange { min, max }, value) => {
                value.as_f64().is_some_and(|number| *min <= number && number <= *max)
            }
            (Self::RealEnum(members), value) => {
                value.as_f64().is_some_and(|number| members.iter().any(|&member| is_same_member(member, number)))
            }
            (Self::FreeInt, value) => whole(value).is_some(),
            (Self::IntRange { min, max }, value) => whole(value).is_some_and(|number| (*min..=*max).contains(&number)),
            (Self::IntEnum(members), value) => whole(value).is_some_and(|number| members.contains(&number)),
            (Self::Bool | Self::FreeText | Self::TextEnum(_) | Self::Set(_), _) => false,
        }
    }
}

impl Space {
    /// Clamps a number to a range. Values that are not numbers, and values of spaces other than ranges, are returned unchanged.
    #[must_use]
    pub fn clamp(&self, value: Value) -> Value {
        match (self, value.as_f64()) {
            (Self::IntRange { min, max }, Some(number)) if min <= max && number < f64::from(*min) => Value::Int(*min),
            (Self::IntRange { min, max }, Some(number)) if min <= max && number > f64::from(*max) => Value::Int(*max),
            (Self::RealRange { min, max }, Some(number)) if min <= max && number < *min => Value::Real(*min),
            (Self::RealRange { min, max }, Some(number)) if min <= max && number > *max => Value::Real(*max),
            _ => value,
        }
    }
}

/// An error of [`Space::sample`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SampleError {
    /// A free space (all strings, all integers or all real numbers), for which no distribution is defined.
    Unbounded,
    /// An empty space: no members, or a range of real numbers whose ends are equal, swapped or not finite.
    Empty,
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unbounded => "its space is unbounded",
            Self::Empty => "its space is empty",
        })
    }
}

impl std::error::Error for SampleError {}

impl Space {
    /// Draws a value at random.
    ///
    /// | space | distribution | numbers drawn |
    /// |---|---|---|
    /// | Booleans | uniform | one |
    /// | range of integers, finite set | uniform | one |
    /// | range of real numbers | uniform, the upper end excluded | one |
    /// | normal | normal | two for each iteration of [`RandomStream::normal`] |
    /// | set of n labels | the first 0 to n - 1 labels of a random permutation, all lengths equally likely: never all labels | n: n - 1 for the permutation, one for the length |
    ///
    /// # Errors
    /// If the space is free or empty. A set space without labels is not empty: its only member is drawn without a random number.
    pub fn sample(&self, stream: &mut RandomStream) -> Result<Value, SampleError> {
        Ok(match self {
            Self::FreeText | Self::FreeInt | Self::FreeReal => return Err(SampleError::Unbounded),
            Self::Bool => Value::Bool(stream.below(2) == 1),
            Self::IntRange { min, max } => Value::Int(between(*min, *max, stream)?),
            Self::RealRange { min, max } => Value::Real(real_between(*min, *max, stream)?),
            Self::Normal { mean, standard_deviation: deviation } => Value::Real(mean + deviation * stream.normal()),
            Self::IntEnum(members) => Value::Int(*random_member(members, stream)?),
            Self::RealEnum(members) => Value::Real(*random_member(members, stream)?),
            Self::TextEnum(members) => Value::Text(random_member(members, stream)?.clone()),
            Self::Set(allowed) => Value::Set(Arc::new(random_subset(allowed, stream))),
        })
    }
}

impl Space {
    /// Returns the members in order of declaration, and subsets in the order of a binary counter over the labels; `None` for free
    /// and continuous spaces, and if there are more than `limit` members.
    pub fn members(&self, limit: usize) -> Option<Vec<Value>> {
        let members: Vec<Value> = match self {
            Self::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Self::IntRange { min, max } => {
                let count = (i64::from(*max) - i64::from(*min) + 1).max(0);
                if usize::try_from(count).map_or(true, |count| count > limit) {
                    return None;
                }
                (*min..=*max).map(Value::Int).collect()
            }
            Self::IntEnum(members) => members.iter().copied().map(Value::Int).collect(),
            Self::RealEnum(members) => members.iter().copied().map(Value::Real).collect(),
            Self::TextEnum(members) => members.iter().cloned().map(Value::Text).collect(),
            Self::FreeText | Self::FreeInt | Self::FreeReal | Self::RealRange { .. } | Self::Normal { .. } => {
                return None;
            }
            Self::Set(labels) => {
                let count = u32::try_from(labels.len()).ok().and_then(|count| 1_usize.checked_shl(count));
                (0..count.filter(|count| *count <= limit)?).map(|bits| subset(labels, bits)).collect()
            }
        };
        (members.len() <= limit).then_some(members)
    }
}

/// Returns the set of the labels whose bits are set, in order of declaration.
fn subset(labels: &Labels, bits: usize) -> Value {
    let chosen = labels.iter().enumerate().filter(|(place, _)| bits >> place & 1 == 1);
    Value::Set(Arc::new(chosen.map(|(_, label)| label.clone()).collect()))
}

fn random_member<'a, T>(members: &'a [T], stream: &mut RandomStream) -> Result<&'a T, SampleError> {
    if members.is_empty() {
        return Err(SampleError::Empty);
    }
    Ok(&members[stream.below(members.len() as u64) as usize])
}

fn between(min: i32, max: i32, stream: &mut RandomStream) -> Result<i32, SampleError> {
    if min > max {
        return Err(SampleError::Empty);
    }
    let count = u64::from(max.abs_diff(min)) + 1;
    Ok(min.wrapping_add_unsigned(stream.below(count) as u32))
}

fn real_between(min: f64, max: f64, stream: &mut RandomStream) -> Result<f64, SampleError> {
    if !(min.is_finite() && max.is_finite() && min < max) {
        return Err(SampleError::Empty);
    }
    let uniform = stream.uniform();
    // Halves avoid the overflow of ranges wider than the largest finite number.
    let half = uniform * (max / 2.0 - min / 2.0);
    let sum = if (max - min).is_finite() { min + uniform * (max - min) } else { min + half + half };
    Ok(if sum < max { sum } else { max.next_down() })
}

/// Draws a random subset by a Fisher-Yates shuffle from the end, truncated to a random length.
fn random_subset(allowed: &Labels, stream: &mut RandomStream) -> Labels {
    let mut labels: Vec<Arc<str>> = allowed.iter().cloned().collect();
    for last in (1..labels.len()).rev() {
        labels.swap(last, stream.below(last as u64 + 1) as usize);
    }
    let length = if labels.is_empty() { 0 } else { stream.below(labels.len() as u64) as usize };
    labels.truncate(length);
    labels.into_iter().collect()
}

/// Whether two real numbers are the same member; unlike IEEE equality, NaN is the same as NaN.
fn is_same_member(one: f64, other: f64) -> bool {
    one.partial_cmp(&other).map_or(one.is_nan() && other.is_nan(), std::cmp::Ordering::is_eq)
}

fn whole(value: &Value) -> Option<i32> {
    match *value {
        Value::Int(number) => Some(number),
        Value::Real(number) => {
            let nearest = number as i32;
            is_same_member(f64::from(nearest), number).then_some(nearest)
        }
        Value::Bool(_) | Value::Text(_) | Value::Set(_) | Value::List(_) | Value::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Value::{Bool, Int, Real};
    use super::{Labels, RandomStream, SampleError, Space, Value};

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
    fn the_nearest_member_of_a_range() {
        let space = Space::IntRange { min: 0, max: 5 };
        let cases =
            [(Int(6), Int(5)), (Real(5.5), Int(5)), (Int(-1), Int(0)), (Real(0.5), Real(0.5)), (Int(3), Int(3))];
        for (value, nearest) in cases {
            assert_eq!(space.clamp(value), nearest);
        }
        assert_eq!(space.clamp(Bool(true)), Bool(true));
        assert_eq!(Space::IntRange { min: 5, max: 0 }.clamp(Int(9)), Int(9));
        assert_eq!(Space::RealRange { min: 0.0, max: 1.0 }.clamp(Int(9)), Real(1.0));
    }

    #[test]
    fn sets_of_allowed_labels() {
        let space = Space::Set(["red", "blue"].into_iter().map(Into::into).collect());
        assert!(space.contains(&Value::set(["blue"])) && space.contains(&Value::set([])));
        assert!(!space.contains(&Value::set(["blue", "green"])) && !space.contains(&Value::text("blue")));
    }

    fn labels<const N: usize>(labels: [&str; N]) -> Labels {
        labels.into_iter().map(Into::into).collect()
    }

    /// Returns the frequency of each value in 20,000 draws; panics on any other value.
    fn counts(space: &Space, values: &[Value]) -> Vec<u32> {
        let mut stream = RandomStream::new(11, 0);
        let mut counts = vec![0; values.len()];
        for _ in 0..20_000 {
            let value = space.sample(&mut stream).unwrap();
            let place = values.iter().position(|known| *known == value).unwrap_or_else(|| panic!("{value}"));
            counts[place] += 1;
        }
        counts
    }

    /// Checks counts out of 20,000 draws against probabilities, within five standard errors.
    fn check(counts: &[u32], probabilities: &[f64]) {
        for (&count, &probability) in counts.iter().zip(probabilities) {
            let [mean, variance] = [20_000.0 * probability, 20_000.0 * probability * (1.0 - probability)];
            assert!((f64::from(count) - mean).abs() <= 5.0 * variance.sqrt(), "{count} for {probability}");
        }
    }

    #[test]
    fn members_are_equally_likely() {
        check(&counts(&Space::Bool, &[Bool(true), Bool(false)]), &[0.5; 2]);
        check(&counts(&Space::IntRange { min: -1, max: 1 }, &[-1, 0, 1].map(Int)), &[1.0 / 3.0; 3]);
        check(&counts(&Space::IntEnum(vec![7, 9]), &[7, 9].map(Int)), &[0.5; 2]);
        check(&counts(&Space::RealEnum(vec![0.5, 2.0]), &[0.5, 2.0].map(Real)), &[0.5; 2]);
        let texts = Space::TextEnum(["a", "b", "c"].map(Into::into).to_vec());
        check(&counts(&texts, &["a", "b", "c"].map(Value::text)), &[1.0 / 3.0; 3]);
    }

    #[test]
    fn a_sampled_set_is_a_proper_part_with_every_length_equally_likely() {
        let space = Space::Set(labels(["r", "g", "b"]));
        let sets = [&[][..], &["r"], &["g"], &["b"], &["r", "g"], &["r", "b"], &["g", "b"]];
        let sets = sets.map(|labels| Value::set(labels.iter().copied()));
        let [third, ninth] = [1.0 / 3.0, 1.0 / 9.0];
        check(&counts(&space, &sets), &[third, ninth, ninth, ninth, ninth, ninth, ninth]);
        check(&counts(&Space::Set(labels(["r"])), &[Value::set([])]), &[1.0]);
        check(&counts(&Space::Set(labels([])), &[Value::set([])]), &[1.0]);
    }

    #[test]
    fn real_samples() {
        let mut stream = RandomStream::new(3, 0);
        let wide = Space::RealRange { min: f64::MIN, max: f64::MAX };
        let [mut sum, mut normal] = [0.0; 2];
        let mut negative = 0;
        for _ in 0..10_000 {
            let value = Space::RealRange { min: 2.0, max: 4.0 }.sample(&mut stream).unwrap().as_f64().unwrap();
            assert!((2.0..4.0).contains(&value));
            sum += value;
            normal +=
                Space::Normal { mean: 1.0, standard_deviation: 2.0 }.sample(&mut stream).unwrap().as_f64().unwrap();
            let value = wide.sample(&mut stream).unwrap().as_f64().unwrap();
            assert!(value.is_finite());
            negative += u32::from(value < 0.0);
        }
        // Five standard errors over 10,000 draws, with standard deviations 2 / sqrt(12) and 2, and 50 for the count.
        assert!((sum / 10_000.0 - 3.0).abs() < 0.03, "{sum}");
        assert!((normal / 10_000.0 - 1.0).abs() < 0.1, "{normal}");
        assert!((4750..5250).contains(&negative), "{negative}");
    }

    #[test]
    fn the_whole_range_of_whole_numbers_can_be_sampled() {
        let mut stream = RandomStream::new(3, 0);
        let space = Space::IntRange { min: i32::MIN, max: i32::MAX };
        let negative = (0..10_000).filter(|_| matches!(space.sample(&mut stream), Ok(Int(..0)))).count();
        assert!((4750..5250).contains(&negative), "{negative}");
    }

    #[test]
    fn samples_draw_as_many_numbers_as_documented() {
        let spaces = [
            (Space::Bool, 1),
            (Space::IntRange { min: 4, max: 4 }, 1),
            (Space::RealRange { min: 0.0, max: 1.0 }, 1),
            (Space::TextEnum(vec!["a".into()]), 1),
            (Space::Set(labels(["r", "g", "b"])), 3),
            (Space::Set(labels([])), 0),
        ];
        for (space, drawn) in spaces {
            let [mut sampled, mut counted] = [RandomStream::new(5, 5), RandomStream::new(5, 5)];
            space.sample(&mut sampled).unwrap();
            for _ in 0..drawn {
                counted.next_u64();
            }
            assert_eq!(sampled, counted, "{space:?}");
        }
    }

    #[test]
    fn free_and_empty_spaces_cannot_be_sampled() {
        let mut stream = RandomStream::new(0, 0);
        for space in [Space::FreeText, Space::FreeInt, Space::FreeReal] {
            assert_eq!(space.sample(&mut stream), Err(SampleError::Unbounded));
        }
        let empty = [
            Space::IntRange { min: 10, max: 1 },
            Space::RealRange { min: 1.0, max: 1.0 },
            Space::RealRange { min: f64::NAN, max: 1.0 },
            Space::IntEnum(vec![]),
            Space::TextEnum(vec![]),
        ];
        for space in empty {
            assert_eq!(space.sample(&mut stream), Err(SampleError::Empty), "{space:?}");
        }
        assert_eq!(stream, RandomStream::new(0, 0));
    }
}
