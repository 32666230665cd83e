//! Comparisons: which values they see, and how near they come to going the other way.

use std::collections::BTreeSet;
use std::sync::Arc;

use goalspec_syntax::Span;
use ruff_python_ast::CmpOp;

use super::{Moment, Operand};

/// Most different texts of an operand that are kept.
const MAX_TEXTS: usize = 16;

/// From where to where numbers went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The least one.
    pub least: f64,
    /// The greatest one.
    pub greatest: f64,
}

impl Range {
    /// Widens a range to a number; `NaN` is left out.
    pub fn add(range: &mut Option<Self>, number: f64) {
        if !number.is_nan() {
            Self::merge(range, Some(Self { least: number, greatest: number }));
        }
    }

    /// Widens a range to another one.
    pub fn merge(range: &mut Option<Self>, other: Option<Self>) {
        *range = match (*range, other) {
            (Some(one), Some(other)) => {
                Some(Self { least: one.least.min(other.least), greatest: one.greatest.max(other.greatest) })
            }
            (one, other) => one.or(other),
        };
    }

    /// Whether there was only one number.
    #[allow(clippy::float_cmp, reason = "it is one number only if both ends are it")]
    pub fn is_one(self) -> bool {
        self.least == self.greatest
    }
}

/// How two values are compared.
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

/// The numbers that came nearest to a comparison going the other way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// On the left.
    pub left: f64,
    /// On the right.
    pub right: f64,
    /// When.
    pub moment: Moment,
}

impl Near {
    fn distance(&self) -> f64 {
        self.left - self.right
    }
}

/// What a comparison saw.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonSeen {
    /// Where it stands.
    pub span: Span,
    /// How it compares; of none that was never reached.
    pub relation: Option<Relation>,
    /// How often it held.
    pub held: u64,
    /// How often it did not.
    pub failed: u64,
    /// The numbers on the left.
    pub left: Option<Range>,
    /// The numbers on the right.
    pub right: Option<Range>,
    /// Different texts on the left, the first ones.
    pub left_texts: BTreeSet<Arc<str>>,
    /// Different texts on the right, the first ones.
    pub right_texts: BTreeSet<Arc<str>>,
    /// Where left minus right was least.
    least: Option<Near>,
    /// Where it was greatest.
    greatest: Option<Near>,
    /// Where it was nearest to 0.
    nearest: Option<Near>,
}

impl ComparisonSeen {
    pub(super) fn new(span: Span) -> Self {
        Self {
            span,
            relation: None,
            held: 0,
            failed: 0,
            left: None,
            right: None,
            left_texts: BTreeSet::new(),
            right_texts: BTreeSet::new(),
            least: None,
            greatest: None,
            nearest: None,
        }
    }

    /// Of a comparison that always went one way, the numbers that came nearest to the other; none if one that went both ways, or of
    /// other values.
    pub fn near_miss(&self) -> Option<Near> {
        match (self.relation?, self.held, self.failed) {
            (_, 0, 0) => None,
            (Relation::Less, 0, _) | (Relation::Greater, _, 0) => self.least,
            (Relation::Less, _, 0) | (Relation::Greater, 0, _) => self.greatest,
            (Relation::Equal, 0, _) | (Relation::NotEqual, _, 0) => self.nearest,
            _ => None,
        }
    }

    pub(super) fn add(&mut self, operator: CmpOp, left: Operand, right: Operand, truth: bool, moment: Moment) {
        self.relation.get_or_insert(match operator {
            CmpOp::Eq => Relation::Equal,
            CmpOp::NotEq => Relation::NotEqual,
            CmpOp::Lt | CmpOp::LtE => Relation::Less,
            CmpOp::Gt | CmpOp::GtE => Relation::Greater,
            CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => Relation::Other,
        });
        if truth {
            self.held += 1;
        } else {
            self.failed += 1;
        }
        if let (Operand::Number(left), Operand::Number(right)) = (&left, &right) {
            self.near(Near { left: *left, right: *right, moment });
        }
        note(left, &mut self.left, &mut self.left_texts);
        note(right, &mut self.right, &mut self.right_texts);
    }

    fn near(&mut self, near: Near) {
        let distance = near.distance();
        if distance.is_nan() {
            return;
        }
        if self.least.is_none_or(|least| distance < least.distance()) {
            self.least = Some(near);
        }
        if self.greatest.is_none_or(|greatest| distance > greatest.distance()) {
            self.greatest = Some(near);
        }
        if self.nearest.is_none_or(|nearest| distance.abs() < nearest.distance().abs()) {
            self.nearest = Some(near);
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
        other.least.iter().chain(&other.greatest).chain(&other.nearest).for_each(|&near| self.near(near));
    }
}

/// Keeps what a value is.
fn note(value: Operand, range: &mut Option<Range>, texts: &mut BTreeSet<Arc<str>>) {
    match value {
        Operand::Number(number) => Range::add(range, number),
        Operand::Text(text) if texts.len() < MAX_TEXTS => {
            texts.insert(text);
        }
        Operand::Text(_) | Operand::Other => {}
    }
}
