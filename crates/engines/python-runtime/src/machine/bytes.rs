//! `bytes`: encoded text, and integers in base 256.
//!
//! | module | contents |
//! |---|---|
//! | `encoding` | `str.encode` and `bytes.decode` |
//! | `numbers` | `int.to_bytes` and `int.from_bytes` |
//! | `tables` | `maketrans` and `translate` |

pub(super) mod encoding;
mod numbers;
mod tables;

use std::sync::Arc;

use super::call::KeywordArguments;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::methods::Method;
use super::value::{HeapObject, HeapRef, Value};
use super::{Machine, cost};

/// The first code point of a private use area, to which bytes are mapped that have a meaning in text but not in `bytes`.
const PRIVATE_USE_START: u32 = 0xe000;

/// Returns bytes as a text with one character per byte, so that the methods of `str` apply: only ASCII characters are letters, digits and
/// spaces.
fn as_characters(bytes: &[u8], lines: bool) -> String {
    let character = |&byte: &u8| match byte {
        0x1c..=0x1f | 0x80.. => char::from_u32(PRIVATE_USE_START + u32::from(byte)).unwrap_or_default(),
        // In `bytes`, these are spaces but not line boundaries.
        0x0b | 0x0c if lines => char::from_u32(PRIVATE_USE_START + u32::from(byte)).unwrap_or_default(),
        _ => char::from(byte),
    };
    bytes.iter().map(character).collect()
}

/// Returns the bytes of a text from [`as_characters`].
fn from_characters(text: &str) -> Arc<[u8]> {
    text.chars().map(|character| (u32::from(character) & 0xff) as u8).collect()
}

fn push_escape(text: &mut String, byte: u8) {
    text.push_str("\\x");
    text.extend([byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or_default()));
}

/// Returns the `repr` of bytes.
pub(super) fn bytes_repr(bytes: &[u8]) -> String {
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

/// The conversion of the arguments of a method of `bytes` to those of a method of `str`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BytesArguments {
    /// Bytes become text.
    Other,
    /// The same; line ends are those of bytes.
    Lines,
    /// The second argument is one byte.
    Padding,
    /// The first argument is bytes or a tuple of them.
    Affixes,
    /// The first argument is bytes or a byte.
    Substring,
    /// The argument is bytes.
    Operand,
    /// The first argument is bytes or `None`.
    Separator,
    /// The first two arguments are bytes.
    Replacement,
}

impl Machine {
    /// Creates a `bytes` value.
    pub(super) fn new_bytes(&mut self, bytes: impl Into<Arc<[u8]>>) -> Value {
        Value::Ref(self.heap.add(HeapObject::Bytes(bytes.into())))
    }

    /// Returns the contents of a `bytes` value; `None` for other values.
    pub(super) fn as_bytes(&self, value: Value) -> Option<Arc<[u8]>> {
        let Value::Ref(at) = self.base_value(value) else { return None };
        match self.heap.get(at) {
            HeapObject::Bytes(bytes) => Some(Arc::clone(bytes)),
            _ => None,
        }
    }

    /// Returns the text from which a number is parsed: that of a `str`, or of `bytes` as characters.
    pub(super) fn as_digits(&self, value: Value) -> Option<Arc<str>> {
        self.as_text(value).or_else(|| self.as_bytes(value).map(|bytes| as_characters(&bytes, false).into()))
    }

    fn expect_bytes(&mut self, value: Value) -> ExecResult<Arc<[u8]>> {
        if let Some(bytes) = self.as_bytes(value) {
            return Ok(bytes);
        }
        let message = format!("a bytes-like object is required, not '{}'", self.class_name(value));
        Err(self.type_error(&message))
    }

    fn check_room_for_bytes(&mut self, length: usize) -> ExecResult<()> {
        self.reserve_values(length / size_of::<Value>())
    }

    /// Evaluates `bytes(..)`.
    pub(super) fn construct_bytes(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let parameters = ["source", "encoding", "errors"];
        let bound = self.bind_library_arguments("bytes", parameters, 0, arguments, named)?;
        let encoded = bound[1].is_some() || bound[2].is_some();
        let Some(source) = bound[0] else {
            if encoded {
                let parameter = if bound[1].is_some() { "encoding" } else { "errors" };
                return Err(self.type_error(&format!("{parameter} without a string argument")));
            }
            return Ok(self.new_bytes([]));
        };
        if let Some(text) = self.as_text(source) {
            if !encoded {
                return Err(self.type_error("string argument without an encoding"));
            }
            return self.encoded("bytes", &text, [bound[1], bound[2]]);
        }
        if encoded {
            let parameter = if bound[1].is_some() { "encoding" } else { "errors" };
            return Err(self.type_error(&format!("{parameter} without a string argument")));
        }
        if let Some(method) = self.special_method(source, "__bytes__") {
            let result = self.call_value(method, &[], &[])?;
            if self.as_bytes(result).is_none() {
                let message = format!("__bytes__ returned non-bytes (type {})", self.class_name(result));
                return Err(self.type_error(&message));
            }
            return Ok(result);
        }
        if let Some(bytes) = self.as_bytes(source) {
            return Ok(self.new_bytes(bytes));
        }
        if self.as_integer(source)?.is_some() {
            let count = self.as_index(source)?;
            let Ok(count) = usize::try_from(count) else {
                return Err(self.raise(ExceptionKind::ValueError, "negative count"));
            };
            self.check_room_for_bytes(count)?;
            return Ok(self.new_bytes(vec![0; count]));
        }
        if self.try_iterator(source)?.is_none() {
            let message = format!("cannot convert '{}' object to bytes", self.class_name(source));
            return Err(self.type_error(&message));
        }
        let bytes = self.bytes_of_items(source)?;
        Ok(self.new_bytes(bytes))
    }

