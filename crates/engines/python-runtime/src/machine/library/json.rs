//! Functions of `json`: texts of values, and values of texts.

use std::fmt::Write as _;

use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecError, ExecResult};
use crate::machine::library_function::{LibraryFunction as Function, ResultType};
use crate::machine::numbers::Number;
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::text::float_repr;
use crate::machine::value::{HeapObject, Value};

/// The functions of `json`, in the order of their names.
pub(in crate::machine) static FUNCTIONS: [Function; 2] = [
    Function::named(
        "json.dumps",
        NamedParameters::new(
            Origin::Python,
            &[
                "obj",
                "skipkeys",
                "ensure_ascii",
                "check_circular",
                "allow_nan",
                "cls",
                "indent",
                "separators",
                "default",
                "sort_keys",
            ],
        )
        .with_required(1)
        .with_keyword_only(9),
        Machine::dump_json,
    )
    .with_result(ResultType::Text),
    Function::custom("json.loads", Machine::load_json),
];

/// The options of `json.dumps`.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own in Python, too")]
struct Format {
    is_ascii: bool,
    allows_nan: bool,
    skips_keys: bool,
    sorts_keys: bool,
    indent: Option<String>,
    separators: [String; 2],
    default: Option<Value>,
}

/// The keys of the values that are being written, by which cycles are found.
type Enclosing = Vec<Value>;

impl Machine {
    fn dump_json(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        if bound.given(5).is_some() {
            return Err(
                self.type_error("reward functions support json.dumps without `cls`: pass a function as `default`")
            );
        }
        let flag = |machine: &mut Self, index: usize, default: bool| {
            bound.get(index).map_or(Ok(default), |value| machine.truth(value))
        };
        let indent = match bound.given(6) {
            None => None,
            Some(indent) => Some(match self.as_text(indent) {
                Some(text) => text.to_string(),
                None => " ".repeat(usize::try_from(self.as_index(indent)?).unwrap_or(0).min(64)),
            }),
        };
        let separators = match bound.given(7) {
            None => [if indent.is_some() { "," } else { ", " }.to_owned(), ": ".to_owned()],
            Some(pair) => {
                let parts = self.collect_values(pair)?;
                let [item, key] = *parts.as_slice() else {
                    return Err(self.raise(ExceptionKind::ValueError, "separators are a pair of strings"));
                };
                [self.str(item)?, self.str(key)?]
            }
        };
        let format = Format {
            skips_keys: flag(self, 1, false)?,
            is_ascii: flag(self, 2, true)?,
            allows_nan: flag(self, 4, true)?,
            sorts_keys: flag(self, 9, false)?,
            indent,
            separators,
            default: bound.given(8),
        };
        let mut text = String::new();
        self.write_json(bound.required(0), &format, &mut Vec::new(), &mut text)?;
        Ok(self.heap.text(&text))
    }

    fn write_json(
        &mut self,
        value: Value,
        format: &Format,
        enclosing: &mut Enclosing,
        text: &mut String,
    ) -> ExecResult<()> {
        self.charge(2)?;
        self.charge_text(text.len() / 64)?;
        if let Some(own) = self.as_text(value) {
            write_quoted(&own, format.is_ascii, text);
            return Ok(());
        }
        match self.base_value(value) {
            Value::None => text.push_str("null"),
            Value::Bool(truth) => text.push_str(if truth { "true" } else { "false" }),
            Value::Numpy(_) => return self.write_other_json(value, format, enclosing, text),
            plain => match self.as_number(plain) {
                Some(Number::Float(number)) => self.write_json_float(number, format, text)?,
                Some(_) => {
                    let digits = self.repr(plain)?;
                    text.push_str(&digits);
                }
                None => return self.write_json_container(value, plain, format, enclosing, text),
            },
        }
        Ok(())
    }

    fn write_json_float(&mut self, number: f64, format: &Format, text: &mut String) -> ExecResult<()> {
        if number.is_finite() {
            text.push_str(&float_repr(number));
            return Ok(());
        }
        if !format.allows_nan {
            let message = "Out of range float values are not JSON compliant";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        text.push_str(if number.is_nan() {
            "NaN"
        } else if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        });
        Ok(())
    }

