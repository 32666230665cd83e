//! Encoding and decoding of text.

use std::sync::Arc;

use super::push_escape;
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecError, ExecResult};
use crate::machine::value::Value;

/// Returns the index of the argument of a Unicode error that an attribute refers to.
pub(in crate::machine) fn unicode_error_field(name: &str) -> Option<usize> {
    ["encoding", "object", "start", "end", "reason"].iter().position(|part| *part == name)
}

/// A character encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    /// UTF-16 or UTF-32: the bytes per code unit, whether the order is big-endian, and whether a byte order mark is used.
    Utf16Or32 {
        size: usize,
        big_endian: bool,
        has_bom: bool,
    },
    Ascii,
    Latin1,
}

impl Encoding {
    fn named(name: &str) -> Option<Self> {
        let units = |size, big, marked| Some(Self::Utf16Or32 { size, big_endian: big, has_bom: marked });
        let plain: String = name.chars().map(|one| if matches!(one, '_' | ' ') { '-' } else { one }).collect();
        match plain.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" | "u8" | "utf" | "cp65001" | "utf8-ucs2" | "utf8-ucs4" => Some(Self::Utf8),
            "ascii" | "us-ascii" | "646" | "us" | "ansi-x3.4-1968" | "iso646-us" => Some(Self::Ascii),
            "latin-1" | "latin1" | "latin" | "l1" | "iso-8859-1" | "iso8859-1" | "8859" | "cp819" | "iso8859" => {
                Some(Self::Latin1)
            }
            "utf-16" | "utf16" | "u16" => units(2, false, true),
            "utf-16-le" | "utf-16le" => units(2, false, false),
            "utf-16-be" | "utf-16be" => units(2, true, false),
            "utf-32" | "utf32" | "u32" => units(4, false, true),
            "utf-32-le" | "utf-32le" => units(4, false, false),
            "utf-32-be" | "utf-32be" => units(4, true, false),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Ascii => "ascii",
            Self::Latin1 => "latin-1",
            Self::Utf16Or32 { size: 2, has_bom: true, .. } => "utf-16",
            Self::Utf16Or32 { size: 2, big_endian: false, .. } => "utf-16-le",
            Self::Utf16Or32 { size: 2, .. } => "utf-16-be",
            Self::Utf16Or32 { has_bom: true, .. } => "utf-32",
            Self::Utf16Or32 { big_endian: false, .. } => "utf-32-le",
            Self::Utf16Or32 { .. } => "utf-32-be",
        }
    }
}

/// An invalid byte sequence.
struct Malformed {
    start: usize,
    end: usize,
    reason: &'static str,
}

/// Decodes the character at an offset in UTF-8, and returns it with its length in bytes.
fn decode_utf8(bytes: &[u8], start: usize) -> Result<(char, usize), Malformed> {
    let malformed = |length: usize, reason| Malformed { start, end: start + length, reason };
    let first = bytes[start];
    let (length, min, max) = match first {
        0..=0x7f => return Ok((char::from(first), 1)),
        0xc2..=0xdf => (2, 0x80, 0xbf),
        0xe0 => (3, 0xa0, 0xbf),
        0xed => (3, 0x80, 0x9f),
        0xe1..=0xef => (3, 0x80, 0xbf),
        0xf0 => (4, 0x90, 0xbf),
        0xf1..=0xf3 => (4, 0x80, 0xbf),
        0xf4 => (4, 0x80, 0x8f),
        _ => return Err(malformed(1, "invalid start byte")),
    };
    for place in 1..length {
        let within = if place == 1 { min..=max } else { 0x80..=0xbf };
        match bytes.get(start + place) {
            None => return Err(malformed(place, "unexpected end of data")),
            Some(byte) if !within.contains(byte) => return Err(malformed(place, "invalid continuation byte")),
            Some(_) => {}
        }
    }
    let character = std::str::from_utf8(&bytes[start..start + length]).ok().and_then(|text| text.chars().next());
    character.map(|character| (character, length)).ok_or_else(|| malformed(1, "invalid start byte"))
}

/// Decodes the character at an offset in UTF-16 or UTF-32, and returns it with its length in bytes.
fn decode_code_units(bytes: &[u8], start: usize, size: usize, big: bool) -> Result<(char, usize), Malformed> {
    let malformed = |end: usize, reason| Malformed { start, end: end.min(bytes.len()), reason };
    let unit = |at: usize| {
        let unit = bytes.get(at..at + size)?;
        let digits = |sum: u32, &byte: &u8| sum << 8 | u32::from(byte);
        Some(if big { unit.iter().fold(0, digits) } else { unit.iter().rev().fold(0, digits) })
    };
    let Some(first) = unit(start) else { return Err(malformed(bytes.len(), "truncated data")) };
    if size == 4 {
        let reason = if (0xd800..0xe000).contains(&first) {
            "code point in surrogate code point range(0xd800, 0xe000)"
        } else {
            "code point not in range(0x110000)"
        };
        return char::from_u32(first).map(|character| (character, 4)).ok_or_else(|| malformed(start + 4, reason));
    }
    if !(0xd800..0xe000).contains(&first) {
        return Ok((char::from_u32(first).unwrap_or_default(), 2));
    }
    if first >= 0xdc00 {
        return Err(malformed(start + 2, "illegal encoding"));
    }
    match unit(start + 2) {
        None => Err(malformed(bytes.len(), "unexpected end of data")),
        Some(second) if (0xdc00..0xe000).contains(&second) => {
            let number = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            Ok((char::from_u32(number).unwrap_or_default(), 4))
        }
        Some(_) => Err(malformed(start + 2, "illegal UTF-16 surrogate")),
    }
}

