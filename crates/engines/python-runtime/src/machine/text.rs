//! Conversions of values to text (`str`, `repr`) and of text to numbers.

use std::fmt::Write;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};

use super::dict::DictKind;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::value::{ClassKind, HeapObject, HeapRef, Type, Value};
use super::{Machine, cost};

/// The maximum number of digits in conversions between integers and text.
pub(super) const MAX_STR_DIGITS: usize = 4300;
/// The hint that CPython appends to its message about this limit.
pub(super) const DIGIT_LIMIT_HINT: &str = "use sys.set_int_max_str_digits() to increase the limit";

impl Machine {
    /// Returns the content of a text; `None` for other values.
    pub(super) fn as_text(&self, value: Value) -> Option<Arc<str>> {
        match value {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Text(text) => Some(Arc::clone(text)),
                HeapObject::Instance { base_value: Some(base), .. } => self.as_text(*base),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns `str(value)`.
    pub(super) fn str(&mut self, value: Value) -> ExecResult<String> {
        if let Value::Int(_) | Value::Float(_) = value {
            return self.repr(value);
        }
        if let Some(text) = self.text_from_method(value, "__str__")? {
            return Ok(text);
        }
        if let Some(text) = self.member_text(value, false)? {
            return Ok(text);
        }
        if let Some(text) = self.as_text(value) {
            self.charge_text(text.len())?;
            return Ok(text.to_string());
        }
        if let Value::Ref(at) = value
            && matches!(self.heap.get(at), HeapObject::Exception(_))
        {
            return self.exception_text(at);
        }
        if self.array(value).is_some() {
            return self.array_text(value, false);
        }
        if let Value::Dtype(kind) = value {
            return Ok(Self::dtype_text(kind, false));
        }
        self.repr(value)
    }

    fn text_from_method(&mut self, value: Value, method: &str) -> ExecResult<Option<String>> {
        let Some(found) = self.special_method(value, method) else { return Ok(None) };
        if self.has_dataclass_text_method(value, method) {
            return Ok(None);
        }
        let text = self.call_value(found, &[], &[])?;
        if let Some(text) = self.as_text(text) {
            Ok(Some(text.to_string()))
        } else {
            let message = format!("{method} returned non-string (type {})", self.class_name(text));
            Err(self.type_error(&message))
        }
    }

    /// Returns `str(exception)`.
    pub(super) fn exception_text(&mut self, at: HeapRef) -> ExecResult<String> {
        if let Some(text) = self.text_from_method(Value::Ref(at), "__str__")? {
            return Ok(text);
        }
        self.plain_exception_text(at)
    }

    /// Returns `str(exception)` without regard to a `__str__` of its class.
    pub(super) fn plain_exception_text(&mut self, at: HeapRef) -> ExecResult<String> {
        let HeapObject::Exception(exception) = self.heap.get(at) else { unreachable!("called with exceptions") };
        let (kind, arguments) = (exception.kind, exception.arguments.clone());
        if matches!(kind, super::ExceptionKind::UnicodeEncodeError | super::ExceptionKind::UnicodeDecodeError)
            && let Some(text) = self.coding_error_text(kind, &arguments)?
        {
            return Ok(text);
        }
        match arguments.as_slice() {
            [] => Ok(String::new()),
            // A `KeyError` shows its key as `repr` does.
            [argument] if kind == super::ExceptionKind::KeyError => self.repr(*argument),
            [argument] => self.nested(|machine| machine.str(*argument)),
            _ => {
                let arguments = self.heap.tuple(arguments);
                self.repr(arguments)
            }
        }
    }

    /// Returns `repr(value)`.
    pub(super) fn repr(&mut self, value: Value) -> ExecResult<String> {
        self.charge(cost::TEXT)?;
        Ok(match value {
            Value::None => "None".into(),
            Value::Ellipsis => "Ellipsis".into(),
            Value::NotImplemented => "NotImplemented".into(),
            Value::Bool(true) => "True".into(),
            Value::Bool(false) => "False".into(),
            Value::Int(number) => number.to_string(),
            Value::Float(number) => {
                self.charge(2)?;
                float_repr(number)
            }
            Value::Numpy(scalar) => super::numpy::scalar_text(scalar.get()),
            Value::Dtype(kind) => Self::dtype_text(kind, true),
            Value::Type(kind) => self.class_repr(kind),
            Value::Builtin(builtin) => format!("<built-in function {}>", builtin.short_name()),
            Value::Method { .. } | Value::BuiltinMethod { .. } => {
                let method = self.materialized(value);
                return self.repr(method);
            }
            Value::Ref(at) => return self.nested(|machine| machine.repr_of_cell(at)),
        })
    }

    fn repr_of_cell(&mut self, at: HeapRef) -> ExecResult<String> {
        let value = Value::Ref(at);
        if let Some(text) = self.text_from_method(value, "__repr__")? {
            return Ok(text);
        }
        if let Some(text) = self.member_text(value, true)? {
            return Ok(text);
        }
        if self.repr_stack.contains(&at)
            && let Some(text) = self.recursive_repr(at)?
        {
            return Ok(text);
        }
        self.while_writing(at, |machine| match machine.library_repr(value)? {
            Some(text) => Ok(text),
            None => machine.core_repr(at),
        })
    }

    /// Runs `write` with a value marked as being written, so that recursive values are detected.
    pub(super) fn while_writing<T>(
        &mut self,
        at: HeapRef,
        write: impl FnOnce(&mut Self) -> ExecResult<T>,
    ) -> ExecResult<T> {
        self.repr_stack.push(at);
        let outcome = write(self);
        self.repr_stack.pop();
        outcome
    }

    /// Returns the abbreviation of a collection inside itself, such as `[...]`; `None` for values without one.
    fn recursive_repr(&mut self, at: HeapRef) -> ExecResult<Option<String>> {
        let text = match self.heap.get(at) {
            HeapObject::List(_) | HeapObject::Deque(_) => "[...]",
            HeapObject::Tuple(_) => "(...)",
            HeapObject::Set(set) if matches!(set.kind, DictKind::Frozen) => "frozenset(...)",
            HeapObject::Set(_) => "set(...)",
            HeapObject::Dict(dict) => match dict.kind {
                DictKind::Default(factory) => {
                    let factory = self.repr(factory)?;
                    return Ok(Some(format!("defaultdict({factory}, {{...}})")));
                }
                DictKind::Ordered => "...",
                DictKind::Plain => "{...}",
                DictKind::Counter | DictKind::Frozen => return Ok(None),
            },
            HeapObject::DictView(..) | HeapObject::Partial { .. } => "...",
            _ => return Ok(None),
        };
        Ok(Some(text.to_owned()))
    }

    /// Returns the representation of a built-in class.
    fn class_repr(&self, kind: Type) -> String {
        let name = self.type_name(kind);
        let module = match kind {
            _ if super::library::is_enum_class(kind) => return format!("<enum '{name}'>"),
            Type::Typing(_) if name.starts_with("typing.") => return name.to_string(),
            Type::Library(class) => class.module,
            Type::Exception(ExceptionKind::FrozenInstanceError) => "dataclasses.",
            _ => "",
        };
        format!("<class '{module}{name}'>")
    }

    /// Returns the representation of a value of Python's core types.
    fn core_repr(&mut self, at: HeapRef) -> ExecResult<String> {
        let value = Value::Ref(at);
        Ok(match self.heap.get(at) {
            HeapObject::Text(text) => {
                let text = Arc::clone(text);
                self.charge_text(text.len() + text.len() / 2)?;
                text_repr(&text)
            }
            HeapObject::Bytes(bytes) => {
                let bytes = Arc::clone(bytes);
                self.charge_text(4 * bytes.len())?;
                super::bytes::bytes_repr(&bytes)
            }
            HeapObject::BigInt(number) => {
                let number = number.clone();
                self.check_digits(&number)?;
                number.to_string()
            }
            HeapObject::List(values) => {
                let values = values.clone();
                format!("[{}]", self.joined_reprs(&values)?)
            }
            HeapObject::Tuple(values) => {
                let values = values.clone();
                let comma = if values.len() == 1 { "," } else { "" };
                format!("({}{comma})", self.joined_reprs(&values)?)
            }
            HeapObject::Set(set) if set.len() == 0 => "set()".into(),
            HeapObject::Set(set) => {
                let members: Vec<Value> = set.iter().map(|(key, _)| key).collect();
                format!("{{{}}}", self.joined_reprs(&members)?)
            }
            HeapObject::Dict(dict) => {
                let entries: Vec<_> = dict.iter().collect();
                let mut parts = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    parts.push(format!("{}: {}", self.repr(key)?, self.repr(value)?));
                }
                format!("{{{}}}", parts.join(", "))
            }
            HeapObject::Slice(parts) => {
                let parts = *parts;
                format!("slice({})", self.joined_reprs(&parts)?)
            }
            HeapObject::Range { start, stop, step: 1 } => format!("range({start}, {stop})"),
            HeapObject::Range { start, stop, step } => format!("range({start}, {stop}, {step})"),
            HeapObject::Exception(exception) => {
                let arguments = exception.arguments.clone();
                format!("{}({})", self.class_name(value), self.joined_reprs(&arguments)?)
            }
            HeapObject::Screen(_) => return self.screen_text(value, at),
            HeapObject::Class(class) if matches!(class.kind, ClassKind::Enum(_)) => format!("<enum '{}'>", class.name),
            HeapObject::Class(class) => format!("<class '{}.{}'>", self.program.module, class.qualified_name),
            HeapObject::Function(function) => format!("<function {}>", self.program.code(function.code).qualified_name),
            HeapObject::NamedTupleField(place) => format!("_tuplegetter({place}, 'Alias for field number {place}')"),
            HeapObject::UnboundMethod(kind, method) => {
                format!("<method '{}' of '{}' objects>", method.name, self.type_name(*kind))
            }
            HeapObject::Module(_, name) => format!("<module '{}'>", self.name(*name)),
            HeapObject::Array(_) => return self.array_text(value, true),
            HeapObject::Instance { base_value: Some(base), .. } => {
                let base = *base;
                if let Some(screen) = self.backing_screen_object(Some(base)) {
                    return self.screen_text(value, screen);
                }
                // Of the built-in collections, sets alone write the name of a derived class.
                if let Value::Ref(base) = base
                    && let HeapObject::Set(set) = self.heap.get(base)
                {
                    let members: Vec<Value> = set.iter().map(|(key, _)| key).collect();
                    let (name, listed) = (self.class_name(value), self.joined_reprs(&members)?);
                    return Ok(if members.is_empty() { format!("{name}()") } else { format!("{name}({{{listed}}})") });
                }
                return self.repr(base);
            }
            HeapObject::Instance { .. } => format!("<{}.{} object>", self.program.module, self.qualified_class(value)),
            _ => format!("<{} object>", self.class_name(value)),
        })
    }

    /// Checks that an integer does not exceed the maximum number of digits.
    ///
    /// # Errors
    /// `ValueError` if it does.
    pub(super) fn check_digits(&mut self, number: &BigInt) -> ExecResult<()> {
        self.charge_digits(number.bits())?;
        // The digits are compared only at the one bit length at which both cases occur.
        let (min_bits, bits) = (MAX_STR_DIGITS as f64 * std::f64::consts::LOG2_10, number.bits() as f64);
        if bits > min_bits + 1.0
            || bits > min_bits && *number.magnitude() >= BigUint::from(10u32).pow(MAX_STR_DIGITS as u32)
        {
            let message = format!(
                "Exceeds the limit ({MAX_STR_DIGITS} digits) for integer string conversion; {DIGIT_LIMIT_HINT}"
            );
            return Err(self.raise(super::ExceptionKind::ValueError, &message));
        }
        Ok(())
    }

    /// Returns the representation of a value of a library class; `None` for other values.
    fn library_repr(&mut self, value: Value) -> ExecResult<Option<String>> {
        let Value::Ref(at) = value else { return Ok(None) };
        Ok(Some(match self.heap.get(at) {
            HeapObject::Dict(dict) if matches!(dict.kind, DictKind::Plain) => return Ok(None),
            HeapObject::Dict(_) => return self.library_dict_repr(at),
            HeapObject::Set(set) if matches!(set.kind, DictKind::Frozen) => {
                let members: Vec<Value> = set.iter().map(|(key, _)| key).collect();
                let listed = self.joined_reprs(&members)?;
                if members.is_empty() { "frozenset()".into() } else { format!("frozenset({{{listed}}})") }
            }
            HeapObject::Partial { function, arguments, named } => {
                let (function, arguments, named) = (*function, arguments.clone(), named.clone());
                let mut parts = vec![self.repr(function)?];
                for &argument in &arguments {
                    parts.push(self.repr(argument)?);
                }
                for &(name, value) in &named {
                    parts.push(format!("{}={}", self.name(name), self.repr(value)?));
                }
                format!("functools.partial({})", parts.join(", "))
            }
            HeapObject::Library(_) => return self.library_object_repr(at),
            HeapObject::GenericAlias { .. } | HeapObject::TypingMarker(_) => self.typing_repr(at)?,
            HeapObject::Union(classes) => {
                let classes = classes.clone();
                self.union_text(&classes)?
            }
            HeapObject::Deque(deque) => {
                let (values, max_length) = (deque.values.iter().copied().collect::<Vec<_>>(), deque.max_length);
                let max_length = max_length.map(|max_length| format!(", maxlen={max_length}")).unwrap_or_default();
                format!("deque([{}]{max_length})", self.joined_reprs(&values)?)
            }
            HeapObject::DictView(..) => {
                let name = self.class_name(value);
                let values = self.collect_values(value)?;
                format!("{name}([{}])", self.joined_reprs(&values)?)
            }
            HeapObject::Instance { class, base_value: Some(base), .. } => {
                let (class, base) = (*class, *base);
                let Some(of) = self.named_tuple_base(class) else { return Ok(None) };
                let ClassKind::NamedTuple(fields) = &self.class_cell(of).kind else { return Ok(None) };
                let names: Vec<Arc<str>> = fields.iter().map(|&(symbol, _)| self.name(symbol)).collect();
                let mut parts = Vec::new();
                for (name, value) in names.iter().zip(self.collect_values(base)?) {
                    parts.push(format!("{name}={}", self.repr(value)?));
                }
                format!("{}({})", self.class_cell(class).name, parts.join(", "))
            }
            _ => return Ok(None),
        }))
    }

    /// Returns the representation of a `defaultdict`, a `Counter` or an `OrderedDict`; `None` for other dictionaries.
    fn library_dict_repr(&mut self, at: HeapRef) -> ExecResult<Option<String>> {
        let HeapObject::Dict(dict) = self.heap.get(at) else { return Ok(None) };
        let (kind, is_empty) = (dict.kind, dict.len() == 0);
        let mut plain = dict.clone();
        plain.kind = DictKind::Plain;
        let entries: Vec<(Value, Value)> = dict.iter().collect();
        self.reserve_values(entries.len() * 4)?;
        Ok(Some(match kind {
            DictKind::Plain | DictKind::Frozen => return Ok(None),
            DictKind::Default(factory) => {
                let plain = Value::Ref(self.heap.add(HeapObject::Dict(plain)));
                format!("defaultdict({}, {})", self.repr(factory)?, self.repr(plain)?)
            }
            DictKind::Counter if is_empty => "Counter()".into(),
            DictKind::Counter => {
                let sorted = match self.most_common(at) {
                    Ok(entries) => {
                        let sorted = self.empty_dict();
                        let list = self.heap.list(entries);
                        self.update_dict(sorted, list)?;
                        sorted
                    }
                    // Counters with counts that cannot be compared keep their order.
                    Err(ExecError::Raised(raised)) if self.is_exception_of_kind(raised, ExceptionKind::TypeError) => {
                        self.heap.add(HeapObject::Dict(plain))
                    }
                    Err(fault) => return Err(fault),
                };
                format!("Counter({})", self.repr(Value::Ref(sorted))?)
            }
            DictKind::Ordered if is_empty => "OrderedDict()".into(),
            DictKind::Ordered => {
                let pairs = entries.into_iter().map(|(key, value)| self.heap.tuple([key, value])).collect();
                let list = self.heap.list(pairs);
                format!("OrderedDict({})", self.repr(list)?)
            }
        }))
    }

    fn joined_reprs(&mut self, values: &[Value]) -> ExecResult<String> {
        let mut parts = Vec::with_capacity(values.len());
        let (mut length, mut spent) = (0, 0);
        for &value in values {
            parts.push(self.repr(value)?);
            length += parts.last().map_or(0, String::len);
            self.reserve_values(length / size_of::<Value>() - spent)?;
            spent = length / size_of::<Value>();
        }
        Ok(parts.join(", "))
    }
}

/// Returns a float as `repr` writes it: with the fewest digits that identify it.
pub(super) fn float_repr(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf".into() } else { "-inf".into() };
    }
    // The float that is written as 0.0001 is the smallest one without an exponent, and 1e16 the smallest large one with it.
    if number == 0.0 || (1e-4..1e16).contains(&number.abs()) {
        let mut plain = super::shortest_float::positional(number);
        if !plain.contains('.') {
            plain.push_str(".0");
        }
        return plain;
    }
    let scientific = super::shortest_float::scientific(number);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// Returns a text as a literal with quotes and escapes.
fn text_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut written = String::from(quote);
    for character in text.chars() {
        match character {
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            _ if character == quote => {
                written.push('\\');
                written.push(quote);
            }
            _ if !is_printable(character) => escape(&mut written, character),
            _ => written.push(character),
        }
    }
    written.push(quote);
    written
}

