//! Sets of possible values.

use std::fmt;

use super::interval::Interval;
use super::scope::Verdict;
use crate::compare::{self, Comparison};
use crate::filter::ValueFilter;
use crate::kinds::Kinds;
use crate::space::Space;
use crate::value::Value;

/// The maximum number of values listed individually before numbers are represented by an interval and other values by their
/// kinds.
const MAX_VALUES: usize = 16;

/// A set of possible values, which may include the missing value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Possible {
    /// The values listed individually.
    values: Vec<Option<Value>>,
    /// An interval of numbers; if present, no other number than NaN is listed individually.
    numbers: Option<Interval>,
    /// The kinds of which all values are included.
    any: Kinds,
}

impl Possible {
    /// Returns the set of all values.
    pub fn any() -> Self {
        Self::of_kinds(Kinds::ANY)
    }

    /// Returns the set of all values of some kinds.
    pub fn of_kinds(kinds: Kinds) -> Self {
        let numbers = kinds.without(Kinds::ANY.without(Kinds::NUMBER));
        Self {
            values: if kinds.meets(Kinds::REAL) { vec![Some(Value::Real(f64::NAN))] } else { Vec::new() },
            numbers: (numbers != Kinds::NONE).then_some(Interval { kinds: numbers, ..Interval::REALS }),
            any: kinds.without(Kinds::NUMBER),
        }
    }

    /// Returns the set of the values of a space. Numbers have the kind of the space.
    pub fn of_space(space: &Space) -> Self {
        let int = |low, high| Self::within(Interval { low, high, kinds: Kinds::INT });
        let listed = |values: &mut dyn Iterator<Item = f64>, kinds| {
            let single = values.map(|value| Interval { low: value, high: value, kinds });
            single.reduce(Interval::hull).map_or_else(Self::default, Self::within)
        };
        match space {
            Space::Bool => Self::of_kinds(Kinds::BOOL),
            Space::FreeText | Space::TextEnum(_) => Self::of_kinds(Kinds::TEXT),
            Space::Set(_) => Self::of_kinds(Kinds::SET),
            Space::FreeInt => Self::of_kinds(Kinds::INT),
            Space::FreeReal | Space::Normal { .. } => Self::of_kinds(Kinds::REAL),
            Space::IntRange { min, max } => int(f64::from(*min), f64::from(*max)),
            Space::RealRange { min, max } => Self::within(Interval::real(*min, *max)),
            Space::IntEnum(members) => listed(&mut members.iter().map(|member| f64::from(*member)), Kinds::INT),
            Space::RealEnum(members) => listed(&mut members.iter().copied(), Kinds::REAL),
        }
    }

    /// Returns the set of one value, which may be missing.
    pub fn one(value: Option<Value>) -> Self {
        Self { values: vec![value], ..Self::default() }
    }

    /// Returns the set of the numbers of an interval.
    pub(super) fn within(numbers: Interval) -> Self {
        if numbers.low.to_bits() == numbers.high.to_bits() && numbers.kinds == Kinds::REAL {
            return Self::one(Some(Value::Real(numbers.low)));
        }
        Self { numbers: Some(numbers), ..Self::default() }
    }

    /// Returns the set without the missing value.
    #[must_use]
    pub(super) fn present(mut self) -> Self {
        self.values.retain(Option::is_some);
        self.any = self.any.without(Kinds::MISSING);
        self
    }

    /// Returns the values if all are listed individually.
    pub fn exact(&self) -> Option<&[Option<Value>]> {
        (self.numbers.is_none() && self.any == Kinds::NONE).then_some(&self.values)
    }

    /// Returns the kinds of the values.
    pub fn kinds(&self) -> Kinds {
        let kinds = self.values.iter().map(|value| Kinds::of(value.as_ref()));
        let kinds = kinds.fold(self.any, |kinds, kind| kinds | kind);
        self.numbers.map_or(kinds, |numbers| kinds | numbers.kinds)
    }

    /// Returns the bounds of the numbers in the set, except NaN; `None` if it contains no numbers.
    pub fn bounds(&self) -> Option<Interval> {
        let single = self.values.iter().flatten().filter_map(|value| {
            let number = value.real().filter(|number| !number.is_nan())?;
            Some(Interval { low: number, high: number, kinds: Kinds::of(Some(value)) })
        });
        single.chain(self.numbers).reduce(Interval::hull)
    }

    /// Whether the set contains NaN.
    pub(super) fn has_nan(&self) -> bool {
        self.values.iter().flatten().any(|value| value.real().is_some_and(f64::is_nan))
    }

    /// Whether the set contains a value that is not a number, or the missing value.
    pub(super) fn has_others(&self) -> bool {
        !self.kinds().within(Kinds::NUMBER)
    }

