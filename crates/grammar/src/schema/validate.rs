//! Validation of values.

use std::fmt;

use serde_json::{Map, Value};

use super::JsonSchema;

/// The maximum number of pairs of a schema and a value that a validation compares.
pub(crate) const MAX_COMPARISONS: usize = 2_000_000;

/// The maximum depth of a validation. References that refer to each other without a property in between would not end otherwise.
const MAX_NESTING: usize = 600;

/// A violation of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The JSON pointer of the value; empty for the whole value.
    pub path: String,
    /// The description.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { f.write_str(&self.message) } else { write!(f, "{}: {}", self.path, self.message) }
    }
}

impl std::error::Error for Violation {}

impl JsonSchema {
    /// Validates the text of a value.
    ///
    /// # Errors
    /// Returns a syntax error, or the violations; see [`JsonSchema::validate`].
    pub fn check(&self, text: &str) -> Result<Value, Vec<Violation>> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| vec![Violation { path: String::new(), message: format!("invalid JSON: {error}") }])?;
        let violations = self.validate(&value);
        if violations.is_empty() { Ok(value) } else { Err(violations) }
    }

    /// Returns the violations of the schema by a value. If a value matches no alternative, those of the nearest alternative are returned.
    pub fn validate(&self, value: &Value) -> Vec<Violation> {
        self.validate_part(&self.value, value)
    }

    /// Returns the violations of a part of the schema by a value.
    pub fn validate_part(&self, part: &Value, value: &Value) -> Vec<Violation> {
        let mut left = MAX_COMPARISONS;
        let mut violations = Vec::new();
        Validator { schema: self, left: &mut left, depth: 0 }.schema(part, value, "", &mut violations);
        violations
    }
}

struct Validator<'s> {
    schema: &'s JsonSchema,
    left: &'s mut usize,
    depth: usize,
}

