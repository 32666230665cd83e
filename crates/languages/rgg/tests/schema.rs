//! The schema accepts the games that the parser accepts, and refuses those whose form the parser refuses.

use std::path::Path;
use std::sync::LazyLock;

use crate::common::game;
use goalspec_rgg::yaml::{self, Node, ScalarValue};
use goalspec_rgg::{Dialect, schema};
use goalspec_testing::{json_schema, texts};
use serde_json::{Map, Number, Value as Json};

static SCHEMA: LazyLock<Json> = LazyLock::new(schema::schema);

/// Returns a tree as JSON.
fn json(node: Node<'_>) -> Json {
    if let Some(scalar) = node.scalar() {
        return match scalar.value() {
            ScalarValue::Null => Json::Null,
            ScalarValue::Bool(truth) => Json::Bool(truth),
            ScalarValue::Int(number) => Json::from(number),
            ScalarValue::Real(number) => Number::from_f64(number).map_or(Json::Null, Json::Number),
            ScalarValue::Str => Json::String(scalar.text.to_string()),
        };
    }
    if let Some(items) = node.items() {
        return items.map(json).collect();
    }
    let entries = node.entries().expect("a map");
    Json::Object(entries.map(|entry| (entry.key.text.to_string(), json(entry.value))).collect())
}

fn accepts_text(text: &str) -> bool {
    let source = texts::source("test", text);
    let parsed = yaml::parse(&source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    json_schema::errors(&SCHEMA, &json(parsed.tree.root().expect("a map"))).is_empty()
}

fn games_in(folder: &Path) -> Vec<(String, String)> {
    let files = folder.read_dir().expect("the folder can be read").map(|entry| entry.expect("a file").path());
    let games = files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    games
        .map(|path| (path.display().to_string(), std::fs::read_to_string(path).expect("the file can be read")))
        .collect()
}

#[test]
fn it_accepts_our_examples_and_the_sample_games() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/rgg");
    let samples = goalspec_testing::conformance::folder("rgg").map(|folder| folder.join("games"));
    let mut games = games_in(&examples);
    assert!(games.len() >= 2);
    games.extend(samples.iter().flat_map(|folder| games_in(folder)));
    for (name, text) in games {
        assert!(accepts_text(&text), "{name}");
    }
}

/// Returns a game with some parts replaced.
fn varied(resource: &str, requires: &str, result: &str, reward: &str) -> String {
    format!(
        "teams: [s]\nboard: {{nodes: [a, b], vectors: [{{from: a, to: b}}]}}\nresourceSpace:\n  a:\n    x: {resource}\n\
        \x20   y: int(1)\n  b: {{y: int(1)}}\nactionSpace: {{s: {{act: }}}}\nactions:\n  act:\n    cost: {{a.y: 1}}\n\
        \x20   requires: {requires}\n    consequences: [{{odds: 0.5, result: {result}}}]\nrewards: {{s: {reward}}}\n"
    )
}

const RESOURCE: &str = "int(1)";
const REQUIRES: &str = "{a.y: 1}";
const RESULT: &str = "{Resources: {add: {a.y: 1}}}";
const REWARD: &str = "{Field: a.y}";

/// Checks that the schema and the parser agree on a game.
fn check(text: &str, accepted: bool) {
    assert_eq!(accepts_text(text), accepted, "the schema: {text}");
    assert_eq!(game(text, Dialect::DOCUMENTED).game.is_some(), accepted, "the reader: {text}");
}

#[test]
fn constraints_by_pattern() {
    for constraint in ["true", "'FALSE'", "INT.Range(1; 0,5)", "\"set( a, b )\"", "enum(a,b)", "'double.normal(0,1)'"] {
        check(&varied(constraint, REQUIRES, RESULT, REWARD), true);
    }
    for constraint in ["5", "int", "in(5)", "range(0,1)", "''", "[int(1)]", "{int: 1}"] {
        check(&varied(constraint, REQUIRES, RESULT, REWARD), false);
    }
}

