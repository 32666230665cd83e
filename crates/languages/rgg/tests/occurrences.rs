//! Occurrences of names, and the words that may stand at a place.

use goalspec_rgg::completion;
use goalspec_rgg::occurrences::{is_valid_name, occurrences};
use goalspec_rgg::{Dialect, load};
use goalspec_syntax::Sources;
use goalspec_syntax::symbols::{Declaration, SymbolKind};

/// Returns the names of a kind in a text, each with the name and the line of its declaration.
fn names(text: &str, dialect: Dialect, kind: SymbolKind) -> Vec<String> {
    let mut sources = Sources::new();
    let id = sources.add("game", text);
    let file = sources.file(id);
    let found = occurrences(file, dialect).list;
    let own = found.iter().filter(|own| own.kind == kind);
    let describe = |own: &goalspec_syntax::symbols::Occurrence| match &own.declaration {
        Declaration::At(span) => format!("{}@{}", file.slice(own.span), file.line_column(span.start).0),
        Declaration::BuiltIn(_) => format!("{}@language", file.slice(own.span)),
        Declaration::Unknown => format!("{}@?", file.slice(own.span)),
    };
    own.map(describe).collect()
}

#[test]
fn names_in_quotes_and_templates_have_the_spans_of_their_texts() {
    let text = "teams: [red]
board: {nodes: ['a b', c]}
resourceSpace: {'a b': {\"x y\": int(1)}, c: {z: int(1)}}
rewards:
  red: {Template: '{ a b.x y } of {c.z}, {unknown.z}'}
";
    let found = names(text, Dialect::DOCUMENTED, SymbolKind::Resource);
    assert_eq!(found, ["x y@3", "z@3", "x y@3", "z@3"]);
    assert_eq!(names(text, Dialect::DOCUMENTED, SymbolKind::Node), ["a b@2", "c@2", "a b@2", "c@2", "a b@2", "c@2"]);
}

#[test]
fn names_with_escapes_and_aliases_are_left_out_where_they_are_not_written() {
    let text = "teams: [\"r\\x65d\", &b blue]\nrewards: {*b : {Constant: 1}, red: {Constant: 2}}\n";
    assert_eq!(names(text, Dialect::DOCUMENTED, SymbolKind::Team), ["blue@1", "red@?"]);
}

#[test]
fn parameters_are_those_of_the_action() {
    let text = "teams: [red]
board: {nodes: [a]}
resourceSpace: {a: {x: int(1)}}
actionSpace: {red: {go: {n: int(1), source: string(a)}, stay: {n: int(2)}}}
actions:
  go: {cost: {}, requires: {a.x: {Gte: 0}}, consequences: [{result: {Resources: {add: {a.x: {Field: $n}}}}}]}
  stay: {cost: {}, requires: {}, consequences: [{result: {Resources: {add: {a.x: {Field: param.n}}}}}]}
";
    let found = names(text, Dialect::DOCUMENTED, SymbolKind::Parameter);
    assert_eq!(found.len(), if Dialect::DOCUMENTED.readable_parameters { 5 } else { 3 });
    assert!(found.contains(&"source@language".to_owned()), "{found:?}");
    assert_eq!(names(text, Dialect::DOCUMENTED, SymbolKind::Action), ["go@6", "stay@7", "go@6", "stay@7"]);
}

#[test]
fn texts_that_are_no_games_have_no_names() {
    for text in ["", "a: [", "- 1", "teams: 3", "actions: {a: {cost: [1, 2], requires: 7}}", "\u{feff}teams: []"] {
        names(text, Dialect::DOCUMENTED, SymbolKind::Team);
    }
}

#[test]
fn valid_names_can_be_written_everywhere() {
    for name in ["red", "a b", "x-1", "_x", "größe"] {
        assert!(is_valid_name(SymbolKind::Node, name), "{name}");
    }
    assert!(is_valid_name(SymbolKind::Action, "gather (ann)"));
    for name in ["", "1", "yes", "null", "a.b", "a:", "a, b", "a{", "a ", " a", "a#b", "observable", "nothing", "a (b)"]
    {
        assert!(!is_valid_name(SymbolKind::Node, name), "{name}");
    }
}

/// The words offered at every place of a game in which a keyword stands contain that keyword.
#[test]
fn keywords_are_offered_where_they_stand() {
    let text = include_str!("../../../../examples/rgg/berries.yaml");
    let mut sources = Sources::new();
    let id = sources.add("game", text);
    let file = sources.file(id);
    let loaded = load(file, Dialect::DOCUMENTED, &[]);
    let known = loaded.ast.as_ref();
    let mut checked = 0;
    for word in [
        "teams",
        "board",
        "nodes",
        "vectors",
        "from",
        "to",
        "cost",
        "requires",
        "consequences",
        "odds",
        "result",
        "WithRandomVector",
        "MakeNodeVisible",
        "team",
        "target",
        "Calculate",
        "metrics",
        "Contains",
        "Not",
        "Gte",
    ] {
        for (at, _) in text.match_indices(&format!("{word}:")) {
            let end = (at + word.len()) as u32;
            let found = completion::words(file, end, known);
            let offered = found.words.iter().any(|own| own.text == word);
            let is_name =
                word == "target" && text[..at].ends_with("      ") && text[at..].starts_with("target: string");
            assert!(offered || is_name, "{word} at {at}: {found:?}");
            assert!(is_name || completion::keyword_at(file, end).is_some(), "{word} at {at}");
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked}");
}
