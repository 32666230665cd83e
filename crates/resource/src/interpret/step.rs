//! Evaluation of the steps of chains on one value.

use std::net::Ipv4Addr;
use std::sync::Arc;

use super::arithmetic::with_number;
use super::compute::ChainStepError;
use super::filter::{equal, text_form};
use crate::compute::{ChainStep, ConversionKind, ValueTransform};
use crate::number;
use crate::pattern::TextPattern;
use crate::rules::GameRules;
use crate::value::{MapEntries, Value};

impl ChainStep {
    /// Applies the step to a value, which may be missing.
    ///
    /// # Errors
    /// As [`ValueTransform::apply`]; a test never fails.
    pub fn apply(
        &self,
        value: Option<Value>,
        rules: &GameRules,
        overflows: &mut u32,
    ) -> Result<Option<Value>, ChainStepError> {
        match self {
            Self::Filter(filter) => Ok(Some(Value::Bool(filter.holds(value.as_ref(), rules.comparison)))),
            Self::Value(compute) => compute.apply(value, rules, overflows),
        }
    }
}

impl ValueTransform {
    /// Applies the computation to a value, and counts integer overflows in `overflows`.
    ///
    /// A missing value stays missing, except that constants replace it and that tables and lists may contain it.
    ///
    /// | step | accepted values | missing result |
    /// |---|---|---|
    /// | arithmetic, linear function | numbers | an integer divided by 0 (see [`MathOperation::value`](crate::compute::MathOperation::value)) |
    /// | conversion to an integer or real number | numbers, and strings that begin with one; integers are truncated | |
    /// | conversion to a Boolean | see [`Value::to_bool`] | |
    /// | groups of a regular expression | the text form of any value | the expression does not match |
    /// | flattening | lists; members that are not lists are kept | |
    /// | number of an address, address of a number | strings with IPv4 addresses, unsigned 32-bit integers | |
    /// | identity that requires a value | all values except the missing one | |
    /// | all others | all values | a table without an entry for the value and without a default |
    ///
    /// # Errors
    /// If the step does not accept the value, or if an integer result does not fit.
    pub fn apply(
        &self,
        value: Option<Value>,
        rules: &GameRules,
        overflows: &mut u32,
    ) -> Result<Option<Value>, ChainStepError> {
        match (self, &value) {
            (Self::Constant(constant), _) => Ok(constant.clone()),
            (Self::Identity, _) => Ok(value),
            (Self::Lookup { table, default: if_null }, _) => {
                Ok(looked_up(table, if_null.as_ref(), &text_form(value.as_ref())))
            }
            (Self::OneHot(members), _) => Ok(Some(one_hot(members, value.as_ref(), rules))),
            (Self::Required, _) => value.map(Some).ok_or(ChainStepError),
            (_, None) => Ok(None),
            (Self::Arithmetic(operator, number), Some(value)) => {
                value.as_f64().ok_or(ChainStepError)?;
                Ok(with_number(*operator, value, number, rules, overflows))
            }
            (Self::Linear { domain, range }, Some(value)) => {
                let slope = (range[1] - range[0]) / (domain[1] - domain[0]);
                let number = value.as_f64().ok_or(ChainStepError)?;
                Ok(Some(Value::Real(range[0] + slope * (number - domain[0]))))
            }
            (Self::Convert(kind), Some(value)) => converted(value, *kind).map(Some).ok_or(ChainStepError),
            (Self::RegexCapture(pattern, names), Some(value)) => Ok(captured(pattern, names, &value.to_string())),
            (Self::Flatten, Some(value)) => flattened(value).map(Some).ok_or(ChainStepError),
            (Self::IpToInt, Some(value)) => address_number(value).map(Some).ok_or(ChainStepError),
            (Self::IpFromInt, Some(value)) => number_address(value).map(Some).ok_or(ChainStepError),
        }
    }
}

fn looked_up(table: &[(Arc<str>, Option<Value>)], if_null: Option<&Value>, text: &str) -> Option<Value> {
    match table.iter().find(|(known, _)| **known == *text) {
        Some((_, value)) => value.clone(),
        None => if_null.cloned(),
    }
}

fn one_hot(members: &[Option<Value>], value: Option<&Value>, rules: &GameRules) -> Value {
    let indicator =
        |member: &Option<Value>| Some(Value::Int(i32::from(equal(value, member.as_ref(), rules.comparison))));
    Value::List(members.iter().map(indicator).collect())
}

fn converted(value: &Value, kind: ConversionKind) -> Option<Value> {
    match kind {
        ConversionKind::Text => Some(Value::text(&value.to_string())),
        ConversionKind::Bool => value.to_bool().map(Value::Bool),
        ConversionKind::Real => leading(value).map(Value::Real),
        ConversionKind::Int => whole(leading(value)?).map(Value::Int),
    }
}

/// Returns the number that a value is, or that its text begins with.
fn leading(value: &Value) -> Option<f64> {
    match value {
        Value::Text(text) => number::parse_prefix(text),
        _ => value.as_f64(),
    }
}

/// Truncates a number to an integer; `None` if it does not fit into 32 bits.
fn whole(number: f64) -> Option<i32> {
    let number = number.trunc();
    (f64::from(i32::MIN) <= number && number <= f64::from(i32::MAX)).then_some(number as i32)
}

/// Returns the groups of a match under names; names beyond the groups map to missing values.
fn captured(pattern: &TextPattern, names: &[Arc<str>], text: &str) -> Option<Value> {
    let groups = pattern.captures(text)?;
    let group = |index: usize| groups.get(index + 1).copied().flatten().map(Value::text);
    let entries: MapEntries = names.iter().enumerate().map(|(index, name)| (name.clone(), group(index))).collect();
    Some(Value::Map(Arc::new(entries)))
}

fn flattened(value: &Value) -> Option<Value> {
    let Value::List(members) = value else { return None };
    let mut flat = Vec::new();
    for member in members.iter() {
        match member {
            Some(Value::List(inner)) => flat.extend(inner.iter().cloned()),
            other => flat.push(other.clone()),
        }
    }
    Some(Value::List(flat.into()))
}

fn address_number(value: &Value) -> Option<Value> {
    let Value::Text(text) = value else { return None };
    let number = text.parse::<Ipv4Addr>().ok()?.to_bits();
    Some(i32::try_from(number).map_or(Value::Real(f64::from(number)), Value::Int))
}

fn number_address(value: &Value) -> Option<Value> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
    let address = Ipv4Addr::from_bits(u32::try_from(number as i64).ok()?);
    Some(Value::text(&address.to_string()))
}
