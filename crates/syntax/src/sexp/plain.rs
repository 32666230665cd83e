//! Plain lists: words and parentheses, as simple parsers in Python read s-expressions.
//!
//! A word is any run of characters other than whitespace, parentheses and `;`: there are neither strings nor brackets nor
//! invalid characters. A comment extends to the next line feed. Nothing is repaired: unbalanced parentheses are errors.

use super::kind::TokenKind;
use super::lexer::{Lexer, Notation};
use super::tree::build;
use super::view::Tree;
use crate::limits::{MAX_DEPTH, MAX_SOURCE_BYTES, MAX_TOKENS};
use crate::source::{SourceFile, Span};

/// An error that prevents reading a text as plain lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainError {
    /// The kind of the error.
    pub kind: PlainErrorKind,
    /// The place of the error: the parenthesis without a counterpart, the list that is too deep, the first token past the limit, or the
    /// beginning of the text.
    pub span: Span,
}

/// The kind of a [`PlainError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainErrorKind {
    /// The text is larger than [`MAX_SOURCE_BYTES`].
    TooLarge,
    /// The text has more than [`MAX_TOKENS`] tokens.
    TooManyTokens,
    /// A list is nested more deeply than [`MAX_DEPTH`].
    TooDeep,
    /// A closing parenthesis has no opening one.
    MissingOpen,
    /// A list is not closed; the span is that of the opening parenthesis of the innermost one.
    MissingClose,
}

impl std::fmt::Display for PlainErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge => write!(f, "the text exceeds the limit of {MAX_SOURCE_BYTES} bytes"),
            Self::TooManyTokens => write!(f, "the text exceeds the limit of {MAX_TOKENS} tokens"),
            Self::TooDeep => write!(f, "lists are nested more than {MAX_DEPTH} deep"),
            Self::MissingOpen => f.write_str("missing opening parenthesis"),
            Self::MissingClose => f.write_str("missing closing parenthesis"),
        }
    }
}

impl std::fmt::Display for PlainError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for PlainError {}

/// Reads a text as plain lists. All lists of the tree are closed, and its [items](Tree::items) include words outside of lists.
///
/// # Errors
/// The first error in the order of the text; a list that is not closed comes last.
///
/// ```
/// use goalspec_syntax::{Sources, sexp::plain};
///
/// let mut sources = Sources::new();
/// let id = sources.add("demo", "(say \"a b\" [c])");
/// let tree = plain::parse(sources.file(id)).unwrap();
/// let words: Vec<&str> = tree.roots().next().unwrap().items().map(|item| item.as_atom().unwrap().text()).collect();
/// assert_eq!(words, ["say", "\"a", "b\"", "[c]"]);
/// ```
pub fn parse(source: &SourceFile) -> Result<Tree, PlainError> {
    let text = source.text();
    let error = |kind, start, end| PlainError { kind, span: Span::new(source.id(), start, end) };
    if text.len() > MAX_SOURCE_BYTES {
        return Err(error(PlainErrorKind::TooLarge, 0, 0));
    }
    let mut tokens = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    let mut elements = 0;
    for token in Lexer::new(text, Notation::Plain) {
        if tokens.len() == MAX_TOKENS {
            return Err(error(PlainErrorKind::TooManyTokens, token.start, token.start));
        }
        match token.kind {
            TokenKind::LeftParenthesis if open.len() == MAX_DEPTH => {
                return Err(error(PlainErrorKind::TooDeep, token.start, token.start + 1));
            }
            TokenKind::LeftParenthesis => open.push(token.start),
            TokenKind::RightParenthesis if open.pop().is_none() => {
                return Err(error(PlainErrorKind::MissingOpen, token.start, token.start + 1));
            }
            _ => {}
        }
        elements += usize::from(token.kind.is_element());
        tokens.push(token);
    }
    if let Some(start) = open.pop() {
        return Err(error(PlainErrorKind::MissingClose, start, start + 1));
    }
    Ok(Tree::new(source.id(), source.shared_text(), build(text, &tokens, &[], elements, None)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexp::Sexp;
    use crate::source::Sources;

    fn shown(item: &Sexp<'_>) -> String {
        match item {
            Sexp::Atom(atom) => format!("{:?}", atom.text()),
            Sexp::List(list) => format!("({})", list.items().map(|item| shown(&item)).collect::<Vec<_>>().join(" ")),
        }
    }

    fn read(text: &str) -> Result<String, (PlainErrorKind, u32)> {
        let mut sources = Sources::new();
        let id = sources.add("test", text);
        match parse(sources.file(id)) {
            Ok(tree) => Ok(tree.items().map(|item| shown(&item)).collect::<Vec<_>>().join(" ")),
            Err(error) => Err((error.kind, error.span.start)),
        }
    }

    #[test]
    fn words_are_all_that_is_not_blank_or_a_parenthesis() {
        let cases = [
            ("", ""),
            ("a", r#""a""#),
            ("(a b)(c)d", r#"("a" "b") ("c") "d""#),
            ("(\"a b\" {x}[y])", r#"("\"a" "b\"" "{x}[y]")"#),
            ("(a;b)\rc\nd)", r#"("a" "d")"#),
            ("\u{feff}(\0a\u{1c}b\u{85}c\u{200b})", "\"\\u{feff}\" (\"\\0a\" \"b\" \"c\\u{200b}\")"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text).as_deref(), Ok(expected), "{text:?}");
        }
    }

    #[test]
    fn tokens_past_the_limit_are_an_error() {
        let text = "()".repeat(MAX_TOKENS / 2) + "(a)";
        assert_eq!(read(&text), Err((PlainErrorKind::TooManyTokens, MAX_TOKENS as u32)));
    }

    #[test]
    fn unbalanced_and_deep_lists_are_errors() {
        assert_eq!(read("(a))(b"), Err((PlainErrorKind::MissingOpen, 3)));
        assert_eq!(read("(a (b)"), Err((PlainErrorKind::MissingClose, 0)));
        assert_eq!(read("(a ((b)"), Err((PlainErrorKind::MissingClose, 3)));
        assert_eq!(read(&"(".repeat(MAX_DEPTH)), Err((PlainErrorKind::MissingClose, MAX_DEPTH as u32 - 1)));
        assert_eq!(read(&"(".repeat(MAX_DEPTH + 1)), Err((PlainErrorKind::TooDeep, MAX_DEPTH as u32)));
    }
}
