//! An upper bound on the nesting depth of a text, computed before parsing: the parser and all tree walks recurse to this depth.
//!
//! The scanner tokenizes a text as the parser does. Where the parser recovers from unbalanced brackets, the scanner keeps counting, so that
//! its bound is never below the depth of the parser. Malformed f-strings have no bound, as the parser may take for code what is text to the
//! scanner; they are reported here.

use crate::limits::{MAX_EXPRESSION_DEPTH, MAX_INDENTATION};

/// The first position at which a text nests too deeply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NestingError {
    /// An expression, at this byte offset.
    Expression(usize),
    /// Indentation, at this byte offset.
    Indentation(usize),
    /// A malformed f-string at this byte offset, for which no bound is known, with the message.
    MalformedFString(usize, &'static str),
}

/// A nesting construct around the current position.
#[derive(Debug, Clone, Copy)]
enum Context {
    /// A bracket or the top level.
    Code {
        /// The closing bracket; `None` at the top level.
        closer: Option<u8>,
        /// The number of levels of the current element so far.
        levels: usize,
        /// The number of open lambda parameter lists, whose commas do not end the element.
        lambdas: usize,
        /// The end of the f-string that contains this value.
        fstring_end: Option<usize>,
        /// Whether a colon begins the format specification of a value.
        is_field: bool,
    },
    /// The text of an f-string, or of a format specification in one.
    FString { quote: u8, triple: bool, raw: bool, end: usize, is_format: bool },
}

/// Keywords that nest expressions.
const NESTING_KEYWORDS: [&[u8]; 11] =
    [b"not", b"and", b"or", b"if", b"else", b"lambda", b"in", b"is", b"for", b"await", b"yield"];

/// The prefixes of string literals.
const PREFIXES: [&str; 10] = ["r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr"];

/// The message for a malformed value in an f-string.
const QUOTES_MESSAGE: &str =
    "a value in an f-string contains its enclosing quotes or a line break, or continues after it";
const BRACKETS_MESSAGE: &str = "mismatched brackets in this f-string";

/// Returns the first position that nests too deeply.
///
/// Every operator, attribute and bracket counts as a level, until a comma or the end of the line ends the expression.
pub(crate) fn find_nesting_error(text: &str) -> Option<NestingError> {
    let bytes = text.strip_prefix('\u{feff}').unwrap_or(text).as_bytes();
    let before = text.len() - bytes.len();
    let found = find_indentation_error(bytes).or_else(|| Scanner::new(bytes).run())?;
    Some(match found {
        NestingError::Expression(place) => NestingError::Expression(place + before),
        NestingError::Indentation(place) => NestingError::Indentation(place + before),
        NestingError::MalformedFString(place, reason) => NestingError::MalformedFString(place + before, reason),
    })
}

fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Checks the indentation of all lines, also within brackets and strings: after a syntax error the parser resumes with statements there.
fn find_indentation_error(bytes: &[u8]) -> Option<NestingError> {
    let mut indentation: Vec<usize> = vec![0];
    let mut at = 0;
    while at < bytes.len() {
        let (mut width, start) = (0, at);
        loop {
            match &bytes[at..] {
                [b' ' | b'\t', ..] => width += 1,
                [b'\x0c', ..] => width = 0,
                [b'\\', b'\r', b'\n', ..] => at += 2,
                [b'\\', b'\r' | b'\n', ..] => at += 1,
                _ => break,
            }
            at += 1;
        }
        if bytes.get(at).is_some_and(|&first| !is_line_break(first) && first != b'#') {
            while indentation.last().is_some_and(|&last| last > width) {
                indentation.pop();
            }
            if indentation.last().is_none_or(|&last| last < width) {
                indentation.push(width);
            }
            if indentation.len() > MAX_INDENTATION {
                return Some(NestingError::Indentation(start));
            }
        }
        at += bytes[at..].iter().take_while(|&&byte| !is_line_break(byte)).count() + 1;
    }
    None
}

struct Scanner<'t> {
    bytes: &'t [u8],
    offset: usize,
    contexts: Vec<Context>,
    /// The sum of all levels and nesting constructs.
    depth: usize,
    fstring_error: Option<NestingError>,
}

impl<'t> Scanner<'t> {
    fn new(bytes: &'t [u8]) -> Self {
        let top = Context::Code { closer: None, levels: 0, lambdas: 0, fstring_end: None, is_field: false };
        Self { bytes, offset: 0, contexts: vec![top], depth: 1, fstring_error: None }
    }

