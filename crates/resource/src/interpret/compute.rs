//! Computations over the values of fields.

use std::fmt;

use super::filter::text_form;
use super::lookup::FieldLookup;
use crate::compute::{Computation, ComputationCase, ResolvedExpression, TemplatePart};
use crate::expression::{BooleanNode, NumericNode};
use crate::field::Field;
use crate::random::RandomStream;
use crate::rules::GameRules;
use crate::value::Value;

/// The error of a chain step whose value has the wrong kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainStepError;

impl fmt::Display for ChainStepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a step of a chain does not apply to values of this kind")
    }
}

impl std::error::Error for ChainStepError {}

impl Computation {
    /// Evaluates the computation; returns `None` if the value is missing.
    ///
    /// Numeric expressions draw random numbers when they are reached, from left to right. An expression with a non-numeric field
    /// draws none, and a conditional computes only the first case that holds.
    ///
    /// # Errors
    /// If a step of a chain cannot process its value; [`GameRules::failed_chain_steps`] defines the effect.
    pub fn evaluate(
        &self,
        lookup: &dyn FieldLookup,
        stream: &mut RandomStream,
        rules: &GameRules,
    ) -> Result<Option<Value>, ChainStepError> {
        Ok(match self {
            Self::Constant(value) => value.clone(),
            Self::Field(field) => lookup.value(field),
            Self::Calculate(formula) => calculate(formula, lookup, stream).map(Value::Real),
            Self::CalculateBoolean(formula) => calculate_boolean(formula, lookup).map(Value::Bool),
            Self::Cases(cases) => match first_that_holds(cases, lookup, rules) {
                Some(case) => case.value.evaluate(lookup, stream, rules)?,
                None => None,
            },
            Self::Math(math) => {
                let mut overflows = 0;
                let value = math.value(&values(&math.fields, lookup), rules, &mut overflows);
                lookup.record_overflows(overflows);
                value
            }
            Self::Template(pieces) => Some(Value::text(&template(pieces, lookup))),
            Self::FirstOf(fields) => {
                fields.iter().find_map(|field| lookup.value(field)).map(|value| Value::text(&value.to_string()))
            }
            Self::List(fields) => Some(Value::List(values(fields, lookup).into())),
            Self::Chain(from, steps) => {
                let from = from.evaluate(lookup, stream, rules)?;
                let mut overflows = 0;
                let value = steps.iter().try_fold(from, |value, step| step.apply(value, rules, &mut overflows));
                lookup.record_overflows(overflows);
                value?
            }
        })
    }
}

fn values(fields: &[Field], lookup: &dyn FieldLookup) -> Vec<Option<Value>> {
    fields.iter().map(|field| lookup.value(field)).collect()
}

fn calculate(
    formula: &ResolvedExpression<NumericNode>,
    lookup: &dyn FieldLookup,
    stream: &mut RandomStream,
) -> Option<f64> {
    // The expression looks up its fields in order, each once.
    let mut fields = formula.fields.iter();
    formula.expression.evaluate(|_| fields.next().and_then(|field| lookup.value(field)), || stream.uniform())
}

fn calculate_boolean(formula: &ResolvedExpression<BooleanNode>, lookup: &dyn FieldLookup) -> Option<bool> {
    let mut fields = formula.fields.iter();
    formula.expression.evaluate(|_| fields.next().and_then(|field| lookup.value(field)))
}

fn first_that_holds<'a>(
    cases: &'a [ComputationCase],
    lookup: &dyn FieldLookup,
    rules: &GameRules,
) -> Option<&'a ComputationCase> {
    cases.iter().find(|case| {
        case.when.iter().all(|(field, filter)| filter.holds(lookup.value(field).as_ref(), rules.comparison))
    })
}

fn template(pieces: &[TemplatePart], lookup: &dyn FieldLookup) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            TemplatePart::Text(text) => text.to_string(),
            TemplatePart::Field(field) => text_form(lookup.value(field).as_ref()),
        })
        .collect()
}
