//! A JSON Schema of games (draft 2020-12), for completion and validation in editors, generated from the parser's tables of keywords.
//!
//! The schema describes the documented dialect, and is weaker than the parser: it does not check the existence of names or relations
//! between keys. A result may have any name, since custom results are registered elsewhere.

use serde_json::{Map, Value as Json, json};

use crate::constraint;
use crate::keywords::{self, Keyword};

/// Returns the schema.
///
/// ```
/// let schema = goalspec_rgg::schema::schema();
/// assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
/// assert_eq!(schema["properties"]["teams"]["description"], "The teams, in turn order.");
/// ```
pub fn schema() -> Json {
    let mut schema = record(&[&keywords::SECTIONS]);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Resource graph game");
    schema["description"] = json!("A game in which teams change the resources of the nodes of a graph.");
    let definitions = [values(), sections(), actions(), filters(), computations()];
    schema["$defs"] = definitions.into_iter().flatten().map(|(name, form)| (name.to_owned(), form)).collect();
    schema
}

/// Definitions with their names.
type Definitions = Vec<(&'static str, Json)>;

fn reference(form: &str) -> Json {
    json!({ "$ref": format!("#/$defs/{form}") })
}

/// Returns the schema of a form or a list of it.
fn one_or_list(form: &Json) -> Json {
    any_of([form.clone(), json!({ "type": "array", "items": form })])
}

fn list_of(form: &str) -> Json {
    json!({ "type": "array", "items": reference(form) })
}

fn map_of(form: &str) -> Json {
    json!({ "type": "object", "additionalProperties": reference(form) })
}

fn any_of<const N: usize>(forms: [Json; N]) -> Json {
    json!({ "anyOf": Vec::from(forms) })
}

/// Returns the properties of the keywords in some tables, each with the form of its value.
fn properties(tables: &[&[Keyword]]) -> Json {
    let words = tables.iter().copied().flatten();
    let of = |word: &Keyword| {
        let mut form = reference(word.schema_definition);
        form["description"] = json!(word.description);
        (word.name.to_owned(), form)
    };
    Json::Object(words.map(of).collect::<Map<_, _>>())
}

/// Returns the schema of a map restricted to the keywords in some tables.
fn record(tables: &[&[Keyword]]) -> Json {
    let words = tables.iter().copied().flatten();
    let required: Vec<&str> = words.filter(|word| word.required).map(|word| word.name).collect();
    let mut form = json!({ "type": "object", "properties": properties(tables), "additionalProperties": false });
    if !required.is_empty() {
        form["required"] = json!(required);
    }
    form
}

/// Returns the schema of a map of the keywords in some tables, with at least `min` and at most `max` entries.
fn record_with_size(tables: &[&[Keyword]], min: u32, max: Option<u32>) -> Json {
    let mut form = record(tables);
    form["minProperties"] = json!(min);
    if let Some(max) = max {
        form["maxProperties"] = json!(max);
    }
    form
}

fn values() -> Definitions {
    const NUMBER: &str = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$";
    let pair = |form| json!({ "type": "array", "items": reference(form), "minItems": 2, "maxItems": 2 });
    vec![
        ("value", json!(true)),
        ("constant", json!({ "not": { "type": "null" } })),
        ("unsupported", json!(false)),
        ("scalar", json!({ "type": ["string", "number", "boolean"] })),
        ("name", json!({ "type": ["string", "number", "boolean"] })),
        ("label", json!({ "type": ["string", "number", "boolean", "null"] })),
        ("text", json!({ "type": "string" })),
        ("number", any_of([json!({ "type": "number" }), json!({ "type": "string", "pattern": NUMBER })])),
        ("truth", json!({ "type": ["boolean", "integer"] })),
        ("empty", json!({ "type": "object", "maxProperties": 0 })),
        ("values", list_of("value")),
        ("names", list_of("name")),
        ("texts", list_of("text")),
        ("pair", pair("scalar")),
        ("interval", pair("number")),
        ("constraint", constraints()),
    ]
}

/// Returns the schema of constraints, with a branch for each type.
fn constraints() -> Json {
    let mut forms = vec![json!({ "type": "boolean", "description": "A boolean." })];
    forms.extend(constraint::documented_types().into_iter().map(|form| {
        let names: Vec<String> = form.names.iter().map(|name| in_any_case(name)).collect();
        // A type other than `true` and `false` is followed by parentheses.
        let end = if form.has_arguments { r"\(" } else { r"([(;)].*)?$" };
        let pattern = format!(r"^\s*({})\s*{end}", names.join("|"));
        json!({ "type": "string", "pattern": pattern, "description": form.meaning, "examples": [form.example] })
    }));
    json!({ "anyOf": forms })
}

/// Returns a case-insensitive pattern of a name; patterns in JSON Schema have no flags.
fn in_any_case(name: &str) -> String {
    let of = |letter: char| match letter {
        '.' => r"\.".to_owned(),
        letter => format!("[{letter}{}]", letter.to_ascii_uppercase()),
    };
    name.chars().map(of).collect()
}

fn sections() -> Definitions {
    let or_null = |form: Json| any_of([json!({ "type": "null" }), form]);
    vec![
        ("metadata", or_null(record(&[&keywords::METADATA]))),
        ("board", record(&[&keywords::BOARD])),
        ("vectors", list_of("vector")),
        ("vector", record(&[&keywords::VECTOR])),
        ("nodes", one_or_list(&map_of("declarations_of_node"))),
        ("declarations_of_node", one_or_list(&reference("declarations"))),
        ("declarations", map_of("constraint")),
        ("choices", map_of("choice")),
        ("choice", map_of("parameters")),
        ("parameters", or_null(map_of("constraint"))),
        ("actions", map_of("action")),
        ("rewards", map_of("compute")),
        ("completed", any_of([reference("filter"), reference("compute")])),
    ]
}

fn actions() -> Definitions {
    let mut result = record_with_size(&[&keywords::RESULTS], 1, Some(1));
    result["additionalProperties"] =
        json!({ "type": ["object", "null"], "description": "A custom result, registered under this name." });
    let visible: [&[Keyword]; 3] =
        [&keywords::ENDPOINT_FILTERS, &keywords::SHORT_ENDPOINT_FILTERS, &keywords::MAKE_NODE_VISIBLE];
    let vectors: [&[Keyword]; 4] = [
        &keywords::ENDPOINT_FILTERS,
        &keywords::SHORT_ENDPOINT_FILTERS,
        &keywords::WITH_VECTORS,
        &keywords::VECTOR_TEAM,
    ];
    vec![
        ("action", record(&[&keywords::ACTION])),
        ("cost", map_of("constant")),
        ("consequences", list_of("consequence")),
        ("consequence", record(&[&keywords::CONSEQUENCE])),
        ("result", result),
        ("resources", record(&[&keywords::RESOURCES])),
        ("make_node_visible", record(&visible)),
        ("with_vectors", record(&vectors)),
        ("assignments", map_of("assigned")),
    ]
}

fn filters() -> Definitions {
    let mut filter = json!({ "type": "object", "properties": properties(&[&keywords::COMBINATORS]) });
    filter["additionalProperties"] = reference("test");
    let named = record_with_size(&[&keywords::FILTERS, &keywords::EXTENDED_FILTERS], 1, None);
    vec![
        ("filter", filter),
        ("filters", list_of("filter")),
        ("all_filters", any_of([reference("filters"), reference("filter")])),
        ("test", any_of([reference("scalar"), reference("values"), named])),
        ("tests", any_of([list_of("test"), reference("test")])),
        ("tests_of_fields", map_of("test")),
    ]
}

fn computations() -> Definitions {
    let tables: [&[Keyword]; 4] =
        [&keywords::FILTERS, &keywords::EXTENDED_FILTERS, &keywords::STEPS, &keywords::COMPUTATIONS];
    let sequence = json!({
        "type": "array",
        "prefixItems": [reference("compute")],
        "items": reference("step"),
        "minItems": 1,
    });
    let operators = keywords::OPERATORS.map(|(name, _)| name);
    let kinds = keywords::KINDS.map(|(name, _)| name);
    vec![
        ("compute", record_with_size(&[&keywords::COMPUTATIONS], 1, Some(1))),
        ("assigned", any_of([reference("label"), sequence, record_with_size(&tables, 1, None)])),
        ("steps", list_of("step")),
        ("step", record_with_size(&tables[..3], 1, Some(1))),
        ("cases", list_of("case")),
        ("case", record(&[&keywords::CASE])),
        ("math_op", record(&[&keywords::MATH_OP])),
        ("operator", json!({ "enum": operators })),
        ("chain", record(&[&keywords::CHAIN])),
        ("to_array", record(&[&keywords::TO_ARRAY])),
        ("linear", record(&[&keywords::LINEAR])),
        ("lookup", any_of([record(&[&keywords::LOOKUP]), map_of("value")])),
        ("table", map_of("value")),
        ("kind", json!({ "enum": kinds })),
        ("capture", record(&[&keywords::REGEX_CAPTURE])),
    ]
}
