//! Bytes: encoded texts, and whole numbers as digits of base 256.

use std::sync::Arc;

use num_bigint::{BigInt, Sign};

use super::call::Named;
use super::exceptions::{ExceptionKind, Fault, Outcome};
use super::value::{Cell, Ref, Type, Value};
use super::{Machine, cost};

/// Methods of bytes.
pub(super) const METHODS: [&str; 40] = [
    "capitalize",
    "center",
    "count",
    "decode",
    "endswith",
    "expandtabs",
    "find",
    "hex",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isdigit",
    "islower",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "translate",
    "upper",
    "zfill",
];

/// Bytes that mean something only in texts stand at this place and behind it, where no character has a meaning.
const PRIVATE: u32 = 0xe000;

/// Bytes as a text of as many characters, whose methods then do what those of bytes do: letters, digits and spaces are those of ASCII.
fn as_characters(bytes: &[u8], lines: bool) -> String {
    let character = |&byte: &u8| match byte {
        0x1c..=0x1f | 0x80.. => char::from_u32(PRIVATE + u32::from(byte)).unwrap_or_default(),
        // They are spaces, and end no lines.
        0x0b | 0x0c if lines => char::from_u32(PRIVATE + u32::from(byte)).unwrap_or_default(),
        _ => char::from(byte),
    };
    bytes.iter().map(character).collect()
}

/// The bytes of such a text.
fn from_characters(text: &str) -> Arc<[u8]> {
    text.chars().map(|character| (u32::from(character) & 0xff) as u8).collect()
}

fn push_escape(text: &mut String, byte: u8) {
    text.push_str("\\x");
    text.extend([byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or_default()));
}

/// Bytes as they are written in a program.
pub(super) fn written(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut text = format!("b{quote}");
    for &byte in bytes {
        match byte {
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\\' => text.push_str("\\\\"),
            b'\'' if quote == '\'' => text.push_str("\\'"),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => push_escape(&mut text, byte),
        }
    }
    text.push(quote);
    text
}

/// Which argument of an error of encoding or decoding an attribute is.
pub(super) fn part_of_error(name: &str) -> Option<usize> {
    ["encoding", "object", "start", "end", "reason"].iter().position(|part| *part == name)
}

/// How texts become bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    /// UTF-16 and UTF-32: bytes of a unit, whether the first one is the greatest, and whether a mark says so.
    Units {
        size: usize,
        big: bool,
        marked: bool,
    },
    Ascii,
    Latin1,
}

impl Encoding {
    fn named(name: &str) -> Option<Self> {
        let units = |size, big, marked| Some(Self::Units { size, big, marked });
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
            Self::Units { size: 2, marked: true, .. } => "utf-16",
            Self::Units { size: 2, big: false, .. } => "utf-16-le",
            Self::Units { size: 2, .. } => "utf-16-be",
            Self::Units { marked: true, .. } => "utf-32",
            Self::Units { big: false, .. } => "utf-32-le",
            Self::Units { .. } => "utf-32-be",
        }
    }
}

/// A part of bytes that stands for no character.
struct Malformed {
    start: usize,
    end: usize,
    reason: &'static str,
}

/// The first character of bytes in UTF-8, and how many bytes it takes.
fn utf8_character(bytes: &[u8], start: usize) -> Result<(char, usize), Malformed> {
    let malformed = |length: usize, reason| Malformed { start, end: start + length, reason };
    let first = bytes[start];
    let (length, least, most) = match first {
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
        let within = if place == 1 { least..=most } else { 0x80..=0xbf };
        match bytes.get(start + place) {
            None => return Err(malformed(place, "unexpected end of data")),
            Some(byte) if !within.contains(byte) => return Err(malformed(place, "invalid continuation byte")),
            Some(_) => {}
        }
    }
    let character = std::str::from_utf8(&bytes[start..start + length]).ok().and_then(|text| text.chars().next());
    character.map(|character| (character, length)).ok_or_else(|| malformed(1, "invalid start byte"))
}