#[test]
fn filters() {
    for filter in [
        "{}",
        "{a.y: {Gte: 1, Lte: 3}, Not: {a.y: 2}}",
        "{Or: [{a.y: [1, 2]}, {b.y: {Not: 3}}]}",
        "{a.y: {Range: [1, 2]}}",
        "{a.y: {IsNotNull: {}}, b.y: {Or: [1, {Gt: 4}]}}",
        "{a.y: {HasAny: [red]}}",
    ] {
        check(&varied(RESOURCE, filter, RESULT, REWARD), true);
    }
    for filter in ["true", "[{a.y: 1}]", "{Or: {a.y: 1}}", "{a.y: {Gtt: 1}}", "{a.y: {Range: [1]}}", "{a.y: {}}"] {
        check(&varied(RESOURCE, filter, RESULT, REWARD), false);
    }
}

#[test]
fn results_and_computations() {
    for result in [
        "{Resources: {compute: {n: {Calculate: '{a.y} + 1'}}, add: {a.y: {Field: n}}, put: {b.y: 2}}}",
        "{Resources: {add: {a.y: {Field: b.y, Multiply: 2, Gt: 1}}}}",
        "{Resources: {add: {a.y: [{Field: b.y}, {Lookup: {table: {'1': 5}, ifNull: 0}}, {Linear: {domain: [0, 1], range: [0, 5]}}]}}}",
        "{MakeNodeVisible: {team: s, target: {y: 1}}}",
        "{WithAllVectors: {sourceFilter: {y: 1}, result: {_target.y: 1}}}",
        "{CheckCombination: {input: a, output: b}}",
    ] {
        check(&varied(RESOURCE, REQUIRES, result, REWARD), true);
    }
    for result in [
        "{}",
        "{Resources: {sum: {a.y: 1}}}",
        "{Resources: {add: {a.y: {Fild: b.y}}}}",
        "{MakeNodeVisible: {}}",
        "{WithRandomVector: {sourceFilter: {y: 1}}}",
        "{Resources: {}, MakeNodeVisible: {team: s}}",
    ] {
        check(&varied(RESOURCE, REQUIRES, result, REWARD), false);
    }
    for reward in
        ["{Condition: [{when: {a.y: {Gt: 0}}, value: {Constant: 1}}]}", "{MathOp: {operator: MAX, fields: [a.y]}}"]
    {
        check(&varied(RESOURCE, REQUIRES, RESULT, reward), true);
    }
    for reward in ["5", "{}", "{Now: {}}", "{MathOp: {operator: MOST, fields: [a.y]}}", "{Condition: [{when: {}}]}"] {
        check(&varied(RESOURCE, REQUIRES, RESULT, reward), false);
    }
}

#[test]
fn sections() {
    let text = varied(RESOURCE, REQUIRES, RESULT, REWARD);
    for section in ["completed: {CalculateBoolean: '{a.y} and true'}", "metadata:", "metrics: [a.y]"] {
        check(&format!("{text}{section}\n"), true);
    }
    for section in ["complete: {a.y: 1}", "metadata: {name: x}", "metrics: a.y", "completed: true"] {
        check(&format!("{text}{section}\n"), false);
    }
}

/// Every key in the schema has a description, and every definition is used.
#[test]
fn every_key_is_described_and_every_part_is_used() {
    let text = SCHEMA.to_string();
    let parts = SCHEMA["$defs"].as_object().expect("definitions");
    for name in parts.keys() {
        assert!(text.contains(&format!("\"#/$defs/{name}\"")), "{name} is used nowhere");
    }
    let mut forms = vec![&*SCHEMA];
    let mut keys = 0;
    while let Some(form) = forms.pop() {
        if let Some(reference) = form.get("$ref").and_then(Json::as_str) {
            assert!(SCHEMA.pointer(&reference[1..]).is_some(), "{reference}");
        }
        if let Some(entries) = form.get("properties").and_then(Json::as_object) {
            keys += entries.len();
            for (key, form) in entries {
                let description = form["description"].as_str().unwrap_or_default();
                assert!(description.ends_with('.') || description.ends_with('`'), "{key}: {description}");
            }
        }
        forms.extend(form.as_object().into_iter().flat_map(Map::values).flat_map(|form| match form {
            Json::Array(forms) => forms.iter().filter(|form| form.is_object()).collect(),
            form => vec![form],
        }));
    }
    assert!(keys > 100, "{keys}");
}
