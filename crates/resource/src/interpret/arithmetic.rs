//! Arithmetic over several fields, and with a constant.

use crate::compare::ComparisonOperator;
use crate::compute::{ArithmeticOperator, MathOperation, MathOperator};
use crate::function::{AggregateFunction, BinaryFunction};
use crate::rules::{ArithmeticRule, GameRules};
use crate::value::Value;

/// Operands of one kind.
#[derive(Debug, Clone, PartialEq)]
enum Numbers {
    /// Integers.
    Int(Vec<i32>),
    /// Real numbers.
    Real(Vec<f64>),
}

impl MathOperation {
    /// Applies the operator to the values of its fields.
    ///
    /// Returns [`MathOperation::fallback`] if there are no operands, an operand is missing, an operand of an operator other than a
    /// comparison is not a number, or the result is undefined:
    ///
    /// * an integer is divided by 0; under [`ArithmeticRule::Promoting`] also a real number;
    /// * under [`ArithmeticRule::FirstOperand`], a product, quotient or equality has no second operand.
    ///
    /// Integers wrap around at 32 bits, and each overflow adds 1 to `overflows`. Under [`ArithmeticRule::FirstOperand`], real numbers
    /// converted to integers are truncated towards 0. Comparisons follow [`ComparisonOperator::holds`], so incomparable values are
    /// neither equal nor unequal.
    pub fn value(&self, operands: &[Option<Value>], rules: &GameRules, overflows: &mut u32) -> Option<Value> {
        self.try_value(operands, rules, overflows).or_else(|| self.fallback.clone())
    }

    fn try_value(&self, operands: &[Option<Value>], rules: &GameRules, overflows: &mut u32) -> Option<Value> {
        let operands: Option<Vec<Value>> = operands.iter().cloned().collect();
        let operands = operands?;
        let (first, others) = operands.split_first()?;
        match comparison(self.operator) {
            Some(comparison) => {
                let equality =
                    comparison == ComparisonOperator::Equal && rules.arithmetic == ArithmeticRule::FirstOperand;
                let others = if equality { others.get(..1)? } else { others };
                let holds = |other| comparison.holds(Some(first), other, rules.comparison);
                Some(Value::Bool(others.iter().all(holds)))
            }
            None => computed(self.operator, &operands, rules.arithmetic, overflows),
        }
    }
}

fn comparison(operator: MathOperator) -> Option<ComparisonOperator> {
    Some(match operator {
        MathOperator::Equal => ComparisonOperator::Equal,
        MathOperator::NotEqual => ComparisonOperator::NotEqual,
        MathOperator::Greater => ComparisonOperator::Greater,
        MathOperator::GreaterOrEqual => ComparisonOperator::GreaterOrEqual,
        MathOperator::Less => ComparisonOperator::Less,
        MathOperator::LessOrEqual => ComparisonOperator::LessOrEqual,
        _ => return None,
    })
}

fn computed(
    operator: MathOperator,
    operands: &[Value],
    arithmetic: ArithmeticRule,
    overflows: &mut u32,
) -> Option<Value> {
    let two_only =
        matches!(operator, MathOperator::Multiply | MathOperator::Divide) && arithmetic == ArithmeticRule::FirstOperand;
    let counted = if two_only { operands.get(..2)? } else { operands };
    if matches!(operator, MathOperator::Average | MathOperator::StdDev) {
        return Some(Value::Real(mean_or_deviation(operator, &reals(counted)?)));
    }
    match numbers(counted, arithmetic)? {
        Numbers::Int(numbers) if operator == MathOperator::Divide && arithmetic == ArithmeticRule::Promoting => {
            let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
            on_reals(operator, &numbers, arithmetic).map(Value::Real)
        }
        Numbers::Int(numbers) => on_ints(operator, &numbers, overflows).map(Value::Int),
        Numbers::Real(numbers) => on_reals(operator, &numbers, arithmetic).map(Value::Real),
    }
}