    /// Adds the values of another set; returns whether the set changed.
    pub fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        for value in &other.values {
            if !self.values.iter().any(|known| same(known.as_ref(), value.as_ref())) {
                self.values.push(value.clone());
            }
        }
        self.numbers = match (self.numbers, other.numbers) {
            (Some(one), Some(other)) => Some(one.hull(other)),
            (one, other) => one.or(other),
        };
        self.any |= other.any;
        self.settle();
        before.values.len() != self.values.len() || before.numbers != self.numbers || before.any != self.any
    }

    /// Adds the values of another set as [`Self::join`] does; a numeric bound that moves is widened to infinity.
    pub(super) fn widen(&mut self, other: &Self) -> bool {
        let before = self.numbers;
        let changed = self.join(other);
        if let (Some(before), Some(after)) = (before, &mut self.numbers) {
            after.low = if after.low < before.low { f64::NEG_INFINITY } else { after.low };
            after.high = if after.high > before.high { f64::INFINITY } else { after.high };
        }
        changed
    }

    /// Replaces individual values by an interval or by kinds if there are too many.
    fn settle(&mut self) {
        let is_number = |value: &Option<Value>| value.as_ref().is_some_and(|v| v.real().is_some_and(|n| !n.is_nan()));
        if self.numbers.is_some() || self.values.iter().filter(|value| is_number(value)).count() > MAX_VALUES {
            self.numbers = self.bounds();
            self.values.retain(|value| !is_number(value));
        }
        let is_other = |value: &Option<Value>| value.as_ref().is_some_and(|value| value.real().is_none());
        if self.values.iter().filter(|value| is_other(value)).count() > MAX_VALUES {
            let others = self.values.iter().filter(|value| is_other(value));
            self.any = others.fold(self.any, |kinds, value| kinds | Kinds::of(value.as_ref()));
        }
        let any = self.any;
        self.values.retain(|value| !Kinds::of(value.as_ref()).within(any));
    }

    /// Returns the sums of a value of `added` and a value of this set; missing values are never added.
    #[must_use]
    pub fn plus(&self, added: &Self) -> Self {
        if let (Some(existing), Some(added)) = (self.exact(), added.exact()) {
            let mut sums = Self::default();
            for added in added.iter().flatten() {
                for existing in existing {
                    sums.join(&Self::one(Some(Value::add(existing.as_ref(), added))));
                }
            }
            return sums;
        }
        let mut sum = Self { any: added.any.without(Kinds::MISSING), ..Self::default() };
        let others = added.values.iter().filter(|value| value.as_ref().is_some_and(|value| value.real().is_none()));
        sum.values.extend(others.cloned());
        if self.has_nan() || added.has_nan() {
            sum.values.push(Some(Value::Real(f64::NAN)));
        }
        if let Some(added) = added.bounds() {
            let existing = self.bounds().map(|existing| existing.plus(added));
            // A number takes the place of a missing value as it is, and of a value that is not a number as a real number.
            let others = self.kinds().without(Kinds::NUMBER);
            let replaced = (others != Kinds::NONE).then(|| {
                let kept = if others.meets(Kinds::MISSING) { added.kinds } else { Kinds::NONE };
                let converted = if others.within(Kinds::MISSING) { Kinds::NONE } else { Kinds::REAL };
                Interval { kinds: kept | converted, ..added }
            });
            sum.numbers = existing.into_iter().chain(replaced).reduce(Interval::hull);
        }
        sum.settle();
        sum
    }

    /// Returns the set with numbers outside a range replaced by its nearest end.
    #[must_use]
    pub(super) fn clamped(&self, space: &Space) -> Self {
        let values = self.values.iter().map(|value| value.clone().map(|value| space.nearest(value))).collect();
        let end = |number: f64| space.nearest(Value::Real(number)).real().unwrap_or(number);
        let numbers = self.numbers.map(|range| Interval {
            low: end(range.low),
            high: end(range.high),
            kinds: range.kinds | Kinds::NUMBER,
        });
        Self { values, numbers, any: self.any }
    }

    /// Returns the possible results of a test on the values of the set.
    pub fn test(&self, filter: &ValueFilter, rules: compare::Rules) -> Verdict {
        let mut verdict = Verdict::NEVER_ASKED;
        for value in &self.values {
            verdict |= Verdict::of(filter.holds(value.as_ref(), rules));
        }
        if self.any != Kinds::NONE {
            verdict |= Verdict::EITHER;
        }
        if let Some(numbers) = &self.numbers {
            verdict |= test_numbers(numbers, filter, rules);
        }
        verdict
    }

    /// Whether the set contains a value of a space.
    pub fn meets(&self, space: &Space) -> bool {
        let numbers = self.numbers.is_some_and(|numbers| match space {
            Space::FreeInt | Space::FreeReal | Space::Normal { .. } => true,
            Space::IntRange { min, max } => numbers.low <= f64::from(*max) && f64::from(*min) <= numbers.high,
            Space::RealRange { min, max } => numbers.low <= *max && *min <= numbers.high,
            Space::IntEnum(members) => members.iter().any(|member| numbers.has(f64::from(*member))),
            Space::RealEnum(members) => members.iter().any(|member| numbers.has(*member)),
            Space::Bool | Space::FreeText | Space::TextEnum(_) | Space::Set(_) => false,
        });
        numbers
            || self.any.meets(Self::of_space(space).kinds())
            || self.values.iter().flatten().any(|value| space.contains(value))
    }
}

