//! Python programs in the canonical layout of exports: without comments, docstrings, blank lines and continued lines, with four blanks per
//! level and one blank between words.

use goalspec_syntax::SourceFile;
use ruff_python_ast::token::TokenKind;
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;

/// Returns a program in canonical layout.
///
/// # Panics
/// If the program has syntax errors.
pub(crate) fn canonical(source: &SourceFile) -> String {
    let parsed = parse_module(source.text()).expect("the program can be parsed");
    let mut writer = Writer::default();
    for token in parsed.tokens() {
        writer.token(token.kind(), &source.text()[token.range()]);
    }
    writer.text
}

#[derive(Default)]
struct Writer {
    text: String,
    /// The logical line so far, with its tokens.
    line: String,
    kinds: Vec<TokenKind>,
    level: usize,
    brackets: usize,
    /// The number of lambdas whose colon is still to come.
    lambdas: usize,
}

impl Writer {
    fn token(&mut self, kind: TokenKind, text: &str) {
        match kind {
            TokenKind::Comment | TokenKind::NonLogicalNewline | TokenKind::EndOfFile => {}
            TokenKind::Indent => self.level += 1,
            TokenKind::Dedent => self.level -= 1,
            TokenKind::Newline => self.end_line(),
            _ => self.word(kind, text),
        }
    }

    /// Ends a logical line. A string alone is a docstring.
    fn end_line(&mut self) {
        if self.kinds != [TokenKind::String] {
            self.text.push_str(&"    ".repeat(self.level));
            self.text.push_str(&self.line);
            self.text.push('\n');
        }
        self.line.clear();
        self.kinds.clear();
    }

    fn word(&mut self, kind: TokenKind, text: &str) {
        let is_closing = matches!(kind, TokenKind::Rpar | TokenKind::Rsqb);
        if is_closing && self.kinds.last() == Some(&TokenKind::Comma) {
            // A comma after the last part.
            self.line.truncate(self.line.trim_end_matches(',').len());
            self.kinds.pop();
        }
        if self.has_blank_before(kind) {
            self.line.push(' ');
        }
        self.line.push_str(text);
        match kind {
            TokenKind::Lpar | TokenKind::Lsqb => self.brackets += 1,
            TokenKind::Lambda => self.lambdas += 1,
            TokenKind::Colon if self.lambdas > 0 => self.lambdas -= 1,
            _ => self.brackets -= usize::from(is_closing),
        }
        self.kinds.push(kind);
    }

    fn has_blank_before(&self, kind: TokenKind) -> bool {
        let Some(&before) = self.kinds.last() else { return false };
        // The value of a named argument follows its name without blanks.
        let is_named = |kind| kind == TokenKind::Equal && self.brackets > 0;
        let opens = |kind| matches!(kind, TokenKind::Lpar | TokenKind::Lsqb);
        let is_attached = match kind {
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Comma | TokenKind::Colon | TokenKind::Dot => true,
            TokenKind::Lpar | TokenKind::Lsqb => ends_operand(before),
            _ => is_named(kind),
        };
        !(is_attached || opens(before) || before == TokenKind::Dot || is_named(before) || self.is_sign(before))
    }

    /// Whether the last token is the sign of an operand.
    fn is_sign(&self, last: TokenKind) -> bool {
        let before = self.kinds.len().checked_sub(2).map(|place| self.kinds[place]);
        last == TokenKind::Minus && !before.is_some_and(ends_operand)
    }
}

/// Whether an operand, such as a name or a call, can end with a token.
fn ends_operand(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Name
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::String
            | TokenKind::Rpar
            | TokenKind::Rsqb
            | TokenKind::True
            | TokenKind::False
            | TokenKind::None
    )
}