    fn run(mut self) -> Option<NestingError> {
        while let Some(&byte) = self.bytes.get(self.offset) {
            let &place = self.contexts.last()?;
            match place {
                Context::Code { fstring_end: within, is_field, .. } => {
                    self.scan_code(byte, is_field);
                    if within.is_some_and(|end| self.offset > end) {
                        return Some(NestingError::MalformedFString(within.unwrap_or_default(), QUOTES_MESSAGE));
                    }
                }
                Context::FString { quote, triple, raw, is_format, .. } => {
                    self.scan_fstring(byte, quote, triple, raw, is_format);
                }
            }
            if self.fstring_error.is_some() {
                return self.fstring_error;
            }
            if self.depth > MAX_EXPRESSION_DEPTH {
                return Some(NestingError::Expression(self.offset.min(self.bytes.len()) - 1));
            }
        }
        None
    }

    /// Adds a level to the current element.
    fn add_level(&mut self) {
        if let Some(Context::Code { levels, .. }) = self.contexts.last_mut() {
            *levels += 1;
            self.depth += 1;
        }
    }

    /// Ends the current element.
    fn end_element(&mut self) {
        if let Some(Context::Code { levels, .. }) = self.contexts.last_mut() {
            self.depth -= *levels;
            *levels = 0;
        }
    }

    /// Ends the current statement, at the top level.
    fn end_statement(&mut self) {
        if self.contexts.len() == 1 {
            self.end_element();
            if let Some(Context::Code { lambdas, .. }) = self.contexts.last_mut() {
                *lambdas = 0;
            }
        }
    }

    fn push_context(&mut self, place: Context) {
        self.contexts.push(place);
        self.depth += 1;
    }

    fn push_code(&mut self, closer: u8, is_field: bool) {
        let within = match self.contexts.last() {
            Some(&Context::Code { fstring_end: within, .. }) => within,
            Some(&Context::FString { end, .. }) => Some(end),
            None => None,
        };
        self.push_context(Context::Code { closer: Some(closer), levels: 0, lambdas: 0, fstring_end: within, is_field });
    }

    /// Leaves the innermost construct.
    fn pop_context(&mut self) {
        self.end_element();
        self.contexts.pop();
        self.depth -= 1;
    }

    /// Handles a closing bracket. One that does not match the open bracket is an error in the value of an f-string, and ignored elsewhere.
    fn close_bracket(&mut self, byte: u8) {
        match self.contexts.last() {
            Some(Context::Code { closer: Some(closer), .. }) if *closer == byte => self.pop_context(),
            Some(Context::Code { fstring_end: Some(_), .. }) => {
                self.fstring_error = Some(NestingError::MalformedFString(self.offset, BRACKETS_MESSAGE));
            }
            _ => {}
        }
        self.offset += 1;
    }

    fn scan_code(&mut self, byte: u8, is_field: bool) {
        match byte {
            b'#' => self.skip_while(|byte| !is_line_break(byte)),
            b'"' | b'\'' => self.scan_string(""),
            b'(' | b'[' | b'{' => {
                self.offset += 1;
                // A call or an index is one level above its operand.
                self.add_level();
                self.push_code(if byte == b'(' { b')' } else { byte + 2 }, false);
            }
            b')' | b']' | b'}' => self.close_bracket(byte),
            b':' if is_field => {
                self.offset += 1;
                self.begin_format_spec();
            }
            b',' | b':' => {
                self.offset += 1;
                let Some(Context::Code { lambdas, .. }) = self.contexts.last_mut() else { return };
                let is_open = *lambdas > 0;
                *lambdas -= usize::from(is_open && byte == b':');
                match byte {
                    b':' => self.add_level(),
                    _ if is_open => {}
                    _ => self.end_element(),
                }
            }
            b';' | b'\n' | b'\r' => {
                self.offset += 1;
                self.end_statement();
            }
            b'\\' => {
                self.offset +=
                    if self.bytes.get(self.offset + 1).is_some_and(|&next| is_line_break(next)) { 2 } else { 1 }
            }
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => self.scan_word(),
            b'0'..=b'9' => self.skip_number(),
            b'.' if self.bytes.get(self.offset + 1).is_some_and(u8::is_ascii_digit) => self.skip_number(),
            b' ' | b'\t' | b'\x0c' => self.offset += 1,
            _ => {
                self.offset += 1;
                self.add_level();
            }
        }
    }

