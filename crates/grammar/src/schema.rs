//! JSON schemas of replies: construction, validation, bounded depth, random values.
//!
//! The functions that build schemas stay within the subset that all servers accept: all properties are required, none are additional,
//! and there are no keywords about numbers, lengths or patterns. Schemas from elsewhere may use the keywords in `KEYWORDS`.

mod sample;
mod unroll;
mod validate;

use std::fmt;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use crate::pattern::{Automaton, Pattern};
use crate::regex;

pub use unroll::common_subset;
pub use validate::Violation;

/// The draft of JSON Schema that schemas follow.
pub const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The maximum nesting depth of a schema, without references.
pub const MAX_DEPTH: usize = 100;

/// Keywords that have no influence on validation.
const ANNOTATIONS: [&str; 7] = ["$schema", "$id", "$comment", "title", "description", "examples", "default"];

/// Keywords with influence on validation.
const KEYWORDS: [&str; 19] = [
    "$defs",
    "$ref",
    "type",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "not",
    "pattern",
    "minimum",
    "maximum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "properties",
    "additionalProperties",
    "required",
    "minProperties",
];

/// A JSON schema that has been checked: its keywords are supported and well-formed, and its references are defined.
#[derive(Debug, Clone)]
pub struct JsonSchema {
    value: Value,
    /// The automata of the patterns, by their texts.
    patterns: FxHashMap<String, (Pattern, Automaton)>,
}

/// A defect of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// The JSON pointer of the defective part.
    pub path: String,
    /// The description.
    pub message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "schema at `{}`: {}", self.path, self.message)
    }
}

impl std::error::Error for SchemaError {}

impl JsonSchema {
    /// Checks a schema.
    ///
    /// # Errors
    /// Returns the first keyword that is not supported or malformed, undefined reference, or excess of [`MAX_DEPTH`].
    pub fn new(value: Value) -> Result<Self, SchemaError> {
        let mut patterns = FxHashMap::default();
        Checker { root: &value, path: String::new(), patterns: &mut patterns }.schema(&value, 0)?;
        Ok(Self { value, patterns })
    }

    /// Reads the text of a schema.
    ///
    /// # Errors
    /// Returns a syntax error of the text, or the first defect of the schema; see [`JsonSchema::new`].
    pub fn read(text: &str) -> Result<Self, SchemaError> {
        let value = serde_json::from_str(text)
            .map_err(|error| SchemaError { path: String::new(), message: format!("invalid JSON: {error}") })?;
        Self::new(value)
    }

    /// Returns the schema.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the schema as indented text, with a line break at the end.
    pub fn write(&self) -> String {
        format!("{:#}\n", self.value)
    }

    /// Returns a definition of the schema by its reference, such as `#/$defs/goal`.
    fn target(&self, reference: &str) -> &Value {
        reference.strip_prefix('#').and_then(|pointer| self.value.pointer(pointer)).unwrap_or(&Value::Bool(false))
    }
}

struct Checker<'s> {
    root: &'s Value,
    path: String,
    patterns: &'s mut FxHashMap<String, (Pattern, Automaton)>,
}

impl<'s> Checker<'s> {
    fn fail<T>(&self, message: impl Into<String>) -> Result<T, SchemaError> {
        Err(SchemaError { path: self.path.clone(), message: message.into() })
    }

    fn inside(
        &mut self,
        step: &str,
        check: impl FnOnce(&mut Self) -> Result<(), SchemaError>,
    ) -> Result<(), SchemaError> {
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(step);
        check(self)?;
        self.path.truncate(length);
        Ok(())
    }

    fn schema(&mut self, schema: &'s Value, depth: usize) -> Result<(), SchemaError> {
        if depth > MAX_DEPTH {
            return self.fail(format!("exceeds the limit of {MAX_DEPTH} nested schemas"));
        }
        let keywords = match schema {
            Value::Bool(_) => return Ok(()),
            Value::Object(keywords) => keywords,
            _ => return self.fail("expected an object or a boolean"),
        };
        for (keyword, argument) in keywords {
            self.inside(keyword, |checker| checker.keyword(keyword, argument, depth))?;
        }
        Ok(())
    }

