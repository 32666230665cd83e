//! Interval analysis of scores.

use std::cell::OnceCell;

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::program::CountOperator;

use crate::ast::{PatternBody, Preference, PreferenceReference, Score, SequenceOperator};
use crate::dialect::Dialect;

/// The closed interval from `min` to `max`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) min: f64,
    pub(super) max: f64,
}

/// The time at which a score is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EvaluationTime {
    /// At the end of play.
    End,
    /// After any state before the end of play.
    During,
    /// After the first state.
    First,
}

/// The properties of a preference that bound its counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct PreferenceBounds<'a> {
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

const ANY: Interval = Interval { min: f64::NEG_INFINITY, max: f64::INFINITY };

impl Interval {
    pub(super) fn new(min: f64, max: f64) -> Self {
        Self { min, max }
    }

    fn point(value: f64) -> Self {
        Self::new(value, value)
    }

    /// Returns the value if the interval contains only one.
    pub(super) fn value(self) -> Option<f64> {
        (self.min.to_bits() == self.max.to_bits() || self == Self::point(0.0)).then_some(self.max)
    }

    fn add(self, other: Self) -> Self {
        Self::new(self.min + other.min, self.max + other.max)
    }

    fn negate(self) -> Self {
        Self::new(-self.max, -self.min)
    }

    fn multiply(self, other: Self) -> Self {
        // In interval arithmetic, zero times infinity is zero.
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let corners = [
            product(self.min, other.min),
            product(self.min, other.max),
            product(self.max, other.min),
            product(self.max, other.max),
        ];
        let min = corners.into_iter().fold(f64::INFINITY, f64::min);
        Self::new(min, corners.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }

    fn divide(self, by: Self) -> Self {
        if by.min > 0.0 || by.max < 0.0 {
            self.multiply(Self::new(1.0 / by.max, 1.0 / by.min))
        } else if by.min == 0.0 && by.max > 0.0 {
            // The quotient is undefined where the divisor is zero.
            self.multiply(Self::new(1.0 / by.max, f64::INFINITY))
        } else {
            ANY
        }
    }

    /// Returns the outcome of a comparison of two scores, if it is the same for all values in the intervals.
    pub(super) fn compare(self, comparison: ComparisonOperator, other: Self) -> Option<bool> {
        if let (Some(left), Some(right)) = (self.value(), other.value()) {
            return Some(comparison.holds(left, right));
        }
        match comparison {
            ComparisonOperator::Less if self.max < other.min => Some(true),
            ComparisonOperator::Less if self.min >= other.max => Some(false),
            ComparisonOperator::LessEqual if self.max <= other.min => Some(true),
            ComparisonOperator::LessEqual if self.min > other.max => Some(false),
            ComparisonOperator::Greater | ComparisonOperator::GreaterEqual => {
                other.compare(comparison.mirrored(), self)
            }
            ComparisonOperator::Equal => {
                let disjoint =
                    |low: Self, high: Self| low.max < high.min && !ComparisonOperator::Equal.holds(low.max, high.min);
                (disjoint(self, other) || disjoint(other, self)).then_some(false)
            }
            _ => None,
        }
    }
}

/// Computes the intervals of the scores of one game.
pub(super) struct IntervalAnalysis<'a, 'k> {
    pub(super) known: &'k dyn Fn(&PreferenceReference) -> Option<PreferenceBounds<'a>>,
    /// The game's own score, for `(total-score)`.
    pub(super) score: Option<&'a Score>,
    pub(super) when: EvaluationTime,
    pub(super) dialect: Dialect,
    /// The interval of `score`, computed on first use, because many subexpressions may refer to it.
    pub(super) total: OnceCell<Interval>,
}

impl IntervalAnalysis<'_, '_> {
    /// Returns the interval that contains the score wherever it is defined.
    pub(super) fn of(&self, score: &Score) -> Interval {
        let range = match score {
            Score::Number(number, _) => Interval::point(*number),
            Score::Add(parts, _) => parts.iter().fold(Interval::point(0.0), |sum, part| sum.add(self.of(part))),
            Score::Multiply(parts, _) => {
                parts.iter().fold(Interval::point(1.0), |product, part| product.multiply(self.of(part)))
            }
            Score::Subtract(sides, _) if sides[0] == sides[1] => Interval::point(0.0),
            Score::Subtract(sides, _) => self.of(&sides[0]).add(self.of(&sides[1]).negate()),
            Score::Divide(sides, _) => self.of(&sides[0]).divide(self.of(&sides[1])),
            Score::Negate(part, _) => self.of(part).negate(),
            Score::Compare(comparison, sides, _) => match self.compare(*comparison, sides) {
                Some(holds) => Interval::point(f64::from(u8::from(holds))),
                None => Interval::new(0.0, 1.0),
            },
            Score::AllEqual(..) => Interval::new(0.0, 1.0),
            // Without any binding, the value is 0.
            Score::ExternalMaximum(part, _) | Score::ExternalMinimum(part, _) => {
                let range = self.of(part);
                Interval::new(range.min.min(0.0), range.max.max(0.0))
            }
            // Recordings with timestamps start at 0; otherwise the time is the number of states.
            Score::TotalTime(_) if self.when == EvaluationTime::First => Interval::new(0.0, 1.0),
            Score::TotalTime(_) => Interval::new(0.0, f64::INFINITY),
            Score::TotalScore(_) => match self.score {
                Some(score) => *self.total.get_or_init(|| {
                    let inside = IntervalAnalysis { score: None, total: OnceCell::new(), ..*self };
                    inside.of(score)
                }),
                None => ANY,
            },
            Score::Count(kind, reference, _) => self.count(*kind, reference),
            Score::Error(_) => ANY,
        };
        // Infinity minus infinity is undefined.
        if range.min.is_nan() || range.max.is_nan() { ANY } else { range }
    }

