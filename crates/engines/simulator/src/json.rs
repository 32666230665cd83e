//! Lossless conversion between values and JSON.
//!
//! Integers are numbers without a decimal point, and real numbers have one. Values that JSON cannot represent are objects with
//! one key: `{"real": "NaN"}`, `{"set": ["red"]}`, `{"map": {..}}`.

use std::fmt;
use std::sync::Arc;

use goalspec_resource::value::{MapEntries, Value};
use serde_json::{Map, Value as Json, json};

/// The error for JSON that represents no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonValueError {
    message: String,
}

impl fmt::Display for JsonValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for JsonValueError {}

/// Converts a value to JSON; a missing value becomes `null`.
pub fn write(value: Option<&Value>) -> Json {
    match value {
        None => Json::Null,
        Some(Value::Int(number)) => json!(number),
        Some(Value::Real(number)) if number.is_finite() => json!(number),
        Some(real @ Value::Real(_)) => json!({ "real": real.to_string() }),
        Some(Value::Bool(truth)) => json!(truth),
        Some(Value::Text(text)) => json!(&**text),
        Some(Value::Set(labels)) => json!({ "set": labels.iter().map(|label| &**label).collect::<Vec<_>>() }),
        Some(Value::List(members)) => Json::Array(members.iter().map(|member| write(member.as_ref())).collect()),
        Some(Value::Map(entries)) => {
            let entries = entries.iter().map(|(name, value)| (name.to_string(), write(value.as_ref())));
            json!({ "map": entries.collect::<Map<String, Json>>() })
        }
    }
}

/// Converts JSON to a value, where `null` is a missing one; integers beyond 32 bits become real numbers.
///
/// # Errors
/// If the JSON is not in the format of [`write()`].
pub fn read(json: &Json) -> Result<Option<Value>, JsonValueError> {
    Ok(Some(match json {
        Json::Null => return Ok(None),
        Json::Bool(truth) => Value::Bool(*truth),
        Json::String(text) => Value::text(text),
        Json::Number(number) => match number.as_i64().and_then(|whole| i32::try_from(whole).ok()) {
            Some(whole) => Value::Int(whole),
            None => Value::Real(number.as_f64().ok_or_else(|| malformed(&format!("{number} is not a 64-bit number")))?),
        },
        Json::Array(members) => Value::List(members.iter().map(read).collect::<Result<Vec<_>, _>>()?.into()),
        Json::Object(object) => match object.iter().next() {
            Some((kind, inner)) if object.len() == 1 => tagged(kind, inner)?,
            _ => return Err(malformed("expected an object with one key, `real`, `set` or `map`")),
        },
    }))
}

fn malformed(message: &str) -> JsonValueError {
    JsonValueError { message: message.to_owned() }
}

fn tagged(kind: &str, inner: &Json) -> Result<Value, JsonValueError> {
    match (kind, inner) {
        ("real", Json::String(text)) => match text.as_str() {
            "NaN" => Ok(Value::Real(f64::NAN)),
            "Infinity" => Ok(Value::Real(f64::INFINITY)),
            "-Infinity" => Ok(Value::Real(f64::NEG_INFINITY)),
            _ => Err(malformed(&format!("`{text}` is not a real number"))),
        },
        ("set", Json::Array(labels)) => {
            let labels: Option<Vec<&str>> = labels.iter().map(Json::as_str).collect();
            Ok(Value::set(labels.ok_or_else(|| malformed("the members of a set must be strings"))?))
        }
        ("map", Json::Object(entries)) => {
            let entries = entries.iter().map(|(name, value)| Ok((Arc::from(name.as_str()), read(value)?)));
            Ok(Value::Map(Arc::new(entries.collect::<Result<MapEntries, JsonValueError>>()?)))
        }
        _ => Err(malformed(&format!("unknown kind `{kind}`; expected `real`, `set` or `map`"))),
    }
}

/// Returns the object that a JSON value is, if it has no other keys than these.
pub(crate) fn object<'a>(json: &'a Json, subject: &str, keys: &[&str]) -> Result<&'a Map<String, Json>, String> {
    let object = json.as_object().ok_or_else(|| format!("{subject} must be an object"))?;
    match object.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(format!("unknown key `{key}` in {subject}; expected one of {}", keys.join(", "))),
        None => Ok(object),
    }
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use goalspec_resource::value::Value;

    #[test]
    fn values_come_back_as_they_were() {
        let list = Value::List(vec![None, Some(Value::Bool(true))].into());
        let values = [
            Value::Int(5),
            Value::Real(5.0),
            Value::Real(-0.0),
            Value::Real(1e300),
            Value::Real(f64::NEG_INFINITY),
            Value::text("red"),
            Value::set(["red", "blue"]),
            list,
        ];
        for value in values {
            let json = serde_json::to_string(&write(Some(&value))).unwrap();
            let back = read(&serde_json::from_str(&json).unwrap()).unwrap().unwrap();
            assert_eq!((back.to_string(), &back), (value.to_string(), &value), "{json}");
        }
        assert_eq!(read(&write(None)), Ok(None));
        assert!(matches!(read(&write(Some(&Value::Real(f64::NAN)))), Ok(Some(Value::Real(nan))) if nan.is_nan()));
        assert!(read(&serde_json::json!({"real": "1"})).is_err());
    }
}
