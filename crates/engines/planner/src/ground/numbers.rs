//! Numeric variables, expressions and comparisons.

use goalspec_core::condition::{ComparisonOperator, Expression, Scope, Term};
use goalspec_core::ids::{FunctionId, ObjectId};
use goalspec_core::state::ObjectArguments;
use rustc_hash::FxHashMap;

use super::statics::TaskAnalysis;
use crate::ground_task::{NumericCondition, NumericExpression, NumericVariable};

/// The value of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A static value; `None` if undefined.
    Constant(Option<f64>),
    /// A value that depends on the state.
    Changing(NumericExpression),
}

/// The numeric variables and comparisons in use.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// The variables.
    pub(super) variables: Vec<NumericVariable>,
    /// The comparisons.
    pub(super) comparisons: Vec<NumericCondition>,
    places: FxHashMap<(FunctionId, ObjectArguments), u32>,
    compared: FxHashMap<Vec<u64>, u32>,
}

impl Numbers {
    /// Returns the index of a numeric variable, adding it if necessary.
    pub(super) fn variable(
        &mut self,
        statics: &TaskAnalysis<'_>,
        function: FunctionId,
        arguments: ObjectArguments,
    ) -> u32 {
        if let Some(&place) = self.places.get(&(function, arguments.clone())) {
            return place;
        }
        let place = self.variables.len() as u32;
        let initial = statics.state.fluent(function, &arguments);
        self.variables.push(NumericVariable { function, arguments: arguments.clone(), initial });
        self.places.insert((function, arguments), place);
        place
    }

    /// Returns the value of an expression under a binding.
    pub(super) fn value(
        &mut self,
        statics: &TaskAnalysis<'_>,
        expression: &Expression,
        scope: &Scope,
        bound: &[Option<u32>],
    ) -> Value {
        if statics.is_static_expression(expression) {
            return Value::Constant(statics.value(expression, scope, bound));
        }
        let mut part = |part| match self.value(statics, part, scope, bound) {
            Value::Constant(value) => value.map(NumericExpression::Number),
            Value::Changing(expression) => Some(expression),
        };
        let value = match expression {
            Expression::Number(number) => return Value::Constant(Some(*number)),
            Expression::Call { function, arguments, .. } => {
                let objects = arguments.iter().map(|&term| object(term, bound)).collect::<Option<ObjectArguments>>();
                objects.map(|objects| NumericExpression::Variable(self.variable(statics, *function, objects)))
            }
            Expression::Add(parts) => parts.iter().map(part).collect::<Option<Vec<_>>>().map(NumericExpression::Add),
            Expression::Multiply(parts) => {
                parts.iter().map(part).collect::<Option<Vec<_>>>().map(NumericExpression::Multiply)
            }
            Expression::Subtract(parts) => both(part(&parts[0]), part(&parts[1])).map(NumericExpression::Subtract),
            Expression::Divide(parts) => both(part(&parts[0]), part(&parts[1])).map(NumericExpression::Divide),
            Expression::Absolute(inner) => part(inner).map(|inner| NumericExpression::Absolute(Box::new(inner))),
        };
        value.map_or(Value::Constant(None), Value::Changing)
    }

    /// Returns the index of a comparison.
    ///
    /// # Errors
    /// Returns the truth value if the comparison is static.
    pub(super) fn compare(&mut self, comparison: ComparisonOperator, sides: [Value; 2]) -> Result<u32, bool> {
        let [left, right] = match sides {
            [Value::Constant(left), Value::Constant(right)] => {
                return Err(left.zip(right).is_some_and(|(left, right)| comparison.holds(left, right)));
            }
            sides => sides.map(|side| match side {
                Value::Constant(value) => value.map(NumericExpression::Number),
                Value::Changing(expression) => Some(expression),
            }),
        };
        let (Some(left), Some(right)) = (left, right) else { return Err(false) };
        let mut key = vec![comparison as u64];
        write(&left, &mut key);
        write(&right, &mut key);
        if let Some(&place) = self.compared.get(&key) {
            return Ok(place);
        }
        let place = self.comparisons.len() as u32;
        self.compared.insert(key, place);
        self.comparisons.push(NumericCondition { comparison, sides: [left, right] });
        Ok(place)
    }
}