    /// Returns the bytes whose values are the integers of an iterable.
    fn bytes_of_items(&mut self, items: Value) -> ExecResult<Vec<u8>> {
        let items = self.collect_values(items)?;
        let mut bytes = Vec::with_capacity(items.len());
        for item in items {
            self.charge(1)?;
            let big =
                matches!(self.base_value(item), Value::Ref(at) if matches!(self.heap.get(at), HeapObject::BigInt(_)));
            let number = if big { -1 } else { self.as_index(item)? };
            let Ok(byte) = u8::try_from(number) else {
                return Err(self.raise(ExceptionKind::ValueError, "bytes must be in range(0, 256)"));
            };
            bytes.push(byte);
        }
        Ok(bytes)
    }

    /// Evaluates `str(bytes, encoding, errors)`.
    pub(super) fn construct_text_of_bytes(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let bound = self.bind_library_arguments("str", ["object", "encoding", "errors"], 0, arguments, named)?;
        let Some(object) = bound[0] else { return Ok(self.heap.text("")) };
        if bound[1].is_none() && bound[2].is_none() {
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
        self.decode_bytes("str", &bytes, [bound[1], bound[2]])
    }

    /// Returns the contents of the receiver of a method, and pays for reading them.
    pub(super) fn receiver_bytes(&mut self, at: HeapRef) -> ExecResult<Arc<[u8]>> {
        let HeapObject::Bytes(bytes) = self.heap.get(at) else { unreachable!("called with bytes") };
        let bytes = Arc::clone(bytes);
        self.charge_text(4 * bytes.len())?;
        Ok(bytes)
    }

    /// Calls a method of `bytes` that a method of `str` computes on characters.
    pub(super) fn bytes_method_by_text(
        &mut self,
        at: HeapRef,
        method: Method,
        (of_text, conversion): (Method, BytesArguments),
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let bytes = self.receiver_bytes(at)?;
        let mut texts = Vec::with_capacity(arguments.len());
        for (place, &argument) in arguments.iter().enumerate() {
            texts.push(self.argument_as_characters(method.name, conversion, place, argument)?);
        }
        let mut texts_named = Vec::with_capacity(named.len());
        for &(symbol, argument) in named {
            texts_named.push((symbol, self.argument_as_characters(method.name, conversion, 0, argument)?));
        }
        self.check_room_for_bytes(4 * bytes.len())?;
        let text: Arc<str> = as_characters(&bytes, conversion == BytesArguments::Lines).into();
        match self.call_text_method(&text, method.qualified_name, of_text, &texts, &texts_named) {
            Err(ExecError::Raised(raised)) if conversion == BytesArguments::Substring => {
                if self.is_exception_of_kind(raised, ExceptionKind::ValueError) {
                    return Err(self.raise(ExceptionKind::ValueError, "subsection not found"));
                }
                Err(ExecError::Raised(raised))
            }
            Err(fault) => Err(fault),
            Ok(value) => self.characters_as_bytes(value),
        }
    }

    /// Converts an argument of a `bytes` method to that of the corresponding `str` method.
    fn argument_as_characters(
        &mut self,
        name: &str,
        conversion: BytesArguments,
        place: usize,
        argument: Value,
    ) -> ExecResult {
        if let Some(bytes) = self.as_bytes(argument) {
            self.charge_text(4 * bytes.len())?;
            if conversion == BytesArguments::Padding && bytes.len() != 1 {
                let message = format!("{name}() argument 2 must be a byte string of length 1, not bytes");
                return Err(self.type_error(&message));
            }
            return Ok(self.heap.text(&as_characters(&bytes, false)));
        }
        match (conversion, place) {
            (BytesArguments::Affixes, 0) => return self.affixes_as_characters(name, argument),
            (BytesArguments::Substring, 0) => return self.byte_as_characters(argument),
            (BytesArguments::Padding, 1) => {
                let class = self.class_name(argument);
                let message = format!("{name}() argument 2 must be a byte string of length 1, not {class}");
                return Err(self.type_error(&message));
            }
            _ => {}
        }
        let is_small = matches!(argument, Value::None | Value::Int(_) | Value::Bool(_));
        let is_refused = self.as_text(argument).is_some()
            || match conversion {
                BytesArguments::Operand => true,
                BytesArguments::Replacement => place < 2,
                BytesArguments::Separator => place == 0 && !is_small,
                BytesArguments::Other
                | BytesArguments::Lines
                | BytesArguments::Padding
                | BytesArguments::Affixes
                | BytesArguments::Substring => false,
            };
        if !is_refused {
            return Ok(argument);
        }
        let message = format!("a bytes-like object is required, not '{}'", self.class_name(argument));
        Err(self.type_error(&message))
    }

    /// Converts a tuple of `bytes` to a tuple of texts.
    fn affixes_as_characters(&mut self, name: &str, argument: Value) -> ExecResult {
        if let Value::Ref(at) = self.base_value(argument)
            && let HeapObject::Tuple(parts) = self.heap.get(at)
        {
            let mut texts = Vec::new();
            for part in parts.clone() {
                let bytes = self.expect_bytes(part)?;
                texts.push(self.heap.text(&as_characters(&bytes, false)));
            }
            return Ok(self.heap.tuple(texts));
        }
        let class = self.class_name(argument);
        Err(self.type_error(&format!("{name} first arg must be bytes or a tuple of bytes, not {class}")))
    }

    /// Converts an integer, which denotes a byte, to a text.
    fn byte_as_characters(&mut self, argument: Value) -> ExecResult {
        if self.as_integer(argument)?.is_none() {
            let class = self.class_name(argument);
            return Err(self.type_error(&format!("argument should be integer or bytes-like object, not '{class}'")));
        }
        let Ok(byte) = u8::try_from(self.as_index(argument)?) else {
            return Err(self.raise(ExceptionKind::ValueError, "byte must be in range(0, 256)"));
        };
        Ok(self.heap.text(&as_characters(&[byte], false)))
    }

    /// Converts the result of a `str` method to that of the corresponding `bytes` method.
    fn characters_as_bytes(&mut self, value: Value) -> ExecResult {
        if let Some(text) = self.as_text(value) {
            return Ok(self.new_bytes(from_characters(&text)));
        }
        let Value::Ref(at) = value else { return Ok(value) };
        let (parts, is_list) = match self.heap.get(at) {
            HeapObject::List(parts) => (parts.clone(), true),
            HeapObject::Tuple(parts) => (parts.to_vec(), false),
            _ => return Ok(value),
        };
        self.charge(parts.len() as u64)?;
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            all.push(match self.as_text(part) {
                Some(text) => self.new_bytes(from_characters(&text)),
                None => part,
            });
        }
        Ok(if is_list { self.heap.list(all) } else { self.heap.tuple(all) })
    }

