//! Tokenizer: words and nested lists.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use goalspec_syntax::limits::{MAX_DEPTH, MAX_SOURCE_BYTES};

use super::{Exception, ExceptionKind};

/// A word or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SExpr {
    /// A maximal sequence of characters other than whitespace and parentheses, in lower case.
    Word(String),
    /// A list: `( .. )`.
    List(Vec<SExpr>),
}

impl SExpr {
    /// Returns the word, or `None` for a list.
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::List(_) => None,
        }
    }

    /// Returns the items of a list. A word is the sequence of its characters, as in Python wherever a list is expected.
    pub(super) fn parts(&self) -> Cow<'_, [Self]> {
        match self {
            Self::List(items) => Cow::Borrowed(items),
            Self::Word(word) => Cow::Owned(word.chars().map(|letter| Self::Word(letter.to_string())).collect()),
        }
    }
}

impl fmt::Display for SExpr {
    /// Formats the value as Python's `str` does: a word as it is, a list in brackets with quoted words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::List(_) => f.write_str(&repr(self)),
        }
    }
}

/// Formats a value as Python's `repr` does.
pub(super) fn repr(list: &SExpr) -> String {
    match list {
        SExpr::Word(word) => repr_word(word),
        SExpr::List(items) => format!("[{}]", items.iter().map(repr).collect::<Vec<_>>().join(", ")),
    }
}

pub(super) fn repr_word(word: &str) -> String {
    let quote = if word.contains('\'') && !word.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for letter in word.chars() {
        match letter {
            '\\' => out.push_str("\\\\"),
            letter if letter == quote => out.extend(['\\', letter]),
            letter if letter.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\x{:02x}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out.push(quote);
    out
}

/// Parses the single form of a text. Comments are removed, letters converted to lower case, and words end at whitespace and
/// parentheses.
///
/// # Errors
/// The general exceptions for unbalanced parentheses and for a text that is not a single form, and `RecursionError` for lists
/// that are nested too deeply or a text that is too long.
pub fn parse_sexpr(text: &str) -> Result<SExpr, Exception> {
    if text.len() > MAX_SOURCE_BYTES {
        let message = format!("the text has {} bytes, more than {MAX_SOURCE_BYTES}", text.len());
        return Err(Exception::new(ExceptionKind::RecursionError, message));
    }
    let text = without_comments(text).to_lowercase();
    let mut stack: Vec<Vec<SExpr>> = Vec::new();
    let mut open: Vec<SExpr> = Vec::new();
    let mut rest = text.trim_start_matches(is_blank);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' => 1,
            _ => rest.find(|c| is_blank(c) || matches!(c, '(' | ')')).unwrap_or(rest.len()),
        };
        match first {
            '(' if stack.len() == MAX_DEPTH => {
                return Err(Exception::new(ExceptionKind::RecursionError, "maximum recursion depth exceeded"));
            }
            '(' => stack.push(std::mem::take(&mut open)),
            ')' => {
                let outer = stack.pop().ok_or_else(|| Exception::general("Missing open parenthesis"))?;
                let inner = std::mem::replace(&mut open, outer);
                open.push(SExpr::List(inner));
            }
            _ => open.push(SExpr::Word(rest[..length].to_owned())),
        }
        rest = rest[length..].trim_start_matches(is_blank);
    }
    if !stack.is_empty() {
        return Err(Exception::general("Missing close parenthesis"));
    }
    let mut forms = open.into_iter();
    match (forms.next(), forms.next()) {
        (Some(form), None) => Ok(form),
        _ => Err(Exception::general("Malformed expression")),
    }
}

fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains(';') {
        return Cow::Borrowed(text);
    }
    let code = |line: &str| line.split(';').next().unwrap_or_default().to_owned();
    Cow::Owned(text.split('\n').map(code).collect::<Vec<_>>().join("\n"))
}

/// Whether a character is whitespace in Python's regular expressions.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}
