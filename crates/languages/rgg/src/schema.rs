//! A JSON Schema of games (draft 2020-12), for completion and validation in editors, generated from the parser's tables of keywords.
//!
//! The schema describes the documented dialect, and is weaker than the parser: it does not check the existence of names or relations
//! between keys. A result may have any name, since custom results are registered elsewhere.

use serde_json::{Map, Value as Json, json};

use crate::constraint;
use crate::keys::{self, Word};

/// Returns the schema.
///
/// ```
/// let schema = goalspec_rgg::schema::schema();
/// assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
/// assert_eq!(schema["properties"]["teams"]["description"], "The teams, in turn order.");
/// ```
pub fn schema() -> Json {
    let mut schema = record(&[&keys::SECTIONS]);
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
fn properties(tables: &[&[Word]]) -> Json {
    let words = tables.iter().copied().flatten();
    let of = |word: &Word| {
        let mut form = reference(word.form);
        form["description"] = json!(word.meaning);
        (word.name.to_owned(), form)
    };
    Json::Object(words.map(of).collect::<Map<_, _>>())
}

/// Returns the schema of a map restricted to the keywords in some tables.
fn record(tables: &[&[Word]]) -> Json {
    let words = tables.iter().copied().flatten();
    let required: Vec<&str> = words.filter(|word| word.required).map(|word| word.name).collect();
    let mut form = json!({ "type": "object", "properties": properties(tables), "additionalProperties": false });
    if !required.is_empty() {
        form["required"] = json!(required);
    }
    form
}

/// Returns the schema of a map of the keywords in some tables, with at least `least` and at most `most` entries.
fn some_of(tables: &[&[Word]], least: u32, most: Option<u32>) -> Json {
    let mut form = record(tables);
    form["minProperties"] = json!(least);
    if let Some(most) = most {
        form["maxProperties"] = json!(most);
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
    forms.extend(constraint::forms().into_iter().map(|form| {
        let names: Vec<String> = form.names.iter().map(|name| in_any_case(name)).collect();
        // A type other than `true` and `false` is followed by parentheses.
        let end = if form.has_arguments { r"\(" } else { r"([(;)]|$)" };
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
        ("metadata", or_null(record(&[&keys::METADATA]))),
        ("board", record(&[&keys::BOARD])),
        ("vectors", list_of("vector")),
        ("vector", record(&[&keys::VECTOR])),
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
    let mut result = some_of(&[&keys::RESULTS], 1, Some(1));
    result["additionalProperties"] =
        json!({ "type": ["object", "null"], "description": "A custom result, registered under this name." });
    let visible: [&[Word]; 3] = [&keys::ENDS, &keys::SHORT_ENDS, &keys::MAKE_NODE_VISIBLE];
    let vectors: [&[Word]; 4] = [&keys::ENDS, &keys::SHORT_ENDS, &keys::WITH_VECTORS, &keys::VECTOR_TEAM];
    vec![
        ("action", record(&[&keys::ACTION])),
        ("cost", map_of("constant")),
        ("consequences", list_of("consequence")),
        ("consequence", record(&[&keys::CONSEQUENCE])),
        ("result", result),
        ("resources", record(&[&keys::RESOURCES])),
        ("make_node_visible", record(&visible)),
        ("with_vectors", record(&vectors)),
        ("assignments", map_of("assigned")),
    ]
}

fn filters() -> Definitions {
    let mut filter = json!({ "type": "object", "properties": properties(&[&keys::COMBINATORS]) });
    filter["additionalProperties"] = reference("test");
    let named = some_of(&[&keys::FILTERS, &keys::FURTHER], 1, None);
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
    let tables: [&[Word]; 4] = [&keys::FILTERS, &keys::FURTHER, &keys::STEPS, &keys::COMPUTES];
    let sequence = json!({
        "type": "array",
        "prefixItems": [reference("compute")],
        "items": reference("step"),
        "minItems": 1,
    });
    let operators = keys::OPERATORS.map(|(name, _)| name);
    let kinds = keys::KINDS.map(|(name, _)| name);
    vec![
        ("compute", some_of(&[&keys::COMPUTES], 1, Some(1))),
        ("assigned", any_of([reference("label"), sequence, some_of(&tables, 1, None)])),
        ("steps", list_of("step")),
        ("step", some_of(&tables[..3], 1, Some(1))),
        ("cases", list_of("case")),
        ("case", record(&[&keys::CASE])),
        ("math_op", record(&[&keys::MATH_OP])),
        ("operator", json!({ "enum": operators })),
        ("chain", record(&[&keys::CHAIN])),
        ("to_array", record(&[&keys::TO_ARRAY])),
        ("linear", record(&[&keys::LINEAR])),
        ("lookup", any_of([record(&[&keys::LOOKUP]), map_of("value")])),
        ("table", map_of("value")),
        ("kind", json!({ "enum": kinds })),
        ("capture", record(&[&keys::CAPTURE])),
    ]
}