impl Machine {
    pub(super) fn coding_argument(
        &mut self,
        function: &str,
        name: &str,
        value: Option<Value>,
    ) -> ExecResult<Option<Arc<str>>> {
        let Some(value) = value else { return Ok(None) };
        if let Some(text) = self.as_text(value) {
            return Ok(Some(text));
        }
        let class = if matches!(value, Value::None) { "None".into() } else { self.class_name(value) };
        Err(self.type_error(&format!("{function}() argument '{name}' must be str, not {class}")))
    }

    fn encoding(&mut self, name: Option<&str>) -> ExecResult<Encoding> {
        let Some(name) = name else { return Ok(Encoding::Utf8) };
        match Encoding::named(name) {
            Some(encoding) => Ok(encoding),
            None => Err(self.raise(ExceptionKind::LookupError, &format!("unknown encoding: {name}"))),
        }
    }

    /// Evaluates `text.encode(..)`.
    pub(in crate::machine) fn encoded(
        &mut self,
        function: &str,
        text: &str,
        [encoding, errors]: [Option<Value>; 2],
    ) -> ExecResult {
        let encoding = self.coding_argument(function, "encoding", encoding)?;
        let errors = self.coding_argument(function, "errors", errors)?;
        let encoding = self.encoding(encoding.as_deref())?;
        self.charge_text(4 * text.len())?;
        self.check_room_for_bytes(4 * text.len() + 4)?;
        let bytes = match encoding {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Utf16Or32 { size, big_endian: big, has_bom: marked } => {
                let mut bytes = Vec::with_capacity(size * text.len() + size);
                let mut put = |unit: u32| {
                    let all = if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                    bytes.extend(if big { &all[4 - size..] } else { &all[..size] });
                };
                if marked {
                    put(0xfeff);
                }
                for character in text.chars() {
                    if size == 2 {
                        character.encode_utf16(&mut [0; 2]).iter().for_each(|&unit| put(unit.into()));
                    } else {
                        put(character.into());
                    }
                }
                bytes
            }
            Encoding::Ascii | Encoding::Latin1 => {
                let limit = if encoding == Encoding::Ascii { 0x80 } else { 0x100 };
                self.encode_single_byte(text, encoding, limit, errors.as_deref().unwrap_or("strict"))?
            }
        };
        Ok(self.new_bytes(bytes))
    }

    /// Encodes a text with one byte per character, for characters below a limit.
    fn encode_single_byte(&mut self, text: &str, encoding: Encoding, limit: u32, errors: &str) -> ExecResult<Vec<u8>> {
        let mut bytes = Vec::with_capacity(text.len());
        let mut characters = text.chars().enumerate().peekable();
        while let Some((place, character)) = characters.next() {
            let number = u32::from(character);
            if number < limit {
                bytes.push(number as u8);
                continue;
            }
            match errors {
                "ignore" => {}
                "replace" => bytes.push(b'?'),
                "backslashreplace" => {
                    let written = match number {
                        0..=0xff => format!("\\x{number:02x}"),
                        0x100..=0xffff => format!("\\u{number:04x}"),
                        _ => format!("\\U{number:08x}"),
                    };
                    bytes.extend(written.as_bytes());
                }
                "xmlcharrefreplace" => bytes.extend(format!("&#{number};").as_bytes()),
                "strict" | "surrogateescape" | "surrogatepass" => {
                    let mut end = place + 1;
                    while characters.next_if(|&(_, next)| u32::from(next) >= limit).is_some() {
                        end += 1;
                    }
                    let object = self.heap.text(text);
                    let reason = format!("ordinal not in range({limit})");
                    let kind = ExceptionKind::UnicodeEncodeError;
                    return Err(self.coding_error(kind, encoding.name(), object, [place, end], &reason));
                }
                _ => return Err(self.unknown_handler(errors)),
            }
        }
        Ok(bytes)
    }

    fn unknown_handler(&mut self, errors: &str) -> ExecError {
        let message = format!("unknown error handler name '{errors}'");
        self.raise(ExceptionKind::LookupError, &message)
    }

    fn coding_error(
        &mut self,
        kind: ExceptionKind,
        encoding: &str,
        object: Value,
        [start, end]: [usize; 2],
        reason: &str,
    ) -> ExecError {
        let (encoding, reason) = (self.heap.text(encoding), self.heap.text(reason));
        let places = [start, end].map(|place| Value::Int(place as i64));
        self.raise_with(kind, vec![encoding, object, places[0], places[1], reason])
    }

