//! Evaluation of tests of values and of fields.

use std::net::Ipv4Addr;

use super::lookup::Lookup;
use crate::compare::{self, Comparison};
use crate::filter::{Cidr, Filter, TextTest, ValueFilter};
use crate::random::Stream;
use crate::rules::Rules;
use crate::turn::FailureKind;
use crate::value::Value;

impl ValueFilter {
    /// Whether the test holds of a value, which may be missing.
    pub fn holds(&self, value: Option<&Value>, rules: compare::Rules) -> bool {
        let compared = |comparison: Comparison, bound| comparison.holds(value, bound, rules);
        match self {
            Self::All => true,
            Self::None => false,
            Self::Compare(comparison, bound) => compared(*comparison, bound),
            Self::Range(least, greatest) => {
                compared(Comparison::GreaterOrEqual, least) && compared(Comparison::LessOrEqual, greatest)
            }
            Self::OneOf(members) => members.iter().any(|member| equal(value, member.as_ref(), rules)),
            Self::Text(test, part) => text_holds(*test, &text_form(value), part),
            Self::Matches(pattern) => pattern.matches(&text_form(value)),
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
    /// If the value of a [`Filter::Truth`] computation that was evaluated is not a Boolean.
    pub fn holds(&self, lookup: &dyn Lookup, stream: &mut Stream, rules: &Rules) -> Result<bool, FailureKind> {
        match self {
            Self::All => Ok(true),
            Self::None => Ok(false),
            Self::Field(field, filter) => Ok(filter.holds(lookup.value(field).as_ref(), rules.comparison)),
            Self::Truth(compute) => match compute.evaluate(lookup, stream, rules).unwrap_or(None) {
                Some(Value::Bool(truth)) => Ok(truth),
                value => Err(FailureKind::NoTruth { value }),
            },
            Self::Not(filter) => Ok(!filter.holds(lookup, stream, rules)?),
            Self::And(filters) => decided(filters, false, lookup, stream, rules),
            Self::Or(filters) => decided(filters, true, lookup, stream, rules),
        }
    }
}

/// Returns `decisive` if one of the filters evaluates to it, and otherwise its negation.
fn decided(
    filters: &[Filter],
    decisive: bool,
    lookup: &dyn Lookup,
    stream: &mut Stream,
    rules: &Rules,
) -> Result<bool, FailureKind> {
    for filter in filters {
        if filter.holds(lookup, stream, rules)? == decisive {
            return Ok(decisive);
        }
    }
    Ok(!decisive)
}

/// Whether a value equals a member of a list; missing values are equal.
pub(super) fn equal(value: Option<&Value>, member: Option<&Value>, rules: compare::Rules) -> bool {
    match member {
        Some(member) => Comparison::Equal.holds(value, member, rules),
        None => value.is_none(),
    }
}

/// Returns the text form of a value, or `null` if it is missing.
pub(super) fn text_form(value: Option<&Value>) -> String {
    value.map_or_else(|| "null".to_owned(), ToString::to_string)
}

fn text_holds(test: TextTest, whole: &str, part: &str) -> bool {
    match test {
        TextTest::Contains => whole.contains(part),
        TextTest::StartsWith => whole.starts_with(part),
        TextTest::EndsWith => whole.ends_with(part),
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
