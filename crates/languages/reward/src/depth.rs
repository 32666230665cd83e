//! A bound on how deeply a text nests, found before it is parsed: parsing, and everything that walks the tree, recurses so deep.

use crate::limits::{MAX_DEPTH, MAX_INDENTATION};

/// Where a text nests too deeply, and in what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooDeep {
    /// An expression, at this byte.
    Expression(usize),
    /// Indentation, at this byte.
    Indentation(usize),
}

/// What the scanner is inside of.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// A bracket, or the top level; how many levels the current element may add so far.
    Code { levels: usize },
    /// The text of an f-string.
    Text { quote: u8, triple: bool, raw: bool },
}

/// Words that nest expressions.
const OPERATORS: [&str; 10] = ["not", "and", "or", "if", "else", "lambda", "in", "is", "for", "await"];

/// Looks for the first place that is too deep.
///
/// Every operator, attribute and bracket counts as a level, until a comma or the end of the line ends the expression.
pub(crate) fn too_deep(text: &str) -> Option<TooDeep> {
    Scanner { bytes: text.as_bytes(), at: 0, places: vec![Place::Code { levels: 0 }], depth: 1 }.run()
}

struct Scanner<'t> {
    bytes: &'t [u8],
    at: usize,
    places: Vec<Place>,
    /// The sum of all levels and places.
    depth: usize,
}

impl Scanner<'_> {
    fn run(mut self) -> Option<TooDeep> {
        let mut indentation: Vec<usize> = vec![0];
        let mut line_begins = true;
        while let Some(&byte) = self.bytes.get(self.at) {
            if line_begins && self.places.len() == 1 {
                let width = self.bytes[self.at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                let first = self.bytes.get(self.at + width);
                if first.is_some_and(|first| !matches!(first, b'\n' | b'\r' | b'#')) {
                    while indentation.last().is_some_and(|&last| last > width) {
                        indentation.pop();
                    }
                    if indentation.last().is_none_or(|&last| last < width) {
                        indentation.push(width);
                    }
                    if indentation.len() > MAX_INDENTATION {
                        return Some(TooDeep::Indentation(self.at));
                    }
                }
                self.at += width;
                line_begins = false;
                continue;
            }
            line_begins = byte == b'\n';
            let &place = self.places.last()?;
            match place {
                Place::Code { .. } => self.code(byte),
                Place::Text { quote, triple, raw } => self.text(byte, quote, triple, raw),
            }
            if self.depth > MAX_DEPTH {
                return Some(TooDeep::Expression(self.at.min(self.bytes.len()) - 1));
            }
        }
        None
    }

    /// One more level of the current element.
    fn level(&mut self) {
        if let Some(Place::Code { levels }) = self.places.last_mut() {
            *levels += 1;
            self.depth += 1;
        }
    }

    /// The element is over.
    fn element_ends(&mut self) {
        if let Some(Place::Code { levels }) = self.places.last_mut() {
            self.depth -= *levels;
            *levels = 0;
        }
    }

    fn open(&mut self, place: Place) {
        self.places.push(place);
        self.depth += 1;
    }

    /// Leaves a place; the top level stays.
    fn close(&mut self) {
        if self.places.len() > 1 {
            self.element_ends();
            self.places.pop();
            self.depth -= 1;
        }
    }

    fn code(&mut self, byte: u8) {
        match byte {
            b'#' => self.skip_while(|byte| byte != b'\n'),
            b'"' | b'\'' => self.string(""),
            b'(' | b'[' | b'{' => {
                self.at += 1;
                // A call or an index is a level of what it is applied to.
                self.level();
                self.open(Place::Code { levels: 0 });
            }
            b')' | b']' | b'}' => {
                self.at += 1;
                self.close();
            }
            b',' | b';' => {
                self.at += 1;
                self.element_ends();
            }
            b'\n' => {
                self.at += 1;
                if self.places.len() == 1 {
                    self.element_ends();
                }
            }
            b'\\' => self.at += 2,
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => self.word(),
            b'0'..=b'9' => self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.'),
            b' ' | b'\t' | b'\r' => self.at += 1,
            _ => {
                self.at += 1;
                self.level();
            }
        }
    }

    fn word(&mut self) {
        let start = self.at;
        self.skip_while(|byte| byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80);
        let word = &self.bytes[start..self.at];
        if matches!(self.bytes.get(self.at), Some(b'"' | b'\'')) && word.len() <= 2 {
            let prefix: String = word.iter().map(|&byte| char::from(byte.to_ascii_lowercase())).collect();
            return self.string(&prefix);
        }
        if OPERATORS.iter().any(|operator| operator.as_bytes() == word) {
            self.level();
        }
    }

    fn skip_while(&mut self, holds: impl Fn(u8) -> bool) {
        self.at += self.bytes[self.at..].iter().take_while(|&&byte| holds(byte)).count();
    }

    /// A string whose first quote is here.
    fn string(&mut self, prefix: &str) {
        let quote = self.bytes[self.at];
        let triple = self.bytes[self.at..].starts_with(&[quote; 3]);
        self.at += if triple { 3 } else { 1 };
        let place = Place::Text { quote, triple, raw: prefix.contains('r') };
        if prefix.contains(['f', 't']) {
            return self.open(place);
        }
        let ends =
            |rest: &[u8]| if triple { rest.starts_with(&[quote; 3]) } else { rest[0] == quote || rest[0] == b'\n' };
        while self.at < self.bytes.len() && !ends(&self.bytes[self.at..]) {
            self.at += if self.bytes[self.at] == b'\\' { 2 } else { 1 };
        }
        self.at += if triple { 3 } else { 1 };
        self.at = self.at.min(self.bytes.len());
    }

    /// The next byte of the text of an f-string.
    fn text(&mut self, byte: u8, quote: u8, triple: bool, raw: bool) {
        let rest = &self.bytes[self.at..];
        if (triple && rest.starts_with(&[quote; 3])) || (!triple && (byte == quote || byte == b'\n')) {
            self.at += if triple { 3 } else { 1 };
            return self.close();
        }
        match byte {
            b'\\' if !raw => self.at += 2,
            b'{' if rest.starts_with(b"{{") => self.at += 2,
            b'{' => {
                self.at += 1;
                self.open(Place::Code { levels: 0 });
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
            "f'{",
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
            "f\"{f'''{",
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
    fn unfinished_texts_end() {
        for text in ["'", "f'", "f'{", "\"\"\"", "\\", "f'\\", "f'{'", ")", "}", "f'''{x!r:>{", "'\\"] {
            too_deep(text);
        }
    }
}
