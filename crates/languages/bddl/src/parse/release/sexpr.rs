//! Words and nested lists as values of the releases, with the operations that Python has for strings and lists.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use goalspec_syntax::limits::MAX_SOURCE_BYTES;
use goalspec_syntax::sexp::Sexp;
use goalspec_syntax::sexp::plain::{self, PlainError, PlainErrorKind};
use goalspec_syntax::{SourceFile, Span};

use crate::exception::{Exception, ExceptionKind};

/// A word or a list of a text, with its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SExpr {
    /// A maximal sequence of characters other than whitespace and parentheses, in lower case.
    Word(String, Span),
    /// A list: `( .. )`.
    List(Vec<SExpr>, Span),
}

/// The parts of a `(define ..)` form.
#[derive(Debug)]
pub(super) struct Definition {
    /// The span of the word `define`.
    pub(super) head: Span,
    /// The groups after it.
    pub(super) groups: Vec<SExpr>,
    /// The span of the form.
    pub(super) span: Span,
}

impl SExpr {
    /// Takes a `(define ..)` form apart.
    ///
    /// # Errors
    /// `IndexError` for an empty list, and `mismatch` of the span of anything else.
    pub(super) fn definition(self, mismatch: impl Fn(Span) -> Exception) -> Result<Definition, Exception> {
        let (mut groups, span) = match self {
            Self::List(groups, span) => (groups, span),
            Self::Word(_, span) => return Err(mismatch(span)),
        };
        let first = groups.first().ok_or_else(|| Exception::empty().with_span(span))?;
        if first.word() != Some("define") {
            return Err(mismatch(first.span()));
        }
        let head = groups.remove(0).span();
        Ok(Definition { head, groups, span })
    }

    /// Returns the word, or `None` for a list.
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word, _) => Some(word),
            Self::List(..) => None,
        }
    }

    /// Returns the span of the word or list.
    pub fn span(&self) -> Span {
        match self {
            Self::Word(_, span) | Self::List(_, span) => *span,
        }
    }

    /// Returns the number of [parts](Self::parts).
    pub(super) fn len(&self) -> usize {
        match self {
            Self::List(items, _) => items.len(),
            Self::Word(word, _) => word.chars().count(),
        }
    }

    /// Returns the first of the [parts](Self::parts), without creating the others.
    pub(super) fn first(&self) -> Option<Cow<'_, Self>> {
        match self {
            Self::List(items, _) => items.first().map(Cow::Borrowed),
            Self::Word(word, span) => letters(word, *span).next().map(Cow::Owned),
        }
    }

    /// Returns the items of a list. A word is the sequence of its characters, as in Python wherever a list is expected.
    pub(super) fn parts(&self) -> Cow<'_, [Self]> {
        match self {
            Self::List(items, _) => Cow::Borrowed(items),
            Self::Word(word, span) => Cow::Owned(letters(word, *span).collect()),
        }
    }

    /// Converts an item of a tree.
    fn of_item(item: &Sexp<'_>) -> Self {
        match item {
            Sexp::Atom(atom) => Self::Word(atom.text().to_lowercase(), atom.span()),
            Sexp::List(list) => Self::List(list.items().map(|item| Self::of_item(&item)).collect(), list.span()),
        }
    }
}

/// Returns the characters of a word as words. Beyond ASCII, where lower case may change lengths, each has the span of the whole
/// word.
fn letters(word: &str, span: Span) -> impl Iterator<Item = SExpr> {
    let is_aligned = word.is_ascii() && (span.end - span.start) as usize == word.len();
    let letter = move |(offset, letter): (usize, char)| {
        let start = span.start + offset as u32;
        let own = Span { start, end: start + letter.len_utf8() as u32, ..span };
        SExpr::Word(letter.to_string(), if is_aligned { own } else { span })
    };
    word.char_indices().map(letter)
}

impl fmt::Display for SExpr {
    /// Formats the value as Python's `str` does: a word as it is, a list in brackets with quoted words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word, _) => f.write_str(word),
            Self::List(..) => f.write_str(&repr(self)),
        }
    }
}

/// Formats a value as Python's `repr` does.
pub(crate) fn repr(value: &SExpr) -> String {
    match value {
        SExpr::Word(word, _) => repr_word(word),
        SExpr::List(items, _) => format!("[{}]", items.iter().map(repr).collect::<Vec<_>>().join(", ")),
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

/// Parses the single form of a text, as [plain lists](plain) with words in lower case.
///
/// # Errors
/// The general exceptions for unbalanced parentheses and for a text that is not a single form, and `RecursionError` for lists
/// that are nested too deeply or a text that is too long.
pub fn parse_sexpr(source: &SourceFile) -> Result<SExpr, Exception> {
    let tree = plain::parse(source).map_err(|error| unreadable(error, source.text().len()))?;
    let mut forms = tree.items();
    match (forms.next(), forms.next()) {
        (Some(form), None) => Ok(SExpr::of_item(&form)),
        (_, second) => {
            let span = second.map_or(Span::new(source.id(), 0, 0), Sexp::span);
            Err(Exception::general("Malformed expression").with_span(span))
        }
    }
}

/// Returns the exception for a text of `bytes` bytes that cannot be read as lists.
fn unreadable(error: PlainError, bytes: usize) -> Exception {
    let exception = match error.kind {
        PlainErrorKind::TooLarge => {
            let message = format!("the text has {bytes} bytes, more than {MAX_SOURCE_BYTES}");
            Exception::new(ExceptionKind::RecursionError, message)
        }
        PlainErrorKind::TooManyTokens => Exception::new(ExceptionKind::RecursionError, error.to_string()),
        PlainErrorKind::TooDeep => Exception::new(ExceptionKind::RecursionError, "maximum recursion depth exceeded"),
        PlainErrorKind::MissingOpen => Exception::general("Missing open parenthesis"),
        PlainErrorKind::MissingClose => Exception::general("Missing close parenthesis"),
    };
    exception.with_span(error.span)
}
