//! Resource graph games.

use std::collections::BTreeMap;

use goalspec_constraints::rgg::{common_subset, constraint};
use goalspec_rgg::yaml::{self, Node, ScalarValue};
use goalspec_rgg::{Dialect, codes};
use goalspec_syntax::Diagnostic;
use serde_json::{Value, json};

use crate::common::{Engine, on_threads, samples, source, sum_counts};
use crate::json_mutations::mutations;

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

/// The names and values of the sample games.
fn games() -> Option<Vec<(String, Value)>> {
    let folder = goalspec_testing::conformance::folder("rgg/games")?;
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, to_json(&std::fs::read_to_string(path).unwrap()))
    };
    Some(paths.into_iter().map(read).collect())
}

/// The number of sample games that are valid with their custom results, and of those that use none.
pub(crate) const VALID: [usize; 2] = [6, 4];

#[test]
fn sample_games_are_valid_with_their_custom_results() {
    let Some(games) = games() else { return };
    let (plain, custom) = (constraint([]).unwrap(), constraint(CUSTOM).unwrap());
    let mut valid = 0;
    for (name, value) in &games {
        assert_eq!(custom.schema().validate(value), [], "{name}");
        let found = plain.schema().validate(value);
        if found.is_empty() {
            valid += 1;
            continue;
        }
        // A game without its custom results names them, and the option that allows them.
        let message = found[0].to_string();
        assert!(CUSTOM.iter().any(|result| message.contains(&format!("`{result}`"))), "{name}: {message}");
        assert!(message.contains("--plugin"), "{name}: {message}");
    }
    assert_eq!([games.len(), valid], VALID);
}

/// Codes of properties that the schema leaves to the checker: the names that a game declares.
const LEFT_TO_CHECKER: [&str; 7] = [
    codes::NO_TEAMS.0,
    codes::UNKNOWN_ACTION.0,
    codes::UNKNOWN_FIELD.0,
    codes::UNKNOWN_METRIC.0,
    codes::UNKNOWN_NODE.0,
    codes::UNKNOWN_TARGET.0,
    codes::UNKNOWN_TEAM.0,
];

/// Codes of errors that values of the schema never have: syntax, sections, keys, and names of filters, computations and results.
const EXCLUDED: [&str; 11] = [
    codes::LAYOUT.0,
    codes::MISSING_KEY.0,
    codes::SECTION_ORDER.0,
    codes::UNKNOWN_COMPUTATION.0,
    codes::UNKNOWN_FILTER.0,
    codes::UNKNOWN_KEY.0,
    codes::UNKNOWN_RESULT.0,
    codes::UNKNOWN_STEP.0,
    codes::UNSUPPORTED.0,
    codes::WRONG_KIND.0,
    codes::YAML_SYNTAX.0,
];

/// The number of mutations of the sample games that the checker rejects, and of those that the schema rejects.
pub(crate) const REJECTED: [usize; 2] = [6069, 5688];

#[test]
fn mutations_that_the_checker_rejects_are_rejected() {
    let Some(games) = games() else { return };
    let custom = constraint(CUSTOM).unwrap();
    let engine = Engine::of_schema(common_subset(&custom).unwrap().value());
    let counts = on_threads(&games, |(name, value)| {
        let mut counts: BTreeMap<(&'static str, &'static str), [usize; 2]> = BTreeMap::new();
        for (index, mutation) in mutations(value).into_iter().enumerate() {
            let found = errors(&mutation.text);
            let Some(first) = found.first() else { continue };
            let is_rejected = custom.schema().check(&mutation.text).is_err();
            assert!(
                is_rejected || found.iter().all(|found| LEFT_TO_CHECKER.contains(&found.code.0)),
                "{name}: {}: {first:?}\n{}",
                mutation.kind,
                mutation.text
            );
            // The other engine knows no more than JSON and the order of keys about most mutations.
            let is_broken = mutation.kind == "missing delimiter";
            assert!(index % 20 != 0 || !is_broken || !engine.accepts(&mutation.text), "{name}: {}", mutation.text);
            let count = counts.entry((mutation.kind, first.code.0)).or_default();
            count[0] += 1;
            count[1] += usize::from(is_rejected);
        }
        counts
    });
    let mut sums: BTreeMap<(&str, &str), [usize; 2]> = BTreeMap::new();
    for (key, [all, rejected]) in counts.into_iter().flatten() {
        let sum = sums.entry(key).or_default();
        *sum = [sum[0] + all, sum[1] + rejected];
    }
    assert_eq!(sum_counts(sums.into_values()), REJECTED);
}

/// Returns the errors of a game, those of its form first.
fn errors(text: &str) -> Vec<Diagnostic> {
    let mut found = goalspec_rgg::load(&source("game.yaml", text), Dialect::DOCUMENTED, &CUSTOM).diagnostics;
    found.retain(Diagnostic::is_error);
    found.sort_by_key(|found| LEFT_TO_CHECKER.contains(&found.code.0));
    found
}

#[test]
fn random_games_have_no_errors_of_syntax_and_unknown_words() {
    let custom = constraint(CUSTOM).unwrap();
    for text in samples(&custom, 300) {
        let mut found = errors(&text);
        found.retain(|found| EXCLUDED.contains(&found.code.0));
        assert_eq!(found, [], "{text}");
    }
}

/// The custom results of the sample games.
const CUSTOM: [&str; 2] = ["CheckCombination", "MyCustomResultFunction"];

#[test]
fn schemas_compile() {
    let constraint = constraint(["Weather"]).unwrap();
    assert!(constraint.gbnf().is_none());
    Engine::of_schema(common_subset(&constraint).unwrap().value());
}