    /// Evaluates `bytes.decode(..)`.
    pub(in crate::machine) fn decode_bytes(
        &mut self,
        function: &str,
        bytes: &[u8],
        [encoding, errors]: [Option<Value>; 2],
    ) -> ExecResult {
        let encoding = self.coding_argument(function, "encoding", encoding)?;
        let errors = self.coding_argument(function, "errors", errors)?;
        let mut encoding = self.encoding(encoding.as_deref())?;
        let errors = errors.as_deref().unwrap_or("strict");
        self.charge(bytes.len() as u64 / 4)?;
        self.check_room_for_bytes(4 * bytes.len())?;
        let mut text = String::with_capacity(bytes.len());
        let mut at = 0;
        if let Encoding::Utf16Or32 { size, has_bom: true, .. } = encoding {
            let mark = |big: bool| decode_code_units(bytes, 0, size, big).is_ok_and(|(one, _)| one == '\u{feff}');
            if mark(false) || mark(true) {
                encoding = Encoding::Utf16Or32 { size, big_endian: !mark(false), has_bom: true };
                at = size;
            }
        }
        while at < bytes.len() {
            let found = match encoding {
                Encoding::Utf8 => decode_utf8(bytes, at),
                Encoding::Utf16Or32 { size, big_endian: big, .. } => decode_code_units(bytes, at, size, big),
                Encoding::Ascii if bytes[at] >= 0x80 => {
                    Err(Malformed { start: at, end: at + 1, reason: "ordinal not in range(128)" })
                }
                Encoding::Ascii | Encoding::Latin1 => Ok((char::from(bytes[at]), 1)),
            };
            match found {
                Ok((character, length)) => {
                    text.push(character);
                    at += length;
                }
                Err(malformed) => {
                    self.handle_malformed(bytes, &malformed, encoding, errors, &mut text)?;
                    at = malformed.end;
                }
            }
        }
        Ok(self.heap.text(&text))
    }

    /// Handles bytes that are not in the encoding as the argument `errors` says.
    fn handle_malformed(
        &mut self,
        bytes: &[u8],
        malformed: &Malformed,
        encoding: Encoding,
        errors: &str,
        text: &mut String,
    ) -> ExecResult<()> {
        let Malformed { start, end, reason } = *malformed;
        match errors {
            "ignore" => {}
            "replace" => text.push('\u{fffd}'),
            "backslashreplace" => bytes[start..end].iter().for_each(|&byte| push_escape(text, byte)),
            "strict" | "surrogatepass" => {
                let object = self.new_bytes(bytes);
                let name = match encoding {
                    Encoding::Utf16Or32 { size, big_endian: big, has_bom: true } => {
                        Encoding::Utf16Or32 { size, big_endian: big, has_bom: false }.name()
                    }
                    other => other.name(),
                };
                return Err(self.coding_error(ExceptionKind::UnicodeDecodeError, name, object, [start, end], reason));
            }
            "surrogateescape" => {
                return Err(self.raise(ExceptionKind::ValueError, "surrogates are not supported"));
            }
            _ => return Err(self.unknown_handler(errors)),
        }
        Ok(())
    }

    /// Returns the message of a Unicode error; `None` if its arguments are not those of one.
    pub(in crate::machine) fn coding_error_text(
        &mut self,
        kind: ExceptionKind,
        arguments: &[Value],
    ) -> ExecResult<Option<String>> {
        let &[encoding, object, Value::Int(start), Value::Int(end), reason] = arguments else { return Ok(None) };
        let (encoding, reason) = (self.str(encoding)?, self.str(reason)?);
        let one = end == start + 1;
        let doing = if kind == ExceptionKind::UnicodeEncodeError { "encode" } else { "decode" };
        let subject = if kind == ExceptionKind::UnicodeEncodeError {
            let text = self.as_text(object);
            let character = text.and_then(|text| text.chars().nth(usize::try_from(start).ok()?));
            character.filter(|_| one).map(|character| match u32::from(character) {
                number @ 0..=0xff => format!("character '\\x{number:02x}'"),
                number @ 0x100..=0xffff => format!("character '\\u{number:04x}'"),
                number => format!("character '\\U{number:08x}'"),
            })
        } else {
            let bytes = self.as_bytes(object);
            let byte = bytes.and_then(|bytes| bytes.get(usize::try_from(start).ok()?).copied());
            byte.filter(|_| one).map(|byte| format!("byte 0x{byte:02x}"))
        };
        let plural = if doing == "encode" { "characters" } else { "bytes" };
        Ok(Some(match subject {
            Some(subject) => format!("'{encoding}' codec can't {doing} {subject} in position {start}: {reason}"),
            None => format!("'{encoding}' codec can't {doing} {plural} in position {start}-{}: {reason}", end - 1),
        }))
    }
}