/// Whether `repr` shows a character unescaped.
pub(super) fn is_printable(character: char) -> bool {
    let is_hidden = matches!(
        character,
        '\u{ad}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{e000}'..='\u{f8ff}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0001}'..='\u{10ffff}'
    );
    !is_hidden && !character.is_control() && (character == ' ' || !character.is_whitespace())
}

/// Whether `str` methods treat a character as whitespace.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\x1c'..='\x1f')
}

fn escape(written: &mut String, character: char) {
    let number = u32::from(character);
    // Writing to a string never fails.
    let _ = match number {
        0..=0xff => write!(written, "\\x{number:02x}"),
        0x100..=0xffff => write!(written, "\\u{number:04x}"),
        _ => write!(written, "\\U{number:08x}"),
    };
}

/// Escapes all characters outside ASCII.
pub(super) fn ascii(text: &str) -> String {
    let mut written = String::new();
    for character in text.chars() {
        if character.is_ascii() { written.push(character) } else { escape(&mut written, character) }
    }
    written
}

/// Removes single underscores between digits; `None` if an underscore is misplaced.
fn without_underscores(digits: &str) -> Option<String> {
    let between = |at: usize| {
        let bytes = digits.as_bytes();
        at > 0 && bytes[at - 1].is_ascii_alphanumeric() && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
    };
    let sound = digits.bytes().enumerate().all(|(at, byte)| byte != b'_' || between(at));
    sound.then(|| digits.replace('_', ""))
}

