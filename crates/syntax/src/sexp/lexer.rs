//! The lexer: text to tokens. Tokens cover the text without gaps.

use super::kind::{AtomKind, TokenKind};

/// One token; it ends where the next one starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: u32,
}

/// The lexical rules of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// Programs: strings in double quotes, brackets and braces in place of parentheses, and characters that are invalid.
    Program,
    /// [Plain lists](super::plain): only blanks, parentheses and comments, which end at a line feed, separate words.
    Plain,
}

/// An iterator over the tokens of a text.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'text> {
    text: &'text str,
    at: usize,
    notation: Notation,
    classes: &'static Classes,
}

impl<'text> Lexer<'text> {
    /// Creates a lexer at the start of a text of less than 4 GiB.
    pub(super) fn new(text: &'text str, notation: Notation) -> Self {
        let classes = match notation {
            Notation::Program => &PROGRAM_CLASSES,
            Notation::Plain => &PLAIN_CLASSES,
        };
        Self { text, at: 0, notation, classes }
    }

    /// Returns the offset at which the next token starts.
    pub(super) fn offset(&self) -> u32 {
        self.at as u32
    }

    /// Returns the next token that is neither whitespace nor comment, with its text, without advancing.
    pub(super) fn peek_significant(&self) -> Option<(TokenKind, &'text str)> {
        let mut lookahead = self.clone();
        loop {
            let token = lookahead.next()?;
            if !token.kind.is_trivia() {
                return Some((token.kind, &self.text[token.start as usize..lookahead.at]));
            }
        }
    }

    fn comment_end(&self) -> usize {
        let rest = &self.text[self.at..];
        let end = match self.notation {
            Notation::Program => rest.find(LINE_ENDS),
            Notation::Plain => rest.find('\n'),
        };
        self.at + end.unwrap_or(rest.len())
    }

    /// Returns the end of the string that starts here or, if its closing quote is missing, the end of the line's text.
    fn string_end(&self) -> usize {
        let rest = &self.text[self.at..];
        let mut escaped = false;
        // The scan stops at the closing quote: a line may hold any number of strings.
        for (offset, byte) in rest.bytes().enumerate().skip(1) {
            match byte {
                b'\n' | b'\r' => return self.at + rest[..offset].trim_end().len(),
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => return self.at + offset + 1,
                _ => {}
            }
        }
        self.at + rest.trim_end().len()
    }

    /// Whether the next token that is neither whitespace nor comment is a keyword.
    pub(super) fn keyword_follows(&self) -> bool {
        let mut lookahead = self.clone();
        loop {
            lookahead.at = match lookahead.class_at(lookahead.at) {
                Some((Class::Blank, _)) => lookahead.run_end(Class::Blank),
                Some((Class::Semicolon, _)) => lookahead.comment_end(),
                _ => return self.text.as_bytes().get(lookahead.at) == Some(&b':'),
            };
        }
    }

    /// Returns the end of the run of characters of a class that starts here.
    fn run_end(&self, class: Class) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = self.at;
        loop {
            let rest = &bytes[end..];
            end += rest.iter().position(|&byte| self.classes[usize::from(byte)] != Some(class)).unwrap_or(rest.len());
            if bytes.get(end).is_none_or(u8::is_ascii) {
                return end;
            }
            match self.wide_class_at(end) {
                Some((next, length)) if next == class => end += length,
                _ => return end,
            }
        }
    }

    /// Returns the class of the character at an offset and its length in bytes; `None` at the end of the text.
    #[inline]
    fn class_at(&self, at: usize) -> Option<(Class, usize)> {
        let byte = *self.text.as_bytes().get(at)?;
        match self.classes[usize::from(byte)] {
            Some(class) => Some((class, 1)),
            None => self.wide_class_at(at),
        }
    }

    /// As [`Self::class_at`], for characters beyond ASCII, which are rare in nearly all texts.
    #[cold]
    fn wide_class_at(&self, at: usize) -> Option<(Class, usize)> {
        let character = self.text[at..].chars().next()?;
        let class = match self.notation {
            Notation::Program if at == 0 && character == BYTE_ORDER_MARK => Class::Blank,
            notation => class(character, notation),
        };
        Some((class, character.len_utf8()))
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        let (class, length) = self.class_at(start)?;
        let (kind, end) = match class {
            Class::Left => (TokenKind::LeftParenthesis, start + length),
            Class::Right => (TokenKind::RightParenthesis, start + length),
            Class::Blank => (TokenKind::Whitespace, self.run_end(class)),
            Class::Semicolon => (TokenKind::Comment, self.comment_end()),
            Class::Quote => {
                let end = self.string_end();
                let closed = is_closed_string(&self.text[start..end]);
                (if closed { TokenKind::Atom(AtomKind::String) } else { TokenKind::Error }, end)
            }
            Class::Stray => (TokenKind::Error, self.run_end(class)),
            Class::Atom => {
                let end = self.run_end(class);
                (TokenKind::Atom(atom_kind(&self.text.as_bytes()[start..end])), end)
            }
        };
        self.at = end;
        Some(Token { kind, start: start as u32 })
    }
}

/// The characters that end a line, each alone or both together.
pub(super) const LINE_ENDS: [char; 2] = ['\n', '\r'];

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A lexical class: the token that a character starts or continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Left,
    Right,
    Blank,
    Semicolon,
    Quote,
    /// Control characters and invisible characters; no valid program contains them.
    Stray,
    Atom,
}

