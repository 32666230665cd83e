//! JSON schemas: checks, validation, unrolled recursion, random values.

use goalspec_grammar::schema::{any_of, common_subset, envelope, list, object, one_of, reference};
use goalspec_grammar::{JsonSchema, SampleOptions};
use serde_json::{Value, json};

fn goals() -> JsonSchema {
    let atom = object([("fact", one_of(["on"])), ("x", one_of(["b", "a"])), ("y", one_of(["a", "b"]))]);
    let nothing = object([("fact", one_of([]))]);
    let mut root = object([("goal", reference("goal"))]);
    root["$defs"] = json!({ "goal": any_of([
        atom,
        nothing,
        object([("and", list(reference("goal")))]),
        object([("not", reference("goal"))]),
    ]) });
    JsonSchema::new(root).unwrap()
}

fn atom() -> Value {
    json!({ "fact": "on", "x": "a", "y": "b" })
}

#[test]
fn values_are_validated() {
    let schema = goals();
    assert_eq!(schema.validate(&json!({ "goal": { "and": [atom(), { "not": atom() }] } })), []);
    for (value, violation) in [
        (json!({ "goal": { "fact": "on", "x": "a", "y": "c" } }), "/goal/y: expected \"a\" or \"b\", found \"c\""),
        (json!({ "goal": { "fact": "on", "x": "a" } }), "/goal: missing property \"y\""),
        (json!({ "goal": { "and": [{ "or": [] }] } }), "/goal/and/0"),
        (json!({ "goal": atom(), "more": 1 }), "unexpected property `more`"),
        (json!([]), "expected \"object\", found []"),
    ] {
        let violations = schema.validate(&value);
        assert!(violations.iter().any(|found| found.to_string().contains(violation)), "{value}: {violations:?}");
    }
    assert!(schema.check("{\"goal\": ").unwrap_err()[0].to_string().contains("invalid JSON"));
}

#[test]
fn recursion_is_unrolled_to_a_depth() {
    let schema = goals().unrolled(3).unwrap();
    let text = schema.write();
    assert!(text.contains("goal1") && text.contains("goal3") && !text.contains("goal4"), "{text}");
    let nested = |depth| (1..depth).fold(atom(), |inner, _| json!({ "not": inner }));
    let is_valid = |depth| schema.validate(&json!({ "goal": nested(depth) })).is_empty();
    assert_eq!([1, 2, 3, 4].map(is_valid), [true, true, true, false]);
}

#[test]
fn samples_are_valid() {
    let unrolled = goals().unrolled(4).unwrap();
    for schema in [goals(), unrolled] {
        let sample = |seed| schema.sample(SampleOptions { seed, ..SampleOptions::default() }).unwrap().to_string();
        let texts: std::collections::BTreeSet<String> = (0..200).map(sample).collect();
        assert!(texts.len() > 50);
        assert!(texts.iter().all(|text| schema.check(text).is_ok()));
    }
}

#[test]
fn malformed_schemas_are_rejected() {
    for (schema, message) in [
        (json!({ "$ref": "#/$defs/goal" }), "is not defined"),
        (json!({ "type": "text" }), "unknown type"),
        (json!({ "if": true }), "not supported"),
        (json!({ "anyOf": [] }), "a list of schemas"),
        (json!({ "pattern": "(" }), "expected `)`"),
        (json!({ "properties": { "a": 1 } }), "`/properties/a`: expected an object"),
        (json!({ "maxItems": -1 }), "malformed"),
    ] {
        let error = JsonSchema::new(schema).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn references_without_end_are_a_violation() {
    let schema = JsonSchema::new(json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/a" } } })).unwrap();
    assert!(schema.validate(&json!(1))[0].message.contains("exceeds the limit"));
    assert_eq!(schema.sample(SampleOptions::default()), None);
}

#[test]
fn the_common_subset_accepts_more() {
    let schema = json!({ "type": "object", "properties": {
        "pattern": { "type": "string", "pattern": "^a+$" },
        "list": { "type": "array", "prefixItems": [{ "type": "null" }], "items": { "type": "string" }, "minItems": 1 },
    } });
    let subset = common_subset(&schema);
    assert_eq!(
        subset,
        json!({ "type": "object", "properties": { "pattern": { "type": "string" }, "list": { "type": "array" } } })
    );
}

#[test]
fn an_envelope_contains_a_program() {
    let schema = JsonSchema::new(envelope("game", true)).unwrap();
    assert_eq!(schema.validate(&json!({ "reasoning": "", "program": "(define)" })), []);
    assert!(!schema.validate(&json!({ "program": "(define)" })).is_empty());
}
