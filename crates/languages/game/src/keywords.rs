//! The keywords of the language. The names of predicates, functions, types and objects belong to the world.

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::program::CountOperator;

/// A predicate that the language itself defines. It concerns variables and the course of play rather than the world.
///
/// If the world has a predicate of the same name, the world's predicate takes precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltInPredicate {
    /// `(same_object a b)`: both arguments are the same object. Two variables that appear in it may bind the same object.
    SameObject,
    /// `(game_start)`: the state is the first one.
    GameStart,
    /// `(game_over)`: the state is the last one.
    GameOver,
    /// `(is_setup_object a)`: the setup is bound to this object.
    IsSetupObject,
}

impl BuiltInPredicate {
    /// All built-in predicates.
    pub const ALL: [Self; 4] = [Self::SameObject, Self::GameStart, Self::GameOver, Self::IsSetupObject];

    /// Returns the built-in predicate with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|predicate| predicate.name() == name)
    }

    /// Returns the name of the predicate.
    pub fn name(self) -> &'static str {
        match self {
            Self::SameObject => "same_object",
            Self::GameStart => "game_start",
            Self::GameOver => "game_over",
            Self::IsSetupObject => "is_setup_object",
        }
    }

    /// Returns the number of arguments, all of which are objects.
    pub fn arity(self) -> usize {
        match self {
            Self::SameObject => 2,
            Self::GameStart | Self::GameOver => 0,
            Self::IsSetupObject => 1,
        }
    }
}

/// The section keywords, in the order of the grammar.
pub const SECTIONS: [&str; 5] = [":domain", ":setup", ":constraints", ":terminal", ":scoring"];

pub use crate::ast::condition::CONDITION_KEYWORDS as CONDITION;

/// The keywords that may start a statement of the setup.
pub const SETUP: [&str; 7] = ["and", "or", "not", "exists", "forall", "game-conserved", "game-optional"];

/// The keywords that may start an entry of the constraints.
pub const CONSTRAINTS: [&str; 3] = ["and", "forall", "preference"];

/// The keywords that may start the body of a preference.
pub const PREFERENCE: [&str; 4] = ["exists", "forall", "then", "at-end"];

/// The operators of `then`.
pub const SEQUENCE_OPERATORS: [&str; 4] = ["once", "once-measure", "hold", "hold-while"];

/// The keywords that may start a terminal condition.
pub const TERMINAL: [&str; 8] = ["and", "or", "not", "<", "<=", "=", ">=", ">"];

/// The keywords that may start a scoring expression.
pub const SCORE: [&str; 21] = [
    "+",
    "*",
    "-",
    "/",
    "<",
    "<=",
    "=",
    ">=",
    ">",
    "external-forall-maximize",
    "external-forall-minimize",
    "total-time",
    "total-score",
    "count",
    "count-overlapping",
    "count-once",
    "count-once-per-objects",
    "count-once-per-external-objects",
    "count-measure",
    "count-unique-positions",
    "count-same-positions",
];

/// Returns whether `word` is a keyword in any section of the language.
pub fn is_keyword(word: &str) -> bool {
    let everywhere: [&[&str]; 6] = [&CONDITION, &SETUP, &CONSTRAINTS, &PREFERENCE, &SEQUENCE_OPERATORS, &SCORE];
    everywhere.iter().any(|words| words.contains(&word)) || matches!(word, "define" | "game" | "either")
}

/// Returns the comparison with this symbol.
pub fn comparison(symbol: &str) -> Option<ComparisonOperator> {
    Some(match symbol {
        "<" => ComparisonOperator::Less,
        "<=" => ComparisonOperator::LessEqual,
        "=" => ComparisonOperator::Equal,
        ">=" => ComparisonOperator::GreaterEqual,
        ">" => ComparisonOperator::Greater,
        _ => return None,
    })
}

/// Returns the counting operator with this name.
pub fn count_kind(name: &str) -> Option<CountOperator> {
    Some(match name {
        "count" => CountOperator::Disjoint,
        "count-overlapping" => CountOperator::Overlapping,
        "count-once" => CountOperator::Once,
        "count-once-per-objects" => CountOperator::OncePerObjects,
        "count-once-per-external-objects" => CountOperator::OncePerExternalObjects,
        "count-measure" => CountOperator::Measure,
        "count-unique-positions" => CountOperator::UniquePositions,
        "count-same-positions" => CountOperator::SamePositions,
        _ => return None,
    })
}

/// Splits the operator at the head of a list from a number that directly follows it: `-10` becomes `-` and `10`. Returns `None` if no
/// number follows the operator.
pub fn split_operator(head: &str) -> Option<(&str, &str)> {
    let length = match head.as_bytes() {
        [b'<' | b'>', b'=', ..] => 2,
        [b'<' | b'>' | b'=' | b'+' | b'-' | b'*' | b'/', ..] => 1,
        _ => return None,
    };
    let (operator, number) = head.split_at(length);
    is_number(number).then_some((operator, number))
}

/// Returns whether `text` is a numeric literal: an optional minus sign, digits, an optional decimal point, and a final digit.
pub fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, fraction),
        None => ("", unsigned),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(fraction) && !fraction.is_empty()
}

#[cfg(test)]
mod tests {
    use super::{is_number, split_operator};

    #[test]
    fn numbers_end_in_a_digit_and_have_no_exponent() {
        for valid in ["0", "12", "-3", ".5", "-.5", "2.25"] {
            assert!(is_number(valid), "{valid}");
        }
        for bad in ["", "-", ".", "3.", "1e3", "+4", "1.2.3", "--1", "inf", "NaN"] {
            assert!(!is_number(bad), "{bad}");
        }
    }

    #[test]
    fn operators_let_go_of_numbers() {
        assert_eq!(split_operator("-10"), Some(("-", "10")));
        assert_eq!(split_operator(">=3"), Some((">=", "3")));
        assert_eq!(split_operator("+-.5"), Some(("+", "-.5")));
        assert_eq!(split_operator("-"), None);
        assert_eq!(split_operator("-x"), None);
    }
}