    fn write_json_container(
        &mut self,
        value: Value,
        plain: Value,
        format: &Format,
        enclosing: &mut Enclosing,
        text: &mut String,
    ) -> ExecResult<()> {
        let Value::Ref(at) = plain else { return self.write_other_json(value, format, enclosing, text) };
        let (items, entries) = match self.heap.get(at) {
            HeapObject::List(items) => (items.clone(), None),
            HeapObject::Tuple(items) => (items.to_vec(), None),
            HeapObject::Dict(dict) => (Vec::new(), Some(dict.iter().collect::<Vec<_>>())),
            HeapObject::Library(object) if object.is_mapping() => {
                let entries = self.merged_maps(at)?.map(|merged| self.dict(merged).iter().collect());
                (Vec::new(), Some(entries.unwrap_or_default()))
            }
            _ => return self.write_other_json(value, format, enclosing, text),
        };
        if enclosing.iter().any(|&other| crate::machine::compare::is_identical(other, plain)) {
            return Err(self.raise(ExceptionKind::ValueError, "Circular reference detected"));
        }
        enclosing.push(plain);
        let depth = enclosing.len();
        let is_dict = entries.is_some();
        text.push(if is_dict { '{' } else { '[' });
        let start = text.len();
        match entries {
            None => {
                for item in items {
                    begin_item(format, depth, text.len() == start, text);
                    self.nested(|machine| machine.write_json(item, format, enclosing, text))?;
                }
            }
            Some(entries) => {
                for (key, item) in self.json_keys(entries, format)? {
                    begin_item(format, depth, text.len() == start, text);
                    write_quoted(&key, format.is_ascii, text);
                    text.push_str(&format.separators[1]);
                    self.nested(|machine| machine.write_json(item, format, enclosing, text))?;
                }
            }
        }
        if text.len() > start {
            begin_line(format, depth - 1, text);
        }
        text.push(if is_dict { '}' } else { ']' });
        enclosing.pop();
        Ok(())
    }

