//! Evaluation of tests of values and of fields.

use std::net::Ipv4Addr;

use super::lookup::FieldLookup;
use crate::compare::{self, ComparisonOperator};
use crate::filter::{Cidr, Filter, TextTest, ValueFilter};
use crate::random::RandomStream;
use crate::rules::GameRules;
use crate::turn::GameErrorKind;
use crate::value::Value;

impl ValueFilter {
    /// Whether the test holds of a value, which may be missing.
    pub fn holds(&self, value: Option<&Value>, rules: compare::ComparisonRules) -> bool {
        let compared = |comparison: ComparisonOperator, bound| comparison.holds(value, bound, rules);
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Compare(comparison, bound) => compared(*comparison, bound),
            Self::Range(min, max) => {
                compared(ComparisonOperator::GreaterOrEqual, min) && compared(ComparisonOperator::LessOrEqual, max)
            }
            Self::OneOf(members) => members.iter().any(|member| equal(value, member.as_ref(), rules)),
            Self::Text(test, part) => text_holds(*test, &text_form(value), part),
            Self::Matches(pattern) => pattern.is_match(&text_form(value)),
            Self::IsNull => value.is_none(),
            Self::IsNotNull => value.is_some(),
            Self::IsEmpty => is_empty(value),
            Self::IsNotEmpty => !is_empty(value),
            Self::HasAny(labels) => matches!(value, Some(Value::Set(set)) if !set.is_disjoint(labels)),
            Self::IsIp => address(value).is_some(),
            Self::IsCidr => block(value).is_some(),
            Self::InCidr(block) => address(value).is_some_and(|address| block.contains(address)),
            Self::CidrContains(address) => block(value).is_some_and(|block| block.contains(*address)),
            Self::Not(filter) => !filter.holds(value, rules),
            Self::And(filters) => filters.iter().all(|filter| filter.holds(value, rules)),
            Self::Or(filters) => filters.iter().any(|filter| filter.holds(value, rules)),
        }
    }
}

impl Filter {
    /// Evaluates the test. `And` and `Or` evaluate their members in order and stop at the first that decides the result.
    ///
    /// # Errors
    /// If the value of a [`Filter::Computed`] computation that was evaluated is not a Boolean.
    pub fn holds(
        &self,
        lookup: &dyn FieldLookup,
        stream: &mut RandomStream,
        rules: &GameRules,
    ) -> Result<bool, GameErrorKind> {
        match self {
            Self::Always => Ok(true),
            Self::Never => Ok(false),
            Self::Field(field, filter) => Ok(filter.holds(lookup.value(field).as_ref(), rules.comparison)),
            Self::Computed(compute) => match compute.evaluate(lookup, stream, rules).unwrap_or(None) {
                Some(Value::Bool(truth)) => Ok(truth),
                value => Err(GameErrorKind::NonBooleanTest { value }),
            },
            Self::Not(filter) => Ok(!filter.holds(lookup, stream, rules)?),
            Self::And(filters) => evaluate_until(filters, false, lookup, stream, rules),
            Self::Or(filters) => evaluate_until(filters, true, lookup, stream, rules),
        }
    }
}

/// Returns `decisive` if one of the filters evaluates to it, and otherwise its negation.
fn evaluate_until(
    filters: &[Filter],
    decisive: bool,
    lookup: &dyn FieldLookup,
    stream: &mut RandomStream,
    rules: &GameRules,
) -> Result<bool, GameErrorKind> {
    for filter in filters {
        if filter.holds(lookup, stream, rules)? == decisive {
            return Ok(decisive);
        }
    }
    Ok(!decisive)
}

/// Whether a value equals a member of a list; missing values are equal.
pub(super) fn equal(value: Option<&Value>, member: Option<&Value>, rules: compare::ComparisonRules) -> bool {
    match member {
        Some(member) => ComparisonOperator::Equal.holds(value, member, rules),
        None => value.is_none(),
    }
}

/// Returns the text form of a value, or `null` if it is missing.
pub(super) fn text_form(value: Option<&Value>) -> String {
    value.map_or_else(|| "null".to_owned(), ToString::to_string)
}

fn text_holds(test: TextTest, string: &str, part: &str) -> bool {
    match test {
        TextTest::Contains => string.contains(part),
        TextTest::StartsWith => string.starts_with(part),
        TextTest::EndsWith => string.ends_with(part),
    }
}

fn is_empty(value: Option<&Value>) -> bool {
    match value {
        None => true,
        Some(Value::Text(text)) => text.is_empty(),
        Some(_) => false,
    }
}

fn address(value: Option<&Value>) -> Option<Ipv4Addr> {
    let Some(Value::Text(text)) = value else { return None };
    text.parse().ok()
}

fn block(value: Option<&Value>) -> Option<Cidr> {
    let Some(Value::Text(text)) = value else { return None };
    Cidr::parse(text)
}