fn both(left: Option<NumericExpression>, right: Option<NumericExpression>) -> Option<Box<[NumericExpression; 2]>> {
    Some(Box::new([left?, right?]))
}

/// Returns the object that a term denotes under a binding, unless its variable is unbound.
pub(super) fn object(term: Term, bound: &[Option<u32>]) -> Option<ObjectId> {
    match term {
        Term::Variable(variable) => bound.get(variable.index()).copied().flatten().map(ObjectId),
        Term::Object(object) => Some(object),
        Term::Type(_) => None,
    }
}

/// Encodes an expression as a unique sequence of words.
fn write(expression: &NumericExpression, words: &mut Vec<u64>) {
    let (tag, parts): (u64, &[NumericExpression]) = match expression {
        NumericExpression::Number(number) => return words.extend([0, number.to_bits()]),
        NumericExpression::Variable(place) => return words.extend([1, u64::from(*place)]),
        NumericExpression::Add(parts) => (2, parts),
        NumericExpression::Multiply(parts) => (3, parts),
        NumericExpression::Subtract(parts) => (4, &parts[..]),
        NumericExpression::Divide(parts) => (5, &parts[..]),
        NumericExpression::Absolute(part) => (6, std::slice::from_ref(part)),
    };
    words.extend([tag, parts.len() as u64]);
    for part in parts {
        write(part, words);
    }
}

/// Visits the numeric variables of an expression.
pub(super) fn visit_variables(expression: &NumericExpression, visit: &mut impl FnMut(u32)) {
    let parts: &[NumericExpression] = match expression {
        NumericExpression::Number(_) => &[],
        NumericExpression::Variable(place) => return visit(*place),
        NumericExpression::Add(parts) | NumericExpression::Multiply(parts) => parts,
        NumericExpression::Subtract(parts) | NumericExpression::Divide(parts) => &parts[..],
        NumericExpression::Absolute(part) => std::slice::from_ref(part),
    };
    for part in parts {
        visit_variables(part, visit);
    }
}

/// Whether the expression contains a division.
pub(super) fn divides(expression: &NumericExpression) -> bool {
    match expression {
        NumericExpression::Number(_) | NumericExpression::Variable(_) => false,
        NumericExpression::Add(parts) | NumericExpression::Multiply(parts) => parts.iter().any(divides),
        NumericExpression::Subtract(parts) => parts.iter().any(divides),
        NumericExpression::Divide(_) => true,
        NumericExpression::Absolute(part) => divides(part),
    }
}

/// Returns the expression with other indices of numeric variables.
pub(super) fn renumbered(expression: &NumericExpression, places: &[u32]) -> NumericExpression {
    let all = |parts: &Vec<NumericExpression>| parts.iter().map(|part| renumbered(part, places)).collect();
    let pair =
        |parts: &[NumericExpression; 2]| Box::new([renumbered(&parts[0], places), renumbered(&parts[1], places)]);
    match expression {
        NumericExpression::Number(number) => NumericExpression::Number(*number),
        NumericExpression::Variable(place) => NumericExpression::Variable(places[*place as usize]),
        NumericExpression::Add(parts) => NumericExpression::Add(all(parts)),
        NumericExpression::Multiply(parts) => NumericExpression::Multiply(all(parts)),
        NumericExpression::Subtract(parts) => NumericExpression::Subtract(pair(parts)),
        NumericExpression::Divide(parts) => NumericExpression::Divide(pair(parts)),
        NumericExpression::Absolute(part) => NumericExpression::Absolute(Box::new(renumbered(part, places))),
    }
}