    /// Returns the keys of a dict as texts, with the values.
    fn json_keys(&mut self, mut entries: Vec<(Value, Value)>, format: &Format) -> ExecResult<Vec<(String, Value)>> {
        if format.sorts_keys {
            let (keys, pairs): (Vec<Value>, Vec<Value>) =
                entries.into_iter().map(|(key, value)| (key, self.heap.tuple([key, value]))).unzip();
            let sorted = self.sort_by_keys(keys, pairs, false)?;
            entries = Vec::with_capacity(sorted.len());
            for pair in sorted {
                if let [key, value] = *self.collect_values(pair)?.as_slice() {
                    entries.push((key, value));
                }
            }
        }
        let mut texts = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let text = match (self.as_text(key), key) {
                (Some(text), _) => text.to_string(),
                (None, Value::None) => "null".to_owned(),
                (None, Value::Bool(truth)) => if truth { "true" } else { "false" }.to_owned(),
                (None, Value::Numpy(_)) => return Err(self.json_key_error(key)),
                (None, _) => match self.as_number(key) {
                    Some(Number::Float(number)) => {
                        let mut text = String::new();
                        self.write_json_float(number, format, &mut text)?;
                        text
                    }
                    Some(_) => self.repr(key)?,
                    None if format.skips_keys => continue,
                    None => return Err(self.json_key_error(key)),
                },
            };
            texts.push((text, value));
        }
        Ok(texts)
    }

    fn json_key_error(&mut self, key: Value) -> ExecError {
        let class = self.class_name(key);
        self.type_error(&format!("keys must be str, int, float, bool or None, not {class}"))
    }

    /// Writes a value that JSON does not have, through the function `default`.
    fn write_other_json(
        &mut self,
        value: Value,
        format: &Format,
        enclosing: &mut Enclosing,
        text: &mut String,
    ) -> ExecResult<()> {
        // A scalar of the class `float64` is a float of Python as well.
        if let Value::Numpy(scalar) = value
            && scalar.get().dtype() == crate::machine::numpy::Dtype::Float
        {
            return self.write_json_float(scalar.get().to_f64(), format, text);
        }
        let Some(default) = format.default else {
            let class = self.class_name(value);
            return Err(self.type_error(&format!("Object of type {class} is not JSON serializable")));
        };
        if enclosing.iter().any(|&other| crate::machine::compare::is_identical(other, value)) {
            return Err(self.raise(ExceptionKind::ValueError, "Circular reference detected"));
        }
        enclosing.push(value);
        let other = self.call_value(default, &[value], &[])?;
        self.nested(|machine| machine.write_json(other, format, enclosing, text))?;
        enclosing.pop();
        Ok(())
    }

    fn load_json(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        if let Some(&(symbol, _)) = named.first() {
            let message = format!("reward functions support json.loads without `{}`", self.name(symbol));
            return Err(self.type_error(&message));
        }
        let source = self.single_argument("loads", arguments, &[])?;
        let text = match (self.as_text(source), self.as_bytes(source)) {
            (Some(text), _) => text.to_string(),
            (None, Some(bytes)) => String::from_utf8_lossy(&bytes).into_owned(),
            (None, None) => {
                let class = self.class_name(source);
                let message = format!("the JSON object must be str, bytes or bytearray, not {class}");
                return Err(self.type_error(&message));
            }
        };
        self.charge(text.len() as u64)?;
        let mut reader = Reader { text: &text, at: 0 };
        reader.skip_spaces();
        let value = self.read_json(&mut reader)?;
        reader.skip_spaces();
        if reader.at < text.len() {
            return Err(self.json_error("Extra data", &reader, reader.at));
        }
        Ok(value)
    }

    fn json_error(&mut self, message: &str, reader: &Reader<'_>, at: usize) -> ExecError {
        let before = &reader.text[..at];
        let line = 1 + before.matches('\n').count();
        let column = before.chars().rev().take_while(|&character| character != '\n').count() + 1;
        let place = before.chars().count();
        let message = format!("{message}: line {line} column {column} (char {place})");
        self.raise(ExceptionKind::JSONDecodeError, &message)
    }

    fn read_json(&mut self, reader: &mut Reader<'_>) -> ExecResult {
        self.charge(1)?;
        let start = reader.at;
        match reader.peek() {
            Some(b'"') => self.read_json_text(reader).map(|text| self.heap.text(&text)),
            Some(b'[') => self.nested(|machine| machine.read_json_list(reader)),
            Some(b'{') => self.nested(|machine| machine.read_json_dict(reader)),
            _ => {
                let constants = [
                    ("null", Value::None),
                    ("true", Value::Bool(true)),
                    ("false", Value::Bool(false)),
                    ("NaN", Value::Float(f64::NAN)),
                    ("Infinity", Value::Float(f64::INFINITY)),
                    ("-Infinity", Value::Float(f64::NEG_INFINITY)),
                ];
                for (name, value) in constants {
                    if reader.take(name) {
                        return Ok(value);
                    }
                }
                match reader.number() {
                    Some((number, true)) => Ok(Value::Float(number.parse().unwrap_or(f64::NAN))),
                    Some((number, false)) => {
                        let text = self.heap.text(number);
                        self.as_int(text)
                    }
                    None => Err(self.json_error("Expecting value", reader, start)),
                }
            }
        }
    }

    fn read_json_list(&mut self, reader: &mut Reader<'_>) -> ExecResult {
        reader.at += 1;
        let mut items = Vec::new();
        reader.skip_spaces();
        if reader.take("]") {
            return Ok(self.heap.list(items));
        }
        loop {
            reader.skip_spaces();
            items.push(self.read_json(reader)?);
            reader.skip_spaces();
            if reader.take("]") {
                return Ok(self.heap.list(items));
            }
            if !reader.take(",") {
                return Err(self.json_error("Expecting ',' delimiter", reader, reader.at));
            }
        }
    }

    fn read_json_dict(&mut self, reader: &mut Reader<'_>) -> ExecResult {
        reader.at += 1;
        let dict = self.empty_dict();
        reader.skip_spaces();
        if reader.take("}") {
            return Ok(Value::Ref(dict));
        }
        loop {
            reader.skip_spaces();
            if reader.peek() != Some(b'"') {
                let message = "Expecting property name enclosed in double quotes";
                return Err(self.json_error(message, reader, reader.at));
            }
            let key = self.read_json_text(reader)?;
            reader.skip_spaces();
            if !reader.take(":") {
                return Err(self.json_error("Expecting ':' delimiter", reader, reader.at));
            }
            reader.skip_spaces();
            let value = self.read_json(reader)?;
            let key = self.heap.text(&key);
            self.set_entry(dict, key, value)?;
            reader.skip_spaces();
            if reader.take("}") {
                return Ok(Value::Ref(dict));
            }
            if !reader.take(",") {
                return Err(self.json_error("Expecting ',' delimiter", reader, reader.at));
            }
        }
    }

    fn read_json_text(&mut self, reader: &mut Reader<'_>) -> ExecResult<String> {
        let start = reader.at;
        reader.at += 1;
        let mut text = String::new();
        loop {
            let Some(character) = reader.text[reader.at..].chars().next() else {
                return Err(self.json_error("Unterminated string starting at", reader, start));
            };
            let place = reader.at;
            reader.at += character.len_utf8();
            match character {
                '"' => return Ok(text),
                '\\' => {
                    if let Some(escaped) = reader.escape() {
                        text.push(escaped);
                    } else {
                        let message = match reader.text[place..].chars().nth(1) {
                            None => return Err(self.json_error("Unterminated string starting at", reader, start)),
                            Some('u') => "Invalid \\uXXXX escape",
                            Some(_) => "Invalid \\escape",
                        };
                        let place = if message.contains('u') { place + 1 } else { place };
                        return Err(self.json_error(message, reader, place));
                    }
                }
                '\0'..='\x1f' => return Err(self.json_error("Invalid control character at", reader, place)),
                other => text.push(other),
            }
        }
    }
}