impl Validator<'_> {
    fn schema(&mut self, schema: &Value, value: &Value, path: &str, violations: &mut Vec<Violation>) {
        let mut report = |message: String| violations.push(Violation { path: path.to_owned(), message });
        if *self.left == 0 || self.depth > MAX_NESTING {
            return report(format!(
                "the validation exceeds the limit of {MAX_COMPARISONS} comparisons or {MAX_NESTING} levels"
            ));
        }
        *self.left -= 1;
        match schema {
            Value::Bool(false) => report("unexpected value".to_owned()),
            Value::Object(keywords) => {
                self.depth += 1;
                for (keyword, argument) in keywords {
                    self.keyword(keywords, (keyword, argument), value, path, violations);
                }
                self.depth -= 1;
            }
            _ => {}
        }
    }

    fn keyword(
        &mut self,
        schema: &Map<String, Value>,
        (keyword, argument): (&str, &Value),
        value: &Value,
        path: &str,
        violations: &mut Vec<Violation>,
    ) {
        let message = match keyword {
            "$ref" => {
                let target = self.schema.target(argument.as_str().unwrap_or_default());
                return self.schema(target, value, path, violations);
            }
            "anyOf" => return self.any_of(argument, value, path, violations),
            "oneOf" => {
                let matches = self.alternatives(argument, value, path).iter().filter(|found| found.is_empty()).count();
                (matches != 1).then(|| format!("expected 1 matching alternative, found {matches}"))
            }
            "not" => {
                let mut inner = Vec::new();
                self.schema(argument, value, path, &mut inner);
                inner.is_empty().then(|| format!("unexpected {}", excerpt(value)))
            }
            "items" | "prefixItems" => {
                if let Value::Array(items) = value {
                    self.items(schema, (keyword, argument), items, path, violations);
                }
                return;
            }
            "properties" | "additionalProperties" => {
                if let Value::Object(entries) = value {
                    self.entries(schema, (keyword, argument), entries, path, violations);
                }
                return;
            }
            _ => self.scalar(keyword, argument, value),
        };
        violations.extend(message.map(|message| Violation { path: path.to_owned(), message }));
    }

    /// Checks a keyword without inner schemas.
    fn scalar(&self, keyword: &str, argument: &Value, value: &Value) -> Option<String> {
        let found = || excerpt(value);
        let count = argument.as_u64().unwrap_or(0) as usize;
        let sized = |length: Option<usize>, what: &str, is_min: bool| {
            let length = length?;
            let (is_valid, bound) = if is_min { (length >= count, "at least") } else { (length <= count, "at most") };
            (!is_valid).then(|| format!("expected {bound} {count} {what}, found {length}"))
        };
        let items = || value.as_array().map(Vec::len);
        let entries = || value.as_object().map(Map::len);
        match keyword {
            "type" => {
                let names = argument.as_array().map_or(std::slice::from_ref(argument), Vec::as_slice);
                let is_valid = names.iter().any(|name| has_type(value, name.as_str().unwrap_or_default()));
                (!is_valid).then(|| format!("expected {}, found {}", listed(names), found()))
            }
            "enum" => {
                let values = argument.as_array().map(Vec::as_slice).unwrap_or_default();
                (!values.contains(value)).then(|| format!("expected {}, found {}", listed(values), found()))
            }
            "const" => (value != argument).then(|| format!("expected {argument}, found {}", found())),
            "pattern" => {
                let (text, pattern) = (value.as_str()?, argument.as_str()?);
                let automaton = &self.schema.patterns.get(pattern)?.1;
                let states = text.chars().fold(automaton.initial(), |states, letter| automaton.after(&states, letter));
                (!automaton.accepts(&states)).then(|| format!("expected a match of {argument}, found {}", found()))
            }
            "minimum" => {
                (value.as_f64()? < argument.as_f64()?).then(|| format!("expected at least {argument}, found {value}"))
            }
            "maximum" => {
                (value.as_f64()? > argument.as_f64()?).then(|| format!("expected at most {argument}, found {value}"))
            }
            "minItems" => sized(items(), "items", true),
            "maxItems" => sized(items(), "items", false),
            "minProperties" => sized(entries(), "properties", true),
            "maxProperties" => sized(entries(), "properties", false),
            "required" => {
                let entries = value.as_object()?;
                let names = argument.as_array()?.iter().filter_map(Value::as_str);
                let missing: Vec<Value> = names.filter(|name| !entries.contains_key(*name)).map(Value::from).collect();
                (!missing.is_empty()).then(|| format!("missing property {}", listed(&missing)))
            }
            _ => None,
        }
    }

    fn alternatives(&mut self, argument: &Value, value: &Value, path: &str) -> Vec<Vec<Violation>> {
        let mut all = Vec::new();
        for alternative in argument.as_array().into_iter().flatten() {
            let mut violations = Vec::new();
            self.schema(alternative, value, path, &mut violations);
            all.push(violations);
        }
        all
    }

    fn any_of(&mut self, argument: &Value, value: &Value, path: &str, violations: &mut Vec<Violation>) {
        // An alternative whose violations are deep inside is nearer than one that is violated at once.
        let nearest = self.alternatives(argument, value, path).into_iter().min_by_key(|found| {
            let at_once = found.iter().filter(|violation| violation.path == path).count();
            (!found.is_empty(), at_once, found.len())
        });
        violations.extend(nearest.into_iter().flatten());
    }

    fn items(
        &mut self,
        schema: &Map<String, Value>,
        (keyword, argument): (&str, &Value),
        items: &[Value],
        path: &str,
        violations: &mut Vec<Violation>,
    ) {
        let fixed = schema.get("prefixItems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for (index, item) in items.iter().enumerate() {
            let inner = match (keyword, fixed.get(index)) {
                ("prefixItems", Some(inner)) => inner,
                ("items", None) => argument,
                _ => continue,
            };
            self.schema(inner, item, &format!("{path}/{index}"), violations);
        }
    }

    fn entries(
        &mut self,
        schema: &Map<String, Value>,
        (keyword, argument): (&str, &Value),
        entries: &Map<String, Value>,
        path: &str,
        violations: &mut Vec<Violation>,
    ) {
        let declared = schema.get("properties").and_then(Value::as_object);
        for (name, entry) in entries {
            let inner = match (keyword, declared.and_then(|declared| declared.get(name))) {
                ("properties", Some(inner)) => inner,
                ("additionalProperties", None) if argument == &Value::Bool(false) => {
                    // The description of the object says which properties it has.
                    let expected = schema.get("description").and_then(Value::as_str);
                    let expected = expected.map_or_else(String::new, |text| format!("; expected: {text}"));
                    let message = format!("unexpected property `{name}`{expected}");
                    violations.push(Violation { path: path.to_owned(), message });
                    continue;
                }
                ("additionalProperties", None) => argument,
                _ => continue,
            };
            let step = name.replace('~', "~0").replace('/', "~1");
            self.schema(inner, entry, &format!("{path}/{step}"), violations);
        }
    }
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
        _ => false,
    }
}

/// Returns the values of a list as text, at most twelve of them.
fn listed(values: &[Value]) -> String {
    const MAX_LISTED: usize = 12;
    let names: Vec<String> = values.iter().take(MAX_LISTED).map(Value::to_string).collect();
    let more = values.len().saturating_sub(MAX_LISTED);
    if more > 0 { format!("{} or one of {more} more", names.join(", ")) } else { names.join(" or ") }
}

fn excerpt(value: &Value) -> String {
    const MAX_QUOTED: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= MAX_QUOTED { text } else { text.chars().take(MAX_QUOTED).chain(" ..".chars()).collect() }
}
