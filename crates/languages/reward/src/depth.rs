//! An upper bound on the nesting depth of a text, computed before parsing: the parser and all tree walks recurse to this depth.
//!
//! The scanner tokenizes a text as the parser does. Where the parser recovers from unbalanced brackets, the scanner keeps counting, so that
//! its bound is never below the depth of the parser. Malformed f-strings have no bound, as the parser may take for code what is text to the
//! scanner; they are reported here.

use crate::limits::{MAX_DEPTH, MAX_INDENTATION};

/// The first position at which a text nests too deeply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooDeep {
    /// An expression, at this byte offset.
    Expression(usize),
    /// Indentation, at this byte offset.
    Indentation(usize),
    /// A malformed f-string at this byte offset, for which no bound is known, with the message.
    Unclear(usize, &'static str),
}

/// A nesting construct around the current position.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// A bracket or the top level.
    Code {
        /// The closing bracket; `None` at the top level.
        closer: Option<u8>,
        /// The number of levels of the current element so far.
        levels: usize,
        /// The number of open lambda parameter lists, whose commas do not end the element.
        lambdas: usize,
        /// The end of the f-string that contains this value.
        within: Option<usize>,
        /// Whether a colon begins the format specification of a value.
        is_field: bool,
    },
    /// The text of an f-string, or of a format specification in one.
    Text { quote: u8, triple: bool, raw: bool, end: usize, is_format: bool },
}

/// Keywords that nest expressions.
const OPERATORS: [&[u8]; 11] =
    [b"not", b"and", b"or", b"if", b"else", b"lambda", b"in", b"is", b"for", b"await", b"yield"];

/// The prefixes of string literals.
const PREFIXES: [&str; 10] = ["r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr"];

/// The message for a malformed value in an f-string.
const OWN_QUOTES: &str = "a value in an f-string contains its enclosing quotes or a line break, or continues after it";
const BRACKETS: &str = "mismatched brackets in this f-string";

/// Returns the first position that nests too deeply.
///
/// Every operator, attribute and bracket counts as a level, until a comma or the end of the line ends the expression.
pub(crate) fn too_deep(text: &str) -> Option<TooDeep> {
    let bytes = text.strip_prefix('\u{feff}').unwrap_or(text).as_bytes();
    let before = text.len() - bytes.len();
    let found = indented_too_deep(bytes).or_else(|| Scanner::new(bytes).run())?;
    Some(match found {
        TooDeep::Expression(place) => TooDeep::Expression(place + before),
        TooDeep::Indentation(place) => TooDeep::Indentation(place + before),
        TooDeep::Unclear(place, why) => TooDeep::Unclear(place + before, why),
    })
}

fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Checks the indentation of all lines, also within brackets and strings: after a syntax error the parser resumes with statements there.
fn indented_too_deep(bytes: &[u8]) -> Option<TooDeep> {
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
        if bytes.get(at).is_some_and(|&first| !is_end(first) && first != b'#') {
            while indentation.last().is_some_and(|&last| last > width) {
                indentation.pop();
            }
            if indentation.last().is_none_or(|&last| last < width) {
                indentation.push(width);
            }
            if indentation.len() > MAX_INDENTATION {
                return Some(TooDeep::Indentation(start));
            }
        }
        at += bytes[at..].iter().take_while(|&&byte| !is_end(byte)).count() + 1;
    }
    None
}

struct Scanner<'t> {
    bytes: &'t [u8],
    at: usize,
    places: Vec<Place>,
    /// The sum of all levels and nesting constructs.
    depth: usize,
    unclear: Option<TooDeep>,
}

impl<'t> Scanner<'t> {
    fn new(bytes: &'t [u8]) -> Self {
        let top = Place::Code { closer: None, levels: 0, lambdas: 0, within: None, is_field: false };
        Self { bytes, at: 0, places: vec![top], depth: 1, unclear: None }
    }

    fn run(mut self) -> Option<TooDeep> {
        while let Some(&byte) = self.bytes.get(self.at) {
            let &place = self.places.last()?;
            match place {
                Place::Code { within, is_field, .. } => {
                    self.code(byte, is_field);
                    if within.is_some_and(|end| self.at > end) {
                        return Some(TooDeep::Unclear(within.unwrap_or_default(), OWN_QUOTES));
                    }
                }
                Place::Text { quote, triple, raw, is_format, .. } => self.text(byte, quote, triple, raw, is_format),
            }
            if self.unclear.is_some() {
                return self.unclear;
            }
            if self.depth > MAX_DEPTH {
                return Some(TooDeep::Expression(self.at.min(self.bytes.len()) - 1));
            }
        }
        None
    }

    /// Adds a level to the current element.
    fn level(&mut self) {
        if let Some(Place::Code { levels, .. }) = self.places.last_mut() {
            *levels += 1;
            self.depth += 1;
        }
    }

    /// Ends the current element.
    fn element_ends(&mut self) {
        if let Some(Place::Code { levels, .. }) = self.places.last_mut() {
            self.depth -= *levels;
            *levels = 0;
        }
    }

