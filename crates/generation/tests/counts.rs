//! The counts of the published games equal the recorded ones, and their trees have the recorded shape.

use std::collections::BTreeMap;

use goalspec_generator::counts::Counts;
use goalspec_generator::grammar::{Symbol, Tokens};
use goalspec_generator::tree;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use serde_json::{Value, json};

use crate::common;

fn table<K: Ord + Copy>(counts: &BTreeMap<K, u32>, name: impl Fn(K) -> String) -> Value {
    counts.iter().map(|(&key, &count)| (name(key), json!(count))).collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn counts_of_the_published_games_equal_the_recorded_ones() {
    let (Some(corpus), Some(recorded)) = (common::published(), common::json("counter.json")) else { return };
    let grammar = corpus.games.grammar();
    let counts = Counts::of(grammar, corpus.trees.iter().map(|(_, tree)| tree));
    let kind_name = |kind: Symbol| grammar.kind(kind).map_or(String::new(), |kind| kind.name.to_string());
    let token = |tokens: &Tokens, symbol| tokens.text(symbol).to_owned();
    let mut found = serde_json::Map::new();
    for (index, kind) in grammar.kinds().iter().enumerate() {
        let mut fields = serde_json::Map::new();
        for (position, field) in kind.fields.iter().enumerate() {
            let own = counts.field(grammar, Symbol::kind(index), position);
            let mut entry = serde_json::Map::new();
            if !own.kinds.is_empty() {
                entry.insert("rules".into(), table(&own.kinds, kind_name));
            }
            if !own.tokens.is_empty() {
                entry.insert("values".into(), table(&own.tokens, |symbol| token(&corpus.tokens, symbol)));
            }
            if !own.lengths.is_empty() {
                entry.insert("lengths".into(), table(&own.lengths, |length: u32| length.to_string()));
            }
            if let Some(name) = field.name.filter(|_| !entry.is_empty()) {
                fields.insert(name.into(), entry.into());
            }
        }
        if !fields.is_empty() {
            found.insert(kind.name.to_string(), fields.into());
        }
    }
    // The names of games are not counted.
    let mut expected = recorded["counts"].as_object().expect("a table").clone();
    expected.remove("game_def");
    for (rule, fields) in &expected {
        for (field, figures) in fields.as_object().expect("a table") {
            assert_eq!(sorted(&found[rule][field]), sorted(figures), "{rule} {field}");
        }
    }
    let pairs = |counts: &serde_json::Map<String, Value>| -> usize {
        counts.values().map(|fields| fields.as_object().map_or(0, serde_json::Map::len)).sum()
    };
    assert_eq!(found.len(), expected.len());
    assert_eq!(pairs(&found), pairs(&expected));
}

/// Returns a value whose tables have sorted keys.
fn sorted(value: &Value) -> String {
    fn sort(value: &Value) -> Value {
        match value.as_object() {
            None => value.clone(),
            Some(table) => {
                let sorted: BTreeMap<&String, Value> = table.iter().map(|(key, value)| (key, sort(value))).collect();
                sorted.into_iter().map(|(key, value)| (key.clone(), value)).collect::<serde_json::Map<_, _>>().into()
            }
        }
    }
    sort(value).to_string()
}

#[test]
fn the_rules_have_the_published_fields() {
    let (Some(corpus), Some(published)) = (common::published(), common::json("grammar.json")) else { return };
    let grammar = corpus.games.grammar();
    let mut compared = 0;
    for (name, rule) in published["rules"].as_object().expect("a table") {
        let Some(kind) = grammar.named(name).and_then(|symbol| grammar.kind(symbol)) else {
            // The published grammar contains `always` and does not use it; tokens are no kinds of nodes here.
            assert!(name == "always" || rule["node"] == false, "{name}");
            continue;
        };
        compared += 1;
        assert_eq!(kind.is_counted, rule["node"].as_bool().expect("a truth value"), "{name}");
        let own: Vec<&str> = kind.fields.iter().filter_map(|field| field.name).collect();
        let fields = rule["fields"].as_object().expect("a table");
        // The name of a game is not counted, so its field has no name.
        if name != "game_def" {
            assert_eq!(own, fields.keys().collect::<Vec<_>>(), "{name}");
        }
        for field in kind.fields.iter().filter(|field| field.name.is_some()) {
            let rules = |value: &Value| -> Vec<String> {
                let list = value["rules"].as_array().into_iter().flatten();
                let mut names: Vec<String> = list.filter_map(|name| name.as_str().map(str::to_owned)).collect();
                names.retain(|name| name != "empty_closure");
                names.sort();
                names
            };
            let mut kinds: Vec<String> =
                field.kinds.iter().filter_map(|&kind| grammar.kind(kind)).map(|kind| kind.name.to_string()).collect();
            kinds.sort();
            assert_eq!(kinds, rules(&fields[field.name.unwrap_or_default()]), "{name}");
        }
    }
    // All kinds but the one of whole games, which the published grammar calls `start`.
    assert_eq!(compared, grammar.kinds().len() - 1);
}

#[test]
fn the_text_of_a_tree_is_read_as_the_same_tree() {
    let Some(mut corpus) = common::published() else { return };
    for (name, tree) in &corpus.trees {
        assert_eq!(tree::misfit(corpus.games.grammar(), tree), None, "{name}");
        let text = corpus.games.text(tree, &corpus.tokens);
        let source = goalspec_testing::texts::source(name, &text);
        let parsed = goalspec_game::parse::parse(&source);
        let is_note = |finding: &Diagnostic| finding.severity == Severity::Note;
        assert!(parsed.diagnostics.iter().all(is_note), "{:?} {text}", parsed.diagnostics);
        assert_eq!(&corpus.games.read(&parsed.games[0], &mut corpus.tokens).expect("a tree"), tree, "{text}");
    }
}
