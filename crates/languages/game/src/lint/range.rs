//! Between which bounds scores lie.

use std::cell::OnceCell;

use goalspec_core::condition::Comparison;
use goalspec_core::program::CountKind;

use super::formula::mirrored;
use crate::ast::{Body, Preference, PreferenceReference, Score, SeqFunc};
use crate::dialect::Dialect;

/// All values from `least` to `most`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    pub(super) least: f64,
    pub(super) most: f64,
}

/// When a score is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// When the play is over.
    End,
    /// After any state, before the play is over.
    During,
    /// After the first state.
    First,
}

/// What is known of a preference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) preference: &'a Preference,
    /// How many bindings it has at most.
    pub(super) bindings: Option<f64>,
    /// How many bindings its external variables have at most.
    pub(super) external: Option<f64>,
    /// Whether it has external variables.
    pub(super) has_externals: bool,
    /// Whether what it measures is never negative.
    pub(super) never_negative: bool,
}

const ANY: Range = Range { least: f64::NEG_INFINITY, most: f64::INFINITY };

impl Range {
    pub(super) fn new(least: f64, most: f64) -> Self {
        Self { least, most }
    }

    fn only(value: f64) -> Self {
        Self::new(value, value)
    }

    /// The only value, if there is just one.
    pub(super) fn value(self) -> Option<f64> {
        (self.least.to_bits() == self.most.to_bits() || self == Self::only(0.0)).then_some(self.most)
    }

    fn add(self, other: Self) -> Self {
        Self::new(self.least + other.least, self.most + other.most)
    }

    fn negate(self) -> Self {
        Self::new(-self.most, -self.least)
    }

    fn multiply(self, other: Self) -> Self {
        // Zero times any number however large is zero.
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let corners = [
            product(self.least, other.least),
            product(self.least, other.most),
            product(self.most, other.least),
            product(self.most, other.most),
        ];
        let least = corners.into_iter().fold(f64::INFINITY, f64::min);
        Self::new(least, corners.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }

    fn divide(self, by: Self) -> Self {
        if by.least > 0.0 || by.most < 0.0 {
            self.multiply(Self::new(1.0 / by.most, 1.0 / by.least))
        } else if by.least == 0.0 && by.most > 0.0 {
            // Where the divisor is zero there is no value.
            self.multiply(Self::new(1.0 / by.most, f64::INFINITY))
        } else {
            ANY
        }
    }

    /// How a comparison of two scores comes out, if that is certain.
    pub(super) fn compare(self, comparison: Comparison, other: Self) -> Option<bool> {
        if let (Some(left), Some(right)) = (self.value(), other.value()) {
            return Some(comparison.holds(left, right));
        }
        match comparison {
            Comparison::Less if self.most < other.least => Some(true),
            Comparison::Less if self.least >= other.most => Some(false),
            Comparison::LessEqual if self.most <= other.least => Some(true),
            Comparison::LessEqual if self.least > other.most => Some(false),
            Comparison::Greater | Comparison::GreaterEqual => other.compare(mirrored(comparison), self),
            Comparison::Equal => {
                let apart =
                    |low: Self, high: Self| low.most < high.least && !Comparison::Equal.holds(low.most, high.least);
                (apart(self, other) || apart(other, self)).then_some(false)
            }
            _ => None,
        }
    }
}

/// Looks scores up.
pub(super) struct Ranges<'a, 'k> {
    pub(super) known: &'k dyn Fn(&PreferenceReference) -> Option<Known<'a>>,
    /// The game's own score, for `(total-score)`.
    pub(super) score: Option<&'a Score>,
    pub(super) when: When,
    pub(super) dialect: Dialect,
    /// The range of `score`, once it was asked for: any number of parts may mention it.
    pub(super) total: OnceCell<Range>,
}

impl Ranges<'_, '_> {
    /// Between which bounds the score lies, where it has a value.
    pub(super) fn of(&self, score: &Score) -> Range {
        let range = match score {
            Score::Number(number, _) => Range::only(*number),
            Score::Add(parts, _) => parts.iter().fold(Range::only(0.0), |sum, part| sum.add(self.of(part))),
            Score::Multiply(parts, _) => {
                parts.iter().fold(Range::only(1.0), |product, part| product.multiply(self.of(part)))
            }
            Score::Subtract(sides, _) if sides[0] == sides[1] => Range::only(0.0),
            Score::Subtract(sides, _) => self.of(&sides[0]).add(self.of(&sides[1]).negate()),
            Score::Divide(sides, _) => self.of(&sides[0]).divide(self.of(&sides[1])),
            Score::Negate(part, _) => self.of(part).negate(),
            Score::Compare(comparison, sides, _) => match self.compare(*comparison, sides) {
                Some(holds) => Range::only(f64::from(u8::from(holds))),
                None => Range::new(0.0, 1.0),
            },
            Score::AllEqual(..) => Range::new(0.0, 1.0),
            // Without any binding the value is 0.
            Score::ExternalMaximum(part, _) | Score::ExternalMinimum(part, _) => {
                let range = self.of(part);
                Range::new(range.least.min(0.0), range.most.max(0.0))
            }
            // Recordings that give the time begin at 0; others count states.
            Score::TotalTime(_) if self.when == When::First => Range::new(0.0, 1.0),
            Score::TotalTime(_) => Range::new(0.0, f64::INFINITY),
            Score::TotalScore(_) => match self.score {
                Some(score) => *self.total.get_or_init(|| {
                    let inside = Ranges { score: None, total: OnceCell::new(), ..*self };
                    inside.of(score)
                }),
                None => ANY,
            },
            Score::Count(kind, reference, _) => self.count(*kind, reference),
        };
        // Infinity minus infinity says nothing.
        if range.least.is_nan() || range.most.is_nan() { ANY } else { range }
    }

