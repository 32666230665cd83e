//! Location of missing closing parentheses, judged by indentation.

use super::kind::TokenKind;
use super::lexer::{LINE_ENDS, Token};

/// A range of tokens in which lists stay open.
pub(super) struct Region<'a> {
    pub(super) text: &'a str,
    /// All tokens so far; the region extends to their end.
    pub(super) tokens: &'a [Token],
    /// The token of the program's opening parenthesis, if the region is only the program's last section.
    pub(super) outer: Option<usize>,
    /// The region's first token: an opening parenthesis.
    pub(super) start: usize,
    /// The opening parentheses that counting alone finds unclosed, `outer` included.
    pub(super) unclosed: &'a [u32],
}

/// Closing parentheses that are missing at one place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MissingParentheses {
    /// The opening parenthesis of the outermost list that ends here, as token index.
    pub(super) open: usize,
    /// The number of lists that end here.
    pub(super) count: usize,
    /// The index of the token before which they end.
    pub(super) before: usize,
}

/// A list that is open at some token, with the layout of its opening parenthesis.
struct EnclosingList {
    token: usize,
    /// The indentation of the line it stands on.
    indent: usize,
    /// Whether it is the first token on its line.
    leads: bool,
}

impl Region<'_> {
    /// Returns the places of all missing closing parentheses: first those where the layout shows that a list has
    /// ended, then the end of the region for the rest.
    ///
    /// The layout shows the end of a list in two cases. An opening parenthesis at the start of a line is no further right than an enclosing
    /// list that also starts a line, so it is a sibling of that list and not a part. Or a closing parenthesis at the start of a line is
    /// less indented than the line of the list it would close. The outermost list of the region is never judged this way, because sections
    /// and programs are often not indented. Counting bounds the number of lists that may be closed before a token, so that each closing
    /// parenthesis in the text still finds a list.
    pub(super) fn missing(&self) -> Vec<MissingParentheses> {
        let mut open: Vec<EnclosingList> = self.outer.iter().map(|&token| self.open(token)).collect();
        let fixed = open.len() + 1;
        let mut found = Vec::new();
        let (mut closed, mut allowed, mut indent) = (0, 0, self.open(self.start).indent);
        for (index, token) in self.tokens.iter().enumerate().skip(self.start) {
            let column = line_indent(self.text, token.start);
            indent = column.unwrap_or(indent);
            allowed += self.unclosed[allowed..].iter().take_while(|&&open| (open as usize) < index).count();
            let keep = match (token.kind, column) {
                (TokenKind::LeftParenthesis, Some(column)) => {
                    let ended =
                        |list: &EnclosingList| if list.leads { list.indent >= column } else { list.indent > column };
                    open.iter().skip(fixed).position(ended).map_or(open.len(), |at| at + fixed)
                }
                (TokenKind::RightParenthesis, Some(column)) => {
                    let ended = open.iter().skip(fixed).rev().take_while(|list| list.indent > column).count();
                    open.len() - ended
                }
                _ => open.len(),
            };
            let count = (open.len() - keep).min(allowed - closed);
            if count > 0 {
                open.truncate(open.len() - count + 1);
                closed += count;
                found.extend(open.pop().map(|list| MissingParentheses {
                    open: list.token,
                    count,
                    before: self.behind(index),
                }));
            }
            match token.kind {
                TokenKind::LeftParenthesis => {
                    open.push(EnclosingList { token: index, indent, leads: column.is_some() });
                }
                TokenKind::RightParenthesis => drop(open.pop()),
                _ => {}
            }
        }
        let before = self.behind(self.tokens.len());
        found.extend(open.first().map(|list| MissingParentheses { open: list.token, count: open.len(), before }));
        found
    }

    fn open(&self, token: usize) -> EnclosingList {
        let start = self.tokens[token].start;
        let line = self.text[..start as usize].rfind(LINE_ENDS).map_or(0, |at| at + 1);
        let before = &self.text[line..start as usize];
        let before = crate::source::without_byte_order_mark(before);
        let indent = before.len() - before.trim_start_matches([' ', '\t']).len();
        EnclosingList { token, indent, leads: line_indent(self.text, start).is_some() }
    }

    /// Returns the index after the last token before `index` that is neither whitespace nor comment.
    fn behind(&self, index: usize) -> usize {
        self.tokens[..index].iter().rposition(|token| !token.kind.is_trivia()).map_or(index, |last| last + 1)
    }
}

/// Returns the indentation of a place, in spaces and tabs, if nothing else precedes it on its line.
pub(super) fn line_indent(text: &str, at: u32) -> Option<usize> {
    let before = &text.as_bytes()[..at as usize];
    let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match before[..before.len() - blanks] {
        // The three bytes are a byte order mark.
        [] | [.., b'\n' | b'\r'] | [0xef, 0xbb, 0xbf] => Some(blanks),
        _ => None,
    }
}