    /// Ends the current statement, at the top level.
    fn statement_ends(&mut self) {
        if self.places.len() == 1 {
            self.element_ends();
            if let Some(Place::Code { lambdas, .. }) = self.places.last_mut() {
                *lambdas = 0;
            }
        }
    }

    fn open(&mut self, place: Place) {
        self.places.push(place);
        self.depth += 1;
    }

    fn open_code(&mut self, closer: u8, is_field: bool) {
        let within = match self.places.last() {
            Some(&Place::Code { within, .. }) => within,
            Some(&Place::Text { end, .. }) => Some(end),
            None => None,
        };
        self.open(Place::Code { closer: Some(closer), levels: 0, lambdas: 0, within, is_field });
    }

    /// Leaves the innermost construct.
    fn close(&mut self) {
        self.element_ends();
        self.places.pop();
        self.depth -= 1;
    }

    /// Handles a closing bracket. One that does not match the open bracket is an error in the value of an f-string, and ignored elsewhere.
    fn close_bracket(&mut self, byte: u8) {
        match self.places.last() {
            Some(Place::Code { closer: Some(closer), .. }) if *closer == byte => self.close(),
            Some(Place::Code { within: Some(_), .. }) => self.unclear = Some(TooDeep::Unclear(self.at, BRACKETS)),
            _ => {}
        }
        self.at += 1;
    }