    /// Returns the outcome of a comparison, if it is certain.
    pub(super) fn compare(&self, comparison: ComparisonOperator, sides: &[Score; 2]) -> Option<bool> {
        let [left, right] = sides;
        if left == right {
            return Some(comparison.holds(0.0, 0.0));
        }
        self.of(left).compare(comparison, self.of(right))
    }

    fn count(&self, kind: CountOperator, reference: &PreferenceReference) -> Interval {
        let Some(known) = (self.known)(reference) else { return ANY };
        let at_end = matches!(known.preference.body, PatternBody::AtEnd(..));
        let absent = match self.when {
            EvaluationTime::End => false,
            EvaluationTime::During => at_end,
            EvaluationTime::First => at_end || min_length(known.preference, self.dialect) > 1,
        };
        if absent {
            return Interval::point(0.0);
        }
        let bindings = known.bindings.unwrap_or(f64::INFINITY);
        match kind {
            CountOperator::Once => Interval::new(0.0, 1.0),
            CountOperator::OncePerExternalObjects => Interval::new(0.0, known.external.unwrap_or(f64::INFINITY)),
            CountOperator::OncePerObjects => Interval::new(0.0, bindings),
            CountOperator::Disjoint | CountOperator::Overlapping => {
                Interval::new(0.0, if at_end { bindings } else { f64::INFINITY })
            }
            CountOperator::Measure if !known.never_negative => ANY,
            CountOperator::Measure | CountOperator::UniquePositions | CountOperator::SamePositions => {
                Interval::new(0.0, f64::INFINITY)
            }
        }
    }
}

/// Returns a lower bound of the number of states that a satisfaction covers.
fn min_length(preference: &Preference, dialect: Dialect) -> usize {
    match &preference.body {
        PatternBody::AtEnd(..) => 1,
        PatternBody::Then(operators, _) => operators
            .iter()
            .enumerate()
            .map(|(index, operator)| match operator {
                SequenceOperator::Once(..) | SequenceOperator::OnceMeasure(..) => 1,
                SequenceOperator::Hold(..) => dialect.min_hold_length(index, operators.len()),
                SequenceOperator::HoldWhile(_, events, _) => events.len(),
                SequenceOperator::Error(_) => 0,
            })
            .sum(),
        PatternBody::Error(_) => 0,
    }
}