/// Parses a text as `float(text)` does; `None` if it is no float.
pub(super) fn parse_float(text: &str) -> Option<f64> {
    let text = without_underscores(text.trim_matches(is_space))?;
    let lower = text.to_ascii_lowercase();
    let bare = lower.trim_start_matches(['+', '-']);
    let is_word = matches!(bare, "inf" | "infinity" | "nan") && lower.len() - bare.len() <= 1;
    let is_number = bare.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    (is_word || is_number).then(|| lower.parse().ok()).flatten()
}

/// Parses a text as `int(text, base)` does; `None` if it is no integer.
pub(super) fn parse_int(text: &str, base: u32) -> Option<BigInt> {
    let text = text.trim_matches(is_space);
    let (sign, digits) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (&text[..1], rest),
        None => ("", text),
    };
    let digits = digits.to_ascii_lowercase();
    let prefix = [("0x", 16), ("0o", 8), ("0b", 2)].into_iter().find(|(prefix, _)| digits.starts_with(prefix));
    let (digits, base) = match prefix {
        Some((prefix, own)) if base == own || base == 0 => {
            (digits[prefix.len()..].trim_start_matches('_').to_owned(), own)
        }
        _ => (digits, if base == 0 { 10 } else { base }),
    };
    let digits = without_underscores(&digits)?;
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        return None;
    }
    let number = BigInt::parse_bytes(digits.as_bytes(), base)?;
    Some(if sign == "-" { -number } else { number })
}