/// Returns the possible results of a test on the numbers of an interval.
fn test_numbers(numbers: &Interval, filter: &ValueFilter, rules: compare::Rules) -> Verdict {
    let all = |parts: &[ValueFilter]| {
        parts.iter().map(|part| test_numbers(numbers, part, rules)).fold(Verdict::ALWAYS, Verdict::and)
    };
    match filter {
        ValueFilter::All | ValueFilter::IsNotNull | ValueFilter::IsNotEmpty => Verdict::ALWAYS,
        ValueFilter::None | ValueFilter::IsNull | ValueFilter::IsEmpty | ValueFilter::HasAny(_) => Verdict::NEVER,
        ValueFilter::Compare(comparison, bound) => compared(numbers, *comparison, bound, rules),
        ValueFilter::Range(least, greatest) => {
            let reversed = least.real().zip(greatest.real()).is_some_and(|(least, greatest)| least > greatest);
            let bounds = compared(numbers, Comparison::GreaterOrEqual, least, rules).and(compared(
                numbers,
                Comparison::LessOrEqual,
                greatest,
                rules,
            ));
            if reversed { Verdict::NEVER } else { bounds }
        }
        ValueFilter::OneOf(members) => {
            let members = members.iter().flatten().map(|member| compared(numbers, Comparison::Equal, member, rules));
            members.fold(Verdict::NEVER, Verdict::or)
        }
        ValueFilter::Not(inner) => test_numbers(numbers, inner, rules).not(),
        ValueFilter::And(parts) => all(parts),
        ValueFilter::Or(parts) => {
            parts.iter().map(|part| test_numbers(numbers, part, rules)).fold(Verdict::NEVER, Verdict::or)
        }
        _ => Verdict::EITHER,
    }
}

fn compared(numbers: &Interval, comparison: Comparison, bound: &Value, rules: compare::Rules) -> Verdict {
    let bound = match bound {
        Value::Text(_) => return Verdict::EITHER,
        _ => bound.real(),
    };
    // Other values are not comparable with numbers, so no comparison holds.
    let Some(bound) = bound else { return Verdict::NEVER };
    let signed_zero = bound == 0.0 && numbers.has(0.0) && rules.zeros == compare::Zeros::Signed;
    if bound.is_nan() || signed_zero {
        return Verdict::EITHER;
    }
    let Interval { low, high, .. } = *numbers;
    let equal = Verdict { may: numbers.has(bound), may_not: low < bound || high > bound };
    match comparison {
        Comparison::Equal => equal,
        Comparison::NotEqual => equal.not(),
        Comparison::Greater => Verdict { may: high > bound, may_not: low <= bound },
        Comparison::GreaterOrEqual => Verdict { may: high >= bound, may_not: low < bound },
        Comparison::Less => Verdict { may: low < bound, may_not: high >= bound },
        Comparison::LessOrEqual => Verdict { may: low <= bound, may_not: high > bound },
    }
}

/// Whether two values are indistinguishable, including the order of sets.
fn same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(Value::Real(one)), Some(Value::Real(other))) => one.to_bits() == other.to_bits(),
        (Some(Value::Set(one)), Some(Value::Set(other))) => one.iter().eq(other.iter()),
        _ => one == other,
    }
}

/// Formats the set as a predicate that follows a subject: `is always 3`, `is at most 5`, `never has a value`.
impl fmt::Display for Possible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(values) = self.exact() {
            let shown =
                |value: &Option<Value>| value.as_ref().map_or("missing".to_owned(), |value| format!("`{value}`"));
            return match values {
                [None] => f.write_str("never has a value"),
                [Some(value)] => write!(f, "is always `{value}`"),
                [first @ .., last] if values.len() <= 4 => {
                    let first: Vec<String> = first.iter().map(shown).collect();
                    write!(f, "is always {} or {}", first.join(", "), shown(last))
                }
                _ => f.write_str("has only other values"),
            };
        }
        let whole = self.kinds() == Kinds::INT;
        let bound = |number: f64| if whole { format!("`{number}`") } else { format!("`{}`", Value::Real(number)) };
        match self.bounds().filter(|_| !self.has_others()) {
            Some(Interval { low, high, .. }) if low.is_finite() && high.is_finite() => {
                write!(f, "is always between {} and {}", bound(low), bound(high))
            }
            Some(Interval { low, .. }) if low.is_finite() => write!(f, "is always at least {}", bound(low)),
            Some(Interval { high, .. }) if high.is_finite() => write!(f, "is always at most {}", bound(high)),
            _ => f.write_str("has only other values"),
        }
    }
}
