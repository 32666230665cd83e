//! Rule bodies, and functions that build them.

use std::sync::Arc;

/// The body of a rule: a regular expression over terminals and names of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A text that is written as it is: one word, one bracket, one run of blanks.
    Literal(Arc<str>),
    /// A reference to a rule or to a named pattern.
    Name(Arc<str>),
    /// A concatenation; the empty text if there are no parts.
    Sequence(Vec<Expression>),
    /// One of several alternatives; no text at all if there are none.
    Choice(Vec<Expression>),
    /// A repetition.
    Repeat {
        /// The repeated part.
        part: Box<Expression>,
        /// The minimum number of repetitions.
        min: u32,
        /// The maximum number of repetitions; `None` if there is none.
        max: Option<u32>,
    },
}

/// Returns a literal.
pub fn literal(text: &str) -> Expression {
    Expression::Literal(text.into())
}

/// Returns a reference to a rule or a named pattern.
pub fn name(name: &str) -> Expression {
    Expression::Name(name.into())
}

/// Returns a concatenation.
pub fn sequence(parts: impl IntoIterator<Item = Expression>) -> Expression {
    let mut parts: Vec<Expression> = parts.into_iter().collect();
    if parts.len() == 1 { parts.remove(0) } else { Expression::Sequence(parts) }
}

/// Returns a choice among alternatives.
pub fn choice(alternatives: impl IntoIterator<Item = Expression>) -> Expression {
    let mut alternatives: Vec<Expression> = alternatives.into_iter().collect();
    if alternatives.len() == 1 { alternatives.remove(0) } else { Expression::Choice(alternatives) }
}

/// Returns a choice among words, sorted and without duplicates, so that equal vocabularies give equal grammars. Words with blanks
/// become sequences.
pub fn one_of<'a>(words: impl IntoIterator<Item = &'a str>) -> Expression {
    let mut sorted: Vec<&str> = words.into_iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    choice(sorted.into_iter().map(phrase))
}

/// Returns the words of a phrase, separated by single blanks.
pub fn phrase(text: &str) -> Expression {
    spaced(text.split(' ').map(literal))
}

/// Returns a concatenation with a blank between the parts.
pub fn spaced(parts: impl IntoIterator<Item = Expression>) -> Expression {
    let mut all = Vec::new();
    for part in parts {
        if !all.is_empty() {
            all.push(literal(" "));
        }
        all.push(part);
    }
    sequence(all)
}

/// Returns a list in parentheses, with a blank between the parts.
pub fn form(parts: impl IntoIterator<Item = Expression>) -> Expression {
    sequence([literal("("), spaced(parts), literal(")")])
}

/// Returns a repetition.
pub fn repeat(part: Expression, min: u32, max: Option<u32>) -> Expression {
    Expression::Repeat { part: Box::new(part), min, max }
}

/// Returns an optional part.
pub fn optional(part: Expression) -> Expression {
    repeat(part, 0, Some(1))
}

/// Returns a repetition of a part with a blank before each.
pub fn each_after_blank(part: Expression, min: u32, max: Option<u32>) -> Expression {
    repeat(sequence([literal(" "), part]), min, max)
}