    /// Enters the format specification of a value, which is text of the enclosing string.
    fn begin_format_spec(&mut self) {
        let around = self.contexts.iter().rev().find_map(|&place| match place {
            Context::FString { quote, triple, raw, end, .. } => {
                Some(Context::FString { quote, triple, raw, end, is_format: true })
            }
            Context::Code { .. } => None,
        });
        if let Some(format) = around {
            self.push_context(format);
        }
    }

    /// Skips a number, but not a word or attribute directly behind it, as in `1if` and `1.5.real`.
    fn skip_number(&mut self) {
        let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
        if self.bytes[self.offset] == b'0' && self.is_next(1, b"xX") {
            self.offset += 2;
            return self.skip_while(|byte| byte.is_ascii_hexdigit() || byte == b'_');
        }
        if self.bytes[self.offset] == b'0' && self.is_next(1, b"oObB") {
            self.offset += 2;
            return self.skip_while(is_digit);
        }
        self.skip_while(is_digit);
        if self.is_next(0, b".") {
            self.offset += 1;
            self.skip_while(is_digit);
        }
        if self.is_next(0, b"eE") {
            let signed = usize::from(self.is_next(1, b"+-"));
            if self.bytes.get(self.offset + 1 + signed).is_some_and(u8::is_ascii_digit) {
                self.offset += 1 + signed;
                self.skip_while(is_digit);
            }
        }
        self.offset += usize::from(self.is_next(0, b"jJ"));
    }

    fn is_next(&self, ahead: usize, wanted: &[u8]) -> bool {
        self.bytes.get(self.offset + ahead).is_some_and(|byte| wanted.contains(byte))
    }

    fn scan_word(&mut self) {
        let start = self.offset;
        self.skip_while(|byte| byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80);
        // Any non-ASCII letter may be part of a name, or end it.
        let letters = self.bytes[start..self.offset].rsplit(|&byte| byte >= 0x80).next().unwrap_or_default();
        if self.is_next(0, b"'\"") && letters.len() <= 2 {
            let prefix: String = letters.iter().map(|&byte| char::from(byte.to_ascii_lowercase())).collect();
            if PREFIXES.contains(&&*prefix) || prefix == "rt" {
                return self.scan_string(&prefix);
            }
        }
        if NESTING_KEYWORDS.contains(&letters) {
            self.add_level();
        }
        if letters == b"lambda"
            && let Some(Context::Code { lambdas, .. }) = self.contexts.last_mut()
        {
            *lambdas += 1;
        }
    }

    fn skip_while(&mut self, holds: impl Fn(u8) -> bool) {
        self.offset += self.bytes[self.offset..].iter().take_while(|&&byte| holds(byte)).count();
    }