/// The same of units of two or four bytes.
fn unit_character(bytes: &[u8], start: usize, size: usize, big: bool) -> Result<(char, usize), Malformed> {
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

impl Machine<'_> {
    /// A new value of bytes.
    pub(super) fn new_bytes(&mut self, bytes: impl Into<Arc<[u8]>>) -> Value {
        Value::Ref(self.heap.add(Cell::Bytes(bytes.into())))
    }

    /// The bytes of a value, if it has some.
    pub(super) fn as_bytes(&self, value: Value) -> Option<Arc<[u8]>> {
        let Value::Ref(at) = self.plain(value) else { return None };
        match self.heap.get(at) {
            Cell::Bytes(bytes) => Some(Arc::clone(bytes)),
            _ => None,
        }
    }

    /// A text that a number is read from, or bytes as one.
    pub(super) fn as_digits(&self, value: Value) -> Option<Arc<str>> {
        self.as_text(value).or_else(|| self.as_bytes(value).map(|bytes| as_characters(&bytes, false).into()))
    }

    fn bytes_or_refuse(&mut self, value: Value) -> Outcome<Arc<[u8]>> {
        if let Some(bytes) = self.as_bytes(value) {
            return Ok(bytes);
        }
        let message = format!("a bytes-like object is required, not '{}'", self.class_name(value));
        Err(self.type_error(&message))
    }

    fn room_for_bytes(&mut self, length: usize) -> Outcome<()> {
        self.room(length / size_of::<Value>())
    }

    /// `bytes(..)`
    pub(super) fn construct_bytes(&mut self, arguments: &[Value], named: Named<'_>) -> Outcome {
        let parameters = ["source", "encoding", "errors"];
        let given = self.library_arguments("bytes", parameters, 0, arguments, named)?;
        let encoded = given[1].is_some() || given[2].is_some();
        let Some(source) = given[0] else {
            if encoded {
                let what = if given[1].is_some() { "encoding" } else { "errors" };
                return Err(self.type_error(&format!("{what} without a string argument")));
            }
            return Ok(self.new_bytes([]));
        };
        if let Some(text) = self.as_text(source) {
            if !encoded {
                return Err(self.type_error("string argument without an encoding"));
            }
            return self.encoded("bytes", &text, [given[1], given[2]]);
        }
        if encoded {
            let what = if given[1].is_some() { "encoding" } else { "errors" };
            return Err(self.type_error(&format!("{what} without a string argument")));
        }
        if let Some(method) = self.special(source, "__bytes__") {
            let made = self.call_value(method, &[], &[])?;
            if self.as_bytes(made).is_none() {
                let message = format!("__bytes__ returned non-bytes (type {})", self.class_name(made));
                return Err(self.type_error(&message));
            }
            return Ok(made);
        }
        if let Some(bytes) = self.as_bytes(source) {
            return Ok(self.new_bytes(bytes));
        }
        if self.as_whole(source)?.is_some() {
            let count = self.index(source)?;
            let Ok(count) = usize::try_from(count) else {
                return Err(self.raise(ExceptionKind::ValueError, "negative count"));
            };
            self.room_for_bytes(count)?;
            return Ok(self.new_bytes(vec![0; count]));
        }
        if self.try_iterator(source)?.is_none() {
            let message = format!("cannot convert '{}' object to bytes", self.class_name(source));
            return Err(self.type_error(&message));
        }
        let bytes = self.bytes_of_items(source)?;
        Ok(self.new_bytes(bytes))
    }

    /// Bytes of whole numbers.
    fn bytes_of_items(&mut self, items: Value) -> Outcome<Vec<u8>> {
        let items = self.collected(items)?;
        let mut bytes = Vec::with_capacity(items.len());
        for item in items {
            self.spend(1)?;
            let big = matches!(self.plain(item), Value::Ref(at) if matches!(self.heap.get(at), Cell::Big(_)));
            let number = if big { -1 } else { self.index(item)? };
            let Ok(byte) = u8::try_from(number) else {
                return Err(self.raise(ExceptionKind::ValueError, "bytes must be in range(0, 256)"));
            };
            bytes.push(byte);
        }
        Ok(bytes)
    }

    /// `str(bytes, encoding, errors)`
    pub(super) fn construct_text_of_bytes(&mut self, arguments: &[Value], named: Named<'_>) -> Outcome {
        let given = self.library_arguments("str", ["object", "encoding", "errors"], 0, arguments, named)?;
        let Some(object) = given[0] else { return Ok(self.heap.text("")) };
        if given[1].is_none() && given[2].is_none() {
            let text = self.str(object)?;
            return Ok(self.heap.text(&text));
        }
        if self.as_text(object).is_some() {
            return Err(self.type_error("decoding str is not supported"));
        }
        let Some(bytes) = self.as_bytes(object) else {
            let name = self.class_name(object);
            let message = format!("decoding to str: need a bytes-like object, {name} found");
            return Err(self.type_error(&message));
        };
        self.decoded("str", &bytes, [given[1], given[2]])
    }

    fn coding_argument(&mut self, function: &str, name: &str, value: Option<Value>) -> Outcome<Option<Arc<str>>> {
        let Some(value) = value else { return Ok(None) };
        if let Some(text) = self.as_text(value) {
            return Ok(Some(text));
        }
        let class = if matches!(value, Value::None) { "None".into() } else { self.class_name(value) };
        Err(self.type_error(&format!("{function}() argument '{name}' must be str, not {class}")))
    }

    fn encoding(&mut self, name: Option<&str>) -> Outcome<Encoding> {
        let Some(name) = name else { return Ok(Encoding::Utf8) };
        match Encoding::named(name) {
            Some(encoding) => Ok(encoding),
            None => Err(self.raise(ExceptionKind::LookupError, &format!("unknown encoding: {name}"))),
        }
    }

    /// `text.encode(..)`
    pub(super) fn encoded(&mut self, function: &str, text: &str, [encoding, errors]: [Option<Value>; 2]) -> Outcome {
        let encoding = self.coding_argument(function, "encoding", encoding)?;
        let errors = self.coding_argument(function, "errors", errors)?;
        let encoding = self.encoding(encoding.as_deref())?;
        self.weigh_text(4 * text.len())?;
        self.room_for_bytes(4 * text.len() + 4)?;
        let bytes = match encoding {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Units { size, big, marked } => {
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
                self.encoded_below(text, encoding, limit, errors.as_deref().unwrap_or("strict"))?
            }
        };
        Ok(self.new_bytes(bytes))
    }

    /// A text with a byte for each character below a limit.
    fn encoded_below(&mut self, text: &str, encoding: Encoding, limit: u32, errors: &str) -> Outcome<Vec<u8>> {
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

    fn unknown_handler(&mut self, errors: &str) -> Fault {
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
    ) -> Fault {
        let (encoding, reason) = (self.heap.text(encoding), self.heap.text(reason));
        let places = [start, end].map(|place| Value::Int(place as i64));
        self.raise_with(kind, vec![encoding, object, places[0], places[1], reason])
    }

    /// `bytes.decode(..)`
    fn decoded(&mut self, function: &str, bytes: &[u8], [encoding, errors]: [Option<Value>; 2]) -> Outcome {
        let encoding = self.coding_argument(function, "encoding", encoding)?;
        let errors = self.coding_argument(function, "errors", errors)?;
        let mut encoding = self.encoding(encoding.as_deref())?;
        let errors = errors.as_deref().unwrap_or("strict");
        self.spend(bytes.len() as u64 / 4)?;
        self.room_for_bytes(4 * bytes.len())?;
        let mut text = String::with_capacity(bytes.len());
        let mut at = 0;
        if let Encoding::Units { size, marked: true, .. } = encoding {
            let mark = |big: bool| unit_character(bytes, 0, size, big).is_ok_and(|(one, _)| one == '\u{feff}');
            if mark(false) || mark(true) {
                encoding = Encoding::Units { size, big: !mark(false), marked: true };
                at = size;
            }
        }
        while at < bytes.len() {
            let found = match encoding {
                Encoding::Utf8 => utf8_character(bytes, at),
                Encoding::Units { size, big, .. } => unit_character(bytes, at, size, big),
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
                    let Malformed { start, end, reason } = malformed;
                    match errors {
                        "ignore" => {}
                        "replace" => text.push('\u{fffd}'),
                        "backslashreplace" => {
                            bytes[start..end].iter().for_each(|&byte| push_escape(&mut text, byte));
                        }
                        "strict" | "surrogatepass" => {
                            let object = self.new_bytes(bytes);
                            let name = match encoding {
                                Encoding::Units { size, big, marked: true } => {
                                    Encoding::Units { size, big, marked: false }.name()
                                }
                                other => other.name(),
                            };
                            let kind = ExceptionKind::UnicodeDecodeError;
                            return Err(self.coding_error(kind, name, object, [start, end], reason));
                        }
                        "surrogateescape" => {
                            let message = "there are no surrogates here";
                            return Err(self.raise(ExceptionKind::ValueError, message));
                        }
                        _ => return Err(self.unknown_handler(errors)),
                    }
                    at = end;
                }
            }
        }
        Ok(self.heap.text(&text))
    }

    /// What an error of encoding or decoding says; `None` if its arguments are not those of one.
    pub(super) fn coding_error_text(&mut self, kind: ExceptionKind, arguments: &[Value]) -> Outcome<Option<String>> {
        let &[encoding, object, Value::Int(start), Value::Int(end), reason] = arguments else { return Ok(None) };
        let (encoding, reason) = (self.str(encoding)?, self.str(reason)?);
        let one = end == start + 1;
        let doing = if kind == ExceptionKind::UnicodeEncodeError { "encode" } else { "decode" };
        let what = if kind == ExceptionKind::UnicodeEncodeError {
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
        Ok(Some(match what {
            Some(what) => format!("'{encoding}' codec can't {doing} {what} in position {start}: {reason}"),
            None => format!("'{encoding}' codec can't {doing} {plural} in position {start}-{}: {reason}", end - 1),
        }))
    }

    /// A method of bytes.
    pub(super) fn bytes_method(
        &mut self,
        at: Ref,
        name: &'static str,
        arguments: &[Value],
        named: Named<'_>,
    ) -> Outcome {
        let Cell::Bytes(bytes) = self.heap.get(at) else { return Ok(Value::None) };
        let bytes = Arc::clone(bytes);
        self.weigh_text(4 * bytes.len())?;
        match name {
            "decode" => {
                let given = self.library_arguments("decode", ["encoding", "errors"], 0, arguments, named)?;
                return self.decoded("decode", &bytes, given);
            }
            "hex" => {
                let given = self.library_arguments("hex", ["sep", "bytes_per_sep"], 0, arguments, named)?;
                return self.hexadecimal_bytes(&bytes, given);
            }
            "isascii" if arguments.is_empty() && named.is_empty() => return Ok(Value::Bool(bytes.is_ascii())),
            "translate" => {
                let [table, deleted] = self.library_arguments("translate", ["table", "delete"], 1, arguments, named)?;
                return self.translated_bytes(&bytes, table, deleted);
            }
            "join" => {
                let items = self.one("bytes.join", arguments, named)?;
                return self.joined_bytes(&bytes, items);
            }
            _ => {}
        }
        let mut texts = Vec::with_capacity(arguments.len());
        for (place, &argument) in arguments.iter().enumerate() {
            texts.push(self.argument_as_characters(name, place, argument)?);
        }
        let mut texts_named = Vec::with_capacity(named.len());
        for &(symbol, argument) in named {
            texts_named.push((symbol, self.argument_as_characters(name, 0, argument)?));
        }
        self.room_for_bytes(4 * bytes.len())?;
        let text: Arc<str> = as_characters(&bytes, name == "splitlines").into();
        let result = self.text_method(&text, name, &texts, &texts_named);
        match result {
            Err(Fault::Raised(raised)) if matches!(name, "index" | "rindex") => {
                if self.is_raised(raised, ExceptionKind::ValueError) {
                    return Err(self.raise(ExceptionKind::ValueError, "subsection not found"));
                }
                Err(Fault::Raised(raised))
            }
            Err(fault) => Err(fault),
            Ok(value) => self.characters_as_bytes(value),
        }
    }

    /// An argument of a method of bytes as the method of texts takes it.
    fn argument_as_characters(&mut self, name: &str, place: usize, argument: Value) -> Outcome {
        if let Some(bytes) = self.as_bytes(argument) {
            self.weigh_text(4 * bytes.len())?;
            if matches!(name, "center" | "ljust" | "rjust") && bytes.len() != 1 {
                let message = format!("{name}() argument 2 must be a byte string of length 1, not bytes");
                return Err(self.type_error(&message));
            }
            return Ok(self.heap.text(&as_characters(&bytes, false)));
        }
        let refused = match name {
            "startswith" | "endswith" if place == 0 => {
                if let Value::Ref(at) = self.plain(argument)
                    && let Cell::Tuple(parts) = self.heap.get(at)
                {
                    let mut texts = Vec::new();
                    for part in parts.clone() {
                        let bytes = self.bytes_or_refuse(part)?;
                        texts.push(self.heap.text(&as_characters(&bytes, false)));
                    }
                    return Ok(self.heap.tuple(texts));
                }
                let class = self.class_name(argument);
                Some(format!("{name} first arg must be bytes or a tuple of bytes, not {class}"))
            }
            "count" | "find" | "index" | "rfind" | "rindex" if place == 0 => {
                if self.as_whole(argument)?.is_some() {
                    let Ok(byte) = u8::try_from(self.index(argument)?) else {
                        return Err(self.raise(ExceptionKind::ValueError, "byte must be in range(0, 256)"));
                    };
                    return Ok(self.heap.text(&as_characters(&[byte], false)));
                }
                let class = self.class_name(argument);
                Some(format!("argument should be integer or bytes-like object, not '{class}'"))
            }
            "center" | "ljust" | "rjust" if place == 1 => {
                let class = self.class_name(argument);
                Some(format!("{name}() argument 2 must be a byte string of length 1, not {class}"))
            }
            _ if self.as_text(argument).is_some() => Some("a bytes-like object is required, not 'str'".to_owned()),
            "partition" | "rpartition" | "removeprefix" | "removesuffix" => {
                let class = self.class_name(argument);
                Some(format!("a bytes-like object is required, not '{class}'"))
            }
            "replace" | "split" | "rsplit" | "strip" | "lstrip" | "rstrip"
                if place < if name == "replace" { 2 } else { 1 } =>
            {
                let class = self.class_name(argument);
                (!matches!(argument, Value::None | Value::Int(_) | Value::Bool(_)) || name == "replace")
                    .then(|| format!("a bytes-like object is required, not '{class}'"))
            }
            _ => None,
        };
        match refused {
            Some(message) => Err(self.type_error(&message)),
            None => Ok(argument),
        }
    }

    /// What a method of texts gives, as the one of bytes does.
    fn characters_as_bytes(&mut self, value: Value) -> Outcome {
        if let Some(text) = self.as_text(value) {
            return Ok(self.new_bytes(from_characters(&text)));
        }
        let Value::Ref(at) = value else { return Ok(value) };
        let (parts, is_list) = match self.heap.get(at) {
            Cell::List(parts) => (parts.clone(), true),
            Cell::Tuple(parts) => (parts.to_vec(), false),
            _ => return Ok(value),
        };
        self.spend(parts.len() as u64)?;
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            all.push(match self.as_text(part) {
                Some(text) => self.new_bytes(from_characters(&text)),
                None => part,
            });
        }
        Ok(if is_list { self.heap.list(all) } else { self.heap.tuple(all) })
    }

    fn hexadecimal_bytes(&mut self, bytes: &[u8], [separator, group]: [Option<Value>; 2]) -> Outcome {
        let separator = match separator {
            None => None,
            Some(value) => {
                let text = match (self.as_text(value), self.as_bytes(value)) {
                    (Some(text), _) => text.to_string(),
                    (None, Some(bytes)) => as_characters(&bytes, false),
                    _ => {
                        self.length(value)?;
                        return Err(self.type_error("sep must be str or bytes."));
                    }
                };
                let mut characters = text.chars();
                match (characters.next(), characters.next()) {
                    (Some(one), None) if one.is_ascii() => Some(one),
                    (Some(_), None) => return Err(self.raise(ExceptionKind::ValueError, "sep must be ASCII.")),
                    _ => return Err(self.raise(ExceptionKind::ValueError, "sep must be length 1.")),
                }
            }
        };
        let group = group.map_or(Ok(1), |group| self.index(group))?;
        let size = usize::try_from(group.unsigned_abs()).unwrap_or(usize::MAX);
        self.room_for_bytes(3 * bytes.len())?;
        let mut text = String::with_capacity(2 * bytes.len());
        for (place, byte) in bytes.iter().enumerate() {
            // Groups are counted from behind, or from the front if they are negative.
            let before = if group < 0 { place } else { bytes.len() - place };
            if let Some(separator) = separator
                && size > 0
                && place > 0
                && before.is_multiple_of(size)
            {
                text.push(separator);
            }
            text.extend([byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or_default()));
        }
        Ok(self.heap.text(&text))
    }

    /// `bytes.fromhex(text)`
    pub(super) fn bytes_from_hex(&mut self, arguments: &[Value], named: Named<'_>) -> Outcome {
        let text = self.one("bytes.fromhex", arguments, named)?;
        let Some(text) = self.as_text(text) else {
            let message = format!("fromhex() argument must be str, not {}", self.class_name(text));
            return Err(self.type_error(&message));
        };
        self.weigh_text(8 * text.len())?;
        let mut bytes = Vec::with_capacity(text.len() / 2);
        let mut high: Option<u32> = None;
        for (place, character) in text.chars().enumerate() {
            match (character.to_digit(16), high) {
                (Some(digit), None) => high = Some(digit),
                (Some(digit), Some(first)) => {
                    bytes.push((first << 4 | digit) as u8);
                    high = None;
                }
                (None, None) if character.is_ascii_whitespace() || character == '\x0b' => {}
                (None, _) => {
                    let message = format!("non-hexadecimal number found in fromhex() arg at position {place}");
                    return Err(self.raise(ExceptionKind::ValueError, &message));
                }
            }
        }
        if high.is_some() {
            let place = text.chars().count();
            let message = format!("non-hexadecimal number found in fromhex() arg at position {place}");
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        Ok(self.new_bytes(bytes))
    }

    fn joined_bytes(&mut self, separator: &[u8], items: Value) -> Outcome {
        if self.try_iterator(items)?.is_none() {
            return Err(self.type_error("can only join an iterable"));
        }
        let mut parts = Vec::new();
        for (place, item) in self.collected(items)?.into_iter().enumerate() {
            self.spend(2 * cost::OPERATION)?;
            let Some(part) = self.as_bytes(item) else {
                let class = self.class_name(item);
                let message = format!("sequence item {place}: expected a bytes-like object, {class} found");
                return Err(self.type_error(&message));
            };
            parts.push(part);
        }
        let length = parts.iter().map(|part| part.len() + separator.len()).sum();
        self.room_for_bytes(length)?;
        Ok(self.new_bytes(parts.join(separator)))
    }

    fn translated_bytes(&mut self, bytes: &[u8], table: Option<Value>, deleted: Option<Value>) -> Outcome {
        let table = match table {
            None | Some(Value::None) => None,
            Some(table) => {
                let table = self.bytes_or_refuse(table)?;
                if table.len() != 256 {
                    let message = "translation table must be 256 characters long";
                    return Err(self.raise(ExceptionKind::ValueError, message));
                }
                Some(table)
            }
        };
        let deleted = deleted.map_or(Ok(Arc::default()), |deleted| self.bytes_or_refuse(deleted))?;
        let kept = bytes.iter().filter(|byte| !deleted.contains(byte));
        let translated: Vec<u8> =
            kept.map(|&byte| table.as_ref().map_or(byte, |table| table[usize::from(byte)])).collect();
        self.spend((bytes.len() * (1 + deleted.len() / 64)) as u64 / 16)?;
        Ok(self.new_bytes(translated))
    }

    /// `bytes.maketrans(from, to)`
    pub(super) fn bytes_table(&mut self, arguments: &[Value], named: Named<'_>) -> Outcome {
        self.no_named("bytes.maketrans", named)?;
        self.between("maketrans", arguments.len(), 2, 2)?;
        let (from, to) = (self.bytes_or_refuse(arguments[0])?, self.bytes_or_refuse(arguments[1])?);
        if from.len() != to.len() {
            let message = "maketrans arguments must have same length";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        self.spend(16 + from.len() as u64 / 8)?;
        let mut table: Vec<u8> = (0..=255).collect();
        for (&one, &other) in from.iter().zip(&*to) {
            table[usize::from(one)] = other;
        }
        Ok(self.new_bytes(table))
    }

    /// `str.maketrans(..)`
    pub(super) fn text_table(&mut self, arguments: &[Value], named: Named<'_>) -> Outcome {
        self.no_named("str.maketrans", named)?;
        self.between("maketrans", arguments.len(), 1, 3)?;
        let table = self.empty_dict();
        if let &[only] = arguments {
            let is_dict = matches!(self.plain(only), Value::Ref(at) if matches!(self.heap.get(at), Cell::Dict(_)));
            if !is_dict {
                let message = "if you give only one argument to maketrans it must be a dict";
                return Err(self.type_error(message));
            }
            let Value::Ref(dict) = self.plain(only) else { return Ok(Value::None) };
            let entries: Vec<(Value, Value)> = self.dict_mut(dict).iter().collect();
            for (key, value) in entries {
                self.spend(cost::OPERATION)?;
                let key = match self.as_text(key) {
                    None if self.number(key).is_some_and(|number| number.to_big().is_some()) => key,
                    None => {
                        let message = "keys in translate table must be strings or integers";
                        return Err(self.type_error(message));
                    }
                    Some(text) => {
                        let mut characters = text.chars();
                        let (Some(one), None) = (characters.next(), characters.next()) else {
                            let message = "string keys in translate table must be of length 1";
                            return Err(self.raise(ExceptionKind::ValueError, message));
                        };
                        Value::Int(u32::from(one).into())
                    }
                };
                self.set_entry(table, key, value)?;
            }
            return Ok(Value::Ref(table));
        }
        let mut texts = Vec::with_capacity(3);
        for (place, &argument) in arguments.iter().enumerate() {
            let Some(text) = self.as_text(argument) else {
                let class = self.class_name(argument);
                let message = match place {
                    0 => "first maketrans argument must be a string if there is a second argument".to_owned(),
                    place => format!("maketrans() argument {} must be str, not {class}", place + 1),
                };
                return Err(self.type_error(&message));
            };
            texts.push(text);
        }
        if texts[0].chars().count() != texts[1].chars().count() {
            let message = "the first two maketrans arguments must have equal length";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let key = |character: char| Value::Int(u32::from(character).into());
        for (from, to) in texts[0].chars().zip(texts[1].chars()) {
            self.spend(cost::OPERATION)?;
            self.set_entry(table, key(from), key(to))?;
        }
        for deleted in texts.get(2).cloned().unwrap_or_else(|| "".into()).chars() {
            self.spend(cost::OPERATION)?;
            self.set_entry(table, key(deleted), Value::None)?;
        }
        Ok(Value::Ref(table))
    }

    /// `text.translate(table)`
    pub(super) fn translated(&mut self, text: &str, table: Value) -> Outcome {
        let mut written = String::with_capacity(text.len());
        for character in text.chars() {
            self.spend(cost::OPERATION)?;
            let found = match self.item(table, Value::Int(u32::from(character).into())) {
                Err(Fault::Raised(at)) if self.is_raised(at, ExceptionKind::LookupError) => {
                    written.push(character);
                    continue;
                }
                other => other?,
            };
            if matches!(found, Value::None) {
                continue;
            }
            if let Some(part) = self.as_text(found) {
                written.push_str(&part);
                self.room_for_bytes(written.len())?;
                continue;
            }
            let number = match self.plain(found) {
                Value::Int(number) => u32::try_from(number).unwrap_or(u32::MAX),
                Value::Bool(truth) => truth.into(),
                Value::Ref(at) if matches!(self.heap.get(at), Cell::Big(_)) => u32::MAX,
                _ => return Err(self.type_error("character mapping must return integer, None or str")),
            };
            match char::from_u32(number) {
                Some(character) => written.push(character),
                None if number < 0x11_0000 => {
                    return Err(self.raise(ExceptionKind::ValueError, "there are no surrogates here"));
                }
                None => {
                    let message = "character mapping must be in range(0x110000)";
                    return Err(self.raise(ExceptionKind::ValueError, message));
                }
            }
        }
        Ok(self.heap.text(&written))
    }

    fn is_little(&mut self, function: &str, order: Option<Value>) -> Outcome<bool> {
        let Some(order) = order else { return Ok(false) };
        match self.coding_argument(function, "byteorder", Some(order))?.as_deref() {
            Some("little") => Ok(true),
            Some("big") => Ok(false),
            _ => Err(self.raise(ExceptionKind::ValueError, "byteorder must be either 'little' or 'big'")),
        }
    }

    /// `number.to_bytes(length, byteorder, signed=..)`
    pub(super) fn number_to_bytes(&mut self, number: &BigInt, arguments: &[Value], named: Named<'_>) -> Outcome {
        if arguments.len() > 2 {
            let message = format!("to_bytes() takes at most 2 positional arguments ({} given)", arguments.len());
            return Err(self.type_error(&message));
        }
        let parameters = ["length", "byteorder", "signed"];
        let [length, order, signed] = self.library_arguments("to_bytes", parameters, 0, arguments, named)?;
        let length = length.map_or(Ok(1), |length| self.index(length))?;
        let little = self.is_little("to_bytes", order)?;
        let signed = signed.map_or(Ok(false), |signed| self.truth(signed))?;
        let Ok(length) = usize::try_from(length) else {
            return Err(self.raise(ExceptionKind::ValueError, "length argument must be non-negative"));
        };
        if number.sign() == Sign::Minus && !signed {
            return Err(self.raise(ExceptionKind::OverflowError, "can't convert negative int to unsigned"));
        }
        self.room_for_bytes(length)?;
        self.spend(number.bits() / 64)?;
        let mut bytes = if signed { number.to_signed_bytes_le() } else { number.magnitude().to_bytes_le() };
        if number.sign() == Sign::NoSign {
            bytes.clear();
        }
        if bytes.len() > length {
            return Err(self.raise(ExceptionKind::OverflowError, "int too big to convert"));
        }
        bytes.resize(length, if number.sign() == Sign::Minus { 0xff } else { 0 });
        if !little {
            bytes.reverse();
        }
        Ok(self.new_bytes(bytes))
    }

    /// `int.from_bytes(bytes, byteorder, signed=..)`
    pub(super) fn number_from_bytes(&mut self, arguments: &[Value], named: Named<'_>) -> Outcome {
        if arguments.len() > 2 {
            let message = format!("from_bytes() takes at most 2 positional arguments ({} given)", arguments.len());
            return Err(self.type_error(&message));
        }
        let parameters = ["bytes", "byteorder", "signed"];
        let [source, order, signed] = self.library_arguments("from_bytes", parameters, 1, arguments, named)?;
        let source = source.unwrap_or(Value::None);
        let little = self.is_little("from_bytes", order)?;
        let signed = signed.map_or(Ok(false), |signed| self.truth(signed))?;
        let mut bytes = if let Some(bytes) = self.as_bytes(source) {
            bytes.to_vec()
        } else if let Some(method) = self.special(source, "__bytes__") {
            let made = self.call_value(method, &[], &[])?;
            self.bytes_or_refuse(made)?.to_vec()
        } else if self.as_text(source).is_none() && self.try_iterator(source)?.is_some() {
            self.bytes_of_items(source)?
        } else {
            let message = format!("cannot convert '{}' object to bytes", self.class_name(source));
            return Err(self.type_error(&message));
        };
        self.spend(bytes.len() as u64 / 8)?;
        if !little {
            bytes.reverse();
        }
        let number =
            if signed { BigInt::from_signed_bytes_le(&bytes) } else { BigInt::from_bytes_le(Sign::Plus, &bytes) };
        Ok(self.big(number))
    }

    /// What makes values of a class, as the class and its objects have it: `bytes.fromhex`, `int.from_bytes`, `str.maketrans`.
    pub(super) fn class_function(&self, object: Value, name: &str) -> Option<&'static str> {
        let kind = match object {
            Value::Type(kind) => kind,
            _ => self.type_of(object),
        };
        Some(match (kind, name) {
            (Type::Bytes, "fromhex") => "bytes.fromhex",
            (Type::Bytes, "maketrans") => "bytes.maketrans",
            (Type::Str, "maketrans") => "str.maketrans",
            (Type::Int, "from_bytes") => "int.from_bytes",
            (Type::Bool, "from_bytes") => "bool.from_bytes",
            _ => return None,
        })
    }

    /// Whether bytes contain a byte or other bytes.
    pub(super) fn bytes_contain(&mut self, bytes: &[u8], value: Value) -> Outcome<bool> {
        self.weigh_text(4 * bytes.len())?;
        if self.as_whole(value)?.is_some() {
            let Ok(byte) = u8::try_from(self.index(value)?) else {
                return Err(self.raise(ExceptionKind::ValueError, "byte must be in range(0, 256)"));
            };
            return Ok(bytes.contains(&byte));
        }
        let part = self.bytes_or_refuse(value)?;
        // The search is linear in texts alone.
        self.weigh_text(4 * part.len())?;
        Ok(as_characters(bytes, false).contains(&as_characters(&part, false)))
    }
}
