//! Sets of possible values.

use std::fmt;

use super::evaluate::TruthSet;
use super::interval::Interval;
use crate::compare::{self, ComparisonOperator};
use crate::filter::ValueFilter;
use crate::kinds::KindSet;
use crate::space::Space;
use crate::value::Value;

/// The maximum number of values listed individually before numbers are represented by an interval and other values by their
/// kinds.
const MAX_VALUES: usize = 16;

/// A set of possible values, which may include the missing value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ValueSet {
    /// The values listed individually.
    values: Vec<Option<Value>>,
    /// An interval of numbers; if present, no other number than NaN is listed individually.
    numbers: Option<Interval>,
    /// The kinds of which all values are included.
    any: KindSet,
}

impl ValueSet {
    /// Returns the set of all values.
    pub fn all() -> Self {
        Self::of_kinds(KindSet::ALL)
    }

    /// Returns the set of all values of some kinds.
    pub fn of_kinds(kinds: KindSet) -> Self {
        let numbers = kinds.difference(KindSet::ALL.difference(KindSet::NUMBER));
        Self {
            values: if kinds.intersects(KindSet::REAL) { vec![Some(Value::Real(f64::NAN))] } else { Vec::new() },
            numbers: (numbers != KindSet::EMPTY).then_some(Interval { kinds: numbers, ..Interval::REALS }),
            any: kinds.difference(KindSet::NUMBER),
        }
    }

    /// Returns the set of the values of a space. Numbers have the kind of the space.
    pub fn of_space(space: &Space) -> Self {
        let int = |low, high| Self::within(Interval { low, high, kinds: KindSet::INT });
        let listed = |values: &mut dyn Iterator<Item = f64>, kinds| {
            let single = values.map(|value| Interval { low: value, high: value, kinds });
            single.reduce(Interval::hull).map_or_else(Self::default, Self::within)
        };
        match space {
            Space::Bool => Self::of_kinds(KindSet::BOOL),
            Space::FreeText | Space::TextEnum(_) => Self::of_kinds(KindSet::TEXT),
            Space::Set(_) => Self::of_kinds(KindSet::SET),
            Space::FreeInt => Self::of_kinds(KindSet::INT),
            Space::FreeReal | Space::Normal { .. } => Self::of_kinds(KindSet::REAL),
            Space::IntRange { min, max } => int(f64::from(*min), f64::from(*max)),
            Space::RealRange { min, max } => Self::within(Interval::real(*min, *max)),
            Space::IntEnum(members) => listed(&mut members.iter().map(|member| f64::from(*member)), KindSet::INT),
            Space::RealEnum(members) => listed(&mut members.iter().copied(), KindSet::REAL),
        }
    }

    /// Returns the set of one value, which may be missing.
    pub fn singleton(value: Option<Value>) -> Self {
        Self { values: vec![value], ..Self::default() }
    }

    /// Returns the set of the numbers of an interval.
    pub(super) fn within(numbers: Interval) -> Self {
        if numbers.low.to_bits() == numbers.high.to_bits() && numbers.kinds == KindSet::REAL {
            return Self::singleton(Some(Value::Real(numbers.low)));
        }
        Self { numbers: Some(numbers), ..Self::default() }
    }

    /// Returns the set without the missing value.
    #[must_use]
    pub(super) fn present(mut self) -> Self {
        self.values.retain(Option::is_some);
        self.any = self.any.difference(KindSet::MISSING);
        self
    }

    /// Returns the values if all are listed individually.
    pub fn listed_values(&self) -> Option<&[Option<Value>]> {
        (self.numbers.is_none() && self.any == KindSet::EMPTY).then_some(&self.values)
    }

    /// Returns the kinds of the values.
    pub fn kinds(&self) -> KindSet {
        let kinds = self.values.iter().map(|value| KindSet::of(value.as_ref()));
        let kinds = kinds.fold(self.any, |kinds, kind| kinds | kind);
        self.numbers.map_or(kinds, |numbers| kinds | numbers.kinds)
    }

    /// Returns the bounds of the numbers in the set, except NaN; `None` if it contains no numbers.
    pub fn bounds(&self) -> Option<Interval> {
        let single = self.values.iter().flatten().filter_map(|value| {
            let number = value.as_f64().filter(|number| !number.is_nan())?;
            Some(Interval { low: number, high: number, kinds: KindSet::of(Some(value)) })
        });
        single.chain(self.numbers).reduce(Interval::hull)
    }

    /// Whether the set contains NaN.
    pub(super) fn has_nan(&self) -> bool {
        self.values.iter().flatten().any(|value| value.as_f64().is_some_and(f64::is_nan))
    }