    /// Scans a string from its first quote on.
    fn scan_string(&mut self, prefix: &str) {
        let quote = self.bytes[self.offset];
        let triple = self.bytes[self.offset..].starts_with(&[quote; 3]);
        self.offset += if triple { 3 } else { 1 };
        let mut end = self.offset;
        let ends = |rest: &[u8]| {
            if triple { rest.starts_with(&[quote; 3]) } else { rest[0] == quote || is_line_break(rest[0]) }
        };
        while end < self.bytes.len() && !ends(&self.bytes[end..]) {
            end += if self.bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(self.bytes.len());
        if prefix.contains(['f', 't']) {
            return self.push_context(Context::FString {
                quote,
                triple,
                raw: prefix.contains('r'),
                end,
                is_format: false,
            });
        }
        let is_closed = self.bytes.get(end) == Some(&quote);
        self.offset = end
            + if !is_closed {
                0
            } else if triple {
                3
            } else {
                1
            };
    }

    /// Scans the next byte of the text of an f-string.
    fn scan_fstring(&mut self, byte: u8, quote: u8, triple: bool, raw: bool, is_format: bool) {
        let rest = &self.bytes[self.offset..];
        if (triple && rest.starts_with(&[quote; 3])) || (!triple && (byte == quote || is_line_break(byte))) {
            if is_format {
                self.fstring_error = Some(NestingError::MalformedFString(self.offset, QUOTES_MESSAGE));
            }
            self.offset += match byte {
                b'\n' | b'\r' if !triple => 0,
                _ if triple => 3,
                _ => 1,
            };
            return self.pop_context();
        }
        match byte {
            b'\\' if rest.starts_with(b"\\N{") && !raw => {
                self.offset +=
                    rest.iter().take_while(|&&byte| byte != b'}' && byte != quote && !is_line_break(byte)).count();
                self.offset += usize::from(self.is_next(0, b"}"));
            }
            b'\\' if rest.get(1).is_some_and(|next| matches!(next, b'{' | b'}')) => self.offset += 1,
            b'\\' => self.offset += 2,
            b'{' if rest.starts_with(b"{{") && !is_format => self.offset += 2,
            b'{' => {
                self.offset += 1;
                self.push_code(b'}', true);
            }
            b'}' if is_format => {
                self.offset += 1;
                self.pop_context();
                self.pop_context();
            }
            _ => self.offset += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_programs_are_accepted() {
        let wide = format!("x = [{}]\n", "1 + 2, ".repeat(10_000));
        let long = "reward += a.b * -c if d else f'{e:{w}.3f} \\' {{'  # (((\n".repeat(1_000);
        let quoted =
            format!("s = '{}'\nt = r\"{}\"\nu = \"\"\"{}\"\"\"\n", "(".repeat(999), "[".repeat(999), "{".repeat(999));
        for text in [wide, long, quoted] {
            assert_eq!(find_nesting_error(&text), None);
        }
    }

    #[test]
    fn all_nesting_constructs_count() {
        let chains = [
            "(",
            "[",
            "{",
            "not ",
            "-",
            "1+",
            "a.",
            "a[0]",
            "lambda:",
            "a if b else ",
            "f()",
            "await ",
            "a and ",
            "lambda a,b: ",
            ".real",
            "1if 1else ",
            "1.5.real.imag",
            "(],",
            "if\"{\" else ",
            "\\(",
        ];
        for chain in chains {
            let text = format!("x = {}a", chain.repeat(MAX_EXPRESSION_DEPTH + 1));
            assert!(matches!(find_nesting_error(&text), Some(NestingError::Expression(_))), "{chain}");
        }
        let blocks: String = (0..=MAX_INDENTATION).map(|level| format!("{}if a:\n", " ".repeat(level))).collect();
        assert!(matches!(
            find_nesting_error(&format!("{blocks}{}pass", " ".repeat(MAX_INDENTATION + 1))),
            Some(NestingError::Indentation(_))
        ));
    }

    #[test]
    fn string_contents_are_not_code() {
        let fine = "x = f'{255:#x}' + f\"{255:'>10}\" + f'{1:{2}}' + f'{{' + rf'\\{1}' + f'\\N{DIGIT ONE}' + f'''{(1,\n2)!r:>4}'''\n";
        assert_eq!(find_nesting_error(&fine.repeat(200)), None);
        let deep = "(".repeat(MAX_EXPRESSION_DEPTH + 1);
        for text in [
            "# a \r",
            "\u{b2}f'{",
            "f'{1}' ",
            "f'{1:#x}' ",
            "rf'\\'' ",
            "f'\\{1}' ",
            "f'{{' ",
            "'\\'' ",
            "1if\"{\" else ",
        ] {
            assert!(
                matches!(find_nesting_error(&format!("{text}{deep}")), Some(NestingError::Expression(_))),
                "{text}"
            );
        }
        // The parser searches anew for the end of these strings, so the code behind them is unknown.
        for text in ["f'''{'''\n}", "f'{'\n}", "f\"{r\"", "f'{(}'", "f'{1:'", "f'''{(if 1)+\"'''\"", "f'{x['a']}'"] {
            assert!(
                matches!(find_nesting_error(&format!("{text}{deep}")), Some(NestingError::MalformedFString(..))),
                "{text}"
            );
        }
        let hidden: String = (0..=MAX_INDENTATION).map(|level| format!("{}if a,:\n", " ".repeat(level))).collect();
        assert!(matches!(find_nesting_error(&format!("x = (\n{hidden}")), Some(NestingError::Indentation(_))));
    }

    #[test]
    fn scanning_terminates_on_incomplete_input() {
        for text in ["'", "f'", "f'{", "\"\"\"", "\\", "f'\\", "f'{'", ")", "}", "f'''{x!r:>{", "'\\"] {
            find_nesting_error(text);
        }
    }
}
