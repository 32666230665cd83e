//! The lexer of expressions.

use std::ops::Range;

use goalspec_resource::number;

/// A token of an expression.
#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    /// The byte range in the text.
    pub(super) range: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TokenKind<'a> {
    Number(f64),
    Name(&'a str),
    /// A name in braces, without surrounding blanks.
    Field(&'a str),
    /// A field adjoined by another field or a name, which is invalid.
    AdjoinedFields,
    Open,
    Close,
    Comma,
    /// An operator, such as `+` or `<=`.
    Operator(&'static str),
    /// An invalid character.
    Invalid,
}

/// The operators; an operator precedes its proper prefixes.
const OPERATORS: [&str; 15] = ["==", "!=", ">=", "<=", "&&", "||", "+", "-", "*", "/", "^", "%", "!", ">", "<"];

pub(super) fn tokenize(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = token(&text[at..], first);
        tokens.push(Token { kind, range: at..at + length });
        at += length;
    }
    tokens
}

/// Returns the first token of a text, and its length in bytes, which is positive.
fn token(text: &str, first: char) -> (TokenKind<'_>, usize) {
    let single = |kind| (kind, 1);
    match first {
        '(' => single(TokenKind::Open),
        ')' => single(TokenKind::Close),
        ',' => single(TokenKind::Comma),
        '0'..='9' | '.' => number_token(text),
        '_' | 'a'..='z' | 'A'..='Z' | '{' => word(text),
        _ => match OPERATORS.into_iter().find(|operator| text.starts_with(operator)) {
            Some(operator) => (TokenKind::Operator(operator), operator.len()),
            None => (TokenKind::Invalid, first.len_utf8()),
        },
    }
}

fn number_token(text: &str) -> (TokenKind<'_>, usize) {
    let bytes = text.as_bytes();
    let digits = |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let start = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(start).is_some_and(u8::is_ascii_digit) {
            end = digits(start);
        }
    }
    (number::parse_exact(&text[..end]).map_or(TokenKind::Invalid, TokenKind::Number), end)
}

fn word(text: &str) -> (TokenKind<'_>, usize) {
    let bytes = text.as_bytes();
    let (mut end, mut fields) = (0, 0);
    loop {
        match bytes.get(end) {
            Some(b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9') => end += 1,
            Some(b'{') => match text[end..].find('}') {
                Some(length) => {
                    end += length + 1;
                    fields += 1;
                }
                None if end == 0 => return (TokenKind::Invalid, 1),
                None => break,
            },
            _ => break,
        }
    }
    let word = &text[..end];
    let in_braces = word.strip_prefix('{').and_then(|word| word.strip_suffix('}'));
    let kind = match (fields, in_braces) {
        (0, _) => TokenKind::Name(word),
        (1, Some(name)) => TokenKind::Field(name.trim()),
        _ => TokenKind::AdjoinedFields,
    };
    (kind, end)
}
