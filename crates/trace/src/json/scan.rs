//! A pull scanner of JSON tokens.

use std::borrow::Cow;

use super::number::{self, Number};
use crate::codes;
use crate::error::TraceError;

/// Maximum nesting depth of lists and objects that are skipped or read.
pub(crate) const MAX_JSON_DEPTH: u32 = 64;

/// Maximum number of objects around the states of a recorded play.
pub(crate) const MAX_ENCLOSING_OBJECTS: usize = 16;

/// The signal that the scanner stopped; [`Scanner::fault`] holds the reason. It is kept out of the result so that results stay small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stop;

/// A problem in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScanProblem {
    /// Another token is expected here.
    Expected(&'static str),
    /// `NaN`, an infinity, or a number out of range.
    NotFinite,
    /// Lists and objects are nested too deeply.
    Depth,
    /// Too many objects enclose the states.
    TooManyObjects,
    /// A value of another type is expected here.
    WrongType(&'static str),
    /// This required field is missing.
    Missing(&'static str),
    /// The object already had a field of this name.
    DuplicateField,
}

/// The set of fields read from one object, by number.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FieldSet(u128);

impl FieldSet {
    /// The number of distinguishable fields.
    pub(crate) const CAPACITY: usize = 128;

    /// Adds a field. Returns whether it was not in the set; always true for a number from [`Self::CAPACITY`] on.
    pub(crate) fn insert(&mut self, field: usize) -> bool {
        let before = self.0;
        self.0 |= 1_u128.checked_shl(field as u32).unwrap_or(0);
        field >= Self::CAPACITY || self.0 != before
    }
}

impl ScanProblem {
    /// Converts the problem into an error; `place` describes its place, as in `in state 3, at byte 17`.
    pub(crate) fn into_error(self, place: &str) -> TraceError {
        match self {
            Self::Expected(what) => TraceError::new(codes::SYNTAX, format!("expected {what} {place}")),
            Self::NotFinite => TraceError::new(codes::NOT_FINITE, format!("a number is not finite {place}")),
            Self::Depth => {
                TraceError::new(codes::DEPTH, format!("JSON is nested more than {MAX_JSON_DEPTH} levels deep {place}"))
            }
            Self::TooManyObjects => {
                let message = format!("the states are nested in more than {MAX_ENCLOSING_OBJECTS} objects {place}");
                TraceError::new(codes::DEPTH, message)
            }
            Self::WrongType(expected) => TraceError::new(codes::WRONG_TYPE, format!("expected {expected} {place}")),
            Self::Missing(field) => TraceError::new(codes::MISSING_FIELD, format!("`{field}` is missing {place}")),
            Self::DuplicateField => {
                TraceError::new(codes::DOUBLED_FIELD, format!("duplicate field in an object {place}"))
            }
        }
    }
}

/// The reason why the scanner stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScanStop {
    /// The text in memory ends within a token or value.
    Incomplete,
    /// The text is invalid at this byte, counted from the start of the text in memory.
    At(usize, ScanProblem),
}

/// A string token, escapes not yet resolved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StringToken<'a> {
    /// The bytes between the quotes.
    pub(crate) raw: &'a [u8],
    /// Whether they contain escapes.
    pub(crate) escaped: bool,
}

/// A scanner that reads tokens from the front of a text.
#[derive(Debug)]
pub(crate) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    fault: ScanStop,
}

type Scan<T> = Result<T, Stop>;