    fn keyword(&mut self, keyword: &str, argument: &'s Value, depth: usize) -> Result<(), SchemaError> {
        let is_count = argument.as_u64().is_some();
        match keyword {
            _ if ANNOTATIONS.contains(&keyword) => Ok(()),
            "$ref" => self.reference(argument),
            "type" => self.types(argument),
            "enum" | "required" if argument.is_array() => Ok(()),
            "const" => Ok(()),
            "anyOf" | "oneOf" | "prefixItems" => match argument {
                Value::Array(parts) if !parts.is_empty() => self.all(parts.iter().enumerate(), depth),
                _ => self.fail("expected a list of schemas"),
            },
            "not" | "items" | "additionalProperties" => self.schema(argument, depth + 1),
            "properties" | "$defs" => match argument {
                Value::Object(parts) => self.all(parts, depth),
                _ => self.fail("expected an object of schemas"),
            },
            "pattern" => self.pattern(argument),
            "minimum" | "maximum" if argument.is_number() => Ok(()),
            "minItems" | "maxItems" | "minProperties" | "maxProperties" if is_count => Ok(()),
            _ if KEYWORDS.contains(&keyword) || keyword == "maxProperties" => self.fail("malformed keyword"),
            _ => self.fail("the keyword is not supported"),
        }
    }

    fn all(
        &mut self,
        parts: impl IntoIterator<Item = (impl ToString, &'s Value)>,
        depth: usize,
    ) -> Result<(), SchemaError> {
        for (step, part) in parts {
            self.inside(&step.to_string(), |checker| checker.schema(part, depth + 1))?;
        }
        Ok(())
    }

    fn reference(&self, argument: &Value) -> Result<(), SchemaError> {
        let pointer = argument.as_str().and_then(|reference| reference.strip_prefix('#'));
        match pointer.and_then(|pointer| self.root.pointer(pointer)) {
            Some(_) => Ok(()),
            None => self.fail(format!("{argument} is not defined")),
        }
    }

    fn types(&self, argument: &Value) -> Result<(), SchemaError> {
        const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
        let is_type = |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
        let is_valid = match argument {
            Value::Array(names) => !names.is_empty() && names.iter().all(is_type),
            name => is_type(name),
        };
        if is_valid { Ok(()) } else { self.fail(format!("unknown type {argument}")) }
    }

    fn pattern(&mut self, argument: &Value) -> Result<(), SchemaError> {
        let Some(text) = argument.as_str() else { return self.fail("expected a regular expression") };
        let pattern = match regex::read_search(text) {
            Ok(pattern) => pattern,
            Err(error) => return self.fail(error.to_string()),
        };
        let Some(automaton) = Automaton::new(&pattern) else { return self.fail("the regular expression is too large") };
        self.patterns.insert(text.to_owned(), (pattern, automaton));
        Ok(())
    }
}

/// Returns the schema of an object with exactly the given properties.
pub fn object<'a>(properties: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let properties: Map<String, Value> =
        properties.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties })
}

/// Returns the schema of one of several strings, sorted and without duplicates.
pub fn one_of<'a>(words: impl IntoIterator<Item = &'a str>) -> Value {
    let mut words: Vec<&str> = words.into_iter().collect();
    words.sort_unstable();
    words.dedup();
    json!({ "type": "string", "enum": words })
}

/// Returns the schema of a list.
pub fn list(items: Value) -> Value {
    Value::Object(Map::from_iter([("type".to_owned(), json!("array")), ("items".to_owned(), items)]))
}

/// Returns the schema of values that match one of several schemas. Schemas without values, such as those of empty enumerations, are
/// omitted.
pub fn any_of(alternatives: impl IntoIterator<Item = Value>) -> Value {
    let mut alternatives: Vec<Value> = alternatives.into_iter().filter(|schema| !is_empty(schema)).collect();
    if alternatives.len() == 1 { alternatives.remove(0) } else { json!({ "anyOf": alternatives }) }
}

/// Whether no value matches the schema, because an enumeration is empty.
fn is_empty(schema: &Value) -> bool {
    let is_empty_list = |keyword: &str| schema[keyword].as_array().is_some_and(Vec::is_empty);
    let required = schema["properties"].as_object().into_iter().flatten().map(|(_, property)| property);
    is_empty_list("enum") || is_empty_list("anyOf") || required.into_iter().any(is_empty)
}

/// Returns a reference to a definition of the root.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// Returns the schema of a reply with a program as text: `{"program": ".."}`, with an optional text before it that is stored and
/// never parsed.
pub fn envelope(comment: &str, reasoning: bool) -> Value {
    let text = json!({ "type": "string" });
    let properties = reasoning.then(|| ("reasoning", text.clone())).into_iter().chain([("program", text.clone())]);
    let mut schema = object(properties);
    schema["$comment"] = json!(comment);
    schema
}
