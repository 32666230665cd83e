//! Schemas for servers with restrictions: recursion unrolled to a depth, keywords left out.

use serde_json::{Map, Value, json};

use super::{JsonSchema, SchemaError};

impl JsonSchema {
    /// Returns the schema with the recursion of its definitions unrolled to a depth, for servers that accept no recursive references. The
    /// definition `goal` becomes `goal1`, which occurs in values of depth 1, `goal2` and so on.
    ///
    /// # Errors
    /// If the depth is too small for any value.
    pub fn unrolled(&self, depth: usize) -> Result<Self, SchemaError> {
        let definitions = self.value.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
        let mut unrolled = Map::new();
        // A definition that has no value at a level is absent from it.
        for level in 1..=depth {
            let lower = unrolled.clone();
            for (name, definition) in &definitions {
                if let Some(body) = lowered(definition, level - 1, &lower) {
                    unrolled.insert(format!("{name}{level}"), body);
                }
            }
        }
        let mut root = self.value.clone();
        let Some(keywords) = root.as_object_mut() else { return Ok(self.clone()) };
        keywords.remove("$defs");
        let mut result = lowered(&root, depth, &unrolled)
            .ok_or_else(|| SchemaError { path: String::new(), message: format!("no value has the depth {depth}") })?;
        retain_used(&result, &mut unrolled);
        if !unrolled.is_empty() {
            result["$defs"] = Value::Object(unrolled);
        }
        Self::new(result)
    }
}

/// Replaces references by those to definitions of a level. Returns `None` if no value is left.
fn lowered(schema: &Value, level: usize, defined: &Map<String, Value>) -> Option<Value> {
    let Value::Object(keywords) = schema else { return Some(schema.clone()) };
    let mut result = Map::new();
    for (keyword, argument) in keywords {
        let argument = match (keyword.as_str(), argument) {
            ("$ref", Value::String(target)) => {
                let name = format!("{}{level}", target.rsplit('/').next()?);
                if !defined.contains_key(&name) {
                    return None;
                }
                json!(format!("#/$defs/{name}"))
            }
            ("anyOf", Value::Array(parts)) => {
                let parts: Vec<Value> = parts.iter().filter_map(|part| lowered(part, level, defined)).collect();
                if parts.is_empty() {
                    return None;
                }
                Value::Array(parts)
            }
            ("properties", Value::Object(parts)) => {
                let parts: Option<Map<String, Value>> =
                    parts.iter().map(|(name, part)| Some((name.clone(), lowered(part, level, defined)?))).collect();
                Value::Object(parts?)
            }
            ("items" | "additionalProperties", inner) => lowered(inner, level, defined)?,
            _ => argument.clone(),
        };
        result.insert(keyword.clone(), argument);
    }
    Some(Value::Object(result))
}

/// Removes the definitions that no reference from the root reaches.
fn retain_used(root: &Value, definitions: &mut Map<String, Value>) {
    let mut used = std::collections::BTreeSet::new();
    let mut pending = vec![root.clone()];
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(entries) => {
                let target = entries.get("$ref").and_then(Value::as_str).and_then(|target| target.rsplit('/').next());
                if let Some(name) = target.filter(|name| used.insert((*name).to_owned())) {
                    pending.extend(definitions.get(name).cloned());
                }
                pending.extend(entries.into_iter().map(|(_, value)| value));
            }
            Value::Array(values) => pending.extend(values),
            _ => {}
        }
    }
    definitions.retain(|name, _| used.contains(name));
}

/// Removes the keywords that not all servers accept: those about numbers, lengths and patterns. `oneOf` becomes `anyOf`. The result
/// accepts all values that the schema accepts.
pub fn common_subset(schema: &Value) -> Value {
    const REMOVED: [&str; 10] = [
        "pattern",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "not",
        "prefixItems",
        "examples",
    ];
    match schema {
        Value::Object(keywords) => {
            let has_prefix = keywords.contains_key("prefixItems");
            let kept = keywords.iter().filter(|(keyword, _)| !REMOVED.contains(&keyword.as_str()));
            // The items behind a removed prefix would restrict those in it.
            let kept = kept.filter(|(keyword, _)| !(has_prefix && *keyword == "items"));
            let entries = kept.map(|(keyword, argument)| {
                let name = if keyword == "oneOf" { "anyOf" } else { keyword };
                let argument = match keyword.as_str() {
                    "enum" | "const" | "required" | "type" => argument.clone(),
                    "properties" | "$defs" => match argument {
                        Value::Object(parts) => Value::Object(
                            parts.iter().map(|(name, part)| (name.clone(), common_subset(part))).collect(),
                        ),
                        other => other.clone(),
                    },
                    _ => common_subset(argument),
                };
                (name.to_owned(), argument)
            });
            Value::Object(entries.collect())
        }
        Value::Array(parts) => Value::Array(parts.iter().map(common_subset).collect()),
        other => other.clone(),
    }
}
