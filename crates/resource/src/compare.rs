//! The order of two values, and comparison operators.

use std::cmp::Ordering;

use crate::number;
use crate::value::Value;

/// The options on which implementations differ in the comparison of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ComparisonRules {
    /// The treatment of signed zeros.
    pub signed_zero: SignedZero,
    /// The parsing of a string that is compared with a number.
    pub text_comparison: TextComparison,
}

/// The treatment of signed zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SignedZero {
    /// 0.0 and -0.0 are equal.
    Equal,
    /// -0.0 is less than 0.0 and than the integer 0.
    Ordered,
}

/// The parsing of a string that is compared with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextComparison {
    /// As a real number: the string `5.5` is greater than 5.
    AsReal,
    /// As a number of the same kind as the other operand: compared with the integer 5, the string `5.5` is 5.
    AsOperandKind,
}

impl ComparisonRules {
    /// The default: zeros are equal, and strings are parsed as real numbers.
    pub const DEFAULT: Self = Self { signed_zero: SignedZero::Equal, text_comparison: TextComparison::AsReal };
}

impl Default for ComparisonRules {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Returns the order of two values; `None` if they are not comparable.
///
/// * Two strings: lexicographic order, so `10` is less than `9`. Two Booleans: false is less than true.
/// * Two numbers: numerical order; NaN equals itself and is greater than every other number. Signed zeros compare as the
///   [`ComparisonRules`] specify.
/// * A number and a string: the string is parsed as a number as the [`ComparisonRules`] specify; one that does not begin with a number is
///   not comparable.
/// * A Boolean and a string: the strings `true` and `false`, in any case, count as Booleans; other strings are compared with the
///   text form of the Boolean.
/// * A number and a value of any other kind: not comparable.
/// * Two sets, two lists or two maps: equal if they have the same content, and otherwise ordered by their text forms.
/// * Other values of different kinds: Booleans and strings are less than lists, lists less than maps, and maps less than sets.
pub fn compare(one: &Value, other: &Value, rules: ComparisonRules) -> Option<Ordering> {
    use Value::{Bool, Int, List, Map, Real, Set, Text};
    Some(match (one, other) {
        (Int(one), Int(other)) => one.cmp(other),
        (Bool(one), Bool(other)) => one.cmp(other),
        (Text(one), Text(other)) => one.cmp(other),
        (Int(_) | Real(_), Int(_) | Real(_)) => reals(one.as_f64()?, other.as_f64()?, rules.signed_zero),
        (Int(_) | Real(_), Text(text)) => number_and_text(one, text, rules)?,
        (Text(text), Int(_) | Real(_)) => number_and_text(other, text, rules)?.reverse(),
        (Int(_) | Real(_), _) | (_, Int(_) | Real(_)) => return None,
        (Bool(truth), Text(text)) => truth_and_text(*truth, text),
        (Text(text), Bool(truth)) => truth_and_text(*truth, text).reverse(),
        _ if one == other => Ordering::Equal,
        (Set(_), Set(_)) | (List(_), List(_)) | (Map(_), Map(_)) => one.to_string().cmp(&other.to_string()),
        _ => kind_rank(one).cmp(&kind_rank(other)),
    })
}

/// Returns the rank of the kind of a value, which orders values of different kinds.
fn kind_rank(value: &Value) -> u8 {
    match value {
        Value::Int(_) | Value::Real(_) | Value::Bool(_) | Value::Text(_) => 0,
        Value::List(_) => 1,
        Value::Map(_) => 2,
        Value::Set(_) => 3,
    }
}

fn reals(one: f64, other: f64, zeros: SignedZero) -> Ordering {
    match one.partial_cmp(&other) {
        Some(Ordering::Equal) if zeros == SignedZero::Ordered => other.is_sign_negative().cmp(&one.is_sign_negative()),
        Some(order) => order,
        None => one.is_nan().cmp(&other.is_nan()),
    }
}

fn number_and_text(number: &Value, text: &str, rules: ComparisonRules) -> Option<Ordering> {
    Some(match (number, rules.text_comparison) {
        (Value::Int(number), TextComparison::AsOperandKind) => number.cmp(&number::parse_int_prefix(text)?),
        (_, TextComparison::AsOperandKind) => {
            reals(number.as_f64()?, number::parse_real_prefix(text)?, rules.signed_zero)
        }
        (_, TextComparison::AsReal) => reals(number.as_f64()?, number::parse_prefix(text)?, rules.signed_zero),
    })
}

fn truth_and_text(truth: bool, text: &str) -> Ordering {
    if text.eq_ignore_ascii_case("true") {
        truth.cmp(&true)
    } else if text.eq_ignore_ascii_case("false") {
        truth.cmp(&false)
    } else {
        truth.to_string().as_str().cmp(text)
    }
}

/// A comparison operator, applied to a value and a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    /// The value equals the constant.
    Equal,
    /// The value is comparable with the constant and differs from it, or the value is missing.
    NotEqual,
    /// The value is greater than the constant.
    Greater,
    /// The value is greater than or equal to the constant.
    GreaterOrEqual,
    /// The value is less than the constant.
    Less,
    /// The value is less than or equal to the constant.
    LessOrEqual,
}

