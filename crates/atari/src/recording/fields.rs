//! Typed access to the JSON fields of a line.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::{MAX_PIXELS, RecordingErrorKind};

/// A JSON value with its path, for error messages.
#[derive(Clone, Copy)]
pub(super) struct Field<'v> {
    pub(super) value: &'v Value,
    /// The name of the field, such as `objs`.
    name: &'v str,
    /// The index and name of a part, such as 3 and `x` in `objs[3].x`.
    part: Option<(usize, &'static str)>,
}

pub(super) type FieldResult<T> = Result<T, RecordingErrorKind>;

impl<'v> Field<'v> {
    pub(super) fn new(name: &'v str, value: &'v Value) -> Self {
        Self { value, name, part: None }
    }

    /// Returns a part of one element of a list.
    pub(super) fn part(self, place: usize, part: &'static str, value: &'v Value) -> Self {
        Self { value, part: Some((place, part)), ..self }
    }

    pub(super) fn error(self, problem: impl Into<String>) -> RecordingErrorKind {
        let field = match self.part {
            None => self.name.to_owned(),
            Some((place, "")) => format!("{}[{place}]", self.name),
            Some((place, part)) => format!("{}[{place}].{part}", self.name),
        };
        RecordingErrorKind::Field { field, problem: problem.into() }
    }

    fn type_error(self, expected: &str) -> RecordingErrorKind {
        const SHOWN: usize = 40;
        let found = self.value.to_string();
        let cut: String = found.chars().take(SHOWN).collect();
        let dots = if cut.len() < found.len() { ".." } else { "" };
        self.error(format!("is {cut}{dots}, but must be {expected}"))
    }

    pub(super) fn count(self) -> FieldResult<u64> {
        self.value.as_u64().ok_or_else(|| self.type_error("a non-negative integer"))
    }

    pub(super) fn number(self) -> FieldResult<f64> {
        self.value.as_f64().ok_or_else(|| self.type_error("a number"))
    }

    pub(super) fn truth(self) -> FieldResult<bool> {
        self.value.as_bool().ok_or_else(|| self.type_error("true or false"))
    }

    pub(super) fn text(self) -> FieldResult<&'v str> {
        self.value.as_str().ok_or_else(|| self.type_error("text"))
    }

    pub(super) fn list(self) -> FieldResult<&'v [Value]> {
        self.value.as_array().map(Vec::as_slice).ok_or_else(|| self.type_error("a list"))
    }

    pub(super) fn object(self) -> FieldResult<&'v Map<String, Value>> {
        self.value.as_object().ok_or_else(|| self.type_error("an object"))
    }

    /// Parses the value of a display.
    pub(super) fn shown(self) -> FieldResult<i32> {
        self.value
            .as_i64()
            .and_then(|value| i32::try_from(value).ok())
            .ok_or_else(|| self.type_error("a 32-bit integer"))
    }

    pub(super) fn pixels(self) -> FieldResult<i16> {
        let fits = |value: i64| i16::try_from(value).ok().filter(|value| value.abs() <= MAX_PIXELS);
        self.value
            .as_i64()
            .and_then(fits)
            .ok_or_else(|| self.type_error(&format!("an integer between -{MAX_PIXELS} and {MAX_PIXELS}")))
    }

    pub(super) fn byte(self) -> FieldResult<u8> {
        self.value
            .as_u64()
            .and_then(|value| u8::try_from(value).ok())
            .ok_or_else(|| self.type_error("an integer between 0 and 255"))
    }

    /// Parses a truth value written as 0 or 1.
    pub(super) fn bit(self) -> FieldResult<bool> {
        match self.value.as_u64() {
            Some(bit @ (0 | 1)) => Ok(bit == 1),
            _ => Err(self.type_error("0 or 1")),
        }
    }

    /// Parses bytes in hexadecimal.
    pub(super) fn bytes<const N: usize>(self) -> FieldResult<[u8; N]> {
        let text = self.text()?.as_bytes();
        if text.len() != 2 * N {
            return Err(self.error(format!("has {} digits, but {} are required", text.len(), 2 * N)));
        }
        let mut bytes = [0; N];
        for (byte, digits) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            let (Some(high), Some(low)) = (digit(digits[0]), digit(digits[1])) else {
                return Err(self.error("contains a character that is not a hexadecimal digit"));
            };
            *byte = (high * 16 + low) as u8;
        }
        Ok(bytes)
    }
}

/// Returns a required field.
pub(super) fn required<'v>(fields: &'v Map<String, Value>, name: &'v str) -> FieldResult<Field<'v>> {
    let missing = || RecordingErrorKind::Field { field: name.to_owned(), problem: "is missing".to_owned() };
    fields.get(name).map(|value| Field::new(name, value)).ok_or_else(missing)
}

/// Returns an optional field.
pub(super) fn optional<'v>(fields: &'v Map<String, Value>, name: &'v str) -> Option<Field<'v>> {
    fields.get(name).map(|value| Field::new(name, value))
}

/// A JSON value in which every object has unique field names.
pub(super) struct UniqueFields(pub(super) Value);

impl<'de> Deserialize<'de> for UniqueFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Self)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number that is too large"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(UniqueFields(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some((name, UniqueFields(value))) = fields.next_entry::<String, _>()? {
            if values.contains_key(&name) {
                return Err(A::Error::custom(format!("duplicate key `{name}`")));
            }
            values.insert(name, value);
        }
        Ok(Value::Object(values))
    }
}
