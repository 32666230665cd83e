//! A validator of JSON Schema for the schemas of this repository.
//!
//! It supports the keywords that they use: `type`, `enum`, `const`, `anyOf`, `oneOf`, `not`, `pattern`, `minimum`,
//! `maximum`, `items`, `prefixItems`, `minItems`, `maxItems`, `properties`, `additionalProperties`, `required`,
//! `minProperties`, `maxProperties`, and `$ref` to a definition of the same schema.

use std::fmt::Write as _;

use goalspec_resource::pattern::{MatchMode, TextPattern};
use serde_json::{Map, Value};

/// Validates a value, and returns the violations of the schema, each with the path of the invalid part. If a value
/// matches no alternative of an `anyOf`, the violations of the nearest alternative are returned.
///
/// # Panics
/// If the schema is malformed, or uses a keyword that the validator does not support and would otherwise ignore.
pub fn errors(schema: &Value, value: &Value) -> Vec<String> {
    errors_in(schema, schema, value)
}

/// Validates a value against a part of a schema, as [`errors`]. References are resolved in the whole schema `root`.
///
/// # Panics
/// See [`errors`].
pub fn errors_in(root: &Value, part: &Value, value: &Value) -> Vec<String> {
    let mut validator = Validator { root, path: String::new(), errors: Vec::new() };
    validator.validate(part, value);
    validator.errors
}

struct Validator<'s> {
    root: &'s Value,
    /// The path of the current part of the value.
    path: String,
    errors: Vec<String>,
}

impl Validator<'_> {
    fn validate(&mut self, schema: &Value, value: &Value) {
        match schema {
            Value::Bool(true) => {}
            Value::Bool(false) => self.report("unexpected value"),
            Value::Object(keywords) => {
                for (keyword, argument) in keywords {
                    self.keyword(keywords, keyword, argument, value);
                }
            }
            other => panic!("not a schema: {other}"),
        }
    }

    fn keyword(&mut self, schema: &Map<String, Value>, keyword: &str, argument: &Value, value: &Value) {
        match keyword {
            "$schema" | "$id" | "$defs" | "title" | "description" | "examples" => {}
            "$ref" => {
                let pointer = argument.as_str().and_then(|path| path.strip_prefix('#')).expect("a local reference");
                let target = self.root.pointer(pointer).unwrap_or_else(|| panic!("`{pointer}` is not defined"));
                self.validate(target, value);
            }
            "type" => {
                let is_allowed = match argument {
                    Value::Array(names) => names.iter().any(|name| has_type(value, name.as_str().expect("a type"))),
                    name => has_type(value, name.as_str().expect("a type")),
                };
                self.check(is_allowed, || format!("expected {argument}, found {}", excerpt(value)));
            }
            "enum" => {
                let is_allowed = list(argument).contains(value);
                self.check(is_allowed, || format!("expected one of {argument}, found {}", excerpt(value)));
            }
            "const" => self.check(value == argument, || format!("expected {argument}, found {}", excerpt(value))),
            "anyOf" => {
                // An alternative for another type of value is further than one with an invalid part.
                let mismatch = format!("{}: expected", self.path);
                let mismatches =
                    |errors: &Vec<String>| errors.iter().filter(|message| message.starts_with(&mismatch)).count();
                let alternatives = self.alternatives(argument, value).into_iter();
                let nearest = alternatives.min_by_key(|errors| (!errors.is_empty(), mismatches(errors), errors.len()));
                self.errors.extend(nearest.expect("an alternative"));
            }
            "oneOf" => {
                let alternatives = self.alternatives(argument, value);
                let matches = alternatives.iter().filter(|errors| errors.is_empty()).count();
                self.check(matches == 1, || format!("expected 1 matching alternative, found {matches}"));
            }
            "not" => {
                let is_rejected = !errors_in(self.root, argument, value).is_empty();
                self.check(is_rejected, || format!("unexpected {}", excerpt(value)));
            }
            "pattern" | "minimum" | "maximum" => self.scalar_keyword(keyword, argument, value),
            "prefixItems" | "items" | "minItems" | "maxItems" => {
                if let Value::Array(items) = value {
                    self.array_keyword(schema, keyword, argument, items);
                }
            }
            "properties" | "additionalProperties" | "required" | "minProperties" | "maxProperties" => {
                if let Value::Object(entries) = value {
                    self.object_keyword(schema, keyword, argument, entries);
                }
            }
            other => panic!("the keyword `{other}` is not supported"),
        }
    }

    fn scalar_keyword(&mut self, keyword: &str, argument: &Value, value: &Value) {
        match keyword {
            "pattern" => {
                let pattern = TextPattern::new(argument.as_str().expect("a pattern"), MatchMode::Search);
                let pattern = pattern.expect("a valid pattern");
                let is_match = value.as_str().is_none_or(|text| pattern.is_match(text));
                self.check(is_match, || format!("expected a match of {argument}, found {}", excerpt(value)));
            }
            bound => {
                let limit = argument.as_f64().expect("a number");
                let is_within = |number| if bound == "minimum" { number >= limit } else { number <= limit };
                let is_allowed = value.as_f64().is_none_or(is_within);
                self.check(is_allowed, || format!("the {bound} is {limit}, found {value}"));
            }
        }
    }

    fn array_keyword(&mut self, schema: &Map<String, Value>, keyword: &str, argument: &Value, items: &[Value]) {
        match keyword {
            "prefixItems" => {
                for (index, (part, item)) in list(argument).iter().zip(items).enumerate() {
                    self.validate_child(index, part, item);
                }
            }
            "items" => {
                let prefix = schema.get("prefixItems").map_or(0, |parts| list(parts).len());
                for (index, item) in items.iter().enumerate().skip(prefix) {
                    self.validate_child(index, argument, item);
                }
            }
            bound => self.check_size(bound == "minItems", argument, items.len(), "items"),
        }
    }

    fn object_keyword(
        &mut self,
        schema: &Map<String, Value>,
        keyword: &str,
        argument: &Value,
        entries: &Map<String, Value>,
    ) {
        match keyword {
            "properties" => {
                for (key, value) in entries {
                    if let Some(part) = argument.get(key) {
                        self.validate_child(key, part, value);
                    }
                }
            }
            "additionalProperties" => {
                let listed = schema.get("properties").and_then(Value::as_object);
                for (key, value) in entries {
                    if listed.is_none_or(|listed| !listed.contains_key(key)) {
                        self.validate_child(key, argument, value);
                    }
                }
            }
            "required" => {
                for key in list(argument) {
                    let is_present = entries.contains_key(key.as_str().expect("a key"));
                    self.check(is_present, || format!("missing key {key}"));
                }
            }
            bound => self.check_size(bound == "minProperties", argument, entries.len(), "keys"),
        }
    }

    fn check_size(&mut self, is_minimum: bool, limit: &Value, size: usize, unit: &str) {
        let limit = usize::try_from(limit.as_u64().expect("a count")).expect("a small count");
        let (is_allowed, bound) = if is_minimum { (size >= limit, "at least") } else { (size <= limit, "at most") };
        self.check(is_allowed, || format!("expected {bound} {limit} {unit}, found {size}"));
    }

    /// Validates an item or entry.
    fn validate_child(&mut self, key: impl std::fmt::Display, schema: &Value, value: &Value) {
        let length = self.path.len();
        // Writing to a string cannot fail.
        let _ = write!(self.path, "/{key}");
        self.validate(schema, value);
        self.path.truncate(length);
    }

    /// Returns the errors of each alternative.
    fn alternatives(&self, alternatives: &Value, value: &Value) -> Vec<Vec<String>> {
        let errors = |part: &Value| {
            let mut validator = Validator { root: self.root, path: self.path.clone(), errors: Vec::new() };
            validator.validate(part, value);
            validator.errors
        };
        list(alternatives).iter().map(errors).collect()
    }

    fn check(&mut self, is_valid: bool, message: impl FnOnce() -> String) {
        if !is_valid {
            self.report(&message());
        }
    }

    fn report(&mut self, message: &str) {
        self.errors.push(format!("{}: {message}", self.path));
    }
}