/// Begins an item of a list or dict that is being written.
fn begin_item(format: &Format, depth: usize, is_first: bool, text: &mut String) {
    if !is_first {
        text.push_str(&format.separators[0]);
    }
    begin_line(format, depth, text);
}

fn begin_line(format: &Format, depth: usize, text: &mut String) {
    if let Some(indent) = &format.indent {
        text.push('\n');
        text.push_str(&indent.repeat(depth));
    }
}

/// Writes a string in quotes.
fn write_quoted(string: &str, is_ascii: bool, text: &mut String) {
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\x08' => text.push_str("\\b"),
            '\x0c' => text.push_str("\\f"),
            '\0'..='\x1f' => {
                let _ = write!(text, "\\u{:04x}", u32::from(character));
            }
            _ if is_ascii && !matches!(character, ' '..='~') => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let _ = write!(text, "\\u{unit:04x}");
                }
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}

/// A reader of a JSON text.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Skips a token if it comes next; returns whether it did.
    fn take(&mut self, token: &str) -> bool {
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// Reads the rest of an escape sequence.
    fn escape(&mut self) -> Option<char> {
        let character = self.text[self.at..].chars().next()?;
        let escaped = match character {
            '"' | '\\' | '/' => character,
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                self.at += 1;
                let first = self.code_unit()?;
                if !(0xd800..0xdc00).contains(&first) {
                    return char::from_u32(first);
                }
                if !self.take("\\u") {
                    return None;
                }
                let second = self.code_unit()?;
                let low = second.checked_sub(0xdc00).filter(|&low| low < 0x400)?;
                return char::from_u32(0x10000 + ((first - 0xd800) << 10) + low);
            }
            _ => return None,
        };
        self.at += character.len_utf8();
        Some(escaped)
    }

    fn code_unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let unit = digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?;
        self.at += 4;
        unit
    }

    /// Reads a number; returns its text and whether it is a float.
    fn number(&mut self) -> Option<(&'t str, bool)> {
        let bytes = self.text.as_bytes();
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let start = self.at;
        let first = start + usize::from(bytes.get(start) == Some(&b'-'));
        let mut end = if bytes.get(first) == Some(&b'0') { first + 1 } else { digits(first) };
        if end == first {
            return None;
        }
        let mut is_float = false;
        if bytes.get(end) == Some(&b'.') && digits(end + 1) > end + 1 {
            (end, is_float) = (digits(end + 1), true);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            if digits(sign) > sign {
                (end, is_float) = (digits(sign), true);
            }
        }
        self.at = end;
        Some((&self.text[start..end], is_float))
    }
}
