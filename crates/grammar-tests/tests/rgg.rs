//! Resource graph games.

use goalspec_constraints::rgg::{common_subset, constraint};
use goalspec_rgg::yaml::{self, Node, ScalarValue};
use serde_json::{Value, json};

use crate::common::{Engine, source};

/// Returns a YAML text as JSON.
fn to_json(text: &str) -> Value {
    let parsed = yaml::parse(&source("game.yaml", text));
    assert_eq!(parsed.diagnostics, []);
    value(parsed.tree.root().expect("a document"))
}

fn value(node: Node<'_>) -> Value {
    if let Some(items) = node.items() {
        return items.map(value).collect();
    }
    if let Some(entries) = node.entries() {
        return Value::Object(entries.map(|entry| (entry.key.text.to_string(), value(entry.value))).collect());
    }
    let scalar = node.scalar().expect("a scalar");
    match scalar.value() {
        ScalarValue::Null => Value::Null,
        ScalarValue::Bool(truth) => json!(truth),
        ScalarValue::Int(number) => json!(number),
        ScalarValue::Real(number) => json!(number),
        ScalarValue::Str => json!(&*scalar.text),
    }
}

#[test]
fn sample_games_are_valid_with_their_custom_results() {
    let Some(folder) = goalspec_testing::conformance::folder("rgg/games") else { return };
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    let (plain, custom) = (constraint([]).unwrap(), constraint(CUSTOM).unwrap());
    let mut valid = Vec::new();
    for path in &paths {
        let value = to_json(&std::fs::read_to_string(path).unwrap());
        assert_eq!(custom.schema().validate(&value), [], "{}", path.display());
        if plain.schema().validate(&value).is_empty() {
            valid.push(path.file_stem().unwrap().to_string_lossy().into_owned());
        }
        for (section, wrong) in [("teams", json!("red")), ("actions", json!([])), ("board", json!({ "vertices": [] }))]
        {
            let mut mutation = value.clone();
            mutation[section] = wrong;
            assert_ne!(custom.schema().validate(&mutation), [], "{}: {section}", path.display());
        }
    }
    assert_eq!((paths.len(), valid.len()), (6, 4), "{valid:?}");
}

/// The custom results of the sample games.
const CUSTOM: [&str; 2] = ["CheckCombination", "MyCustomResultFunction"];

#[test]
fn schemas_compile() {
    let constraint = constraint(["Weather"]).unwrap();
    assert!(constraint.gbnf().is_none());
    Engine::of_schema(common_subset(&constraint).unwrap().value());
}
