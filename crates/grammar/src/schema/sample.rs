//! Random values.

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use super::JsonSchema;
use crate::random::Random;
use crate::sampler::{MAX_SAMPLED_DEPTH, SampleOptions, sample_pattern};

/// The maximum number of optional items and entries of a sampled list or object.
const MAX_SAMPLED_ITEMS: usize = 4;

impl JsonSchema {
    /// Returns a random value that matches the schema. Equal options give equal values. `None` if there is none within the depth.
    ///
    /// Of `oneOf`, `not` and `minProperties`, whose matches cannot be generated directly, candidates are tried a few times.
    pub fn sample(&self, options: SampleOptions) -> Option<Value> {
        let mut sampler = Sampler {
            schema: self,
            heights: self.heights(),
            random: Random::new(options.seed),
            left: options.max_terminals,
        };
        let depth = options.max_depth.min(MAX_SAMPLED_DEPTH);
        (0..20).find_map(|_| sampler.value(&self.value, depth).filter(|value| self.validate(value).is_empty()))
    }

    /// Returns the depth of the flattest value of each definition.
    fn heights(&self) -> FxHashMap<String, usize> {
        let mut heights = FxHashMap::default();
        loop {
            let before = heights.len();
            let mut found = Vec::new();
            for (name, definition) in self.value.get("$defs").and_then(Value::as_object).into_iter().flatten() {
                if !heights.contains_key(name) {
                    found.extend(height(definition, &heights).map(|height| (name.clone(), height + 1)));
                }
            }
            heights.extend(found);
            if heights.len() == before {
                return heights;
            }
        }
    }
}

/// Returns the depth of the flattest value of a schema, if it has one with the known definitions.
fn height(schema: &Value, heights: &FxHashMap<String, usize>) -> Option<usize> {
    let Value::Object(keywords) = schema else { return (schema != &Value::Bool(false)).then_some(0) };
    if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
        return heights.get(target.rsplit('/').next()?).copied();
    }
    if let Some(Value::Array(parts)) = keywords.get("anyOf").or_else(|| keywords.get("oneOf")) {
        return parts.iter().filter_map(|part| height(part, heights)).min();
    }
    let required: Vec<&str> =
        keywords.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = keywords.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut highest = 0;
    for (_, property) in properties.filter(|(name, _)| required.contains(&name.as_str())) {
        highest = highest.max(height(property, heights)?);
    }
    if keywords.get("minItems").and_then(Value::as_u64).unwrap_or(0) > 0 {
        highest = highest.max(keywords.get("items").map_or(Some(0), |items| height(items, heights))?);
    }
    Some(highest)
}

struct Sampler<'s> {
    schema: &'s JsonSchema,
    heights: FxHashMap<String, usize>,
    random: Random,
    left: usize,
}