fn reals(operands: &[Value]) -> Option<Vec<f64>> {
    operands.iter().map(Value::as_f64).collect()
}

/// Converts the operands to the kind in which the operation is performed.
fn numbers(operands: &[Value], arithmetic: ArithmeticRule) -> Option<Numbers> {
    let is_int = |operand: &Value| matches!(operand, Value::Int(_));
    let reals = reals(operands)?;
    let whole = match arithmetic {
        ArithmeticRule::Promoting => operands.iter().all(is_int),
        ArithmeticRule::FirstOperand => operands.first().is_some_and(is_int),
    };
    Some(if whole {
        Numbers::Int(reals.into_iter().map(|number| number as i32).collect())
    } else {
        Numbers::Real(reals)
    })
}

fn mean_or_deviation(operator: MathOperator, numbers: &[f64]) -> f64 {
    let mean = AggregateFunction::Average.apply(numbers.iter().copied());
    let squares = numbers.iter().map(|number| (number - mean) * (number - mean));
    if operator == MathOperator::StdDev { AggregateFunction::Average.apply(squares).sqrt() } else { mean }
}

fn on_ints(operator: MathOperator, numbers: &[i32], overflows: &mut u32) -> Option<i32> {
    let (&first, others) = numbers.split_first()?;
    let mut others = others.iter();
    let mut counted = |(result, overflows_now): (i32, bool)| {
        *overflows = overflows.saturating_add(u32::from(overflows_now));
        result
    };
    match operator {
        MathOperator::Add => Some(others.fold(first, |one, other| counted(one.overflowing_add(*other)))),
        MathOperator::Subtract => Some(others.fold(first, |one, other| counted(one.overflowing_sub(*other)))),
        MathOperator::Multiply => Some(others.fold(first, |one, other| counted(one.overflowing_mul(*other)))),
        MathOperator::Divide => {
            others.try_fold(first, |one, &other| (other != 0).then(|| counted(one.overflowing_div(other))))
        }
        MathOperator::Negate => Some(counted(first.overflowing_neg())),
        MathOperator::Min => numbers.iter().min().copied(),
        MathOperator::Max => numbers.iter().max().copied(),
        _ => None,
    }
}

fn on_reals(operator: MathOperator, numbers: &[f64], arithmetic: ArithmeticRule) -> Option<f64> {
    let (&first, others) = numbers.split_first()?;
    let fold = |function: BinaryFunction| others.iter().fold(first, |one, &other| function.apply(one, other));
    match operator {
        MathOperator::Add => Some(fold(BinaryFunction::Add)),
        MathOperator::Subtract => Some(fold(BinaryFunction::Subtract)),
        MathOperator::Multiply => Some(fold(BinaryFunction::Multiply)),
        MathOperator::Divide if arithmetic == ArithmeticRule::Promoting && others.contains(&0.0) => None,
        MathOperator::Divide => Some(fold(BinaryFunction::Divide)),
        MathOperator::Negate => Some(-first),
        MathOperator::Min => Some(AggregateFunction::Minimum.apply(numbers.iter().copied())),
        MathOperator::Max => Some(AggregateFunction::Maximum.apply(numbers.iter().copied())),
        _ => None,
    }
}

/// Applies the operator of a chain step to two numbers; returns `None` if the result is undefined.
pub(super) fn with_number(
    operator: ArithmeticOperator,
    value: &Value,
    number: &Value,
    rules: &GameRules,
    overflows: &mut u32,
) -> Option<Value> {
    let operator = match operator {
        ArithmeticOperator::Add => MathOperator::Add,
        ArithmeticOperator::Subtract => MathOperator::Subtract,
        ArithmeticOperator::Multiply => MathOperator::Multiply,
        ArithmeticOperator::Divide => MathOperator::Divide,
    };
    computed(operator, &[value.clone(), number.clone()], rules.arithmetic, overflows)
}