impl ComparisonOperator {
    /// Whether the comparison of `value` with `bound` holds.
    ///
    /// No comparison of incomparable values holds, not even [`ComparisonOperator::NotEqual`]; for a missing value only
    /// [`ComparisonOperator::NotEqual`] holds.
    pub fn holds(self, value: Option<&Value>, bound: &Value, rules: ComparisonRules) -> bool {
        let Some(value) = value else { return self == Self::NotEqual };
        let Some(order) = compare(value, bound, rules) else { return false };
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::{Equal, Greater, Less};

    use super::Value::{Bool, Int, Real};
    use super::{ComparisonOperator, ComparisonRules, Value, compare};

    fn plain(one: &Value, other: &Value) -> Option<std::cmp::Ordering> {
        let order = compare(one, other, ComparisonRules::DEFAULT);
        assert_eq!(
            compare(other, one, ComparisonRules::DEFAULT),
            order.map(std::cmp::Ordering::reverse),
            "{one} and {other}"
        );
        order
    }

    #[test]
    fn numbers_and_texts() {
        assert_eq!(plain(&Value::text("5.5"), &Int(5)), Some(Greater));
        assert_eq!(plain(&Value::text("1e3"), &Int(1000)), Some(Equal));
        assert_eq!(plain(&Value::text("1,000"), &Int(1000)), Some(Equal));
        assert_eq!(plain(&Value::text("abc"), &Int(5)), None);
        assert_eq!(plain(&Value::text("10"), &Value::text("9")), Some(Less));
    }

    #[test]
    fn zeros_and_nan() {
        assert_eq!(plain(&Int(0), &Real(-0.0)), Some(Equal));
        assert_eq!(plain(&Real(f64::NAN), &Real(f64::NAN)), Some(Equal));
        assert_eq!(plain(&Real(f64::NAN), &Real(f64::INFINITY)), Some(Greater));
    }

    #[test]
    fn truths_and_sets() {
        assert_eq!(plain(&Bool(true), &Int(1)), None);
        assert_eq!(plain(&Bool(true), &Value::text("TRUE")), Some(Equal));
        assert_eq!(plain(&Bool(true), &Value::text("yes")), Some(Less));
        assert_eq!(plain(&Value::set(["a", "b"]), &Value::set(["b", "a"])), Some(Equal));
        assert_eq!(plain(&Value::set(["a"]), &Value::text("a")), Some(Greater));
        assert_eq!(plain(&Value::set(["5"]), &Int(5)), None);
    }

    #[test]
    fn without_a_value_only_inequality_holds() {
        assert!(ComparisonOperator::NotEqual.holds(None, &Int(5), ComparisonRules::DEFAULT));
        assert!(!ComparisonOperator::Equal.holds(None, &Int(5), ComparisonRules::DEFAULT));
        assert!(!ComparisonOperator::LessOrEqual.holds(None, &Int(5), ComparisonRules::DEFAULT));
        assert!(!ComparisonOperator::NotEqual.holds(Some(&Value::text("abc")), &Int(5), ComparisonRules::DEFAULT));
    }
}
