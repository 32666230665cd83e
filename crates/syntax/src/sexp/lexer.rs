//! Text to tokens. Tokens cover the text without gaps.

use super::kind::SyntaxKind;

/// One token; it ends where the next one starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: SyntaxKind,
    pub(super) start: u32,
}

/// Cuts a text into tokens, from front to back.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'text> {
    text: &'text str,
    at: usize,
}

impl<'text> Lexer<'text> {
    /// A lexer at the start of a text of less than 4 GiB.
    pub(super) fn new(text: &'text str) -> Self {
        Self { text, at: 0 }
    }

    /// Where the next token starts.
    pub(super) fn offset(&self) -> u32 {
        self.at as u32
    }

    /// The next token that is neither whitespace nor comment, with its text, without moving on.
    pub(super) fn peek_significant(&self) -> Option<(SyntaxKind, &'text str)> {
        let mut ahead = self.clone();
        loop {
            let token = ahead.next()?;
            if !token.kind.is_trivia() {
                return Some((token.kind, &self.text[token.start as usize..ahead.at]));
            }
        }
    }

    fn whitespace_end(&self) -> usize {
        self.run_end(|c| c.is_whitespace() || (self.at == 0 && c == BYTE_ORDER_MARK))
    }

    fn comment_end(&self) -> usize {
        let line = self.line();
        self.at + line.strip_suffix('\r').unwrap_or(line).len()
    }

    /// The end of a string, or, where its closing quote is missing, of the line's text.
    fn string_end(&self) -> usize {
        let line = self.line();
        let mut escaped = false;
        for (offset, byte) in line.bytes().enumerate().skip(1) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => return self.at + offset + 1,
                _ => {}
            }
        }
        self.at + line.trim_end().len()
    }

    fn line(&self) -> &'text str {
        let rest = &self.text[self.at..];
        rest.find('\n').map_or(rest, |length| &rest[..length])
    }

    /// Where the run of characters that belong together ends.
    fn run_end(&self, belongs: impl Fn(char) -> bool) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = self.at;
        while let Some(&byte) = bytes.get(end) {
            // Nearly all text is ASCII, where a byte is a character.
            let c = if byte.is_ascii() { char::from(byte) } else { self.character(end) };
            if !belongs(c) {
                break;
            }
            end += c.len_utf8();
        }
        end
    }

    /// The character at a place before the end of the text.
    fn character(&self, at: usize) -> char {
        self.text[at..].chars().next().unwrap_or_default()
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        let first = match *self.text.as_bytes().get(start)? {
            byte if byte.is_ascii() => char::from(byte),
            _ => self.character(start),
        };
        let (kind, end) = match first {
            '(' => (SyntaxKind::LeftParenthesis, start + 1),
            ')' => (SyntaxKind::RightParenthesis, start + 1),
            ';' => (SyntaxKind::Comment, self.comment_end()),
            '"' => {
                let end = self.string_end();
                let kind =
                    if is_closed_string(&self.text[start..end]) { SyntaxKind::String } else { SyntaxKind::Error };
                (kind, end)
            }
            _ if first.is_whitespace() || (start == 0 && first == BYTE_ORDER_MARK) => {
                (SyntaxKind::Whitespace, self.whitespace_end())
            }
            _ if is_stray(first) => (SyntaxKind::Error, self.run_end(is_stray)),
            _ => {
                let end = self.run_end(is_atom);
                (atom_kind(&self.text[start..end]), end)
            }
        };
        self.at = end;
        Some(Token { kind, start: start as u32 })
    }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Control characters and characters that cannot be seen: no program means them.
fn is_stray(c: char) -> bool {
    let invisible = matches!(c,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | BYTE_ORDER_MARK);
    invisible || (c.is_control() && !c.is_whitespace())
}

fn is_atom(c: char) -> bool {
    match c {
        '(' | ')' | ';' | '"' => false,
        '!'..='~' => true,
        _ => !c.is_whitespace() && !is_stray(c),
    }
}

fn atom_kind(text: &str) -> SyntaxKind {
    match text.as_bytes()[0] {
        b'?' => SyntaxKind::Variable,
        b':' => SyntaxKind::Keyword,
        _ if is_number(text) => SyntaxKind::Number,
        _ => SyntaxKind::Symbol,
    }
}

/// `-?\d*\.?\d+`
fn is_number(text: &str) -> bool {
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or(("", unsigned));
    digits(whole) && digits(fraction) && !fraction.is_empty()
}

fn is_closed_string(text: &str) -> bool {
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|inner| inner.bytes().rev().take_while(|&byte| byte == b'\\').count().is_multiple_of(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(SyntaxKind, &str)> {
        let tokens: Vec<_> = Lexer::new(text).collect();
        let ends = tokens.iter().skip(1).map(|token| token.start as usize).chain([text.len()]);
        tokens.iter().zip(ends).map(|(token, end)| (token.kind, &text[token.start as usize..end])).collect()
    }

    #[test]
    fn atoms_are_told_apart_by_their_letters() {
        use SyntaxKind::{Keyword, Number, Symbol, Variable};
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
            assert_eq!(kinds(text), [(kind, text)]);
        }
    }

    #[test]
    fn atoms_end_at_blanks_parentheses_comments_and_quotes() {
        use SyntaxKind::{Comment, LeftParenthesis, Number, String, Symbol, Whitespace};
        let expected = [
            (Symbol, "a"),
            (LeftParenthesis, "("),
            (Number, "-10"),
            (Whitespace, "\u{a0}\t"),
            (Symbol, "b"),
            (String, "\"c \\\" d\""),
            (Symbol, "e"),
            (Comment, "; f"),
            (Whitespace, "\r\n"),
        ];
        assert_eq!(kinds("a(-10\u{a0}\tb\"c \\\" d\"e; f\r\n"), expected);
    }

    #[test]
    fn strays_and_open_strings_are_errors() {
        use SyntaxKind::{Error, Symbol, Whitespace};
        assert_eq!(kinds("a\0\u{200b}b"), [(Symbol, "a"), (Error, "\0\u{200b}"), (Symbol, "b")]);
        assert_eq!(kinds("\"a\\\" \nb"), [(Error, "\"a\\\""), (Whitespace, " \n"), (Symbol, "b")]);
        assert_eq!(kinds("\""), [(Error, "\"")]);
        assert_eq!(kinds("\u{feff}a"), [(Whitespace, "\u{feff}"), (Symbol, "a")]);
        assert_eq!(kinds("a\u{feff}"), [(Symbol, "a"), (Error, "\u{feff}")]);
    }
}