fn list(argument: &Value) -> &[Value] {
    argument.as_array().expect("a list")
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("unknown type `{other}`"),
    }
}

/// The maximum number of characters of a value in a message.
const MAX_EXCERPT_CHARS: usize = 80;

fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MAX_EXCERPT_CHARS) {
        Some((end, _)) => format!("{} ..", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::errors;
    use serde_json::{Value, json};

    #[test]
    fn keywords_accept_and_reject() {
        let cases = [
            (json!({"type": "integer"}), json!(3.0), json!(3.5)),
            (json!({"type": "integer"}), json!(u64::MAX), json!("3")),
            (json!({"type": ["number", "null"]}), json!(null), json!("1")),
            (json!({"enum": ["a", 1]}), json!(1), json!("b")),
            (json!({"const": true}), json!(true), json!(1)),
            (json!({"anyOf": [{"type": "string"}, {"minimum": 2}]}), json!(2), json!(1)),
            (json!({"oneOf": [{"minimum": 2}, {"maximum": 3}]}), json!(1), json!(2)),
            (json!({"not": {"type": "null"}}), json!(0), json!(null)),
            (json!({"pattern": "^a+$"}), json!("aa"), json!("ab")),
            (
                json!({"prefixItems": [{"type": "string"}], "items": {"type": "null"}}),
                json!(["a", null]),
                json!(["a", 1]),
            ),
            (json!({"minItems": 1, "maxItems": 2}), json!([1]), json!([1, 2, 3])),
            (json!({"required": ["a"]}), json!({"a": 1, "b": 2}), json!({"b": 2})),
            (json!({"properties": {"a": {}}, "additionalProperties": false}), json!({"a": 1}), json!({"b": 1})),
            (json!({"additionalProperties": {"type": "null"}}), json!({"a": null}), json!({"a": 1})),
            (json!({"minProperties": 1, "maxProperties": 1}), json!({"a": 1}), json!({})),
            (
                json!({"$ref": "#/$defs/l", "$defs": {"l": {"items": {"$ref": "#/$defs/l"}, "type": "array"}}}),
                json!([[], [[]]]),
                json!([[], [1]]),
            ),
        ];
        for (schema, valid, invalid) in cases {
            assert_eq!(errors(&schema, &valid), [""; 0], "{schema}");
            assert_eq!(errors(&schema, &invalid).len(), 1, "{schema}: {:?}", errors(&schema, &invalid));
        }
    }

    #[test]
    fn errors_have_the_path_of_the_invalid_part() {
        let item = json!({"properties": {"a": {"type": "string"}}, "required": ["a", "b"]});
        let schema = json!({"items": {"anyOf": [{"type": "null"}, item]}});
        let found = errors(&schema, &json!([null, {"a": 1}]));
        assert_eq!(found, [r#"/1/a: expected "string", found 1"#, r#"/1: missing key "b""#]);
        let found = errors(&item, &json!({"a": 1}));
        assert_eq!(found, [r#"/a: expected "string", found 1"#, r#": missing key "b""#]);
    }

    #[test]
    #[should_panic(expected = "the keyword `minLength` is not supported")]
    fn unknown_keywords_are_not_ignored() {
        errors(&json!({"minLength": 1}), &Value::Null);
    }
}