    /// Implements `bytes.hex(..)`.
    pub(super) fn hexadecimal_bytes(&mut self, bytes: &[u8], [separator, group]: [Option<Value>; 2]) -> ExecResult {
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
        let group = group.map_or(Ok(1), |group| self.as_index(group))?;
        let size = usize::try_from(group.unsigned_abs()).unwrap_or(usize::MAX);
        self.check_room_for_bytes(3 * bytes.len())?;
        let mut text = String::with_capacity(2 * bytes.len());
        for (place, byte) in bytes.iter().enumerate() {
            // Groups are counted from the end, or from the start if the size is negative.
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

    /// Evaluates `bytes.fromhex(text)`.
    pub(super) fn bytes_from_hex(&mut self, text: Value) -> ExecResult {
        let Some(text) = self.as_text(text) else {
            let message = format!("fromhex() argument must be str, not {}", self.class_name(text));
            return Err(self.type_error(&message));
        };
        self.charge_text(8 * text.len())?;
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

    /// Implements `bytes.join(..)`.
    pub(super) fn joined_bytes(&mut self, separator: &[u8], items: Value) -> ExecResult {
        if self.try_iterator(items)?.is_none() {
            return Err(self.type_error("can only join an iterable"));
        }
        let mut parts = Vec::new();
        for (place, item) in self.collect_values(items)?.into_iter().enumerate() {
            self.charge(2 * cost::OPERATION)?;
            let Some(part) = self.as_bytes(item) else {
                let class = self.class_name(item);
                let message = format!("sequence item {place}: expected a bytes-like object, {class} found");
                return Err(self.type_error(&message));
            };
            parts.push(part);
        }
        let length = parts.iter().map(|part| part.len() + separator.len()).sum();
        self.check_room_for_bytes(length)?;
        Ok(self.new_bytes(parts.join(separator)))
    }

    /// Returns whether bytes contain a byte or a subsequence.
    pub(super) fn bytes_contain(&mut self, bytes: &[u8], value: Value) -> ExecResult<bool> {
        self.charge_text(4 * bytes.len())?;
        if self.as_integer(value)?.is_some() {
            let Ok(byte) = u8::try_from(self.as_index(value)?) else {
                return Err(self.raise(ExceptionKind::ValueError, "byte must be in range(0, 256)"));
            };
            return Ok(bytes.contains(&byte));
        }
        let part = self.expect_bytes(value)?;
        // Only the search in text is linear.
        self.charge_text(4 * part.len())?;
        Ok(as_characters(bytes, false).contains(&as_characters(&part, false)))
    }
}
