//! Statistics of comparisons: the values of their operands, and the operands nearest to the opposite outcome.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{CallPosition, Operand};
use crate::code::SourceRange;
use crate::operators::ComparisonOperator;

/// The maximum number of distinct strings that are kept for an operand.
const MAX_TEXTS: usize = 16;

/// A closed range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The minimum.
    pub min: f64,
    /// The maximum.
    pub max: f64,
}

impl Range {
    /// Extends a range to include a number; `NaN` is ignored.
    pub fn add(range: &mut Option<Self>, number: f64) {
        if !number.is_nan() {
            Self::merge(range, Some(Self { min: number, max: number }));
        }
    }

    /// Extends a range to include another one.
    pub fn merge(range: &mut Option<Self>, other: Option<Self>) {
        *range = match (*range, other) {
            (Some(one), Some(other)) => Some(Self { min: one.min.min(other.min), max: one.max.max(other.max) }),
            (one, other) => one.or(other),
        };
    }

    /// Whether the range is a single number.
    #[allow(clippy::float_cmp, reason = "it is one number only if both ends are it")]
    pub fn is_single(self) -> bool {
        self.min == self.max
    }
}

/// The relation that a comparison tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<` or `<=`
    Less,
    /// `>` or `>=`
    Greater,
    /// `is`, `in` and their negations.
    Other,
}

/// The operands of the comparison that came nearest to the opposite outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearMiss {
    /// The left operand.
    pub left: f64,
    /// The right operand.
    pub right: f64,
    /// The call of the comparison.
    pub position: CallPosition,
}

impl NearMiss {
    fn difference(&self) -> f64 {
        self.left - self.right
    }
}

/// The recorded operands and outcomes of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonStatistics {
    /// The position of the comparison.
    pub range: SourceRange,
    /// The relation that it tests; `None` if the comparison was never reached.
    pub relation: Option<Relation>,
    /// The number of times that the comparison held.
    pub held: u64,
    /// The number of times that it did not hold.
    pub failed: u64,
    /// The range of the numbers on the left.
    pub left: Option<Range>,
    /// The range of the numbers on the right.
    pub right: Option<Range>,
    /// The first distinct strings on the left.
    pub left_texts: BTreeSet<Arc<str>>,
    /// The first distinct strings on the right.
    pub right_texts: BTreeSet<Arc<str>>,
    /// The operands with the minimum of left minus right.
    min_difference: Option<NearMiss>,
    /// The operands with the maximum of left minus right.
    max_difference: Option<NearMiss>,
    /// The operands with the minimum of the absolute difference.
    min_distance: Option<NearMiss>,
}

impl ComparisonStatistics {
    pub(super) fn new(range: SourceRange) -> Self {
        Self {
            range,
            relation: None,
            held: 0,
            failed: 0,
            left: None,
            right: None,
            left_texts: BTreeSet::new(),
            right_texts: BTreeSet::new(),
            min_difference: None,
            max_difference: None,
            min_distance: None,
        }
    }

    /// Returns the operands that came nearest to the opposite outcome, if all outcomes were the same; `None` if both outcomes occurred or
    /// the operands are not numbers.
    pub fn near_miss(&self) -> Option<NearMiss> {
        match (self.relation?, self.held, self.failed) {
            (_, 0, 0) => None,
            (Relation::Less, 0, _) | (Relation::Greater, _, 0) => self.min_difference,
            (Relation::Less, _, 0) | (Relation::Greater, 0, _) => self.max_difference,
            (Relation::Equal, 0, _) | (Relation::NotEqual, _, 0) => self.min_distance,
            _ => None,
        }
    }

    pub(super) fn add(
        &mut self,
        operator: ComparisonOperator,
        left: Operand,
        right: Operand,
        truth: bool,
        position: CallPosition,
    ) {
        self.relation.get_or_insert(match operator {
            ComparisonOperator::Eq => Relation::Equal,
            ComparisonOperator::NotEq => Relation::NotEqual,
            ComparisonOperator::Lt | ComparisonOperator::LtE => Relation::Less,
            ComparisonOperator::Gt | ComparisonOperator::GtE => Relation::Greater,
            ComparisonOperator::Is | ComparisonOperator::IsNot | ComparisonOperator::In | ComparisonOperator::NotIn => {
                Relation::Other
            }
        });
        if truth {
            self.held += 1;
        } else {
            self.failed += 1;
        }
        if let (Operand::Number(left), Operand::Number(right)) = (&left, &right) {
            self.record_operands(NearMiss { left: *left, right: *right, position });
        }
        record_operand(left, &mut self.left, &mut self.left_texts);
        record_operand(right, &mut self.right, &mut self.right_texts);
    }

    fn record_operands(&mut self, near: NearMiss) {
        let distance = near.difference();
        if distance.is_nan() {
            return;
        }
        if self.min_difference.is_none_or(|min| distance < min.difference()) {
            self.min_difference = Some(near);
        }
        if self.max_difference.is_none_or(|max| distance > max.difference()) {
            self.max_difference = Some(near);
        }
        if self.min_distance.is_none_or(|nearest| distance.abs() < nearest.difference().abs()) {
            self.min_distance = Some(near);
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.relation = self.relation.or(other.relation);
        self.held += other.held;
        self.failed += other.failed;
        Range::merge(&mut self.left, other.left);
        Range::merge(&mut self.right, other.right);
        for (own, texts) in [(&mut self.left_texts, &other.left_texts), (&mut self.right_texts, &other.right_texts)] {
            own.extend(texts.iter().cloned());
            while own.len() > MAX_TEXTS {
                own.pop_last();
            }
        }
        other
            .min_difference
            .iter()
            .chain(&other.max_difference)
            .chain(&other.min_distance)
            .for_each(|&near| self.record_operands(near));
    }
}

/// Records a value in the range of numbers or in the set of strings.
fn record_operand(value: Operand, range: &mut Option<Range>, texts: &mut BTreeSet<Arc<str>>) {
    match value {
        Operand::Number(number) => Range::add(range, number),
        Operand::Text(text) if texts.len() < MAX_TEXTS => {
            texts.insert(text);
        }
        Operand::Text(_) | Operand::Other => {}
    }
}
