//! Evaluation of numeric expressions, comparisons and numeric effects. Undefined values are NaN.

use crate::ground_task::{NumericCondition, NumericEffect, NumericExpression};
use goalspec_core::planning::task::AssignmentOperator;

/// Returns the value of an expression; NaN if undefined.
pub(crate) fn value(expression: &NumericExpression, numbers: &[f64]) -> f64 {
    match expression {
        NumericExpression::Number(number) => *number,
        NumericExpression::Variable(variable) => numbers[*variable as usize],
        NumericExpression::Add(terms) => terms.iter().map(|term| value(term, numbers)).sum(),
        NumericExpression::Multiply(factors) => factors.iter().map(|factor| value(factor, numbers)).product(),
        NumericExpression::Subtract(sides) => value(&sides[0], numbers) - value(&sides[1], numbers),
        NumericExpression::Absolute(inner) => value(inner, numbers).abs(),
        NumericExpression::Divide(sides) => {
            let divisor = value(&sides[1], numbers);
            if divisor == 0.0 { f64::NAN } else { value(&sides[0], numbers) / divisor }
        }
    }
}

/// Whether a comparison holds.
pub(crate) fn holds(condition: &NumericCondition, numbers: &[f64]) -> bool {
    let [left, right] = &condition.sides;
    let (left, right) = (value(left, numbers), value(right, numbers));
    !left.is_nan() && !right.is_nan() && condition.comparison.holds(left, right)
}

/// Applies numeric effects, whose conditions hold, to `after`, a copy of the numbers in `before`.
///
/// Several effects on one variable are combined if all of them increase or decrease it, or all of them scale it. Returns
/// `false`, which makes the operator inapplicable, if other effects coincide, an undefined value is read, or a result is not
/// finite.
pub(crate) fn apply<'e>(effects: impl Iterator<Item = &'e NumericEffect>, before: &[f64], after: &mut [f64]) -> bool {
    let mut made: Vec<(u32, AssignmentOperator)> = Vec::new();
    for effect in effects {
        let slot = &mut after[effect.variable as usize];
        let amount = value(&effect.value, before);
        if let Some((_, earlier)) = made.iter().find(|(variable, _)| *variable == effect.variable)
            && !are_compatible(*earlier, effect.operator)
        {
            return false;
        }
        made.push((effect.variable, effect.operator));
        *slot = match effect.operator {
            AssignmentOperator::Set => amount,
            AssignmentOperator::Increase => *slot + amount,
            AssignmentOperator::Decrease => *slot - amount,
            AssignmentOperator::ScaleUp => *slot * amount,
            AssignmentOperator::ScaleDown if amount == 0.0 => f64::NAN,
            AssignmentOperator::ScaleDown => *slot / amount,
        };
        if !slot.is_finite() {
            return false;
        }
    }
    true
}

fn are_compatible(one: AssignmentOperator, other: AssignmentOperator) -> bool {
    use AssignmentOperator::{Decrease, Increase, ScaleDown, ScaleUp};
    matches!((one, other), (Increase | Decrease, Increase | Decrease) | (ScaleUp | ScaleDown, ScaleUp | ScaleDown))
}

/// The direction in which a change of a variable can move an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slope {
    /// No effect.
    Flat,
    /// The same direction.
    Up,
    /// The opposite direction.
    Down,
    /// Either direction.
    Any,
}

impl Slope {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Flat, slope) | (slope, Self::Flat) => slope,
            (one, other) if one == other => one,
            _ => Self::Any,
        }
    }

    fn reversed(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            other => other,
        }
    }

    fn times(self, factor: f64) -> Self {
        if factor == 0.0 {
            // Zero times an undefined value is undefined, so the variable can still matter.
            return if self == Self::Flat { Self::Flat } else { Self::Any };
        }
        if factor < 0.0 { self.reversed() } else { self }
    }
}

/// Returns the direction in which an increase of a variable moves an expression.
pub(crate) fn slope(expression: &NumericExpression, variable: u32) -> Slope {
    match expression {
        NumericExpression::Variable(other) if *other == variable => Slope::Up,
        NumericExpression::Variable(_) | NumericExpression::Number(_) => Slope::Flat,
        NumericExpression::Add(terms) => {
            terms.iter().fold(Slope::Flat, |slopes, term| slopes.and(slope(term, variable)))
        }
        NumericExpression::Subtract(sides) => slope(&sides[0], variable).and(slope(&sides[1], variable).reversed()),
        NumericExpression::Multiply(factors) => {
            let moving: Vec<&NumericExpression> =
                factors.iter().filter(|factor| !matches!(factor, NumericExpression::Number(_))).collect();
            let constant: f64 = factors
                .iter()
                .map(|factor| if let NumericExpression::Number(number) = factor { *number } else { 1.0 })
                .product();
            match moving.as_slice() {
                [] => Slope::Flat,
                [only] => slope(only, variable).times(constant),
                several if several.iter().all(|factor| slope(factor, variable) == Slope::Flat) => Slope::Flat,
                _ => Slope::Any,
            }
        }
        NumericExpression::Absolute(inner) if slope(inner, variable) == Slope::Flat => Slope::Flat,
        NumericExpression::Absolute(_) => Slope::Any,
        NumericExpression::Divide(sides) => match &sides[1] {
            NumericExpression::Number(number) => slope(&sides[0], variable).times(*number),
            divisor if slope(divisor, variable) == Slope::Flat && slope(&sides[0], variable) == Slope::Flat => {
                Slope::Flat
            }
            _ => Slope::Any,
        },
    }
}

/// Returns the direction in which an effect can move its variable.
pub(crate) fn movement(effect: &NumericEffect) -> Slope {
    match (effect.operator, &effect.value) {
        (AssignmentOperator::Increase, NumericExpression::Number(number)) => Slope::Up.times(*number),
        (AssignmentOperator::Decrease, NumericExpression::Number(number)) => Slope::Down.times(*number),
        _ => Slope::Any,
    }
}

/// Returns the direction in which an effect can move the difference between the left and the right side of a comparison.
pub(crate) fn influence(effect: &NumericEffect, condition: &NumericCondition) -> Slope {
    let [left, right] = &condition.sides;
    let slope = slope(left, effect.variable).and(slope(right, effect.variable).reversed());
    match (slope, movement(effect)) {
        (Slope::Flat, _) => Slope::Flat,
        (Slope::Any, _) | (_, Slope::Any | Slope::Flat) => Slope::Any,
        (slope, Slope::Up) => slope,
        (slope, Slope::Down) => slope.reversed(),
    }
}
