//! Arithmetic over several fields, and with a constant.

use crate::compare::Comparison;
use crate::compute::{Math, Operator, StepOperator};
use crate::function::{Aggregate, Binary};
use crate::rules::{Arithmetic, Rules};
use crate::value::Value;

/// Operands of one kind.
#[derive(Debug, Clone, PartialEq)]
enum Numbers {
    /// Integers.
    Int(Vec<i32>),
    /// Real numbers.
    Real(Vec<f64>),
}

impl Math {
    /// Applies the operator to the values of its fields.
    ///
    /// Returns [`Math::if_invalid`] if there are no operands, an operand is missing, an operand of an operator other than a
    /// comparison is not a number, or the result is undefined:
    ///
    /// * an integer is divided by 0; under [`Arithmetic::Promoting`] also a real number;
    /// * under [`Arithmetic::FirstOperand`], a product, quotient or equality has no second operand.
    ///
    /// Integers wrap around at 32 bits, and each overflow adds 1 to `overflows`. Under [`Arithmetic::FirstOperand`], real numbers
    /// converted to integers are truncated towards 0. Comparisons follow [`Comparison::holds`], so incomparable values are
    /// neither equal nor unequal.
    pub fn value(&self, operands: &[Option<Value>], rules: &Rules, overflows: &mut u32) -> Option<Value> {
        self.defined(operands, rules, overflows).or_else(|| self.if_invalid.clone())
    }

    fn defined(&self, operands: &[Option<Value>], rules: &Rules, overflows: &mut u32) -> Option<Value> {
        let operands: Option<Vec<Value>> = operands.iter().cloned().collect();
        let operands = operands?;
        let (first, others) = operands.split_first()?;
        match comparison(self.operator) {
            Some(comparison) => {
                let equality = comparison == Comparison::Equal && rules.arithmetic == Arithmetic::FirstOperand;
                let others = if equality { others.get(..1)? } else { others };
                let holds = |other| comparison.holds(Some(first), other, rules.comparison);
                Some(Value::Bool(others.iter().all(holds)))
            }
            None => computed(self.operator, &operands, rules.arithmetic, overflows),
        }
    }
}

fn comparison(operator: Operator) -> Option<Comparison> {
    Some(match operator {
        Operator::Equal => Comparison::Equal,
        Operator::NotEqual => Comparison::NotEqual,
        Operator::Greater => Comparison::Greater,
        Operator::GreaterOrEqual => Comparison::GreaterOrEqual,
        Operator::Less => Comparison::Less,
        Operator::LessOrEqual => Comparison::LessOrEqual,
        _ => return None,
    })
}

fn computed(operator: Operator, operands: &[Value], arithmetic: Arithmetic, overflows: &mut u32) -> Option<Value> {
    let two_only = matches!(operator, Operator::Multiply | Operator::Divide) && arithmetic == Arithmetic::FirstOperand;
    let counted = if two_only { operands.get(..2)? } else { operands };
    if matches!(operator, Operator::Average | Operator::StdDev) {
        return Some(Value::Real(spread(operator, &reals(counted)?)));
    }
    match numbers(counted, arithmetic)? {
        Numbers::Int(numbers) if operator == Operator::Divide && arithmetic == Arithmetic::Promoting => {
            let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
            on_reals(operator, &numbers, arithmetic).map(Value::Real)
        }
        Numbers::Int(numbers) => on_ints(operator, &numbers, overflows).map(Value::Int),
        Numbers::Real(numbers) => on_reals(operator, &numbers, arithmetic).map(Value::Real),
    }
}

fn reals(operands: &[Value]) -> Option<Vec<f64>> {
    operands.iter().map(Value::real).collect()
}

/// Converts the operands to the kind in which the operation is performed.
fn numbers(operands: &[Value], arithmetic: Arithmetic) -> Option<Numbers> {
    let is_int = |operand: &Value| matches!(operand, Value::Int(_));
    let reals = reals(operands)?;
    let whole = match arithmetic {
        Arithmetic::Promoting => operands.iter().all(is_int),
        Arithmetic::FirstOperand => operands.first().is_some_and(is_int),
    };
    Some(if whole {
        Numbers::Int(reals.into_iter().map(|number| number as i32).collect())
    } else {
        Numbers::Real(reals)
    })
}

fn spread(operator: Operator, numbers: &[f64]) -> f64 {
    let mean = Aggregate::Average.apply(numbers.iter().copied());
    let squares = numbers.iter().map(|number| (number - mean) * (number - mean));
    if operator == Operator::StdDev { Aggregate::Average.apply(squares).sqrt() } else { mean }
}

fn on_ints(operator: Operator, numbers: &[i32], overflows: &mut u32) -> Option<i32> {
    let (&first, others) = numbers.split_first()?;
    let mut others = others.iter();
    let mut counted = |(result, overflows_now): (i32, bool)| {
        *overflows = overflows.saturating_add(u32::from(overflows_now));
        result
    };
    match operator {
        Operator::Add => Some(others.fold(first, |one, other| counted(one.overflowing_add(*other)))),
        Operator::Subtract => Some(others.fold(first, |one, other| counted(one.overflowing_sub(*other)))),
        Operator::Multiply => Some(others.fold(first, |one, other| counted(one.overflowing_mul(*other)))),
        Operator::Divide => {
            others.try_fold(first, |one, &other| (other != 0).then(|| counted(one.overflowing_div(other))))
        }
        Operator::Negate => Some(counted(first.overflowing_neg())),
        Operator::Min => numbers.iter().min().copied(),
        Operator::Max => numbers.iter().max().copied(),
        _ => None,
    }
}

fn on_reals(operator: Operator, numbers: &[f64], arithmetic: Arithmetic) -> Option<f64> {
    let (&first, others) = numbers.split_first()?;
    let fold = |function: Binary| others.iter().fold(first, |one, &other| function.apply(one, other));
    match operator {
        Operator::Add => Some(fold(Binary::Add)),
        Operator::Subtract => Some(fold(Binary::Subtract)),
        Operator::Multiply => Some(fold(Binary::Multiply)),
        Operator::Divide if arithmetic == Arithmetic::Promoting && others.contains(&0.0) => None,
        Operator::Divide => Some(fold(Binary::Divide)),
        Operator::Negate => Some(-first),
        Operator::Min => Some(Aggregate::Minimum.apply(numbers.iter().copied())),
        Operator::Max => Some(Aggregate::Maximum.apply(numbers.iter().copied())),
        _ => None,
    }
}

/// Applies the operator of a chain step to two numbers; returns `None` if the result is undefined.
pub(super) fn with_number(
    operator: StepOperator,
    value: &Value,
    number: &Value,
    rules: &Rules,
    overflows: &mut u32,
) -> Option<Value> {
    let operator = match operator {
        StepOperator::Add => Operator::Add,
        StepOperator::Subtract => Operator::Subtract,
        StepOperator::Multiply => Operator::Multiply,
        StepOperator::Divide => Operator::Divide,
    };
    computed(operator, &[value.clone(), number.clone()], rules.arithmetic, overflows)
}
