//! Interval analysis of scores.

use std::cell::OnceCell;

use goalspec_core::condition::Comparison;
use goalspec_core::program::CountKind;

use super::formula::mirrored;
use crate::ast::{Body, Preference, PreferenceReference, Score, SeqFunc};
use crate::dialect::Dialect;

/// The closed interval from `least` to `most`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    pub(super) least: f64,
    pub(super) most: f64,
}

/// The time at which a score is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// At the end of play.
    End,
    /// After any state before the end of play.
    During,
    /// After the first state.
    First,
}

/// The properties of a preference that bound its counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) preference: &'a Preference,
    /// The maximum number of bindings, if known.
    pub(super) bindings: Option<f64>,
    /// The maximum number of bindings of the external variables, if known.
    pub(super) external: Option<f64>,
    /// Whether the preference has external variables.
    pub(super) has_externals: bool,
    /// Whether the measured function is never negative.
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

    /// Returns the value if the interval contains only one.
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
        // In interval arithmetic, zero times infinity is zero.
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
            // The quotient is undefined where the divisor is zero.
            self.multiply(Self::new(1.0 / by.most, f64::INFINITY))
        } else {
            ANY
        }
    }

    /// Returns the outcome of a comparison of two scores, if it is the same for all values in the intervals.
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

/// Computes the intervals of the scores of one game.
pub(super) struct Ranges<'a, 'k> {
    pub(super) known: &'k dyn Fn(&PreferenceReference) -> Option<Known<'a>>,
    /// The game's own score, for `(total-score)`.
    pub(super) score: Option<&'a Score>,
    pub(super) when: When,
    pub(super) dialect: Dialect,
    /// The interval of `score`, computed on first use, because many subexpressions may refer to it.
    pub(super) total: OnceCell<Range>,
}

impl Ranges<'_, '_> {
    /// Returns the interval that contains the score wherever it is defined.
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
            // Without any binding, the value is 0.
            Score::ExternalMaximum(part, _) | Score::ExternalMinimum(part, _) => {
                let range = self.of(part);
                Range::new(range.least.min(0.0), range.most.max(0.0))
            }
            // Recordings with timestamps start at 0; otherwise the time is the number of states.
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
        // Infinity minus infinity is undefined.
        if range.least.is_nan() || range.most.is_nan() { ANY } else { range }
    }

    /// Returns the outcome of a comparison, if it is certain.
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

/// Returns the minimum number of states that a satisfaction covers.
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
