//! The order of two values, and the comparisons that tests are made of.

use std::cmp::Ordering;

use super::number;
use super::value::Value;

/// What is decided differently in different readings of these games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Whether 0.0 and -0.0 are the same number.
    pub zeros: Zeros,
    /// How a text is read that is compared with a number.
    pub texts: Texts,
}

/// Whether 0.0 and -0.0 are the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Zeros {
    /// They are.
    Same,
    /// -0.0 comes before 0.0 and before the whole number 0.
    Signed,
}

/// How a text is read that is compared with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Texts {
    /// As a real number: the text `5.5` is more than 5.
    Real,
    /// As a number of the other's class: against the whole number 5, the text `5.5` is 5.
    ClassOfOther,
}

impl Rules {
    /// Numbers as anybody would compare them.
    pub const PLAIN: Self = Self { zeros: Zeros::Same, texts: Texts::Real };
}

impl Default for Rules {
    fn default() -> Self {
        Self::PLAIN
    }
}

/// The order of two values; `None` where they cannot be compared.
///
/// * Two texts: by their characters, so that `10` comes before `9`. False comes before true.
/// * Two numbers: by size; NaN is equal to itself and more than every other number. Zeros as the [`Rules`] say.
/// * A number and a text: the text is read as a number, as the [`Rules`] say; one that begins with none cannot be compared.
/// * A truth value and a text: the texts `true` and `false`, in any case, count as truth values; others are compared with the text
///   of the truth value.
/// * A number with anything else: they cannot be compared.
/// * Two sets, two lists, two maps: equal when they have the same content; otherwise in the order of their text forms.
/// * Values of different kinds otherwise: truth values and texts come before lists, these before maps, and these before sets.
pub fn compare(one: &Value, other: &Value, rules: Rules) -> Option<Ordering> {
    use Value::{Bool, Int, List, Map, Real, Set, Text};
    Some(match (one, other) {
        (Int(one), Int(other)) => one.cmp(other),
        (Bool(one), Bool(other)) => one.cmp(other),
        (Text(one), Text(other)) => one.cmp(other),
        (Int(_) | Real(_), Int(_) | Real(_)) => reals(one.real()?, other.real()?, rules.zeros),
        (Int(_) | Real(_), Text(text)) => number_and_text(one, text, rules)?,
        (Text(text), Int(_) | Real(_)) => number_and_text(other, text, rules)?.reverse(),
        (Int(_) | Real(_), _) | (_, Int(_) | Real(_)) => return None,
        (Bool(truth), Text(text)) => truth_and_text(*truth, text),
        (Text(text), Bool(truth)) => truth_and_text(*truth, text).reverse(),
        _ if one == other => Ordering::Equal,
        (Set(_), Set(_)) | (List(_), List(_)) | (Map(_), Map(_)) => one.to_string().cmp(&other.to_string()),
        _ => place(one).cmp(&place(other)),
    })
}

/// The order among values of kinds that have nothing else to be compared by.
fn place(value: &Value) -> u8 {
    match value {
        Value::Int(_) | Value::Real(_) | Value::Bool(_) | Value::Text(_) => 0,
        Value::List(_) => 1,
        Value::Map(_) => 2,
        Value::Set(_) => 3,
    }
}

fn reals(one: f64, other: f64, zeros: Zeros) -> Ordering {
    match one.partial_cmp(&other) {
        Some(Ordering::Equal) if zeros == Zeros::Signed => other.is_sign_negative().cmp(&one.is_sign_negative()),
        Some(order) => order,
        None => one.is_nan().cmp(&other.is_nan()),
    }
}

fn number_and_text(number: &Value, text: &str, rules: Rules) -> Option<Ordering> {
    Some(match (number, rules.texts) {
        (Value::Int(number), Texts::ClassOfOther) => number.cmp(&number::leading_int(text)?),
        (_, Texts::ClassOfOther) => reals(number.real()?, number::leading_real(text)?, rules.zeros),
        (_, Texts::Real) => reals(number.real()?, number::leading(text)?, rules.zeros),
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

/// A comparison of a value with a fixed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// They are equal.
    Equal,
    /// They can be compared and are not equal, or there is no value.
    NotEqual,
    /// The value is more.
    Greater,
    /// The value is more, or equal.
    GreaterOrEqual,
    /// The value is less.
    Less,
    /// The value is less, or equal.
    LessOrEqual,
}

impl Comparison {
    /// Whether the comparison holds between a value and a bound.
    ///
    /// Nothing holds of values that cannot be compared, not even [`Comparison::NotEqual`]; where there is no value,
    /// [`Comparison::NotEqual`] holds and nothing else.
    pub fn holds(self, value: Option<&Value>, bound: &Value, rules: Rules) -> bool {
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
    use super::{Comparison, Rules, Value, compare};

    fn plain(one: &Value, other: &Value) -> Option<std::cmp::Ordering> {
        let order = compare(one, other, Rules::PLAIN);
        assert_eq!(compare(other, one, Rules::PLAIN), order.map(std::cmp::Ordering::reverse), "{one} and {other}");
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
        assert!(Comparison::NotEqual.holds(None, &Int(5), Rules::PLAIN));
        assert!(!Comparison::Equal.holds(None, &Int(5), Rules::PLAIN));
        assert!(!Comparison::LessOrEqual.holds(None, &Int(5), Rules::PLAIN));
        assert!(!Comparison::NotEqual.holds(Some(&Value::text("abc")), &Int(5), Rules::PLAIN));
    }
}