    /// How a comparison comes out, if that is certain.
    pub(super) fn compare(&self, comparison: Comparison, sides: &[Score; 2]) -> Option<bool> {
        let [left, right] = sides;
        if left == right {
            return Some(comparison.holds(0.0, 0.0));
        }
        self.of(left).compare(comparison, self.of(right))
    }

    fn count(&self, kind: CountKind, reference: &PreferenceReference) -> Range {
        let Some(known) = (self.known)(reference) else { return ANY };
        let at_end = matches!(known.preference.body, Body::AtEnd(..));
        let absent = match self.when {
            When::End => false,
            When::During => at_end,
            When::First => at_end || shortest(known.preference, self.dialect) > 1,
        };
        if absent {
            return Range::only(0.0);
        }
        let bindings = known.bindings.unwrap_or(f64::INFINITY);
        match kind {
            CountKind::Once => Range::new(0.0, 1.0),
            CountKind::OncePerObjects => Range::new(0.0, bindings),
            CountKind::OncePerExternalObjects => Range::new(0.0, known.external.unwrap_or(f64::INFINITY)),
            CountKind::Measure if !known.never_negative => ANY,
            CountKind::Measure => Range::new(0.0, f64::INFINITY),
            CountKind::Disjoint | CountKind::Overlapping if at_end => Range::new(0.0, bindings),
            CountKind::Disjoint | CountKind::Overlapping | CountKind::UniquePositions | CountKind::SamePositions => {
                Range::new(0.0, f64::INFINITY)
            }
        }
    }
}

/// How many states a satisfaction has at least.
fn shortest(preference: &Preference, dialect: Dialect) -> usize {
    match &preference.body {
        Body::AtEnd(..) => 1,
        Body::Then(operators, _) => operators
            .iter()
            .enumerate()
            .map(|(index, operator)| match operator {
                SeqFunc::Once(..) | SeqFunc::OnceMeasure(..) => 1,
                SeqFunc::Hold(..) => dialect.shortest_hold(index, operators.len()),
                SeqFunc::HoldWhile(_, events, _) => events.len(),
            })
            .sum(),
    }
}