impl<'a> Scanner<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, fault: ScanStop::Incomplete }
    }

    /// Returns the number of bytes read.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Returns the text between an earlier position and the current one.
    pub(crate) fn since(&self, start: usize) -> &'a [u8] {
        &self.bytes[start..self.at]
    }

    /// Returns the text from the current position on.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Reads this text if it stands at the current position. Returns whether it does.
    pub(crate) fn accept(&mut self, text: &[u8]) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    /// Advances by bytes that the caller has examined.
    pub(crate) fn advance(&mut self, count: usize) {
        self.at += count;
    }

    /// Returns the reason why the scanner stopped.
    pub(crate) fn fault(&self) -> ScanStop {
        self.fault
    }

    /// Stops with a problem at an offset.
    #[cold]
    pub(crate) fn stop<T>(&mut self, at: usize, problem: ScanProblem) -> Scan<T> {
        self.fault = ScanStop::At(at, problem);
        Err(Stop)
    }

    #[cold]
    fn incomplete<T>(&mut self) -> Scan<T> {
        self.fault = ScanStop::Incomplete;
        Err(Stop)
    }

    /// Returns the next byte that is not white space, without reading it.
    pub(crate) fn peek(&mut self) -> Scan<u8> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                Some(&byte) => return Ok(byte),
                None => return self.incomplete(),
            }
        }
    }

    /// Stops unless only white space is left.
    pub(crate) fn end(&mut self) -> Scan<()> {
        match self.peek() {
            Ok(_) => self.stop(self.at, ScanProblem::Expected("the end of the line")),
            Err(Stop) => Ok(()),
        }
    }

    /// Reads this byte, or stops.
    pub(crate) fn expect(&mut self, byte: u8, name: &'static str) -> Scan<()> {
        if self.peek()? == byte {
            self.at += 1;
            return Ok(());
        }
        self.stop(self.at, ScanProblem::Expected(name))
    }

    /// Reads an opening bracket. Returns whether an element precedes the closing one; if not, that is read, too.
    pub(crate) fn open(&mut self, open: u8, close: u8, name: &'static str) -> Scan<bool> {
        if self.peek()? != open {
            return self.stop(self.at, ScanProblem::WrongType(name));
        }
        self.at += 1;
        let empty = self.peek()? == close;
        self.at += usize::from(empty);
        Ok(!empty)
    }

    /// Reads `{`. Returns whether there is a member.
    pub(crate) fn object(&mut self) -> Scan<bool> {
        self.open(b'{', b'}', "an object")
    }

    /// Reads `[`. Returns whether there is an element.
    pub(crate) fn list(&mut self) -> Scan<bool> {
        self.open(b'[', b']', "a list")
    }

    /// Reads `,` or the closing bracket after an element. Returns whether another element follows.
    pub(crate) fn has_next_element(&mut self, close: u8) -> Scan<bool> {
        let byte = self.peek()?;
        if byte == b',' {
            self.at += 1;
            if self.peek()? == close {
                return self.stop(self.at, ScanProblem::Expected("another element after the comma"));
            }
            return Ok(true);
        }
        if byte == close {
            self.at += 1;
            return Ok(false);
        }
        self.stop(self.at, ScanProblem::Expected(if close == b'}' { "`,` or `}`" } else { "`,` or `]`" }))
    }

    /// Stops at the name of the member that was just read, because the object already had a member of that name.
    #[cold]
    pub(crate) fn duplicate_field<T>(&mut self, name: StringToken<'a>) -> Scan<T> {
        let end = name.raw.as_ptr() as usize - self.bytes.as_ptr() as usize;
        self.stop(end.saturating_sub(1), ScanProblem::DuplicateField)
    }

    /// Reads a member's name and the colon.
    pub(crate) fn key(&mut self) -> Scan<StringToken<'a>> {
        if self.peek()? != b'"' {
            return self.stop(self.at, ScanProblem::Expected("a field name in quotes"));
        }
        let key = self.string()?;
        self.expect(b':', "`:`")?;
        Ok(key)
    }

    /// Resolves the escapes of a member's name that was just read.
    pub(crate) fn decode_key(&mut self, token: StringToken<'a>) -> Scan<Cow<'a, str>> {
        match token.resolve() {
            Some(text) => Ok(text),
            None => self.stop(self.at, ScanProblem::Expected("a field name in UTF-8 with JSON escapes before this")),
        }
    }

    /// Reads a string.
    pub(crate) fn string(&mut self) -> Scan<StringToken<'a>> {
        if self.peek()? != b'"' {
            return self.stop(self.at, ScanProblem::WrongType("a string"));
        }
        let start = self.at + 1;
        let mut at = start;
        let mut escaped = false;
        loop {
            at += plain_bytes(&self.bytes[at..]);
            match self.bytes.get(at) {
                None => return self.incomplete(),
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at += 2;
                    if at > self.bytes.len() {
                        return self.incomplete();
                    }
                }
                Some(_) => return self.stop(at, ScanProblem::Expected("a string without control characters")),
            }
        }
        self.at = at + 1;
        Ok(StringToken { raw: &self.bytes[start..at], escaped })
    }

    /// Reads a string and resolves its escapes.
    pub(crate) fn text(&mut self) -> Scan<Cow<'a, str>> {
        let token = self.string()?;
        self.decode(token)
    }

    /// Resolves the escapes of a string token that was just read.
    pub(crate) fn decode(&mut self, token: StringToken<'a>) -> Scan<Cow<'a, str>> {
        match token.resolve() {
            Some(text) => Ok(text),
            None => {
                self.stop(self.at - 1 - token.raw.len(), ScanProblem::Expected("a string in UTF-8 with JSON escapes"))
            }
        }
    }

    /// Reads a number.
    pub(crate) fn number(&mut self) -> Scan<Number> {
        let first = self.peek()?;
        let Some(number) = number::parse(&self.bytes[self.at..]) else {
            return self.not_a_number(first);
        };
        if self.at + number.length == self.bytes.len() {
            return self.incomplete();
        }
        if !number.value.is_finite() {
            return self.stop(self.at, ScanProblem::NotFinite);
        }
        self.at += number.length;
        Ok(number)
    }

    #[cold]
    fn not_a_number<T>(&mut self, first: u8) -> Scan<T> {
        let start = self.at;
        if self.non_finite_word()? {
            return self.stop(start, ScanProblem::NotFinite);
        }
        let number = first == b'-' || first.is_ascii_digit();
        self.stop(start, if number { ScanProblem::Expected("a number") } else { ScanProblem::WrongType("a number") })
    }

    /// Reads `NaN`, `Infinity` or `-Infinity`, which Python writes.
    fn non_finite_word(&mut self) -> Scan<bool> {
        let rest = &self.bytes[self.at..];
        for word in [&b"NaN"[..], b"Infinity", b"-Infinity"] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(true);
            }
            if word.starts_with(rest) {
                return self.incomplete();
            }
        }
        // The text may also end within a number: `-`, `1.`, `1e+`.
        if rest.iter().all(|&byte| is_number_byte(byte)) {
            return self.incomplete();
        }
        Ok(false)
    }

    /// Reads `true` or `false`.
    pub(crate) fn bool(&mut self) -> Scan<bool> {
        match self.peek()? {
            b't' => self.word(b"true").map(|()| true),
            b'f' => self.word(b"false").map(|()| false),
            _ => self.stop(self.at, ScanProblem::WrongType("`true` or `false`")),
        }
    }

    /// Reads `null` if it stands here.
    pub(crate) fn null(&mut self) -> Scan<bool> {
        if self.peek()? != b'n' {
            return Ok(false);
        }
        self.word(b"null").map(|()| true)
    }

    fn word(&mut self, word: &'static [u8]) -> Scan<()> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word) {
            self.at += word.len();
            return Ok(());
        }
        if word.starts_with(rest) {
            return self.incomplete();
        }
        self.stop(self.at, ScanProblem::Expected("a JSON value"))
    }

    /// Skips one value of any type; `depth` is the nesting depth of the value itself.
    pub(crate) fn skip(&mut self, depth: u32) -> Scan<()> {
        self.peek()?;
        if depth < MAX_JSON_DEPTH
            && let Some(length) = compact_numbers(self.rest())
        {
            self.at += length;
            return Ok(());
        }
        self.skip_nested(depth)
    }

    fn skip_nested(&mut self, depth: u32) -> Scan<()> {
        // One bit per open bracket, set for objects.
        let mut objects = 0_u64;
        let mut open = 0_u32;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                }
                bracket @ (b'{' | b'[') => {
                    if depth + open >= MAX_JSON_DEPTH {
                        return self.stop(self.at, ScanProblem::Depth);
                    }
                    let object = bracket == b'{';
                    if if object { self.object()? } else { self.list()? } {
                        objects = objects << 1 | u64::from(object);
                        open += 1;
                        if object {
                            self.key()?;
                        }
                        continue;
                    }
                }
                b't' | b'f' => {
                    self.bool()?;
                }
                b'n' => {
                    self.null()?;
                }
                first => self.skip_number(first)?,
            }
            loop {
                if open == 0 {
                    return Ok(());
                }
                let object = objects & 1 == 1;
                if self.has_next_element(if object { b'}' } else { b']' })? {
                    if object {
                        self.key()?;
                    }
                    break;
                }
                objects >>= 1;
                open -= 1;
            }
        }
    }

    /// Skips a number: its value is not computed, and `NaN` is accepted.
    fn skip_number(&mut self, first: u8) -> Scan<()> {
        let digit_or_sign = first == b'-' || first.is_ascii_digit();
        if !digit_or_sign || self.bytes.get(self.at + 1) == Some(&b'I') {
            if self.non_finite_word()? {
                return Ok(());
            }
            return self.stop(self.at, ScanProblem::Expected("a JSON value"));
        }
        let length = number::number_bytes(self.rest());
        if self.at + length == self.bytes.len() {
            return self.incomplete();
        }
        self.at += length;
        Ok(())
    }
}