impl Sampler<'_> {
    fn value(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        self.left = self.left.saturating_sub(1);
        let keywords = match schema {
            Value::Object(keywords) => keywords,
            Value::Bool(false) => return None,
            _ => return Some(self.any_scalar()),
        };
        if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
            let schema = self.schema;
            // A reference without a flattest value leads back to itself only.
            self.heights.get(target.rsplit('/').next()?)?;
            return self.value(schema.target(target), depth.saturating_sub(1));
        }
        if let Some(value) = keywords.get("const") {
            return Some(value.clone());
        }
        if let Some(Value::Array(values)) = keywords.get("enum") {
            return self.random.choose(values).cloned();
        }
        if let Some(Value::Array(parts)) = keywords.get("anyOf").or_else(|| keywords.get("oneOf")) {
            let part = self.alternative(parts, depth)?;
            return self.value(&part, depth);
        }
        let types = match keywords.get("type") {
            Some(Value::Array(names)) => names.clone(),
            Some(name) => vec![name.clone()],
            None if keywords.contains_key("properties") => vec![json!("object")],
            None if keywords.contains_key("items") => vec![json!("array")],
            None => return Some(self.any_scalar()),
        };
        let name = self.random.choose(&types)?.as_str()?.to_owned();
        self.of_type(&name, keywords, depth)
    }

    /// Chooses an alternative that fits the depth; the flattest one if the value is long enough.
    fn alternative(&mut self, parts: &[Value], depth: usize) -> Option<Value> {
        let heights: Vec<Option<usize>> = parts.iter().map(|part| height(part, &self.heights)).collect();
        let flattest = heights.iter().flatten().copied().min()?;
        let allowed = if self.left == 0 { flattest } else { depth.max(flattest) };
        let fits = |height: &Option<usize>| height.is_some_and(|height| height <= allowed);
        let open: Vec<&Value> =
            parts.iter().zip(&heights).filter(|(_, height)| fits(height)).map(|(part, _)| part).collect();
        self.random.choose(&open).map(|&part| part.clone())
    }

    fn of_type(&mut self, name: &str, keywords: &Map<String, Value>, depth: usize) -> Option<Value> {
        Some(match name {
            "null" => Value::Null,
            "boolean" => json!(self.random.chance(1, 2)),
            "integer" | "number" => {
                let bound = |keyword| keywords.get(keyword).and_then(Value::as_f64);
                let min = bound("minimum").unwrap_or(0.0);
                let max = bound("maximum").unwrap_or(min + 10.0);
                if name == "integer" {
                    let steps = self.random.below(100) as f64 / 100.0;
                    json!((min.ceil() + (steps * (max - min.ceil() + 1.0)).floor()).min(max.floor()) as i64)
                } else {
                    json!(min + (max - min) * self.random.below(101) as f64 / 100.0)
                }
            }
            "string" => {
                let mut text = String::new();
                match keywords.get("pattern").and_then(Value::as_str).and_then(|text| self.schema.patterns.get(text)) {
                    Some((pattern, _)) => sample_pattern(pattern, &mut self.random, &mut text),
                    None => text.push_str(self.random.choose(&["a", "b", "node", "team one", "x\"y"]).copied()?),
                }
                json!(text)
            }
            "array" => self.array(keywords, depth)?,
            _ => self.object(keywords, depth)?,
        })
    }

    fn array(&mut self, keywords: &Map<String, Value>, depth: usize) -> Option<Value> {
        let count = |keyword| keywords.get(keyword).and_then(Value::as_u64).map(|count| count as usize);
        let min = count("minItems").unwrap_or(0);
        let items = keywords.get("items").unwrap_or(&Value::Bool(true));
        let fits = self.left > 0 && height(items, &self.heights).is_some_and(|height| height <= depth);
        let extra = count("maxItems").unwrap_or(usize::MAX).saturating_sub(min).min(MAX_SAMPLED_ITEMS);
        let length = min + if fits { self.random.below(extra + 1) } else { 0 };
        let fixed = keywords.get("prefixItems").and_then(Value::as_array).cloned().unwrap_or_default();
        let values: Option<Vec<Value>> =
            (0..length).map(|index| self.value(fixed.get(index).unwrap_or(items), depth)).collect();
        values.map(Value::Array)
    }

    fn object(&mut self, keywords: &Map<String, Value>, depth: usize) -> Option<Value> {
        let required = keywords.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut entries = Map::new();
        for (name, property) in keywords.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let is_required = required.iter().any(|required| required == name);
            let fits = self.left > 0 && height(property, &self.heights).is_some_and(|height| height <= depth);
            if is_required || (fits && self.random.chance(1, 3)) {
                entries.insert(name.clone(), self.value(property, depth)?);
            }
        }
        let additional = keywords.get("additionalProperties").unwrap_or(&Value::Bool(true));
        if additional.is_object()
            && self.left > 0
            && height(additional, &self.heights).is_some_and(|height| height <= depth)
        {
            for index in 0..self.random.below(MAX_SAMPLED_ITEMS) {
                entries.insert(format!("name{index}"), self.value(additional, depth)?);
            }
        }
        Some(Value::Object(entries))
    }

    fn any_scalar(&mut self) -> Value {
        match self.random.below(3) {
            0 => json!(self.random.below(10)),
            1 => json!("text"),
            _ => json!(self.random.chance(1, 2)),
        }
    }
}