/// The classes of the ASCII characters; `None` for the other bytes.
type Classes = [Option<Class>; 256];

static PROGRAM_CLASSES: Classes = classes(Notation::Program);
static PLAIN_CLASSES: Classes = classes(Notation::Plain);

const fn classes(notation: Notation) -> Classes {
    let mut classes = [None; 256];
    let mut code = 0;
    while code < 128 {
        classes[code] = Some(class(code as u8 as char, notation));
        code += 1;
    }
    classes
}

const fn class(character: char, notation: Notation) -> Class {
    match notation {
        Notation::Program => program_class(character),
        Notation::Plain => plain_class(character),
    }
}

const fn plain_class(character: char) -> Class {
    match character {
        '(' => Class::Left,
        ')' => Class::Right,
        ';' => Class::Semicolon,
        // Python's regular expressions also count the separators of ASCII as whitespace.
        '\u{1c}'..='\u{1f}' => Class::Blank,
        _ if character.is_whitespace() => Class::Blank,
        _ => Class::Atom,
    }
}

const fn program_class(character: char) -> Class {
    match character {
        // Brackets and braces are reported by the reader and read as parentheses.
        '(' | '[' | '{' => Class::Left,
        ')' | ']' | '}' => Class::Right,
        ';' => Class::Semicolon,
        '"' => Class::Quote,
        _ if character.is_whitespace() => Class::Blank,
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | BYTE_ORDER_MARK => Class::Stray,
        _ => Class::Atom,
    }
}

fn atom_kind(text: &[u8]) -> AtomKind {
    match text[0] {
        b'?' => AtomKind::Variable,
        b':' => AtomKind::Keyword,
        b'-' | b'.' | b'0'..=b'9' if is_number(text) => AtomKind::Number,
        _ => AtomKind::Symbol,
    }
}

/// `-?\d*\.?\d+`
fn is_number(text: &[u8]) -> bool {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let fraction = match unsigned.iter().position(|byte| !byte.is_ascii_digit()) {
        None => unsigned,
        Some(point) if unsigned[point] == b'.' => &unsigned[point + 1..],
        Some(_) => return false,
    };
    !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit)
}

fn is_closed_string(text: &str) -> bool {
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|inner| inner.bytes().rev().take_while(|&byte| byte == b'\\').count().is_multiple_of(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        let tokens: Vec<_> = Lexer::new(text, Notation::Program).collect();
        let ends = tokens.iter().skip(1).map(|token| token.start as usize).chain([text.len()]);
        tokens.iter().zip(ends).map(|(token, end)| (token.kind, &text[token.start as usize..end])).collect()
    }

    #[test]
    fn atoms_are_told_apart_by_their_letters() {
        use AtomKind::{Keyword, Number, Symbol, Variable};
        let cases = [
            ("ball", Symbol),
            ("-", Symbol),
            (">=", Symbol),
            ("game-12", Symbol),
            ("pref:ball", Symbol),
            ("?x", Variable),
            ("?", Variable),
            (":setup", Keyword),
            ("0", Number),
            ("-10", Number),
            ("2.5", Number),
            (".5", Number),
            ("-.5", Number),
            ("3.", Symbol),
            ("1e3", Symbol),
            ("+1", Symbol),
            ("1.2.3", Symbol),
            ("--1", Symbol),
            ("３", Symbol),
            ("größe", Symbol),
        ];
        for (text, kind) in cases {
            assert_eq!(kinds(text), [(TokenKind::Atom(kind), text)]);
        }
    }

    #[test]
    fn atoms_end_at_blanks_parentheses_comments_and_quotes() {
        use AtomKind::{Number, String, Symbol};
        use TokenKind::{Atom, Comment, LeftParenthesis, Whitespace};
        let expected = [
            (Atom(Symbol), "a"),
            (LeftParenthesis, "("),
            (Atom(Number), "-10"),
            (Whitespace, "\u{a0}\t"),
            (Atom(Symbol), "b"),
            (Atom(String), "\"c \\\" d\""),
            (Atom(Symbol), "e"),
            (Comment, "; f"),
            (Whitespace, "\r\n"),
        ];
        assert_eq!(kinds("a(-10\u{a0}\tb\"c \\\" d\"e; f\r\n"), expected);
    }

    #[test]
    fn strays_and_open_strings_are_errors() {
        use TokenKind::{Error, Whitespace};
        const SYMBOL: TokenKind = TokenKind::Atom(AtomKind::Symbol);
        assert_eq!(kinds("a\0\u{200b}b"), [(SYMBOL, "a"), (Error, "\0\u{200b}"), (SYMBOL, "b")]);
        assert_eq!(kinds("\"a\\\" \nb"), [(Error, "\"a\\\""), (Whitespace, " \n"), (SYMBOL, "b")]);
        assert_eq!(kinds("\""), [(Error, "\"")]);
        assert_eq!(kinds("\"a\\\nb"), [(Error, "\"a\\"), (Whitespace, "\n"), (SYMBOL, "b")]);
        assert_eq!(kinds("\u{feff}a"), [(Whitespace, "\u{feff}"), (SYMBOL, "a")]);
        assert_eq!(kinds("a\u{feff}"), [(SYMBOL, "a"), (Error, "\u{feff}")]);
        assert_eq!(kinds("\u{feff}\u{feff}"), [(Whitespace, "\u{feff}"), (Error, "\u{feff}")]);
        assert_eq!(kinds(" \u{feff}"), [(Whitespace, " "), (Error, "\u{feff}")]);
    }
}