/// Returns the length of an object like `{"x":1,"y":2}` at the start of a text: the names are of one byte, the values are numbers, and
/// there is no white space. `None` for any other text, valid or not.
fn compact_numbers(text: &[u8]) -> Option<usize> {
    let mut rest = text.strip_prefix(b"{")?;
    loop {
        let &[b'"', name, b'"', b':', first, ..] = rest else { return None };
        if name < b' ' || name == b'"' || name == b'\\' || !(first == b'-' || first.is_ascii_digit()) {
            return None;
        }
        let length = 4 + number::number_bytes(&rest[4..]);
        let &end = rest.get(length)?;
        rest = &rest[length + 1..];
        match end {
            b',' => {}
            b'}' => return Some(text.len() - rest.len()),
            _ => return None,
        }
    }
}

fn is_number_byte(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
}

impl<'a> StringToken<'a> {
    /// Returns the text with its escapes resolved; `None` if it is not valid.
    pub(crate) fn resolve(self) -> Option<Cow<'a, str>> {
        if self.escaped { unescape(self.raw).map(Cow::Owned) } else { utf8(self.raw) }
    }
}

fn utf8(raw: &[u8]) -> Option<Cow<'_, str>> {
    std::str::from_utf8(raw).ok().map(Cow::Borrowed)
}