    fn code(&mut self, byte: u8, is_field: bool) {
        match byte {
            b'#' => self.skip_while(|byte| !is_end(byte)),
            b'"' | b'\'' => self.string(""),
            b'(' | b'[' | b'{' => {
                self.at += 1;
                // A call or an index is one level above its operand.
                self.level();
                self.open_code(if byte == b'(' { b')' } else { byte + 2 }, false);
            }
            b')' | b']' | b'}' => self.close_bracket(byte),
            b':' if is_field => {
                self.at += 1;
                self.format_begins();
            }
            b',' | b':' => {
                self.at += 1;
                let Some(Place::Code { lambdas, .. }) = self.places.last_mut() else { return };
                let is_open = *lambdas > 0;
                *lambdas -= usize::from(is_open && byte == b':');
                match byte {
                    b':' => self.level(),
                    _ if is_open => {}
                    _ => self.element_ends(),
                }
            }
            b';' | b'\n' | b'\r' => {
                self.at += 1;
                self.statement_ends();
            }
            b'\\' => self.at += if self.bytes.get(self.at + 1).is_some_and(|&next| is_end(next)) { 2 } else { 1 },
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => self.word(),
            b'0'..=b'9' => self.number(),
            b'.' if self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_digit) => self.number(),
            b' ' | b'\t' | b'\x0c' => self.at += 1,
            _ => {
                self.at += 1;
                self.level();
            }
        }
    }

    /// Enters the format specification of a value, which is text of the enclosing string.
    fn format_begins(&mut self) {
        let around = self.places.iter().rev().find_map(|&place| match place {
            Place::Text { quote, triple, raw, end, .. } => {
                Some(Place::Text { quote, triple, raw, end, is_format: true })
            }
            Place::Code { .. } => None,
        });
        if let Some(format) = around {
            self.open(format);
        }
    }

    /// Skips a number, but not a word or attribute directly behind it, as in `1if` and `1.5.real`.
    fn number(&mut self) {
        let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
        if self.bytes[self.at] == b'0' && self.next_is(1, b"xX") {
            self.at += 2;
            return self.skip_while(|byte| byte.is_ascii_hexdigit() || byte == b'_');
        }
        if self.bytes[self.at] == b'0' && self.next_is(1, b"oObB") {
            self.at += 2;
            return self.skip_while(is_digit);
        }
        self.skip_while(is_digit);
        if self.next_is(0, b".") {
            self.at += 1;
            self.skip_while(is_digit);
        }
        if self.next_is(0, b"eE") {
            let signed = usize::from(self.next_is(1, b"+-"));
            if self.bytes.get(self.at + 1 + signed).is_some_and(u8::is_ascii_digit) {
                self.at += 1 + signed;
                self.skip_while(is_digit);
            }
        }
        self.at += usize::from(self.next_is(0, b"jJ"));
    }

    fn next_is(&self, ahead: usize, wanted: &[u8]) -> bool {
        self.bytes.get(self.at + ahead).is_some_and(|byte| wanted.contains(byte))
    }

    fn word(&mut self) {
        let start = self.at;
        self.skip_while(|byte| byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80);
        // Any non-ASCII letter may be part of a name, or end it.
        let letters = self.bytes[start..self.at].rsplit(|&byte| byte >= 0x80).next().unwrap_or_default();
        if self.next_is(0, b"'\"") && letters.len() <= 2 {
            let prefix: String = letters.iter().map(|&byte| char::from(byte.to_ascii_lowercase())).collect();
            if PREFIXES.contains(&&*prefix) || prefix == "rt" {
                return self.string(&prefix);
            }
        }
        if OPERATORS.contains(&letters) {
            self.level();
        }
        if letters == b"lambda"
            && let Some(Place::Code { lambdas, .. }) = self.places.last_mut()
        {
            *lambdas += 1;
        }
    }

    fn skip_while(&mut self, holds: impl Fn(u8) -> bool) {
        self.at += self.bytes[self.at..].iter().take_while(|&&byte| holds(byte)).count();
    }

    /// Scans a string from its first quote on.
    fn string(&mut self, prefix: &str) {
        let quote = self.bytes[self.at];
        let triple = self.bytes[self.at..].starts_with(&[quote; 3]);
        self.at += if triple { 3 } else { 1 };
        let mut end = self.at;
        let ends =
            |rest: &[u8]| if triple { rest.starts_with(&[quote; 3]) } else { rest[0] == quote || is_end(rest[0]) };
        while end < self.bytes.len() && !ends(&self.bytes[end..]) {
            end += if self.bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(self.bytes.len());
        if prefix.contains(['f', 't']) {
            return self.open(Place::Text { quote, triple, raw: prefix.contains('r'), end, is_format: false });
        }
        let is_closed = self.bytes.get(end) == Some(&quote);
        self.at = end
            + if !is_closed {
                0
            } else if triple {
                3
            } else {
                1
            };
    }

    /// Scans the next byte of the text of an f-string.
    fn text(&mut self, byte: u8, quote: u8, triple: bool, raw: bool, is_format: bool) {
        let rest = &self.bytes[self.at..];
        if (triple && rest.starts_with(&[quote; 3])) || (!triple && (byte == quote || is_end(byte))) {
            if is_format {
                self.unclear = Some(TooDeep::Unclear(self.at, OWN_QUOTES));
            }
            self.at += match byte {
                b'\n' | b'\r' if !triple => 0,
                _ if triple => 3,
                _ => 1,
            };
            return self.close();
        }
        match byte {
            b'\\' if rest.starts_with(b"\\N{") && !raw => {
                self.at += rest.iter().take_while(|&&byte| byte != b'}' && byte != quote && !is_end(byte)).count();
                self.at += usize::from(self.next_is(0, b"}"));
            }
            b'\\' if rest.get(1).is_some_and(|next| matches!(next, b'{' | b'}')) => self.at += 1,
            b'\\' => self.at += 2,
            b'{' if rest.starts_with(b"{{") && !is_format => self.at += 2,
            b'{' => {
                self.at += 1;
                self.open_code(b'}', true);
            }
            b'}' if is_format => {
                self.at += 1;
                self.close();
                self.close();
            }
            _ => self.at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_have_is_not_deep() {
        let wide = format!("x = [{}]\n", "1 + 2, ".repeat(10_000));
        let long = "reward += a.b * -c if d else f'{e:{w}.3f} \\' {{'  # (((\n".repeat(1_000);
        let quoted =
            format!("s = '{}'\nt = r\"{}\"\nu = \"\"\"{}\"\"\"\n", "(".repeat(999), "[".repeat(999), "{".repeat(999));
        for text in [wide, long, quoted] {
            assert_eq!(too_deep(&text), None);
        }
    }

    #[test]
    fn every_way_to_nest_counts() {
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
            let text = format!("x = {}a", chain.repeat(MAX_DEPTH + 1));
            assert!(matches!(too_deep(&text), Some(TooDeep::Expression(_))), "{chain}");
        }
        let blocks: String = (0..=MAX_INDENTATION).map(|level| format!("{}if a:\n", " ".repeat(level))).collect();
        assert!(matches!(
            too_deep(&format!("{blocks}{}pass", " ".repeat(MAX_INDENTATION + 1))),
            Some(TooDeep::Indentation(_))
        ));
    }

    #[test]
    fn what_strings_hold_counts_as_what_it_is() {
        let fine = "x = f'{255:#x}' + f\"{255:'>10}\" + f'{1:{2}}' + f'{{' + rf'\\{1}' + f'\\N{DIGIT ONE}' + f'''{(1,\n2)!r:>4}'''\n";
        assert_eq!(too_deep(&fine.repeat(200)), None);
        let deep = "(".repeat(MAX_DEPTH + 1);
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
            assert!(matches!(too_deep(&format!("{text}{deep}")), Some(TooDeep::Expression(_))), "{text}");
        }
        // The parser searches anew for the end of these strings, so the code behind them is unknown.
        for text in ["f'''{'''\n}", "f'{'\n}", "f\"{r\"", "f'{(}'", "f'{1:'", "f'''{(if 1)+\"'''\"", "f'{x['a']}'"] {
            assert!(matches!(too_deep(&format!("{text}{deep}")), Some(TooDeep::Unclear(..))), "{text}");
        }
        let hidden: String = (0..=MAX_INDENTATION).map(|level| format!("{}if a,:\n", " ".repeat(level))).collect();
        assert!(matches!(too_deep(&format!("x = (\n{hidden}")), Some(TooDeep::Indentation(_))));
    }

    #[test]
    fn unfinished_texts_end() {
        for text in ["'", "f'", "f'{", "\"\"\"", "\\", "f'\\", "f'{'", ")", "}", "f'''{x!r:>{", "'\\"] {
            too_deep(text);
        }
    }
}