    /// Whether the set contains a value that is not a number, or the missing value.
    pub(super) fn has_non_numbers(&self) -> bool {
        !self.kinds().is_subset(KindSet::NUMBER)
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
        self.coarsen();
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
    fn coarsen(&mut self) {
        let is_number = |value: &Option<Value>| value.as_ref().is_some_and(|v| v.as_f64().is_some_and(|n| !n.is_nan()));
        if self.numbers.is_some() || self.values.iter().filter(|value| is_number(value)).count() > MAX_VALUES {
            self.numbers = self.bounds();
            self.values.retain(|value| !is_number(value));
        }
        let is_other = |value: &Option<Value>| value.as_ref().is_some_and(|value| value.as_f64().is_none());
        if self.values.iter().filter(|value| is_other(value)).count() > MAX_VALUES {
            let others = self.values.iter().filter(|value| is_other(value));
            self.any = others.fold(self.any, |kinds, value| kinds | KindSet::of(value.as_ref()));
        }
        let any = self.any;
        self.values.retain(|value| !KindSet::of(value.as_ref()).is_subset(any));
    }

    /// Returns the sums of a value of `added` and a value of this set; missing values are never added.
    #[must_use]
    pub fn plus(&self, added: &Self) -> Self {
        if let (Some(existing), Some(added)) = (self.listed_values(), added.listed_values()) {
            let mut sums = Self::default();
            for added in added.iter().flatten() {
                for existing in existing {
                    sums.join(&Self::singleton(Some(Value::add(existing.as_ref(), added))));
                }
            }
            return sums;
        }
        let mut sum = Self { any: added.any.difference(KindSet::MISSING), ..Self::default() };
        let others = added.values.iter().filter(|value| value.as_ref().is_some_and(|value| value.as_f64().is_none()));
        sum.values.extend(others.cloned());
        if self.has_nan() || added.has_nan() {
            sum.values.push(Some(Value::Real(f64::NAN)));
        }
        if let Some(added) = added.bounds() {
            let existing = self.bounds().map(|existing| existing.plus(added));
            // A number takes the place of a missing value as it is, and of a value that is not a number as a real number.
            let others = self.kinds().difference(KindSet::NUMBER);
            let replaced = (others != KindSet::EMPTY).then(|| {
                let kept = if others.intersects(KindSet::MISSING) { added.kinds } else { KindSet::EMPTY };
                let converted = if others.is_subset(KindSet::MISSING) { KindSet::EMPTY } else { KindSet::REAL };
                Interval { kinds: kept | converted, ..added }
            });
            sum.numbers = existing.into_iter().chain(replaced).reduce(Interval::hull);
        }
        sum.coarsen();
        sum
    }

    /// Returns the set with numbers outside a range replaced by its nearest end.
    #[must_use]
    pub(super) fn clamped(&self, space: &Space) -> Self {
        let values = self.values.iter().map(|value| value.clone().map(|value| space.clamp(value))).collect();
        let end = |number: f64| space.clamp(Value::Real(number)).as_f64().unwrap_or(number);
        let numbers = self.numbers.map(|range| Interval {
            low: end(range.low),
            high: end(range.high),
            kinds: range.kinds | KindSet::NUMBER,
        });
        Self { values, numbers, any: self.any }
    }

    /// Returns the possible results of a test on the values of the set.
    pub fn test(&self, filter: &ValueFilter, rules: compare::ComparisonRules) -> TruthSet {
        let mut verdict = TruthSet::EMPTY;
        for value in &self.values {
            verdict |= TruthSet::of(filter.holds(value.as_ref(), rules));
        }
        if self.any != KindSet::EMPTY {
            verdict |= TruthSet::EITHER;
        }
        if let Some(numbers) = &self.numbers {
            verdict |= test_numbers(numbers, filter, rules);
        }
        verdict
    }

    /// Whether the set contains a value of a space.
    pub fn intersects(&self, space: &Space) -> bool {
        let numbers = self.numbers.is_some_and(|numbers| match space {
            Space::FreeInt | Space::FreeReal | Space::Normal { .. } => true,
            Space::IntRange { min, max } => numbers.low <= f64::from(*max) && f64::from(*min) <= numbers.high,
            Space::RealRange { min, max } => numbers.low <= *max && *min <= numbers.high,
            Space::IntEnum(members) => members.iter().any(|member| numbers.contains(f64::from(*member))),
            Space::RealEnum(members) => members.iter().any(|member| numbers.contains(*member)),
            Space::Bool | Space::FreeText | Space::TextEnum(_) | Space::Set(_) => false,
        });
        numbers
            || self.any.intersects(Self::of_space(space).kinds())
            || self.values.iter().flatten().any(|value| space.contains(value))
    }
}

/// Returns the possible results of a test on the numbers of an interval.
fn test_numbers(numbers: &Interval, filter: &ValueFilter, rules: compare::ComparisonRules) -> TruthSet {
    let all = |parts: &[ValueFilter]| {
        parts.iter().map(|part| test_numbers(numbers, part, rules)).fold(TruthSet::ALWAYS, TruthSet::and)
    };
    match filter {
        ValueFilter::Always | ValueFilter::IsNotNull | ValueFilter::IsNotEmpty => TruthSet::ALWAYS,
        ValueFilter::Never | ValueFilter::IsNull | ValueFilter::IsEmpty | ValueFilter::HasAny(_) => TruthSet::NEVER,
        ValueFilter::Compare(comparison, bound) => compared(numbers, *comparison, bound, rules),
        ValueFilter::Range(min, max) => {
            let reversed = min.as_f64().zip(max.as_f64()).is_some_and(|(min, max)| min > max);
            let bounds = compared(numbers, ComparisonOperator::GreaterOrEqual, min, rules).and(compared(
                numbers,
                ComparisonOperator::LessOrEqual,
                max,
                rules,
            ));
            if reversed { TruthSet::NEVER } else { bounds }
        }
        ValueFilter::OneOf(members) => {
            let members =
                members.iter().flatten().map(|member| compared(numbers, ComparisonOperator::Equal, member, rules));
            members.fold(TruthSet::NEVER, TruthSet::or)
        }
        ValueFilter::Not(inner) => test_numbers(numbers, inner, rules).not(),
        ValueFilter::And(parts) => all(parts),
        ValueFilter::Or(parts) => {
            parts.iter().map(|part| test_numbers(numbers, part, rules)).fold(TruthSet::NEVER, TruthSet::or)
        }
        _ => TruthSet::EITHER,
    }
}

fn compared(
    numbers: &Interval,
    comparison: ComparisonOperator,
    bound: &Value,
    rules: compare::ComparisonRules,
) -> TruthSet {
    let bound = match bound {
        Value::Text(_) => return TruthSet::EITHER,
        _ => bound.as_f64(),
    };
    // Other values are not comparable with numbers, so no comparison holds.
    let Some(bound) = bound else { return TruthSet::NEVER };
    let signed_zero = bound == 0.0 && numbers.contains(0.0) && rules.signed_zero == compare::SignedZero::Ordered;
    if bound.is_nan() || signed_zero {
        return TruthSet::EITHER;
    }
    let Interval { low, high, .. } = *numbers;
    let equal = TruthSet { can_hold: numbers.contains(bound), can_fail: low < bound || high > bound };
    match comparison {
        ComparisonOperator::Equal => equal,
        ComparisonOperator::NotEqual => equal.not(),
        ComparisonOperator::Greater => TruthSet { can_hold: high > bound, can_fail: low <= bound },
        ComparisonOperator::GreaterOrEqual => TruthSet { can_hold: high >= bound, can_fail: low < bound },
        ComparisonOperator::Less => TruthSet { can_hold: low < bound, can_fail: high >= bound },
        ComparisonOperator::LessOrEqual => TruthSet { can_hold: low <= bound, can_fail: high > bound },
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
impl fmt::Display for ValueSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(values) = self.listed_values() {
            let texts =
                |value: &Option<Value>| value.as_ref().map_or("missing".to_owned(), |value| format!("`{value}`"));
            return match values {
                [None] => f.write_str("never has a value"),
                [Some(value)] => write!(f, "is always `{value}`"),
                [first @ .., last] if values.len() <= 4 => {
                    let first: Vec<String> = first.iter().map(texts).collect();
                    write!(f, "is always {} or {}", first.join(", "), texts(last))
                }
                _ => f.write_str("has only other values"),
            };
        }
        let whole = self.kinds() == KindSet::INT;
        let bound = |number: f64| if whole { format!("`{number}`") } else { format!("`{}`", Value::Real(number)) };
        match self.bounds().filter(|_| !self.has_non_numbers()) {
            Some(Interval { low, high, .. }) if low.is_finite() && high.is_finite() => {
                write!(f, "is always between {} and {}", bound(low), bound(high))
            }
            Some(Interval { low, .. }) if low.is_finite() => write!(f, "is always at least {}", bound(low)),
            Some(Interval { high, .. }) if high.is_finite() => write!(f, "is always at most {}", bound(high)),
            _ => f.write_str("has only other values"),
        }
    }
}