/// Returns the number of bytes before the first quote, backslash or control character, testing eight bytes at a time.
fn plain_bytes(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let zero_bytes = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let mut at = 0;
    while let Some(eight) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(eight.try_into().unwrap_or_default());
        let quotes = zero_bytes(word ^ (ONES * u64::from(b'"')));
        let escapes = zero_bytes(word ^ (ONES * u64::from(b'\\')));
        let controls = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
        // False positives occur only above true positives, so the lowest is always right.
        let found = quotes | escapes | controls;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    bytes[at..]
        .iter()
        .position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\')
        .map_or(bytes.len(), |offset| at + offset)
}

fn unescape(raw: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        text.push_str(std::str::from_utf8(&rest[..at]).ok()?);
        let (&escape, after) = rest[at + 1..].split_first()?;
        rest = after;
        text.push(match escape {
            b'"' | b'\\' | b'/' => char::from(escape),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let (character, after) = unicode_escape(rest)?;
                rest = after;
                character
            }
            _ => return None,
        });
    }
    text.push_str(std::str::from_utf8(rest).ok()?);
    Some(text)
}

/// Returns the character of `XXXX`, or of `XXXX\uXXXX` for a surrogate pair, and the bytes after it.
fn unicode_escape(bytes: &[u8]) -> Option<(char, &[u8])> {
    let unit = |bytes: &[u8]| {
        let digits = bytes.get(..4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let first = unit(bytes)?;
    let rest = &bytes[4..];
    if !(0xd800..0xdc00).contains(&first) {
        return Some((char::from_u32(first)?, rest));
    }
    let low = unit(rest.strip_prefix(b"\\u")?)?;
    let second = low.checked_sub(0xdc00).filter(|&second| second < 0x400)?;
    Some((char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + second)?, &rest[6..]))
}

#[cfg(test)]
mod tests {
    use super::{ScanStop, Scanner};

    /// Objects of numbers are skipped like any value, also if they are damaged.
    #[test]
    fn objects_of_numbers_are_skipped_like_others() {
        const BYTES: &[u8] = b"{}[]\",:\\-+.eE0tnNI \n\x00\x7f\xc3";
        const TEXTS: [&str; 3] =
            [r#"{"x":1.5,"y":-2e-3,"z":12345678901}, "#, r#"{"w":0}]"#, r#"{"x":-Infinity,"y":NaN} "#];
        let result = |text: &[u8], is_generic: bool| {
            let mut scanner = Scanner::new(text);
            let skipped = if is_generic { scanner.skip_nested(8) } else { scanner.skip(8) };
            (skipped, scanner.position() * usize::from(skipped.is_ok()), scanner.fault())
        };
        let mut skipped = 0;
        for text in TEXTS {
            for at in 0..text.len() {
                for &byte in BYTES {
                    for (removed, inserted) in [(1, &[byte][..]), (0, &[byte]), (1, &[]), (text.len() - at, &[])] {
                        let mut damaged = text.as_bytes().to_vec();
                        damaged.splice(at..at + removed, inserted.iter().copied());
                        let name = String::from_utf8_lossy(&damaged).into_owned();
                        assert_eq!(result(&damaged, false), result(&damaged, true), "{name}");
                        skipped += usize::from(result(&damaged, false).2 == ScanStop::Incomplete);
                    }
                }
            }
        }
        assert!(skipped > 1000, "{skipped}");
    }
}
